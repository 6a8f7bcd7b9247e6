"""What is known amid a sentence, when the second pass goes through its groups: the clause, and what waits for its verb."""

from __future__ import annotations

from collections.abc import Sequence

from referee.parsing.shallow.groups import Group
from referee.parsing.shallow.sentence import Sentence


class LinkState:
    """Where the pass is.

    Attributes
    ----------
    s : Sentence
    groups : sequence of Group
    at : int
        The group that is read.
    verb, main : int
        The predicate that was read last, and that of the main clause; -1 before the first.
    object : int
        The object of `verb`; -1 if it has none yet.
    passive : bool
        Whether `verb` is passive.
    subjects : list of Group
        Nominal groups that wait for their verb.
    waiting : list of (int, str)
        Words that wait for the next predicate, and what they will be to it.
    marks : list of int
        The conjunctions of the clause whose verb has not come yet.
    opener : Group or None
        A relative or interrogative word whose verb has not come yet.
    noun : int
        The noun before the opener; -1 if there is none.
    conjunction : int
        An *and* that was read and belongs to nothing yet; -1 if there is none.
    """

    def __init__(self, s: Sentence, groups: Sequence[Group]) -> None:
        self.s, self.groups, self.at = s, groups, 0
        self.verb = self.main = self.object = self.noun = self.conjunction = -1
        self.passive = False
        self.subjects: list[Group] = []
        self.waiting: list[tuple[int, str]] = []
        self.marks: list[int] = []
        self.opener: Group | None = None

    def kind(self, offset: int) -> str:
        """The kind of a group near by; a blank if there is none."""
        place = self.at + offset
        return self.groups[place].kind if 0 <= place < len(self.groups) else " "

    def noun_before(self, offset: int) -> int:
        """The noun of a group before; -1 if it is none."""
        return self.groups[self.at - offset].last if self.at >= offset and self.kind(-offset) in "NP" else -1

    def is_opened(self) -> bool:
        """Whether a clause was opened whose verb has not come yet."""
        return self.verb < 0 or bool(self.marks or self.opener or (self.subjects and self.subjects[-1].start > self.verb))

    def open(self, g: Group) -> None:
        """Open a clause with a relative or interrogative word."""
        self.opener = g
        self.noun = self.noun_before(2 if self.kind(-1) == "," else 1)

    def conjoin(self, word: int, head: int) -> None:
        """Put a word below another one, with the *and* before it."""
        self.s.attach(self.conjunction, word, "cc")
        self.s.attach(word, head, "conj")
        self.conjunction = -1

    def take(self, verb: int, *relations: str) -> None:
        """Put what waits below a verb; only what has one of the relations, if some are named."""
        attached = [row for row in self.waiting if row[1] in relations or not relations]
        self.waiting = [row for row in self.waiting if row not in attached]
        for w, relation in attached:
            if not self.s.is_above(w, verb):
                self.s.attach(w, verb, relation)

    def begin(self, verb: int, passive: bool) -> None:
        """Go on with a verb."""
        self.verb, self.object, self.passive = verb, -1, passive
