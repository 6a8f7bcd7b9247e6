"""What mentions and entities are called where people read of them.

An entity is best known by a name, such as "Ruiz": a first mention may be a pronoun, and an id says nothing. No parse is needed:
mention types decide where the annotation has them, and the spelling of the words where it has not.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.corpus.columns import Columns
from referee.corpus.views import Entity, Mention

NAME, NOMINAL, REST = range(3)
"""How well a mention tells people which entity is meant, the best first."""

LONGEST = 8
"""Tokens beyond which a mention says more than people want to read again."""


def unit_of(*corpora: Columns) -> str:
    """What a mention is called: a "record" where all is about records.

    >>> from referee import read
    >>> unit_of(read("examples/key.conll"))
    'mention'
    """
    return "mention" if any(corpus.kind == "texts" for corpus in corpora) else "record"


def best_known(entity: Entity) -> Mention:
    """Return the mention that tells people best which entity is meant: the first name, else the first nominal, else the first.

    Without mention types, a name is a mention of few tokens, one of which has a capital, but not as a sentence begins; and a
    nominal is one of two tokens to a few. Of items it is the first.

    >>> from referee import read
    >>> [best_known(entity).text for entity in read("examples/key.conll").documents["orchard"].entities[:3]]
    ['Orchard Press', "Elena Ruiz 's first novel", 'Elena Ruiz']
    """
    mentions = entity.mentions
    if entity.corpus.items is not None or entity.corpus.text is None:
        return mentions[0]
    tokens, starts = entity.document.tokens, set(entity.document.sentences)
    ranks = [_rank(mention, tokens, starts) for mention in mentions]
    return mentions[ranks.index(min(ranks))]


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
