"""`Coreference`: a metric of torchmetrics, for PyTorch and Lightning, also with several processes.

Needs the extra `referee[torch]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from referee.exceptions import MissingExtraError, OptionError
from referee.metrics.registry import Chosen
from referee.training.scorer import DEFAULT, Scorer

try:
    import torch
    from torchmetrics import Metric
except ImportError:
    raise MissingExtraError("the metric for torchmetrics", "torch") from None

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.option_types import ScoreOptions


class Coreference(Metric):
    """The scores of coreference as a metric of torchmetrics.

    Parameters
    ----------
    metrics
        As for `referee.score`.
    prefix : str
        What the names of the scores begin with, such as "dev/".
    profile : str
        One of `PROFILES`.
    **options
        Fields of `Options`.

    Notes
    -----
    The state is that of a `Scorer`: whole numbers that are added over processes. So the scores have the digits of one process,
    however many documents each has, and also on devices without 64-bit floats. There the scores are 32-bit floats.

    Examples
    --------
    >>> metric = Coreference(metrics="muc")
    >>> metric.update([[[(0, 1), (4, 5)]]], [[[(0, 1), (4, 5), (7, 9)]]])
    >>> metric.compute()["muc_recall"]
    tensor(0.5000, dtype=torch.float64)
    """

    full_state_update = False
    is_differentiable = False
    higher_is_better = True
    counted: torch.Tensor

    def __init__(
        self, metrics: Chosen = DEFAULT, *, prefix: str = "", profile: str = "default", **options: Unpack[ScoreOptions]
    ) -> None:
        super().__init__()
        self.prefix = prefix
        self.scorer = Scorer(metrics, profile=profile, **options)
        state = torch.from_numpy(self.scorer.state())
        self.add_state("counted", default=state, dist_reduce_fx="sum")

    def update(self, preds: Sequence[object], target: Sequence[object]) -> None:
        """Add a batch of documents.

        Parameters
        ----------
        preds, target
            The clusters of each document: of the response, and of the key.

        Raises
        ------
        OptionError
            If the two have different lengths.
        """
        if len(preds) != len(target):
            raise OptionError(f"found {len(preds)} documents in preds and {len(target)} in target; expected as many")
        self.scorer.reset()
        for predicted, gold in zip(preds, target, strict=True):
            self.scorer.update(predicted, gold)
        self.counted += torch.from_numpy(self.scorer.state()).to(self.counted.device)

    def compute(self) -> dict[str, torch.Tensor]:
        """Return the scores of all documents so far, by the names of `Scores.flat`: ``muc_f1``, ``conll``."""
        self.scorer.load_state(self.counted.cpu().numpy().astype(np.int64))
        dtype = torch.float32 if self.counted.device.type == "mps" else torch.float64
        flat = self.scorer.compute().flat(self.prefix)
        return {name: torch.tensor(value, dtype=dtype, device=self.counted.device) for name, value in flat.items()}
