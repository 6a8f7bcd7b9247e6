"""Key and responses as functions of Python take them: files, lists of tags, or phrases that were read before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from referee.basics.exceptions import OptionError, counted, shortened, warn
from referee.basics.options.options import check_threshold
from referee.formats.shared.shapes import shown
from referee.phrases.annotation import Chunks, PhraseCandidates, Spans, aligned, in_common_words
from referee.phrases.chunking.schemes import chunks_of
from referee.phrases.formats.reading import read, read_key
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.sides import PhraseInput, read_sides, reading_settings

KeyGiven: TypeAlias = "Chunks | str | os.PathLike[str] | Sequence[Sequence[str]]"
"""A key: chunks, a file or folder, or the tags of each sentence."""

PhrasesGiven: TypeAlias = "PhraseCandidates | KeyGiven"
"""A response: the same, or candidates with probabilities."""


class PhrasesRead(NamedTuple):
    """Key and responses, and what the signature says of how they were read."""

    key: Chunks
    responses: Sequence[Chunks | PhraseCandidates]
    settings: dict[str, object]


def read_given(key: KeyGiven, responses: Sequence[PhrasesGiven], *, decode: str = "conlleval") -> PhrasesRead:
    """Read what is given: as the command reads files, if all are files.

    Parameters
    ----------
    key, responses
        Files, lists of tags, or phrases.
    decode
        How tags become chunks: one of `referee.phrases.chunking.iob.RULES`.

    Raises
    ------
    OptionError
        If something else is given.

    Examples
    --------
    >>> read_given([["B-PER", "O"]], [[["O", "B-PER"]]]).responses[0].triples()
    [[('PER', 1, 2)]]
    """
    options = PhraseOptions(decode=decode)
    paths = [os.fspath(given) for given in responses if isinstance(given, str | os.PathLike)]
    if isinstance(key, str | os.PathLike) and len(paths) == len(responses):
        of_key = PhraseInput.open(key, None, PhraseOptions(decode=decode, holds_key=os.fspath(key) in paths))
        files = [PhraseInput.open(path, None, options) for path in paths]
        sides = read_sides(of_key, files)
        outside = {"outside": sides.outside} if sides.outside else {}
        settings = reading_settings({file.format for file in (of_key, *files)}, options)
        return PhrasesRead(sides.key, sides.responses, {**settings, **outside})
    formats: set[str] = set()

    def one(given: PhrasesGiven, role: str) -> Chunks | PhraseCandidates:
        if isinstance(given, Chunks | PhraseCandidates):
            return given
        if not isinstance(given, str | os.PathLike):
            formats.add("columns")
            return chunks_of(_tags(given, role), decode, source=f"<{role}>")
        file = PhraseInput.open(given, None, options)
        formats.add(file.format)
        reader = read_key if role == "key" else read
        return reader(file.place, format=file.format, options=options)

    true = one(key, "key")
    if not isinstance(true, Chunks):
        raise OptionError(f"{true.source}: found candidates with probabilities; expected chunks in a key")
    found = [one(response, "response") for response in responses]
    return PhrasesRead(true, found, reading_settings(formats, options))


class Prediction(NamedTuple):
    """Key and response as chunks of the same sentences and categories, and what the signature says of them."""

    key: Chunks
    response: Chunks
    settings: dict[str, object]


def predictions(key: Chunks, responses: Sequence[Chunks | PhraseCandidates], *, threshold: float = 0.5) -> list[Prediction]:
    """Each response as a 1-best prediction, with the key over the same words.

    Parameters
    ----------
    key, responses
        What was read.
    threshold
        Of candidates with probabilities, those that are listed with at least this one are predicted.

    Raises
    ------
    MismatchError
        If the sentences differ.
    OptionError
        If the threshold is no probability, or below what candidates have that are not listed.

    Warns
    -----
    RefereeWarning
        If words differ.
    """
    check_threshold(threshold)
    if any(side.sentences.texts is not None for side in (key, *responses)):
        key, responses = in_common_words(key, responses)
    return [_prediction(key, response, threshold) for response in responses]


def _prediction(key: Chunks, response: Chunks | PhraseCandidates, threshold: float) -> Prediction:
    chunks = response if isinstance(response, Chunks) else predicted(response, threshold)
    if chunks is None:
        problem = f"candidates that are not listed have the threshold {threshold:g} or more, so what is listed is no prediction"
        raise OptionError(f"{response.source}: {problem}; expected a higher --threshold")
    is_sure = isinstance(response, Chunks) or response.is_one_best
    settings: dict[str, object] = {} if is_sure else {"threshold": f"{threshold:g}"}
    key, chunks = aligned(key, chunks)
    warn_of_words(key, chunks)
    read_as = {side: read.read_as for side, read in (("key", key), ("response", chunks)) if read.read_as}
    space = {"categories": len(key.categories), "sentences": len(key.sentences)}
    return Prediction(key, chunks, {**space, **settings, **read_as})


def predicted(candidates: PhraseCandidates, threshold: float) -> Chunks | None:
    """The chunks of a 1-best prediction, or the listed candidates of at least a threshold; None if unlisted ones reach it."""
    if candidates.is_one_best:
        return candidates.chunks(1.0)
    unlisted = candidates.default
    return candidates.chunks(threshold) if unlisted is None or unlisted.is_zero or unlisted.most < threshold else None


def warn_of_words(key: Spans, response: Spans) -> None:
    """Warn if corresponding sentences, which have equal lengths, have different words."""
    ours, theirs = key.sentences.words, response.sentences.words
    if ours is None or theirs is None or ours == theirs:
        return
    different = [s for s, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
    first = different[0]
    expected, word = next((a, b) for a, b in zip(ours[first], theirs[first], strict=True) if a != b)
    warn(
        f"{response.source}: the words of {counted(len(different), 'sentence')} differ from {key.source}: sentence "
        f"{key.sentences.ids[first]!r} has {shortened(word)!r}; expected {shortened(expected)!r}"
    )


def _tags(given: object, role: str) -> Sequence[Sequence[str]]:
    """The tags of each sentence. OptionError for something else."""
    if not isinstance(given, list | tuple):
        raise OptionError(
            f"<{role}>: found a value of the type {type(given).__name__}; expected a file, a list of sentences, each a list of "
            "tags, or what referee.phrases.read returns"
        )
    if (odd := next((row for row in given if not isinstance(row, list | tuple)), None)) is not None:
        raise OptionError(
            f"<{role}>: found {shown(odd)} among sentences; expected each as a list of tags, as in [['B-PER', 'O'], ['O']]"
        )
    return given
