"""Scoring across documents: the documents of a group become one, and in it entities of one label become one entity.

Two reports of one attack have an entity each for it. Across documents these are one, if the file gives them one label. So
labels matter here, and only here: formats that number the entities of each document anew (`jsonlines`, lists in `clusters`) do
not say what is one across documents. An empty label is none: its entity stays by itself.

The documents of a group stand one behind the other, in the order of the corpus. Each takes room for as many words on both
sides, so key and response agree in where a mention is even where their words do not. A mention that is a name is called
`document/name`, for what documents call alike need not be the same.

Source: topics as in ECB+ (Cybulska and Vossen 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import inverse, order_by, starts_of_runs
from referee.corpus.corpus import Corpus, Spans
from referee.corpus.layers import EmptyNodes, Links, SplitAntecedents
from referee.corpus.text import Text, Words
from referee.exceptions import UnknownNameError

Grouping: TypeAlias = Callable[[str], str]
"""The name of the group of the document of this name."""

GROUPINGS: dict[str, Grouping] = {
    "document": lambda name: name,
    "topic": lambda name: name.partition("_")[0],
    "corpus": lambda _: "corpus",
}
"""`topic` is what stands before the first `_`: `1_11ecb` and `1_2ecbplus` are of topic 1."""


@dataclass(frozen=True)
class _Plan:
    """Where the documents go.

    documents : their names
    groups : names of the groups, in the order of their first documents
    group  : of each document; this and the rest int64, shape (documents,)
    room   : tokens that it takes up
    tokens, sentences : how many stand before it in its group
    """

    documents: Sequence[str]
    groups: Sequence[str]
    group: Ints
    room: Ints
    tokens: Ints
    sentences: Ints


def join_documents(key: Corpus, response: Corpus, groups: str) -> tuple[Corpus, Corpus]:
    """Both sides with one document for each group; both must be over the same documents (`matching.documents.align`).

    groups : one of `GROUPINGS`; "document" changes nothing

    UnknownNameError for an unknown grouping; OptionError if a group has more tokens than a document may have.
    """
    if groups not in GROUPINGS:
        raise UnknownNameError("grouping", groups, GROUPINGS)
    if groups == "document":
        return key, response
    names = [GROUPINGS[groups](name) for name in key.doc_ids]
    number = {name: n for n, name in enumerate(dict.fromkeys(names))}
    group = np.array([number[name] for name in names], dtype=np.int64)
    sizes = _sizes(key), _sizes(response)
    nodes = _nodes(key), _nodes(response)
    words = np.maximum(*(tokens - n for (tokens, _), n in zip(sizes, nodes, strict=True)))
    sentences = _before(group, np.maximum(sizes[0][1], sizes[1][1]))

    def side(corpus: Corpus, own: Ints) -> Corpus:
        """Each side has its own empty nodes; what must be equal is the number of words before a document."""
        room = words + own
        return _joined(corpus, _Plan(key.doc_ids, tuple(number), group, room, _before(group, room), sentences))

    return side(key, nodes[0]), side(response, nodes[1])


def _nodes(corpus: Corpus) -> Ints:
    """How many empty nodes each document has."""
    documents = np.empty(0, dtype=np.int64) if corpus.empty_nodes is None else corpus.empty_nodes.document
    return np.bincount(documents, minlength=len(corpus.doc_ids))


def _sizes(corpus: Corpus) -> tuple[Ints, Ints]:
    """Of each document, the tokens and the sentences that there must be at least."""
    tokens, sentences = np.zeros((2, len(corpus.doc_ids)), dtype=np.int64)
    if corpus.items is None:
        np.maximum.at(tokens, corpus.document, corpus.end)
    if corpus.empty_nodes is not None:
        np.maximum.at(tokens, corpus.empty_nodes.document, corpus.empty_nodes.node + 1)
        np.maximum.at(sentences, corpus.empty_nodes.document, corpus.empty_nodes.sentence + 1)
    if corpus.text is not None:
        lengths = [(len(words.tokens), len(words.sentences)) for words in corpus.text.words]
        tokens, sentences = np.maximum((tokens, sentences), np.array(lengths, dtype=np.int64).reshape(-1, 2).T)
    if corpus.deixis is not None:
        tokens, sentences = np.maximum((tokens, sentences), _sizes(corpus.deixis))
    return tokens, sentences


def _before(group: Ints, sizes: Ints) -> Ints:
    """The sum of the sizes of what stands before each document in its group."""
    order = order_by(group)
    total = np.cumsum(sizes[order]) - sizes[order]
    first = starts_of_runs(group[order])
    before: Ints = (total - total[first][np.cumsum(first) - 1])[inverse(order)]
    return before


def _joined(corpus: Corpus, plan: _Plan) -> Corpus:
    shift = plan.tokens[corpus.document]
    entity, first = _entities(corpus, plan.group[corpus.entity_document])
    shape, shapes = _shapes(corpus, shift)
    referring = None
    if corpus.referring is not None:
        referring = np.zeros(len(first), dtype=bool)
        referring[entity[corpus.referring]] = True
    joined = Corpus.build(
        plan.groups, plan.group[corpus.document], corpus.start + shift, corpus.end + shift, entity[corpus.entity],
        [corpus.entity_ids[e] for e in first],
        entity_types=None if corpus.entity_types is None else [corpus.entity_types[e] for e in first],
        items=corpus.items and [
            f"{plan.documents[d]}/{item}" for d, item in zip(corpus.document.tolist(), corpus.items, strict=True)
        ],
        text=corpus.text and _text(corpus.text, plan),
        source=corpus.source,
        head=_moved(corpus.head, shift),
        minimum_span=_moved(corpus.minimum_span, shift[:, None]),
        mention_types=corpus.mention_types,
        fragments=shape,
        fragment_lists=shapes,
        referring=referring,
        links=corpus.links and Links(plan.group[corpus.links.document], corpus.links.first, corpus.links.second),
        bridging=corpus.bridging,
        split_antecedents=corpus.split_antecedents and _split(corpus.split_antecedents, entity),
        empty_nodes=corpus.empty_nodes and _empty(corpus.empty_nodes, plan),
        deixis=corpus.deixis and _joined(corpus.deixis, plan),
    )  # fmt: skip
    return replace(joined, format=corpus.format)


def _entities(corpus: Corpus, group: Ints) -> tuple[Ints, Sequence[int]]:
    """The new number of each entity, and the first old one of each new number, as the file lists them."""
    number: dict[Any, int] = {}
    new = np.empty(len(corpus.entity_ids), dtype=np.int64)
    first: list[int] = []
    for e in np.argsort(corpus.file_order, kind="stable").tolist():
        label = corpus.entity_ids[e]
        new[e] = number.setdefault((group[e], label) if label else e, len(number))
        if new[e] == len(first):
            first.append(e)
    return new, first


def _moved(places: Ints | None, shift: Ints) -> Ints | None:
    return None if places is None else np.where(places < 0, -1, places + shift)


def _shapes(corpus: Corpus, shift: Ints) -> tuple[Ints | None, tuple[Spans, ...]]:
    if corpus.fragments is None:
        return None, ((),)
    moved = [
        tuple((start + by, end + by) for start, end in corpus.fragment_lists[n])
        for n, by in zip(corpus.fragments.tolist(), shift.tolist(), strict=True)
    ]
    shapes = sorted({(), *moved})
    number = {shape: n for n, shape in enumerate(shapes)}
    return np.array([number[shape] for shape in moved], dtype=np.int64), tuple(shapes)


def _split(split: SplitAntecedents, entity: Ints) -> SplitAntecedents:
    """The pairs of new entities, each once; none of an entity and itself."""
    pairs = np.unique(np.stack([entity[split.entity], entity[split.element]]), axis=1)
    return SplitAntecedents(*pairs[:, pairs[0] != pairs[1]])


def _empty(empty: EmptyNodes, plan: _Plan) -> EmptyNodes:
    document, node = plan.group[empty.document], empty.node + plan.tokens[empty.document]
    sentence = empty.sentence + plan.sentences[empty.document]
    order = order_by(document, node)
    document, node, minor, sentence = (c[order].astype(np.int32) for c in (document, node, empty.minor, sentence))
    return EmptyNodes(document, node, minor, sentence, [empty.deps[n] for n in order.tolist()])


def _text(text: Text, plan: _Plan) -> Text:
    """The words of the groups; empty ones where a document has fewer words than room."""

    def load() -> Sequence[Words]:
        joined: list[tuple[list[str], list[int]]] = [([], []) for _ in plan.groups]
        for group, room, words in zip(plan.group.tolist(), plan.room.tolist(), text.words, strict=True):
            tokens, sentences = joined[group]
            sentences += [len(tokens) + start for start in words.sentences]
            tokens += words.tokens
            tokens += [""] * (room - len(words.tokens))
        return [Words(*both) for both in joined]

    return Text(load)
