"""Annotation as plain Python values.

* entities: a collection of collections of mentions, ``[{"a", "b"}, {"c"}]``;
* documents: a list of these, ``[[{(0, 1), (5, 6)}], [{(2, 3)}]]``, called by their numbers, or ``{document: entities}``;
* ``{mention: entity}``: each mention with the label of its entity;
* labels: a sequence or array with the entity label of item 0, 1, 2, ...; of several documents ``{document: array}``.

A mention is a span, a pair of integers (offsets of tokens, 0-based and half-open when it is compared with a file), or anything
else that has a text form, which then is its name. Pairs are lists, tuples, arrays or tensors; other tuples are names in sets.

What a value is by its structure: one thing, a pair of integers, a tuple of things, or a collection of values. `shapes_of`
decides for many values at a time. The types of all of them are looked at first, in a loop of the interpreter; only odd ones
are looked at one by one.

How deep a value is decides what it is: the same for all its parts. What could be read in two ways is refused: ``{entity:
mentions}``, pairs where entities are expected, tuples that are either entities or mentions.
"""

from __future__ import annotations

import operator
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeGuard

import numpy as np

from referee.algorithms.arrays import Ints, repeat, unique
from referee.algorithms.components import components
from referee.basics.exceptions import OptionError, warn
from referee.corpus import VIEWS, Corpus
from referee.corpus.strings import ranks
from referee.formats.shared.shapes import (
    EXACT,
    WHOLE,
    Foreign,
    as_array,
    is_array,
    is_collection,
    is_missing,
    is_whole,
    members,
    shown,
)
from referee.tabular.doubts import joined_records
from referee.tabular.labels import numbered
from referee.tabular.missing import MISSING
from referee.tabular.text import names_of

ATOM = "one thing"
SPAN = "a span"
PAIR = "a pair of integers that is no span"
TUPLE = "a tuple of things"
LEVEL = "a collection"

ATOMS = frozenset({str, int, float})
"""Types whose values are one thing, without a further look."""
NAMES = frozenset({str, int})
"""Types whose values are names of mentions and of entities, without a further look."""
SETS = frozenset({set, frozenset})
"""Types whose values are collections, without a further look."""
PAIRS = frozenset({tuple, list})
"""Types whose values may be spans."""
LARGEST = 1 << 31
"""Offsets of a `Corpus` are smaller."""

ENTITIES = (
    "if this is {entity: mentions}, give list(d.values()); if it is {item: label}, give the label alone; for "
    "overlapping entities, call referee.compat.bcubed"
)
DECISIONS = "rows such as {'id1': 'a', 'id2': 'b', 'label': 1} for decisions about pairs"
FORMS = (
    "entities as a list of sets, {document: entities}, {mention: entity}, an array of labels, documents of jsonlines, a table "
    "with the columns item and entity, or the path of a file"
)


class PlainAnnotation(NamedTuple):
    """The annotation of one document.

    Parameters
    ----------
    mentions : list of str or array of shape (mentions, 2)
        Items, or the offsets of spans.
    entity : int64, shape (mentions,)
        The entity of each mention.
    labels : list of str
        What the entities are called.
    by_position : bool
        Whether mentions are items 0, 1, 2, ... of a sequence of labels.
    labelled : bool
        Whether each item was given with its label.
    """

    mentions: list[str] | Ints
    entity: Ints
    labels: list[str]
    by_position: bool = False
    labelled: bool = False


def corpus_of_plain(value: object, *, source: str = "<memory>", nulls: str = "error") -> Corpus:
    """Make a corpus of a Python value.

    Raises
    ------
    OptionError
        If it describes no annotation, or could mean two.

    Examples
    --------
    >>> corpus_of_plain([{(0, 2), (5, 6)}, {(7, 8)}])
    Corpus(<memory>: 1 document, 3 mentions, 2 entities)
    >>> corpus_of_plain({"a": 1, "b": 1, "c": 2}).entity.tolist()
    [0, 0, 1]
    """
    if isinstance(value, Iterator):
        value = list(value)
    if _are_labels(value):
        return corpus_of_labels(as_array(value), source, nulls)
    if isinstance(value, Mapping):
        return corpus_of_documents(_of_mapping(value, nulls), source)
    if not (is_collection(value) or is_array(value)):
        raise OptionError(f"found {shown(value)} of the type {type(value).__name__}; expected {FORMS}")
    return corpus_of_documents([("", document) for document in _of_list(value, nulls)], source)


