"""`F1Metrics` of `seqeval.callbacks` 0.0.12: F1 of chunks at the end of each epoch, for Keras and what is like it.

Keras is not imported. If a program has imported it, the callback is one of its class `Callback`.

Examples
--------
>>> class Model:
...     def predict_on_batch(self, x):
...         return np.eye(3)[x]
>>> callback = F1Metrics({1: "B-PER", 2: "O"}, digits=None, validation_data=[(np.array([[1, 2, 2]]), np.array([[1, 2, 0]]))])
>>> callback.set_model(Model())
>>> logs = {}
>>> callback.on_epoch_end(0, logs)
 - f1: 100.00
>>> logs
{'f1': 1.0}
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from referee.basics.exceptions import OptionError
from referee.compat import seqeval
from referee.formats.shared.shapes import Foreign
from referee.phrases.ids import tags_of

if TYPE_CHECKING:
    from typing import Self  # which Python 3.10 does not have

__all__ = ["F1Metrics"]

Sentences: TypeAlias = list[list[str]]


class F1Metrics:
    """F1 of chunks, which is printed and written to the logs as ``f1``.

    Parameters
    ----------
    id2label : dict
        The tag of each id.
    pad_value : int
        The id in the key of what is no word.
    validation_data : iterable of (x, y), optional
        Batches; y has ids, or as many numbers for each word as there are ids. Without it, the ``validation_data`` that older
        versions of Keras set.
    digits : int or None
        Decimals of the report; None for no report.

    Raises
    ------
    OptionError
        At the end of an epoch, if there are no data, or an id has no tag.
    """

    def __new__(cls, *args: object, **options: object) -> Self:  # noqa: ARG004  # those of __init__
        """Make a callback, one of Keras where that is imported."""
        base = getattr(getattr(sys.modules.get("keras"), "callbacks", None), "Callback", None)
        kind = type(cls.__name__, (cls, base), {}) if base and not issubclass(cls, base) else cls
        return object.__new__(kind)

    def __init__(
        self,
        id2label: Mapping[int, str],
        pad_value: int = 0,
        validation_data: Iterable[tuple[Foreign, Foreign]] | None = None,
        digits: int | None = 4,
    ) -> None:
        super().__init__()
        self.id2label = id2label
        self.pad_value = pad_value
        self.validation_data = validation_data
        self.digits = digits
        self.is_fit = validation_data is None

    def set_model(self, model: Foreign) -> None:
        """Take a model: what has `predict_on_batch`."""
        set_of_keras = getattr(super(), "set_model", None)
        if set_of_keras:
            set_of_keras(model)
        else:
            self.model = model

    def on_epoch_end(self, epoch: int, logs: MutableMapping[str, float] | None = None) -> None:  # noqa: ARG002
        """Score the validation data, print the score, and write it to the logs."""
        if self.validation_data is None:
            raise OptionError("found no validation data; expected F1Metrics(..., validation_data=[(x, y), ...])")
        batches = [tuple(self.validation_data)[:2]] if self.is_fit else self.validation_data
        pairs = [self.predict(x, y) for x, y in batches]
        score = self.score(*([tags for sides in pairs for tags in sides[n]] for n in (0, 1)))
        if logs is not None:
            logs["f1"] = score

    def predict(self, x: Foreign, y: Foreign) -> tuple[Sentences, Sentences]:
        """The tags of a batch: those of the key, and those that the model predicts."""
        predicted, labels = np.asarray(self.model.predict_on_batch(x)), np.asarray(y)
        ids = labels if labels.ndim == predicted.ndim - 1 else np.argmax(labels, -1)
        words = ids != self.pad_value
        sides = (
            [tags_of(row[is_word].tolist(), self.id2label) for row, is_word in zip(side, words, strict=True)]
            for side in (ids, predicted.argmax(-1))
        )
        key, response = sides
        return key, response

    def score(self, y_true: Sentences, y_pred: Sentences) -> float:
        """Print and return F1."""
        score = float(seqeval.f1_score(y_true, y_pred))
        print(f" - f1: {score * 100:04.2f}")
        if self.digits:
            print(seqeval.classification_report(y_true, y_pred, digits=self.digits))
        return score
