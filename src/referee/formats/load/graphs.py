"""Links between mentions: graphs as networkx has them, and pairs of linked records as record linkage tools return them.

The entities are the connected components, as in the formats `clusters` (of type graph) and `pairs`. Directions and weights are
not looked at: every edge is a link. A node without an edge is a singleton.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from referee.algorithms.components import components
from referee.corpus import Corpus
from referee.formats.load.python import corpus_of
from referee.formats.shared.untyped import Untyped


def is_graph(value: object) -> TypeGuard[Untyped]:
    """Whether it has nodes and edges."""
    return hasattr(value, "nodes") and hasattr(value, "edges")


def corpus_of_links(mentions: Iterable[Any], links: Iterable[tuple[Any, ...]], source: str) -> Corpus:
    """The corpus of links between mentions; those without a link are singletons."""
    pairs = [(first, second) for first, second, *_ in links]
    number: dict[Any, int] = {}
    for mention in [*mentions, *(mention for pair in pairs for mention in pair)]:
        number.setdefault(mention, len(number))
    entities: dict[int, list[Any]] = {}
    roots = components(len(number), ((number[a], number[b]) for a, b in pairs))
    for mention, root in zip(number, roots, strict=True):
        entities.setdefault(root, []).append(mention)
    return corpus_of(list(map(frozenset, entities.values())), source=source)
