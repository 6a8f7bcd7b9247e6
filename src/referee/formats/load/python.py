"""Annotation as plain Python values.

* entities: a collection of collections of mentions, ``[{"a", "b"}, {"c"}]``;
* ``{mention: entity}``: each mention with the label of its entity;
* labels: a sequence or array (or a column of a data frame) with the entity label of item 0, 1, 2, ...;
* ``{document: any of these}``, for several documents: a mapping whose values are all lists, arrays or mappings.

``{entity: mentions}`` is none of them: give its values as a list. A mention is a pair of integers (a span of tokens, 0-based
and half-open when it is compared with a file) or anything else that has a text form, which then is its name.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from referee.corpus.builder import CorpusBuilder
from referee.corpus.corpus import Corpus
from referee.exceptions import OptionError


def corpus_of(value: object, *, source: str = "<memory>") -> Corpus:
    """Make a corpus of a Python value.

    Raises
    ------
    OptionError
        If it describes no annotation.

    Examples
    --------
    >>> corpus_of([{(0, 2), (5, 6)}, {(7, 8)}])
    Corpus(<memory>: 1 document, 3 mentions, 2 entities)
    >>> corpus_of({"a": 1, "b": 1, "c": 2}).entity.tolist()
    [0, 0, 1]
    """
    if _is_array(value):
        return _of_labels(np.asarray(value), source)
    if isinstance(value, Mapping) and value and all(map(_is_annotation, value.values())):
        documents = {str(name): list(_mentions(v)) for name, v in value.items()}
    else:
        documents = {"": list(_mentions(value))}
    builder = CorpusBuilder(source)
    spans = all(_is_span(m) for mentions in documents.values() for m, _ in mentions)
    for name, mentions in documents.items():
        builder.document(name)
        for mention, label in mentions:
            if spans:
                builder.mention(int(mention[0]), int(mention[1]), label)
            else:
                builder.item(_name(mention), label)
    return builder.corpus()


def _mentions(value: object) -> Iterable[tuple[Any, str]]:
    """Each mention with the label of its entity."""
    if isinstance(value, Mapping):
        return ((mention, _label(label, mention)) for mention, label in value.items())
    if _is_array(value):
        value = np.asarray(value).tolist()
    if not _is_collection(value):
        raise OptionError(f"expected entities, a mapping from mention to entity, or labels; found {type(value).__name__}")
    entities = [v for v in value if _is_collection(v) or _is_array(v)]
    if len(value) and not entities:
        if not isinstance(value, Sequence):
            raise OptionError("labels have an order: expected a list or an array, found a set")
        return (((i, i + 1), _label(label, i)) for i, label in enumerate(value))
    if len(entities) < len(value):
        odd = next(v for v in value if not (_is_collection(v) or _is_array(v)))
        raise OptionError(f"expected entities as collections of mentions; found {odd!r} among them")
    return ((mention, str(n)) for n, entity in enumerate(entities) for mention in entity)


def _of_labels(labels: np.ndarray[Any, Any], source: str) -> Corpus:
    """One label an item, without a Python object for each."""
    if labels.ndim != 1:
        raise OptionError(f"expected labels with shape (items,); found shape {labels.shape}")
    if labels.dtype.kind == "O":
        return corpus_of(labels.tolist(), source=source)
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        _label(np.nan, int(np.flatnonzero(np.isnan(labels))[0]))
    names, entity = np.unique(labels, return_inverse=True)
    start = np.arange(len(labels))
    return Corpus(
        ("#1",),
        document=np.zeros(len(labels), dtype=np.int64),
        start=start,
        end=start + 1,
        entity=entity.astype(np.int64),
        entity_ids=[str(n) for n in names.tolist()],
        source=source,
    ).in_reading_order()


def _label(label: object, mention: object) -> str:
    """The label of a mention's entity, of which it must have one."""
    if label is None or (isinstance(label, float) and np.isnan(label)):
        raise OptionError(f"{mention!r} has no entity; expected a label for each (singletons have entities of their own)")
    if not isinstance(label, Hashable) or isinstance(label, frozenset):
        remedy = "if this is {entity: mentions}, give list(d.values())"
        raise OptionError(f"expected the label of one entity for {mention!r}; found {label!r}: {remedy}")
    return str(label)


def _is_array(value: object) -> TypeGuard[Collection[object]]:
    """NumPy's arrays, and what turns into one: the column of a data frame."""
    return hasattr(value, "__array__") and not isinstance(value, np.generic)


def _is_collection(value: object) -> TypeGuard[Collection[object]]:
    return isinstance(value, Collection) and not isinstance(value, (str, bytes))


def _is_annotation(value: object) -> bool:
    """Whether a value of a mapping is a document's annotation, and not the label of an entity, which may be a tuple."""
    if isinstance(value, (tuple, set, frozenset)):
        return bool(value) and all(isinstance(entity, (set, frozenset, list, tuple)) for entity in value)
    return isinstance(value, (Mapping, list)) or _is_array(value)


def _is_span(mention: object) -> bool:
    """Whether it is a pair of offsets that fit a `Corpus`; other pairs are names."""
    if not (isinstance(mention, (tuple, list)) and len(mention) == 2):
        return False
    return all(isinstance(x, (int, np.integer)) and not isinstance(x, bool) and 0 <= x < 1 << 31 for x in mention)


def _name(mention: object) -> str:
    """The same name for the same value, whether it comes from NumPy or not, from a list or a tuple."""
    return mention if isinstance(mention, str) else repr(_plain(mention))


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    return tuple(map(_plain, value)) if isinstance(value, (list, tuple)) else value
