"""Corpora joined one after another, and mentions on other token offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.columns import Spans
from referee.corpus.corpus import Corpus
from referee.corpus.layers import NewPlaces, Place
from referee.corpus.schema import Layer, Selection, numbers_of, schema_of
from referee.corpus.text import Text

Offsets: TypeAlias = Callable[[Ints, Ints], Ints]
"""From documents and token offsets to new token offsets."""


def join(spans: Iterable[tuple[int, int]]) -> Spans:
    """The spans in order, those that touch or overlap joined.

    >>> join([(4, 6), (0, 2), (2, 3)])
    ((0, 3), (4, 6))
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def fragment_columns(spans: Mapping[int, Spans], mentions: int) -> tuple[Ints | None, tuple[Spans, ...]]:
    """The columns `fragments` and `fragment_lists` for so many mentions, some of which have several spans."""
    lists = ((), *sorted({several for several in spans.values() if len(several) > 1}))
    if len(lists) == 1:
        return None, lists
    number = {several: n for n, several in enumerate(lists)}
    fragments = np.zeros(mentions, dtype=np.int32)
    fragments[list(spans)] = [number.get(several, 0) for several in spans.values()]
    return fragments, lists


def on_tokens(corpus: Corpus, starts: Offsets, ends: Offsets) -> Corpus:
    """Move the mentions of a corpus to other token offsets; its text and empty nodes stay as they are.

    Parameters
    ----------
    corpus : Corpus
    starts, ends : Offsets
        Where a token starts and ends now, at one place if it is gone. For other columns than `start` and `end`, only
        offsets of tokens that are there are asked for.

    Returns
    -------
    Corpus
        With the mentions in the order in which they were. Those that lost all of their tokens have an empty span.
    """
    start, end = starts(corpus.document, corpus.start), ends(corpus.document, corpus.end - 1)
    spans = _moved_fragments(corpus, starts, ends)
    start[list(spans)] = [several[0][0] if several else 0 for several in spans.values()]
    end[list(spans)] = [several[-1][1] if several else 0 for several in spans.values()]
    fragments, fragment_lists = fragment_columns(spans, len(start))
    others: dict[str, Any] = {
        name: _moved_offsets(corpus.document, values, starts, ends)
        for name, part, values in numbers_of(corpus)
        if part.refers == "token" and part.fill is not None
    }
    return replace(corpus, start=start, end=end, fragments=fragments, fragment_lists=fragment_lists, **others)


def _moved_offsets(document: Ints, values: Ints, starts: Offsets, ends: Offsets) -> Ints:
    """A column of tokens or of spans; -1 where there is none, or where it is gone."""
    spans = values if values.ndim == 2 else np.stack([values, values + 1], axis=1)
    known = spans[:, 0] >= 0
    start, end = starts(document[known], spans[known, 0]), ends(document[known], spans[known, 1] - 1)
    moved = np.full(spans.shape, -1, dtype=np.int64)
    moved[known] = np.where((start < end)[:, None], np.stack([start, end], axis=1), -1)
    return moved if values.ndim == 2 else moved[:, 0]


def _moved_fragments(corpus: Corpus, starts: Offsets, ends: Offsets) -> dict[int, Spans]:
    """The spans of the discontinuous mentions, without those that are gone."""
    several = [] if corpus.fragments is None else np.flatnonzero(corpus.fragments).tolist()
    rows = [(mention, *span) for mention in several for span in corpus.spans(mention)]
    mention, first, after = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    document = corpus.document[mention]
    start, end = starts(document, first).tolist(), ends(document, after - 1).tolist()
    moved: dict[int, list[tuple[int, int]]] = {m: [] for m in several}
    for m, begin, finish in zip(mention.tolist(), start, end, strict=True):
        if begin < finish:
            moved[m].append((begin, finish))
    return {m: join(spans) for m, spans in moved.items()}


def with_lone_items(corpus: Corpus, items: Sequence[str], document: Ints) -> Corpus:
    """Return the corpus with more items of these documents, each in an entity of its own that is called like it."""
    before, entities, added = len(corpus.document), len(corpus.entity_ids), len(items)
    new = np.arange(added)
    columns: dict[str, Any] = {
        name: part.concatenated([values, None], [before if part.rows == "mention" else entities, added])
        for name, part, values in numbers_of(corpus)
        if part.fill is not None
    }
    return replace(
        corpus,
        **columns,
        document=np.concatenate([corpus.document, document]),
        start=np.concatenate([corpus.start, new]),
        end=np.concatenate([corpus.end, new]),
        entity=np.concatenate([corpus.entity, entities + new]),
        entity_ids=[*corpus.entity_ids, *items],
        entity_document=np.concatenate([corpus.entity_document, document]),
        file_order=np.concatenate([corpus.file_order, entities + new]),
        items=(*(corpus.items or ()), *items),
        entity_types=None if corpus.entity_types is None else [*corpus.entity_types, *[""] * added],
    ).in_reading_order()


def listed_by(corpus: Corpus, mentions: Ints) -> Corpus:
    """Return the corpus with its entities in the order of a file that lists these mentions, all of the corpus."""
    order = np.empty_like(corpus.file_order)
    order[corpus.entity[mentions[::-1]]] = np.arange(len(mentions))[::-1]  # the first mention of an entity counts
    return replace(corpus, file_order=order)


def concatenate(corpora: Sequence[Corpus]) -> Corpus:
    """The documents of one corpus after another, at least one corpus; documents must have different names."""
    numbered = _numbered_through(corpora)
    lengths = {"mention": [len(c.document) for c in corpora], "entity": [len(c.entity_ids) for c in corpora]}
    joined: dict[str, Any] = {}
    for name, part in schema_of(type(corpora[0])).items():
        values = [getattr(c, name) for c in numbered]
        if any(column is not None for column in values):
            joined[name] = part.concatenated(values, [] if isinstance(part, Layer) else lengths[part.rows])
    texts = [c.text for c in corpora if c.text is not None]
    deixis = None
    if any(c.deixis is not None for c in corpora):
        deixis = concatenate([c.deixis or c.select(np.zeros(len(c.document), dtype=bool)) for c in corpora])
    return replace(
        corpora[0],
        **joined,
        doc_ids=tuple(chain.from_iterable(c.doc_ids for c in corpora)),
        text=Text.concatenated(texts) if len(texts) == len(corpora) else None,
        fragment_lists=numbered[0].fragment_lists,
        in_files={name: place for c in corpora for name, place in (c.in_files or {}).items()} or None,
        deixis=deixis,
        metadata={name: row for c in corpora for name, row in (c.metadata or {}).items()} or None,
    )


def _numbered_through(corpora: Sequence[Corpus]) -> list[Corpus]:
    """The corpora with the numbers of documents, mentions and entities that they get one after another."""
    fragment_lists = tuple(sorted({several for c in corpora for several in c.fragment_lists}))
    number = {several: n for n, several in enumerate(fragment_lists)}
    mention = entity = document = 0
    numbered = []
    for c in corpora:
        places = NewPlaces(_shifted(mention), _shifted(entity), _shifted(document))
        own = np.array([number[several] for several in c.fragment_lists], dtype=np.int32)
        fragments = None if c.fragments is None else own[c.fragments]
        moved = c.rearranged(Selection(slice(None)), places, fragment_lists=fragment_lists, file_order=c.file_order + entity)
        numbered.append(replace(moved, fragments=fragments))
        mention, entity, document = mention + len(c.document), entity + len(c.entity_ids), document + len(c.doc_ids)
    return numbered


def _shifted(by: int) -> Place:
    return lambda numbers: numbers + by
