"""Responses as 1-best predictions: chunks over the words and categories of the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.basics.exceptions import OptionError, counted, shortened, warn
from referee.basics.options.options import check_threshold
from referee.phrases.annotation import Chunks, PhraseCandidates, Spans, aligned, in_common_words


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
