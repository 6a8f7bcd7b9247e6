"""Entities that are among their own split antecedents, which no file may say."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter


def cycle(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Entities of which each is an element of the next, the last one being the first again; empty if there are none.

    Parameters
    ----------
    pairs : iterable of pairs
        An entity, and one of its elements.

    Examples
    --------
    >>> cycle([("a", "b"), ("b", "c"), ("c", "b")])
    ['b', 'c', 'b']
    """
    graph: TopologicalSorter[str] = TopologicalSorter()
    for whole, element in pairs:
        graph.add(whole, element)
    try:
        graph.prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []
