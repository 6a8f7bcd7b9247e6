"""Columns of a corpus as JSON: a list for each document, and objects of such lists. All documents are written at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from json import dumps
from math import isnan
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.corpus import Corpus
from referee.inspector.packing import json_of, named

Lists = Sequence[bytes]
"""JSON of each document."""


class CorpusColumns(NamedTuple):
    """The mentions and entities of an annotation, as `AnnotationData` of `assets/payload.d.ts` has them.

    Parameters
    ----------
    start, end, entity, size, mention_types, heads, entity_ids, entity_types : sequence of bytes, or None
        Of each document: a list. None if the corpus lacks the column, or if no file has ids.
    tokens : list of int
        Of each document: the least number of tokens with which all mentions are in the text, and are as `start`, `end` and
        `heads` say. More than there can be if a mention is empty or discontinuous.
    """

    start: Lists
    end: Lists
    entity: Lists
    size: Lists
    mention_types: Lists
    heads: Lists | None
    entity_ids: Lists | None
    entity_types: Lists | None
    tokens: list[int]

    @classmethod
    def of(cls, corpus: Corpus) -> CorpusColumns:
        """Write the columns of a corpus."""
        m, e = offsets(corpus.document, len(corpus.doc_ids)), offsets(corpus.entity_document, len(corpus.doc_ids))
        tokens = np.zeros(len(corpus.doc_ids), dtype=np.int64)
        np.maximum.at(tokens, corpus.document, corpus.end)
        if corpus.head is not None:
            np.maximum.at(tokens, corpus.document, corpus.head + 1)
        unusual = corpus.end <= corpus.start
        if corpus.fragments is not None:
            unusual |= corpus.fragments > 0
        tokens[corpus.document[unusual]] = np.iinfo(np.int64).max
        return cls(
            start=lists(corpus.start, m),
            end=lists(corpus.end, m),
            entity=lists(corpus.entity - e[corpus.document], m),
            size=lists(corpus.entity_size, e),
            mention_types=lists(corpus.mention_types_with_zeros, m),
            heads=None if corpus.head is None else lists(corpus.head, m),
            entity_ids=strings(corpus.entity_ids, e) if corpus.format else None,
            entity_types=None if corpus.entity_types is None else strings(corpus.entity_types, e),
            tokens=tokens.tolist(),
        )


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
    least = values.min(initial=0)
    if values.dtype.kind == "i" and values.max(initial=0) - least <= len(values):
        distinct, place = np.arange(least, values.max(initial=0) + 1), values - least
    else:
        distinct, place = np.unique(values, return_inverse=True)
    text = json_of([None if isnan(value) else value for value in distinct.tolist()])[1:-1].replace(b",", b",;") + b","
    texts = np.array(text.replace(b".0,", b",").split(b";"))
    characters = texts[place].view(np.uint8)
    written = characters[characters > 0].tobytes()
    ends = np.append(0, np.cumsum(np.char.str_len(texts)[place]))[first].tolist()
    return [b"[%b]" % written[a : b - 1] if b > a else b"[]" for a, b in pairwise(ends)]


def strings(values: Sequence[str], first: Ints) -> list[bytes]:
    """Write the strings of each document as a list."""
    texts = dumps(list(values), separators=("\n", ":"))[1:-1].encode().split(b"\n")  # no string has a newline, but \n
    return [b"[%b]" % b",".join(texts[a:b]) for a, b in pairwise(first.tolist())]


def objects(columns: Mapping[str, Lists]) -> list[bytes]:
    """Write an object for each document; all columns together make one.

    Examples
    --------
    >>> objects({"a": [b"[1]", b"[2]"], "b": [b"3", b"4"]})
    [b'{"a":[1],"b":3}', b'{"a":[2],"b":4}']
    """
    template = b"{%b}" % b",".join(named(name).replace(b"%", b"%%") + b"%b" for name in columns)
    return [template % texts for texts in zip(*columns.values(), strict=True)]
