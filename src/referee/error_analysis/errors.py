"""`Errors`: the errors of a response, what they cost, and where they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.algorithms.arrays import Floats
from referee.error_analysis.breakdown import Breakdown, breakdown
from referee.error_analysis.costs import attributed, costs, usual
from referee.error_analysis.differences import Differences, differences
from referee.error_analysis.plots import draw
from referee.error_analysis.report import errors_by
from referee.metrics.scores import Scores
from referee.pair import Pair
from referee.reports.listing import Listing
from referee.reports.result import Result


@dataclass(frozen=True, eq=False)
class Errors(Result):
    """The errors of a response.

    Parameters
    ----------
    differences : Differences
        Each error: its kind, document, entities and mentions, as columns in the order of the text.
    scores : Scores
        The scores of the response.

    Examples
    --------
    >>> from referee import score
    >>> errors = score([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}]).errors()
    >>> errors.counts["misplaced"], errors.costs("muc").round(3).tolist()
    (1, [0.333])
    """

    differences: Differences
    scores: Scores

    @classmethod
    def of(cls, pair: Pair, scores: Scores) -> Errors:
        """Find the errors of a pair that was scored."""
        return cls(differences(pair), scores)

    def __len__(self) -> int:
        return len(self.differences)

    def __repr__(self) -> str:
        found = ", ".join(f"{number} {kind}" for kind, number in self.counts.items() if number)
        return f"<Errors of {self.scores.name}: {found or 'none'}>"

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        return self.differences.counts

    def by(self, by: str = "kind", metrics: str | Iterable[str] | None = None) -> Breakdown:
        """Break errors and their costs down by kind, or by one of `FACETS`, such as "distance" or "mention-type"."""
        return breakdown(self.differences, self.scores, by, self._metrics(metrics))

    def costs(self, metric: str = "conll") -> Floats:
        """Return what each error costs the corpus in a metric, shape (errors,): score gained if it is corrected."""
        (name,) = attributed(metric)
        return costs(self.differences, self.scores, [name]).corpus[name]

    def listing(self, by: str = "kind", *, metrics: str | Iterable[str] | None = None, top: int | None = None) -> Listing:
        """Return the table of `referee errors`.

        Parameters
        ----------
        by : str
            One of `BY`: "kind", a facet, or "entity" or "error" for a list, the costliest first.
        metrics : str, iterable or None
            The metrics in which costs are shown.
        top : int or None
            How many rows of a list at most; None for all.
        """
        return errors_by(self.differences, self.scores, by, self._metrics(metrics), top)

    def plot(
        self,
        path: str,
        kind: str = "costs",
        metrics: str | Iterable[str] | None = None,
        *,
        document: str | None = None,
    ) -> None:
        """Draw one of `PLOTS` into a file; see `referee.error_analysis.plots`."""
        draw(self.differences, self.scores, path, kind, self._metrics(metrics), document)

    def _metrics(self, metrics: str | Iterable[str] | None) -> Sequence[str]:
        return usual(self.scores) if metrics is None else attributed(metrics)
