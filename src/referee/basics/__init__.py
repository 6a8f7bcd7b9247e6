"""What every other package may use: files written whole, progress, the version."""
