"""`ResponseScores`: what the scores of one response can do, whether they were just counted or stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.metrics.registry import id_of
from referee.metrics.scores import Scores
from referee.scoring.systems import Systems, Tabulated, only

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
        return only(self, [id_of(metric) for metric in metrics])

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
