"""Corpora joined one after another, and mentions put together from spans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import Corpus, Spans
from referee.corpus.layers import Places
from referee.corpus.text import Text


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
    """The columns `fragments` and `fragment_lists` for mentions of which some have several spans."""
    shapes = ((), *sorted({shape for shape in spans.values() if len(shape) > 1}))
    if len(shapes) == 1:
        return None, shapes
    number = {shape: n for n, shape in enumerate(shapes)}
    shape = np.zeros(mentions, dtype=np.int32)
    shape[list(spans)] = [number.get(s, 0) for s in spans.values()]
    return shape, shapes


def concatenate(corpora: Sequence[Corpus], source: str) -> Corpus:
    """The documents of one corpus after another, at least one; documents must have different names."""
    documents, mentions, entities = (
        np.cumsum([0, *map(len, lengths)]).tolist()
        for lengths in ([c.doc_ids for c in corpora], [c.document for c in corpora], [c.entity_ids for c in corpora])
    )
    shapes = tuple(sorted({shape for c in corpora for shape in c.fragment_lists}))

    def column(name: str, offsets: Sequence[int] | None = None, nothing: Any = None, rows: str = "document") -> Any:
        """A column of all; where some have none of it, `nothing` stands in its rows."""
        columns = [getattr(c, name) for c in corpora]
        if all(values is None for values in columns):
            return None
        filled = [
            np.full((len(getattr(c, rows)), *np.shape(nothing)), nothing) if values is None else values
            for c, values in zip(corpora, columns, strict=True)
        ]
        return np.concatenate(filled if offsets is None else [v + n for v, n in zip(filled, offsets, strict=False)])

    def names(name: str, length: str) -> Any:
        columns = [getattr(c, name) for c in corpora]
        if all(values is None for values in columns):
            return None
        pairs = zip(corpora, columns, strict=True)
        return [v for c, values in pairs for v in (values or [""] * len(getattr(c, length)))]

    def layer(name: str) -> Any:
        found = []
        for c, d, m, e in zip(corpora, documents, mentions, entities, strict=False):
            if (layer := getattr(c, name)) is not None:
                places = Places(
                    *(np.arange(len(n)) + first for n, first in ((c.document, m), (c.entity_ids, e), (c.doc_ids, d)))
                )
                found.append(layer.moved(places))
        if not found:
            return None
        columns = zip(*found, strict=True)
        return type(found[0])(*(np.concatenate(x) if hasattr(x[0], "dtype") else list(chain(*x)) for x in columns))

    texts = [c.text for c in corpora if c.text is not None]
    deixis = None
    if any(c.deixis is not None for c in corpora):
        deixis = concatenate([c.deixis or c.select(np.zeros(len(c.document), dtype=bool)) for c in corpora], source)
    return Corpus(
        doc_ids=tuple(chain(*(c.doc_ids for c in corpora))),
        document=column("document", documents),
        start=column("start"),
        end=column("end"),
        entity=column("entity", entities),
        entity_document=column("entity_document", documents),
        file_order=column("file_order", entities),
        entity_ids=names("entity_ids", "entity_ids"),
        entity_types=names("entity_types", "entity_ids"),
        items=names("items", "document"),
        text=Text(lambda: list(chain(*(text.words for text in texts)))) if len(texts) == len(corpora) else None,
        source=source,
        format=corpora[0].format,
        head=column("head", nothing=-1),
        minimum_span=column("minimum_span", nothing=(-1, -1)),
        mention_types=column("mention_types", nothing=np.int8(0)),
        fragments=_renumbered_shapes(corpora, shapes),
        fragment_lists=shapes,
        referring=column("referring", nothing=True, rows="entity_ids"),
        links=layer("links"),
        bridging=layer("bridging"),
        split_antecedents=layer("split_antecedents"),
        empty_nodes=layer("empty_nodes"),
        deixis=deixis,
    )


def _renumbered_shapes(corpora: Sequence[Corpus], shapes: tuple[Spans, ...]) -> Ints | None:
    if all(c.fragments is None for c in corpora):
        return None
    number = {shape: n for n, shape in enumerate(shapes)}
    return np.concatenate(
        [
            np.zeros(len(c.document), dtype=np.int32)
            if c.fragments is None
            else np.array([number[shape] for shape in c.fragment_lists], dtype=np.int32)[c.fragments]
            for c in corpora
        ]
    )
