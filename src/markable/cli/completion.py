"""Print a completion script for your shell; needs the extra markable[completion].

examples:
  markable completion bash >> ~/.bashrc
  markable completion zsh > ~/.zfunc/_markable
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from markable.errors import MissingExtraError

SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS)


def run(args: Namespace) -> int:
    try:
        import shtab
    except ImportError:
        raise MissingExtraError("shell completion", "completion") from None
    from markable.cli import parser

    print(shtab.complete(parser(), shell=args.shell))
    return 0
