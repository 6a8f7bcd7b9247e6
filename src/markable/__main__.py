"""`python -m markable` is the command `markable`."""

from markable.cli import command

command()
