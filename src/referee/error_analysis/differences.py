"""The errors of a response: what happened to each mention and entity of the key, and what is spurious in the response.

The errors are what must be repaired to turn the response into the key. They depend on no parse and no metric:

* First mentions. A key mention and a response mention that were not matched are one mention with a **span** error if they have
  one head, or if their common positions are at least half of all their positions. Every other unmatched mention of the key is
  **missed**, of the response **spurious**. An entity of which no mention was found is one error, `missed_entity` or
  `spurious_entity`.
* Then entities. The best-matching response entity of a key entity has most of its mentions (its core, in the words of
  Popescu-Belis and Robba 1998). The best-matching key entity of a response entity has most of the mentions of the response
  entity. The mentions that the key entity K and the response entity R share are

  ================  ================  =============================================================================
  R is best for K   K is best for R   shared mentions
  ================  ================  =============================================================================
  yes               yes               kept
  no                yes               **split**: a part of K in an entity of its own
  yes               no                **merged**: K is in the entity of another key entity
  no                no                **misplaced**: neither in the best entity for K nor in an entity of their own
  ================  ================  =============================================================================

Each is one error, whatever the number of mentions that it concerns. If all errors are repaired, the response is the key.

References
----------
The error types of Kummerfeld and Klein (2013), "Error-Driven Analysis of Challenges in Coreference Resolution", who correct
them in sequence: divided and conflated entities, span errors, extra and missing mentions and entities. Here each error can be
repaired on its own. So a mention that was moved from one entity to another is one error, not a conflation and a division.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints, arange, argsort, inverse, lengths, repeat, starts_of_runs, tally
from referee.algorithms.components import joined
from referee.basics.memo import Memo
from referee.corpus import Corpus
from referee.matching.one_to_one import one_to_one
from referee.matching.overlap import overlapping
from referee.matching.pair import Pair
from referee.matching.spans import Candidates, mention_rows, refuse_many_overlaps, sizes
from referee.metrics.table import Table

KINDS = ("span", "missed", "missed_entity", "spurious", "spurious_entity", "split", "merged", "misplaced")
"""Kinds of errors; `Differences.kind` has their numbers."""

SPAN, MISSED, MISSED_ENTITY, SPURIOUS, SPURIOUS_ENTITY, SPLIT, MERGED, MISPLACED = range(len(KINDS))


_NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Differences(Memo):
    """The errors of a response, in the order of the text.

    Mentions and entities are numbered as in `pair.key` and `pair.response`; -1 stands for none.

    Parameters
    ----------
    pair : Pair
        Key and response.
    kind : int8, shape (errors,)
        Numbers of `KINDS`.
    document, key_entity, response_entity : int64, shape (errors,)
        Where each error is.
    key_mention, response_mention : int64, shape (errors,)
        The first mention of each side that the error concerns.
    mentions : int64, shape (errors,)
        The number of mentions that the error concerns.
    key_counterpart, response_counterpart : int64, shape (mentions of the side,)
        The mention of the other side that was matched, or differs by a span error.
    key_error, response_error : int64, shape (mentions of the side,)
        The error that concerns the mention, apart from span errors.
    key_span_error : int64, shape (key mentions,)
        The span error of the mention.
    best_response : int64, shape (key entities,)
        The best-matching response entity; -1 if the entity was missed. Ties: the larger Dice overlap, then the entity that
        starts first.
    best_key : int64, shape (response entities,)
        The best-matching key entity; -1 if the entity is spurious.
    """

    pair: Pair = field(compare=False)
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
        """The connected component of each key entity and each response entity; entities with a common mention are linked."""
        pair, keys = self.pair, len(self.best_response)
        paired = np.flatnonzero(self.key_counterpart >= 0)
        key, response = pair.key.entity[paired], pair.response.entity[self.key_counterpart[paired]]
        order = argsort(key, response)
        order = order[starts_of_runs(key[order], response[order])]
        component = joined(arange(keys + len(self.best_key)), key[order], response[order] + keys)
        return component[:keys], component[keys:]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of errors of each kind."""
        return dict(zip(KINDS, tally(self.kind, minlength=len(KINDS)).tolist(), strict=True))


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
    key_span, response_span = _span_errors(*matching.on_common_positions, key_counterpart, response_counterpart)
    key_counterpart[key_span], response_counterpart[response_span] = response_span, key_span

    paired = np.flatnonzero(key_counterpart >= 0)
    of_key, of_response = key.entity[paired].astype(np.int64), response.entity[key_counterpart[paired]].astype(np.int64)
    sizes_and_documents = key.entity_size, response.entity_size, key.entity_document, response.entity_document
    table = Table.of(of_key, of_response, *sizes_and_documents, len(key.doc_ids))
    best_response, best_key = core(table), core(table.T)

    in_best_response, in_best_key = best_response[of_key] == of_response, best_key[of_response] == of_key
    wrong = ~(in_best_response & in_best_key)
    moved = paired[wrong]
    missed, spurious = np.flatnonzero(key_counterpart < 0), np.flatnonzero(response_counterpart < 0)
    all_missed, all_spurious = best_response[key.entity[missed]] < 0, best_key[response.entity[spurious]] < 0
    nowhere = np.int64(-1)

    # A row for each mention of each error: kind, number of the error within its kind, key mention, response mention.
    rows = [
        (SPAN, key_span, key_span, response_span),
        (np.where(all_missed, MISSED_ENTITY, MISSED), np.where(all_missed, key.entity[missed], missed), missed, nowhere),
        (
            np.where(all_spurious, SPURIOUS_ENTITY, SPURIOUS),
            np.where(all_spurious, response.entity[spurious], spurious),
            nowhere,
            spurious,
        ),
        (
            np.where(in_best_key, SPLIT, np.where(in_best_response, MERGED, MISPLACED))[wrong],
            of_key[wrong] * len(best_key) + of_response[wrong],
            moved,
            key_counterpart[moved],
        ),
    ]
    kind, which, k, r = (
        np.concatenate([np.broadcast_to(row[c], len(row[1])) for row in rows]).astype(np.int64) for c in range(4)
    )
    document, start = _places(matching.on_common_positions, k, r)
    order = argsort(kind, which, document, start, k + 1, r + 1)
    first = np.flatnonzero(starts_of_runs(kind[order], which[order]))
    by_text = argsort(document[order[first]], start[order[first]], kind[order[first]])
    mentions = lengths(first, len(order))[by_text]
    error = np.empty(len(kind), dtype=np.int64)  # of each row
    error[order] = repeat(inverse(by_text), lengths(first, len(order)))
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
        key_span_error, best_response, best_key,
    )  # fmt: skip


