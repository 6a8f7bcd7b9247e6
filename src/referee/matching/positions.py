"""Key and response on common positions, so that equal mentions are equal sets of positions.

Positions are token offsets as long as both sides have the same tokens. Two things make tokens differ. Spans are then counted
on positions that the tokens of both sides can be mapped to:

* **Empty nodes.** Each side may have its own. The common positions are the words and the empty nodes of either side. A
  mention that reaches over an empty node of the other side gets a gap there, because it does not contain that node. If the
  format of the other side has no empty nodes, the words are the common positions, and a mention of an empty node has none.
* **Another tokenisation.** In documents whose words differ, positions are the characters that the two texts have in common.
  The position of a head is that of its first character.

`units.py` maps the tokens of one side to words or characters; this module puts the empty nodes of both sides between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Ints, locations
from referee.corpus import Corpus, Spans
from referee.corpus.editing import fragment_columns, join
from referee.matching.units import TokenUnits

if TYPE_CHECKING:
    from referee.matching.characters import TokenCharacters

CharacterAlignments: TypeAlias = "Sequence[tuple[TokenCharacters, TokenCharacters] | None]"
"""For each document, the tokens of both sides on common characters; None where the words are the same. Empty if they are the
same everywhere."""

WITHOUT_NODES = frozenset({"conll", "jsonlines", "litbank", "fastcoref", "preco", "allennlp", "corenlp", "elit"})
"""Formats with words that have no empty nodes."""
NOWHERE = 1 << 30
"""Positions from here on are for mentions without a character in the other text. Each has one of its own."""


def character_alignments(key: Corpus, response: Corpus) -> tuple[CharacterAlignments, float]:
    """Align all documents whose words differ by their characters.

    Parameters
    ----------
    key, response : Corpus
        Over the same documents, with words.

    Returns
    -------
    alignments : CharacterAlignments
    unaligned : float
        The share of the tokens of both sides that have a character which the other text lacks.
    """
    from referee.matching.characters import align_characters  # words differ rarely

    alignments: list[tuple[TokenCharacters, TokenCharacters] | None] = []
    tokens = unaligned = 0
    for document in range(len(key.doc_ids)):
        key_words, response_words = key.words(document), response.words(document)
        tokens += len(key_words) + len(response_words)
        if key_words == response_words or not (key_words and response_words):
            alignments.append(None)
        else:
            alignment = align_characters(key_words, response_words)
            unaligned += alignment[0].unaligned + alignment[1].unaligned
            alignments.append(alignment)
    return alignments, unaligned / max(tokens, 1)


def on_common_positions(key: Corpus, response: Corpus, characters: CharacterAlignments = ()) -> tuple[Corpus, Corpus]:
    """Put the spans, heads and minimum spans of both sides on common positions.

    Parameters
    ----------
    key, response : Corpus
        Over the same documents.
    characters : CharacterAlignments
        Of documents whose words differ, from `character_alignments`.

    Returns
    -------
    key, response : Corpus
        Mentions keep their numbers. These corpora are for comparison: their positions are no offsets of any text.
    """
    sides = key, response
    if key.items is not None or response.items is not None:
        return sides
    if not any(side.empty_nodes is not None and len(side.empty_nodes.node) for side in sides) and not any(characters):
        return sides
    of_side = zip(*(pair or (None, None) for pair in characters or [None] * len(key.doc_ids)), strict=True)
    counted = any(side.format == "maverick" for side in sides)
    units = [TokenUnits(side, aligned, counted=counted) for side, aligned in zip(sides, of_side, strict=True)]
    if are_words_alone(*sides):
        moved = [_moved(side, _Positions(u, _NONE, None), n) for n, (side, u) in enumerate(zip(sides, units, strict=True))]
        return moved[0], moved[1]
    nodes, number = np.unique(np.concatenate([u.nodes for u in units]), axis=0, return_inverse=True)
    numbers = np.split(number.ravel(), [len(units[0].nodes)])
    moved = [
        _moved(corpus, _Positions(u, nodes, n), side)
        for side, (corpus, u, n) in enumerate(zip(sides, units, numbers, strict=True))
    ]
    return moved[0], moved[1]


def are_words_alone(key: Corpus, response: Corpus) -> bool:
    """Whether one side has empty nodes, and the format of the other has none."""
    return any(
        side.empty_nodes is not None and other.empty_nodes is None and other.format in WITHOUT_NODES
        for side, other in ((key, response), (response, key))
    )


_NONE = np.empty((0, 4), dtype=np.int64)


class _Positions:
    """From the tokens of one side to common positions: its units, with the empty nodes of both sides between them."""

    def __init__(self, units: TokenUnits, nodes: Ints, number: Ints | None) -> None:
        """Take the empty nodes of both sides, sorted, as rows like `TokenUnits.nodes`, and which rows are this side's.

        Without the latter there are no empty nodes among the positions.
        """
        self.units, self.number = units, number
        document, unit = nodes[:, 0], nodes[:, 1]
        self._nodes = locations(document, unit)
        before = np.arange(len(nodes)) - np.searchsorted(self._nodes, locations(document, 0))
        self._of_node = unit + before  # so many units and so many nodes of the document are before a node
        of_other = np.ones(len(nodes), dtype=bool)
        of_other[[] if number is None else number] = False
        self.gaps = _Gaps(document[of_other], self._of_node[of_other])

    def starts(self, document: Ints, token: Ints) -> Ints:
        """Where each token starts."""
        start = self._of_unit(document, self.units.starts(document, token))
        if self.number is not None:
            is_node, node = self.units.is_empty_node(document, token)
            start[is_node] = self._of_node[self.number[node[is_node]]]
        return start

    def ends(self, document: Ints, token: Ints) -> Ints:
        """The position after each token."""
        after = self.units.ends(document, token)
        # After the last unit, and before any empty node that follows it.
        end = np.where(after > 0, self._of_unit(document, np.maximum(after - 1, 0)) + 1, 0)
        is_node, node = self.units.is_empty_node(document, token)
        if self.number is None:
            end[is_node] = self.starts(document[is_node], token[is_node])
        else:
            end[is_node] = self._of_node[self.number[node[is_node]]] + 1
        return end

    def _of_unit(self, document: Ints, unit: Ints) -> Ints:
        """The position of a unit: so many units and so many empty nodes of the document are before it."""
        after_nodes = np.searchsorted(self._nodes, locations(document, unit), side="right")
        return unit + after_nodes - np.searchsorted(self._nodes, locations(document, 0))


class _Gaps(NamedTuple):
    """Positions that one side does not have, which are the empty nodes of the other; ascending."""

    document: Ints
    position: Ints

    def interrupt(self, document: Ints, start: Ints, end: Ints) -> Bools:
        """Which spans have a gap inside."""
        gap = locations(self.document, self.position)
        return np.searchsorted(gap, locations(document, start)) < np.searchsorted(gap, locations(document, end))

    def split(self, document: int, start: int, end: int) -> list[tuple[int, int]]:
        """A span without the gaps, in pieces; some may be empty."""
        first, after = np.searchsorted(self.document, [document, document + 1])
        here = self.position[first:after]
        gaps = here[np.searchsorted(here, start) : np.searchsorted(here, end)].tolist()
        return list(zip([start, *(gap + 1 for gap in gaps)], [*gaps, end], strict=True))


def _moved(corpus: Corpus, positions: _Positions, side: int) -> Corpus:
    """The corpus on common positions; the side is 0 for the key, 1 for the response."""
    document = corpus.document
    start, end = positions.starts(document, corpus.start), positions.ends(document, corpus.end - 1)
    lost = np.flatnonzero(start >= end)  # no character is in the other text
    start[lost] = NOWHERE + 2 * lost + side
    end[lost] = start[lost] + 1
    several = positions.gaps.interrupt(document, start, end)
    if corpus.fragments is not None:
        several |= corpus.fragments > 0
    several[lost] = False
    spans = _spans(corpus, np.flatnonzero(several), positions)
    for m in spans:
        if not spans[m]:
            spans[m] = ((NOWHERE + 2 * m + side, NOWHERE + 2 * m + side + 1),)
        start[m], end[m] = spans[m][0][0], spans[m][-1][1]
    fragments, fragment_lists = fragment_columns(spans, len(document))
    return replace(
        corpus, start=start, end=end, head=_heads(corpus, positions), minimum_span=_minimum_spans(corpus, positions),
        fragments=fragments, fragment_lists=fragment_lists,
    )  # fmt: skip


def _spans(corpus: Corpus, mentions: Ints, positions: _Positions) -> dict[int, Spans]:
    """The spans of some mentions, without the gaps; none for a mention without a common position."""
    of_mentions = [(m, *span) for m in mentions.tolist() for span in corpus.spans(m)]
    mention, first, after = np.array(of_mentions, dtype=np.int64).reshape(-1, 3).T
    document = corpus.document[mention]
    starts, ends = positions.starts(document, first), positions.ends(document, after - 1)
    interrupted = positions.gaps.interrupt(document, starts, ends).tolist()
    pieces: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for m, start, end, gap in zip(mention.tolist(), starts.tolist(), ends.tolist(), interrupted, strict=True):
        spans = positions.gaps.split(int(corpus.document[m]), start, end) if gap else [(start, end)]
        pieces[m] += [span for span in spans if span[0] < span[1]]
    return {m: join(spans) for m, spans in pieces.items()}


def _heads(corpus: Corpus, positions: _Positions) -> Ints:
    """The heads on common positions, -1 where unknown."""
    known = corpus.heads >= 0
    heads = np.full(len(known), -1, dtype=np.int64)
    heads[known] = positions.starts(corpus.document[known], corpus.heads[known])
    return heads


def _minimum_spans(corpus: Corpus, positions: _Positions) -> Ints | None:
    """The minimum spans on common positions, -1 where there is none."""
    if corpus.minimum_span is None:
        return None
    has_minimum = corpus.minimum_span[:, 0] >= 0
    document, (start, end) = corpus.document[has_minimum], corpus.minimum_span[has_minimum].T
    minimum = np.full(corpus.minimum_span.shape, -1, dtype=np.int64)
    minimum[has_minimum] = np.stack([positions.starts(document, start), positions.ends(document, end - 1)], axis=1)
    return minimum
