"""Errors of a response: what they are, what they cost, where they are.

Other packages import `answers`, `costs`, `differences`, `errors` and `wrong_pairs`.
"""
