"""The table that conlleval and seqeval print: recall, precision and F1 of each type, and their averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import tally
from referee.basics.exceptions import check_name, counted
from referee.metrics.titles import title_of_f
from referee.phrases.annotation import Chunks, aligned, common_spans
from referee.phrases.one_best import ChunkCounts
from referee.reports.listing import Column, Listing, Title
from referee.reports.numbers import number
from referee.reports.result import Result
from referee.stats.counts import Counts, divide, rates

TITLES: Sequence[str | Title] = ("recall", "precision", title_of_f(1))


def counts_by_type(key: Chunks, response: Chunks) -> dict[str, ChunkCounts]:
    """The chunks of each category, and how many have the same span in key and response; those that neither has are left out.

    Examples
    --------
    >>> from referee.phrases import decode
    >>> counts_by_type(decode([["B-NP", "B-VP"]]), decode([["B-NP", "B-PP"]]))["NP"]
    ChunkCounts(matched=1.0, key=1, response=1)
    """
    key, response = aligned(key, response)
    common = key.category[common_spans(key, response)[0]]
    columns = [tally(c, minlength=len(key.categories)).tolist() for c in (common, key.category, response.category)]
    counts = {x: ChunkCounts(float(n[0]), *n[1:]) for x, *n in zip(key.categories, *columns, strict=True)}
    return {name: counts[name] for name in sorted(counts) if counts[name].key or counts[name].response}


def type_counts(key: Chunks, response: Chunks) -> dict[str, Counts]:
    """The same in each sentence, for intervals; that of all types has an empty name.

    Examples
    --------
    >>> from referee.phrases import decode
    >>> key, response = decode([["B-NP"], ["B-VP"]]), decode([["B-NP"], ["B-NP"]])
    >>> [counts.score().recall.tolist() for counts in type_counts(key, response).values()]
    [[1.0, nan], [nan, 0.0], [1.0, 0.0]]
    """
    key, response = aligned(key, response)
    sentences = len(key.sentences)
    common = key.where(common_spans(key, response)[0])

    def counts(*sides: Chunks) -> Counts:
        matched, of_key, of_response = (tally(side.sentence, minlength=sentences) for side in sides)
        return rates((matched.astype(np.float64), of_key), (matched.astype(np.float64), of_response))

    sides = (common, key, response)
    by_type = {name: counts(*(side.where(side.category == x) for side in sides)) for x, name in enumerate(key.categories)}
    return by_type | {"": counts(*sides)}


class TypeScores(NamedTuple):
    """The scores of the phrases of a type, and how many the key has; nan where nothing is to divide by."""

    recall: float
    precision: float
    f1: float
    support: int


@dataclass(frozen=True, eq=False, repr=False)
class TypeTable(Result):
    """The scores of each type.

    Parameters
    ----------
    counts
        Type -> its chunks.
    """

    counts: Mapping[str, ChunkCounts]

    def __repr__(self) -> str:
        return f"<TypeTable of {counted(len(self.counts), 'type')}: micro F1 {number(self.averages['micro'].f1)}>"

    @property
    def rows(self) -> dict[str, TypeScores]:
        """The scores of each type."""
        return {name: TypeScores(n.recall, n.precision, n.f1, n.key) for name, n in self.counts.items()}

    def __getitem__(self, name: str) -> TypeScores:
        """The scores of a type."""
        check_name("type", name, self.counts)
        return self.rows[name]

    @property
    def averages(self) -> dict[str, TypeScores]:
        """The same of all chunks (micro), and means of types (macro; weighted by support), with 0 / 0 as 0 as in seqeval."""
        columns = np.array([[n.matched, n.key, n.response] for n in self.counts.values()]).reshape(-1, 3)
        matched, key, response = columns.sum(axis=0).tolist()
        total = ChunkCounts(matched, int(key), int(response))
        sides = np.nan_to_num(np.array([row[:3] for row in self.rows.values()]).reshape(-1, 3))
        weights = {"macro": np.ones(len(sides)), "weighted": columns[:, 1]}
        averages = {"micro": TypeScores(total.recall, total.precision, total.f1, total.key)}
        for name, weight in weights.items():
            recall, precision, f1 = divide(weight @ sides, weight.sum()).tolist()
            averages[name] = TypeScores(recall, precision, f1, total.key)
        return averages

    def listing(self, system: str = "") -> Listing:
        """The table of the types; `system` is for its caption."""
        columns = [Column("type"), *(Column(title, "score") for title in TITLES), Column("support", "count")]
        rows = [[name, *row] for name, row in self.rows.items()]
        undefined = any(np.isnan(row[:3]).any() for row in self.rows.values())
        rows += [[f"{name} average", *row] for name, row in self.averages.items()]
        legend = (
            ["what is 0 / 0 has no number; it counts as 0 in the macro and weighted averages, as in seqeval"]
            if undefined
            else []
        )
        return Listing(columns, rows, legend=legend, caption=f"by type: {system}" if system else "")
