"""Columns of a corpus as JSON: a list for each document, and objects of such lists. All documents are written at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from json import dumps
from math import isnan

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.corpus import Corpus
from referee.corpus.naming import has_ids, id_prefix
from referee.pages.inspector.packing import json_of, named

Lists = Sequence[bytes]
"""JSON of each document."""


@dataclass(frozen=True, eq=False)
class CorpusColumns:
    """The text, mentions and entities of an annotation, each written when it is first asked for.

    Parameters
    ----------
    corpus : Corpus
        The annotation.
    """

    corpus: Corpus

    @cached_property
    def text(self) -> Lists:
        """Of each document of a corpus with words: what `DocumentData` of `assets/payload.d.ts` says of them alone."""
        words = self.corpus.text.words if self.corpus.text else ()
        starts = [[0, *(s for s in w.sentences[1:] if s < len(w.tokens))] if len(w.sentences) else [] for w in words]
        sentences = lists(np.array([*chain(*starts)], dtype=np.int64), _edges(starts))
        written = members(
            {"tokens": strings([w.tokens for w in words]), "sentences": sentences, "wordless": [b"false"] * len(words)}
        )
        return [
            text + b',"speakers":' + json_of(w.speakers[: len(start)]) if w.speakers else text
            for text, w, start in zip(written, words, starts, strict=True)
        ]

    @cached_property
    def plain_words(self) -> list[tuple[str, bytes] | None]:
        """Of each document: the digest of its words and how it was made; None without a digest, or with empty nodes."""
        text, nodes = self.corpus.text, self.corpus.empty_nodes
        if text is None or not text.fingerprints:
            return [None] * len(self.corpus.doc_ids)
        with_nodes = set() if nodes is None else set(nodes.document.tolist())
        return [None if n in with_nodes else (text.kind, digest) for n, digest in enumerate(text.fingerprints)]

    @cached_property
    def places(self) -> Lists:
        """Of each document: what `AnnotationData` of `assets/payload.d.ts` says of places, on a text with the same tokens."""
        c, m = self.corpus, self._mentions
        heads = {} if c.head is None else {"heads": lists(c.head, m)}
        return members({"start": lists(c.start, m), "end": lists(c.end, m), **heads})

    @cached_property
    def others(self) -> Lists:
        """Of each document: what `AnnotationData` says of mentions and entities besides places and relations."""
        c, m, e = self.corpus, self._mentions, offsets(self.corpus.entity_document, len(self.corpus.doc_ids))
        columns = {"entity": lists(c.entity - e[c.document], m), "size": lists(c.entity_size, e)}
        for name, values in (("entity_ids", c.entity_ids if has_ids(c) else None), ("entity_types", c.entity_types)):
            if values is not None:
                of_all = list(values)
                columns[name] = strings([of_all[first:after] for first, after in pairwise(e.tolist())])
        if (prefix := id_prefix(c)) is not None:
            columns["by_id"] = [json_of(prefix)] * len(c.doc_ids)
        written, types = members(columns), lists(c.mention_types_with_zeros, m)
        return [a + b',"mention_types":' + b if b.strip(b"[0,]") else a for a, b in zip(written, types, strict=True)]

    @cached_property
    def tokens(self) -> list[int]:
        """Of each document: the least number of tokens with which all mentions are in the text, and are as `places` says.

        More than there can be if a mention is empty or discontinuous.
        """
        c = self.corpus
        tokens = np.zeros(len(c.doc_ids), dtype=np.int64)
        np.maximum.at(tokens, c.document, c.end)
        if c.head is not None:
            np.maximum.at(tokens, c.document, c.head + 1)
        unusual = c.end <= c.start
        if c.fragments is not None:
            unusual |= c.fragments > 0
        tokens[c.document[unusual]] = np.iinfo(np.int64).max
        least: list[int] = tokens.tolist()
        return least

    @property
    def _mentions(self) -> Ints:
        return offsets(self.corpus.document, len(self.corpus.doc_ids))


def offsets(documents: Ints, number: int) -> Ints:
    """Where the rows of each document begin in a sorted column of document numbers, and where the last ones end."""
    edges: Ints = documents.searchsorted(np.arange(number + 1, dtype=documents.dtype))
    return edges


def within(numbers: Ints, documents: Ints, first: Ints) -> Ints:
    """Count numbers from the first row of their document; -1 stays."""
    local: Ints = np.maximum(numbers - first[documents], -1)
    return local


def lists(values: Numbers, first: Ints) -> list[bytes]:
    """Write the numbers of each document as a list; nan is null, and whole numbers have no point.

    Each number that occurs is written once.

    Parameters
    ----------
    values : integers or floats, shape (rows,)
    first : int64, shape (documents + 1,)
        Where the rows of each document begin.

    Examples
    --------
    >>> lists(np.array([0.5, np.nan, 3.0]), np.array([0, 2, 2, 3]))
    [b'[0.5,null]', b'[]', b'[3]']
    """
    distinct, place = _distinct(values)
    padded = np.array([text + b"," for text in distinct])
    characters = padded[place].view(np.uint8)
    written = characters[characters > 0].tobytes()
    ends = np.append(0, np.cumsum(np.char.str_len(padded)[place]))[first].tolist()
    return [b"[%b]" % written[a : b - 1] if b > a else b"[]" for a, b in pairwise(ends)]


def _distinct(values: Numbers) -> tuple[list[bytes], Ints]:
    """The texts of the numbers that occur, and perhaps of others, and which of them each row has."""
    least = values.min(initial=0)
    if values.dtype.kind == "i" and values.max(initial=0) - least <= len(values):
        distinct, place = np.arange(least, values.max(initial=0) + 1), values - least
    else:
        distinct, place = np.unique(values, return_inverse=True)
    text = json_of([None if isnan(value) else value for value in distinct.tolist()])[1:-1] + b","
    return text.replace(b".0,", b",")[:-1].split(b","), place


def in_one_list(values: Numbers) -> bytes:
    """Write all numbers as one list."""
    return lists(values, np.array([0, len(values)]))[0]


def strings(documents: Sequence[Sequence[str]]) -> list[bytes]:
    """Write the strings of each document as a list."""
    text = dumps([*map(list, documents)], separators=("\n", ":"))[2:-2].encode()  # no string has a newline, but \n
    return [b"[%b]" % written.replace(b"\n", b",") for written in text.split(b"]\n[")][: len(documents)]


def objects(columns: Mapping[str, Lists]) -> list[bytes]:
    """Write an object for each document; all columns together make one.

    Examples
    --------
    >>> objects({"a": [b"[1]", b"[2]"], "b": [b"3", b"4"]})
    [b'{"a":[1],"b":3}', b'{"a":[2],"b":4}']
    """
    return [b"{%b}" % of_document for of_document in members(columns)]


def members(columns: Mapping[str, Lists]) -> list[bytes]:
    """Write what the objects have between their braces."""
    template = b",".join(named(name).replace(b"%", b"%%") + b"%b" for name in columns)
    return [template % texts for texts in zip(*columns.values(), strict=True)]


def _edges(documents: Sequence[Sequence[object]]) -> Ints:
    """Where the rows of each document begin among those of all, and where the last ones end."""
    return np.cumsum([0, *map(len, documents)])
