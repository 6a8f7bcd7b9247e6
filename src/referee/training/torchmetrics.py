"""`Coreference`: a metric of torchmetrics, for PyTorch and Lightning, also with several processes.

Needs the extra `referee[torch]`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.basics.exceptions import MissingExtraError, OptionError, one_line
from referee.formats.shared.shapes import shown
from referee.metrics.registry import MetricsArg
from referee.training.batches import clusters_of, is_collection
from referee.training.scorer import DEFAULT, Scorer

try:
    import torch
    from torchmetrics import Metric
except ImportError:
    raise MissingExtraError("the metric for torchmetrics", "torch") from None

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.basics.options.types import ScoreOptions


EXPECTED = "a list with the clusters or labels of each document, or one tensor of labels"


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

    A tensor of labels is one document, as in `torchmetrics.clustering`.

    >>> metric = Coreference(metrics="rand")
    >>> metric.update(torch.tensor([0, 0, 1, 1]), torch.tensor([0, 0, 1, 2]))
    >>> metric.compute()["rand"]
    tensor(0.8333, dtype=torch.float64)
    """

    full_state_update = False
    is_differentiable = False
    higher_is_better = True
    counted: torch.Tensor

    def __init__(
        self, metrics: MetricsArg = DEFAULT, *, prefix: str = "", profile: str = "default", **options: Unpack[ScoreOptions]
    ) -> None:
        super().__init__()
        self.prefix = prefix
        self.scorer = Scorer(metrics, profile=profile, **options)
        state = torch.from_numpy(self.scorer.state())
        self.add_state("counted", default=state, dist_reduce_fx="sum")

    def update(self, preds: object, target: object) -> None:
        """Add a batch of documents, or one document of labels.

        Parameters
        ----------
        preds, target
            Of the response, and of the key: the clusters of each document, or its labels; or a tensor of shape (items,) with
            the labels of one document, as the metrics of `torchmetrics.clustering` take it.

        Raises
        ------
        RefereeError
            If the two have different lengths, could be one document, or cannot be read or compared. Nothing is added then.
        """
        sides: dict[str, Any] = {}
        for name, value in (("preds", preds), ("target", target)):
            documents: object = [value] if _is_labels(value) else value
            if not is_collection(documents) or isinstance(documents, (set, frozenset)):  # a set has no order
                raise OptionError(f"{name}: found {shown(value)}; expected {EXPECTED}")
            sides[name] = documents
        self.scorer.reset()
        try:
            if all(map(_may_be_one, sides.values())) and any(map(len, chain(*sides.values()))):
                raise OptionError(
                    "found what could be the clusters of one document; expected a list of documents, as in "
                    "update([preds], [target]); clusters of two items as sets, and labels that are all different as an array"
                )
            predictions, targets = map(len, sides.values())
            if predictions != targets:
                raise OptionError(f"found {predictions} documents in preds and {targets} in target; expected as many")
            for predicted, gold in zip(*sides.values(), strict=True):
                self.scorer.update(predicted, gold)
        except (TypeError, RuntimeError) as error:  # of torch, for tensors whose numbers cannot be seen: sparse, nested, meta
            raise OptionError(f"found a document that cannot be read ({one_line(str(error))}); expected {EXPECTED}") from error
        self.counted += torch.from_numpy(self.scorer.state()).to(self.counted.device)

    def compute(self) -> dict[str, torch.Tensor]:
        """Return the scores of all documents so far, by the names of `Scores.flat`: ``muc_f1``, ``conll``."""
        self.scorer.load_state(self.counted.cpu().numpy().astype(np.int64))
        dtype = torch.float32 if self.counted.device.type == "mps" else torch.float64
        flat = self.scorer.compute().flat(self.prefix)
        return {name: torch.tensor(value, dtype=dtype, device=self.counted.device) for name, value in flat.items()}

    def merge_state(self, incoming_state: dict[str, Any] | Metric) -> None:
        """Add what a metric with the same metrics and options has counted. OptionError for others."""
        self._check(incoming_state if isinstance(incoming_state, dict) else vars(incoming_state))
        super().merge_state(incoming_state)

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:  # noqa: ANN401
        self._check(state_dict, prefix)
        super()._load_from_state_dict(state_dict, prefix, *rest)

    def _check(self, states: dict[str, Any], prefix: str = "") -> None:
        if f"{prefix}counted" in states:
            self.scorer.load_state(states[f"{prefix}counted"].cpu().numpy())


def _may_be_one(documents: Any) -> bool:  # noqa: ANN401
    """Whether a batch may be the clusters of one document: of spans, or of names or numbers that are all different."""
    are_lists = all(isinstance(document, (list, tuple, set, frozenset)) for document in documents)
    items = list(chain.from_iterable(documents)) if are_lists else []
    if items and {*map(type, items)} <= {str, int}:
        return len({*items}) == len(items)
    return clusters_of(documents) is not None


def _is_labels(value: object) -> bool:
    """Whether a value is a tensor or an array of shape (items,); an array of objects is a batch of documents."""
    return getattr(value, "ndim", 0) == 1 and getattr(getattr(value, "dtype", None), "kind", "") != "O"
