"""Errors of a response: what they are, what they cost, where they are.

Other packages import `answers`, `costs`, `crossed`, `differences`, `error_filter`, `errors`, `facets` and `wrong_pairs`.
"""
