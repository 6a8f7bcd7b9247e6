"""Options: their words, their types, their values."""
