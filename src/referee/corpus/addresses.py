"""Where mentions of a document are, as people write it: by words, and by the ids of empty nodes. Digests of annotation.

Empty nodes come and go with layers of annotation, so words are counted without them. A node is called by its sentence, from 1
on, and by its id there, as CoNLL-U has it: ``3:5.1``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.digest import blake2b
from referee.corpus.columns import Columns, Spans
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE

Address: TypeAlias = tuple[tuple[int, int] | str, ...]
"""Spans of words, half-open and in order, then ids of empty nodes."""


class Addresses(NamedTuple):
    """The tokens of a document by their addresses.

    Parameters
    ----------
    tokens : sequence of str
        What people see of each token.
    names : sequence of int or str
        The number of each word, counted without empty nodes; the ids of these.
    places : mapping
        The token of each name.
    """

    tokens: Sequence[str]
    names: Sequence[int | str]
    places: dict[int | str, int]

    def address(self, spans: Spans) -> Address:
        """The address of the spans of a mention."""
        names = [self.names[token] for start, end in spans for token in range(start, end)]
        words = join((name, name + 1) for name in names if isinstance(name, int))
        return (*words, *(name for name in names if isinstance(name, str)))

    def spans(self, address: Address) -> Spans | None:
        """The spans that have an address; None if the document has no such words or nodes, or if it is empty."""
        names = [name for part in address for name in ((part,) if isinstance(part, str) else range(*part))]
        tokens = [self.places.get(name) for name in names]
        if not tokens or None in tokens:
            return None
        return join((token, token + 1) for token in tokens if token is not None)

    def text(self, spans: Spans) -> str:
        """What people read of a mention."""
        return " … ".join(" ".join(self.tokens[start:end]) for start, end in spans)


def addresses_of(corpus: Columns, document: int) -> Addresses:
    """The addresses of a document that has words.

    Examples
    --------
    >>> from referee import read
    >>> addresses = addresses_of(read("examples/key.conll"), 1)
    >>> addresses.address(((4, 6), (0, 2))), addresses.text(((0, 2), (4, 6)))
    (((0, 2), (4, 6)), 'Orchard Press … Elena Ruiz')
    """
    assert corpus.text is not None
    words = corpus.text.words[document]
    seen = list(words.tokens)
    names: list[int | str] = list(range(len(seen)))
    nodes = corpus.empty_nodes
    if nodes is not None:
        starts = list(words.sentences) or [0]
        rows = slice(*np.searchsorted(nodes.document, [document, document + 1]))
        here = nodes.node[rows].tolist()
        is_node = np.zeros(len(seen), dtype=bool)
        is_node[here] = True
        before = np.concatenate([[0], np.cumsum(~is_node)]).tolist()
        names = before[:-1]
        for node, minor, sentence in zip(here, nodes.minor[rows].tolist(), nodes.sentence[rows].tolist(), strict=True):
            word = 0 if minor >= BEFORE else before[node] - before[starts[sentence]]
            names[node] = f"{sentence + 1}:{word}.{minor % BEFORE}"
            seen[node] = "∅" if seen[node] in ("_", "") else seen[node]
    return Addresses(seen, names, {name: token for token, name in enumerate(names)})


def digests(corpus: Columns) -> str:
    """Two digests of a corpus with words: of its documents and words, and of its mentions and the ids of their entities."""
    words, entities = blake2b(digest_size=8), blake2b(digest_size=8)
    for document, name in enumerate(corpus.doc_ids):
        tokens = () if corpus.text is None else corpus.text.words[document].tokens
        words.update(_line([name, *tokens]))
    here = zip(corpus.document.tolist(), corpus.entity.tolist(), strict=True)
    names = list(corpus.entity_ids)
    for row in sorted((document, corpus.spans(m), names[entity]) for m, (document, entity) in enumerate(here)):
        entities.update(_line(row))
    return f"{words.hexdigest()}-{entities.hexdigest()}"


def _line(values: Iterable[object]) -> bytes:
    return json.dumps(list(values), ensure_ascii=True).encode() + b"\n"
