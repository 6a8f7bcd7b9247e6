"""What happened to each mention and entity of a key: kept, split, merged, misplaced, missed, or bounded otherwise; and what is
spurious in the response.

The errors of a response are what must be repaired to make the key of it. They need no parse, and no choice of measure:

* First mentions. A key mention and a response mention that were not matched but overlap in at least half of the positions
  of either, or have one head, are one mention with a wrong **boundary**. Every other unmatched mention of the key is
  **missed**, of the response **spurious**; an entity of which nothing was found is one error, `missed_entity` or
  `spurious_entity`.
* Then entities. The **home** of a key entity is the response entity that holds most of it (its core, in the words of
  Popescu-Belis and Robba 1998); the **owner** of a response entity is the key entity that it holds most of. What the key
  entity K and the response entity R share is

  =================  ==================  ============================================================
  R is the home of K  K is the owner of R
  =================  ==================  ============================================================
  yes                yes                 kept
  no                 yes                 **split** off K: a piece of it that stands apart. It goes home
  yes                no                  K is **merged** into another's entity. It gets one of its own
  no                 no                  **misplaced**: put with strangers. It goes home
  =================  ==================  ============================================================

Each is one error however many mentions it concerns. When all errors are repaired the response is the key.

Source: the error types of Kummerfeld and Klein (2013), "Error-Driven Analysis of Challenges in Coreference Resolution", who
correct them in sequence: divided and conflated entities, span errors, extra and missing mentions and entities. Here each can be
repaired on its own, so a mention that was moved from one entity to another is one error, not a conflation and a division.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.components import components
from referee.algorithms.sorting import inverse, order_by, starts_of_runs
from referee.corpus.corpus import Corpus
from referee.matching.one_to_one import one_to_one
from referee.matching.overlap import overlapping
from referee.matching.spans import Candidates, mention_rows, sizes
from referee.metrics.table import Table
from referee.pair import Pair

KINDS = ("span", "missed", "missed_entity", "spurious", "spurious_entity", "split", "merged", "misplaced")
"""Kinds of errors; `Differences.kind` has their numbers."""

SPAN, MISSED, MISSED_ENTITY, SPURIOUS, SPURIOUS_ENTITY, SPLIT, MERGED, MISPLACED = range(len(KINDS))

_NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Differences:
    """The errors of a response, in the order of the text. Mentions and entities are numbered as in `pair.key` and
    `pair.response`; -1 stands for none.

    kind     : int8, shape (errors,), numbers of `KINDS`
    document : int64, shape (errors,)
    key_entity, response_entity   : int64, shape (errors,), where it is
    key_mention, response_mention : int64, shape (errors,), the first mention that it concerns on each side
    mentions : int64, shape (errors,), how many mentions it concerns

    key_counterpart, response_counterpart : int64, shape (mentions,) of each side: the other side's mention that was matched, or
               whose boundary differs
    key_error, response_error : int64, shape (mentions,) of each side: the error that it is part of, of any kind but boundary
    key_span_error : int64, shape (key mentions,), the error of its boundary
    home     : int64, shape (key entities,), the response entity that holds most of it, -1 if it was missed. Ties: the larger
               Dice overlap, then the entity that starts first
    owner    : int64, shape (response entities,), the key entity that it holds most of, -1 if it is spurious
    """

    pair: Pair
    kind: NDArray[np.int8]
    document: Ints
    key_entity: Ints
    response_entity: Ints
    key_mention: Ints
    response_mention: Ints
    mentions: Ints
    key_counterpart: Ints
    response_counterpart: Ints
    key_error: Ints
    response_error: Ints
    key_span_error: Ints
    best_response: Ints
    best_key: Ints

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def components(self) -> tuple[Ints, Ints]:
        """The connected component of each key entity and of each response entity, of the graph of those that have a mention in
        common."""
        pair, keys = self.pair, len(self.best_response)
        paired = np.flatnonzero(self.key_counterpart >= 0)
        key, response = pair.key.entity[paired], pair.response.entity[self.key_counterpart[paired]]
        order = order_by(key, response)
        order = order[starts_of_runs(key[order], response[order])]
        links = zip(key[order].tolist(), (response[order] + keys).tolist(), strict=True)
        component = np.array(components(keys + len(self.best_key), links), dtype=np.int64)
        return component[:keys], component[keys:]

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        return dict(zip(KINDS, np.bincount(self.kind, minlength=len(KINDS)).tolist(), strict=True))


def differences(pair: Pair) -> Differences:
    """Find the errors of the response.

    Examples
    --------
    >>> from referee import score
    >>> differences(score([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"d", "e", "c"}, {"f"}]).pair).counts["misplaced"]
    1
    """
    matching = pair.matching
    key, response = matching.key, matching.response
    key_counterpart, response_counterpart = (np.full(len(s.document), -1, dtype=np.int64) for s in (key, response))
    key_counterpart[matching.key_mention] = matching.response_mention
    response_counterpart[matching.response_mention] = matching.key_mention
    bounded, other = _other_boundaries(*matching.on_common_positions, key_counterpart, response_counterpart)
    key_counterpart[bounded], response_counterpart[other] = other, bounded

    paired = np.flatnonzero(key_counterpart >= 0)
    own, found = key.entity[paired].astype(np.int64), response.entity[key_counterpart[paired]].astype(np.int64)
    table = Table.of(
        own, found, key.entity_size, response.entity_size, key.entity_document, response.entity_document, len(key.doc_ids)
    )
    home, owner = core(table), core(table.T)

    at_home, owned = home[own] == found, owner[found] == own
    away = ~(at_home & owned)
    moved = paired[away]
    missed, spurious = np.flatnonzero(key_counterpart < 0), np.flatnonzero(response_counterpart < 0)
    lost, invented = home[key.entity[missed]] < 0, owner[response.entity[spurious]] < 0
    nowhere = np.int64(-1)

    # A row for each mention of each error: kind, what tells it from others of the kind, key mention, response mention.
    rows = [
        (SPAN, bounded, bounded, other),
        (np.where(lost, MISSED_ENTITY, MISSED), np.where(lost, key.entity[missed], missed), missed, nowhere),
        (
            np.where(invented, SPURIOUS_ENTITY, SPURIOUS),
            np.where(invented, response.entity[spurious], spurious),
            nowhere,
            spurious,
        ),
        (
            np.where(owned, SPLIT, np.where(at_home, MERGED, MISPLACED))[away],
            own[away] * len(owner) + found[away],
            moved,
            key_counterpart[moved],
        ),
    ]
    kind, which, k, r = (
        np.concatenate([np.broadcast_to(row[c], len(row[1])) for row in rows]).astype(np.int64) for c in range(4)
    )
    document, start = _places(matching.on_common_positions, k, r)
    order = order_by(kind, which, document, start, k + 1, r + 1)
    first = np.flatnonzero(starts_of_runs(kind[order], which[order]))
    by_text = order_by(document[order[first]], start[order[first]], kind[order[first]])
    mentions = np.diff(first, append=len(order))[by_text]
    error = np.empty(len(kind), dtype=np.int64)  # of each row
    error[order] = np.repeat(inverse(by_text), np.diff(first, append=len(order)))
    head = order[first][by_text]  # its first row

    key_error, response_error, key_span_error = (np.full(len(s.document), -1, dtype=np.int64) for s in (key, response, key))
    for of_mention, mention, concerned in (
        (key_error, k, kind != SPAN),
        (response_error, r, kind != SPAN),
        (key_span_error, k, kind == SPAN),
    ):
        here = concerned & (mention >= 0)
        of_mention[mention[here]] = error[here]
    return Differences(
        pair, kind[head].astype(np.int8), document[head], at(key.entity, k[head]), at(response.entity, r[head]),
        k[head], r[head], mentions, key_counterpart, response_counterpart, key_error, response_error,
        key_span_error, home, owner,
    )  # fmt: skip


def by_key_entity(d: Differences) -> Ints:
    """The key entity of each error, shape (errors,): of a spurious mention, the owner of the entity that it is in; -1 for
    spurious entities."""
    return np.where(d.key_entity >= 0, d.key_entity, at(d.best_key, d.response_entity))


def core(t: Table) -> Ints:
    """The column of the largest cell of each row of the table, -1 for a row without cells, shape (K,). Ties: the larger Dice
    overlap, then the column that starts first.

    Source: the core MR c*(K) of Popescu-Belis and Robba (1998), who leave ties open.
    """
    best = np.full(len(t.key_size), -1, dtype=np.int64)
    order = order_by(t.key, t.shared.max(initial=0) - t.shared, t.response_size[t.response], t.response)
    first = order[starts_of_runs(t.key[order])]
    best[t.key[first]] = t.response[first]
    return best


def _other_boundaries(key: Corpus, response: Corpus, key_counterpart: Ints, response_counterpart: Ints) -> tuple[Ints, Ints]:
    """Mentions without a counterpart that are each other's, but for the boundary: one to one, the largest overlap first."""
    if key.items is not None or response.items is not None:
        return _NOTHING, _NOTHING
    free = [np.flatnonzero(c < 0) for c in (key_counterpart, response_counterpart)]
    left = [mention_rows(side, mentions) for side, mentions in zip((key, response), free, strict=True)]
    k, r, shared = overlapping(*left)
    either = sizes(left[0])[k] + sizes(left[1])[r] - shared
    alike = (2 * shared >= either) | ((left[0].heads[k] == left[1].heads[r]) & (left[0].heads[k] >= 0))
    pairs = one_to_one(Candidates(k[alike], r[alike], shared[alike], either[alike]), *left)
    return free[0][pairs[0]], free[1][pairs[1]]


def _places(sides: tuple[Corpus, Corpus], key_mention: Ints, response_mention: Ints) -> tuple[Ints, Ints]:
    """Document and start of mentions given by their numbers in the key, or -1 and their numbers in the response."""
    key, response = sides
    return tuple(  # type: ignore[return-value]
        np.where(key_mention >= 0, at(a, key_mention), at(b, response_mention)).astype(np.int64)
        for a, b in ((key.document, response.document), (key.start, response.start))
    )


def at(column: NDArray[Any], row: Ints) -> Ints:
    """The values of a column in some rows, -1 where the row is -1."""
    return np.append(column.astype(np.int64), -1)[row]
