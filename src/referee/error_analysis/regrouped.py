"""Merges and splits: response entities with mentions of several key entities, and key entities that are in several.

What is wrong about one is counted in pairs of mentions: of a merge those that only the response has in one entity, of a split
those that only the key has. Missed and spurious mentions are in no pair. A misplaced mention is in a split and in a merge. The
page of `referee inspect` lists the same by the same rule (`assets/model/merges.js`), which a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, argsort, lengths, starts_of_runs, tally
from referee.basics.exceptions import counted, shortened
from referee.corpus import Mention
from referee.corpus.naming import ShortNames, unit_of
from referee.matching.pair import Pair
from referee.metrics.table import Table, table_of
from referee.reports.listing import Column, Listing

MERGE, SPLIT = REGROUPED = ("merge", "split")

WIDTH, QUOTED, LONGEST = 70, 3, 20
"""Characters after which parts are only counted; mentions of a part that are quoted, or only the first; their characters."""


class Regrouped(NamedTuple):
    """Entities of one side that are in several of the other, those with the most wrong pairs first.

    Parameters
    ----------
    entity : int64, shape (entities,)
        Their numbers.
    pairs : int64, shape (entities,)
        Pairs of mentions that are together only on this side.
    parts : sequence of int64 arrays
        The cells of each, the largest part first; cells are numbered by the entities of this side, then of the other.
    """

    entity: Ints
    pairs: Ints
    parts: Sequence[Ints]


def regrouped(table: Table) -> Regrouped:
    """Return the splits of a table; of ``table.T``, the merges.

    Examples
    --------
    >>> from referee import score
    >>> table = score([{1, 2, 3}, {4, 5}], [{1, 2, 4}, {3}, {5}]).table
    >>> regrouped(table).pairs.tolist(), regrouped(table.T).pairs.tolist()
    ([2, 1], [2])
    """
    order = argsort(table.key, table.response)
    key, shared, number = table.key[order], table.shared[order], len(table.key_size)
    cells, total, squares = (tally(key, weights, number).astype(np.int64) for weights in (None, shared, shared**2))
    pairs = (total**2 - squares) // 2
    several = np.flatnonzero(cells > 1)
    entity = several[np.argsort(-pairs[several], kind="stable")]
    spans = zip(np.searchsorted(key, entity).tolist(), cells[entity].tolist(), strict=True)
    parts = [first + np.argsort(-shared[first : first + n], kind="stable") for first, n in spans]
    return Regrouped(entity, pairs[entity], parts)


def listing_of(pair: Pair, kind: str, *, top: int | None = None, for_programs: bool = False) -> Listing:
    """Return a row for each merge, or for each split: what it is of, its size, its wrong pairs and its parts.

    Parameters
    ----------
    pair : Pair
        Key and response.
    kind : str
        One of `REGROUPED`.
    top : int or None
        How many rows at most; None for all.
    for_programs : bool
        Parts have ids and sizes, ``8: 2 | 9: 1``; else also mentions.
    """
    table, m = table_of(pair), pair.matching
    merges = kind == MERGE
    table, own, other = (table.T, pair.response, pair.key) if merges else (table, pair.key, pair.response)
    names = [ShortNames(side, letter) for side, letter in zip((own, other), "RK" if merges else "KR", strict=True)]
    mention, counterpart = (m.response_mention, m.key_mention) if merges else (m.key_mention, m.response_mention)
    rows_of = argsort(own.entity[mention], other.entity[counterpart])  # cell after cell
    inner, outer = own.entity[mention][rows_of], other.entity[counterpart][rows_of]
    first = np.flatnonzero(starts_of_runs(inner, outer))
    shared, part_of = lengths(first, len(inner)).tolist(), outer[first].tolist()
    groups, unit = regrouped(table), unit_of(pair.key, pair.response)

    def part(cell: int) -> str:
        number, entity = shared[cell], part_of[cell]
        if for_programs:
            return f"{other.entity_ids[entity]}: {number}"
        quotable = mention[rows_of[first[cell] : first[cell] + (1 if number > QUOTED else number)]].tolist()
        texts = [f"“{shortened(text, LONGEST)}”" for row in quotable if (text := Mention(own, row).text)]
        more = [f"{number - 1} more"] * (number > QUOTED)
        return f"{names[1].of(entity)} ({', '.join([*texts, *more]) if texts else counted(number, unit)})"

    rows: list[list[object]] = []
    for entity, wrong, cells in list(zip(groups.entity.tolist(), groups.pairs.tolist(), groups.parts, strict=True))[:top]:
        document = [own.doc_ids[int(own.entity_document[entity])]] if len(own.doc_ids) > 1 else []
        parts = map(part, cells.tolist())
        together = " | ".join(parts) if for_programs else _fitting(parts, len(cells))
        name = own.entity_ids[entity] if for_programs else names[0].of(entity)
        rows.append([*document, name, own.entity_size[entity], wrong, together])
    sides = ("response", "key") if merges else ("key", "response")
    columns = [
        *[Column("document")] * (len(own.doc_ids) > 1),
        Column(f"{sides[0]} entity", field="entity"),
        Column(f"{unit}s", "count", field="mentions"),
        Column("wrong pairs", "count", field="pairs"),
        Column(f"{'mixes' if merges else 'is divided into'} {sides[1]} entities", "remark", field="consists_of"),
    ]
    left_out = len(groups.entity) - len(rows)
    notes = [f"{counted(left_out, 'entity')} left out: --by {kind} --top 0 shows all"] if left_out else []
    # Not "splits" or "merges": errors of the kinds `split` and `merged` are parts to be moved, and there may be more or fewer.
    total = counted(len(groups.entity), f"{'mixed' if merges else 'divided'} entity")
    pairs = counted(int(groups.pairs.sum()), "wrong pair")
    return Listing(columns, rows, notes, caption=f"{total} of the {sides[0]}, {pairs} of {unit}s")


def _fitting(parts: Iterator[str], number: int) -> str:
    """As many parts as fit, at least one, and how many more there are."""
    text = next(parts)
    for named, part in enumerate(parts, start=1):
        if len(text) + len(part) > WIDTH:
            return f"{text} + {number - named} more"
        text += f" + {part}"
    return text


def summary(pair: Pair) -> str:
    """How many entities are exactly right, how many of the key are divided, and how many of the response mix several."""
    table = table_of(pair)
    right = int(((table.shared == table.key_size[table.key]) & (table.shared == table.response_size[table.response])).sum())
    splits, merges = (len(regrouped(t).entity) for t in (table, table.T))
    key, response = len(table.key_size), len(table.response_size)
    of_key = f"of {counted(key, 'entity')} of the key {right} {'is' if right == 1 else 'are'} exactly right, {splits} divided"
    return f"{of_key}; of {response} of the response {merges} mixed"
