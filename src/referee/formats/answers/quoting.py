"""Quoted strings on the words of a key: each is looked up in the text."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.basics.exceptions import FormatError, MismatchError, counted
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.answers.answer import Grounded
from referee.formats.answers.grounding import KeyText
from referee.formats.answers.choosing import documents_of_lists
from referee.formats.answers.lists import Quote, Quotes
from referee.formats.answers.occurrences import FoundString, occurrences
from referee.formats.answers.refining import refined
from referee.formats.answers.texts import AnswerBlock
from referee.formats.answers.units import units_of

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
    doubt : FormatError or None
        Why the file could not be read in another format; the answer counts only if most of its strings are in the text.
    """

    blocks: Sequence[AnswerBlock]
    repairs: Counter[str] = field(default_factory=Counter)
    doubt: FormatError | None = None

    def documents(self, names: Sequence[str] = (), source: str = "") -> tuple[list[Quotes], Counter[str]]:
        """The documents, those with a name of a key by this name; and what was repaired."""
        repairs = Counter(self.repairs)
        return documents_of_lists(self.blocks, names, source, repairs), repairs

    def ground(self, key: Corpus, source: str, quotes: str) -> Grounded:
        """Look the strings up in the words of a key."""
        if key.text is None:
            raise MismatchError(
                f"{key.source} has no words, which {source} needs; expected a key with text; --response-format clusters for ids"
            )
        documents, repairs = self.documents(key.doc_ids, source)
        builder, number = CorpusBuilder(source), {name: n for n, name in enumerate(key.doc_ids)}
        entities: defaultdict[str, list[list[Quote]]] = defaultdict(list)
        for of in documents:
            entities[of.name] += [mentions for _, mentions in of.entities]
        looked_up = 0
        for name in sorted(entities, key=lambda name: number.get(name, len(number))):
            text = KeyText(key, number[name]) if name in number else None
            looked_up += _look_up(text, name, entities[name], quotes, builder, repairs)
        if isinstance(self.doubt, FormatError) and 2 * repairs[SPURIOUS] > looked_up:
            strange = f"as an answer of a language model, {repairs[SPURIOUS]} of its {looked_up} strings are not in {key.source}"
            raise FormatError(source, self.doubt.line, f"{self.doubt.problem}; {strange}")
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
    if text is not None:
        entities = refined(entities, lambda strings: [s for s, found in occurrences(text, strings).items() if found.all], repairs)
    found = _Occurrences(text, {quote.text for entity in entities for quote in entity}, repairs)
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
    """The occurrences that an answer means.

    Parameters
    ----------
    text : KeyText or None
        None for a text that has nothing.
    strings : iterable of str
        All strings of the answer.
    repairs : Counter
        Counts strings that are written in another way, are parts of words, or stand in another sentence than they should.
    """

    def __init__(self, text: KeyText | None, strings: Iterable[str], repairs: Counter[str]) -> None:
        self.repairs = repairs
        self.found = occurrences(text, strings)
        self.token = [] if text is None else text.token.tolist()
        self.tokens = 0 if text is None else len(text.words.tokens)
        starts = [] if text is None else list(text.words.sentences)
        self.edges = [*np.searchsorted(self.token, starts).tolist(), len(self.token)]

    def first_sentence(self, quotes: Iterable[Quote]) -> int:
        """Whether the answer counts sentences from 0 or from 1: the one by which more strings are in their sentences."""
        placed = [(self.found[q.text].all, q.number) for q in quotes if q.number is not None]
        hits = [sum(bool(self._within(places, sentence - base)) for places, sentence in placed) for base in (0, 1)]
        return int(hits[1] > hits[0])

    def places(self, quote: Quote, base: int, how: str) -> Iterator[tuple[int, int]]:
        """The spans of tokens that a string stands for."""
        found = self.found[quote.text]
        sentence = None if quote.number is None else quote.number - base
        if how == "ordered":
            places = self._next(found, sentence)
        else:
            here = ((self._within(of, sentence), repair) for of, repair in found.tiers)
            places, repair = next(((of, repair) for of, repair in here if of), ([], None))
            self.repairs.update([repair] if repair else [])
            places = places if how == "all" else places[:1]
        for place in places:
            yield self.token[place], self.token[place + found.length - 1] + 1

    def _next(self, found: FoundString, sentence: int | None) -> list[int]:
        """The occurrence that comes after those that the answer has had: the k-th string is the k-th in the text."""
        k = found.used[sentence]
        found.used[sentence] += 1
        for places, repair in found.tiers:
            here = self._within(places, sentence)
            if k < len(here):
                self.repairs.update([repair] if repair else [])
                return found.take(here[k])
            k -= len(here)
        if sentence is None:
            return []
        elsewhere = found.take_nearest(self.edges[min(max(sentence, 0), len(self.edges) - 1)])
        self.repairs[OTHER_PLACE] += len(elsewhere)
        return elsewhere

    def _within(self, places: list[int], sentence: int | None) -> list[int]:
        if sentence is None:
            return places
        if not 0 <= sentence < len(self.edges) - 1:
            return []
        return places[bisect_left(places, self.edges[sentence]) : bisect_left(places, self.edges[sentence + 1])]
