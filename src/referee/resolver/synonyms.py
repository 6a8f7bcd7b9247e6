"""A dictionary of synonyms: heads that share one of its sets are compared as if they were equal.

In a file, each line is a set, with commas between the words. Blank lines and lines that begin with `#` are left out. A word may
be in several sets. Only whole words count, in lower case: a head has the lemma that its tree gives it, or its form if it has
none::

    # vehicles
    car, automobile
    king, monarch, sovereign
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from referee.algorithms.digest import blake2b
from referee.basics.exceptions import FormatError, OptionError, counted, shortened, warn
from referee.formats.shared.source import Source
from referee.resolver.syntax import plain

LINE = "a line such as car, automobile"


class Synonyms(NamedTuple):
    """Sets of words.

    Parameters
    ----------
    sets : mapping
        The numbers of the sets that each word is in.
    digest : str
        Of the sets.
    """

    sets: Mapping[str, frozenset[int]]
    digest: str


WordSets: TypeAlias = "str | os.PathLike[str] | Iterable[Collection[str]]"
"""A file, or sets of words."""


def synonyms_of(dictionary: WordSets | Synonyms | None) -> Synonyms | None:
    """Read a dictionary.

    Raises
    ------
    FormatError
        If a file cannot be read, or has a line that is no set, or no set at all.
    OptionError
        If a value has no set of words.

    Warns
    -----
    RefereeWarning
        If there are expressions of several words: no head is one of them.

    >>> sorted(synonyms_of([["Car", "automobile"], ["car", "coach"]]).sets.items())
    [('automobile', frozenset({0})), ('car', frozenset({0, 1})), ('coach', frozenset({1}))]
    """
    if dictionary is None or isinstance(dictionary, Synonyms):
        return dictionary
    if isinstance(dictionary, (str, os.PathLike)):
        source = Source(dictionary)
        return _synonyms(_lines(source), source.name)
    sets = list(dictionary) if isinstance(dictionary, Iterable) else []
    if not sets or not all(map(_is_set, sets)):
        raise OptionError("found synonyms that are no sets; expected sets of two words or more, or a file")
    return _synonyms(sets, "synonyms")


def _is_set(words: object) -> bool:
    """Whether a value is several words."""
    if not isinstance(words, Collection) or isinstance(words, str):
        return False
    return len(words) > 1 and all(isinstance(word, str) for word in words)


def _lines(source: Source) -> Iterator[list[str]]:
    """The words of each line."""
    if source.binary:
        raise FormatError(source.name, None, f"is {source.binary}, no text; expected {LINE}")
    empty = True
    for number, line in source.lines(source.raise_error):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        words = [word.strip() for word in line.split(",")]
        if len(words) < 2 or not all(words):
            problem = "a word that is empty" if len(words) > 1 else "one word"
            raise FormatError(source.name, number, f"found {problem} in {shortened(line)!r}; expected {LINE}")
        empty = False
        yield words
    if empty:
        raise FormatError(source.name, None, f"has no synonyms; expected {LINE}")


def _synonyms(lines: Iterable[Collection[str]], name: str) -> Synonyms:
    sets: dict[str, set[int]] = {}
    content, several = blake2b(digest_size=16), 0
    for number, line in enumerate(lines):
        words = sorted({plain(word) for word in line})
        content.update((",".join(words) + "\n").encode(errors="backslashreplace"))
        several += sum(" " in word for word in words)
        for word in words:
            sets.setdefault(word, set()).add(number)
    if several:
        warn(f"{name}: {counted(several, 'expression')} of several words; not used, as the head of a mention is one word")
    return Synonyms({word: frozenset(numbers) for word, numbers in sets.items()}, content.digest().hex())
