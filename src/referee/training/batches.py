"""Documents given as clusters of spans, collected in a batch.

To count one document takes milliseconds, and to count fifty takes hardly longer. So each document is kept as arrays until the
batch is large, and then a corpus is made of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeGuard

import numpy as np

from referee.algorithms.arrays import Ints, repeat, tally
from referee.corpus import Corpus
from referee.matching.pair import Sides

LARGEST = 1 << 31
"""Token offsets are below."""

PADDING = frozenset({"-100", "-100.0"})
"""What is no label, but makes rows equally long."""


class Clusters(NamedTuple):
    """The entities of a document.

    Parameters
    ----------
    spans : integers, shape (mentions, 2)
        Start and end of each mention, entity by entity.
    sizes : int64, shape (entities,)
        Mentions of each entity.
    """

    spans: Ints
    sizes: Ints


@dataclass
class Batch:
    """The key and the response of documents that are read together, and how many mentions they have."""

    names: list[str] = field(default_factory=list)
    keys: list[Clusters] = field(default_factory=list)
    responses: list[Clusters] = field(default_factory=list)
    mentions: int = 0

    def add(self, name: str, key: Clusters, response: Clusters) -> None:
        """Add a document."""
        self.names.append(name)
        self.keys.append(key)
        self.responses.append(response)
        self.mentions += len(key.spans) + len(response.spans)

    def corpora(self) -> Sides:
        """Key and response."""
        return Sides(_corpus(self.names, self.keys, "<key>"), _corpus(self.names, self.responses, "<response>"))


def clusters_of(value: object) -> Clusters | None:
    """Return clusters as arrays, without the spans that pad; None for anything but a collection of collections of spans."""
    if not is_collection(value):
        return None
    clusters = [cluster for cluster in value if is_collection(cluster)]
    if len(clusters) < len(value):
        return None
    try:
        spans = _spans([span for cluster in clusters for span in cluster])
    except (TypeError, ValueError, OverflowError, RuntimeError):  # other values than spans; tensors on another device
        return None
    sizes = np.array([len(cluster) for cluster in clusters], dtype=np.int64)
    least = spans.min(initial=0)
    if least < 0:
        padding = (spans[:, 0] == spans[:, 1]) & (spans[:, 0] < 0)
        sizes = tally(repeat(np.arange(len(sizes)), sizes)[~padding], minlength=len(sizes))
        spans = spans[~padding]
        least = spans.min(initial=0)
    if least < 0 or spans.max(initial=0) >= LARGEST or (spans[:, 0] > spans[:, 1]).any():
        return None
    return Clusters(spans, sizes)


def _spans(spans: list[Any]) -> Ints:
    """The spans as an array of shape (spans, 2). TypeError or ValueError if some are none."""
    if set(map(len, spans)) <= {2} and set(map(type, spans)) <= {list, tuple}:  # a set of two is an entity
        ends = list(chain.from_iterable(spans))
        if set(map(type, ends)) <= {int}:  # ten times as fast as the general conversion below
            return np.array(ends, dtype=np.int64).reshape(-1, 2)
    array = np.array(spans)
    if array.dtype.kind == "f":
        array = array.astype(np.float64)  # half floats do not reach LARGEST
        if (array == np.rint(array)).all() and (np.abs(array) < LARGEST).all():
            array = array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.shape != (len(spans), 2):
        raise TypeError("expected pairs of integers")
    return array.astype(np.int64, copy=False)


def without_padding(key: Any, response: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Rows of labels without the end that only pads the key; other values as they are."""
    if not all(isinstance(side, list) or getattr(side, "ndim", 0) == 1 for side in (key, response)) or len(key) != len(
        response
    ):
        return key, response
    labels = list(key) if isinstance(key, list) else key.tolist()
    while labels and str(labels[-1]) in PADDING:
        labels.pop()
    return key[: len(labels)], response[: len(labels)]


class _Collection(Sized, Iterable[object], Protocol):
    """What has a length and items: also arrays and tensors, which are no `collections.abc.Collection`."""


def is_collection(value: object) -> TypeGuard[_Collection]:
    """Whether a value has a length and items; a text, a mapping and a single number have none here."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return True
    if getattr(value, "ndim", 1) == 0:  # an array or tensor of no dimension has both methods, and they raise TypeError
        return False
    return hasattr(value, "__len__") and hasattr(value, "__iter__") and not isinstance(value, (str, bytes, Mapping))


def _corpus(names: list[str], documents: list[Clusters], source: str) -> Corpus:
    spans = np.concatenate([np.empty((0, 2), dtype=np.int64), *(clusters.spans for clusters in documents)])
    sizes = np.concatenate([np.empty(0, dtype=np.int64), *(clusters.sizes for clusters in documents)])
    return Corpus(
        tuple(names),
        document=repeat(np.arange(len(documents)), np.array([len(clusters.spans) for clusters in documents], dtype=np.int64)),
        start=spans[:, 0],
        end=spans[:, 1],
        entity=repeat(np.arange(len(sizes)), sizes),
        entity_ids=[str(n) for n in range(len(sizes))],
        source=source,
    ).in_reading_order()
