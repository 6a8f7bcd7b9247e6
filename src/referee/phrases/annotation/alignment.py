"""Key and response over the same sentences and categories, and the spans that both have."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools
from referee.basics.exceptions import MismatchError, counted
from referee.phrases.annotation.spans import Chunks, Spans, span_keys

AnySpans = TypeVar("AnySpans", bound=Spans)


def sentence_order(key: Spans, response: Spans) -> NDArray[np.int64] | None:
    """Find each sentence of the key in the response.

    Sentences correspond by name. They correspond by order if one side has only numbers for names, and the names differ.

    Returns
    -------
    array or None
        int64, shape (sentences of the key,): positions in the response; None if both have the same order.

    Raises
    ------
    MismatchError
        If a sentence is missing on either side, or its number of words differs.
    """
    ours, theirs = key.sentences, response.sentences
    order = None
    if ours.ids != theirs.ids:
        if (ours.are_numbered or theirs.are_numbered) and set(ours.ids) != set(theirs.ids):
            if len(ours) != len(theirs):
                raise MismatchError(
                    f"{response.source} has {counted(len(theirs), 'sentence')}, {key.source} has {len(ours)}; expected the same"
                )
        else:
            order = _order_by_name(key, response)
    _check_lengths(key, response, order)
    return order


def aligned(key: Chunks, response: AnySpans) -> tuple[Chunks, AnySpans]:
    """Key and response over the sentences of the key and the categories of both.

    The categories are those of the response, then those that only the key has.

    Raises
    ------
    MismatchError
        If a sentence is missing on either side, or its number of words differs.
    """
    order = sentence_order(key, response)
    if order is not None:
        response = response.select(order)
    if key.categories == response.categories:
        return key, response
    names = list(dict.fromkeys([*response.categories, *key.categories]))
    if len(names) > len(response.categories):
        response = response.with_categories(names)
    return key.with_categories(names), response


def common_spans(key: Spans, response: Spans) -> tuple[Bools, Bools]:
    """Which spans of the key are in the response, and which of the response are in the key, with equal categories.

    Both must have the same sentences and categories.
    """
    ours, theirs = span_keys(key), span_keys(response)
    in_key = np.zeros(len(theirs), dtype=bool)
    if not len(theirs):
        return np.zeros(len(ours), dtype=bool), in_key
    position = np.minimum(np.searchsorted(theirs, ours), len(theirs) - 1)
    in_response = theirs[position] == ours
    in_key[position[in_response]] = True
    return in_response, in_key


def _order_by_name(key: Spans, response: Spans) -> NDArray[np.int64]:
    number = {name: s for s, name in enumerate(response.sentences.ids)}
    for name in key.sentences.ids:
        if name not in number:
            raise MismatchError(f"{response.source}: sentence {name!r} of {key.source} is missing; expected every sentence")
    if len(number) > len(key.sentences):
        ids = set(key.sentences.ids)
        extra = next(name for name in number if name not in ids)
        raise MismatchError(f"{response.source}: sentence {extra!r} is not in {key.source}; expected the same sentences")
    return np.array([number[name] for name in key.sentences.ids], dtype=np.int64)


def _check_lengths(key: Spans, response: Spans, order: NDArray[np.int64] | None) -> None:
    expected, lengths = key.sentences.length, response.sentences.length
    lengths = lengths if order is None else lengths[order]
    wrong = np.flatnonzero(lengths != expected)
    if len(wrong):
        s = int(wrong[0])
        raise MismatchError(
            f"{response.source}: sentence {key.sentences.ids[s]!r} has {counted(int(lengths[s]), 'word')}, {expected[s]} in "
            f"{key.source}; expected as many"
        )
