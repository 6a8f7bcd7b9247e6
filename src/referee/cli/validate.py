"""List every error in files, or in the files of folders, with line numbers. The exit status is 1 if there is an error.

With --text, the files are answers of language models, and a mention that the text does not have is an error. Repeated mentions
are listed, too: scoring has a policy for them, but they are seldom intended. The reports are for builds: junit has a test for
each file, github shows each error beside its line.

Examples
--------
referee validate response.conll
referee validate predictions/*.jsonlines
referee validate predictions --limit 20
referee validate corpus --report github
referee validate answer.md --text key.conll
"""

from __future__ import annotations

import os
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import referee
from referee.basics import progress
from referee.basics.exceptions import FormatError, MissingFileError, RefereeWarning, counted, one_line
from referee.basics.options.choices import READABLE
from referee.basics.options.reading import ReadOptions
from referee.cli import table_options
from referee.cli.help import add_format
from referee.reports.forms import VERDICTS

if TYPE_CHECKING:
    from referee.reports.verdict import Check

LIMIT = 100

REPORTS = ("text", *(form for form in VERDICTS if form not in ("badge", "codalab")))  # which need scores


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or - for standard input")
    add_format(parser, "--format", READABLE, "format of the files (default: detected)")
    parser.add_argument(
        "--text", metavar="KEY", help="list what answers of language models have and this annotation, or plain text, does not"
    )
    parser.add_argument("--limit", type=int, metavar="N", default=LIMIT, help=f"errors to show, at most (default: {LIMIT})")
    parser.add_argument("-r", "--report", choices=REPORTS, default="text", help="form of the report (default: text)")
    table_options.add_reading(parser, sides=False)


def run(args: Namespace) -> int:
    """Print the errors and their number."""
    from referee.inputs.key_text import key_text
    from referee.inputs.telling import summary_line
    from referee.inputs.validating import errors_of, errors_of_answer
    from referee.reports.verdict import Verdict

    options = ReadOptions(format=args.format, **table_options.reading(args))
    key = None if args.text is None else key_text(args.text)
    files = count = unread = 0
    wrong: set[str] = set()
    missing = []
    checks: list[Check] = []
    for path in args.files:
        left = max(args.limit - count, 1)
        problems = errors_of(path, args.format, left, options) if key is None else errors_of_answer(path, key, args.format)
        errors, of_path = problems.first, problems.number
        if errors and isinstance(errors[0], MissingFileError):
            missing.append(errors[0])
            continue
        names = [path] if errors and errors[0].source == path else list(problems.files)
        files += len(names)
        unread += problems.wrong
        if problems.corpus is not None and not errors and key is None:
            errors = list(_repeated(path, names, args.format, problems.corpus, options))
            of_path = len(errors)
        progress.clear()
        first_errors = errors[: max(args.limit - count, 0)]
        if args.report == "text":
            for error in first_errors:
                print(one_line(error))
            if not errors:
                print(one_line(f"{path}: no errors ({summary_line(path, options, problems.corpus)})"))
        else:
            checks += _checks(path, names, first_errors)
        count += of_path
        wrong |= {error.source for error in errors}
    progress.end()
    if args.report != "text":
        print(VERDICTS.load(args.report).render(Verdict(checks)), end="")
    elif files > 1 or count > args.limit:
        _summary(args.limit, count, files, len(wrong))
        if 0 < unread < files:
            print("--skip-bad-files of other verbs leaves out the files of folders that cannot be read")
    if missing:  # a mistake in the call, not in a file
        raise missing[0]
    return 1 if count else 0


def _summary(limit: int, count: int, files: int, wrong: int) -> None:
    if count > limit:
        print(f"… and {counted(count - limit, 'error')} more: --limit {count} shows all")
    if files > 1:
        print(f"{wrong:,} of {files:,} files {'has' if wrong == 1 else 'have'} errors")


def _checks(path: str, files: Sequence[str], errors: Sequence[FormatError]) -> list[Check]:
    """What was found in each file, those without errors first."""
    from referee.reports.verdict import Check

    failed = [Check(e.source, f"line {e.line}" if e.line else "file", e.problem, failed=True, line=e.line or 0) for e in errors]
    wrong = {error.source for error in errors}
    return [Check(file, "file", "no errors") for file in files or [path] if file not in wrong] + failed


def _repeated(
    path: str, files: list[str], format: str | None, corpus: referee.Corpus, options: ReadOptions
) -> Iterator[FormatError]:
    """The repeated mentions of files without other errors."""
    from referee.corpus import Mention
    from referee.corpus.naming import unit_of
    from referee.formats.shared.documents import is_unnamed, names_in_folder
    from referee.formats.shared.source import Source
    from referee.inputs.reading import named_files, read
    from referee.inputs.registry import load_format
    from referee.matching.repeated_mentions import described, repeated

    if path == "-" or not repeated(corpus).any():
        return
    name = format or corpus.format or ""
    stems = named_files(path, name) if os.path.isdir(path) else {}
    for file in progress.tracked(files, f"looking for repeated mentions in {path}"):
        if len(files) > 1:
            with warnings.catch_warnings():  # they were said when all files were read
                warnings.simplefilter("ignore", RefereeWarning)
                corpus = read(file, format=name, options=options)
        called = names_in_folder(stems[file], corpus.doc_ids) if file in stems else corpus.doc_ids
        again = repeated(corpus).nonzero()[0].tolist()
        token_lines = load_format(corpus.format).token_lines if again else None
        lines = token_lines(Source(file)) if token_lines else {}
        for m in again:
            one, other = Mention(corpus, m - 1), Mention(corpus, m)
            line = lines[other.document.name][other.start] if lines else None
            noun, place = unit_of(corpus), "" if is_unnamed(corpus) else f"document {called[corpus.document[m]]!r}: "
            yield FormatError(file, line, f"{place}repeated {noun}: {described(one, other)}; expected each {noun} once")
