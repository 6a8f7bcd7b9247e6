"""Which key mention is which response mention: `match`, and one file a matcher."""
