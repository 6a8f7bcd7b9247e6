"""A corpus without what a format cannot hold: `without`; or without all annotation: `blank`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from referee.algorithms.arrays import Ints, locations
from referee.basics.exceptions import OptionError
from referee.corpus.columns import Columns
from referee.corpus.corpus import DEIXIS, FEATURES, Corpus
from referee.corpus.editing import on_tokens
from referee.corpus.schema import schema_of
from referee.corpus.text import RawText, Text, Words


def without(corpus: Corpus, features: Collection[str]) -> Corpus:
    """The corpus made to do without some features.

    Without spans, mentions become items called ``start-end``. Without discontinuous mentions, they reach from their first span
    to their last. Without empty nodes, zeros are gone, and other mentions lose the nodes. Without non-referring expressions,
    these are gone. Everything else is just left out. Discourse deixis is treated alike.

    Parameters
    ----------
    corpus : Corpus
    features : collection of str
        Some of `referee.corpus.corpus.FEATURES`; other names are ignored.

    Raises
    ------
    OptionError
        If items are to become spans.
    """
    dropped = set(features)
    if "items" in dropped:
        raise OptionError(f"{corpus.source}: its mentions are items, which cannot be turned into spans of words")
    if "non-referring" in dropped and corpus.referring is not None:
        corpus = corpus.select(corpus.referring[corpus.entity])
    if "empty nodes" in dropped and corpus.empty_nodes is not None:
        corpus = _without_empty_nodes(corpus)
    if "discontinuous mentions" in dropped and corpus.fragments is not None:
        corpus = replace(corpus, fragments=None, fragment_lists=((),)).in_reading_order()
    gone: dict[str, Any] = {name: None for name, part in schema_of(type(corpus)).items() if part.feature in dropped}
    corpus = replace(corpus, **gone)
    if "words" in dropped:
        corpus = replace(corpus, text=None)
    if "spans" in dropped and corpus.items is None:
        spans = zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)
        corpus = replace(corpus, items=[f"{start}-{end}" for start, end in spans], text=None).in_reading_order()
    if corpus.deixis is None:
        return corpus
    return replace(corpus, deixis=None if DEIXIS in dropped else without(corpus.deixis, dropped))


def blank(corpus: Corpus) -> Corpus:
    """The documents and their words, without any annotation.

    Raises
    ------
    OptionError
        If there are no words.
    """
    if corpus.text is None:
        raise OptionError(f"{corpus.source}: found no words; expected texts, of which something is left without annotation")
    nothing = np.zeros(len(corpus.document), dtype=bool)
    return without(corpus.select(nothing), FEATURES.keys() - {"spans", "words", "items"})


def over_empty_nodes(corpus: Corpus) -> tuple[int, int]:
    """How many mentions are gone without empty nodes, as they have no words, and how many have fewer tokens."""
    if corpus.empty_nodes is None:
        return 0, 0
    nodes = set(zip(corpus.empty_nodes.document.tolist(), corpus.empty_nodes.node.tolist(), strict=True))
    gone = shorter = 0
    for m, document in enumerate(corpus.document.tolist()):
        are_nodes = [(document, token) in nodes for span in corpus.spans(m) for token in range(*span)]
        gone += all(are_nodes)
        shorter += any(are_nodes) and not all(are_nodes)
    return gone, shorter


def _without_empty_nodes(corpus: Corpus) -> Corpus:
    empty = corpus.empty_nodes
    if empty is None:
        return corpus
    nodes = locations(empty.document, empty.node)

    def words_before(document: Ints, token: Ints) -> Ints:
        nodes_before = np.searchsorted(nodes, locations(document, token)) - np.searchsorted(nodes, locations(document, 0))
        return token - nodes_before

    words = on_tokens(corpus, words_before, lambda document, token: words_before(document, token + 1))
    return replace(
        words,
        empty_nodes=None,
        text=corpus.text and Text(lambda: [_words(corpus, document) for document in range(len(corpus.doc_ids))]),
        deixis=None if corpus.deixis is None else _without_empty_nodes(replace(corpus.deixis, empty_nodes=empty)),
    ).select(words.start < words.end)


def _words(corpus: Columns, document: int) -> Words:
    assert corpus.text is not None
    assert corpus.empty_nodes is not None
    _, sentences, raw, *_ = corpus.text.words[document]
    nodes = corpus.empty_nodes.node[corpus.empty_nodes.document == document]
    starts = (np.asarray(sentences, dtype=np.int64) - np.searchsorted(nodes, sentences)).tolist()
    words = corpus.words(document)
    if raw is not None:
        raw = RawText(raw.text, np.delete(raw.start, nodes), np.delete(raw.end, nodes))
    starts = [s for n, s in enumerate(starts) if s < (starts[n + 1] if n + 1 < len(starts) else len(words))]
    return Words(words, starts, raw)
