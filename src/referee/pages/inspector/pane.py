"""The text of a document as the page shows it: tokens, and where on them the mentions of each side are.

The tokens are those of the key, with the empty nodes of all sides. A response with another tokenisation is placed by the
characters that both have in common. Without words the mentions are the tokens: their item ids, or their spans.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.corpus import Corpus, Spans
from referee.corpus.natural_order import natural
from referee.corpus.schema import Picked
from referee.matching.characters import align_characters
from referee.pages.inspector.correctable import token_names
from referee.pages.inspector.json_columns import CorpusColumns
from referee.pages.inspector.packing import Record, members

Places: TypeAlias = tuple[Ints, Ints]
"""Of each token of a side: its first token on the pane, and the token after its last."""

EmptyNode: TypeAlias = tuple[int, int, int]
"""Words before it, its minor number, its rank among the nodes that have both in common."""


class SideOfDocument(NamedTuple):
    """One side of a document: the corpus of the side, and the number of the document in it."""

    columns: CorpusColumns
    number: int

    @property
    def corpus(self) -> Corpus:
        """The annotation."""
        return self.columns.corpus

    @property
    def tokens(self) -> Sequence[str]:
        """Empty if the corpus has no words, or has items."""
        c = self.corpus
        return () if c.text is None or c.items is not None else c.text.words[self.number].tokens

    @property
    def words(self) -> list[str]:
        """The tokens without empty nodes."""
        return self.corpus.words(self.number)

    @property
    def mentions(self) -> range:
        """Numbers in the corpus."""
        rows = self.corpus.mentions_in(self.number, self.number + 1)
        return range(rows.start, rows.stop)

    @property
    def nodes(self) -> list[EmptyNode]:
        """The empty nodes."""
        nodes: list[EmptyNode] = []
        if self.corpus.empty_nodes is None:
            return nodes
        for n, (node, minor) in enumerate(zip(*(column.tolist() for column in self._node_columns), strict=True)):
            before = node - n
            rank = nodes[-1][2] + 1 if nodes and nodes[-1][:2] == (before, minor) else 0
            nodes.append((before, minor, rank))
        return nodes

    @property
    def empty_nodes(self) -> list[int]:
        """The tokens that are empty nodes."""
        tokens: list[int] = self._node_columns[0].tolist()
        return tokens

    @property
    def is_node(self) -> Bools:
        """Which tokens are empty nodes."""
        is_node = np.zeros(len(self.tokens), dtype=bool)
        is_node[self._node_columns[0]] = True
        return is_node

    @property
    def _node_columns(self) -> tuple[Ints, Ints]:
        """The token and the minor number of each empty node."""
        nodes = self.corpus.empty_nodes
        if nodes is None:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        rows = slice(*np.searchsorted(nodes.document, [self.number, self.number + 1]))
        return nodes.node[rows], nodes.minor[rows]


class Pane(NamedTuple):
    """The text of a document.

    Parameters
    ----------
    text : bytes
        What `DocumentData` of `assets/payload.d.ts` says of it alone.
    sides : list of bytes
        What `AnnotationData` says of the places of the mentions of the key, and of those of each response; nothing for a
        response that lacks the document.
    mentions : sequence of str
        The tokens, if they are mentions, because there are no words.
    """

    text: bytes
    sides: list[bytes]
    mentions: Sequence[str] = ()


def pane_of(sides: Sequence[SideOfDocument | None]) -> Pane:
    """Place the mentions of all sides on one text.

    Parameters
    ----------
    sides : sequence of SideOfDocument or None
        The key, and each response; None for a response that lacks the document.
    """
    shown = next((side for side in sides if side is not None and side.tokens), None)
    return _pane_of_mentions(sides) if shown is None else _pane_of_words(shown, sides)


def _pane_of_words(shown: SideOfDocument, sides: Sequence[SideOfDocument | None]) -> Pane:
    """The words of `shown`, the first side that has any."""
    there = [side for side in sides if side is not None]
    # Words are read only where digests do not tell that they are the same.
    plain = shown.columns.plain_words[shown.number]
    different = [s for s in there if s is not shown and (plain is None or s.columns.plain_words[s.number] != plain)]
    if not different and (plain is not None or not shown.nodes):
        length = len(shown.tokens)
        return Pane(shown.columns.text[shown.number], [b"" if side is None else _placed(side, None, length) for side in sides])
    others = [side for side in different if side.tokens]
    tokens, empty_nodes = list(shown.tokens), shown.empty_nodes
    places: dict[int, Places | None] = dict.fromkeys(map(id, there))
    worded = [shown, *others]
    if any(side.nodes for side in worded) and all(side.words == shown.words for side in others):
        tokens, empty_nodes, merged = _merged(worded)
        places |= dict.fromkeys(places, merged[0]) | dict(zip(map(id, worded), merged, strict=True))
    else:
        places |= {id(side): _aligned(side, shown) for side in others if list(side.tokens) != tokens}
    first, _ = places[id(shown)] or _identity(len(shown.tokens))
    foreign = {id(side) for side in worded if side.tokens != tokens}
    assert shown.corpus.text is not None
    words_of_document = shown.corpus.text.words[shown.number]
    sentences, speakers = list(words_of_document.sentences), words_of_document.speakers
    text: Record = {
        "tokens": _with_zeros(tokens, empty_nodes),
        "sentences": [0, *(int(first[start]) for start in sentences[1:] if start < len(first))] if sentences else [],
        "wordless": False,
    }
    if speakers:
        text["speakers"] = speakers[: 1 + sum(start < len(first) for start in sentences[1:])]
    if empty_nodes:
        names: list[int | str | None] = [None] * len(tokens)
        addresses = token_names(shown.corpus, shown.number) or range(len(shown.tokens))
        for place, name in zip(first.tolist(), addresses, strict=True):
            names[place] = name
        text |= {"empty_nodes": empty_nodes, "names": names}
    return Pane(
        members(text),
        [
            b"" if side is None else _placed(side, places[id(side)], len(shown.tokens), foreign=id(side) in foreign)
            for side in sides
        ],
    )


def _identity(tokens: int) -> Places:
    first = np.arange(tokens)
    return first, first + 1


def _with_zeros(tokens: Sequence[str], empty_nodes: Sequence[int]) -> list[str]:
    """The tokens as people see them: an empty node without a form is ∅, not the _ of files."""
    seen = list(tokens)
    for node in empty_nodes:
        seen[node] = "∅" if tokens[node] in ("_", "") else tokens[node]
    return seen


def _merged(sides: Sequence[SideOfDocument]) -> tuple[list[str], list[int], list[Places]]:
    """The words that all have in common with the empty nodes of each; which these are; where the tokens of each side are."""
    texts: dict[EmptyNode, str] = {}
    for side in sides:
        nodes = [side.tokens[n] for n in np.flatnonzero(side.is_node).tolist()]
        texts = dict(zip(side.nodes, nodes, strict=True)) | texts
    union = sorted(texts)
    rank = {node: n for n, node in enumerate(union)}
    before = np.array([node[0] for node in union], dtype=np.int64)
    places = []
    for side in sides:
        is_node = side.is_node
        word = np.cumsum(~is_node) - 1
        place = word + np.searchsorted(before, word, side="right")
        place[is_node] = [node[0] + rank[node] for node in side.nodes]
        places.append((place, place + 1))
    words = sides[0].words
    tokens = [""] * (len(words) + len(union))
    for place, token in zip(places[0][0][~sides[0].is_node].tolist(), words, strict=True):
        tokens[place] = token
    for node, token in texts.items():
        tokens[node[0] + rank[node]] = token
    return tokens, [node[0] + n for n, node in enumerate(union)], places


def _aligned(side: SideOfDocument, shown: SideOfDocument) -> Places:
    """Where tokens are on those of another tokenisation: from the first that has a character of theirs to the last."""
    there, own = align_characters(list(shown.tokens), list(side.tokens))
    start = np.clip(np.searchsorted(there.end, own.start, side="right"), 0, len(shown.tokens) - 1)
    return start, np.clip(np.searchsorted(there.start, own.end, side="left"), start + 1, len(shown.tokens))


def _placed(side: SideOfDocument, places: Places | None, length: int, *, foreign: bool = False) -> bytes:
    """The places of the mentions of a side on the pane, with their texts if its tokens are foreign.

    A mention past the pane ends with it. Without places the tokens of the side are those of the pane, so many.
    """
    if places is None and side.columns.tokens[side.number] <= length:
        return side.columns.places[side.number]
    corpus, m = side.corpus, side.mentions
    first, after = places or _identity(length)
    last = len(first) - 1

    def on_pane(start: Ints, end: Ints) -> tuple[Ints, Ints]:
        begins = first[np.minimum(start, last)]
        return begins, np.maximum(after[np.minimum(np.maximum(end - 1, 0), last)], begins + 1)

    start, end = on_pane(corpus.start[m.start : m.stop], corpus.end[m.start : m.stop])
    placed: Record = {"start": start.tolist(), "end": end.tolist()}
    spans: dict[str, list[tuple[int, int]]] = {}
    if corpus.fragments is not None:
        for n in np.flatnonzero(corpus.fragments[m.start : m.stop]).tolist():
            inside = np.array([span for span in corpus.spans(m.start + n) if span[0] <= last], dtype=np.int64).reshape(-1, 2)
            starts, ends = on_pane(inside[:, 0], inside[:, 1])
            spans[str(n)] = list(zip(starts.tolist(), ends.tolist(), strict=True))
    if spans:
        placed["spans"] = spans
    if foreign:
        tokens = _with_zeros(side.tokens, np.flatnonzero(side.is_node).tolist())
        placed["texts"] = [" … ".join(" ".join(tokens[a:b]) for a, b in corpus.spans(n)) for n in m]
    if corpus.head is not None:
        head = corpus.head[m.start : m.stop]
        placed["heads"] = np.where(head < 0, -1, first[np.clip(head, 0, last)]).tolist()
    return members(placed)


def _pane_of_mentions(sides: Sequence[SideOfDocument | None]) -> Pane:
    """All mentions of all sides, each once, as tokens."""
    mentions = [[] if side is None else _ids(side) for side in sides]
    distinct = sorted({mention for of_side in mentions for mention in of_side}, key=natural)
    place = {mention: n for n, mention in enumerate(distinct)}
    tokens = [mention if isinstance(mention, str) else _token_range(mention) for mention in distinct]
    starts = [[place[mention] for mention in of_side] for of_side in mentions]
    return Pane(
        members({"tokens": tokens, "sentences": [], "wordless": True}),
        [members({"start": of_side, "end": [start + 1 for start in of_side]}) for of_side in starts],
        tokens,
    )


def _ids(side: SideOfDocument) -> Sequence[str | Spans]:
    """What identifies each mention: its item id, or its spans."""
    items = side.corpus.items
    return [side.corpus.spans(n) for n in side.mentions] if items is None else list(Picked(items, np.array(side.mentions)))


def _token_range(spans: Spans) -> str:
    """The tokens of a mention without words, counted from 0, the last one included."""
    return ", ".join(str(a) if b == a + 1 else f"{a}–{b - 1}" for a, b in spans)
