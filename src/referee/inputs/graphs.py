"""Links between records: graphs as networkx and igraph have them, and pairs as record linkage tools return them.

The entities are the connected components, as in the formats `clusters` (of type graph) and `pairs`. Directions and weights are
not looked at: every edge is a link. A node without an edge is a singleton.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, TypeGuard

from referee.basics.exceptions import OptionError
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.shapes import Foreign
from referee.formats.shared.source import OnError
from referee.tabular.pairs import PairTable, RecordPair, check_sides, of_rows
from referee.tabular.roles import TableSchema
from referee.tabular.values import cell_of, names_something

Linked: TypeAlias = tuple[Iterable[Any], Iterable[tuple[Any, ...]]]
"""Mentions, and links between them."""


def is_graph(value: object) -> TypeGuard[Foreign]:
    """Whether it has nodes and edges."""
    return hasattr(value, "nodes") and hasattr(value, "edges")


def links_of_graph(graph: Foreign) -> Linked:
    """The nodes and edges of a graph of networkx."""
    return graph.nodes, graph.edges


def is_igraph(value: object) -> TypeGuard[Foreign]:
    """Whether it has vertices and edges in sequences, as graphs of igraph have."""
    return hasattr(value, "vs") and hasattr(value, "es") and hasattr(value, "get_edgelist")


def links_of_igraph(graph: Foreign) -> Linked:
    """The vertices and edges of a graph of igraph; vertices are called by their names, or by their numbers."""
    names = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(graph.vcount()))
    return names, [(names[a], names[b]) for a, b in graph.get_edgelist()]


def is_index(value: object) -> TypeGuard[Foreign]:
    """Whether it is an index of several levels: pairs of records."""
    return hasattr(value, "__array__") and getattr(value, "nlevels", 1) > 1


def pairs_of_index(index: Foreign, source: str, options: ReadOptions, on_error: OnError) -> PairTable:
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
        on_error(None, f"found {wrong!r} as a record; expected text or a whole number")
    two = {"one": False, "two": True, None: None}[options.tables]
    left, right = ("left/", "right/") if two else ("", "")
    schema = TableSchema("pairs", {"left": 0, "right": 1}, two)
    table = of_rows(source, schema, [RecordPair(left + cell_of(a), right + cell_of(b), 1.0, "") for a, b in pairs])
    check_sides(table, schema)
    return table
