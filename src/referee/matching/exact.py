"""Exact matching: two mentions are the same if they are the same positions of the same document, or bear the same name."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import inverse, order_by, pack, starts_of_runs
from referee.corpus.corpus import Corpus, Spans
from referee.exceptions import MismatchError
from referee.matching.spans import Candidates


def no_candidates(key: Corpus, response: Corpus) -> Candidates:
    """Exact matching: the same positions, or the same name, and nothing else."""
    nothing = np.empty(0, dtype=np.int64)
    return Candidates(nothing, nothing, nothing, nothing)


def exact(key: Corpus, response: Corpus, *, heads: bool = False) -> tuple[Ints, Ints]:
    """Numbers of the matched mentions. Of a mention that is listed several times, the last copies are matched first.

    heads : whether the heads must be the same, too
    """
    key_place, response_place = places(key, response, heads=heads)
    order = order_by(key_place)
    in_order = key_place[order]
    copy = np.searchsorted(in_order, response_place, side="right") - 1 - _copies_after(response_place)
    response_mention = np.flatnonzero(copy >= 0)
    response_mention = response_mention[in_order[copy[response_mention]] == response_place[response_mention]]
    return order[copy[response_mention]], response_mention


def _copies_after(place: Ints) -> Ints:
    """How many mentions after each one are in the same place."""
    order = order_by(place)
    run = np.cumsum(starts_of_runs(place[order])) - 1
    last = np.cumsum(np.bincount(run)) - 1  # the place of the last mention of each run
    return (last[run] - np.arange(len(order)))[inverse(order)] if len(order) else order


def places(key: Corpus, response: Corpus, *, heads: bool = False) -> tuple[Ints, Ints]:
    """A number for the place of each mention, the same number for the same place: int64, shapes (key mentions,), (response
    mentions,). MismatchError if one side's mentions are spans and the other's are names.

    heads : whether mentions with different heads are in different places
    """
    documents = key.document, response.document
    if key.items is None and response.items is None:
        columns: list[tuple[Ints, ...]] = [(documents[0], key.start, key.end), (documents[1], response.start, response.end)]
        if key.fragments is not None or response.fragments is not None:
            columns = [(*c, shape) for c, shape in zip(columns, _shapes(key, response), strict=True)]
        if heads:
            columns = [(*c, side.heads + 1) for c, side in zip(columns, (key, response), strict=True)]
    elif not len(key.document) or not len(response.document):
        columns = [(documents[0], key.start), (documents[1], response.start)]
    elif key.items is None or response.items is None:
        spans, names = (key, response) if key.items is None else (response, key)
        raise MismatchError(
            f"mentions of {spans.source} are spans of tokens, mentions of {names.source} are names such as "
            f"{(names.items or [''])[0]!r}; expected the same kind: annotate both with spans, or both with names"
        )
    else:
        number: dict[str, int] = {}
        columns = [
            (document, np.array([number.setdefault(name, len(number)) for name in items], dtype=np.int64))
            for document, items in zip(documents, (key.items, response.items), strict=True)
        ]
    limits = tuple(int(max(a.max(initial=0), b.max(initial=0))) for a, b in zip(*columns, strict=True))
    packed = [pack(*side, limits=limits) for side in columns]
    if packed[0] is not None and packed[1] is not None:
        return packed[0], packed[1]
    together = [np.concatenate(pair) for pair in zip(*columns, strict=True)]
    order = order_by(*together)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(starts_of_runs(*(c[order] for c in together)))
    return place[: len(documents[0])], place[len(documents[0]) :]


def _shapes(*sides: Corpus) -> list[Ints]:
    """The shapes of the mentions of both sides, numbered alike."""
    number: dict[Spans, int] = {(): 0}
    return [
        np.zeros(len(side.document), dtype=np.int64)
        if side.fragments is None
        else np.array([number.setdefault(shape, len(number)) for shape in side.fragment_lists])[side.fragments]
        for side in sides
    ]
