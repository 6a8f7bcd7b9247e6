"""Links between records: graphs as networkx and igraph have them, and pairs as record linkage tools return them.

The entities are the connected components, as in the formats `clusters` (of type graph) and `pairs`. Directions and weights are
not looked at, of which a warning says so: every edge is a link. A node without an edge is a singleton.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from referee.basics.exceptions import FormatError, OptionError, counted, warn
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.shapes import Foreign
from referee.tabular.pairs import PairTable, RecordPair, check_sides, of_rows
from referee.tabular.roles import TableSchema
from referee.tabular.values import cell_of, names_something

Linked: TypeAlias = tuple[Iterable[Any], Iterable[tuple[Any, ...]]]
"""Mentions, and links between them."""


def links_of(value: Foreign) -> Linked | None:
    """The nodes and edges of a graph of networkx, or of igraph, whose vertices have names or numbers; None of another value."""
    if hasattr(value, "vs") and hasattr(value, "es") and hasattr(value, "get_edgelist"):
        names = value.vs["name"] if "name" in value.vs.attributes() else list(range(value.vcount()))
        return names, [(names[a], names[b]) for a, b in value.get_edgelist()]
    return (value.nodes, value.edges) if hasattr(value, "nodes") and hasattr(value, "edges") else None


def warn_of_weights(graph: Foreign, source: str) -> None:
    """Warn of edges with numbers, which decide nothing: in a graph of candidates every edge is a link, too."""
    edges = [edge.attributes() for edge in graph.es] if hasattr(graph, "es") else [data for *_, data in graph.edges(data=True)]
    if not edges and len(graph.vs if hasattr(graph, "vs") else graph) > 1:
        warn(f"{source} has no edges: each of its nodes is an entity of its own, whatever attributes they have")
    weighted = sum(
        any(isinstance(value, int | float | np.number) and not isinstance(value, bool) for value in edge.values())
        for edge in edges
    )
    if weighted:
        problem = (
            f"{source}: {counted(weighted, 'edge')} of a graph with a weight, which is not looked at: every edge is a link"
        )
        warn(f"{problem}; leave out those that are none, or give rows such as {{'id1': 'a', 'id2': 'b', 'probability': 0.9}}")


def is_index(value: object) -> TypeGuard[Foreign]:
    """Whether it is an index of several levels: pairs of records."""
    return hasattr(value, "__array__") and getattr(value, "nlevels", 1) > 1


def pairs_of_index(index: Foreign, source: str, options: ReadOptions) -> PairTable:
    """Return the pairs of linked records, as tools for record linkage return them.

    Raises
    ------
    OptionError
        If there are more than two levels, or something else is asked than whether they are two tables.
    """
    if index.nlevels != 2:
        raise OptionError(f"{source}: found an index of {index.nlevels} levels; expected pairs of linked records")
    if options.columns:
        raise OptionError(f"--columns is for tables; found {source}, an index of pairs, which has none")
    pairs: list[tuple[Any, ...]] = index.tolist()
    if wrong := next((end for pair in pairs for end in pair if end is None or not names_something(end)), None):
        raise FormatError(source, None, f"found {wrong!r} as a record; expected text or a whole number")
    two = {"one": False, "two": True, None: None}[options.tables]
    left, right = ("left/", "right/") if two else ("", "")
    schema = TableSchema("pairs", {"left": 0, "right": 1}, two)
    table = of_rows(source, schema, [RecordPair(left + cell_of(a), right + cell_of(b), 1.0, "") for a, b in pairs])
    check_sides(table, schema)
    return table
