"""Brackets that open and close mentions: paired when read, and spans that brackets cannot hold when written."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from referee.algorithms.arrays import Bools, Ints, order_by, starts_of_runs


class UnreadableError(Exception):
    """Something is wrong somewhere in the file."""


def pair(document: Ints, code: Ints, opens: Bools, closes: Bools) -> tuple[Ints, Ints]:
    """Numbers of the brackets that open each mention, and of those that close it: the last one opened is closed first."""
    whole = np.flatnonzero(opens & closes)
    halves = np.flatnonzero(opens ^ closes)
    order = halves[order_by(document[halves], code[halves])]
    step = np.where(opens[order], 1, -1)
    depth = np.cumsum(step)
    group = starts_of_runs(document[order], code[order])
    last = np.append(group[1:], True)[: len(order)]
    if depth.min(initial=0) < 0 or depth[last].any():
        raise UnreadableError
    depth[step < 0] += 1
    if depth.max(initial=0) > 1:
        order = order[order_by(np.cumsum(group), depth)]
    return np.concatenate([whole, order[0::2]]), np.concatenate([whole, order[1::2]])


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
