"""Functions that take the place of those of other packages, with the same names and results; the numbers of papers.

Other packages import `papers`, `programs` and `prompts`.
"""
