"""Chunks from tags and from trees."""
