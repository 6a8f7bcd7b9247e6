"""List every error in files, or in the files of folders, with line numbers. The exit status is 1 if there is an error.

With --key, each file or folder is a submission: what referee score would refuse is an error, and what it would warn of, such as
documents that lack, is a warning, which does not change the status. Of two files that have documents in common, the first is
the key and the second the submission. Options of scoring are for submissions.

With --text, the files are answers of language models, and a mention that the text does not have is an error. Repeated mentions
are errors of files alone: scoring has a policy for them, but they are seldom intended. The reports are for builds: junit has a
test for each file, github shows each error beside its line.

Examples
--------
referee validate response.conll
referee validate predictions --limit 20
referee validate response.conll --key key.conll
referee validate a.conll b.jsonlines c --key key.conll --report json
referee validate corpus --report github
referee validate answer.md --text key.conll
"""

from __future__ import annotations

import os
import re
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.basics import progress
from referee.basics.exceptions import (
    FormatError,
    MissingFileError,
    NoFormatError,
    OptionError,
    RefereeError,
    RefereeWarning,
    counted,
    one_line,
    some,
    warn,
)
from referee.basics.files import output
from referee.basics.options.documents import DOCUMENT_OPTIONS
from referee.basics.options.options import RECORDS
from referee.basics.options.reading import READ_OPTIONS, ReadOptions
from referee.cli import document_options, scoring_options, task_options
from referee.cli.help import rare
from referee.reports.forms import VERDICTS, form_named

if TYPE_CHECKING:
    from referee.corpus import Corpus
    from referee.reports.verdict import Check

LIMIT = 100

REPORTS = ("text", "json", *(form for form in VERDICTS if form not in ("badge", "codalab")))  # which need scores

