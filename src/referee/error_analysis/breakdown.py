"""Errors and their costs by kind, or by a facet of the mention: size of its entity, mention type, distance, and others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats, Ints, tally
from referee.basics.exceptions import brief, check_name, counted
from referee.corpus.naming import unit_of
from referee.error_analysis.costs import costs
from referee.error_analysis.differences import KINDS, Differences, at
from referee.error_analysis.error_filter import ErrorFilter, SelectedErrors, notes_of, selection_of
from referee.error_analysis.facets import FACETS, of_errors
from referee.metrics.scores import Scores
from referee.metrics.titles import title_of
from referee.reports.listing import Column, Listing, against
from referee.reports.result import Result

OUTCOMES = ("kept", *KINDS)
"""What may happen to a mention. One with a span error and another error counts with the other one."""


MISPLACED = "misplaced: in an entity of others, apart from its own; so it is in a merge and in a split"
"""Said of records, whose merges and splits are listed, too: these count it on both sides."""


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
    notes : tuple of str
        Which errors these are, if not all, and how mention types are known.
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
    notes: tuple[str, ...] = ()

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
        return Listing([*heads, *costs], rows, notes=[*self.notes, self.facts["signature"]], facts=facts, title=title)


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


def breakdown(
    d: Differences,
    scores: Scores,
    by: str = "kind",
    metrics: Iterable[str] | None = None,
    wanted: ErrorFilter = ErrorFilter(),  # noqa: B008  # a value
) -> Breakdown:
    """Break errors and their costs down by kind, or by one of `FACETS`; perhaps only those that are `wanted`.

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
    pair, selected = d.pair, selection_of(d, wanted)
    names: tuple[str, ...]
    if by == "kind":
        groups, names = d.kind.astype(np.int64), KINDS
        mentions, outcomes = tally(groups, d.mentions * selected.errors, len(KINDS)).astype(np.int64), {}
    else:
        facets = [FACETS[by](d, side) for side in (pair.key, pair.response)]
        values = np.unique(np.concatenate([facet.value[rows] for facet, rows in zip(facets, selected[1:], strict=True)]))
        key, response = (np.searchsorted(values, facet.value) for facet in facets)
        names = tuple(facets[0].name(int(value)) for value in values)
        groups = np.searchsorted(values, of_errors(d, *facets))
        mentions = tally(key[selected.key], minlength=len(names))
        outcomes = outcomes_by(d, key, response, len(names), selected)
        outcomes = {name: n for name, n in outcomes.items() if not wanted.kind or name in ("kept", *wanted.kind)}
    groups = np.where(selected.errors, groups, -1)
    errors = tally(groups[groups >= 0], minlength=len(names))
    alone = costs(d, scores, metrics, groups, len(names)).corpus
    together = costs(d, scores, metrics, np.where(selected.errors, 0, -1), 1).corpus
    return Breakdown(
        by, names, errors, mentions, outcomes,
        {m: np.where(errors, cost, 0.0) for m, cost in alone.items()},
        {m: float(cost[0]) if errors.any() else 0.0 for m, cost in together.items()},
        {m: scores.counts_of(m).unit for m in alone},
        {"signature": scores.signature, "key": pair.key.source, "response": scores.name},
        unit_of(pair.key, pair.response),
        notes_of(d, wanted, selected, [by]),
    )  # fmt: skip


def outcomes_by(d: Differences, key: Ints, response: Ints, rows: int, selected: SelectedErrors) -> dict[str, Ints]:
    """Return mentions by outcome and row: of the key, and those of the response that are spurious."""
    spurious = np.flatnonzero((d.response_counterpart < 0) & selected.response)
    error = np.concatenate(
        [np.where(d.key_error >= 0, d.key_error, d.key_span_error)[selected.key], d.response_error[spurious]]
    )
    row = np.concatenate([key[selected.key], response[spurious]])
    table = tally(row * len(OUTCOMES) + 1 + at(d.kind, error), minlength=rows * len(OUTCOMES)).reshape(rows, len(OUTCOMES))
    return dict(zip(OUTCOMES, table.T, strict=True))
