"""Is a submission what its task asks for? `validate` lists what is wrong with it: with a key, what `score` would refuse."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.basics import progress
from referee.basics.exceptions import (
    EngineError,
    FormatError,
    MismatchError,
    MissingExtraError,
    MissingFileError,
    OptionError,
    RefereeError,
    RefereeWarning,
)
from referee.basics.names import check_call
from referee.basics.options.options import Options
from referee.basics.options.reading import ReadOptions
from referee.basics.options.types import PairOptions
from referee.basics.system_names import name_of
from referee.corpus import Corpus, Mention
from referee.corpus.naming import unit_of
from referee.formats.shared.documents import is_unnamed, names_in_folder
from referee.formats.shared.source import Source
from referee.inputs.kinds import Input
from referee.inputs.load import SideOptions, corpus_of, load, load_response
from referee.inputs.reading import named_files, read
from referee.inputs.registry import load_format
from referee.inputs.validating import errors_of, validate as validate_file
from referee.matching.pair import word_differences
from referee.matching.repeated_mentions import described, repeated
from referee.metrics.registry import MetricsArg
from referee.scoring.score import parse_options, score_each

if TYPE_CHECKING:
    from typing_extensions import Unpack


@check_call(PairOptions)
def validate(
    path: str | os.PathLike[str] | Source,
    *,
    key: object = None,
    format: str | None = None,
    options: ReadOptions | None = None,
    text: str | os.PathLike[str] | None = None,
    metrics: MetricsArg = None,
    profile: str = "default",
    key_format: str | None = None,
    threshold: float | None = None,
    **how: Unpack[PairOptions],
) -> Sequence[RefereeError]:
    """List every error of a file, in the order of its lines, or of the files of a folder.

    Parameters
    ----------
    path : path or Source
        As `read` takes it.
    key : path, Corpus, plain value or None
        The key of a task whose submission it is, as `score` takes it: what `score` refuses is an error, and what it warns of is
        warned of.
    format, options : str, ReadOptions or None
        As `read` takes them.
    text : path or None
        The annotation, or the plain text, that the answer of a language model is about: what of the answer it does not have
        is an error.
    metrics, profile, key_format, threshold, **how
        With a key: what `score` takes.

    Returns
    -------
    list of RefereeError
        Empty if the file can be read, and scored if there is a key.
    """
    if key is None:
        options_of_scores = {"metrics": metrics, "key_format": key_format, "threshold": threshold, **how}
        check_no_scoring(
            [name for name, value in options_of_scores.items() if value is not None] + ["profile"] * (profile != "default")
        )
        return validate_file(path, format=format, options=options, text=text)
    if text is not None or options is not None:
        raise OptionError("text and options are for a file alone; found them with a key: options of score stand by themselves")
    settings: dict[str, Any] = {"profile": profile, "key_format": key_format, "response_format": format, **how}
    return SubmissionChecker(key, metrics, threshold, **settings).check(path).errors


def check_no_scoring(names: Sequence[str]) -> None:
    """Raise OptionError if an option of scoring, of these, was given where there is no key."""
    if names:
        option = names[0].replace("_", "-")
        raise OptionError(f"--{option} is for a submission and its key; found no key: expected --key KEY (key=...) with it")


class CheckedSubmission(NamedTuple):
    """What is wrong with a submission.

    Parameters
    ----------
    errors : list of RefereeError
        Why it is refused; empty if it is accepted.
    number : int
        How many errors there are; `errors` may have the first ones alone.
    loaded : Input or None
        What was read, if it is accepted.
    """

    errors: list[RefereeError]
    number: int = 0
    loaded: Input | None = None


class SubmissionChecker:
    """A key, read once, and how submissions are scored against it.

    Parameters
    ----------
    key, metrics, threshold, **how
        As `score` takes them. What is wrong with these raises; it is no mistake of a submission.
    """

    def __init__(self, key: object, metrics: MetricsArg = None, threshold: float | None = None, **how: Any) -> None:  # noqa: ANN401  # options of several kinds
        self.options: Options
        self.sides: SideOptions
        self.options, self.sides = parse_options(**how)
        self.how = {**how, "metrics": metrics, "threshold": threshold}
        self.probable = threshold is not None
        loaded = load(key, self.sides[0], probable=self.probable)
        is_read_once = not self.sides[0].skip_bad_files  # else both sides are read together
        self.corpus = loaded if isinstance(loaded, Corpus) and is_read_once else None
        self.key = key if self.corpus is None else self.corpus

    def check(self, submission: str | os.PathLike[str] | Source, limit: int | None = None) -> CheckedSubmission:
        """Score a submission as `score` does, and list every error if it cannot be scored; `limit` is for those of each file.

        Raises
        ------
        MissingFileError, MissingExtraError, EngineError
            As these are no mistakes of a submission.
        """
        if submission == "-":  # which can be read once
            submission = Source("-", options=self.sides[1])
        try:
            loaded = None if self.corpus is None else self._load(submission, self.corpus)
            response = loaded if isinstance(loaded, Corpus) else submission
            name = None if isinstance(submission, Source) else name_of(os.fspath(submission))
            (evaluation,) = score_each(self.key, [(name, response)], **self.how)
            return CheckedSubmission([], 0, loaded or evaluation.response)
        except (MissingFileError, MissingExtraError, EngineError):
            raise
        except FormatError as error:
            of_file = errors_of(submission, self.sides[1].format, limit, self.sides[1])
            is_of_file = any(
                (e.source, e.line) == (error.source, error.line) and error.problem.startswith(e.problem) for e in of_file.first
            )
            other = [] if is_of_file else [error]  # what score says of it, such as of an answer
            return CheckedSubmission([*other, *of_file.first], len(other) + of_file.number)
        except RefereeError as error:
            errors = self._differences(submission) if isinstance(error, MismatchError) else []
            return CheckedSubmission([*errors] or [error], len(errors) or 1)

    def _load(self, submission: str | os.PathLike[str] | Source, key: Corpus) -> Input:
        return load_response(key, submission, self.sides[1], probable=self.probable)

    def _differences(self, submission: str | os.PathLike[str] | Source) -> list[MismatchError]:
        """The documents with other words than those of the key."""
        if self.corpus is None:
            return []
        with warnings.catch_warnings():  # they were given before
            warnings.simplefilter("ignore", RefereeWarning)
            try:
                response = corpus_of(self._load(submission, self.corpus))
                return [
                    MismatchError(text)
                    for text in word_differences(self.corpus, response, self.options, self.sides[0].documents)
                ]
            except RefereeError:  # of something else
                return []


def repeated_mentions(path: str, corpus: Corpus, options: ReadOptions, format: str | None = None) -> Iterator[FormatError]:
    """The repeated mentions of files without other errors, each with its line."""
    if path == "-" or not repeated(corpus).any():
        return
    name = format or corpus.format or ""
    stems = named_files(path, name) if os.path.isdir(path) else {}
    files = [*stems] or [path]
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
