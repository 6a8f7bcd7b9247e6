"""What is learnt of a language to split its texts into sentences and words: `Splitting`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Splitting(NamedTuple):
    """What is learnt of a language to split its texts.

    Words stand in lower case, in the composed form of Unicode (NFC), with the plain apostrophe and the plain hyphen.

    Parameters
    ----------
    language : str
        Its code, as *en*; empty if it is not known.
    abbreviations : frozenset of str
        Words with a period of their own, with their capitals: *Mr.*, *etc.*
    contractions : mapping of str to tuple of str
        Tokens that stand for several words: *gonna* for *gon na*, *du* for *de le*.
    enclitics, proclitics : frozenset of str
        Words that are written onto the end or the beginning of another word: *'s*, *n't*, *-elle*; *l'*, *qu'*.
    hosts : mapping of str to frozenset of str
        For enclitics that only a few words take: these words. *'d* is one in *I'd*, not in *wither'd*.
    whole : frozenset of str
        Words that would be divided by what else is known: *o'clock*, *aujourd'hui*, *e-mail*.
    prefixes : frozenset of str
        Beginnings that a hyphen does not divide from the rest: *non* of *non-stop*.
    joints : frozenset of str
        Where a hyphen divides: the kinds of what stands before and after it (`a` letters, `A` with capitals, `0` digits, `x`
        both; `0<` two numbers that rise, as those of years do, `0>` two others), and how many hyphens the token has, at most
        3: *aa1* divides *well-known* into three words. `-`: a word that is broken off (*thr-*) keeps its hyphen.
    endings : frozenset of str
        The last letters of words that end in an apostrophe of their own: *in'* of *nothin'*.
    frequent : tuple of str
        The most frequent words, first the most frequent.
    share : int
        Of a thousand words of the language, how many are among the frequent ones.
    letters : str
        The letters the language is written with, sorted.
    vocabulary : frozenset of str
        Words that are known to exist, for words that are divided at the end of a line.
    weights : mapping of str to int
        What speaks for the end of a sentence, by features of the place. It ends where the sum is above 0.
    """

    language: str = ""
    abbreviations: frozenset[str] = frozenset()
    contractions: Mapping[str, tuple[str, ...]] = {}
    enclitics: frozenset[str] = frozenset()
    proclitics: frozenset[str] = frozenset()
    hosts: Mapping[str, frozenset[str]] = {}
    whole: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    frequent: tuple[str, ...] = ()
    share: int = 0
    letters: str = ""
    vocabulary: frozenset[str] = frozenset()
    weights: Mapping[str, int] = {}

    def values(self) -> dict[str, object]:
        """All of it as values of JSON, in an order that does not depend on hashes.

        >>> Splitting("fr", proclitics=frozenset({"qu'", "l'"})).values()["proclitics"]
        ["l'", "qu'"]
        """
        return {name: _plain(value) for name, value in self._asdict().items()}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Splitting:
        """Give back what `values` gave; TypeError or KeyError if it is anything else."""
        sets = ("abbreviations", "enclitics", "proclitics", "whole", "prefixes", "joints", "endings", "vocabulary")
        return cls(
            **{
                **values,
                **{name: frozenset(values[name]) for name in sets},
                "contractions": {token: tuple(words) for token, words in values["contractions"].items()},
                "hosts": {word: frozenset(hosts) for word, hosts in values["hosts"].items()},
                "frequent": tuple(values["frequent"]),
            }
        )


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return {key: _plain(value[key]) for key in sorted(value)}
    return list(value) if isinstance(value, tuple) else value