def _are_labels(value: object) -> TypeGuard[Foreign]:
    """Whether a value is an array of labels: not one of entities, as with an axis for spans, or with lists in it."""
    if not is_array(value) or (array := as_array(value)).ndim > 2:
        return False
    return not (array.dtype.kind == "O" and array.size and all(shape_of(part) == LEVEL for part in array.flat))


def empty_corpus(source: str) -> Corpus:
    """The corpus of one document without items, as an empty table is."""
    return corpus_of_labels(np.empty(0), source)


def corpus_of_labels(labels: np.ndarray[Any, Any], source: str, nulls: str = "error") -> Corpus:
    """The corpus of an array with the label of each item.

    Raises
    ------
    OptionError
        If the array has another shape than (items,), or an item has no label.
    """
    return corpus_of_documents([("", _of_array(labels, nulls))], source)


def entities_of_labels(labels: np.ndarray[Any, Any]) -> Ints:
    """The number of the entity of each item of such an array: in the order of their first items, from 0.

    Raises
    ------
    OptionError
        As for `corpus_of_labels`.
    """
    return _of_array(labels).entity


def _of_array(labels: np.ndarray[Any, Any], nulls: str = "error") -> PlainAnnotation:
    if labels.ndim != 1 or labels.dtype.kind == "V":
        is_flat = labels.ndim == 2 and 1 in labels.shape
        remedy = (
            "give value.ravel()" if is_flat else "a table has named columns, and entities are sets: [set(row) for row in value]"
        )
        raise OptionError(f"expected labels with shape (items,); found shape {labels.shape}: {remedy}")
    if labels.dtype.kind == "f" and (np.abs(labels) < EXACT).all() and (labels == np.floor(labels)).all():
        labels = labels.astype(np.int64)  # 2.0 is 2
    return _of_labels(labels if labels.dtype.kind == "i" else labels.tolist(), nulls=nulls)


def corpus_of_documents(documents: Sequence[tuple[str, PlainAnnotation]], source: str) -> Corpus:
    """The corpus of documents with their names; those without one are called by their numbers.

    Raises
    ------
    OptionError
        If two documents have one name, or a span ends before it starts.
    """
    names = [name or f"#{number}" for number, (name, _) in enumerate(documents, start=1)]
    if len(set(names)) < len(names):
        twice = next(name for number, name in enumerate(names) if name in names[:number])
        raise OptionError(f"found two documents called {shown(twice)}; expected different names")
    annotations = [annotation for _, annotation in documents]
    annotated = [a for a in annotations if len(a.entity)]
    items = [a.mentions for a in annotated if isinstance(a.mentions, list)]
    texts = list(chain.from_iterable(items))
    if 0 < len(items) < len(annotated):
        raise OptionError("found spans in one document and items in another; expected mentions of one kind")
    sizes = [len(a.entity) for a in annotations]
    first = np.cumsum([0, *(len(a.labels) for a in annotations)])[:-1]
    nothing = np.zeros((0, 2), dtype=np.int64)
    offsets = np.tile([0, 1], (sum(sizes), 1)) if items else np.concatenate([nothing, *(a.mentions for a in annotated)])
    return Corpus(
        tuple(names),
        document=repeat(np.arange(len(names)), sizes),
        start=offsets[:, 0],
        end=offsets[:, 1],
        entity=np.concatenate([a.entity for a in annotations]) + repeat(first, sizes),
        entity_ids=list(chain.from_iterable(a.labels for a in annotations)),
        items=names_of(texts) or texts or None,
        source=source,
        kind="labels" if documents and all(a.labelled for a in annotated or annotations) else "texts",
        by_position=any(a.by_position for a in annotations),
    ).in_reading_order()


def _offsets(mentions: list[Any]) -> Ints:
    """The offsets of spans, shape (mentions, 2)."""
    spans = np.array(list(map(integers, mentions)), dtype=np.int64).reshape(-1, 2)
    wrong = np.flatnonzero(spans[:, 0] > spans[:, 1])
    if len(wrong):
        raise OptionError("found the span {} to {}; expected 0 <= start <= end".format(*spans[wrong[0]].tolist()))
    return spans


