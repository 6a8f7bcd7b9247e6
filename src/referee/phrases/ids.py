"""Tags of token classification: numbers, or a number for each label, as models and the `Trainer` of Hugging Face give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from referee.basics.exceptions import OptionError, counted

Tags: TypeAlias = list[list[str]]
"""The tags of each sentence."""

Labels: TypeAlias = "Mapping[Any, str] | Sequence[str]"
"""The label of each id, as ``model.config.id2label`` has them; or the labels in their order."""

PADDING = -100
"""The id of what is no word, or no first piece of one."""


def from_ids(key: Any, response: Any, id2label: Labels) -> tuple[Tags, Tags]:  # noqa: ANN401  # arrays of any library
    """Return the tags of key and response, without the places where the key has -100.

    Parameters
    ----------
    key : array, tensor or list
        The label ids of each sentence, -100 for what is not scored: ``label_ids`` of the `Trainer`.
    response : array, tensor or list
        What was predicted: ids, or a number for each label (logits), of which the largest is taken.
    id2label : mapping or sequence
        The label of each id, as ``model.config.id2label``.

    Returns
    -------
    tuple of two lists
        The tags of each sentence of the key, and of the response, as `score`, `errors` and `compare` take them.

    Raises
    ------
    OptionError
        If the two have other shapes, or an id has no label.

    Examples
    --------
    >>> from referee.phrases import score
    >>> labels = {0: "O", 1: "B-PER", 2: "I-PER"}
    >>> key, response = from_ids([[-100, 1, 2, 0, -100]], [[0, 1, 0, 0, 0]], labels)
    >>> key, response
    ([['B-PER', 'I-PER', 'O']], [['B-PER', 'O', 'O']])
    >>> score(key, response).flat()["exact_match_f1"]
    0.0
    """
    labels = {
        int(number): label for number, label in (id2label.items() if isinstance(id2label, Mapping) else enumerate(id2label))
    }
    rows, predicted = _rows(key), _rows(response)
    if len(rows) != len(predicted):
        raise OptionError(
            f"found {counted(len(rows), 'sentence')} in the key and {len(predicted)} in the response; expected as many"
        )
    sides: tuple[Tags, Tags] = ([], [])
    for number, (ids, prediction) in enumerate(zip(rows, predicted, strict=True), start=1):
        best = prediction.argmax(-1) if prediction.ndim == ids.ndim + 1 else prediction
        if best.shape != ids.shape or ids.ndim != 1:
            shapes = f"{list(ids.shape)} in the key and {list(prediction.shape)} in the response"
            raise OptionError(f"sentence {number}: found numbers of shape {shapes}; expected ids, and as many ids or logits")
        for side, values in zip(sides, (ids, best), strict=True):
            side.append(tags_of(values[ids != PADDING].tolist(), labels))
    return sides


def tags_of(ids: Iterable[int], labels: Mapping[int, str]) -> list[str]:
    """Return the label of each id. OptionError for an id without one."""
    numbers = list(ids)
    if wrong := [number for number in numbers if number not in labels]:
        raise OptionError(f"found the id {wrong[0]}; expected one of id2label: {', '.join(map(str, labels))}")
    return [labels[number] for number in numbers]


def _rows(value: Any) -> list[Any]:  # noqa: ANN401  # arrays of any library
    """The numbers of each sentence: of an array, or of a list of lists or tensors that are not as long."""
    if hasattr(value, "detach"):  # a tensor, perhaps on another device
        value = value.detach().cpu()
    rows = [np.asarray(row.detach().cpu() if hasattr(row, "detach") else row) for row in value]
    if wrong := [row.dtype.name for row in rows if row.dtype.kind not in "iuf" and row.size]:
        raise OptionError(f"found {wrong[0]} where numbers are expected: tags that are words need no ids")
    return [row.astype(np.int64) if row.ndim == 1 and row.dtype.kind == "f" and (row % 1 == 0).all() else row for row in rows]
