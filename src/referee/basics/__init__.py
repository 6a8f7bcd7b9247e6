"""What every other package may use: exceptions, files, progress, optional libraries, registries, what is computed once."""
