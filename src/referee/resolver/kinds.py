"""What mentions name, by their words, and so what they may be: he, she, it or they.

The *kind* of a mention is that of its pronoun, its noun or its name (see `referee.resolver.lexicon`). From the kind follows
what the mention may be, as a set of bits. An MR may be what all of its mentions may be. A mention cannot be attached where
nothing would be left.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.algorithms.arrays import Ints
from referee.resolver.attributes import GENDERS, NUMBERS, TYPE, Mentions
from referee.resolver.lexicon import NOUNS, PRONOUNS, KindLexicon
from referee.resolver.syntax import Syntax

KINDS = ("", *PRONOUNS, *NOUNS)
"""Kinds of mentions; the empty one where nothing is known."""

KIND = {name: number for number, name in enumerate(KINDS)}
HE, SHE, IT, NARRATOR, SPEAKER, THEY = 1, 2, 4, 8, 16, 32
"""Bits: what a mention may be. *I* of a text is the narrator, *I* of a quotation is who speaks there."""

BITS = {"he": HE, "she": SHE, "it": IT, "narrator": NARRATOR, "speaker": SPEAKER, "they": THEY}
PERSON, ANY = HE | SHE, HE | SHE | IT | THEY
POSSIBLE = {
    **dict.fromkeys(("", "animal"), ANY), **dict.fromkeys(("he", "man"), HE), **dict.fromkeys(("she", "woman"), SHE),
    **dict.fromkeys(("person", "who", "we", "you", "I"), PERSON | THEY),
    **dict.fromkeys(("place", "group", "time", "thing"), IT | THEY), "it": IT, "they": THEY,
}  # fmt: skip
OF_KIND = np.array([POSSIBLE[kind] for kind in KINDS], dtype=np.int64)
"""What the mentions of each kind may be."""

THINGS = ("place", "group", "time", "thing")
IN_NAMES = ("flat", "compound", "nmod", "appos", "amod")
"""Relations of the words of a name to its head."""

LONGEST = 5
"""No word of a name is as far from its head."""

Name = tuple[str, ...]


def with_kinds(syntax: Syntax, m: Mentions, lexicon: KindLexicon | None) -> Mentions:
    """The mentions with their kinds and names: the heads are looked up, and the words of names."""
    if lexicon is None:
        return m
    pronouns = np.array([KIND[lexicon.pronouns.get(word, "")] for word in syntax.words] or [0], dtype=np.int64)
    nouns = np.array([KIND[lexicon.nouns.get(word, "")] for word in syntax.words] or [0], dtype=np.int64)
    titles = np.array([word in lexicon.titles for word in syntax.words] or [False], dtype=bool)
    head, types, lemma = m.head, m.type, m.lemma
    kind = np.where(types <= TYPE["indef"], pronouns[syntax.form[head]], nouns[lemma])
    kind[types == TYPE["clause"]] = 0
    is_plural = m.number == NUMBERS.index("Plur")
    gendered = (kind == KIND["man"]) | (kind == KIND["woman"])
    kind[is_plural & gendered & (types > TYPE["indef"])] = KIND["person"]
    is_name = syntax.upos.among("PROPN")[head] | (titles[lemma] & (m.end > head + 1))
    named = np.flatnonzero(is_name & (types > TYPE["indef"]) & (types != TYPE["clause"]))
    number: dict[Name, int] = {(): 0}
    name = np.zeros(len(head), dtype=np.int64)
    name[named] = [number.setdefault(words, len(number)) for words in _names(syntax, m, named, lexicon)]
    names = list(number)
    of_names = np.array([KIND[kind_of_name(words, lexicon)] for words in names], dtype=np.int64)
    kind[named] = np.where(is_plural[named], 0, of_names[name[named]])
    return m._replace(kind=kind, name=name, names=names)


def _names(syntax: Syntax, m: Mentions, rows: Ints, lexicon: KindLexicon) -> list[Name]:
    """The words of the names of some mentions: the head, and the names and titles beside it that belong to it."""
    words, form, parent = syntax.words, syntax.form, syntax.parent
    related, proper = syntax.relation.among(*IN_NAMES), syntax.upos.among("PROPN")
    titles, epithets = lexicon.titles, lexicon.epithets
    names: list[Name] = []
    bounds = zip(m.start[rows].tolist(), m.head[rows].tolist(), m.end[rows].tolist(), strict=True)
    for start, head, end in bounds:
        if end == start + 1:
            names.append((words[form[head]],))
            continue
        first = max(start, head - LONGEST + 1)
        after = min(end, head + LONGEST)
        spelt = [words[n] for n in form[first:after].tolist()]
        belongs = ((parent[first:after] == head) & related[first:after]).tolist()
        is_proper = proper[first:after].tolist()
        at = head - first
        low = high = at
        while low and belongs[low - 1] and _is_part(spelt[low - 1], is_proper[low - 1], titles, epithets):
            low -= 1
        while high + 1 < len(spelt) and belongs[high + 1] and _is_part(spelt[high + 1], is_proper[high + 1], titles, epithets):
            high += 1
        names.append(tuple(word for word in spelt[low : high + 1] if word not in epithets))
    return names


def _is_part(word: str, is_proper: bool, titles: frozenset[str], epithets: frozenset[str]) -> bool:
    return is_proper or word in titles or word in epithets


def without_titles(name: Name, lexicon: KindLexicon) -> Name:
    """What is behind the titles of a name."""
    first = next((n for n, word in enumerate(name) if word not in lexicon.titles), len(name))
    return name[first:]


def kind_of_name(name: Name, lexicon: KindLexicon) -> str:
    """What a name names; empty if that is not known.

    >>> from referee.resolver.lexicon import lexicon_of
    >>> english = lexicon_of("english")
    >>> [kind_of_name(tuple(name.split()), english) for name in ("mrs. long", "dr. ann lee", "ann", "paris", "ann street")]
    ['woman', 'woman', 'woman', 'place', '']
    """
    rest = without_titles(name, lexicon)
    title = _kind_of_titles(name[: len(name) - len(rest)], lexicon)
    if title in ("man", "woman") or not rest:
        return title
    first, last = rest[0], lexicon.nouns.get(rest[-1], "")
    place = lexicon.names.get(first, "")
    of_first = lexicon.firsts.get(first, "")
    if len(rest) > 1:
        if not title and (last in THINGS or lexicon.names.get(rest[-1]) == "place"):
            return last if last in THINGS and not of_first else ""
        return (of_first if len(first) > 2 else "") or title
    if place:
        return title if title or of_first else place
    if title or of_first == "person" or first in lexicon.soft or len(first) < 3:
        return title
    return of_first


def _kind_of_titles(titles: Sequence[str], lexicon: KindLexicon) -> str:
    """The kind of the last title that says whether it is a man or a woman, or else of a person."""
    kinds = [kind for title in titles if (kind := lexicon.nouns.get(title, "")) in ("man", "woman", "person")]
    return next((kind for kind in kinds[::-1] if kind != "person"), kinds[0] if kinds else "")


def possible_by_gender(m: Mentions) -> Ints:
    """What mentions may be by the features of their pronouns alone: he or she, of third persons that are one or the other."""
    masculine, feminine = (m.pronoun_gender == GENDERS.index(gender) for gender in ("Masc", "Fem"))
    return np.where(masculine, HE, np.where(feminine, SHE, ANY)).astype(np.int64)
