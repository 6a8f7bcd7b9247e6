"""The table of coreference papers: precision, recall and F of several metrics beside each other, and their average.

::

                      MUC                    B³                   CEAFe            CoNLL
    system      P      R     F1      P      R     F1      P      R     F1  avg. F1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import OptionError, check_name, listed
from referee.metrics.titles import SYSTEM, title_of, title_of_f
from referee.reports.listing import Cell, Column, Listing, Title

TABLES: Mapping[str, tuple[Sequence[str], str]] = {"conll": (("muc", "b_cubed", "ceaf_e"), "conll")}
"""Name of a table -> its metrics with two sides, and their average."""

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
    average : Cell or None
        The mean of the F-measures; None if there is none.
    """

    labels: Sequence[str]
    sides: Mapping[str, SideScores]
    average: Cell | None = None


def paper_table(
    lines: Iterable[Line], table: str = "conll", *, labels: Sequence[Title] = (SYSTEM,), beta: float = 1
) -> Listing:
    """The table of some systems.

    Parameters
    ----------
    lines
        A row each.
    table
        One of `TABLES`.
    labels
        The headers of the labels.
    beta
        Of F.

    Returns
    -------
    Listing
        Without notes: see ``dataclasses.replace``. Programs call the columns ``muc_precision``, ``muc_recall``, ``muc_f1`` and
        so on.

    Raises
    ------
    UnknownNameError
        For an unknown table.
    OptionError
        If a row lacks a metric.
    """
    check_name("table", table, TABLES)
    (metrics, average), f = TABLES[table], title_of_f(beta)
    rows = []
    for line in lines:
        if missing := [metric for metric in metrics if metric not in line.sides]:
            raise OptionError(f"the table {table} needs {listed(metrics)}; found no {listed(missing)}")
        rows.append([*line.labels, *(score for metric in metrics for score in line.sides[metric]), line.average])
    heads = (("P", "precision"), ("R", "recall"), (f, f.text.lower()))
    columns = [
        Column(head, "score", group=_printed(metric), field=f"{metric}_{side}") for metric in metrics for head, side in heads
    ]
    mean = Column(Title(f"avg. {f}", latex=f"avg. {f.latex}"), "score", group=_printed(average), field=average)
    return Listing([*map(Column, labels), *columns, mean], rows, legend=[LETTERS])


def _printed(metric: str) -> Title:
    """The name of a metric as papers write it, in every form."""
    title = title_of(metric)
    return title._replace(text=title.paper or metric)
