"""Pairs of partitions to test with: hypothesis strategies, a fast seeded generator, and the table of given documents.

A mention is an integer, its place in the text. A document is (key entities, response entities), each a list of sets of
mentions; a mention of one side only is missed or spurious.
"""

from dataclasses import fields, replace

import numpy as np
from hypothesis import strategies as st

from referee.metrics.folded import FoldedTable
from referee.metrics.table import LinkCounts, Table

Entities = list[set[int]]


def entities_of(labels):
    """The entities that labels describe, one label a mention, None for a mention that this side does not have."""
    entities = {}
    for mention, label in enumerate(labels):
        if label is not None:
            entities.setdefault(label, set()).add(mention)
    return list(entities.values())


def documents(max_mentions=9, *, same_mentions=False):
    """One document; with `same_mentions` nothing is missed or spurious."""
    label = st.integers(0, 4) if same_mentions else st.none() | st.integers(0, 4)
    return st.lists(st.tuples(label, label), max_size=max_mentions).map(
        lambda rows: (entities_of(k for k, _ in rows), entities_of(r for _, r in rows))
    )


def corpora(max_documents=5, *, same_mentions=False):
    return st.lists(documents(same_mentions=same_mentions), max_size=max_documents)


def random_documents(rng, number, max_mentions=10):
    return [random_document(rng, int(rng.integers(max_mentions + 1))) for _ in range(number)]


def random_document(rng, mentions):
    """A key and a response, related or not; now and then without one side, of one entity, or of singletons."""
    key = _random_labels(rng, mentions)
    if rng.random() < 0.5:
        response = _random_labels(rng, mentions)
    else:
        response = np.where(rng.random(mentions) < 0.3, rng.permutation(key), key)
    return _entities(key, rng, mentions), _entities(response, rng, mentions)


def random_links(rng, documents):
    """Links as a file might list them: a spanning tree of each entity, and at times a link twice over."""

    def tree(entity):
        order = rng.permutation(sorted(entity)).tolist()
        links = [(order[int(rng.integers(i))], order[i]) for i in range(1, len(order))]
        return links + [(order[0], order[-1])] * int(len(order) > 1 and rng.random() < 0.2)

    return [
        ([link for e in key for link in tree(e)], [link for e in response for link in tree(e)]) for key, response in documents
    ]


def table_of(documents, *, listed=None, seed=None):
    """The table of documents, their entities numbered in the order of the text.

    listed : the links that the files list, per document
    seed   : hand the matched mentions over in a random order
    """
    ordered = [(sorted(key, key=min), sorted(response, key=min)) for key, response in documents]
    key_of, response_of = (
        [_numbers(d[side], start) for d, start in zip(ordered, _starts(ordered, side), strict=True)] for side in (0, 1)
    )
    rows = [(k[m], r[m]) for k, r in zip(key_of, response_of, strict=True) for m in sorted(k.keys() & r.keys())]
    if seed is not None:
        rows = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))]
    counted = None
    if listed is not None:
        counted = LinkCounts(
            _ints(len(links[0]) for links in listed),
            _ints(_found(links[0], numbers) for links, numbers in zip(listed, response_of, strict=True)),
            _ints(len(links[1]) for links in listed),
            _ints(_found(links[1], numbers) for links, numbers in zip(listed, key_of, strict=True)),
        )
    table = Table.of(
        _ints(k for k, _ in rows),
        _ints(r for _, r in rows),
        _ints(len(entity) for key, _ in ordered for entity in key),
        _ints(len(entity) for _, response in ordered for entity in response),
        _ints(number for number, (key, _) in enumerate(ordered) for _ in key),
        _ints(number for number, (_, response) in enumerate(ordered) for _ in response),
        len(documents),
    )
    return replace(table, links=counted)


def _random_labels(rng, mentions):
    kind = rng.random()
    if kind < 0.1:
        return np.zeros(mentions, dtype=np.int64)
    if kind < 0.2:
        return np.arange(mentions)
    return rng.integers(1 + rng.integers(mentions + 1), size=mentions)


def _entities(labels, rng, mentions):
    has = rng.random(mentions) < rng.choice([1.0, 0.9, 0.6, 0.3, 0.0], p=[0.4, 0.25, 0.2, 0.1, 0.05])
    return entities_of(label if there else None for label, there in zip(labels.tolist(), has.tolist(), strict=True))


def _starts(documents, side):
    return [0, *np.cumsum([len(document[side]) for document in documents]).tolist()][: len(documents)]


def _numbers(entities, start):
    return {mention: number for number, entity in enumerate(entities, start) for mention in entity}


def _found(links, numbers):
    return sum(a in numbers and numbers[a] == numbers.get(b) for a, b in links)


def _ints(values):
    return np.fromiter(values, dtype=np.int64)


def folded(table, fold):
    """The table as one of parts."""
    return FoldedTable(**{field.name: getattr(table, field.name) for field in fields(table) if field.init}, fold=fold)