def _names(mentions: list[Any]) -> list[str]:
    return list(map(str.strip, mentions)) if set(map(type, mentions)) <= {str} else list(map(_name, mentions))


def _of_list(value: Foreign, nulls: str = "error") -> list[PlainAnnotation]:
    """The documents of a list of labels, of entities, or of documents."""
    parts = members(value)
    shapes = shapes_of(parts)
    if shapes == {ATOM}:
        if not isinstance(value, Sequence):
            raise OptionError("found a set of labels; expected a list or an array, as labels have an order")
        return [_of_labels(parts, nulls=nulls)]
    if ATOM in shapes:
        odd = next(part for part in parts if shape_of(part) == ATOM)
        raise OptionError(f"expected entities as collections of mentions; found {shown(odd)} among them")
    if shapes and shapes <= {SPAN, PAIR} and not all(isinstance(part, list) for part in parts):
        raise OptionError(
            f"found pairs of integers such as {shown(parts[0])} where entities are expected: if they are the mentions of one "
            "entity, give [value]; if they are links, give networkx.Graph(value); if they are entities, give sets; if they are "
            "items with their labels, give dict(value)"
        )
    within = _members_of_each(parts)
    _refuse_rows(parts, within)
    _refuse_labels(parts, within)
    shapes = _shapes(within)
    if not shapes:  # nothing in any: an entity has a mention, so these are documents
        return _of_documents(within or [[]])
    if LEVEL not in shapes:
        return _of_documents([parts], within)
    if not shapes <= {LEVEL, TUPLE}:
        _refuse_mixture(within)
    return _of_documents(within)


def _members_of_each(collections: list[Any]) -> list[list[Any]]:
    return list(map(list if set(map(type, collections)) <= SETS | PAIRS else members, collections))


def _refuse_rows(parts: list[Any], within: list[list[Any]]) -> None:
    """Raise OptionError for things that may be rows: items with labels, links, clusters with scores; not entities."""
    if not all(isinstance(part, list | tuple) for part in parts) or len({*map(len, parts)}) != 1 or len(parts[0]) < 2:
        return
    problem, width = f"found pairs such as {shown(parts[0])} where entities are expected", len(parts[0])
    tuples = all(isinstance(part, tuple) for part in parts)
    if width == 2 and tuples and all(_are_scores(scores) for _, scores in within):
        raise OptionError(f"{problem}: if these are clusters with scores, give [set(items) for items, scores in value]")
    kinds = {tuple(map(type, members)) for members in within}
    mixed = len(kinds) == 1 and {*next(iter(kinds))} in ({str, int}, {str, float}, {int, float}, {str, int, float})
    single = width == 2 and _shapes(within) == {ATOM}
    again = single and len(parts) > 2 and len({label for _, label in within}) < len({item for item, _ in within}) == len(parts)
    if mixed and width > 2:
        rows = f"found rows such as {shown(parts[0])} where entities are expected"
        raise OptionError(f"{rows}; if these are pairs, expected rows such as {{'id1': 'a', 'id2': 'b', 'probability': 0.9}}")
    if mixed or again or (single and tuples):
        raise OptionError(
            f"{problem}: if they are items with their labels, give dict(value); if they are links, give networkx.Graph(value); "
            "if they are entities, give sets"
        )


def _refuse_labels(parts: list[Any], within: list[list[Any]]) -> None:
    """Raise OptionError for lists of numbers, one of which comes twice in a list: labels, as no mention does."""
    if not all(isinstance(part, list | tuple) for part in parts) or _shapes(within) != {ATOM}:
        return
    numbers = ([label for label in labels if isinstance(label, int | float | np.generic)] for labels in within)
    again = (label for labels in numbers if len(set(labels)) < len(labels) for label, n in Counter(labels).items() if n > 1)
    if (label := next(again, None)) is not None:
        raise OptionError(
            f"found {shown(label)} twice in a list where entities are expected: if these are labels, give {{document: "
            "numpy.array(labels)}, or dict(zip(items, labels)); if they are entities, give sets"
        )


