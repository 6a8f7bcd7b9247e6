"""Print what another program prints, with its own arguments: scorer.pl and others.

Standard output is that of the program, byte for byte; docs/programs.md names what it does wrong. --note also prints the
signature of the numbers, on standard error. --write-shim writes a file that can take the place of the program; it starts the
Python that has Referee now, so it needs no PATH. Where that Python is gone, it starts `referee`, if it finds that.

Examples
--------
referee as scorer.pl all key.conll response.conll none
referee as --note scorer.pl muc key.conll response.conll none
referee as --write-shim scorer.pl scorer.pl
"""

from __future__ import annotations

import os
import shlex
import sys
from argparse import REMAINDER, ArgumentParser, Namespace
from collections.abc import Callable, Mapping

from referee.basics import progress
from referee.basics.exceptions import OptionError
from referee.basics.files import output
from referee.basics.options.choices import PROGRAMS

PERL = """\
#!/usr/bin/env perl
exec {python}, '-m', 'referee', 'as', '{name}', @ARGV if -x {python};
exec 'referee', 'as', '{name}', @ARGV;
print STDERR {gone}, "\\n";
exit 2;
"""
"""A file that may be executed, or started as ``perl FILE``; it needs no module of Perl."""

SHELL = """\
#!/bin/sh
[ -x {python} ] && exec {python} -m referee as {name} "$@"
command -v referee >/dev/null && exec referee as {name} "$@"
echo {gone} >&2
exit 2
"""

PYTHON = """\
#!/usr/bin/env python3
import os
import shutil
import subprocess
import sys

if __name__ == "__main__":
    found = [{python}, "-m", "referee"] if os.access({python}, os.X_OK) else [shutil.which("referee")]
    if not found[0]:
        print({gone}, file=sys.stderr)
        sys.exit(2)
    sys.exit(subprocess.run([*found, "as", "{name}", *sys.argv[1:]]).returncode)
"""
"""A file that may be executed, or started as ``python FILE``; it needs no package, and does not run when it is imported."""

FUNCTIONS = """

def __getattr__(name):
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    try:
        import {module} as functions
    except ImportError:
        raise ImportError("{name}: this Python has no referee; start it with " + {python} + ", or install referee") from None
    return getattr(functions, name)
"""
"""What a file in Python has for those who import functions of the program; Referee is imported when one is asked for."""

MODULES = {"conlleval": "referee.compat.conlleval"}
"""Program -> the module of its functions."""

WINDOWS = "@if not exist {python} echo {gone} 1>&2 & exit /b 2\r\n@{python} -m referee as {name} %*\r\n"

QUOTED: Mapping[str, Callable[[str], str]] = {
    PERL: lambda text: "'{}'".format(text.replace("\\", "\\\\").replace("'", "\\'")),
    SHELL: shlex.quote,
    PYTHON: ascii,
    WINDOWS: lambda text: '"{}"'.format(text.replace("%", "%%")),
}
"""How each language writes a text."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("--note", action="store_true", help="print the signature of the numbers on standard error")
    shim = (
        "write an executable file that stands for PROGRAM, as in --write-shim scorer.pl FILE: for perl, or python if it is x.py"
    )
    parser.add_argument("--write-shim", action="store_true", help=shim)
    parser.add_argument("--shell", action="store_true", help="with --write-shim: write it for machines without Perl")
    parser.add_argument("program", metavar="PROGRAM", help=", ".join(PROGRAMS))
    parser.add_argument("arguments", metavar="ARGUMENT", nargs=REMAINDER, help="the arguments of the program")


def run(args: Namespace) -> int:
    """Print what the program prints."""
    from referee.compat.programs import PROGRAMS as RUN

    program = RUN.load(args.program)
    if args.write_shim:
        return _write_shim(args.program, args.arguments, args.shell)
    printed = program([argument for argument in args.arguments if argument != "--note"])
    progress.end()
    sys.stdout.write(printed.text)
    sys.stdout.flush()
    sys.stderr.write(printed.errors)
    if args.note or "--note" in args.arguments:
        for signature in printed.signatures:
            print(signature, file=sys.stderr)
    return printed.status


def _write_shim(name: str, arguments: list[str], shell: bool) -> int:
    if len(arguments) != 1:
        raise OptionError(f"found {len(arguments)} arguments with --write-shim {name}; expected one: the file to write")
    shims = {".bat": WINDOWS, ".py": PYTHON}
    shim = shims.get(os.path.splitext(arguments[0])[1], SHELL if shell else PERL)
    # The Python of now, and no name to look up: cron, editors and other programs have another PATH.
    gone = f"{name}: found no {sys.executable}, which had referee; write this file again: referee as --write-shim {name} FILE"
    with output(arguments[0]) as out:
        text = shim + FUNCTIONS if shim is PYTHON and name in MODULES else shim
        quoted = QUOTED[shim]
        out.write(text.format(name=name, module=MODULES.get(name), python=quoted(sys.executable), gone=quoted(gone)))
    if arguments[0] != "-":
        os.chmod(arguments[0], 0o755)  # noqa: S103  # a program, for all users
    return 0
