"""A corpus without what a format cannot hold: `without`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import locations
from referee.corpus.corpus import FEATURES, Corpus, Spans
from referee.corpus.editing import fragment_columns, join
from referee.corpus.text import Text, Words
from referee.exceptions import OptionError


def without(corpus: Corpus, features: Collection[str]) -> Corpus:
    """The corpus made to do without some of `referee.corpus.corpus.FEATURES`.

    Without spans, mentions are named ``start-end``. Without discontinuous mentions, they reach from their first part to their
    last. Without empty nodes, zeros are gone, and other mentions lose the nodes. What is not referring is gone, too, where
    that cannot be said. Everything else is just left out. The deixis layer is treated alike.

    OptionError if items are to be turned into spans, which cannot be done.
    """
    dropped = set(features) & set(FEATURES)
    if "items" in dropped:
        raise OptionError(f"{corpus.source}: its mentions are items, which cannot be turned into spans of words")
    if "non-referring" in dropped and corpus.referring is not None:
        corpus = replace(corpus.select(corpus.referring[corpus.entity]), referring=None)
    if "empty nodes" in dropped and corpus.empty_nodes is not None:
        corpus = _without_empty_nodes(corpus)
    if "discontinuous mentions" in dropped and corpus.fragments is not None:
        corpus = _sorted_again(replace(corpus, fragments=None, fragment_lists=((),)))
    columns = {
        "words": "text", "entity types": "entity_types", "links": "links", "heads": "head",
        "minimum spans": "minimum_span", "mention types": "mention_types",
        "bridging": "bridging", "split antecedents": "split_antecedents",
        "discourse deixis": "deixis",
    }  # fmt: skip
    gone: dict[str, Any] = {column: None for feature, column in columns.items() if feature in dropped}
    corpus = replace(corpus, **gone)
    if "spans" in dropped and corpus.items is None:
        spans = zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)
        corpus = _sorted_again(replace(corpus, items=[f"{start}-{end}" for start, end in spans], text=None))
    return corpus if corpus.deixis is None else replace(corpus, deixis=without(corpus.deixis, dropped))


def _sorted_again(corpus: Corpus) -> Corpus:
    return corpus.select(np.ones(len(corpus.document), dtype=bool))


def _without_empty_nodes(corpus: Corpus) -> Corpus:
    empty = corpus.empty_nodes
    if empty is None:
        return corpus
    nodes = locations(empty.document, empty.node)

    def words_before(document: Ints, token: Ints) -> Ints:
        nodes_before = np.searchsorted(nodes, locations(document, token)) - np.searchsorted(nodes, locations(document, 0))
        return token - nodes_before

    d = corpus.document
    start, end = words_before(d, corpus.start), words_before(d, corpus.end)
    parts: dict[int, Spans] = {}
    for m in () if corpus.fragments is None else np.flatnonzero(corpus.fragments).tolist():
        spans = np.array(corpus.spans(m))
        begins, ends = (words_before(np.full(len(spans), d[m]), edge).tolist() for edge in spans.T)
        parts[m] = join((begin, after) for begin, after in zip(begins, ends, strict=True) if begin < after)
        start[m], end[m] = (parts[m][0][0], parts[m][-1][1]) if parts[m] else (0, 0)
    shape, shapes = fragment_columns(parts, len(d))
    head, minimum = corpus.head, corpus.minimum_span
    if head is not None:
        is_node = np.isin(locations(d, head), nodes)
        head = np.where((head < 0) | is_node, -1, words_before(d, np.maximum(head, 0)))
    if minimum is not None:
        begins, ends = (words_before(d, np.maximum(minimum[:, side], 0)) for side in (0, 1))
        minimum = np.where(((minimum[:, 0] < 0) | (begins >= ends))[:, None], -1, np.stack([begins, ends], axis=1))
    lean = replace(
        corpus, start=start, end=end, head=head, minimum_span=minimum, fragments=shape, fragment_lists=shapes, empty_nodes=None,
        text=corpus.text and Text(lambda: [_words(corpus, n) for n in range(len(corpus.doc_ids))]),
        deixis=corpus.deixis and _without_empty_nodes(replace(corpus.deixis, empty_nodes=empty)),
    )  # fmt: skip
    return lean.select(start < end)


def _words(corpus: Corpus, document: int) -> Words:
    assert corpus.text is not None
    assert corpus.empty_nodes is not None
    sentences = corpus.text.words[document].sentences
    nodes = corpus.empty_nodes.node[corpus.empty_nodes.document == document]
    starts = (np.asarray(sentences, dtype=np.int64) - np.searchsorted(nodes, sentences)).tolist()
    words = corpus.words(document)
    return Words(words, [s for n, s in enumerate(starts) if s < (starts[n + 1] if n + 1 < len(starts) else len(words))])
