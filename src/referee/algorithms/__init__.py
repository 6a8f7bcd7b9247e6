"""Algorithms on integer arrays: sorting and runs, connected components, the assignment problem."""
