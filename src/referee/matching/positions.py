"""Key and response on common positions, so that a mention is the same set of positions in both.

Positions are tokens as long as both sides have the same. Two things make them differ, and the spans of the two sides are then
counted on positions that both can be mapped to:

* Empty nodes. Key and response may each have their own; the common positions are the words and the empty nodes of either. A
  mention with an empty node of the other side in its midst gets a gap there: it does not contain that node.
* Another tokenisation. In documents whose words differ, positions are the characters that the two have in common, and a head
  is where its first character is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import starts_of_runs
from referee.corpus.corpus import Corpus, Spans
from referee.corpus.editing import fragment_columns, join

if TYPE_CHECKING:
    from referee.matching.characters import Tokens

_NONE = np.empty(0, dtype=np.int64)

NOWHERE = 1 << 30
"""Positions from here on belong to mentions of which no character is in the other text; each has its own."""


Characters: TypeAlias = "Sequence[tuple[Tokens, Tokens] | None]"
"""For each document, both sides' tokens on common characters; None where the words are the same. Empty: they are everywhere."""


def on_common_positions(key: Corpus, response: Corpus, characters: Characters = ()) -> tuple[Corpus, Corpus]:
    """Both sides, over the same documents, with spans, heads and least spans on common positions; the order of the mentions
    is kept, so their numbers stay what they were. What is returned is for matching: it fits no text.

    characters : see `common_characters_of`
    """
    sides = key, response
    if key.items is not None or response.items is not None:
        return sides
    if not any(side.empty_nodes is not None and len(side.empty_nodes.node) for side in sides) and not any(characters):
        return sides
    units = zip(*((None, None) if pair is None else pair for pair in characters or [None] * len(key.doc_ids)), strict=True)
    own = [_Units(side, aligned) for side, aligned in zip(sides, units, strict=True)]
    union, number = np.unique(np.concatenate([o.nodes for o in own]), axis=0, return_inverse=True)
    numbers = np.split(number.ravel(), [len(own[0].nodes)])
    mapped = [_mapped(s, o, union, n, side) for side, (s, o, n) in enumerate(zip(sides, own, numbers, strict=True))]
    return mapped[0], mapped[1]


def common_characters_of(key: Corpus, response: Corpus) -> tuple[Characters, float]:
    """The alignment of all documents whose words differ, and the share of tokens of either side that it leaves unaligned."""
    from referee.matching.characters import common_characters  # large tables, of use only here

    found: list[tuple[Tokens, Tokens] | None] = []
    tokens = unaligned = 0
    for document in range(len(key.doc_ids)):
        words = key.words(document), response.words(document)
        tokens += len(words[0]) + len(words[1])
        if words[0] == words[1] or not (words[0] and words[1]):
            found.append(None)
        else:
            both = common_characters(*words)
            unaligned += both[0].unaligned + both[1].unaligned
            found.append(both)
    return found, unaligned / max(tokens, 1)


class _Units:
    """One side's tokens as units, which are its words or, where these are aligned by characters, common characters."""

    def __init__(self, corpus: Corpus, aligned: Sequence[Tokens | None]) -> None:
        found = {d: tokens for d, tokens in enumerate(aligned) if tokens is not None and len(tokens.start)}
        # Where the words of aligned documents begin and end, one document after another, and where each document's are.
        self.edges = [
            np.concatenate([edge for t in found.values() for edge in (t.start, t.end[-1:])] or [_NONE]),
            np.concatenate([edge for t in found.values() for edge in (t.end, t.end[-1:])] or [_NONE]),
        ]
        self.first = np.full(len(aligned), -1, dtype=np.int64)
        self.first[list(found)] = np.cumsum([0, *(len(t.start) + 1 for t in found.values())])[:-1]
        self.last = np.zeros(len(aligned), dtype=np.int64)
        self.last[list(found)] = [len(t.start) for t in found.values()]
        empty = corpus.empty_nodes
        document = _NONE if empty is None else empty.document.astype(np.int64)
        node = _NONE if empty is None else empty.node.astype(np.int64)
        minor = _NONE if empty is None else empty.minor.astype(np.int64)
        self.tokens = document << 32 | node
        unit = self.along(document, node, 0)
        # Nodes that a word without a common character stands between are told apart by their order.
        new = starts_of_runs(document, unit, minor)
        rank = np.arange(len(new)) - np.flatnonzero(new)[np.cumsum(new) - 1] if len(new) else _NONE
        self.nodes = np.stack([document, unit, minor, rank], axis=1)
        """Document, unit before which it stands, and minor number of each empty node, and its place among equals."""

    def is_empty(self, document: Ints, token: Ints) -> tuple[NDArray[np.bool_], Ints]:
        """Which tokens are empty nodes, and their numbers among these."""
        packed = document.astype(np.int64) << 32 | token
        place = np.searchsorted(self.tokens, packed)
        found = np.zeros(len(packed), dtype=bool)
        inside = place < len(self.tokens)
        found[inside] = self.tokens[place[inside]] == packed[inside]
        return found, place

    def along(self, document: Ints, token: Ints, after: int) -> Ints:
        """The first unit of each token (of an empty node, the unit before which it stands), or the unit after its last."""
        d = document.astype(np.int64) << 32
        words = token - (np.searchsorted(self.tokens, d | token) - np.searchsorted(self.tokens, d))
        units = words + after
        here = self.first[document] >= 0
        place = np.minimum(words[here], self.last[document[here]])
        units[here] = self.edges[after][self.first[document[here]] + place]
        return units


