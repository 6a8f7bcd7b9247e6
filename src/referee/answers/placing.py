"""The occurrences that the strings of an answer mean: by the numbers beside them, or by the order of their lists."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.answers.grounding import KeyText
from referee.answers.occurrences import FoundString
from referee.answers.ordering import NOWHERE, in_order
from referee.answers.values import Quote

OTHER_PLACE = "strings found in another sentence, or at another place, than they say"
NO_PLACE = "numbers that are of no sentence, word or character left out"

Span = tuple[int, int]
"""Tokens, half-open."""


class _Numbering(NamedTuple):
    """What the numbers beside strings may count.

    Parameters
    ----------
    base : int
        The first number.
    edges : list of int
        The unit at which each sentence, word or character begins, and the end; -1 for a character within a word.
    """

    base: int
    edges: Sequence[int]

    def within(self, places: Sequence[int], number: int) -> list[int]:
        """Those of the places that are where a number says."""
        n = number - self.base
        if not 0 <= n < len(self.edges) - 1 or self.edges[n] == NOWHERE:
            return []
        after = n + 1
        while self.edges[after] == NOWHERE:
            after += 1
        return list(places[bisect_left(places, self.edges[n]) : bisect_left(places, self.edges[after])])

    def near(self, number: int) -> int:
        """The unit that is nearest to a number."""
        n = min(max(number - self.base, 0), len(self.edges) - 1)
        while n and self.edges[n] == NOWHERE:
            n -= 1
        return max(self.edges[n], 0)


class Occurrences:
    """The occurrences of the strings of a document.

    Parameters
    ----------
    text : KeyText or None
        None for a text that has nothing.
    strings : mapping
        String -> where it stands.
    quotes : sequence of Quote
        All strings of the answer.
    repairs : Counter
        Counts strings that are written in another way, are parts of words, or stand elsewhere than they should.
    """

    def __init__(
        self, text: KeyText | None, strings: Mapping[str, FoundString], quotes: Sequence[Quote], repairs: Counter[str]
    ) -> None:
        self.repairs, self.strings = repairs, strings
        self.token = [] if text is None else text.token.tolist()
        self.tokens = 0 if text is None else len(text.words.tokens)
        self.numbering = (
            None if text is None else self._numbering(text, [quote for quote in quotes if quote.number is not None])
        )

    def _numbering(self, text: KeyText, numbered: Sequence[Quote]) -> _Numbering | None:
        """What the numbers count: that by which most strings are where they should be. None if it is not half of them."""
        if not numbered:
            return None
        best, most = None, 0
        for numbering in _numberings(text, self.token):
            hits = sum(bool(numbering.within(self.strings[string].all, number or 0)) for string, number, _ in numbered)
            if hits > most:
                best, most = numbering, hits
            if hits == len(numbered):
                break
        if 2 * most >= len(numbered):
            return best
        self.repairs[NO_PLACE] += len(numbered)
        return None

    def in_order(self, lists: Sequence[Sequence[Quote]]) -> tuple[list[list[list[Span]]], int]:
        """The span of each string of each list, none or one; and how many could be another one."""
        if self.numbering is None:
            lists = [[Quote(text) for text, *_ in entity] for entity in lists]
        listed = Counter((id(self.strings[text]), number) for entity in lists for text, number, _ in entity)
        name = {id(occurrence): string for string, occurrence in sorted(self.strings.items(), reverse=True)}
        listed = Counter(dict(sorted(listed.items(), key=lambda group: (name[group[0][0]], group[0][1] or 0))))
        number_of = {group: n for n, group in enumerate(listed)}  # the same, whatever the order of the lists
        groups = [[number_of[id(self.strings[text]), number] for text, number, _ in entity] for entity in lists]
        strings = {id(occurrence): occurrence for occurrence in self.strings.values()}
        places = [self._places(strings[string], number, times) for (string, number), times in listed.items()]
        numbered = [number is not None for _, number in listed]
        if any(numbered) and not all(numbered):  # what has numbers goes first
            first = in_order([[g for g in places_of if numbered[g]] for places_of in groups], places)
            used: dict[int, set[int]] = {}
            string_of = [string for string, _ in listed]
            for places_of, occurrence in zip(groups, first.places, strict=True):
                for group, place in zip((g for g in places_of if numbered[g]), occurrence, strict=True):
                    used.setdefault(string_of[group], set()).add(place)
            for (string, number), group in number_of.items():
                if number is None:
                    places[group] = [place for place in places[group] if place not in used.get(string, ())]
        ordered = in_order(groups, places)
        for entity, places_of in zip(lists, ordered.places, strict=True):
            for quote, place in zip(entity, places_of, strict=True):
                if place != NOWHERE:
                    self.strings[quote.text].used.add(place)
        return [
            list(map(self._span, entity, places_of)) for entity, places_of in zip(lists, ordered.places, strict=True)
        ], ordered.doubtful

    def every(self, quote: Quote, how: str) -> list[Span]:
        """All spans that a string may stand for, or the first one."""
        string = self.strings[quote.text]
        here = ((self._within(group, quote.number), repair) for group, repair in string.tiers)
        places, repair = next(((group, repair) for group, repair in here if group), ([], None))
        self.repairs.update([repair] if repair else [])
        return [self._tokens(string, place) for place in (places if how == "all" else places[:1])]

    def _within(self, places: list[int], number: int | None) -> list[int]:
        return places if number is None or self.numbering is None else self.numbering.within(places, number)

    def _places(self, string: FoundString, number: int | None, times: int) -> list[int]:
        """Where a string may stand that is listed so many times: as it is written first, and inside of words last."""
        places: list[int] = []
        for group, _ in string.tiers:
            here = self._within(group, number)
            places += here[: max(times - len(places), 0)] if places else here
        return sorted(places)

    def _span(self, quote: Quote, place: int) -> list[Span]:
        string = self.strings[quote.text]
        if place == NOWHERE and quote.number is not None and self.numbering is not None:
            nearest = string.take_nearest(self.numbering.near(quote.number))
            self.repairs[OTHER_PLACE] += len(nearest)
            return [self._tokens(string, place) for place in nearest]
        if place == NOWHERE:
            return []
        repair = next(repair for group, repair in string.tiers if group[bisect_left(group, place) :][:1] == [place])
        self.repairs.update([repair] if repair else [])
        return [self._tokens(string, place)]

    def _tokens(self, string: FoundString, place: int) -> Span:
        return self.token[place], self.token[place + string.length - 1] + 1


def _numberings(text: KeyText, token: Sequence[int]) -> Iterator[_Numbering]:
    """What numbers may count: sentences or words, from 0 or 1; characters of the words with blanks between, or of the text."""
    words, end = text.words, len(token)
    sentences = [*np.searchsorted(token, list(words.sentences)).tolist(), end]
    yield from (_Numbering(base, sentences) for base in (0, 1))
    tokens = [*np.searchsorted(token, np.arange(len(words.tokens))).tolist(), end]
    yield from (_Numbering(base, tokens) for base in (0, 1))
    starts = np.cumsum([0, *(len(word) + 1 for word in words.tokens)])
    yield _Numbering(0, _characters(starts[:-1].tolist(), tokens, int(starts[-1])))
    if words.raw is not None:
        yield _Numbering(0, _characters(list(words.raw.start), tokens, len(words.raw.text)))


def _characters(starts: Sequence[int], tokens: Sequence[int], length: int) -> list[int]:
    """The unit that begins at each character."""
    edges = [NOWHERE] * length
    for start, unit in zip(starts, tokens, strict=False):
        edges[start] = unit
    return [*edges, tokens[-1]]
