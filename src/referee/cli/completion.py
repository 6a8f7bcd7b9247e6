"""Print a completion script for your shell, or the manual page; scripts need the extra referee[completion].

Examples
--------
referee completion bash >> ~/.bashrc
referee completion zsh > ~/.zfunc/_referee
referee completion man > ~/.local/share/man/man1/referee.1
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics.extras import need
from referee.cli.manual import manual

SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("shell", choices=(*SHELLS, "man"), help="the shell; man: the manual page")


def run(args: Namespace) -> int:
    """Print the script, or the page."""
    from referee.cli.main import parser  # which imports this module

    if args.shell == "man":
        print(manual(parser()), end="")
        return 0
    need("shell completion", "shtab")
    import shtab

    print(shtab.complete(parser(), shell=args.shell))
    return 0
