"""Tables of values, and the forms in which they are written; they know nothing of scores."""
