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
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from errno import ENOMEM
from importlib import import_module
from inspect import getdoc
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import Any, NoReturn

from referee.basics import progress
from referee.basics.exceptions import EngineError, OptionError, RefereeError, RefereeWarning, one_line
from referee.basics.files import noted, remove_temporary, size_in_bytes
from referee.basics.version import VERSION
from referee.cli.help import CommandParser, rare
from referee.cli.verbs import OWN_SIDES, SIDES, VERBS, module_of

# NumPy's linear algebra starts a thread for each core when it is imported. Nothing here uses them, and they take a while.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

OUTPUTS = ("output", "counts", "plot", "merged", "adjudicate", "candidates", "explain", "page", "write")
"""The options that name a file to write."""


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
    if arguments[:1] in ([], ["help"]):  # as git has it: help, or help VERB
        arguments = [*arguments[1:], "--help"]
    if (verb := " ".join(arguments[:2])) in VERBS:  # a verb of two words
        arguments = [verb, *arguments[2:]]
    if sys.stdout is None:  # closed, as in `referee ... >&-`
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if isinstance(sys.stdout, TextIOWrapper):  # as all our files are, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        return run_and_tell(parsed(arguments))
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


def parsed(arguments: list[str]) -> Namespace:
    """The arguments of a verb. SystemExit for a mistake, and for help."""
    verb = arguments[0] if arguments[0] in VERBS else ""
    command = parser(verb)
    if not verb and arguments[0] not in ("-h", "--help", "--version"):
        from referee.cli.suggestions import no_verb, unrecognized  # of mistakes only

        is_option = arguments[0].startswith("-")
        command.error(unrecognized(command, arguments[:1], parser) if is_option else no_verb(arguments))
    refused = SIDES - OWN_SIDES.get(verb, frozenset())
    if verb != "as" and (values := next((name for a in arguments if (name := a.partition("=")[0]) in refused), None)):
        called = "phrases score" if verb == "phrases" else verb
        command.error(f"found {values}; KEY and RESPONSE stand without options: referee {called} KEY RESPONSE")
    args, unknown = command.parse_known_args(arguments)
    if unknown and not any(a.startswith("-") and a != "-" for a in unknown):  # names of files behind an option
        args, unknown = args.parser.parse_known_intermixed_args(arguments[args.parser.prog.count(" ") - verb.count(" ") :])
    if unknown:
        from referee.cli.suggestions import unrecognized

        args.parser.error(unrecognized(args.parser, unknown, parser))
    return args


def run_and_tell(args: Namespace) -> int:
    """Run a verb, and say which of the files that the call names were written; `args.remarks` has what a verb adds."""
    with noted() as written:
        status = run(args)
    texts = [text for value in vars(args).values() for text in (value if isinstance(value, list) else [value])]
    for path in dict.fromkeys([*args.remarks, *written]):
        if path in texts and not getattr(args, "quiet", False):
            print(f"referee: wrote {one_line(path)}{args.remarks.get(path, '')}", file=sys.stderr)
    return status


def _write_no_more() -> None:
    """Send the rest of the buffer nowhere, so that Python does not fail again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(args: Namespace) -> int:
    """Run a verb, print its errors and warnings, and return the exit status."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RefereeWarning)
        args.warnings, args.remarks = caught, {}
        try:
            if "like" in args and (args.task is not None or args.like is not None):
                from referee.cli import task_options  # few runs need it

                task_options.fill(args)
            _resolve_test_sets(args)
            _check_outputs(args)
            if "report" in args and "output" in args:
                from referee.cli import report_options  # which verbs with reports have imported

                report_options.settle(args)
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
    for message, count in count_equal_warnings(caught).items():
        times = f" (said {count} times)" if count > 1 else ""
        print(f"referee: warning: {message}{times}", file=sys.stderr)
    return status


def _limited(args: Namespace) -> AbstractContextManager[None]:
    """Limit the size of files that are read."""
    if getattr(args, "max_size", None) is None:
        return nullcontext()
    from referee.formats.shared.source import max_size  # few runs need it

    return max_size(size_in_bytes(args.max_size, "--max-size"))


def _resolve_test_sets(args: Namespace) -> None:
    """Put the paths of test sets in the place of their names."""
    for name, value in vars(args).items():
        if isinstance(value, (str, list)) and "testset:" in str(value):
            from referee.inputs.testsets.cache import resolved  # few runs have one

            paths = [resolved(one) if isinstance(one, str) else one for one in ([value] if isinstance(value, str) else value)]
            setattr(args, name, paths[0] if isinstance(value, str) else paths)


def _check_outputs(args: Namespace) -> None:
    """Raise an OptionError if one file would be written by two options: what is written first would be lost."""
    values = [value for name in OUTPUTS if isinstance(value := getattr(args, name, None), str) and value != "-"]
    paths = [path for path in map(os.path.realpath, values) if os.path.isfile(path) or not os.path.exists(path)]
    if twice := [path for path in paths if paths.count(path) > 1]:
        raise OptionError(f"{twice[0]} would be written twice; expected another file for each output")


def parser(only: str | None = None) -> CommandParser:
    """Return the parser of the command line; of one verb, to import no other; of the names of verbs alone, if it is empty."""
    top = CommandParser(prog="referee")
    top.add_argument("--version", action="version", version=f"referee {VERSION}")
    verbs = top.add_subparsers(metavar="VERB", required=True, prog="referee")
    for verb, summary in VERBS.items():
        if only in (None, verb):
            add_verb(verbs, verb, summary, module_of(verb))
        elif not only:
            verbs.add_parser(verb, help=summary)
    return top


def add_verb(verbs: Any, verb: str, summary: str, name: str) -> None:
    """Add a verb with the arguments of its module, whose docstring is the help."""
    module = import_module(name)
    description, _, examples = (getdoc(module) or "").partition("\n\nExamples\n--------\n")
    lines = ["examples:", *(f"  {line}" for line in examples.splitlines())]
    epilog = "\n".join(lines) if examples else None
    sub: CommandParser = verbs.add_parser(verb, help=summary, description=description, epilog=epilog)
    module.add_arguments(sub)
    if hasattr(module, "run"):  # `phrases` has none, but verbs of its own
        rare(sub).add_argument("--max-size", metavar="SIZE", help="refuse files of more bytes, unpacked, such as 20GB")
        sub.set_defaults(run=module.run, parser=sub)
    sub.add_help_all()


def count_equal_warnings(caught: Sequence[Any]) -> dict[str, int]:
    """Count equal warnings, in an order that does not depend on which file was read first."""
    return dict(sorted(Counter(one_line(warning.message) for warning in caught).items()))
