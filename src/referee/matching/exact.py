"""Exact matching: mentions are equal if they are the same positions of one document, or the same item."""

from __future__ import annotations

from itertools import chain
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, arange, argsort, inverse, pack, starts_of_runs, tally
from referee.basics.exceptions import MismatchError
from referee.corpus import Corpus, Spans

Columns: TypeAlias = tuple[Ints, ...]


def equal_mentions(key: Corpus, response: Corpus, *, heads: bool = False) -> tuple[Ints, Ints]:
    """Match equal mentions. Of a repeated mention, the last ones are matched first.

    Parameters
    ----------
    key, response : Corpus
        On common positions.
    heads : bool
        Whether equal mentions must have equal heads.

    Returns
    -------
    key_mention, response_mention : int64, shape (matched,)
        The numbers of the matched mentions.

    Raises
    ------
    MismatchError
        If one side has spans and the other items.
    """
    key_identity, response_identity = identities(key, response, heads=heads)
    if np.array_equal(key_identity, response_identity) and (key_identity[1:] > key_identity[:-1]).all():
        return arange(len(key_identity)), arange(len(key_identity))  # the same mentions, each once
    order = argsort(key_identity)
    in_order = key_identity[order]
    # The last equal key mention for the last equal response mention, the one before it for the one before, and so on.
    partner = np.searchsorted(in_order, response_identity, side="right") - 1 - _equal_after(response_identity)
    response_mention = np.flatnonzero(partner >= 0)
    equal = in_order[partner[response_mention]] == response_identity[response_mention]
    response_mention = response_mention[equal]
    return order[partner[response_mention]], response_mention


def _equal_after(values: Ints) -> Ints:
    """How many equal values come after each one."""
    order = argsort(values)
    run = np.cumsum(starts_of_runs(values[order])) - 1
    last = np.cumsum(tally(run)) - 1  # of each run, its last place in the order
    return (last[run] - np.arange(len(order)))[inverse(order)] if len(order) else order


def identities(key: Corpus, response: Corpus, *, heads: bool = False) -> tuple[Ints, Ints]:
    """Number the mentions of both sides so that equal mentions, and no others, have equal numbers.

    Parameters
    ----------
    key, response : Corpus
        On common positions.
    heads : bool
        Whether equal mentions must have equal heads.

    Returns
    -------
    key_identity : int64, shape (key mentions,)
    response_identity : int64, shape (response mentions,)

    Raises
    ------
    MismatchError
        If one side has spans and the other items.
    """
    columns = _identifying_columns(key, response, heads=heads)
    limits = tuple(int(max(a.max(initial=0), b.max(initial=0))) for a, b in zip(*columns, strict=True))
    packed = [pack(*side, limits=limits) for side in columns]
    if packed[0] is not None and packed[1] is not None:
        return packed[0], packed[1]
    of_both = [np.concatenate(pair) for pair in zip(*columns, strict=True)]
    order = argsort(*of_both)
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(starts_of_runs(*(column[order] for column in of_both)))
    key_identity, response_identity = np.split(number, [len(key.document)])
    return key_identity, response_identity


def _check_positions(spans: Corpus, labels: Corpus) -> None:
    """Raise MismatchError for labels of items 0, 1, 2, ... if the mentions of the other side are spans of several words."""
    if (spans.end - spans.start > 1).any():
        problem = f"labels of {labels.source} are for items 0, 1, 2, ..., mentions of {spans.source} are spans of tokens"
        raise MismatchError(f"{problem}; expected the same kind: entities as sets of (start, end)")


def _identifying_columns(key: Corpus, response: Corpus, *, heads: bool) -> tuple[Columns, Columns]:
    """Columns that are equal for equal mentions."""
    sides = key, response
    if key.items is None and response.items is None:
        if key.by_position != response.by_position:
            _check_positions(*sorted(sides, key=lambda side: side.by_position))
        columns: list[Columns] = [(side.document, side.start, side.end) for side in sides]
        if key.fragments is not None or response.fragments is not None:
            columns = [(*c, fragments) for c, fragments in zip(columns, _fragments(*sides), strict=True)]
        if heads:
            columns = [(*c, side.heads + 1) for c, side in zip(columns, sides, strict=True)]
        return columns[0], columns[1]
    if not len(key.document) or not len(response.document):
        return (key.document, key.start), (response.document, response.start)
    if key.items is None or response.items is None:
        spans, items = (key, response) if key.items is None else (response, key)
        if spans.by_position:
            of_items = f"items of {items.source} have names such as {(items.items or [''])[0]!r}"
            raise MismatchError(f"labels of {spans.source} are for items 0, 1, 2, ..., {of_items}; expected {{item: label}}")
        unplaced = "; strings of an answer need a key with words" if spans is key and not key.has_words else ""
        raise MismatchError(
            f"mentions of {spans.source} are spans of tokens, mentions of {items.source} are items such as "
            f"{(items.items or [''])[0]!r}; expected the same kind: annotate both with spans, or both with items{unplaced}"
        )
    from referee.corpus.strings import Names, ranks  # only items need it, and scoring spans should start fast

    if isinstance(key.items, Names) and isinstance(response.items, Names):
        if np.array_equal(key.items.words, response.items.words) and np.array_equal(key.document, response.document):
            return (key.document, key.start), (key.document, key.start)  # equal rows: the numbers of one side serve both
        of_key, of_response = ranks(key.items, response.items)
        return (key.document, of_key), (response.document, of_response)
    number = {item: n for n, item in enumerate(dict.fromkeys(chain(key.items, response.items)))}
    key_items, response_items = (
        np.fromiter(map(number.__getitem__, items), np.int64, len(items)) for items in (key.items, response.items)
    )
    return (key.document, key_items), (response.document, response_items)


def _fragments(*sides: Corpus) -> list[Ints]:
    """The fragments of the mentions of each side, numbered alike."""
    number: dict[Spans, int] = {(): 0}
    return [
        np.zeros(len(side.document), dtype=np.int64)
        if side.fragments is None
        else np.array([number.setdefault(spans, len(number)) for spans in side.fragment_lists])[side.fragments]
        for side in sides
    ]
