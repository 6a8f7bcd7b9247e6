"""The verbs of `referee phrases`: one file each."""
