"""Who the entities of a resolved text are: name, type, how often and how they are mentioned; and who says what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.corpus import Corpus
from referee.corpus.columns import MENTION_TYPES
from referee.corpus.naming import best_spelt
from referee.formats.shared.written_text import written_text
from referee.reports.listing import Column, Listing
from referee.reports.result import Result
from referee.resolver.quotations import Quotation

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


def people_of(
    corpus: Corpus, signature: str, *, titles: Mapping[str, str], types_by_id: Mapping[str, str], speakers: Sequence[str]
) -> People:
    """List the entities of a resolved text.

    Parameters
    ----------
    corpus : Corpus
        With words.
    signature : str
    titles, types_by_id : mapping
        What entities are called that no name or noun mentions, and the types of all, by their ids.
    speakers : sequence of str
        The id of who says each quotation.
    """
    assert corpus.text is not None
    types = corpus.mention_types_with_zeros.tolist()
    spoken = Counter(speakers)
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
                    corpus.doc_ids[d], identity, titles.get(identity, best), types_by_id.get(identity, ""),
                    len(texts), names, len(texts) - names - pronouns, pronouns, spoken[identity], min(p[0][0] for p in spans),
                )
            )  # fmt: skip
    return People(people, signature)


class SpokenWords(NamedTuple):
    """A quotation as people see it.

    Parameters
    ----------
    document : str
    start, end : int
        Where it is, without its marks: characters of the text of its document, from 0.
    text : str
        What is said.
    speaker, name : str
        The id and the name of the entity that says it; empty where it is not known.
    rule : str
        How that was found, such as "verb of speech after it".
    addressee : str
        The id of the entity that it is said to; empty where it is not known.
    """

    document: str
    start: int
    end: int
    text: str
    speaker: str
    name: str
    rule: str
    addressee: str


class Quotations(Result):
    """Quotations in texts, and who says them, in the order of the text.

    Parameters
    ----------
    quotes : sequence of SpokenWords
    signature : str
        What resolved the texts.
    """

    def __init__(self, quotes: Sequence[SpokenWords], signature: str) -> None:
        self.quotes, self.signature = quotes, signature

    def listing(self) -> Listing:
        """A row for each quotation."""
        kinds: Mapping[str, str] = {"start": "count", "end": "count"}
        columns = [Column(name, kinds.get(name, "label")) for name in SpokenWords._fields]
        return Listing(columns, self.quotes, notes=[self.signature])


def quotes_of(
    corpus: Corpus, signature: str, quotations: Iterable[Quotation], *, ids: Mapping[int, str], names: Mapping[str, str]
) -> Quotations:
    """List the quotations of a resolved text.

    Parameters
    ----------
    corpus : Corpus
        With words.
    signature : str
    quotations : iterable of Quotation
        Their tokens are counted through all documents.
    ids : mapping
        The id of the entity of each mention.
    names : mapping
        The names of entities by their ids.
    """
    assert corpus.text is not None
    written = [written_text(words) for words in corpus.text.words]
    first = np.cumsum([0, *(len(each.places) for each in written)])
    quotes = []
    for q in quotations:
        d = int(first.searchsorted(q.first, side="right")) - 1
        places, base = written[d].places, int(first[d])
        start, end = places[q.first - base][0], places[q.after - 1 - base][1]
        speaker, addressee = (ids.get(mention, "") for mention in (q.speaker, q.addressee))
        text = " ".join(written[d].text[start:end].split())
        quotes.append(SpokenWords(corpus.doc_ids[d], start, end, text, speaker, names.get(speaker, ""), q.rule, addressee))
    return Quotations(quotes, signature)
