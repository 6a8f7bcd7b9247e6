"""The text pane of a document: tokens, and where on them the mentions of each side are.

The tokens are the key's, with the empty nodes of all sides. A response with another tokenisation is laid on them by the
characters that both have in common. A document without words has its mentions for tokens: their names, or their spans.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import Corpus
from referee.matching.characters import align_characters

Parts: TypeAlias = dict[str, list[tuple[int, int]]]
Places: TypeAlias = tuple[Ints, Ints]
"""The first place of each token of a side on the pane, and the place after its last."""


class Placed(NamedTuple):
    """Of each mention of a side: its first token on the pane, the token after its last; the parts of those that have several,
    by their numbers; and the texts of all, where the pane has other tokens."""

    start: list[int]
    end: list[int]
    parts: Parts
    texts: list[str] | None


class Annotated(NamedTuple):
    """A document of a corpus."""

    corpus: Corpus
    number: int

    @property
    def tokens(self) -> Sequence[str]:
        """Nothing if the corpus has no words, or mentions that are no spans of them."""
        c = self.corpus
        return () if c.text is None or c.items is not None else c.text.words[self.number].tokens

    @property
    def mentions(self) -> range:
        return range(*np.searchsorted(self.corpus.document, [self.number, self.number + 1]).tolist())

    @property
    def nodes(self) -> list[tuple[int, int, int]]:
        """The empty nodes: words before each, its minor number, its rank among those that have both in common."""
        if self.corpus.empty_nodes is None:
            return []
        found: list[tuple[int, int, int]] = []
        for n, (node, minor) in enumerate(zip(*(c.tolist() for c in self._empty()), strict=True)):
            before = node - n
            rank = found[-1][2] + 1 if found and found[-1][:2] == (before, minor) else 0
            found.append((before, minor, rank))
        return found

    def _empty(self) -> tuple[Ints, Ints]:
        assert self.corpus.empty_nodes is not None
        here = slice(*np.searchsorted(self.corpus.empty_nodes.document, [self.number, self.number + 1]))
        return self.corpus.empty_nodes.node[here], self.corpus.empty_nodes.minor[here]

    @property
    def is_node(self) -> Any:
        """Which tokens are empty nodes."""
        found = np.zeros(len(self.tokens), dtype=bool)
        if self.corpus.empty_nodes is not None:
            found[self._empty()[0]] = True
        return found


@dataclass(frozen=True)
class Pane:
    """tokens; sentences: the tokens at which sentences start; listed: whether the tokens are mentions, as there are no words;
    sides: where the mentions of the key, and of each response, are."""

    tokens: list[str]
    sentences: list[int]
    listed: bool
    sides: list[Placed]


def pane_of(sides: Sequence[Annotated | None]) -> Pane:
    """The pane of a document as the key has it, and each response; None for one that lacks it."""
    shown = next((side for side in sides if side is not None and side.tokens), None)
    if shown is None:
        return _list(sides)
    # Words are read only where digests do not tell that they are the same.
    different = [s for s in sides if s is not None and s is not shown and (s.nodes or shown.nodes or not _same(s, shown))]
    others = [side for side in different if side.tokens]
    tokens, own = list(shown.tokens), _identity(shown)
    places = {id(side): own for side in sides if side is not None}
    worded = [shown, *others]
    if any(side.nodes for side in worded) and all(_words(side) == _words(shown) for side in others):
        tokens, merged = _merged(worded)
        places = dict.fromkeys(places, merged[0]) | dict(zip(map(id, worded), merged, strict=True))
    else:
        places |= {id(side): _aligned(side, shown) for side in others if list(side.tokens) != tokens}
    first = places[id(shown)][0]
    assert shown.corpus.text is not None
    sentences = shown.corpus.text.words[shown.number].sentences
    foreign = {id(side) for side in worded if list(side.tokens) != tokens}
    return Pane(
        tokens,
        [0, *(int(first[start]) for start in list(sentences)[1:] if start < len(first))] if sentences else [],
        False,
        [Placed([], [], {}, None) if side is None else _placed(side, places[id(side)], id(side) in foreign) for side in sides],
    )


def _same(side: Annotated, shown: Annotated) -> bool:
    """Whether the digests of two documents tell that they have the same words."""
    prints = [s.corpus.text and s.corpus.text.fingerprints and (s.corpus.text.kind, s.corpus.text.fingerprints[s.number])
              for s in (side, shown)]  # fmt: skip
    return bool(prints[0] and prints[0] == prints[1])


def _words(side: Annotated) -> list[str]:
    return side.corpus.words(side.number)


def _identity(side: Annotated) -> Places:
    first = np.arange(len(side.tokens))
    return first, first + 1


def _merged(sides: Sequence[Annotated]) -> tuple[list[str], list[Places]]:
    """The words that all have in common with the empty nodes of each, and where the tokens of each are among them."""
    named: dict[tuple[int, int, int], str] = {}
    for side in sides:
        nodes = [side.tokens[n] for n in np.flatnonzero(side.is_node).tolist()]
        named = dict(zip(side.nodes, nodes, strict=True)) | named
    union = sorted(named)
    number = {node: n for n, node in enumerate(union)}
    before = np.array([node[0] for node in union], dtype=np.int64)
    places = []
    for side in sides:
        is_node = side.is_node
        word = np.cumsum(~is_node) - 1
        place = word + np.searchsorted(before, word, side="right")
        place[is_node] = [node[0] + number[node] for node in side.nodes]
        places.append((place, place + 1))
    words = _words(sides[0])
    tokens = [""] * (len(words) + len(union))
    for place, token in zip(places[0][0][~sides[0].is_node].tolist(), words, strict=True):
        tokens[place] = token
    for node, token in named.items():
        tokens[node[0] + number[node]] = token
    return tokens, places


def _aligned(side: Annotated, shown: Annotated) -> Places:
    """Where tokens are on those of another tokenisation: from the first that has a character of theirs to the last."""
    there, own = align_characters(list(shown.tokens), list(side.tokens))
    start = np.clip(np.searchsorted(there.end, own.start, side="right"), 0, len(shown.tokens) - 1)
    return start, np.clip(np.searchsorted(there.start, own.end, side="left"), start + 1, len(shown.tokens))


def _placed(side: Annotated, places: Places, foreign: bool) -> Placed:
    """The mentions of a side on the pane, with their texts if its tokens are foreign. What is past the pane ends with it."""
    corpus, m = side.corpus, side.mentions
    first, after = places
    last = len(first) - 1

    def on_pane(start: Any, end: Any) -> tuple[Any, Any]:
        begins = first[np.clip(start, 0, last)]
        return begins, np.maximum(after[np.clip(end - 1, 0, last)], begins + 1)

    start, end = on_pane(corpus.start[m.start : m.stop], corpus.end[m.start : m.stop])
    parts: Parts = {}
    if corpus.fragments is not None:
        for n in np.flatnonzero(corpus.fragments[m.start : m.stop]).tolist():
            spans = (on_pane(a, b) for a, b in corpus.spans(m.start + n) if a <= last)
            parts[str(n)] = [(int(a), int(b)) for a, b in spans]
    texts = [" … ".join(" ".join(side.tokens[a:b]) for a, b in corpus.spans(n)) for n in m] if foreign else None
    return Placed(start.tolist(), end.tolist(), parts, texts)


def _list(sides: Sequence[Annotated | None]) -> Pane:
    """All mentions of all sides, each once, as tokens."""
    names: list[list[Any]] = []
    for side in sides:
        if side is None:
            names.append([])
        elif side.corpus.items is not None:
            names.append([side.corpus.items[n] for n in side.mentions])
        else:
            names.append([side.corpus.spans(n) for n in side.mentions])
    distinct = sorted(set().union(*names), key=lambda name: (isinstance(name, tuple), _natural(name)))
    place = {name: n for n, name in enumerate(distinct)}
    placed = [Placed([place[n] for n in own], [place[n] + 1 for n in own], {}, None) for own in names]
    return Pane([name if isinstance(name, str) else _span(name) for name in distinct], [], True, placed)


def _span(parts: Sequence[tuple[int, int]]) -> str:
    """The tokens of a mention without words, counted from 0, the last one included."""
    return ", ".join(str(a) if b == a + 1 else f"{a}–{b - 1}" for a, b in parts)


def _natural(name: Any) -> Any:
    """Sorts numbers in names by their size, so that 2 comes before 10."""
    if not isinstance(name, str):
        return name
    pieces = re.split(r"([0-9]+)", name)
    return [(int(piece) if n % 2 and len(piece) < 100 else 0, piece) for n, piece in enumerate(pieces)]