def _mapped(corpus: Corpus, own: _Units, union: Ints, number: Ints, side: int) -> Corpus:
    """The corpus on common positions: units, with the empty nodes of either side (`union`) in between.

    number : which of the union each own empty node is
    """
    keys = union[:, 0] << 32 | union[:, 1]

    def common(document: Ints, unit: Ints) -> Ints:
        """The position of a unit: so many units and so many empty nodes are before it."""
        d = document.astype(np.int64) << 32
        return unit + np.searchsorted(keys, d | unit, side="right") - np.searchsorted(keys, d)

    node_position = union[:, 1] + np.arange(len(union)) - np.searchsorted(keys, union[:, 0] << 32)

    def position(document: Ints, token: Ints) -> tuple[Ints, Ints]:
        """Where each token begins and ends."""
        empty, place = own.is_empty(document, token)
        start, after = own.along(document, token, 0), own.along(document, token, 1)
        begins = common(document, start)
        ends = np.where(after > 0, common(document, np.maximum(after - 1, 0)) + 1, 0)
        node = node_position[number[place[empty]]]
        begins[empty], ends[empty] = node, node + 1
        return begins, ends

    document = corpus.document
    start, end = position(document, corpus.start)[0], position(document, corpus.end - 1)[1]
    lost = start >= end
    start[lost] = NOWHERE + 2 * np.flatnonzero(lost) + side
    end[lost] = start[lost] + 1
    foreign = np.ones(len(union), dtype=bool)
    foreign[number] = False
    gaps = _Gaps(union[foreign, 0], node_position[foreign])
    several = np.flatnonzero(
        ((corpus.fragments > 0) if corpus.fragments is not None else False) | gaps.inside(document, start, end)
    )
    parts: dict[int, Spans] = {}
    listed = [(m, a, b) for m in several[~lost[several]].tolist() for a, b in corpus.spans(m)]
    mention, first, last = np.array(listed, dtype=np.int64).reshape(-1, 3).T
    begins, ends = position(document[mention], first)[0], position(document[mention], last - 1)[1]
    holed = gaps.inside(document[mention], begins, ends).tolist()
    pieces: dict[int, list[tuple[int, int]]] = {}
    for m, a, b, cut in zip(mention.tolist(), begins.tolist(), ends.tolist(), holed, strict=True):
        spans = gaps.cut(int(document[m]), a, b) if cut else [(a, b)]
        pieces.setdefault(m, []).extend(span for span in spans if span[0] < span[1])
    for m, found in pieces.items():
        parts[m] = join(found) or ((NOWHERE + 2 * m + side, NOWHERE + 2 * m + side + 1),)
        start[m], end[m] = parts[m][0][0], parts[m][-1][1]
    shape, shapes = fragment_columns(parts, len(document))
    head, minimum = corpus.heads, corpus.minimum_span
    known = head >= 0
    head = np.full(len(head), -1, dtype=np.int64)
    head[known] = position(document[known], corpus.heads[known])[0]
    if minimum is not None:
        known = minimum[:, 0] >= 0
        minimum = np.full(minimum.shape, -1, dtype=np.int64)
        minimum[known, 0] = position(document[known], corpus.minimum_span[known, 0])[0]  # type: ignore[index]
        minimum[known, 1] = position(document[known], corpus.minimum_span[known, 1] - 1)[1]  # type: ignore[index]
    return replace(corpus, start=start, end=end, head=head, minimum_span=minimum, fragments=shape, fragment_lists=shapes)


class _Gaps(NamedTuple):
    """Positions that a side does not have: the empty nodes of the other. Ascending."""

    document: Ints
    position: Ints

    def inside(self, document: Ints, start: Ints, end: Ints) -> NDArray[np.bool_]:
        """Which spans have one in their midst."""
        packed = self.document.astype(np.int64) << 32 | self.position
        d = document.astype(np.int64) << 32
        return np.searchsorted(packed, d | start) < np.searchsorted(packed, d | end)

    def cut(self, document: int, start: int, end: int) -> list[tuple[int, int]]:
        """A span without them, in pieces."""
        first, last = np.searchsorted(self.document, [document, document + 1])
        within = self.position[first:last]
        holes = within[np.searchsorted(within, start) : np.searchsorted(within, end)].tolist()
        return list(zip([start, *(h + 1 for h in holes)], [*holes, end], strict=True))