SCORING = (
    *RECORDS,
    "metrics",
    "threshold",
    "key_format",
    "key_columns",
    "response_columns",
    "skip_bad_files",
    *DOCUMENT_OPTIONS,
)
"""The options that say nothing of a file alone."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or - for standard input")
    parser.add_argument("--key", metavar="KEY", help="the key of a task: the files are submissions to it")
    task_options.add_arguments(parser)
    parser.add_argument(
        "--text", metavar="KEY", help="list what answers of language models have and this annotation, or plain text, does not"
    )
    rare(parser).add_argument(
        "--skip-other-files",
        action="store_true",
        help="leave out files that look like no annotation, and tables that need --columns: for hooks",
    )
    parser.add_argument("--limit", type=int, metavar="N", default=LIMIT, help=f"errors to show, at most (default: {LIMIT})")
    parser.add_argument(
        "-r", "--report", choices=REPORTS, type=form_named, help="form of the report (default: by the ending of FILE, or text)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")
    parser.set_defaults(forms=REPORTS)
    scoring_options.add_metrics(rare(parser), "with --key: metrics, separated by commas, or all")
    document_options.add_arguments(rare(parser))
    scoring_options.add_arguments(parser)


class Problem(NamedTuple):
    """An error, or a warning.

    Parameters
    ----------
    file : str
        The file, or the folder.
    line : int or None
        The line of the file, where it has one.
    text : str
        What was found.
    is_warning : bool
        Whether it is none that score would refuse.
    """

    file: str
    line: int | None
    text: str
    is_warning: bool = False

    @classmethod
    def from_error(cls, error: RefereeError, path: str, *, is_warning: bool = False) -> Problem:
        """The problem that an error about a path is."""
        if isinstance(error, FormatError):
            return cls(error.source, error.line, error.problem, is_warning)
        return cls(path, None, _without(path, str(error)), is_warning)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return one_line(f"{place}: {'warning: ' * self.is_warning}{self.text}")

    @property
    def as_check(self) -> Check:
        """The same for builds."""
        from referee.reports.verdict import Check

        name = "warning" if self.is_warning else f"line {self.line}" if self.line else "file"
        return Check(self.file, name, self.text, not self.is_warning, self.line or 0, self.is_warning)

    @property
    def as_dict(self) -> dict[str, object]:
        """The same for programs."""
        level = "warning" if self.is_warning else "error"
        return {"level": level, "file": one_line(self.file), "line": self.line, "text": one_line(self.text)}


def _without(path: str, text: str) -> str:
    """What is said of a path, without its name at the beginning."""
    return text[len(path) :].lstrip(": ") if text.startswith((f"{path}: ", f"{path} ")) else text


class FileVerdict(NamedTuple):
    """What there is to say of a file, of a folder, or of a submission.

    Parameters
    ----------
    path : str
        The file or the folder.
    files : sequence of str
        The files that were looked at.
    errors : sequence of RefereeError
        The first ones.
    number : int
        How many errors there are.
    unread : int
        How many files of a folder have errors.
    summary : str
        What it was taken for, if there are no errors.
    corpus : Corpus or None
        What was read, if there are no errors.
    warnings : sequence of Problem, or None
        What there is to be warned of in a submission; None for a file alone.
    """

    path: str
    files: Sequence[str]
    errors: Sequence[RefereeError]
    number: int
    unread: int = 0
    summary: str = ""
    corpus: Corpus | None = None
    warnings: Sequence[Problem] | None = None

    @property
    def problems(self) -> list[Problem]:
        """All that is to be said, errors first."""
        return [*(Problem.from_error(error, self.path) for error in self.errors), *(self.warnings or ())]

    @property
    def wrong(self) -> set[str]:
        """The files with errors."""
        return {problem.file for problem in self.problems if not problem.is_warning}

    @property
    def has_folders_alone(self) -> bool:
        """Whether it is a folder of folders, which may be submissions."""
        return os.path.isdir(self.path) and all(entry.is_dir() for entry in os.scandir(self.path))

    @property
    def verdict(self) -> str:
        """The last line, in text; empty for files alone with errors, whose lines say all."""
        if self.warnings is None:
            return "" if self.errors else one_line(f"{self.path}: no errors ({self.summary})")
        warned = f", with {counted(len(self.warnings), 'warning')}" * bool(self.warnings)
        several = f"; of submissions in folders of it, name each: {self.path}/*" * self.has_folders_alone
        refused = f"rejected: {counted(self.number, 'error')}{warned}{several}"
        return one_line(f"{self.path}: {refused if self.errors else f'accepted{warned} ({self.summary})'}")


def run(args: Namespace) -> int:
    """Print the errors and their number, or write them to a file."""
    if args.output == "-":
        return _run(args)
    with output(args.output) as out, redirect_stdout(out):
        return _run(args)


def _run(args: Namespace) -> int:
    if args.key is not None and args.text is not None:
        raise OptionError("found --key and --text; expected --key, which looks answers up in the text of the key, too")
    request = scoring_options.request(args)
    if args.key is not None:
        if args.skip_other_files:
            raise OptionError(
                "--skip-other-files is for files alone; found --key: expected submissions, none of which is left out"
            )
        scoring_options.check_files([args.key, *args.files])
        return report(args, _submissions(args.files, args.key, request, args.limit), "submission")
    if args.text is None and len(args.files) == 2 and not args.skip_other_files:
        return report(args, _two_files(args, request), "file")
    _check_no_scoring(args)
    return report(args, _files(args), "file")


def _check_no_scoring(args: Namespace) -> None:
    """OptionError if an option of scoring was given, where nothing is compared."""
    from referee.scoring.submissions import check_no_scoring

    check_no_scoring([name for name in SCORING if getattr(args, name) is not None])


def report(args: Namespace, outcomes: Iterator[FileVerdict], noun: str) -> int:
    """Write what there is to say of each, and return the exit status."""
    seen: list[FileVerdict] = []
    missing: list[MissingFileError] = []
    left = args.limit
    printed: list[Sequence[Problem]] = []
    for outcome in outcomes:
        if outcome.errors and isinstance(outcome.errors[0], MissingFileError):
            missing.append(outcome.errors[0])
            continue
        progress.clear()
        seen.append(outcome)
        printed.append(outcome.problems[: max(left, 0)])
        left -= len(printed[-1])
        if args.report == "text":
            lines = [*map(str, printed[-1]), *filter(None, [outcome.verdict])]
            print("".join(f"{line}\n" for line in lines), end="")
    progress.end()
    if args.report == "text":
        _print_summary(args.limit, seen, sum(map(len, printed)), noun)
    else:
        _write(args.report, seen, printed)
    if missing:  # a mistake in the call, not in a file
        raise missing[0]
    return 1 if any(outcome.number for outcome in seen) else 0


def _print_summary(limit: int, seen: Sequence[FileVerdict], printed: int, noun: str) -> None:
    count = sum(outcome.number + len(outcome.warnings or ()) for outcome in seen)
    files = len(seen) if noun == "submission" else sum(len(o.files) for o in seen if o.warnings is None)
    if count > max(limit, 0):
        print(f"… and {counted(count - printed, 'error')} more: --limit {count} shows all")
    if files > 1 and noun == "submission":
        print(f"{sum(bool(outcome.number) for outcome in seen):,} of {files:,} submissions rejected")
    elif files > 1:
        wrong = len(set().union(*(outcome.wrong for outcome in seen)))
        print(f"{wrong:,} of {files:,} files {'has' if wrong == 1 else 'have'} errors")
        if 0 < sum(outcome.unread for outcome in seen) < files:
            print("--skip-bad-files of other verbs leaves out the files of folders that cannot be read")


def _write(form: str, seen: Sequence[FileVerdict], printed: Sequence[Sequence[Problem]]) -> None:
    """Write the report for programs, or for builds: there files without errors come first."""
    if form == "json":
        from referee.reports import json
        from referee.reports.listing import headed

        files = [
            {"file": one_line(o.path), "accepted": not o.errors, "errors": o.number, "problems": [p.as_dict for p in problems]}
            for o, problems in zip(seen, printed, strict=True)
        ]
        print(json.written(headed(files=files)), end="")
        return
    from referee.reports.verdict import Check, Verdict

    checks: list[Check] = []
    for outcome, problems in zip(seen, printed, strict=True):
        checks += [Check(file, "file", "no errors") for file in outcome.files or [outcome.path] if file not in outcome.wrong]
        checks += [problem.as_check for problem in problems]
    print(VERDICTS.load(form).render(Verdict(checks)), end="")


def _files(args: Namespace) -> Iterator[FileVerdict]:
    """What is wrong with each file, or folder, alone."""
    from referee.inputs.key_text import key_text
    from referee.inputs.telling import summary_line
    from referee.inputs.validating import errors_of, errors_of_answer
    from referee.scoring.submissions import repeated_mentions

    names = [name for name in READ_OPTIONS if name not in SCORING]
    options = ReadOptions(**{name: value for name in names if (value := getattr(args, name)) is not None}, format=args.format)
    key = None if args.text is None else key_text(args.text)
    others: list[str] = []
    for path in args.files:
        problems = (
            errors_of(path, args.format, args.limit, options) if key is None else errors_of_answer(path, key, args.format)
        )
        errors, number = problems.first, problems.number
        if args.skip_other_files and errors and _is_other(errors[0], options):
            others.append(path)
            continue
        files = [path] if errors and errors[0].source == path else list(problems.files)
        if problems.corpus is not None and not errors and key is None:
            errors = list(repeated_mentions(path, problems.corpus, options, args.format))
            number = len(errors)
        summary = "" if errors else summary_line(path, options, problems.corpus)
        yield FileVerdict(path, files, errors, number, problems.wrong, summary, problems.corpus)
    if others:
        warn(f"left out {counted(len(others), 'file')} as no annotation ({some(others)})")


def _is_other(error: FormatError, options: ReadOptions) -> bool:
    """Whether an error says that a file looks like no annotation, or is a table of which it asks what its columns are."""
    return isinstance(error, NoFormatError) or options.option in error.problem


def _two_files(args: Namespace, request: dict[str, Any]) -> Iterator[FileVerdict]:
    """What is wrong with two files; and with the second as a submission to the first, if they have documents in common."""
    from referee.formats.shared.documents import is_unnamed

    outcomes = []
    for outcome in _files(args):
        outcomes.append(outcome)
        yield outcome
    key, submission = (outcome.corpus if not outcome.errors else None for outcome in outcomes)
    sides = [side for side in (key, submission) if side is not None and side.kind == "texts" and not is_unnamed(side)]
    if len(sides) == 2 and not {*sides[0].doc_ids}.isdisjoint(sides[1].doc_ids):
        (outcome,) = _submissions(args.files[1:], sides[0], request, args.limit)
        yield outcome._replace(summary=f"with {args.files[0]} as the key")
    else:
        _check_no_scoring(args)


def _submissions(paths: Sequence[str], key: str | Corpus, request: dict[str, Any], limit: int) -> Iterator[FileVerdict]:
    """What is wrong with each submission to a key."""
    from referee.corpus import Corpus
    from referee.inputs.telling import summary_line
    from referee.scoring.submissions import SubmissionChecker, repeated_mentions

    checker = SubmissionChecker(key, **request)
    for path in paths:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RefereeWarning)
            checked = checker.check(path, limit)
        texts = dict.fromkeys(_without(path, one_line(warning.message)) for warning in caught)
        problems = [Problem(path, None, text, is_warning=True) for text in texts]
        summary, corpus = "", checked.loaded if isinstance(checked.loaded, Corpus) else None
        if not checked.errors:
            if corpus is not None and corpus.kind == "texts":
                again = [
                    Problem.from_error(e, path, is_warning=True) for e in repeated_mentions(path, corpus, checker.sides[1])
                ]
                of_all = re.compile(r"\d+ repeated mentions?, the first")  # the lines say which these are
                problems = [p for p in problems if not (again and of_all.match(p.text))] + again
            summary = summary_line(path, checker.sides[1], corpus)
        yield FileVerdict(path, [path], checked.errors, checked.number, 0, summary, corpus, problems)
