"""What mentions and entities are called where people read of them.

An entity is best known by a name, such as "Ruiz": a first mention may be a pronoun, and an id says nothing. No parse is needed:
mention types decide where the annotation has them, and the spelling of the words where it has not.

Beside its words an entity has a short name, the same on pages and in reports: the letter of its side, K or R, and its id in the
file, as K18, where all ids of the side are whole numbers, or all are such with an e before them, as in CorefUD; else its number
in the order of the document, from 1 on. An entity of labelled records is called by its id, whatever that is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Ints, argsort, inverse
from referee.basics.exceptions import shortened
from referee.basics.memo import Memo
from referee.corpus.columns import Columns
from referee.corpus.natural_order import Natural, natural, natural_order
from referee.corpus.strings import Names
from referee.corpus.views import Entity, Mention

NAME, NOMINAL, REST = range(3)
"""How well a mention tells people which entity is meant, the best first."""

LONGEST = 8
"""Tokens beyond which a mention says more than people want to read again."""

SHORT_ID = re.compile(r"[0-9]{1,8}")
"""An id that is part of a short name."""


def unit_of(*corpora: Columns) -> str:
    """What a mention is called: a "record" where all is about records.

    >>> from referee import read
    >>> unit_of(read("examples/key.conll"))
    'mention'
    """
    return "mention" if any(corpus.kind == "texts" for corpus in corpora) else "record"


def best_known(entity: Entity) -> Mention:
    """Return the mention that tells people best which entity is meant: a name, else a nominal, else any.

    Of several, it is one in the most frequent words, but rather not in capitals, and among equals one of more words,
    the first one in these words. Without mention types, a name is a mention of few tokens, one of which has a capital, but not
    as a sentence begins; and a nominal is one of two tokens to a few. Of items it is the first.

    >>> from referee import read
    >>> [best_known(entity).text for entity in read("examples/key.conll").documents["orchard"].entities[:3]]
    ['Orchard Press', "Elena Ruiz 's first novel", 'Elena Ruiz']
    """
    return best_of(entity.mentions)


def best_of(mentions: Sequence[Mention]) -> Mention:
    """The one of some mentions of a document, in its order, that tells people best which entity is meant."""
    first = mentions[0]
    if first.corpus.items is not None or first.corpus.text is None:
        return first
    tokens, starts = first.document.tokens, set(first.document.sentences)
    ranks = [_rank(mention, tokens, starts) for mention in mentions]
    return mentions[best_spelt(ranks, [" ".join(tokens[mention.start : mention.end]) for mention in mentions])]


def best_spelt(ranks: Sequence[int], texts: Sequence[str]) -> int:
    """Which of some texts is best: of the least rank; not in capitals; the most frequent; of more words; the first.

    Those that differ in capitals alone count as one.

    >>> best_spelt([0, 0, 0, 0, 2], ["ANN LEE", "Ann", "Ann Lee", "Ann Lee", "she"])
    2
    """
    best = min(ranks)
    places = [n for n, rank in enumerate(ranks) if rank == best]
    counts = Counter(texts[n].casefold() for n in places)

    def order(n: int) -> tuple[bool, int, int, int]:
        text = texts[n]
        return text.isupper() and len(text) > 1, -counts[text.casefold()], -len(text.split()), n

    return min(places, key=order)


def has_ids(corpus: Columns) -> bool:
    """Whether entities have ids of their own, as in files and as labels; numbers of plain lists only count them.

    Nor do lists of strings have any, as language models write them.
    """
    return corpus.format not in ("", "quotes") or corpus.kind == "labels" or not _are_short_numbers(corpus.entity_ids)


def by_id(corpus: Columns) -> bool:
    """Whether the short names of entities are their ids: whole numbers, and none of them long; of labelled records any.

    >>> from referee import read, score
    >>> by_id(read("examples/key.conll")), by_id(score([["a", "b"]], [["a"], ["b"]]).key)
    (True, False)
    """
    return id_prefix(corpus) is not None


def id_prefix(corpus: Columns) -> str | None:
    """What ids have before their numbers, which short names leave out: an e, or nothing; None if names do not go by ids.

    >>> from referee import read
    >>> id_prefix(read("examples/key.conll")), id_prefix(read("examples/ferry.conllu"))
    ('', None)
    """
    ids = corpus.entity_ids
    if has_ids(corpus) and (corpus.kind == "labels" or _are_short_numbers(ids)):
        return ""
    with_letter = len(ids) > 0 and all(name[:1] == "e" for name in ids) and _are_short_numbers([name[1:] for name in ids])
    return "e" if with_letter and has_ids(corpus) else None


def _are_short_numbers(ids: Sequence[str]) -> bool:
    return all(map(SHORT_ID.fullmatch, ids))


def numbers_in(corpus: Columns, document: int) -> Ints:
    """The number of each entity of a document in the order of their first mentions, from 1 on.

    Mentions without words are in the order of their names, as the page shows them: r2 before r10.
    """
    entities = corpus.entities_in(document, document + 1)
    number = entities.stop - entities.start
    if corpus.items is None and corpus.text is not None:
        return np.arange(1, number + 1)
    mentions = corpus.mentions_in(document, document + 1)
    if isinstance(corpus.items, Names):
        order = natural_order(corpus.items.take(mentions))
        places = np.empty(number, dtype=np.int64)
        places[corpus.entity[mentions][order[::-1]] - entities.start] = np.arange(len(order))[::-1]  # the first is kept
        return inverse(argsort(places)) + 1
    first: dict[int, Natural] = {}
    for mention, entity in enumerate(corpus.entity[mentions].tolist(), start=mentions.start):
        place = natural(corpus.spans(mention) if corpus.items is None else corpus.items[mention])
        first[entity] = min(first.get(entity, place), place)
    by_name = sorted(range(number), key=lambda n: first[entities.start + n])
    return inverse(np.array(by_name, dtype=np.int64)) + 1


@dataclass(frozen=True, eq=False)
class ShortNames(Memo):
    """The short names of the entities of a side.

    Parameters
    ----------
    side : Corpus
    letter : str
        K or R, for the key or a response.
    """

    side: Columns
    letter: str

    def of(self, entity: int) -> str:
        """What an entity is called: K18. An id of words, which is no part of that, is beside it: K1 (Ann Lee)."""
        side = self.side
        prefix = self.memo("prefix", lambda: id_prefix(side))
        if prefix is not None:
            name = side.entity_ids[entity].removeprefix(prefix)
            return f"{self.letter}{name}" if SHORT_ID.fullmatch(name) else shortened(name)
        document = int(side.entity_document[entity])
        numbers = self.memo(document, lambda: numbers_in(side, document))
        name = f"{self.letter}{numbers[entity - side.entities_in(document, document + 1).start]}"
        return f"{name} ({shortened(side.entity_ids[entity])})" if has_ids(side) else name


def _rank(mention: Mention, tokens: Sequence[str], starts: set[int]) -> int:
    start, end = mention.start, mention.end
    if mention.mention_type:
        return {"name": NAME, "nominal": NOMINAL}.get(mention.mention_type, REST)
    if end - start > LONGEST:
        return REST
    if any(_capital(tokens[place]) for place in range(start, end) if place not in starts):
        return NAME
    return NOMINAL if end - start > 1 else REST


def _capital(token: str) -> bool:
    """Whether a token is spelt as a name; not "I"."""
    return len(token) > 1 and token[0].isupper()
