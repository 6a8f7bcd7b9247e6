"""The command `referee`: one file a verb.

A file imports what its options need. Its functions import what does the work, so help and a mistake in a call need no NumPy.
"""
