"""The sub-verbs of `referee resolver`."""
