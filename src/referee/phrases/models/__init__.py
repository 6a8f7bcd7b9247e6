"""Models of phrases: one file a family."""
