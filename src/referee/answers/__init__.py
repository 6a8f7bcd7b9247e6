"""Answers of language models: annotated text without offsets, put on the words of a key."""
