"""The command `referee`: one file a verb, each with ``add_arguments(parser)`` and ``run(args) -> int``.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 the answer is "no", 2 a mistake
in the input or the call, told in one line, 3 a failure of the engine for large tables, 128 + N ended by signal N.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from argparse import Action, ArgumentParser, HelpFormatter, Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from errno import ENOMEM
from importlib import import_module
from inspect import getdoc
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import Any, NoReturn

from referee.basics import progress
from referee.basics.exceptions import one_line, terminal_width
from referee.basics.files import remove_temporary

# NumPy's linear algebra starts a thread for each core when it is imported. Nothing here uses them, and they take a while.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

VERBS = {
    "score": "score responses against a key",
    "errors": "list the errors of a response, and their costs",
    "inspect": "write a page that shows key and response side by side",
    "compare": "compare responses: intervals, and tests of differences",
    "agree": "show the agreement between annotators, and merge what they agree on",
    "sample": "choose documents to be annotated next",
    "board": "write a leaderboard: a static site with intervals, tests and pages",
    "correlate": "correlate metrics, and list the responses that they rank differently",
    "thresholds": "score pairs with probabilities at several thresholds",
    "estimate": "estimate scores from a key that is a sample of entities",
    "convert": "write an annotation in another format",
    "validate": "list every error in files, with line numbers",
    "testsets": "list public test sets, or download one",
    "formats": "list the formats",
    "metrics": "list the metrics, or explain one",
    "as": "print what another program prints, such as scorer.pl",
    "page": "write a page that runs Referee in a browser",
    "resolve": "find the entities of a text: who is who",
    "resolver": "fit, tune, ablate and show the models of resolve",
    "parse": "find sentences, words, tags and trees of plain text",
    "parse fit": "fit a parser to a treebank",
    "phrases": "recognize phrases with probabilities, and score them",
    "reproduce": "compute the values that papers print",
    "completion": "print a completion script for your shell, or the manual page",
}

MODULES = {"as": "as_program", "parse fit": "parse_fit"}
"""The modules of verbs that cannot be names of modules."""

OUTPUTS = ("output", "counts", "plot", "merged", "adjudicate", "candidates", "explain", "page")
"""The options that name a file to write."""

FEW = 6
"""Options that the usage shows, at most."""


def command() -> NoReturn:
    """Run the command for the shell, and end the process when everything is written.

    The garbage collector is off, as a run of a tenth of a second does not need it. The process ends without unloading NumPy,
    which is slow.
    """
    gc.disable()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as nohup wants it
            signal.signal(number, _end)
    _open_streams()
    status = main()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    remove_temporary()
    os._exit(status)


def _open_streams() -> None:
    """Make standard output write all that it is given, and standard error change no exit status."""
    if sys.stdout is not None and isinstance(sys.stdout.buffer, RawIOBase):  # with PYTHONUNBUFFERED; it may write a part
        sys.stdout = TextIOWrapper(BufferedWriter(sys.stdout.buffer), encoding="utf-8")
    if sys.stderr is None:  # closed; `print` would take standard output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    else:
        encoding = sys.stderr.encoding
        sys.stderr = _Messages(sys.stderr.buffer, encoding=encoding, errors="backslashreplace", line_buffering=True)


class _Messages(TextIOWrapper):
    """What cannot be written, as on a full disk, or when nobody reads it, is lost."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def _end(number: int, _frame: object) -> NoReturn:
    """End the process, and leave nothing behind.

    No exception is raised: it would wait for threads that read, and may be lost in functions that are called from C.
    """
    progress.end()
    remove_temporary()
    os._exit(128 + number)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["help"]:  # as git has it: help, or help VERB
        arguments = [*arguments[1:], "--help"]
    if (verb := " ".join(arguments[:2])) in VERBS:  # a verb of two words
        arguments = [verb, *arguments[2:]]
    if sys.stdout is None:  # closed, as in `referee ... >&-`
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if isinstance(sys.stdout, TextIOWrapper):  # as all our files are, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        verb = arguments[0] if arguments and arguments[0] in VERBS else ""
        args, unknown = parser(verb).parse_known_args(arguments)
        if unknown:
            args.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        return run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough, for example `head`
        _write_no_more()
        return 0
    except OSError as error:
        _write_no_more()
        problem = f"cannot write standard output: {(error.strerror or str(error)).lower()}"
        print(f"referee: error: {'not enough memory' if error.errno == ENOMEM else problem}", file=sys.stderr)
        return 2


