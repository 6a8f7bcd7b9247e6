"""Key and response over the same sentences and categories, and the spans that both have."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from referee.algorithms.arrays import Bools
from referee.basics.exceptions import MismatchError, counted
from referee.phrases.annotation.spans import Chunks, Spans, span_keys

AnySpans = TypeVar("AnySpans", bound=Spans)


def aligned(key: Chunks, response: AnySpans) -> tuple[Chunks, AnySpans]:
    """Key and response over the sentences of the key and the categories of both.

    Sentences correspond by name. They correspond by order if one side has only numbers for names, and the names differ. The
    categories are those of the response, then those that only the key has.

    Raises
    ------
    MismatchError
        If a sentence is missing on either side, or its number of words differs.
    """
    ours, theirs = key.sentences, response.sentences
    if ours.ids != theirs.ids and not ((ours.are_numbered or theirs.are_numbered) and set(ours.ids) != set(theirs.ids)):
        number = {name: s for s, name in enumerate(theirs.ids)}
        for name in ours.ids:
            if name not in number:
                raise MismatchError(f"{response.source}: sentence {name!r} of {key.source} is missing; expected every sentence")
        names = {*ours.ids}
        if extra := [name for name in number if name not in names]:
            raise MismatchError(f"{response.source}: sentence {extra[0]!r} is not in {key.source}; expected the same sentences")
        response = response.select([number[name] for name in ours.ids])
    elif len(ours) != len(theirs):
        problem = f"{response.source} has {counted(len(theirs), 'sentence')}, {key.source} has {len(ours)}"
        raise MismatchError(f"{problem}; expected the same")
    lengths = response.sentences.length
    wrong = np.flatnonzero(lengths != ours.length)
    if len(wrong):
        s = int(wrong[0])
        problem = f"sentence {ours.ids[s]!r} has {counted(int(lengths[s]), 'word')}, {ours.length[s]} in {key.source}"
        raise MismatchError(f"{response.source}: {problem}; expected as many")
    if key.categories == response.categories:
        return key, response
    categories = list(dict.fromkeys([*response.categories, *key.categories]))
    if len(categories) > len(response.categories):
        response = response.with_categories(categories)
    return key.with_categories(categories), response


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
