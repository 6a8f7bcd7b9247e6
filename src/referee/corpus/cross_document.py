"""Cross-document scoring: the documents of a group become one, and in it entities of one id become one entity.

Two reports of one attack have an entity each for it. Cross-document, these are one entity if the file gives them one id. So
entity ids matter here, and only here. Formats that number the entities of each document anew (`jsonlines`, lists in
`clusters`) do not say which entities are one cross-document. An entity with an empty id stays by itself.

The documents of a group stand one behind the other, in the order of the corpus. Each takes room for as many words on both
sides, so key and response agree in where a mention is even where their words do not. An item is called `document/item`,
because two documents may have different items of one name.

References
----------
Cybulska and Vossen (2014), for the topics of ECB+.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, arange, inverse, starts_of_runs, tally
from referee.basics.exceptions import UnknownNameError
from referee.corpus.corpus import Corpus
from referee.corpus.editing import on_tokens
from referee.corpus.layers import EmptyNodes, NewPlaces, SplitAntecedents, place_in
from referee.corpus.schema import Selection, numbers_of
from referee.corpus.text import Text, Words

Grouping: TypeAlias = Callable[[str], str]
"""From the name of a document to the name of its group."""

GROUPINGS: dict[str, Grouping] = {"topic": lambda name: name.partition("_")[0], "corpus": lambda _: "corpus"}
"""A topic is what stands before the first `_` of a name: `1_11ecb` and `1_2ecbplus` are of topic 1."""


class _DocumentPlan(NamedTuple):
    """Where the documents go.

    Parameters
    ----------
    documents : sequence of str
        Their names.
    groups : sequence of str
        Names of the groups, in the order of their first documents.
    group : int64, shape (documents,)
        The group of each document.
    room : int64, shape (documents,)
        How many tokens each document takes up.
    tokens, sentences : int64, shape (documents,)
        How many tokens and sentences stand before it in its group.
    """

    documents: Sequence[str]
    groups: Sequence[str]
    group: Ints
    room: Ints
    tokens: Ints
    sentences: Ints


def join_documents(key: Corpus, response: Corpus, groups: str) -> tuple[Corpus, Corpus]:
    """Both sides with one document for each group.

    Parameters
    ----------
    key, response : Corpus
        With the same documents, as `referee.matching.documents` aligns them.
    groups : str
        One of `GROUPINGS`.

    Returns
    -------
    key, response : Corpus

    Raises
    ------
    UnknownNameError
        For an unknown grouping.
    OptionError
        If a group has more tokens than a document may have.
    """
    if groups not in GROUPINGS:
        raise UnknownNameError("grouping", groups, GROUPINGS)
    names = [GROUPINGS[groups](name) for name in key.doc_ids]
    number = {name: n for n, name in enumerate(dict.fromkeys(names))}
    group = np.array([number[name] for name in names], dtype=np.int64)
    sizes = _sizes(key), _sizes(response)
    nodes = _nodes(key), _nodes(response)
    # Each side has its own empty nodes. What must be equal is the number of words before a document.
    words = np.maximum(*(tokens - n for (tokens, _), n in zip(sizes, nodes, strict=True)))
    sentences = _before(group, np.maximum(sizes[0][1], sizes[1][1]))
    k, r = (
        _joined(side, _DocumentPlan(key.doc_ids, tuple(number), group, words + n, _before(group, words + n), sentences))
        for side, n in zip((key, response), nodes, strict=True)
    )
    return k, r


def _nodes(corpus: Corpus) -> Ints:
    """How many empty nodes each document has."""
    documents = np.empty(0, dtype=np.int64) if corpus.empty_nodes is None else corpus.empty_nodes.document
    return tally(documents, minlength=len(corpus.doc_ids))


def _sizes(corpus: Corpus) -> tuple[Ints, Ints]:
    """How many tokens and sentences each document has at least."""
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
    """The sum of the sizes of all documents that stand before each document in its group."""
    order = np.argsort(group, kind="stable")
    total = np.cumsum(sizes[order]) - sizes[order]
    first = starts_of_runs(group[order])
    return np.asarray((total - total[first][np.cumsum(first) - 1])[inverse(order)])


def _joined(corpus: Corpus, plan: _DocumentPlan) -> Corpus:
    """One side with the documents of the plan."""
    entity, first = _entities(corpus, plan.group[corpus.entity_document])

    def start(document: Ints, token: Ints) -> Ints:
        return token + plan.tokens[document]

    moved = on_tokens(corpus, start, lambda document, token: start(document, token) + 1)
    places = NewPlaces(entity=place_in(entity), document=place_in(plan.group))
    joined = moved.rearranged(Selection(slice(None), first), places, **_merged(corpus, entity, first))
    return replace(
        joined,
        doc_ids=tuple(plan.groups),
        file_order=np.arange(len(first)),
        items=corpus.items and _items(corpus, corpus.items, plan),
        text=corpus.text and _text(corpus.text, plan),
        split_antecedents=joined.split_antecedents and _distinct(joined.split_antecedents),
        empty_nodes=corpus.empty_nodes and _empty_nodes(corpus.empty_nodes, plan),
        deixis=None if corpus.deixis is None else _joined(corpus.deixis, plan),
    ).in_reading_order()


def _entities(corpus: Corpus, group: Ints) -> tuple[Ints, Ints]:
    """The new number of each entity, and the first old one of each new number, in file order."""
    order, ids = np.argsort(corpus.file_order, kind="stable"), list(corpus.entity_ids)
    known: dict[Any, int] = {}
    named = ((e, (g, ids[e]) if ids[e] else e) for e, g in zip(order.tolist(), group[order].tolist(), strict=True))
    first_of = np.array([known.setdefault(name, e) for e, name in named], dtype=np.int64)
    first = np.array(list(known.values()), dtype=np.int64)
    place, new = np.empty((2, len(ids)), dtype=np.int64)
    place[first] = arange(len(first))
    new[order] = place[first_of]
    return new, first


def _merged(corpus: Corpus, entity: Ints, first: Ints) -> dict[str, Any]:
    """The columns of entities that are not simply those of the first entity of each id."""
    merged = {}
    for name, part, values in numbers_of(corpus):
        if part.merge is not None:
            merged[name] = values[first]
            part.merge.at(merged[name], entity, values)
    return merged


def _items(corpus: Corpus, items: Sequence[str], plan: _DocumentPlan) -> list[str]:
    return [f"{plan.documents[document]}/{item}" for document, item in zip(corpus.document.tolist(), items, strict=True)]


def _distinct(layer: SplitAntecedents) -> SplitAntecedents:
    """The pairs, each once, and none of an entity and itself."""
    pairs = np.unique(np.stack(layer), axis=1)
    return SplitAntecedents(*pairs[:, pairs[0] != pairs[1]])


def _empty_nodes(empty: EmptyNodes, plan: _DocumentPlan) -> EmptyNodes:
    document, node = plan.group[empty.document], empty.node + plan.tokens[empty.document]
    sentence = empty.sentence + plan.sentences[empty.document]
    order = np.lexsort((node, document))
    document, node, minor, sentence = (c[order].astype(np.int32) for c in (document, node, empty.minor, sentence))
    return EmptyNodes(document, node, minor, sentence, [empty.deps[n] for n in order.tolist()])


def _text(text: Text, plan: _DocumentPlan) -> Text:
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
