"""The command `referee`: one file a verb, each with ``add_arguments(parser)`` and ``run(args) -> int``.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 the answer is "no", 2 a mistake
in the input or the call, told in one line.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from inspect import getdoc
from io import TextIOWrapper
from typing import Any, NoReturn

from referee.messages import columns, one_line

# NumPy's linear algebra starts a thread for each core when it is imported. Nothing here uses them, and they take a while.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

VERBS = {
    "score": "score responses against a key",
    "errors": "list the errors of a response, and their costs",
    "inspect": "write a page that shows key and response side by side",
    "compare": "compare responses: intervals, and tests of differences",
    "agree": "show the agreement between annotators",
    "correlate": "correlate metrics, and list the responses that they rank differently",
    "convert": "write an annotation in another format",
    "validate": "list every error in files, with line numbers",
    "formats": "list the formats",
    "metrics": "list the metrics, or explain one",
    "phrases": "recognize phrases with probabilities, and score them",
    "completion": "print a completion script for your shell",
}


def command() -> NoReturn:
    """What the shell calls. A run of a tenth of a second has no use for the garbage collector, nor for Python's slow goodbye
    to NumPy: when everything is written, the process ends."""
    gc.disable()
    status = main()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. The exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:  # closed, as in `referee ... >&-`
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if isinstance(sys.stdout, TextIOWrapper):  # as all our files are, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    try:
        args = parser(next((a for a in arguments if a in VERBS), "")).parse_args(arguments)
        return run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough, for example `head`
        _write_no_more()
        return 0
    except OSError as error:
        _write_no_more()
        print(f"referee: error: cannot write standard output: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return 2


def _write_no_more() -> None:
    """What is still in the buffer goes nowhere, so that Python does not fail again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Help(RawDescriptionHelpFormatter):
    """Help as wide as the terminal; argparse would import `shutil` to ask for the width of a terminal that shows no help."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns(sys.stdout) - 2)


class Parser(ArgumentParser):
    """Tells a mistake in one line, as everything else here."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=Help, **settings)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def run(args: Namespace) -> int:
    from referee.exceptions import RefereeError, RefereeWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RefereeWarning)
        args.warnings = caught
        try:
            status: int = args.run(args)
            sys.stdout.flush()
        except RefereeError as error:
            status = 2
            print(f"referee: error: {one_line(error)}", file=sys.stderr)
        except MemoryError:
            status = 2
            print("referee: error: not enough memory", file=sys.stderr)
    for message, count in said(caught).items():
        times = f" (said {count} times)" if count > 1 else ""
        print(f"referee: warning: {message}{times}", file=sys.stderr)
    return status


def parser(only: str | None = None) -> ArgumentParser:
    """The whole command line; or with the arguments of only one verb, for what is not called is not imported."""
    from referee.version import VERSION

    top = Parser(
        prog="referee",
        description="Evaluate reference resolution: coreference, mention detection and entity resolution.",
        epilog="examples:\n  referee score key.conll response.conll\n  referee metrics lea\n  referee VERB --help",
    )
    top.add_argument("--version", action="version", version=f"referee {VERSION}")
    verbs = top.add_subparsers(metavar="VERB", required=True, prog="referee")
    for verb, help_ in VERBS.items():
        if only not in (None, verb):
            verbs.add_parser(verb, help=help_)
        else:
            module = import_module(f"referee.cli.{verb}")
            description, _, epilog = (getdoc(module) or "").partition("\n\nexamples:")
            sub = verbs.add_parser(
                verb, help=help_, description=description, epilog="examples:" + epilog if epilog else None,
            )  # fmt: skip
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return top


def said(caught: Sequence[Any]) -> dict[str, int]:
    """Our warnings, each with how often it was given, in an order that does not depend on which file was read first."""
    return dict(sorted(Counter(one_line(warning.message) for warning in caught).items()))
