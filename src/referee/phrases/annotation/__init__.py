"""Sentences, chunks and candidates with probabilities, as columns."""
