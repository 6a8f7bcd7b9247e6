"""What words say of what they name: a lexicon, from a file that people can read.

Each line is a kind of words, a colon, and words in lower case; lines that begin with `#` are left out::

    woman: aunt duchess
    first-woman: ann mary
    she: she her hers herself

``man``, ``woman``, ``person``, ``animal``, ``place``, ``group``, ``time``, ``thing``
    nouns by what they name
``first-man``, ``first-woman``, ``first-person``
    first names by who has them
``soft-man``, ``soft-woman``
    the same, of names that are surnames or places, too: they count only before another name
``name-place``, ``name-time``
    names of places and times
``he``, ``she``, ``it``, ``who``, ``I``, ``we``, ``you``, ``they``
    pronouns
``title``, ``epithet``
    what stands before names and belongs to them (*Mrs. Long*), or does not (*old Tom*)
``speech``
    verbs of speech, by their lemmas
``common``
    frequent words, by which a text in the language is recognised, with its pronouns
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from referee.algorithms.digest import blake2b
from referee.basics.exceptions import FormatError, UnknownNameError, shortened
from referee.formats.shared.source import Source
from referee.resolver.syntax import Syntax

NOUNS = ("man", "woman", "person", "animal", "place", "group", "time", "thing")
FIRST = ("first-man", "first-woman", "first-person", "soft-man", "soft-woman")
PRONOUNS = ("he", "she", "it", "who", "I", "we", "you", "they")
OTHERS = ("title", "epithet", "speech", "common")
KINDS_OF_WORDS = (*PRONOUNS, *OTHERS, *NOUNS, "name-place", "name-time", *FIRST)
"""What lines may be about."""

LANGUAGES = ("english",)
"""The lexicons that come with the package."""

FUNCTION = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ")
"""Parts of speech by which the language of a text is recognised."""

EXPECTED = "a line such as woman: aunt duchess"


class KindLexicon(NamedTuple):
    """Words by what they name.

    Parameters
    ----------
    name : str
        "english", or the file.
    digest : str
        Of the text of the file.
    nouns, firsts, names, pronouns : mapping
        Words with their kinds, without what their lines have before a hyphen: *may* is a time among `names`.
    soft : frozenset of str
        First names that count only before another name.
    titles, epithets, speech, common : frozenset of str
    """

    name: str
    digest: str
    nouns: Mapping[str, str]
    firsts: Mapping[str, str]
    names: Mapping[str, str]
    pronouns: Mapping[str, str]
    soft: frozenset[str]
    titles: frozenset[str]
    epithets: frozenset[str]
    speech: frozenset[str]
    common: frozenset[str]

    def fits(self, syntax: Syntax) -> bool:
        """Whether a text is in its language: so are half of its pronouns, articles, prepositions and such."""
        function = syntax.form[syntax.upos.among(*FUNCTION) & ~syntax.is_node]
        is_english = [word in self.common or word in self.pronouns for word in syntax.words]
        return sum(1 for n in function.tolist() if is_english[n]) > len(function) / 2


def lexicon_of(value: str | os.PathLike[str] | KindLexicon) -> KindLexicon:
    """Read a lexicon: "english", or a file.

    Raises
    ------
    FormatError
        If a file cannot be read, or has a line of another form.

    >>> english = lexicon_of("english")
    >>> english.nouns["duchess"], english.firsts["ann"], english.pronouns["hers"], english.names["may"]
    ('woman', 'woman', 'she', 'time')
    """
    if isinstance(value, KindLexicon):
        return value
    path = os.fspath(value)
    return _shipped(path) if path in LANGUAGES else _read(Source(path), path)


def lexicon_for(syntax: Syntax, value: str | os.PathLike[str] | KindLexicon | None) -> KindLexicon | None:
    """The lexicon for a text: that of `value`; None stands for the English one if it fits, "none" for no lexicon."""
    if value is None:
        english = lexicon_of("english")
        return english if english.fits(syntax) else None
    return None if value == "none" else lexicon_of(value)


@cache
def _shipped(name: str) -> KindLexicon:
    return _read(Source(os.path.join(os.path.dirname(__file__), "models", f"{name}.lexicon")), name)


def _read(source: Source, name: str) -> KindLexicon:
    words: dict[str, list[str]] = {kind: [] for kind in KINDS_OF_WORDS}
    if source.binary:
        raise FormatError(source.name, None, f"is {source.binary}, no text; expected {EXPECTED}")
    text = source.text(source.raise_error)
    for number, line in enumerate(text.splitlines(), start=1):
        kind, colon, listed = line.partition(":")
        if line.startswith("#") or not line.strip():
            continue
        if not colon:
            raise FormatError(source.name, number, f"found {shortened(line)!r}; expected {EXPECTED}")
        if kind not in words:
            raise FormatError(source.name, number, str(UnknownNameError("kind of words", kind, KINDS_OF_WORDS)))
        words[kind] += listed.split()
    if not any(words.values()):
        raise FormatError(source.name, None, f"has no words; expected {EXPECTED}")

    def kinds(*lines: str) -> dict[str, str]:
        return {word: line.rpartition("-")[2] for line in lines for word in words[line]}

    return KindLexicon(
        name,
        blake2b(text.encode(), digest_size=16).digest().hex(),
        kinds(*NOUNS),
        kinds(*FIRST),
        kinds("name-place", "name-time"),
        kinds(*PRONOUNS),
        frozenset(words["soft-man"] + words["soft-woman"]),
        *(frozenset(words[kind]) for kind in OTHERS),
    )
