"""Annotated text on the words of a key: its units are aligned with those of the key, and so are the edges of its mentions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.answers.answer import INVENTED, LEFT_OUT
from referee.answers.marked import ZERO, Marked, Style
from referee.answers.marks import EMPTY, MarkedMention, literal_brackets, mentions_of
from referee.answers.units import TextUnits, aligned, units_of_tokens
from referee.corpus import Corpus, CorpusBuilder

MISSING = "missing words"
CUT_OFF = "documents cut off"
ADDED = "added words"
CHANGED = "words written in another way"
NO_NODE = "zeros that the key does not have left out"

TAIL = 10
"""Words without a counterpart at the end of a document with which it counts as cut off."""


class PlacedMentions(NamedTuple):
    """The mentions of a document on the words of the key.

    Parameters
    ----------
    mentions : list of (int, int, str)
        Their tokens, half-open, and their entities.
    added : list of str
        Words behind those of the key, which mentions have that it does not have.
    unplaced : list of (str, str)
        The entities and the words of these mentions.
    """

    mentions: list[tuple[int, int, str]]
    added: list[str]
    unplaced: list[tuple[str, str]]

    def add(self, tokens: int, words: Sequence[str], entity: str) -> None:
        """Add a mention of words that the key, which has so many tokens, does not have."""
        start = tokens + len(self.added)
        self.added.extend(words)
        self.mentions.append((start, start + len(words), entity))


class KeyText:
    """The text of a document of the key, without its empty nodes, as units.

    Attributes
    ----------
    words : Words
        The tokens, and where sentences start.
    units : list of str
        Those of the words; without brackets, if marks are brackets.
    token : int64, shape (units,)
        The token of each.
    brackets : list of (int, bool, int)
        The brackets that are left out: the unit before which each stands, whether it opens, and its token.
    nodes : list of int
        The tokens that are empty nodes.
    """

    def __init__(self, key: Corpus, document: int, *, brackets: tuple[str, str] | None = None) -> None:
        assert key.text is not None
        self.words = key.text.words[document]
        rows = [] if key.empty_nodes is None else zip(*map(list, key.empty_nodes), strict=True)
        self._empty_nodes = [(int(node), int(minor), int(s), deps) for d, node, minor, s, deps in rows if d == document]
        self.nodes = [node for node, *_ in self._empty_nodes]
        is_node = np.zeros(len(self.words.tokens), dtype=bool)
        is_node[self.nodes] = True
        place = np.flatnonzero(~is_node)
        units = units_of_tokens(self.words.tokens if not self.nodes else [self.words.tokens[p] for p in place.tolist()])
        self.brackets: list[tuple[int, bool, int]] = []
        if brackets and not set(brackets).isdisjoint(units.texts):
            units = self._without_brackets(units, place, brackets)
        self.units = units.texts
        self.token = place[units.token]

    def begin(self, builder: CorpusBuilder, name: str, added: Sequence[str] = ()) -> None:
        """Begin a document with these words and empty nodes; words may be added, as a sentence behind them."""
        tokens, sentences = self.words.tokens, self.words.sentences
        if added:
            tokens, sentences = [*tokens, *added], [*sentences, len(tokens)]
        builder.document(name, tokens, sentences)
        for node in self._empty_nodes:
            builder.empty_node(*node)

    def _without_brackets(self, units: TextUnits, place: Ints, brackets: tuple[str, str]) -> TextUnits:
        words: list[int] = []
        for number, unit in enumerate(units.texts):
            if unit in brackets:
                self.brackets.append((len(words), unit == brackets[0], int(place[units.token[number]])))
            else:
                words.append(number)
        return TextUnits([units.texts[number] for number in words], units.token[words])


class _Grounds:
    """Where the units of an answer are in the text of the key.

    Parameters
    ----------
    text : KeyText
        The text of the key.
    marked_text : Marked
        The answer.
    repairs : Counter
        Counts units that are written in another way, and zeros without an empty node.
    """

    def __init__(self, text: KeyText, marked_text: Marked, repairs: Counter[str]) -> None:
        zero = np.array([unit == ZERO for unit in marked_text.units], dtype=bool)
        words = np.flatnonzero(~zero)
        of_words = aligned([marked_text.units[w] for w in words.tolist()] if zero.any() else marked_text.units, text.units)
        repairs[CHANGED] += of_words.changed
        self.substituted = of_words.substituted
        self.first, self.last = np.full((2, len(zero)), -1)  # units of the key
        self.first[words], self.last[words] = of_words.start, of_words.end - 1
        self.last[self.first < 0] = -1
        self.start, self.end = np.full((2, len(zero)), -1)  # tokens of the key
        known = self.first >= 0
        self._known, self._keys = np.flatnonzero(known), self.first[known]
        self.start[known], self.end[known] = text.token[self.first[known]], text.token[self.last[known]] + 1
        self.added = int(np.count_nonzero(~known & ~zero))
        for unit, node in _nodes(np.flatnonzero(zero).tolist(), self.start, text).items():
            self.start[unit], self.end[unit] = node, node + 1
        units, known = np.arange(len(zero)), self.start >= 0
        self._next = np.append(np.minimum.accumulate(np.where(known, units, len(zero))[::-1])[::-1], len(zero))
        self._last = np.append(-1, np.maximum.accumulate(np.where(known, units, -1)))
        repairs[NO_NODE] += int(np.count_nonzero(self.start[zero] < 0))

    def span(self, mention: MarkedMention, literal: Mapping[int, int]) -> tuple[int, int] | None:
        """The tokens of a mention, half-open; those of brackets between its marks, too. None if all its words are added."""
        marks = list(literal)  # ascending
        inside = slice(bisect_right(marks, mention.marks[0]), bisect_left(marks, mention.marks[1])) if marks else slice(0)
        tokens = [literal[mark] for mark in marks[inside]]
        first, last = int(self._next[mention.start]), int(self._last[mention.end])
        if first <= last:
            tokens += [int(self.start[first]), int(self.end[first]) - 1, int(self.start[last]), int(self.end[last]) - 1]
        return (min(tokens), max(tokens) + 1) if tokens else None

    def covered(self, units: int) -> Bools:
        """Which units of the key have a counterpart."""
        edges = np.zeros(units + 1, dtype=np.int64)
        known = self.first >= 0
        np.add.at(edges, self.first[known], 1)
        np.add.at(edges, self.last[known] + 1, -1)
        return np.cumsum(edges)[:units] > 0

    def before(self, unit: int, *, after: bool = False) -> int:
        """The place in the answer before a unit of the key, or after the unit before it."""
        n = int(np.searchsorted(self._keys, unit))
        if after:
            return int(self._known[n - 1]) + 1 if n else 0
        return int(self._known[n]) if n < len(self._known) else len(self.first)


def _nodes(zeros: Sequence[int], start: Ints, text: KeyText) -> Mapping[int, int]:
    """The empty node of each zero: the next one that is free between the words around it, else in its sentence."""
    free = dict.fromkeys(text.nodes)
    used: dict[int, int] = {}
    edges = [*list(text.words.sentences)[1:], len(text.words.tokens)]
    for within_sentence in (False, True):
        for zero in zeros if free else ():
            if zero in used:
                continue
            before = next((int(start[u]) for u in range(zero - 1, -1, -1) if start[u] >= 0 and u not in used), -1)
            after = next((int(s) for s in start[zero + 1 :] if s >= 0), len(text.words.tokens))
            if within_sentence:
                n = int(np.searchsorted(edges, max(before, 0), side="right"))
                before, after = (edges[n - 1] - 1 if n else -1), edges[n] if n < len(edges) else after
            node = next((node for node in free if before < node < after), None)
            if node is not None:
                del free[node]
                used[zero] = node
    return used


def placed_marks(
    text: KeyText, marked_text: Marked, style: Style, repairs: Counter[str], totals: Counter[str], *, score_added: bool
) -> PlacedMentions:
    """The mentions of a document that are marked in its text.

    Parameters
    ----------
    text : KeyText
        The text of the key.
    marked_text, style
        The answer.
    repairs, totals : Counter
        Count what is repaired, and how the texts differ.
    score_added : bool
        Whether mentions that have only added words are spurious ones; else they are left out.
    """
    places = _Grounds(text, marked_text, repairs)
    literal = _literal(text, marked_text, places)
    _count(text, places, set(literal.values()), len(marked_text.units), repairs, totals)
    ends = []
    if style.notation == "columns":
        starts = np.searchsorted(text.token, list(text.words.sentences)[1:])
        ends = [places.before(int(unit), after=True) for unit in starts]
    placed = PlacedMentions([], [], [])
    spans: set[tuple[int, int]] = set()
    for mention in mentions_of(marked_text, style, repairs, literal=literal.keys(), sentence_ends=ends):
        span = places.span(mention, literal)
        words = marked_text.units[mention.start : mention.end]
        if span is None:
            is_scored = score_added and set(words) != {ZERO}
            repairs[EMPTY if not words else INVENTED if is_scored else LEFT_OUT[INVENTED]] += 1
            placed.unplaced.extend([(mention.entity, " ".join(words))] if words else [])
            if words and is_scored:
                placed.add(len(text.words.tokens), words, mention.entity)
            continue
        if literal and span in spans:  # the longer of two, with a bracket at its edge that could stand before or after its mark
            edges = literal.values()
            span = next(
                (s for s in ((span[0] - 1, span[1]), (span[0], span[1] + 1)) if {*range(*s)} - {*range(*span)} <= {*edges}),
                span,
            )
        spans.add(span)
        placed.mentions.append((*span, mention.entity))
    totals.update(marks=len(placed.mentions) + len(placed.unplaced) * (not score_added), invented=len(placed.unplaced))
    return placed


def _literal(text: KeyText, marked_text: Marked, places: _Grounds) -> dict[int, int]:
    """The marks that are brackets of the text, by their numbers, and the token of the key of each."""
    tokens: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
    for unit, opens, token in text.brackets:
        place = places.before(unit, after=not opens)
        tokens[place, opens].append(token)
    literal = literal_brackets(marked_text, {place: len(item) for place, item in tokens.items()})
    return {mark: tokens[marked_text.marks[mark].place, marked_text.marks[mark].opens].pop(0) for mark in sorted(literal)}


def _count(
    text: KeyText, places: _Grounds, brackets: set[int], units: int, repairs: Counter[str], totals: Counter[str]
) -> None:
    """Count what the two texts do not have in common."""
    covered = np.zeros(len(text.words.tokens), dtype=bool)
    covered[text.token[places.covered(len(text.units))]] = True
    covered[list(brackets)] = True
    covered[text.nodes] = True
    missing = np.flatnonzero(~covered)
    repairs[CUT_OFF] += len(covered) - 1 - int(np.flatnonzero(covered).max(initial=-1)) >= TAIL
    repairs[MISSING] += len(missing)
    repairs[ADDED] += places.added
    totals.update(missing=len(missing), added=places.added, words=len(covered) + units)
    totals.update(foreign=places.added + places.substituted, units=units)
