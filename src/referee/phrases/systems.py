"""The scores of several responses in one report: `PhraseSystems`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.exceptions import one_line
from referee.metrics.titles import title_of
from referee.phrases.metrics import METRICS, OVERVIEW
from referee.phrases.scores import PhraseScores
from referee.reports.listing import Column, Listing, headed
from referee.reports.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class PhraseSystems(Result):
    """The scores of several responses against one key.

    Parameters
    ----------
    systems
        At least one, over the same candidate space.
    metrics
        The metrics that are shown; None for a few for several systems, for all if there is one.
    """

    systems: Sequence[PhraseScores]
    metrics: Sequence[str] | None = None

    def __repr__(self) -> str:
        return f"<PhraseSystems: {', '.join(scores.name for scores in self.systems)}>"

    def listing(self) -> Listing:
        """One system: a row for each metric. Several: a row for each system, a column for each metric."""
        if len(self.systems) == 1:
            return self.systems[0].listing()
        metrics = self.metrics or [metric for metric in OVERVIEW if any(metric in scores.metrics for scores in self.systems)]
        rows = [[one_line(scores.name), *(self._cell(scores, metric) for metric in metrics)] for scores in self.systems]
        notes = [note for scores in self.systems for note in scores.notes()]
        signatures = dict.fromkeys(scores.signature for scores in self.systems)
        columns = [Column("system"), *(Column(title_of(metric), "score", METRICS[metric].unit) for metric in metrics)]
        return Listing(columns, rows, notes=[*notes, *signatures], title=one_line(self.systems[0].key))

    def _cell(self, scores: PhraseScores, metric: str) -> object:
        return scores.cells(metric)["value"] if metric in scores.metrics else None

    def listings(self, by: Sequence[str] = (), *, reliability: bool = False) -> Sequence[Listing]:
        """The table of the metrics, then the error breakdowns and the reliability table of each system.

        Parameters
        ----------
        by
            The error breakdowns: "category", "length", "coverage", "sentence".
        reliability
            Whether reliability tables are shown.
        """
        several = len(self.systems) > 1
        details = [
            listing
            for scores in self.systems
            for listing in scores.detail_listings(by, reliability=reliability, system=one_line(scores.name) if several else "")
        ]
        return [self.listing(), *details]

    def records(self, by: Sequence[str] = (), *, reliability: bool = False) -> Listing:
        """The table for programs: the rows of all systems."""
        records = [scores.records(by, reliability=reliability) for scores in self.systems]
        return Listing(records[0].columns, [row for each in records for row in each.rows])

    def to_dict(self, by: Sequence[str] = (), *, reliability: bool = False) -> dict[str, object]:
        """The content of the JSON report."""
        systems = [scores.system(by, reliability=reliability) for scores in self.systems]
        return headed(key=self.systems[0].key, systems=systems)
