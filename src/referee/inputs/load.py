"""The one way in: what a path or a value is, is decided here. It is one of the four kinds of `referee.inputs.kinds`."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from referee.basics import progress
from referee.basics.exceptions import CALLING, MissingExtraError, OptionError, RefereeError, calling_line, counted, some, warn
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.shared.skipping import OPTION, check_folders, settled
from referee.formats.shared.source import Source
from referee.inputs.answers import Answer, answer_instead, as_answer, is_answer_text, same_kind
from referee.inputs.kinds import Input
from referee.inputs.paths import Stored, is_counts_file, parquet_paths
from referee.inputs.reading import read_records
from referee.inputs.registry import FORMATS, load_format
from referee.tabular.missing import warn_of_noise_in

if TYPE_CHECKING:
    from referee.formats.shared.shapes import Foreign

SideOptions: TypeAlias = tuple[ReadOptions, ReadOptions]
"""How a key and how a response is read."""

KEY, RESPONSE = ReadOptions.of_sides()
"""How they are read by default."""


def load(value: object, options: ReadOptions = KEY, role: str = "key", *, probable: bool = False) -> Input:
    """Return what a path or a value is.

    Parameters
    ----------
    value : path, Input or any other value
        Whatever `score` accepts.
    options : ReadOptions
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
        loaded = _load(value, options, role, probable=probable)
    except MissingExtraError as error:
        if isinstance(value, str | os.PathLike):
            raise MissingExtraError(f"{os.fspath(value)}: {error.what}", error.extra) from None
        raise
    if isinstance(loaded, Corpus) and loaded.kind == "labels":
        warn_of_noise_in(loaded)
    elif isinstance(loaded, Corpus) and 1 < len(loaded.entity) == len(loaded.entity_ids):
        record = load_format(loaded.format) if loaded.format in FORMATS else None
        if record and record.has_relations and "labels" not in record.variant:  # of which the reader says more
            warn(
                f"{loaded.source}: found no coreference between {len(loaded.entity)} mentions, so each is an entity of its own"
            )
    return loaded


def _are_scores(value: object) -> bool:
    """Whether a value is an evaluation, which is a mapping, too."""
    return isinstance(value, Mapping) and hasattr(value, "short_signature")


def _load(value: object, options: ReadOptions, role: str, *, probable: bool) -> Input:
    if (answer := as_answer(value)) is not None or is_answer_text(value, options.format):
        return (answer or Answer(value)).corpus(options.format)  # type: ignore[arg-type]
    if isinstance(value, (str, os.PathLike, Source)):
        if not isinstance(value, Source) and is_counts_file(value):
            return Stored(os.fspath(value))
        skip = options.skip_bad_files
        if options.format not in (None, "parquet") or parquet_paths(value) is None:
            progress.step(f"reading {value if isinstance(value, str) else role}")
            return read_records(
                value, format=options.format, role=role, options=options, probable=probable, skip_bad_files=skip
            )
        if skip and not isinstance(value, Source) and os.path.isdir(value):
            raise OptionError(f"{OPTION} is for files with documents; found {value}, whose files are parts of one table")
    from referee.inputs.values import load_value  # files of text do not need it, and it is slow to import

    return load_value(value, options, role, probable=probable)


def load_both(
    key: object, response: object, sides: SideOptions = (KEY, RESPONSE), *, probable: bool = False
) -> tuple[Input, Input]:
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
    if sides[0].skip_bad_files:
        check_folders(key, response)
    key, response, sides = _with_tables(key, response, sides)
    if all(isinstance(value, (str, os.PathLike, Source)) for value in (key, response)):
        loaded, other = _load_files(key, response, sides, probable=probable)
    else:
        loaded = load(key, sides[0])
        other = load_response(loaded, response, sides[1], probable=probable)
    loaded, (other,) = _on_same_documents(loaded, [other])
    return loaded, other


def check_once(*values: object) -> None:
    """Raise OptionError if one iterator is given twice: the first reader uses it up."""
    once: list[object] = []
    for value in values:
        if isinstance(value, Iterator) and not hasattr(value, "read"):
            if any(value is other for other in once):
                raise OptionError("found one iterator twice, which is used up when it is first read; expected lists")
            once.append(value)


def allows_skipping(options: ReadOptions, *values: object) -> bool:
    """Whether files of folders that cannot be read are left out, now or when a corpus was read."""
    return options.skip_bad_files or any(isinstance(value, Corpus) and value.skipped for value in values)


def load_all(
    key: object, responses: Sequence[object], sides: SideOptions, *, probable: bool = False
) -> tuple[Input, list[Input]]:
    """Load a key and several responses, of which all have the same documents if files are left out."""
    if sides[0].skip_bad_files:
        check_folders(key, *responses)
    loaded = load(key, sides[0], probable=probable)
    others = [load_response(loaded, response, sides[1], probable=probable) for response in responses]
    return _on_same_documents(loaded, others)