def _are_scores(value: object) -> bool:
    """Whether these are numbers with fractions, as no mention is."""
    parts = members(value) if isinstance(value, list | tuple) or is_array(value) else ()
    return bool(parts) and all(isinstance(part, float | np.floating) for part in parts)


def _of_documents(documents: list[list[Any]], within: list[list[Any]] | None = None) -> list[PlainAnnotation]:
    """The annotation of each document of entities; `within` are the members of all entities, if they were looked up."""
    entities = list(chain.from_iterable(documents))
    if within is None:
        within = _members_of_each(entities)
        _refuse_mentions(documents, within)
    shapes = _shapes(within)
    if PAIR in shapes:
        within = [[mention for mention in mentions if not _is_padding(mention)] for mentions in within]
        shapes = _shapes(within)
    _check_mentions(entities, within, shapes)
    rest = iter(within)
    annotations = []
    for document in documents:
        of_document = [next(rest) for _ in document]
        mentions = list(chain.from_iterable(of_document))
        entity = repeat(np.arange(len(document)), list(map(len, of_document)))
        labels = list(map(str, range(len(document))))
        annotations.append(PlainAnnotation(_offsets(mentions) if shapes <= {SPAN} else _names(mentions), entity, labels))
    return annotations


def _refuse_mentions(documents: list[list[Any]], within: list[list[Any]]) -> None:
    """Raise OptionError for mentions with more than a start and an end, which look like entities of numbers, or of anything."""
    kinds = {tuple(map(type, mention)) for mention in within}
    if len(kinds) != 1 or not all(isinstance(part, list) for document in documents for part in document):
        return
    (kind,) = kinds
    if len(kind) > 2 and (len({*kind}) > 1 or ({*kind} == {int} and any(map(_repeats, documents)))):
        ends = "expected pairs of numbers, (start, end), counted in the document"
        raise OptionError(f"found {shown(within[0])} where a mention, or an entity as a set, is expected; {ends}")


def _repeats(document: list[list[int]]) -> bool:
    """Whether a number comes twice in a document."""
    numbers = list(chain.from_iterable(document))
    return len({*numbers}) < len(numbers)


def _is_padding(mention: object) -> bool:
    """Whether it is a span such as (-1, -1), which only makes arrays rectangular."""
    ends = None if isinstance(mention, str) else integers(mention)  # type: ignore[arg-type]  # a pair, or no padding
    return ends is not None and len(ends) == 2 and ends[0] == ends[1] < 0


def _check_mentions(entities: Collection[object], mentions: list[list[Any]], shapes: set[str]) -> None:
    """Raise OptionError unless the members of entities are mentions: all of one kind, and no collections."""
    if not (shapes <= {SPAN, PAIR} or shapes <= {ATOM, TUPLE}):
        _refuse_mixture(mentions)
    if TUPLE in shapes and not all(isinstance(entity, (set, frozenset)) for entity in entities):
        odd = next(m for m in chain.from_iterable(mentions) if shape_of(m) == TUPLE)
        raise OptionError(
            f"found the tuple {shown(odd)} in a list, an entity or the name of a mention; expected entities as sets for such "
            "names, and {document: entities} for several documents"
        )
    if ATOM in shapes or TUPLE in shapes:
        types = set(map(type, chain.from_iterable(mentions)))
        for mention in () if types <= NAMES else chain.from_iterable(mentions):
            check_item(mention)


def _of_mapping(value: Mapping[Any, Any], nulls: str) -> list[tuple[str, PlainAnnotation]]:
    """The documents of `{document: annotation}`, or the one of `{mention: entity}`."""
    parts = _without_sets(value)
    shapes = shapes_of(parts.values())
    if shapes <= {ATOM}:
        return [("", _of_labels(list(parts.values()), list(parts), nulls))]
    lists = {name: v for name, v in parts.items() if not (isinstance(v, Mapping) or _are_labels(v))}
    is_mixed = ATOM in shapes or not shapes_of(lists.values()) <= {LEVEL}
    documents = [] if is_mixed else list(map(members, lists.values()))
    of_entities = _shapes(documents)
    if is_mixed or (of_entities and not {LEVEL} <= of_entities <= {LEVEL, SPAN, TUPLE}):
        name = next(name for name, v in parts.items() if (shape_of(v) != ATOM if is_mixed else lists.get(name)))
        if of_entities == {ATOM} and any(member in parts for members in documents for member in members):
            neighbours = f"found {shown(parts[name])} for {shown(name)}, and for each of these others"
            raise OptionError(f"{neighbours}; expected networkx.Graph(value) for {{item: its neighbours}}")
        raise OptionError(
            f"found {shown(parts[name])} for {shown(name)}; expected the entities of a document as sets or lists of mentions, "
            f"{{document: numpy.array(labels)}} for labels: {ENTITIES}"
        )
    _refuse_groups(parts)
    annotations = dict(zip(lists, _of_documents(documents), strict=True))
    for name in parts.keys() - lists.keys():
        v = parts[name]
        is_named = isinstance(v, Mapping)
        annotations[name] = _of_labels(list(v.values()), list(v), nulls) if is_named else _of_array(as_array(v), nulls)
    return [(str(_plain(name)), annotations[name]) for name in parts]


