"""The one way in: what a path or a value is, is decided here. It is one of the four kinds of `referee.inputs.kinds`."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from referee.basics import progress
from referee.basics.exceptions import CALLING, MissingExtraError, OptionError, RefereeError, calling_line, counted, some, warn
from referee.corpus import Corpus
from referee.formats.shared.skipping import OPTION, check_folders, settled
from referee.formats.shared.source import Source
from referee.inputs.answers import Answer, answer_instead, fits, is_said
from referee.inputs.kinds import Input
from referee.inputs.paths import Stored, is_counts_file, parquet_paths
from referee.inputs.reading import read_records
from referee.inputs.request import Request
from referee.tabular.missing import NOISE, warn_of_noise

if TYPE_CHECKING:
    from referee.formats.shared.shapes import Foreign


def load(value: object, request: Request | None = None, role: str = "key", *, probable: bool = False) -> Input:
    """Return what a path or a value is.

    Parameters
    ----------
    value : path, Input or any other value
        Whatever `score` accepts.
    request : Request or None
        How it is read.
    role : str
        "key", "response" or "annotation".
    probable : bool
        Whether pairs must have probabilities.

    Raises
    ------
    FormatError
        If it cannot be read.
    OptionError
        If it is no annotation, or could mean two things.
    MissingExtraError
        If a library is not installed.
    """
    if isinstance(value, Corpus):
        return value
    if _are_scores(value):
        raise OptionError(
            f"<{role}>: found scores; expected an annotation: a path, a Corpus or a value, of which they are made"
        )
    try:
        found = _load(value, request or Request(), role, probable=probable)
    except MissingExtraError as error:
        if isinstance(value, str | os.PathLike):
            raise MissingExtraError(f"{os.fspath(value)}: {error.what}", error.extra) from None
        raise
    if isinstance(found, Corpus) and found.kind == "labels" and NOISE in found.entity_ids:
        noise = [number for number, label in enumerate(found.entity_ids) if label == NOISE]
        warn_of_noise(found.source, int(np.isin(found.entity, noise).sum()))
    return found


def _are_scores(value: object) -> bool:
    """Whether a value is an evaluation, which is a mapping, too."""
    return isinstance(value, Mapping) and hasattr(value, "short_signature")


def _load(value: object, request: Request, role: str, *, probable: bool) -> Input:
    named, asked = request.format(role), request.asked(role)
    if isinstance(value, Answer) or is_said(value, named):
        return (value if isinstance(value, Answer) else Answer(value)).corpus(named)  # type: ignore[arg-type]
    if isinstance(value, (str, os.PathLike, Source)):
        if not isinstance(value, Source) and is_counts_file(value):
            return Stored(os.fspath(value))
        if named not in (None, "parquet") or parquet_paths(value) is None:
            progress.step(f"reading {value if isinstance(value, str) else role}")
            skip = request.skip_bad_files
            return read_records(value, format=named, role=role, asked=asked, probable=probable, skip_bad_files=skip)
        if request.skip_bad_files and not isinstance(value, Source) and os.path.isdir(value):
            raise OptionError(f"{OPTION} is for files with documents; found {value}, whose files are parts of one table")
    from referee.inputs.values import load_value  # files of text do not need it, and it is slow to import

    return load_value(value, asked, role, request.settings, probable=probable)


def load_both(key: object, response: object, request: Request | None = None, *, probable: bool = False) -> tuple[Input, Input]:
    """Load a key and a response, two files at the same time: NumPy does most of the reading and lets other threads run.

    Values of Python are loaded one after the other, as two of them may share what no two threads may touch: a cursor, a cache.

    Raises
    ------
    OptionError
        If both are standard input, or one iterator.
    FormatError
        If one cannot be read; that of the key if neither can.
    """
    if isinstance(key, str) and isinstance(response, str) and key == response == "-":
        raise OptionError("key and response cannot both be standard input; expected a file for one of them")
    check_once(key, response)
    request = request or Request()
    if request.skip_bad_files:
        check_folders(key, response)
    found, other = _load_both(key, response, request, probable=probable)
    found, (other,) = _on_same_documents(found, [other])
    return found, other


def check_once(*values: object) -> None:
    """Raise OptionError if one iterator is given twice: the first reader uses it up."""
    once: list[object] = []
    for value in values:
        if isinstance(value, Iterator) and not hasattr(value, "read"):
            if any(value is other for other in once):
                raise OptionError("found one iterator twice, which is used up when it is first read; expected lists")
            once.append(value)


def are_skipped(request: Request, *values: object) -> bool:
    """Whether files of folders that cannot be read are left out, now or when a corpus was read."""
    return request.skip_bad_files or any(isinstance(value, Corpus) and value.skipped for value in values)


def load_all(
    key: object, responses: Sequence[object], request: Request, *, probable: bool = False
) -> tuple[Input, list[Input]]:
    """Load a key and several responses, of which all have the same documents if files are left out."""
    if request.skip_bad_files:
        check_folders(key, *responses)
    loaded = load(key, request, probable=probable)
    return _on_same_documents(loaded, [load_response(loaded, response, request, probable=probable) for response in responses])


def _on_same_documents(key: Input, responses: list[Input]) -> tuple[Input, list[Input]]:
    """Leave out the documents of files that cannot be read on every side."""
    sides = [key, *responses]
    if not are_skipped(Request(), *sides):
        return key, responses
    corpora = [side for side in sides if isinstance(side, Corpus)]
    if len(corpora) < len(sides):
        raise OptionError(f"{OPTION} is for texts on both sides; found a table or counts: expected no such option")
    first, others = settled(corpora[0], corpora[1:])
    return first, [*others]


def _load_both(key: object, response: object, request: Request, *, probable: bool) -> tuple[Input, Input]:
    key, response, request = _with_sides(key, response, request)
    if not all(isinstance(value, (str, os.PathLike, Source)) for value in (key, response)):
        k = load(key, request)
        return k, load_response(k, response, request, probable=probable)
    found: list[Input | Exception] = []

    def load_apart() -> None:
        try:
            found.append(load(response, request, "response", probable=probable))
        except Exception as error:  # noqa: BLE001  # raised again below, in the thread that asked
            found.append(error)

    # A daemon, as Ctrl-C does not wait for it; in the context of this thread, which may limit the size of files.
    context = copy_context()
    context.run(CALLING.set, calling_line())
    thread = threading.Thread(target=context.run, args=(load_apart,), daemon=True)
    try:
        thread.start()
    except RuntimeError:  # there are no threads, as in a browser
        k = load(key, request)
        return k, load_response(k, response, request, probable=probable)
    try:
        k = load(key, request)
    except Exception:
        thread.join()
        raise
    thread.join()
    return k, _fitted(k, response, found[0], request)


def load_response(key: Input, response: object, request: Request | None = None, *, probable: bool = False) -> Input:
    """Load a response to a key that was loaded: what is no annotation of texts may be the answer of a language model."""
    request = request or Request()
    try:
        found: Input | Exception = load(response, request, "response", probable=probable)
    except RefereeError as error:
        found = error
    return _fitted(key, response, found, request)


def _fitted(key: Input, response: object, found: Input | Exception, request: Request) -> Input:
    """What was loaded; or the same as an answer, if the key has texts and the response is no annotation of texts."""
    asked = request.response_format is not None or bool(request.asked("response")) or _are_scores(response)
    if not asked and (isinstance(found, RefereeError) or not (isinstance(found, Exception) or fits(key, found))):
        answer = answer_instead(key, response, found)
        found = found if answer is None else answer
    if isinstance(found, Exception):
        raise found
    return found


def corpus_of(found: Input) -> Corpus:
    """Return the mentions of an input, for verbs that look at each.

    Raises
    ------
    OptionError
        If it has none, as counts, or too many.
    """
    if isinstance(found, Corpus):
        return found
    if isinstance(found, Stored):
        raise OptionError(f"{found.path} has counts; expected annotation: referee score and referee compare read counts")
    return found.corpus()


def read_corpus(value: object, format: str | None = None, role: str = "key", request: Request | None = None) -> Corpus:
    """Return the corpus of whatever `score` accepts."""
    request = request or Request(key_format=format, response_format=format)
    return corpus_of(load(value, request, role))


def read_both(key: object, response: object, request: Request | None = None) -> tuple[Corpus, Corpus]:
    """Return the corpora of a key and a response."""
    k, r = load_both(key, response, request)
    return corpus_of(k), corpus_of(r)


def _with_sides(key: object, response: object, request: Request) -> tuple[object, object, Request]:
    """Decide whether the levels of an index of pairs are two tables: as in the other side, or two if both are such indexes."""
    indexes = [_is_index(key), _is_index(response)]
    if request.tables or not any(indexes):
        return key, response, request
    if all(indexes):
        _warn_of_levels(key, response)
        return key, response, replace(request, tables="two")
    other = load(key, request) if indexes[1] else load(response, request, "response")
    two = getattr(other, "two", False)
    request = replace(request, tables="two" if two else "one")
    return (other, response, request) if indexes[1] else (key, other, request)


def _is_index(value: object) -> bool:
    """Whether it is an index of pandas with several levels: pairs of records."""
    return isinstance(getattr(type(value), "nlevels", None), property) and value.nlevels > 1  # type: ignore[attr-defined]


def _warn_of_levels(*indexes: Foreign) -> None:
    """Warn if the same ids are in both levels of an index."""
    levels = [[index.get_level_values(level) for level in (0, 1)] for index in indexes]
    both = dict.fromkeys(name for left, right in levels for name in left.intersection(right))
    if both:
        found = f"{counted(len(both), 'id')} ({some(list(both))}) {'is' if len(both) == 1 else 'are'}"
        warn(f"{found} in both levels of an index of pairs: taken for records of two tables; tables='one' if of one")


def share(key: Input) -> None:
    """Say that several responses are scored against a key: what is made of its columns is kept."""
    if not isinstance(key, (Corpus, tuple)):  # labels, whose module is not imported for texts
        key.source.shared = True
