"""Errors of a response: what they are, what they cost, where they are."""
