"""What is learnt of a language to split its texts into sentences and words: `Splitting`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.basics.exceptions import OptionError, listed, shortened


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
    def from_values(cls, values: object) -> Splitting:
        """Give back what `values` gave.

        Raises
        ------
        OptionError
            If it is anything else.
        """
        if not isinstance(values, dict) or set(values) != set(cls._fields):
            content = listed(sorted(map(str, values))) if isinstance(values, dict) and values else type(values).__name__
            raise OptionError(f"splitting has {shortened(content, 80)}; expected {listed(cls._fields)}")
        return cls(
            language=_text("language", values["language"]),
            abbreviations=_set("abbreviations", values["abbreviations"]),
            contractions=_contractions("contractions", values["contractions"]),
            enclitics=_set("enclitics", values["enclitics"]),
            proclitics=_set("proclitics", values["proclitics"]),
            hosts=_hosts("hosts", values["hosts"]),
            whole=_set("whole", values["whole"]),
            prefixes=_set("prefixes", values["prefixes"]),
            joints=_set("joints", values["joints"]),
            endings=_set("endings", values["endings"]),
            frequent=_words("frequent", values["frequent"]),
            share=_share("share", values["share"]),
            letters=_text("letters", values["letters"]),
            vocabulary=_set("vocabulary", values["vocabulary"]),
            weights=_weights("weights", values["weights"]),
        )


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return {key: _plain(value[key]) for key in sorted(value)}
    return list(value) if isinstance(value, tuple) else value


def _wrong(name: str, value: object, expected: str) -> OptionError:
    return OptionError(f"{name} of the splitting is {shortened(repr(value))}; expected {expected}")


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(name, value, "a string")
    return value


def _words(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(word, str) and word and not any(map(str.isspace, word)) for word in value
    ):
        raise _wrong(name, value, "a list of words")
    return tuple(value)


def _set(name: str, value: object) -> frozenset[str]:
    return frozenset(_words(name, value))


def _share(name: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= 1000:
        raise _wrong(name, value, "a whole number from 0 to 1000")
    return value


def _contractions(name: str, value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict) or not all(isinstance(key, str) and words for key, words in value.items()):
        raise _wrong(name, value, "words by tokens")
    return {key: _words(name, words) for key, words in value.items()}


def _hosts(name: str, value: object) -> dict[str, frozenset[str]]:
    return {key: frozenset(words) for key, words in _contractions(name, value).items()}


def _weights(name: str, value: object) -> dict[str, int]:
    if not isinstance(value, dict) or not all(isinstance(key, str) and type(n) is int for key, n in value.items()):
        raise _wrong(name, value, "whole numbers by features")
    return dict(value)
