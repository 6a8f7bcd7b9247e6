"""Errors and their costs by kind, or by a facet of the mention: size of its entity, mention type, distance, and others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, argsort, starts_of_runs, tally
from referee.basics.exceptions import OptionError, brief, check_name, counted
from referee.corpus import MENTION_TYPES, Corpus
from referee.corpus.naming import unit_of
from referee.error_analysis.costs import costs
from referee.error_analysis.differences import KINDS, Differences, at
from referee.metrics.scores import Scores
from referee.metrics.titles import title_of
from referee.reports.listing import Column, Listing, against
from referee.reports.result import Result

OUTCOMES = ("kept", *KINDS)
"""What may happen to a mention. One with a span error and another error counts with the other one."""


MISPLACED = "misplaced: in an entity of others, apart from its own; so it is in a merge and in a split"
"""Said of records, whose merges and splits are listed, too: these count it on both sides."""


class Facet(NamedTuple):
    """A property of all mentions.

    Parameters
    ----------
    value : int64, shape (mentions,)
        A number that stands for the value of each mention.
    name : callable
        Gives the name of a value.
    """

    value: Ints
    name: Callable[[int], str]


def size(d: Differences, side: Corpus) -> Facet:
    """Number of mentions in the entity."""
    return Facet(_power(side.entity_size[side.entity]), _range_of_power)


def mention_type(d: Differences, side: Corpus) -> Facet:
    """Mention type: pronoun, name, nominal, zero."""
    key = d.pair.key
    if not key.mention_types_with_zeros.any():
        raise OptionError(f"{key.source} has no mention types; expected a format that has them, such as corefud")
    return Facet(side.mention_types_with_zeros.astype(np.int64), lambda c: MENTION_TYPES[c] or "unknown")


def distance(d: Differences, side: Corpus) -> Facet:
    """Mentions back to the nearest one of the entity: 1 for the one just before."""
    before = _antecedent(side)
    return Facet(np.where(before < 0, 0, 1 + _power(np.arange(len(before)) - before)), _or_first(_range_of_power))


def sentences(d: Differences, side: Corpus) -> Facet:
    """Sentences back to the nearest mention of the entity: 0 within one sentence."""
    text = side.text or d.pair.key.text or d.pair.response.text
    if text is None:
        raise OptionError(f"{side.source} has no words, so no sentences; expected --by distance")
    number = np.zeros(len(side.document), dtype=np.int64)
    edges = np.searchsorted(side.document, np.arange(len(side.doc_ids) + 1)).tolist()
    for words, first, after in zip(text.words, edges, edges[1:], strict=False):
        number[first:after] = np.searchsorted(
            np.asarray(words.sentences, dtype=np.int64), side.start[first:after], side="right"
        )
    before = _antecedent(side)
    back = np.maximum(number - number[before], 0)
    value = np.where(before < 0, 0, np.where(back == 0, 1, 2 + _power(np.maximum(back, 1))))
    return Facet(value, _or_first(lambda n: "same" if n == 0 else _range_of_power(n - 1)))


def position(d: Differences, side: Corpus) -> Facet:
    """Tenth of the document: of its words, or of the part up to its last mention."""
    pair = d.pair
    length = np.ones(len(pair.key.doc_ids), dtype=np.int64)
    for s in (pair.key, pair.response):
        np.maximum.at(length, s.document, s.end)
        if s.text is not None:
            length = np.maximum(length, [len(words.tokens) for words in s.text.words])
    return Facet(10 * side.start.astype(np.int64) // length[side.document], lambda tenth: f"{10 * tenth}-{10 * tenth + 10} %")


def entity_type(d: Differences, side: Corpus) -> Facet:
    """Entity type."""
    key, response = d.pair.key, d.pair.response
    if key.entity_types is None:
        raise OptionError(f"{key.source} has no entity types; expected a format that has them, such as corefud")
    names = sorted({"", *key.entity_types, *(response.entity_types or ())})
    number = {name: n for n, name in enumerate(names)}
    of_entity = np.array([number[t] for t in side.entity_types or [""] * len(side.entity_size)], dtype=np.int64)
    return Facet(of_entity[side.entity], lambda n: names[n] or "none")


def document(d: Differences, side: Corpus) -> Facet:
    """The document."""
    return Facet(side.document.astype(np.int64), side.doc_ids.__getitem__)


FACETS: Mapping[str, Callable[[Differences, Corpus], Facet]] = {
    "size": size,
    "mention-type": mention_type,
    "distance": distance,
    "sentences": sentences,
    "position": position,
    "entity-type": entity_type,
    "document": document,
}


LISTED = "costs do not add up, as each kind is corrected alone; --by error lists each error"


@dataclass(frozen=True, eq=False, repr=False)
class Breakdown(Result):
    """Errors by kind or facet, one row for each.

    Parameters
    ----------
    by : str
        "kind", or one of `FACETS`.
    names : tuple of str
        The names of the rows.
    errors : int64, shape (rows,)
        Number of errors.
    mentions : int64, shape (rows,)
        By kind: mentions that the errors concern. By a facet: mentions of the key.
    outcomes : mapping
        Outcome -> number of mentions, int64, shape (rows,); empty by kind. Spurious mentions are those of the response, and not
        among `mentions`.
    costs : mapping
        Metric -> float64, shape (rows,): the gain of the corpus if all errors of the row are repaired; nan if a score is
        undefined.
    everything : mapping
        Metric -> the gain if all errors are repaired.
    units : mapping
        Metric -> the unit of its costs; empty for fractions of 1.
    facts : mapping
        What the numbers are of: "signature", "key", "response".
    noun : str
        What a mention is called.
    """

    by: str
    names: tuple[str, ...]
    errors: Ints
    mentions: Ints
    outcomes: Mapping[str, Ints]
    costs: Mapping[str, Floats]
    everything: Mapping[str, float]
    units: Mapping[str, str]
    facts: Mapping[str, str]
    noun: str = "mention"

    def __repr__(self) -> str:
        return f"<Errors of {brief(self.facts['response'])} by {self.by}: {counted(len(self.names), 'row')}>"

    def listing(self) -> Listing:
        """Return the table of ``referee errors --by``: kinds by their cost in the first metric, the costliest first.

        Of records, kinds that do not occur are left out, which a note says.
        """
        listing = self.records()
        if self.by != "kind":
            return listing
        *kinds, everything = listing.rows
        metric, cost = next(iter(self.costs.items()))
        rows = [kinds[n] for n in costliest(cost, falls=self.everything[metric] < 0)]
        notes = [LISTED + ", --context in its text" * (self.noun == "mention"), *listing.notes]
        absent = [name for name, errors in zip(self.names, self.errors.tolist(), strict=True) if not errors]
        if self.noun != "mention" and absent:
            rows = [row for row in rows if row[0] not in absent]
            notes = [f"none of: {', '.join(absent)}", *([] if "misplaced" in absent else [MISPLACED]), *notes]
        return listing._replace(rows=[*rows, everything], notes=notes)

    def records(self) -> Listing:
        """Return the same with all kinds, in the order of `KINDS`."""
        numbers = {"errors": self.errors, "mentions": self.mentions} if self.by == "kind" else {"mentions": self.mentions}
        numbers |= {name: mentions for name, mentions in self.outcomes.items() if mentions.any()}
        columns = [*numbers.values(), *self.costs.values()]
        rows = [[name, *(column[n] for column in columns)] for n, name in enumerate(self.names)]
        rows.append(["all", *(column.sum() for column in numbers.values()), *self.everything.values()])
        titles = {"mentions": f"{self.noun}s"}
        heads = [Column(self.by), *(Column(titles.get(name, name), "count", field=name) for name in numbers)]
        costs = [cost_column(metric, self.units[metric]) for metric in self.costs]
        title = f"Errors of {against([self.facts['response']], self.facts['key'])}"
        facts = {**self.facts, "by": self.by}
        return Listing([*heads, *costs], rows, notes=[self.facts["signature"]], facts=facts, title=title)


def cost_column(metric: str, unit: str) -> Column:
    """The column of costs in a metric: `cost_muc` for programs, as in what the page exports."""
    return Column(title_of(metric), "cost", unit, "cost in" if unit else "cost in points of", field=f"cost_{metric}")


def costliest(cost: Floats, *, falls: bool) -> list[int]:
    """The rows by their cost, the largest first: of a distance, which falls, the largest decrease. Ties stay as they are.

    >>> costliest(np.array([0.1, np.nan, 0.3]), falls=False), costliest(np.array([-0.1, -0.3]), falls=True)
    ([2, 0, 1], [1, 0])
    """
    values = np.nan_to_num(cost, nan=0.0)
    ordered: list[int] = np.argsort(values if falls else -values, kind="stable").tolist()
    return ordered


def breakdown(d: Differences, scores: Scores, by: str = "kind", metrics: Iterable[str] | None = None) -> Breakdown:
    """Break errors and their costs down by kind, or by one of `FACETS`.

    The facet of an error is that of the first mention that it concerns, in the key if it concerns one there.

    Raises
    ------
    UnknownNameError
        If `by` is neither "kind" nor one of `FACETS`.
    OptionError
        If the annotation lacks the facet.

    Examples
    --------
    >>> from referee import score
    >>> from referee.error_analysis.differences import differences
    >>> e = score([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}])
    >>> b = breakdown(differences(e.pair), e, "size", ["muc"])
    >>> b.names, b.outcomes["kept"].tolist(), b.outcomes["misplaced"].tolist()
    (('2', '3-4'), [2, 2], [0, 1])
    """
    check_name("breakdown", by, ["kind", *FACETS])
    pair = d.pair
    names: tuple[str, ...]
    if by == "kind":
        groups, names = d.kind.astype(np.int64), KINDS
        mentions, outcomes = tally(groups, d.mentions, len(KINDS)).astype(np.int64), {}
    else:
        facets = [FACETS[by](d, side) for side in (pair.key, pair.response)]
        values = np.unique(np.concatenate([facet.value for facet in facets]))
        key, response = (np.searchsorted(values, facet.value) for facet in facets)
        names = tuple(facets[0].name(int(value)) for value in values)
        groups = np.where(d.key_mention >= 0, at(key, d.key_mention), at(response, d.response_mention))
        mentions, outcomes = tally(key, minlength=len(names)), outcomes_by(d, key, response, len(names))
    errors = tally(groups, minlength=len(names))
    alone = costs(d, scores, metrics, groups, len(names)).corpus
    together = costs(d, scores, metrics, np.zeros(len(d), dtype=np.int64), 1).corpus
    return Breakdown(
        by, names, errors, mentions, outcomes,
        {m: np.where(errors, cost, 0.0) for m, cost in alone.items()},
        {m: float(cost[0]) if len(d) else 0.0 for m, cost in together.items()},
        {m: scores.counts_of(m).unit for m in alone},
        {"signature": scores.signature, "key": pair.key.source, "response": scores.name},
        unit_of(pair.key, pair.response),
    )  # fmt: skip


def outcomes_by(d: Differences, key: Ints, response: Ints, rows: int) -> dict[str, Ints]:
    """Return mentions by outcome and row: of the key, and those of the response that are spurious."""
    spurious = np.flatnonzero(d.response_counterpart < 0)
    error = np.concatenate([np.where(d.key_error >= 0, d.key_error, d.key_span_error), d.response_error[spurious]])
    row = np.concatenate([key, response[spurious]])
    table = tally(row * len(OUTCOMES) + 1 + at(d.kind, error), minlength=rows * len(OUTCOMES)).reshape(rows, len(OUTCOMES))
    return dict(zip(OUTCOMES, table.T, strict=True))


def _antecedent(side: Corpus) -> Ints:
    """The mention of the same entity before each mention, -1 for the first."""
    order = argsort(side.entity)
    before = np.full(len(order), -1, dtype=np.int64)
    later = ~starts_of_runs(side.entity[order])
    before[order[later]] = order[np.flatnonzero(later) - 1]
    return before


def _power(n: Ints) -> Ints:
    """0 for 1, 1 for 2, 2 for 3 and 4, 3 for 5 to 8, and so on."""
    return np.ceil(np.log2(n)).astype(np.int64)


def _range_of_power(power: int) -> str:
    low, high = (2 ** (power - 1) + 1 if power else 1), 2**power
    return str(high) if low == high else f"{low}-{high}"


def _or_first(name: Callable[[int], str]) -> Callable[[int], str]:
    return lambda value: "first" if value == 0 else name(value - 1)
