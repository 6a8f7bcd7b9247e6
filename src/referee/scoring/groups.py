"""The scores of groups of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.basics.exceptions import OptionError
from referee.metrics.scores import Scores
from referee.scoring.by import OVER_ALL, By, Grouping, check_by
from referee.scoring.datasets import datasets
from referee.scoring.groupings import by_document
from referee.scoring.units import averaged_alone
from referee.stats.counts import Counts


def rows_of_groups(documents: Sequence[str], by: Grouping) -> dict[str, list[int]]:
    """Return the rows of each group, in the order of their names.

    Raises
    ------
    OptionError
        If a table could not tell the name of a group from its own rows.
    """
    rows: dict[str, list[int]] = {}
    for row, document in enumerate(documents):
        rows.setdefault(by(document), []).append(row)
    check_groups(rows)
    return {group: rows[group] for group in sorted(rows)}


def check_groups(groups: Iterable[str]) -> None:
    """Raise OptionError for groups, or corpora, that a table could not tell from its own rows."""
    for name in groups:
        if name in ("", *OVER_ALL):
            raise OptionError(f"found a group, or corpus, called {name!r}; expected a name, and none of {', '.join(OVER_ALL)}")


def grouping_of(by: By, systems: Iterable[Scores]) -> Grouping:
    """Return what gives the group of each document that was scored."""
    check_by(by)
    if callable(by):
        return by
    return by_document if by in (None, "document") else datasets(systems, by).__getitem__


def grouped(scores: Scores, by: Grouping, metrics: Iterable[str]) -> Scores:
    """Return the scores of groups as if each were one document.

    That of a group is over its documents, added or averaged as the options say; `macro` is the mean over groups.
    """
    groups = rows_of_groups(scores.documents, by)
    counts = {metric: _grouped(scores, scores.counts_of(metric), list(groups.values())) for metric in metrics}
    return Scores(scores.name, tuple(groups), scores.metrics, counts, scores.options, scores.signature, scores.short_signature)


def _grouped(scores: Scores, counts: Counts, groups: Sequence[Sequence[int]]) -> Counts:
    """A row each group."""
    if scores.options.average == "macro":
        counts = averaged_alone(counts, scores.options.zero_division, scores.options.beta)
    return counts.totals(groups)
