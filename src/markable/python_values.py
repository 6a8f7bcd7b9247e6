"""Annotation as plain Python values.

* entities: a list (or other collection) of collections of mentions, ``[{"a", "b"}, {"c"}]``;
* ``{mention: entity}``: each mention with the label of its entity;
* labels: a sequence or array with the entity label of item 0, 1, 2, ...;
* ``{document: any of these}``, for several documents.

A mention is a pair of integers (a span of tokens, 0-based and half-open when it is compared with a file) or anything
else that has a text form, which then is its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from markable.builder import CorpusBuilder
from markable.corpus import Corpus
from markable.errors import OptionError


def corpus_of(value: Any, *, source: str = "<memory>") -> Corpus:
    """The corpus that a Python value describes. OptionError if it describes none.

    >>> corpus_of([{(0, 2), (5, 6)}, {(7, 8)}])
    Corpus(<memory>: 1 documents, 3 mentions, 2 entities)
    >>> corpus_of({"a": 1, "b": 1, "c": 2}).entity.tolist()
    [0, 0, 1]
    """
    if isinstance(value, np.ndarray):
        return _of_labels(value, source)
    builder = CorpusBuilder(source)
    if isinstance(value, Mapping) and value and all(map(_is_annotation, value.values())):
        documents = {str(name): list(_mentions(v)) for name, v in value.items()}
    else:
        documents = {"": list(_mentions(value))}
    spans = all(_is_span(m) for mentions in documents.values() for m, _ in mentions)
    for name, mentions in documents.items():
        builder.document(name)
        for mention, label in mentions:
            if spans:
                builder.mention(int(mention[0]), int(mention[1]), label)
            else:
                builder.item(_name(mention), label)
    return builder.corpus()


def _mentions(value: Any) -> Iterable[tuple[Any, str]]:
    """Each mention with the label of its entity."""
    if isinstance(value, Mapping):
        return ((mention, str(label)) for mention, label in value.items())
    if isinstance(value, str) or not isinstance(value, Collection):
        raise OptionError(f"expected entities, a mapping from mention to entity, or labels; found {type(value).__name__}")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if value and not any(isinstance(v, (set, frozenset, list, tuple)) for v in value):
        if not isinstance(value, Sequence):
            raise OptionError("labels have an order: expected a list or an array, found a set")
        return (((i, i + 1), str(label)) for i, label in enumerate(value))
    odd = next((v for v in value if isinstance(v, str) or not isinstance(v, Collection)), None)
    if odd is not None:
        raise OptionError(f"expected entities as collections of mentions; found {odd!r} among them")
    return ((mention, str(n)) for n, entity in enumerate(value) for mention in entity)


def _of_labels(labels: np.ndarray[Any, Any], source: str) -> Corpus:
    """One label an item, without a Python object for each."""
    if labels.ndim != 1:
        raise OptionError(f"expected labels with shape (items,); found shape {labels.shape}")
    names, entity = np.unique(labels, return_inverse=True)
    start = np.arange(len(labels))
    return Corpus.build(
        ["#1"], np.zeros(len(labels), dtype=np.int64), start, start + 1, entity.astype(np.int64),
        [str(n) for n in names.tolist()],
        source=source,
    )  # fmt: skip


def _is_annotation(value: Any) -> bool:
    """Whether a value of a mapping is a document's annotation, and not the label of an entity, which may be a tuple."""
    if isinstance(value, (tuple, set, frozenset)):
        return bool(value) and all(isinstance(entity, (set, frozenset, list, tuple)) for entity in value)
    return isinstance(value, (Mapping, list, np.ndarray))


def _is_span(mention: Any) -> bool:
    """Whether it is a pair of offsets that fit a `Corpus`; other pairs are names."""
    return (
        isinstance(mention, (tuple, list))
        and len(mention) == 2
        and all(isinstance(x, (int, np.integer)) and not isinstance(x, bool) and 0 <= x < 1 << 31 for x in mention)
    )


def _name(mention: Any) -> str:
    return mention if isinstance(mention, str) else repr(mention)
