"""Costs by several properties at once, such as kind and mention type, with their margins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, tally
from referee.basics.exceptions import OptionError, check_name, counted, shortened
from referee.basics.options.choices import ERRORS_BY
from referee.corpus.naming import unit_of
from referee.error_analysis.breakdown import cost_column, costliest
from referee.error_analysis.costs import Costs, SingleErrorCounts, costs
from referee.error_analysis.differences import KINDS, Differences
from referee.error_analysis.error_filter import ErrorFilter, SelectedErrors, notes_of, selection_of
from referee.error_analysis.facets import FACETS, of_errors
from referee.metrics.scores import Scores
from referee.metrics.titles import title_of
from referee.reports.listing import Column, Listing, against

ALL = "all"
"""The value of a margin."""

MOST = 3
"""Properties that are crossed, at most."""

WIDEST = 10
"""Columns of costs that people see, at most, besides that of all."""


class Combination(NamedTuple):
    """The errors of a combination of values, and what all of them cost together.

    Parameters
    ----------
    values : tuple of int
        The place of each value among the names of its property; -1 for all.
    errors, mentions : int
    costs : dict
        Metric -> the gain of the corpus if all of these errors are repaired.
    """

    values: tuple[int, ...]
    errors: int
    mentions: int
    costs: dict[str, float]


def properties(by: str) -> tuple[str, ...]:
    """The properties that are named with commas between them; none if it is one name.

    >>> properties("kind,mention-type"), properties("kind")
    (('kind', 'mention-type'), ())
    """
    if not isinstance(by, str):
        raise OptionError(f"by is a text, as 'kind,mention-type'; found {shortened(repr(by))}")
    names = tuple(by.split(","))
    if len(names) == 1:
        return ()
    for name in names:
        if name in ERRORS_BY and name not in ("kind", *FACETS):
            raise OptionError(f"{name} is a list; expected alone, or several of: kind, {', '.join(FACETS)}")
        check_name("breakdown", name, ["kind", *FACETS])
    if len(names) > MOST or len(set(names)) < len(names):
        raise OptionError(f"a table has up to {MOST} different properties; found by {by!r}")
    return names


def combinations(
    d: Differences, by: Sequence[str], selected: SelectedErrors, costs_of: Callable[[Ints, int], Costs]
) -> tuple[list[tuple[str, ...]], list[Combination]]:
    """The names of the values of each property, and every combination that has errors, margins included.

    `costs_of` gives the costs of groups of errors, of which it is given the group of each error, and their number.
    """
    columns, names = zip(*(_values(d, name, selected) for name in by), strict=True)
    rows = np.flatnonzero(selected.errors)
    table: list[Combination] = []
    for is_crossed in product((True, False), repeat=len(by)):
        code = np.zeros(len(d), dtype=np.int64)
        for column, name, crosses in zip(columns, names, is_crossed, strict=True):
            code = code * (len(name) + 1) + (column if crosses else len(name))
        distinct, group = np.unique(code[rows], return_inverse=True)
        groups = np.full(len(d), -1, dtype=np.int64)
        groups[rows] = group
        cost = costs_of(groups, len(distinct)).corpus
        errors, mentions = tally(group, minlength=len(distinct)), tally(group, d.mentions[rows], len(distinct))
        parts = np.unravel_index(distinct, [len(name) + 1 for name in names])
        places = (np.where(part == len(name), -1, part).tolist() for part, name in zip(parts, names, strict=True))
        for n, values in enumerate(zip(*places, strict=True)):
            gains = {metric: float(column[n]) for metric, column in cost.items()}
            table.append(Combination(values, int(errors[n]), int(mentions[n]), gains))
    return list(names), table


def _values(d: Differences, by: str, selected: SelectedErrors) -> tuple[Ints, tuple[str, ...]]:
    """The value of each error, as its place among the names; wrong for errors that are left out."""
    if by == "kind":
        return d.kind.astype(np.int64), KINDS
    facets = [FACETS[by](d, side) for side in (d.pair.key, d.pair.response)]
    column = of_errors(d, *facets)
    values = np.unique(column[selected.errors])
    return np.minimum(np.searchsorted(values, column), max(len(values) - 1, 0)), tuple(map(facets[0].name, values.tolist()))


def crossed(
    d: Differences, scores: Scores, by: Sequence[str], metrics: Sequence[str], wanted: ErrorFilter, *, for_programs: bool
) -> Listing:
    """Return the table of costs by several properties.

    Programs get a row for each combination, `all` in the place of a property that is not told apart. People get the first
    properties as rows, and the last one as columns of costs in the first metric, the costliest first.
    """
    selected = selection_of(d, wanted)
    single = SingleErrorCounts.of(d, scores, metrics)
    names, table = combinations(
        d, by, selected, lambda groups, number: costs(d, scores, metrics, groups, number, single_counts=single)
    )
    noun = f"{unit_of(d.pair.key, d.pair.response)}s"
    notes = [*notes_of(d, wanted, selected, by), scores.signature]
    facts = {"signature": scores.signature, "key": d.pair.key.source, "response": scores.name, "by": ",".join(by)}
    title = f"Errors of {against([scores.name], d.pair.key.source)}"
    orders = [_order(table, place, len(values), scores, metrics) for place, values in enumerate(names)]
    if for_programs:
        heads = [Column(name, field=name.replace("-", "_")) for name in by]
        counts = [Column("errors", "count"), Column(noun, "count", field="mentions")]
        columns = [*heads, *counts, *(cost_column(metric, scores.counts_of(metric).unit) for metric in metrics)]
        rows = [[*_named(c.values, names), c.errors, c.mentions, *c.costs.values()] for c in table]
        return Listing(columns, rows, notes, facts, title=title)
    cells = {combination.values: combination for combination in table}
    metric = metrics[0]
    unit = scores.counts_of(metric).unit
    rows = []
    widest = orders[-1][:WIDEST]
    for values in product(*([*order, -1] for order in orders[:-1])):
        row = [cells.get((*values, last)) for last in (*widest, -1)]
        if row[-1] is not None:
            rows.append([*_named(values, names), row[-1].errors, *(c and c.costs[metric] for c in row)])
    group = f"cost in {title_of(metric)} by {by[-1]}"
    columns = [Column(name) for name in by[:-1]] + [Column("errors", "count")]
    columns += [Column(name, "cost", unit, group) for name in [*(names[-1][n] for n in widest), ALL]]
    left_out = len(orders[-1]) - len(widest)
    if left_out:
        notes.insert(0, f"{counted(left_out, 'column')} left out: --report csv has all")
    return Listing(columns, rows, notes, facts, title=title)


def _named(values: Sequence[int], names: Sequence[Sequence[str]]) -> list[str]:
    return [ALL if value < 0 else of_place[value] for value, of_place in zip(values, names, strict=False)]


def _order(table: Sequence[Combination], place: int, number: int, scores: Scores, metrics: Sequence[str]) -> list[int]:
    """The values of a property, those whose errors cost most in the first metric first."""
    cost = np.zeros(number)
    for combination in table:
        if all((value >= 0) == (n == place) for n, value in enumerate(combination.values)):
            cost[combination.values[place]] = combination.costs[metrics[0]]
    return costliest(cost, falls=scores.record(metrics[0]).target is not None)
