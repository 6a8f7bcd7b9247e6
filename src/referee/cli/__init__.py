"""The command `referee`: one file a verb."""
