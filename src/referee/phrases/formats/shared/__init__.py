"""What several formats of phrases need."""
