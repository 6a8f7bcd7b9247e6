"""The table of papers: precision, recall and F of several metrics beside each other; an average has F alone.

::

                      MUC                    B³                   CEAFe            CoNLL
    system      P      R     F1      P      R     F1      P      R     F1  avg. F1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import check_name
from referee.metrics.registry import ALL
from referee.metrics.scores import Scores
from referee.metrics.titles import SYSTEM, title_of, title_of_f
from referee.reports.listing import Cell, Column, Listing, Title
from referee.stats.counts import Score

TABLES: Mapping[str, Sequence[str]] = {"conll": ("muc", "b_cubed", "ceaf_e", "conll"), "prf": ()}
"""Name of a table -> its metrics, unless others are named; none for those of any other report."""

LETTERS = "P: precision, R: recall"


class SideScores(NamedTuple):
    """The score of a metric: fractions of 1; None for a side that it does not have."""

    precision: Cell | None
    recall: Cell | None
    f: Cell | None


class Line(NamedTuple):
    """A row of the table.

    Attributes
    ----------
    labels : sequence of str
        As many as the table has labels: the name of the system.
    sides : mapping
        Metric -> its score.
    """

    labels: Sequence[str]
    sides: Mapping[str, SideScores]


def metrics_of(table: str, scores: Scores) -> list[str]:
    """Return the metrics of a table: those that were named, or all; or else those that it has by its name.

    Raises
    ------
    UnknownNameError
        For an unknown table.
    """
    check_name("table", table, TABLES)
    return list(scores) if scores.panel in ("", ALL) else list(TABLES[table] or scores)


def paper_table(
    lines: Iterable[Line], scores: Mapping[str, Score], units: Mapping[str, str], labels: Sequence[Title] = (SYSTEM,)
) -> Listing:
    """Return the table of some systems.

    Parameters
    ----------
    lines
        A row each.
    scores
        Metric -> some score by it, which has the sides of all others; the metrics in the order of the table.
    units
        Metric -> its unit, "" for fractions of 1.
    labels
        The headers of the labels.

    Returns
    -------
    Listing
        Without notes: see ``_replace``. Programs call the columns ``muc_precision``, ``muc_recall``, ``muc_f1`` and so on, and
        those of metrics without sides as the metric.
    """
    columns = [column for metric, score in scores.items() for column in _columns(metric, score, units.get(metric, ""))]
    rows = [
        [*line.labels, *(cell for metric, score in scores.items() for cell in line.sides[metric][2 * (score.recall is None) :])]
        for line in lines
    ]
    has_sides = any(score.recall is not None for score in scores.values())
    return Listing([*map(Column, labels), *columns], rows, legend=[LETTERS] * has_sides)


def signed(listing: Listing, signatures: Sequence[str]) -> Listing:
    """Return a table for programs: with the signature of each row."""
    rows = [[*row, signature] for row, signature in zip(listing.rows, signatures, strict=True)]
    return listing._replace(columns=[*listing.columns, Column("signature", "number")], rows=rows)


def _columns(metric: str, score: Score, unit: str) -> Iterator[Column]:
    """The columns of a metric: of both sides and F; of an average, F; or the value."""
    title = title_of(metric)
    group = title._replace(text=title.paper or metric)  # as papers write it, in every form
    f = Title("value") if score.beta is None else title_of_f(score.beta)
    if score.recall is None:
        mean = f if score.beta is None else Title(f"avg. {f}", latex=f"avg. {f.latex}")
        yield Column(mean, "score", unit, group, field=metric)
        return
    for head, side in (("P", "precision"), ("R", "recall"), (f, f.text.lower())):
        yield Column(head, "score", unit, group, field=f"{metric}_{side}")
