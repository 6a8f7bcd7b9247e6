"""Variants of the name of a person: *Mr. Holmes*, *Sherlock Holmes*; and names of two persons: *Ann Lee*, *Tom Lee*."""

from __future__ import annotations

from collections.abc import Sequence

from referee.algorithms.arrays import Ints
from referee.resolver.kinds import PERSON, THEY, THINGS, Name, without_titles
from referee.resolver.lexicon import KindLexicon

PEOPLE = PERSON | THEY
RECENT = 60
"""How many earlier mentions with a word in common are looked at."""


class PersonalNames:
    """The names of the mentions that were attached so far.

    Parameters
    ----------
    name : list of int
        Which of `names` each mention has; 0 for none.
    names : list of tuple
    kinds : list of str
        The kind of each mention.
    document, possible : list of int
        The document of each mention, and what it may be.
    lexicon : KindLexicon
    """

    def __init__(
        self,
        name: Sequence[int],
        names: Sequence[Name],
        kinds: Sequence[str],
        document: Sequence[int],
        possible: Sequence[int],
        lexicon: KindLexicon,
    ) -> None:
        self.name, self.names, self.document, self.possible = name, names, document, possible
        self.rest = [without_titles(words, lexicon) for words in names]
        self.has_first = [len(rest) > 1 and rest[0] in lexicon.firsts for rest in self.rest]
        self.may_vary = [bool(self.rest[n]) and kind not in THINGS for n, kind in zip(name, kinds, strict=True)]
        self.by_word: dict[tuple[int, str], list[int]] = {}
        self.of_mr: dict[int, set[int]] = {}

    def differs(self, mention: int, mr: int) -> bool:
        """Whether an MR has the same surname with another first name."""
        name = self.name[mention]
        return self.has_first[name] and any(self._clash(name, other) for other in self.of_mr.get(mr, ()))

    def _clash(self, name: int, other: int) -> bool:
        a, b = self.rest[name], self.rest[other]
        if not self.has_first[other] or a[-1] != b[-1] or a[0] == b[0]:
            return False
        return not (a[0][0] == b[0][0] and 1 in (len(a[0].rstrip(".")), len(b[0].rstrip("."))))  # J. Smith may be John Smith

    def variant(self, mention: int, label: Sequence[int] | Ints, masks: Sequence[int]) -> int:
        """The earlier mention with a variant of its name: the most alike, of equal ones the most recent; -1 for none."""
        if not self.may_vary[mention]:
            return -1
        name, possible = self.name[mention], self.possible[mention]
        rest, is_person = self.rest[name], not possible & ~PEOPLE
        best, rank = -1, 0
        for word in {rest[0], rest[-1]}:
            for at in self.by_word.get((self.document[mention], word), ())[-RECENT:]:
                mr = label[at]
                if not masks[mr] & possible or (masks[mr] & ~PEOPLE and not is_person):
                    continue
                alike = self._likeness(name, self.name[at])
                if (alike, at) > (rank, best) and alike and not self.differs(mention, mr):
                    best, rank = at, alike
        return best

    def _likeness(self, name: int, other: int) -> int:
        """4 for the same name, 3 but for titles, 2 for a first name or surname of the other, 1 for the reverse, else 0."""
        rest, theirs = self.rest[name], self.rest[other]
        if name == other:
            return 4
        if rest == theirs:
            return 3
        if len(rest) == 1 and len(theirs) > 1 and rest[0] in (theirs[0], theirs[-1]):
            return 2
        return int(len(theirs) == 1 and theirs[0] in (rest[0], rest[-1]))

    def add(self, mention: int, mr: int) -> None:
        """Note the MR that a mention was attached to."""
        name = self.name[mention]
        if name:
            self.of_mr.setdefault(mr, set()).add(name)
            rest = self.rest[name]
            for word in {*rest[:1], *rest[-1:]}:
                self.by_word.setdefault((self.document[mention], word), []).append(mention)
