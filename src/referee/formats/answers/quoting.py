"""Quoted strings on the words of a key: each is looked up in the text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.corpus import Corpus, CorpusBuilder
from referee.exceptions import MismatchError, counted
from referee.formats.answers.answer import Grounded
from referee.formats.answers.grounding import KeyText
from referee.formats.answers.lists import Quote, Quotes, quotes_of
from referee.formats.answers.texts import Block, below_headings, in_order, known_name, names_of
from referee.formats.answers.units import folded, units_of

UNCLOSED = "brackets without an end closed"
OTHER_CASE = "strings found in another case or with other quotes"
OTHER_PLACE = "strings found in another sentence"
SPURIOUS = "strings that the text does not have, or not so often, counted as spurious"


@dataclass(frozen=True)
class QuotedText:
    """Texts with lists of strings.

    Parameters
    ----------
    blocks : sequence of Block
        The texts.
    repairs : Counter
        What was repaired when they were read.
    """

    blocks: Sequence[Block]
    repairs: Counter[str] = field(default_factory=Counter)

    def documents(self, names: Sequence[str] = ()) -> tuple[list[Quotes], Counter[str]]:
        """The documents, those with a name of a key by this name; and what was repaired."""
        repairs, documents, known = Counter(self.repairs), [], names_of(names)
        for block in self.blocks:
            parts = [(block.name, block.text)] if block.name else below_headings(block.text, known)
            for name, text in parts:
                found, unclosed = quotes_of(text)
                repairs[UNCLOSED] += unclosed
                documents += [Quotes(known_name(quotes.name or name, known), quotes.entities) for quotes in found]
        return documents, repairs

    def ground(self, key: Corpus, source: str, quotes: str) -> Grounded:
        """Look the strings up in the words of a key."""
        documents, repairs = self.documents(key.doc_ids)
        if key.text is None:
            raise MismatchError(f"{key.source} has no words, which {source} needs; expected a key with text")
        if len(key.doc_ids) == 1:
            documents = [Quotes(key.doc_ids[0], of.entities) for of in documents]
        elif any(not of.name for of in documents):
            unnamed = in_order(documents, key.doc_ids, source)
            documents = [Quotes(name, of.entities) for name, of in unnamed]
        builder, number = CorpusBuilder(source), {name: n for n, name in enumerate(key.doc_ids)}
        entities: defaultdict[str, list[list[Quote]]] = defaultdict(list)
        for of in documents:
            entities[of.name] += [mentions for _, mentions in of.entities]
        looked_up = 0
        for name in sorted(entities, key=lambda name: number.get(name, len(number))):
            text = KeyText(key, number[name]) if name in number else None
            looked_up += _look_up(text, name, entities[name], quotes, builder, repairs)
        if looked_up and repairs[SPURIOUS] >= looked_up:
            raise MismatchError(f"{source}: none of its {counted(looked_up, 'string')} is in the text of {key.source}")
        return Grounded(builder.corpus(), 0.0, +repairs, f"quotes-{quotes}")


def _look_up(
    text: KeyText | None,
    name: str,
    entities: Sequence[Sequence[Quote]],
    how: str,
    builder: CorpusBuilder,
    repairs: Counter[str],
) -> int:
    """Add a document with the mentions that the strings are; the number of strings."""
    found = _Occurrences(text, repairs)
    base = found.first_sentence(quote for entity in entities for quote in entity)
    spans: list[tuple[int, int, str]] = []
    added: list[str] = []
    for number, entity in enumerate(entities):
        for quote in dict.fromkeys(entity) if how != "ordered" else entity:
            places = list(found.places(quote, base, how))
            if not places:
                repairs[SPURIOUS] += 1
                begin = found.tokens + len(added)
                added += units_of(quote.text) or [quote.text]
                places = [(begin, found.tokens + len(added))]
            spans += [(*place, str(number)) for place in places]
    if text is None:
        builder.document(name, added)
    else:
        text.begin(builder, name, added)
    for span in spans:
        builder.mention(*span)
    return sum(map(len, entities))


class _Occurrences:
    """Where strings are in a text.

    Parameters
    ----------
    text : KeyText or None
        None for a text that has nothing.
    repairs : Counter
        Counts strings that are written in another way, or stand in another sentence than they should.
    """

    def __init__(self, text: KeyText | None, repairs: Counter[str]) -> None:
        self.repairs = repairs
        self.units = [] if text is None else text.units
        self.token = [] if text is None else text.token.tolist()
        self.tokens = 0 if text is None else len(text.words.tokens)
        starts = [] if text is None else list(text.words.sentences)
        self.edges = [*np.searchsorted(self.token, starts).tolist(), len(self.units)]
        fold = {unit: folded(unit) for unit in set(self.units)}
        self.folded = [fold[unit] for unit in self.units]
        self.index: defaultdict[str, list[int]] = defaultdict(list)
        for place, unit in enumerate(self.folded):
            self.index[unit].append(place)
        self.known: dict[str, tuple[list[int], list[int], int]] = {}  # what `_all` has found
        self.used: defaultdict[tuple[str, int | None], int] = defaultdict(int)
        self.taken: defaultdict[str, set[int]] = defaultdict(set)

    def first_sentence(self, quotes: Iterable[Quote]) -> int:
        """Whether the answer counts sentences from 0 or from 1: the one by which more strings are in their sentences."""
        placed = [quote for quote in quotes if quote.sentence is not None]
        hits = [sum(bool(self._within(self._all(q.text)[1], (q.sentence or 0) - base)) for q in placed) for base in (0, 1)]
        return int(hits[1] > hits[0])

    def places(self, quote: Quote, base: int, how: str) -> Iterator[tuple[int, int]]:
        """The spans of tokens that a string stands for."""
        exact, alike, length = self._all(quote.text)
        sentence = None if quote.sentence is None else quote.sentence - base
        if how != "ordered":
            found = self._within(exact or alike, sentence)
            self.repairs[OTHER_CASE] += bool(found) and not exact
            yield from (self._span(place, length) for place in (found if how == "all" else found[:1]))
            return
        place = self._next(quote.text, exact, alike, sentence)
        if place is not None:
            self.taken[quote.text].add(place)
            yield self._span(place, length)

    def _next(self, text: str, exact: list[int], alike: list[int], sentence: int | None) -> int | None:
        """The occurrence that comes after those that the answer has had: the k-th string is the k-th in the text."""
        number = self.used[text, sentence]
        self.used[text, sentence] += 1
        here = self._within(exact, sentence)
        if number < len(here):
            return here[number]
        as_written = set(here)
        others = [place for place in self._within(alike, sentence) if place not in as_written]
        if number - len(here) < len(others):
            self.repairs[OTHER_CASE] += 1
            return others[number - len(here)]
        if sentence is None or not alike:
            return None
        free = [place for place in exact or alike if place not in self.taken[text]]
        if not free:
            return None
        self.repairs[OTHER_PLACE] += 1
        edge = self.edges[min(max(sentence, 0), len(self.edges) - 1)]
        return min(free, key=lambda place: abs(place - edge))

    def _within(self, places: list[int], sentence: int | None) -> list[int]:
        if sentence is None:
            return places
        if not 0 <= sentence < len(self.edges) - 1:
            return []
        return [place for place in places if self.edges[sentence] <= place < self.edges[sentence + 1]]

    def _span(self, place: int, length: int) -> tuple[int, int]:
        return self.token[place], self.token[place + length - 1] + 1

    def _all(self, text: str) -> tuple[list[int], list[int], int]:
        """All occurrences of a string: those as it is written, all of them; and its number of units."""
        if text not in self.known:
            units = units_of(text)
            like = [folded(unit) for unit in units]
            rarest = min(range(len(like)), key=lambda n: len(self.index.get(like[n], ())), default=0)
            starts = [place - rarest for place in self.index.get(like[rarest], ())] if like else []
            if len(like) == 1:  # most are pronouns
                alike, [unit] = starts, units
                exact = [start for start in alike if self.units[start] == unit]
            else:
                alike = [start for start in starts if start >= 0 and self.folded[start : start + len(like)] == like]
                exact = [start for start in alike if self.units[start : start + len(units)] == units]
            self.known[text] = exact, alike, len(units)
        return self.known[text]
