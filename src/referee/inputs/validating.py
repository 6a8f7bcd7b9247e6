"""All errors of a file or of a folder: `validate`."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from copy import copy
from typing import NamedTuple

from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError, RefereeWarning, shortened, warn
from referee.basics.names import check_call
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.inputs.detecting import hint_of, kind_of
from referee.inputs.folders import list_files
from referee.inputs.reading import check_path, read_files, read_source
from referee.inputs.registry import check_relations


@check_call()
def validate(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    text: str | os.PathLike[str] | None = None,
) -> list[FormatError]:
    """List every error of a file, in the order of its lines, or of the files of a folder.

    Parameters
    ----------
    path : path or Source
        As `read` takes it.
    format, options : str, ReadOptions or None
        As `read` takes them.
    text : path or None
        The annotation, or the plain text, that the answer of a language model is about: what of the answer it does not have
        is an error.

    Returns
    -------
    list of FormatError
        Empty if the file can be read.
    """
    check_path(path)
    if text is not None:
        from referee.inputs.key_text import key_text  # of answers only

        return errors_of_answer(path, key_text(text), format).first
    return errors_of(path, format, options=options).first


HINT = "; if it is the answer of a language model: --text KEY looks its strings up"


class FoundErrors(NamedTuple):
    """The errors of a file, or of the files of a folder.

    Parameters
    ----------
    first : list of FormatError
        The first ones of each file, in the order of its lines.
    number : int
        How many there are.
    files : tuple of str
        The paths of the files that were looked at.
    wrong : int
        How many files of a folder have errors.
    corpus : Corpus or None
        What was read, if there are no errors.
    """

    first: list[FormatError]
    number: int
    files: tuple[str, ...] = ()
    wrong: int = 0
    corpus: Corpus | None = None


def errors_of(
    path: str | os.PathLike[str] | Source,
    format: str | None = None,
    limit: int | None = None,
    options: ReadOptions | None = None,
) -> FoundErrors:
    """Count the errors of a file, or of the files of a folder, and keep the first `limit` of each file; None keeps all."""
    if not isinstance(path, Source) and os.path.isdir(path):
        return _errors_of_folder(os.fspath(path), format, limit, options)
    problems: list[tuple[int | None, str]] = []

    def record(line: int | None, problem: str) -> None:
        problems.append((line, problem))

    last = []
    corpus = None
    files = (os.fspath(path),) if not isinstance(path, Source) else ()
    try:
        source = path if isinstance(path, Source) else Source(path, options=options)
    except FormatError as error:  # it cannot be opened
        return FoundErrors([error], 1, files)
    try:
        records = read_source(source, format, record)
        corpus = records if isinstance(records, Corpus) else records.corpus()
        if options is not None and options.relations:
            check_relations([corpus.format])
        if not problems:
            source.check_encoding(record)
            _ = corpus.text and not problems and corpus.text.words
            if corpus.origin and corpus.origin.other_side:
                response = copy(source)
                response.role = "response"
                read_source(response, format, record)
    except FormatError as error:
        corpus, hint = (None, "") if format or error.line or problems or error.source != source.name else _answer(source)
        last = [type(error)(error.source, error.line, error.problem + hint) if hint else error] if corpus is None else []
    errors = [FormatError(source.name, line, problem) for line, problem in problems] + last
    first = sorted(errors, key=lambda error: error.line or 0)[:limit]
    if problems and not format and not (corpus and len(corpus.document)) and (hint := hint_of(source)):
        first[0] = FormatError(source.name, first[0].line, first[0].problem.removesuffix(hint) + hint)
    return FoundErrors(first, len(errors), files, corpus=corpus)


def _answer(source: Source) -> tuple[Corpus | None, str]:
    """The answer of a language model in lists, which is no annotation; what is said of one that only its text can tell."""
    if source.binary or not source.head.strip():
        return None, ""
    from referee.answers.lists import lists_in  # files are seldom answers
    from referee.answers.reading import read_answer
    from referee.answers.texts import blocks_of

    try:
        text = source.text(source.raise_error)
        if lists_in(text, certain=True) is not None or any(block.is_record for block in blocks_of(text, Counter())):
            return read_answer(source), ""
        return None, HINT if kind_of(text) == "text" else ""
    except FormatError:
        return None, ""


def errors_of_answer(path: str | os.PathLike[str] | Source, key: Corpus, format: str | None = None) -> FoundErrors:
    """List the mentions of the answer of a language model that the text of a key does not have; warn of other repairs.

    Raises
    ------
    MismatchError
        If it is about another text.
    OptionError
        If it is no answer.
    """
    from referee.answers.answer import ground  # files are seldom answers
    from referee.inputs.load import corpus_of, load_response

    files = (os.fspath(path),) if not isinstance(path, Source) else ()
    try:
        corpus = corpus_of(load_response(key, path, ReadOptions(format=format)))
    except FormatError as error:
        return FoundErrors([error], 1, files, 1)
    grounded = ground(corpus, key)
    if grounded is None:
        raise OptionError(f"{corpus.source} is {corpus.format}; expected tagged or quotes, which alone need a text")
    errors = [
        FormatError(
            grounded.files.get(mention.document, corpus.source),
            None,
            f"document {shortened(mention.document)!r}: {shortened(mention.string)!r} of entity {shortened(mention.entity)!r} "
            f"is not in the text of {key.source}, or not so often; expected its words",
        )
        for mention in grounded.unplaced
    ]
    listed = {mention.repair for mention in grounded.unplaced}
    others = Counter({what: number for what, number in grounded.repairs.items() if what not in listed})
    for note in grounded._replace(repairs=others, unaligned=0.0).warnings(corpus.source, ""):
        warn(note)
    return FoundErrors(errors, len(errors), tuple(grounded.files.values()) or files, corpus=grounded.corpus)


def _errors_of_folder(folder: str, format: str | None, limit: int | None, options: ReadOptions | None) -> FoundErrors:
    try:
        files = list_files(folder, format, options)
    except FormatError as error:
        return FoundErrors([error], 1)
    paths = tuple(files.paths)
    try:  # all files at once, which is fast
        corpus = read_files(folder, files, "key", options)
        if options is not None and options.relations:
            check_relations([corpus.format])
        for path in paths:
            Source(path, options=options).check_encoding()
        _ = corpus.text and corpus.text.words
    except FormatError as error:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RefereeWarning)  # they were said before
            of_files = [errors_of(path, files.format, limit, options) for path in progress.tracked(paths, f"checking {folder}")]
        number = sum(errors.number for errors in of_files)
        # Without errors in the files, documents in two of them have one name.
        first = [error for errors in of_files for error in errors.first] or [error]
        return FoundErrors(first, number or 1, paths, sum(errors.number > 0 for errors in of_files))
    return FoundErrors([], 0, paths, corpus=corpus)
