"""Print a completion script for your shell; needs the extra referee[completion].

Examples
--------
referee completion bash >> ~/.bashrc
referee completion zsh > ~/.zfunc/_referee
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.exceptions import MissingExtraError

SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("shell", choices=SHELLS)


def run(args: Namespace) -> int:
    """Print the script."""
    try:
        import shtab
    except ImportError:
        raise MissingExtraError("shell completion", "completion") from None
    from referee.cli.main import parser

    print(shtab.complete(parser(), shell=args.shell))
    return 0