def by_key_entity(d: Differences) -> Ints:
    """Return the key entity of each error, shape (errors,).

    For a spurious mention it is the best-matching key entity of its response entity; for a spurious entity -1.
    """
    return np.where(d.key_entity >= 0, d.key_entity, at(d.best_key, d.response_entity))


def core(t: Table) -> Ints:
    """Return the response entity of the largest cell of each key entity, -1 without cells; shape (K,).

    Ties: the larger Dice overlap, then the response entity that starts first.

    References
    ----------
    The core MR c*(K) of Popescu-Belis and Robba (1998), who leave ties open.
    """
    best = np.full(len(t.key_size), -1, dtype=np.int64)
    order = argsort(t.key, t.shared.max(initial=0) - t.shared, t.response_size[t.response], t.response)
    first = order[starts_of_runs(t.key[order])]
    best[t.key[first]] = t.response[first]
    return best


def _span_errors(key: Corpus, response: Corpus, key_counterpart: Ints, response_counterpart: Ints) -> tuple[Ints, Ints]:
    """Mentions that match but for a span error, among those without a counterpart: one to one, the largest overlap first."""
    if key.items is not None or response.items is not None:
        return _NOTHING, _NOTHING
    free = [np.flatnonzero(c < 0) for c in (key_counterpart, response_counterpart)]
    left = [mention_rows(side, mentions) for side, mentions in zip((key, response), free, strict=True)]
    refuse_many_overlaps(*left)
    pairs = one_to_one(_alike(*left), *left)
    return free[0][pairs[0]], free[1][pairs[1]]


def _alike(key: Corpus, response: Corpus) -> Candidates:
    """Mentions that may be the same but for a span error."""
    k, r, shared = overlapping(key, response)
    either = sizes(key)[k] + sizes(response)[r] - shared
    alike = (2 * shared >= either) | ((key.heads[k] == response.heads[r]) & (key.heads[k] >= 0))
    return Candidates(k[alike], r[alike], shared[alike], either[alike])


def _places(sides: tuple[Corpus, Corpus], key_mention: Ints, response_mention: Ints) -> tuple[Ints, Ints]:
    """Document and start of mentions given by their numbers in the key, or -1 and their numbers in the response."""
    key, response = sides
    return tuple(  # type: ignore[return-value]
        np.where(key_mention >= 0, at(a, key_mention), at(b, response_mention)).astype(np.int64)
        for a, b in ((key.document, response.document), (key.start, response.start))
    )


def at(column: NDArray[Any], row: Ints) -> Ints:
    """Return the values of a column in these rows, -1 where the row is -1."""
    return np.append(column.astype(np.int64), -1)[row]
