"""Who the entities of a resolved text are: name, type, how often and how they are mentioned; and who says what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.corpus.columns import MENTION_TYPES
from referee.corpus.naming import best_spelt
from referee.formats.shared.written_text import written_text
from referee.reports.listing import Column, Listing
from referee.reports.result import Result
from referee.resolver.resolving import Resolution

RANKS = [MENTION_TYPES.index(name) for name in ("name", "nominal", "other", "", "pronoun", "zero")]
"""Types of mentions, the one first that tells best who is meant."""


class Person(NamedTuple):
    """An entity as people see it.

    Parameters
    ----------
    document, entity, name, type : str
        The document, the id in the annotation, the name and the type of the entity; empty where it is not known.
    mentions, names, nouns, pronouns : int
        How many mentions it has, and how many of these are names, nouns, and pronouns.
    quotations : int
        How many quotations it says.
    start : int
        Where it is mentioned first: a character of the text of its document, from 0.
    """

    document: str
    entity: str
    name: str
    type: str
    mentions: int
    names: int
    nouns: int
    pronouns: int
    quotations: int
    start: int


class People(Result):
    """The entities of texts, those of each document with the most mentions first.

    Parameters
    ----------
    people : sequence of Person
    signature : str
        What resolved the texts.
    """

    def __init__(self, people: Sequence[Person], signature: str) -> None:
        self.people, self.signature = people, signature

    def listing(self) -> Listing:
        """A row for each entity."""
        several = len({person.document for person in self.people}) > 1
        counts = ("mentions", "names", "nouns", "pronouns", "quotations", "start")
        columns = [Column(name) for name in ("document",) * several + ("entity", "name", "type")]
        columns += [Column(name, "count") for name in counts]
        return Listing(columns, [person[not several :] for person in self.people], notes=[self.signature])


def people_of(resolution: Resolution) -> People:
    """List the entities of a resolved text."""
    corpus = resolution.corpus
    assert corpus.text is not None
    types = corpus.mention_types_with_zeros.tolist()
    said = Counter(resolution.speaker_ids())
    people: list[Person] = []
    for d, words in enumerate(corpus.text.words):
        written = written_text(words)
        rows = corpus.entities_in(d, d + 1)
        for entity in sorted(range(rows.start, rows.stop), key=lambda entity: -int(corpus.entity_size[entity])):
            mentions = corpus.mentions_of(entity)
            kinds = [MENTION_TYPES[types[m]] for m in mentions]
            spans = [written.spans(corpus, m) for m in mentions]
            texts = [" ".join(" ".join(written.text[a:b] for a, b in parts).split()) for parts in spans]
            best = texts[best_spelt([RANKS.index(types[m]) for m in mentions], texts)]
            identity = corpus.entity_ids[entity]
            names, pronouns = kinds.count("name"), kinds.count("pronoun") + kinds.count("zero")
            people.append(
                Person(
                    corpus.doc_ids[d], identity, resolution.titles.get(identity, best), resolution.types.get(identity, ""),
                    len(texts), names, len(texts) - names - pronouns, pronouns, said[identity], min(p[0][0] for p in spans),
                )
            )  # fmt: skip
    return People(people, resolution.signature)


class Quote(NamedTuple):
    """A quotation: where it is, as characters of the text of its document, what it says, who says it to whom, and why."""

    document: str
    start: int
    end: int
    text: str
    speaker: str
    name: str
    rule: str
    addressee: str


class Quotes(Result):
    """Quotations in texts, and who says them."""

    def __init__(self, quotes: Sequence[Quote], signature: str) -> None:
        self.quotes, self.signature = quotes, signature

    def listing(self) -> Listing:
        """A row for each quotation."""
        kinds: Mapping[str, str] = {"start": "count", "end": "count"}
        columns = [Column(name, kinds.get(name, "label")) for name in Quote._fields]
        return Listing(columns, self.quotes, notes=[self.signature])


def quotes_of(resolution: Resolution) -> Quotes:
    """List the quotations of a resolved text."""
    corpus, syntax, task = resolution.corpus, resolution.input.syntax, resolution.task
    assert corpus.text is not None
    names = {person.entity: person.name for person in people_of(resolution).people}
    written = [written_text(words) for words in corpus.text.words]
    quotes = []
    for q in task.speakers.quotations if task else ():
        d = int(syntax.first.searchsorted(q.first, side="right")) - 1
        places = written[d].places
        base = int(syntax.first[d])
        start, end = places[q.first - base][0], places[q.after - 1 - base][1]
        speaker, addressee = (resolution.ids.get(mention, "") for mention in (q.speaker, q.addressee))
        text = " ".join(written[d].text[start:end].split())
        quotes.append(Quote(corpus.doc_ids[d], start, end, text, speaker, names.get(speaker, ""), q.rule, addressee))
    return Quotes(quotes, resolution.signature)