def _on_same_documents(key: Input, responses: list[Input]) -> tuple[Input, list[Input]]:
    """Leave out the documents of files that cannot be read on every side."""
    sides = [key, *responses]
    if not allows_skipping(KEY, *sides):
        return key, responses
    corpora = [side for side in sides if isinstance(side, Corpus)]
    if len(corpora) < len(sides):
        raise OptionError(f"{OPTION} is for texts on both sides; found a table or counts: expected no such option")
    first, others = settled(corpora[0], corpora[1:])
    return first, [*others]


def _load_files(key: object, response: object, sides: SideOptions, *, probable: bool) -> tuple[Input, Input]:
    outcome: list[Input | Exception] = []

    def load_apart() -> None:
        try:
            outcome.append(load(response, sides[1], "response", probable=probable))
        except Exception as error:  # noqa: BLE001  # raised again below, in the thread that asked
            outcome.append(error)

    # A daemon, as Ctrl-C does not wait for it; in the context of this thread, which may limit the size of files.
    context = copy_context()
    context.run(CALLING.set, calling_line())
    thread = threading.Thread(target=context.run, args=(load_apart,), daemon=True)
    try:
        thread.start()
    except RuntimeError:  # there are no threads, as in a browser
        loaded = load(key, sides[0])
        return loaded, load_response(loaded, response, sides[1], probable=probable)
    try:
        loaded = load(key, sides[0])
    except Exception:
        thread.join()
        raise
    thread.join()
    return loaded, as_answer_if_quotes(loaded, response, outcome[0], sides[1])


def load_response(key: Input, response: object, options: ReadOptions = RESPONSE, *, probable: bool = False) -> Input:
    """Load a response to a key that was loaded: what is no annotation of texts may be the answer of a language model."""
    outcome: Input | Exception
    try:
        outcome = load(response, options, "response", probable=probable)
    except RefereeError as error:
        outcome = error
    return as_answer_if_quotes(key, response, outcome, options)


def as_answer_if_quotes(key: Input, response: object, outcome: Input | Exception, options: ReadOptions) -> Input:
    """Return what was loaded; or the same as an answer, if the key has texts and the response is no annotation of texts."""
    is_sure = options.format is not None or options.is_about_tables or _are_scores(response)
    if not is_sure and (isinstance(outcome, RefereeError) or not (isinstance(outcome, Exception) or same_kind(key, outcome))):
        answer = answer_instead(key, response, outcome)
        outcome = outcome if answer is None else answer
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def corpus_of(loaded: Input) -> Corpus:
    """Return the mentions of an input, for verbs that look at each.

    Raises
    ------
    OptionError
        If it has none, as counts, or too many.
    """
    if isinstance(loaded, Corpus):
        return loaded
    if isinstance(loaded, Stored):
        raise OptionError(f"{loaded.path} has counts; expected annotation: referee score and referee compare read counts")
    return loaded.corpus()


def read_corpus(value: object, options: ReadOptions = KEY, role: str = "key") -> Corpus:
    """Return the corpus of whatever `score` accepts."""
    return corpus_of(load(value, options, role))


def read_both(key: object, response: object) -> tuple[Corpus, Corpus]:
    """Return the corpora of a key and a response."""
    loaded, other = load_both(key, response)
    return corpus_of(loaded), corpus_of(other)


def _with_tables(key: object, response: object, sides: SideOptions) -> tuple[object, object, SideOptions]:
    """Decide whether the levels of an index of pairs are two tables: as in the other side, or two if both are such indexes."""
    indexes = [_is_index(key), _is_index(response)]
    if sides[0].tables or not any(indexes):
        return key, response, sides
    if all(indexes):
        _warn_of_levels(key, response)
        two = True
    elif indexes[0]:
        response = load(response, sides[1], "response")
        two = getattr(response, "two", False)
    else:
        key = load(key, sides[0])
        two = getattr(key, "two", False)
    options, of_response = (replace(side, tables="two" if two else "one") for side in sides)
    return key, response, (options, of_response)


def _is_index(value: object) -> bool:
    """Whether it is an index of pandas with several levels: pairs of records."""
    return isinstance(getattr(type(value), "nlevels", None), property) and value.nlevels > 1  # type: ignore[attr-defined]


def _warn_of_levels(*indexes: Foreign) -> None:
    """Warn if the same ids are in both levels of an index."""
    levels = [[index.get_level_values(level) for level in (0, 1)] for index in indexes]
    both = dict.fromkeys(name for left, right in levels for name in left.intersection(right))
    if both:
        ids = f"{counted(len(both), 'id')} ({some(list(both))}) {'is' if len(both) == 1 else 'are'}"
        warn(f"{ids} in both levels of an index of pairs: taken for records of two tables; tables='one' if of one")


def keep_prepared(key: Input) -> None:
    """Keep this key's prepared columns; more responses follow."""
    if not isinstance(key, (Corpus, tuple)):  # labels, whose module is not imported for texts
        key.source.shared = True