def _write_no_more() -> None:
    """Send the rest of the buffer nowhere, so that Python does not fail again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Help(HelpFormatter):
    """Help as wide as the terminal; argparse would import `shutil` to ask for the width of a terminal that shows no help."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_width(sys.stdout) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Fill each paragraph by itself; one with indented lines, such as examples, stays as it is."""
        paragraphs = text.split("\n\n")
        return "\n\n".join(p if "\n " in p else super(Help, self)._fill_text(p, width, indent) for p in paragraphs)

    def _format_action_invocation(self, action: Action) -> str:
        """Show the values of an option once, and not for each of its spellings."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        values = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {values}"

    def _format_usage(self, usage: str | None, actions: Iterable[Action], groups: Any, prefix: str | None) -> str:
        """Show many options as [OPTION ...]: they follow below."""
        options = [action for action in actions if action.option_strings]
        if len(options) > FEW:
            self._prog += " [OPTION ...]"
            actions = [action for action in actions if not action.option_strings]
        return super()._format_usage(usage, actions, groups, prefix)


class CommandParser(ArgumentParser):
    """Reports a mistake in one line."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=Help, **settings)

    def error(self, message: str) -> NoReturn:
        """Print the mistake and the command that shows the help, and exit with 2."""
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print, as argparse does, but where it would hide that a disk is full."""
        print(message, end="", file=file or sys.stderr, flush=True)


def run(args: Namespace) -> int:
    """Run a verb, print its errors and warnings, and return the exit status."""
    from referee.basics.exceptions import EngineError, RefereeError, RefereeWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RefereeWarning)
        args.warnings = caught
        try:
            _resolve_test_sets(args)
            _check_outputs(args)
            with progress.line(), _limited(args):
                status: int = args.run(args)
            sys.stdout.flush()
        except RefereeError as error:
            status = 3 if isinstance(error, EngineError) else 2
            print(f"referee: error: {one_line(error)}", file=sys.stderr)
        except (MemoryError, ImportError) as error:
            if isinstance(error, ImportError) and "failed to map segment" not in str(error):  # of a library
                raise
            status = 2
            print("referee: error: not enough memory", file=sys.stderr)
    for message, count in said(caught).items():
        times = f" (said {count} times)" if count > 1 else ""
        print(f"referee: warning: {message}{times}", file=sys.stderr)
    return status


def _limited(args: Namespace) -> AbstractContextManager[None]:
    """Limit the size of files that are read."""
    if getattr(args, "max_size", None) is None:
        return nullcontext()
    from referee.basics.files import size_in_bytes
    from referee.formats.shared.source import max_size  # few runs need it

    return max_size(size_in_bytes(args.max_size, "--max-size"))


def _resolve_test_sets(args: Namespace) -> None:
    """Put the paths of test sets in the place of their names."""
    named = {name: value for name, value in vars(args).items() if isinstance(value, (str, list)) and "testset:" in str(value)}
    if named:
        from referee.testsets.cache import resolved  # few runs have one

        for name, value in named.items():
            if isinstance(value, str):
                setattr(args, name, resolved(value))
            else:
                setattr(args, name, [resolved(one) if isinstance(one, str) else one for one in value])


def _check_outputs(args: Namespace) -> None:
    """Raise an OptionError if one file would be written by two options: what is written first would be lost."""
    values = [value for name in OUTPUTS if isinstance(value := getattr(args, name, None), str) and value != "-"]
    paths = [path for path in map(os.path.realpath, values) if os.path.isfile(path) or not os.path.exists(path)]
    if len(set(paths)) < len(paths):
        from referee.basics.exceptions import OptionError

        twice = next(path for path in paths if paths.count(path) > 1)
        raise OptionError(f"{twice} would be written twice; expected another file for each output")


def parser(only: str | None = None) -> ArgumentParser:
    """Return the parser of the command line; of one verb, to import no other; of the names of verbs alone, if it is empty."""
    from referee.basics.version import VERSION

    top = CommandParser(
        prog="referee",
        description="Evaluate reference resolution: coreference, mention detection and entity resolution.",
        epilog="examples:\n  referee score key.conll response.conll\n  referee metrics lea\n  referee VERB --help",
    )
    top.add_argument("--version", action="version", version=f"referee {VERSION}")
    verbs = top.add_subparsers(metavar="VERB", required=True, prog="referee")
    for verb, help_ in VERBS.items():
        if only in (None, verb):
            add_verb(verbs, verb, help_, f"referee.cli.{MODULES.get(verb, verb)}")
        elif not only:
            verbs.add_parser(verb, help=help_)
    return top


def add_verb(verbs: Any, verb: str, summary: str, name: str) -> None:
    """Add a verb with the arguments of its module, whose docstring is the help."""
    module = import_module(name)
    description, _, examples = (getdoc(module) or "").partition("\n\nExamples\n--------\n")
    lines = ["examples:", *(f"  {line}" for line in examples.splitlines())]
    epilog = "\n".join(lines) if examples else None
    sub: ArgumentParser = verbs.add_parser(verb, help=summary, description=description, epilog=epilog)
    module.add_arguments(sub)
    if hasattr(module, "run"):  # `phrases` has none, but verbs of its own
        sub.add_argument("--max-size", metavar="SIZE", help="refuse files of more bytes, unpacked, such as 20GB")
        sub.set_defaults(run=module.run, parser=sub)


def said(caught: Sequence[Any]) -> dict[str, int]:
    """Count equal warnings, in an order that does not depend on which file was read first."""
    return dict(sorted(Counter(one_line(warning.message) for warning in caught).items()))
