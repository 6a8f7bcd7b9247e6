"""The inspector: a page that shows key and response side by side, and why a score is what it is."""
