"""`ResponseScores`: what the scores of one response can do, whether they were just counted or stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.metrics.registry import NAMES
from referee.metrics.scores import Scores
from referee.scoring.systems import Systems, Tabulated

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from referee.scoring.intervals import Intervals
    from referee.stats.settings import ResamplingOptions


class ResponseScores(Scores, Tabulated):
    """The scores of one response that show themselves as a table, and have intervals."""

    @property
    def key_name(self) -> str:
        """Where the key came from."""
        raise NotImplementedError

    @property
    def systems(self) -> Systems:
        """The scores as a table of one row."""
        return Systems(self.key_name, [self], getattr(self, "warnings", ()))

    def only(self, metrics: Sequence[str]) -> Self:
        """The same with these metrics alone."""
        counts = {NAMES.get(metric, metric): self.counts_of(metric) for metric in metrics}
        records, listed = {name: self.record(name) for name in counts}, "+".join(counts)
        signed = (_listing(self.signature, " | ", listed), _listing(self.short_signature, "|", listed))
        return replace(self, counts=counts, metrics=records, signature=signed[0], short_signature=signed[1])

    def intervals(self, **resampling: Unpack[ResamplingOptions]) -> Intervals:
        """Compute the interval of each score from resampled documents; of records in one document, from resampled entities.

        Parameters
        ----------
        **resampling
            ``method``, ``level``, ``resamples``, ``seed``, ``unit``: see `referee.Resampling`.

        Returns
        -------
        Intervals
            A mapping from metrics to the interval of F or the value; it shows and exports itself, as the evaluation does.

        Raises
        ------
        UnknownNameError, OptionError
            If an option has a wrong value.

        Examples
        --------
        >>> from referee import score
        >>> key = {"d1": [["a", "b"]], "d2": [["c", "d", "e"]]}
        >>> evaluation = score(key, {"d1": [["a", "b"]], "d2": [["c", "d"]]}, metrics=["muc"])
        >>> found = evaluation.intervals(seed=1)["muc"]
        >>> round(found.low, 3), found.high
        (0.667, 1.0)
        """
        self.check_rows()
        from referee.scoring.intervals import intervals  # a plain score does not need it, and it is slow to import
        from referee.stats.settings import Resampling

        return intervals(self, self.key_name, Resampling(**resampling))


def _listing(signature: str, joint: str, metrics: str) -> str:
    """The signature with other metrics, which are its second field."""
    version, _, *fields = signature.split(joint)
    return joint.join([version, metrics, *fields])