def _refuse_groups(parts: Mapping[Any, Any]) -> None:
    """Raise OptionError for arrays of which no two have a value in common, as the items of entities, and not labels, have."""
    arrays = {name: as_array(part).tolist() for name, part in parts.items() if is_array(part) and as_array(part).ndim == 1}
    values = list(chain.from_iterable(arrays.values()))
    if 1 < len(arrays) < len(values) and shapes_of(values) == {ATOM} and len(set(values)) == len(values):
        name = next(iter(arrays))
        unlike = f"found {shown(arrays[name])} for {shown(name)}, and no value twice in any array, as labels seldom are"
        raise OptionError(f"{unlike}: {ENTITIES}; if these are labels, give {{document: {{item: label}}}}")


def _without_sets(items: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """`{item: {label}}` as `{item: label}`: sets of one label each are no entities if two of them have the same label."""
    values = list(items.values())
    if not values or not set(map(type, values)) <= SETS or set(map(len, values)) != {1}:
        return items
    labels = list(chain.from_iterable(values))
    if len(set(labels)) == len(labels) or shapes_of(labels) != {ATOM}:
        return items
    return dict(zip(items, labels, strict=True))


def _of_labels(labels: Foreign, mentions: list[Any] | None = None, nulls: str = "error") -> PlainAnnotation:
    """The annotation of mentions with their labels, a list or an array of integers; of items 0, 1, ... without mentions."""
    if isinstance(labels, list) and not set(map(type, labels)) <= NAMES:
        named = zip(labels, mentions or range(len(labels)), strict=True)
        labels = [_check_label(label, mention, nulls) for label, mention in named]
    if isinstance(labels, list) and set(map(type, labels)) == {str}:
        labels = list(map(str.strip, labels))
    types = set(map(type, labels)) if isinstance(labels, list) else {int}
    names = names_of(labels) if types == {str} else None
    if types == {int} or names is not None:
        entity, first = numbered(ranks(names)[0] if names is not None else unique(np.asarray(labels))[1])
        different = np.asarray(labels)[first].tolist() if names is None else [labels[n] for n in first.tolist()]
    else:
        number = {label: code for code, label in enumerate(dict.fromkeys(labels))}
        entity, different = np.fromiter(map(number.__getitem__, labels), np.int64, len(labels)), list(number)
    if missing := {label for label in different if isinstance(label, str) and _is_word(label, nulls)}:
        return _without_missing(labels, mentions, missing, nulls)
    texts = list(map(str, different))
    if len(types) > 1 and len(set(texts)) < len(texts):
        text = next(text for place, text in enumerate(texts) if text in texts[:place])
        raise OptionError(f"found two labels of different types that are written {shown(text)}; expected labels of one type")
    if types == {str}:
        _refuse_texts(texts, len(labels))
    if mentions is None:
        start = np.arange(len(labels))
        return PlainAnnotation(np.stack((start, start + 1), axis=1), entity, texts, by_position=True, labelled=True)
    shapes = shapes_of(mentions)
    if shapes == {TUPLE} and {*different} <= {0, 1} and set(map(len, mentions)) == {2}:
        raise OptionError(f"found 0 or 1 for {shown(mentions[0])}, ...; expected other labels, or {DECISIONS}")
    _check_mentions([frozenset()], [mentions], shapes)
    if shapes <= {SPAN}:
        return PlainAnnotation(_offsets(mentions), entity, texts)
    return PlainAnnotation(_names(mentions), entity, texts, labelled=True)


def _refuse_texts(different: list[str], number: int) -> None:
    """Raise OptionError for labels that are values of JSON, or have all items of an entity, as no two are the same."""
    if different[0].startswith(('["', "[[", "{")):
        raise OptionError(f"found the text {shown(different[0])} as a label; expected values: give json.loads(text) of each")
    if len(different) == number and joined_records(different):
        text = next(text for text in different if joined_records([text, text]))
        raise OptionError(f"found {shown(text)} as a label that no other item has; expected sets of items: split each text")


def _without_missing(labels: list[Any], mentions: list[Any] | None, missing: set[str], nulls: str) -> PlainAnnotation:
    """The annotation of mentions of which some have no label, as a user said what to do with these."""
    number = sum(label in missing for label in labels)
    words = ", ".join(map(repr, sorted(missing)))
    if nulls in ("error", "keep") or (nulls == "drop" and mentions is None):
        ways = "'drop' leaves items with names out, 'singleton' makes an entity of each, 'keep' takes words like NA for names"
        problem = f"found {number} of {len(labels)} labels that stand for none ({words})"
        raise OptionError(f"{problem}; expected a label for each, or nulls=: {ways}")
    if nulls == "drop":
        warn(f"{number} of {len(labels)} items have no label ({words}), left out: nulls='drop'")
        rest = {m: label for m, label in zip(mentions or (), labels, strict=True) if label not in missing}
        return _of_labels(list(rest.values()), list(rest), "keep")
    alone = [f"alone:{n}" if label in missing else label for n, label in enumerate(labels)]
    if len({*alone}) != len({*labels} - missing) + number:
        raise OptionError("found labels that begin with alone:, as those of items without one do; expected others: rename them")
    return _of_labels(alone, mentions, "keep")


def _is_word(label: str, nulls: str) -> bool:
    """Whether a label is a word for none, or empty."""
    return not label or (nulls != "keep" and label in MISSING)


def _check_label(label: Foreign, mention: object, nulls: str) -> Foreign:
    """The label of the entity of a mention, which must be in just one."""
    if is_array(label):
        label = as_array(label).tolist()
    if is_collection(label):
        raise OptionError(f"expected the label of one entity for {shown(mention)}; found {shown(label)}: {ENTITIES}")
    if is_missing(label):
        if nulls in ("drop", "singleton"):
            return ""
        raise OptionError(f"{shown(mention)} has no entity; expected a label for each (singletons have entities of their own)")
    if isinstance(label, (*VIEWS, os.PathLike)):
        raise OptionError(f"found {shown(label)} as a label; expected a Corpus, the path of one file, or the entities as sets")
    if not isinstance(label, (float, np.floating)):
        return label
    if not is_whole(float(label)):
        raise OptionError(f"found the label {float(label)!r}; expected {WHOLE}: are these scores, or distances?")
    return int(label)


def shapes_of(values: Collection[object]) -> set[str]:
    """The shapes of all values.

    Examples
    --------
    >>> shapes_of(["a", 1]) == {ATOM}, shapes_of([(0, 2), [3, 4]]) == {SPAN}, shapes_of([{"a"}, ["a", "b"], []]) == {LEVEL}
    (True, True, True)
    """
    types = set(map(type, values))
    if types <= ATOMS:
        return {ATOM} if types else set()
    if types <= SETS:
        return {LEVEL}
    return {SPAN} if types <= PAIRS and _are_spans(values) else set(map(shape_of, values))  # type: ignore[arg-type]


def _are_spans(values: Collection[Sequence[Any]]) -> bool:
    """Whether tuples and lists are all spans, of Python's own integers."""
    if set(map(len, values)) != {2} or set(map(type, chain.from_iterable(values))) != {int}:
        return False
    offsets = list(chain.from_iterable(values))
    return bool(min(offsets) >= 0 and max(offsets) < LARGEST)


def shape_of(value: object) -> str:
    """The shape of one value."""
    if is_array(value):
        array = as_array(value)
        if array.shape != (2,):
            return LEVEL if array.ndim else ATOM
        value = array.tolist()
    if isinstance(value, (tuple, list)):
        if len(value) == 2 and (pair := integers(value)):
            return SPAN if all(0 <= offset < LARGEST for offset in pair) else PAIR
        return TUPLE if isinstance(value, tuple) and value and shapes_of(value) == {ATOM} else LEVEL
    return LEVEL if is_collection(value) or isinstance(value, Iterator) else ATOM


def integers(value: Iterable[object]) -> list[int] | None:
    """The values as integers, whatever library holds them; None if one is none, as True is."""
    whole = []
    for number in value:
        if isinstance(number, (float, np.floating)) and number.is_integer():
            whole.append(int(number))
            continue
        if isinstance(number, (str, bool, np.bool_)) or not hasattr(number, "__index__"):
            return None
        try:
            whole.append(operator.index(number))
        except TypeError:  # a tensor with a fraction, or with many values
            return None
    return whole


def check_item(value: object) -> None:
    """Raise OptionError for a value that names no mention: none, a truth value, bytes, an object without a text of its own."""
    if isinstance(value, tuple):
        for part in value:
            check_item(part)
        return
    if isinstance(value, VIEWS):
        raise OptionError(f"found {shown(value)} of a Corpus; expected the Corpus, or spans: (mention.start, mention.end)")
    is_fraction = isinstance(value, (float, np.floating)) and not is_whole(float(value))
    is_nothing = isinstance(value, (bool, np.bool_, bytes, bytearray)) or is_missing(value)
    if is_fraction or is_nothing or type(value).__repr__ is object.__repr__:
        name = type(value).__name__ if type(value).__repr__ is object.__repr__ else shown(value)
        raise OptionError(f"found the mention {name}; expected a span (start, end), {WHOLE}")


def _shapes(collections: Iterable[Iterable[object]]) -> set[str]:
    return shapes_of(list(chain.from_iterable(collections)))


def corpus_of_links(mentions: Iterable[Any], links: Iterable[tuple[Any, ...]], source: str) -> Corpus:
    """The corpus of links between mentions; those without a link are singletons."""
    pairs = [(first, second) for first, second, *_ in links]
    number: dict[Any, int] = {}
    for mention in [*mentions, *(mention for pair in pairs for mention in pair)]:
        number.setdefault(mention, len(number))
    entities: dict[int, list[Any]] = {}
    roots = components(len(number), ((number[a], number[b]) for a, b in pairs))
    for mention, root in zip(number, roots, strict=True):
        entities.setdefault(root, []).append(mention)
    corpus = corpus_of_plain(list(map(frozenset, entities.values())), source=source)
    return corpus if corpus.items is None else replace(corpus, kind="pairs")


def _refuse_mixture(collections: Iterable[Iterable[object]]) -> NoReturn:
    """Raise the error that things of different depth stand side by side, or that mentions are collections."""
    within = list(map(list, collections))
    parts = list(chain.from_iterable(within))
    shape = shape_of(parts[0])
    is_pair = len(within[0]) == 2 and shape == ATOM and shape_of(parts[1]) == LEVEL
    if is_pair and not isinstance(parts[1], Mapping):
        is_entity = _shapes([members(parts[1])]) == {ATOM}
        remedy = "[set(items) for _, items in value] if these are labels" if is_entity else "dict(value) if these are documents"
        raise OptionError(f"found {shown(parts[0])} beside {shown(parts[1])}; expected {remedy}")
    other = next((part for part in parts if shape_of(part) != shape), None)
    beside = "where a mention is expected" if other is None else f"and {shown(other)} ({shape_of(other)}) side by side"
    raise OptionError(
        f"found {shown(parts[0])} ({shape}) {beside}; expected the same depth and kind everywhere: entities are collections of "
        "spans, or of names"
    )


def _name(mention: object) -> str:
    """The same name for the same value, whether it comes from NumPy or not, from a list or a tuple."""
    return mention if isinstance(mention, str) else str(_plain(mention))


def _plain(value: Foreign) -> object:
    if isinstance(value, np.generic) or is_array(value):
        value = np.asarray(value).tolist()
    if isinstance(value, float) and value.is_integer():
        return int(value)  # 2.0 and 2 are one name, as they are one key of a dict
    return tuple(map(_plain, value)) if isinstance(value, (list, tuple)) else value
