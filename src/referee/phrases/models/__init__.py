"""Models of phrases: one file per family."""
