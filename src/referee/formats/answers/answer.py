"""`Answer`: what a model answered, which the words of a key make a corpus of spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from referee.basics.exceptions import listed, shortened
from referee.corpus import Corpus
from referee.corpus.layers import NewPlaces
from referee.corpus.schema import Selection


class Grounded(NamedTuple):
    """An answer on the words of a key.

    Parameters
    ----------
    corpus : Corpus
        Its mentions are spans of the tokens of the key; behind these may be tokens that the text does not have.
    unaligned : float
        The share of the words of both texts that the other text lacks.
    repairs : Counter
        What was repaired -> how often.
    words : str
        How the words compare, for the signature.
    strange : int
        How many mentions the text of the key does not have.
    doubt : str
        How many mentions could be others, for a warning; empty if none could.
    first : mapping
        What was repaired -> the first string that it was, where this is known.
    """

    corpus: Corpus
    unaligned: float
    repairs: Counter[str]
    words: str
    strange: int = 0
    doubt: str = ""
    first: Mapping[str, str] = MappingProxyType({})

    def note(self, source: str) -> str:
        """What was repaired, for a report; empty if nothing was."""
        made = [
            f"{number} {what if number != 1 else _of_one(what)}{self._first(what)}" for what, number in self.repairs.items()
        ]
        share = f"{1 - self.unaligned:.2%} of the words are those of the key; " if self.unaligned else ""
        return f"{source}: {share}repaired: {listed(made)}" if made else ""

    def _first(self, what: str) -> str:
        """The first string that was repaired, in brackets."""
        said = "the first: " * (self.repairs[what] > 1)
        return f" ({said}{shortened(self.first[what])!r})" if what in self.first else ""


def _of_one(repairs: str) -> str:
    """The name of a repair that was made once.

    >>> _of_one("strings found inside of words")
    'string found inside of words'
    """
    first, blank, rest = repairs.partition(" ")
    return first.removesuffix("s") + blank + rest


def is_of(grounded: Grounded) -> bool:
    """Whether most of the mentions of an answer are in the text of a key."""
    return 2 * grounded.strange <= len(grounded.corpus.document)


class Groundable(Protocol):
    """What was read of an answer."""

    def ground(self, key: Corpus, source: str, quotes: str) -> Grounded:
        """Put it on the words of a key; `quotes` says which occurrences of a string are meant."""


@dataclass(frozen=True, eq=False, repr=False)
class AnswerCorpus(Corpus):
    """A corpus as far as it can be read without a key.

    Parameters
    ----------
    content : Groundable
        What was read.
    """

    content: Groundable | None = field(default=None, compare=False)

    @classmethod
    def of(cls, corpus: Corpus, content: Groundable) -> AnswerCorpus:
        """Add what was read to a corpus."""
        return cls(**_columns(corpus), content=content)

    def rearranged(self, rows: Selection, places: NewPlaces, **others: object) -> Corpus:
        """Take some rows in another order: then it is a corpus like others, for what was read has all of them."""
        return Corpus(**_columns(self)).rearranged(rows, places, **others)


def _columns(corpus: Corpus) -> dict[str, Any]:
    return {column.name: getattr(corpus, column.name) for column in fields(Corpus)}


def ground(response: Corpus, key: Corpus, quotes: str = "ordered") -> Grounded | None:
    """Put an answer on the words of a key; None for a corpus that is no answer.

    Raises
    ------
    MismatchError
        If the key has no words, or none of them is in the answer.
    """
    if not isinstance(response, AnswerCorpus) or response.content is None:
        return None
    return response.content.ground(key, response.source, quotes)
