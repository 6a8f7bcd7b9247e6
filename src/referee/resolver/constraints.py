"""What must be one entity and what cannot, whatever a model says; the same for any model and any decoder.

- What a mention may be, he, she or it, follows from its kind. A mention is not attached to an MR where nothing would be left
  of what both may be.
- A pronoun is not another argument of its verb, and not what it possesses; two names with one surname and other first names
  are two persons; *she* in a quotation is not who speaks.
- A reflexive pronoun is its subject. A name is attached to a variant of it.
- *I* and *you* of known speakers are decided last: they are put with the mention that names the speaker.

All but he and she by grammatical gender need a lexicon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.resolver.attributes import Mentions
from referee.resolver.binding import apart_in_clauses, arguments, reflexives
from referee.resolver.kinds import KIND, KINDS, NARRATOR, OF_KIND, PERSON, SPEAKER, possible_by_gender
from referee.resolver.lexicon import KindLexicon
from referee.resolver.names import PersonalNames
from referee.resolver.speakers import Speakers, speakers_of
from referee.resolver.syntax import Syntax

KINDS_DIFFER, ARGUMENT, OTHER_NAME, NOT_SPEAKER = "kind", "argument", "name", "speaker"
"""Why a mention cannot be attached to an MR: they may not be the same; an argument of the same verb, or what it possesses;
another first name; who says it."""

SUBJECT, VARIANT = "reflexive", "name"
"""Why a mention must be attached to an MR: it is a reflexive pronoun of its subject; it is a variant of its name."""


class Constraints(NamedTuple):
    """What is known before any decision of the mentions that a model decides.

    Parameters
    ----------
    possible : int64, shape (mentions,)
        What each mention may be, as bits of `referee.resolver.kinds`.
    apart : mapping
        Of a mention, earlier ones that it is not one with, each with the reason.
    joined : mapping
        Of a reflexive pronoun, its subject.
    names : callable or None
        Makes an empty `PersonalNames`; None where names are not compared.
    """

    possible: Ints
    apart: Mapping[int, Mapping[int, str]] = {}
    joined: Mapping[int, int] = {}
    names: Callable[[], PersonalNames] | None = None


class Task(NamedTuple):
    """Mentions to be attached: those that a model decides, and those that are put with who speaks.

    Parameters
    ----------
    decided : int64, shape (decided,)
        The mentions that a model decides.
    mentions : Mentions
        These.
    constraints : Constraints
        On these.
    possible : int64, shape (mentions,)
        What each of all mentions may be.
    speakers : Speakers
        Who each of the others is.
    """

    decided: Ints
    mentions: Mentions
    constraints: Constraints
    possible: Ints
    speakers: Speakers

    def whole(self, label: Ints) -> Ints:
        """The first mention of the entity of each of all mentions, from that of those decided."""
        labels = np.arange(len(self.possible))
        labels[self.decided] = self.decided[label]
        somebody: dict[tuple[int, int, int], int] = {}
        spoken, document = self.speakers.spoken, self.speakers.document
        for i in spoken:
            who, seen = spoken[i], {i}
            while who.mention in spoken and who.mention not in seen:
                seen.add(who.mention)
                who = spoken[who.mention]
            is_named = who.mention >= 0 and who.mention not in seen
            of_label = (int(document[i]), who.label, 0 if who.label else i)
            labels[i] = labels[who.mention] if is_named else somebody.setdefault(of_label, i)
        _, first, number = np.unique(labels, return_index=True, return_inverse=True)
        of_first: Ints = first[number.reshape(-1)]
        return of_first


def task_of(
    syntax: Syntax, m: Mentions, lexicon: KindLexicon | None, *, one_gender: bool = False, quotations: bool = True
) -> Task:
    """Find what must be one, and what cannot.

    Parameters
    ----------
    syntax : Syntax
    m : Mentions
        With their kinds, if there is a lexicon.
    lexicon : KindLexicon or None
        Without one, nothing is known but he and she by grammatical gender.
    one_gender : bool
        Whether no MR has both he and she.
    quotations : bool
        Whether it is found out who says what.
    """
    possible = possible_by_gender(m)
    everything = np.arange(len(possible))
    speakers = Speakers(m.document, {}, [], [], [])
    if lexicon is None:
        return Task(everything, m, Constraints(possible if one_gender else possible | PERSON), possible, speakers)
    possible = np.where(m.kind > 0, OF_KIND[m.kind], possible)
    if quotations:
        speakers = speakers_of(syntax, m, possible, lexicon)
        possible[m.kind == KIND["I"]] = NARRATOR
        possible[speakers.unknown] = SPEAKER
    if not one_gender:
        possible[(possible & PERSON) > 0] |= PERSON
    decided = everything
    if speakers.spoken:
        is_spoken = np.zeros(len(possible), dtype=bool)
        is_spoken[list(speakers.spoken)] = True
        decided = np.flatnonzero(~is_spoken)
    place = np.full(len(possible), -1, dtype=np.int64)
    place[decided] = np.arange(len(decided))
    rows = m.rows(decided) if speakers.spoken else m
    of_words = arguments(rows)
    apart: dict[int, dict[int, str]] = {}
    for i, j in apart_in_clauses(rows, of_words):
        apart.setdefault(i, {})[j] = ARGUMENT
    for pair in speakers.apart:
        i, j = sorted(place[list(pair)].tolist())
        if i >= 0:
            apart.setdefault(j, {})[i] = NOT_SPEAKER
    names = _names_of(rows, possible[decided], lexicon)
    constraints = Constraints(possible[decided], apart, reflexives(syntax, rows, of_words), names)
    return Task(decided, rows, constraints, possible, speakers)


def _names_of(m: Mentions, possible: Ints, lexicon: KindLexicon) -> Callable[[], PersonalNames]:
    kinds = [KINDS[k] for k in m.kind.tolist()]
    return lambda: PersonalNames(m.name.tolist(), m.names, kinds, m.document.tolist(), possible.tolist(), lexicon)


class Ledger:
    """What the MRs may be while mentions are attached: it says where a mention must go, and where it cannot.

    Parameters
    ----------
    constraints : Constraints
    label : sequence of int
        The MR of each mention, by its first mention; the decoder changes it as it goes.

    Attributes
    ----------
    possible, masks : list of int
        What each mention may be, and what the MR may be that begins with a mention.
    """

    def __init__(self, constraints: Constraints, label: Sequence[int] | Ints) -> None:
        self.possible: list[int] = constraints.possible.tolist()
        self.masks = self.possible.copy()
        self.label = label
        self.apart, self.joined = constraints.apart, constraints.joined
        self.names = constraints.names and constraints.names()

    def antecedent(self, mention: int) -> int:
        """The earlier mention that a mention must be one with; -1 for none."""
        other = self.joined.get(mention, -1)
        if other >= 0 and self.masks[self.label[other]] & self.possible[mention]:
            return other
        return self.names.variant(mention, self.label, self.masks) if self.names else -1

    def why_joined(self, mention: int, antecedent: int) -> str:
        """Why it must."""
        return SUBJECT if self.joined.get(mention) == antecedent else VARIANT

    def bar(self, mention: int, mr: int) -> str:
        """Why a mention cannot be attached to an MR; empty if it can."""
        if not self.masks[mr] & self.possible[mention]:
            return KINDS_DIFFER
        for other, why in self.apart.get(mention, {}).items():
            if self.label[other] == mr:
                return why
        return OTHER_NAME if self.names and self.names.differs(mention, mr) else ""

    def attach(self, mention: int, mr: int) -> None:
        """Note that a mention was attached to an MR, or made a new one of its own."""
        self.masks[mr] &= self.possible[mention]
        if self.names:
            self.names.add(mention, mr)
