"""Brackets that open and close mentions: paired when read, and spans that brackets cannot hold when written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, starts_of_runs
from referee.corpus import Corpus


def pair(document: Ints, code: Ints, opens: Bools, closes: Bools) -> tuple[Ints, Ints, Ints]:
    """Pair brackets: the last one opened is closed first.

    Parameters
    ----------
    document, code : integers, shape (brackets,)
        Brackets of one code in one document belong together.
    opens, closes : bool, shape (brackets,)
        What each bracket does; one that does both is a mention by itself.

    Returns
    -------
    three arrays of integers
        Numbers of the brackets that open each mention, of those that close it, and of those without their other half.
    """
    whole = np.flatnonzero(opens & closes)
    halves = np.flatnonzero(opens ^ closes)
    order = halves[argsort(document[halves], code[halves])]
    step = np.where(opens[order], 1, -1)
    depth = np.cumsum(step)
    group = starts_of_runs(document[order], code[order])
    last = np.append(group[1:], True)[: len(order)]
    if depth.min(initial=0) < 0 or depth[last].any():
        number: Ints = np.cumsum(group)
        is_alone = _unopened(step, number) | _unopened(-step[::-1], number[-1] - number[::-1])[::-1]
        rest = np.sort(np.concatenate([whole, order[~is_alone]]))
        opening, closing, _ = pair(document[rest], code[rest], opens[rest], closes[rest])
        return rest[opening], rest[closing], np.sort(order[is_alone])
    depth[step < 0] += 1
    if depth.max(initial=0) > 1:
        order = order[argsort(np.cumsum(group), depth)]
    return np.concatenate([whole, order[0::2]]), np.concatenate([whole, order[1::2]]), halves[:0]


def _unopened(step: Ints, group: Ints) -> Bools:
    """Which of the brackets in groups one after another close (-1) what no bracket of the group before them opened (1)."""
    before = np.cumsum(step) - step - (2 * len(step) + 1) * group  # lower than all in the groups before
    return (step < 0) & (before + step < np.minimum.accumulate(before))


def crossing(spans: Iterable[tuple[int, int, int]], shared: int = 0) -> tuple[int, int] | None:
    """Find two mentions that cross: they share more than some tokens, and neither is within the other.

    Parameters
    ----------
    spans : iterable of triples
        Start, end and mention. A mention may have several.
    shared : int
        How many tokens the end of one may share with the start of another.

    Returns
    -------
    pair of int, or None
        The mention that begins first, and the other one.
    """
    enclosing: list[tuple[int, int, int]] = []
    for start, end, mention in sorted(spans, key=lambda span: (span[0], -span[1], span[2])):
        while enclosing and enclosing[-1][1] <= start + shared:
            enclosing.pop()
        if enclosing and enclosing[-1][1] < end:
            return enclosing[-1][2], mention
        enclosing.append((start, end, mention))
    return None


def overlapping(corpus: Corpus) -> Bools:
    """The entities that have mentions of several parts, or some that share tokens: those of others cannot cross."""
    order = argsort(corpus.entity, corpus.start, corpus.end)
    entity, start, end = corpus.entity[order], corpus.start[order], corpus.end[order]
    crosses = np.zeros(len(corpus.entity_ids), dtype=bool)
    crosses[entity[1:][(entity[1:] == entity[:-1]) & (start[1:] < end[:-1])]] = True
    if corpus.fragments is not None:
        several = np.array([len(spans) > 1 for spans in corpus.fragment_lists], dtype=bool)
        crosses[corpus.entity[several[corpus.fragments]]] = True
    return crosses


def crossed(spans: Iterable[tuple[int, int, int]], shared: int = 0) -> set[int]:
    """The mentions without which no two cross: of two, the one that begins later, or ends later.

    >>> crossed([(0, 3, 0), (1, 4, 1), (2, 3, 2), (2, 4, 3)])
    {1, 3}
    """
    enclosing: list[int] = []
    lost: set[int] = set()
    for start, end, mention in sorted(spans, key=lambda span: (span[0], -span[1], span[2])):
        while enclosing and enclosing[-1] <= start + shared:
            enclosing.pop()
        if enclosing and enclosing[-1] < end:
            lost.add(mention)
        elif mention not in lost:
            enclosing.append(end)
    return lost


def in_old_order(new: Sequence[str], old: Sequence[str]) -> list[str]:
    """The brackets of a cell where others stood, each in the place of an equal one, or of one that opens or closes as it does.

    They stay in their own order where these are not as many.

    >>> in_old_order(["a)", "(b)"], ["(b)", "c)"])
    ['(b)', 'a)']
    """

    def kind(text: str) -> tuple[bool, bool]:
        return text.startswith("("), text.endswith(")")

    rest = list(new)
    if sorted(map(kind, new)) != sorted(map(kind, old)):
        return rest
    places: list[str | None] = []
    for text in old:
        places.append(text if text in rest else None)
        if text in rest:
            rest.remove(text)
    for n, text in enumerate(old):
        if places[n] is None:
            places[n] = rest.pop(next(k for k, other in enumerate(rest) if kind(other) == kind(text)))
    return [text for text in places if text is not None]
