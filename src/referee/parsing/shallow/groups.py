"""The first pass over chunks: nominal chunks are joined into larger groups.

A group takes the prepositions before it, a possessor, prepositional groups that go with its noun, appositions, and what is
coordinated with it. It then stands for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.parsing.shallow.sentence import FINITE, Sentence

TIMES = frozenset((
    "day", "week", "month", "year", "morning", "afternoon", "evening", "night", "today", "tomorrow", "yesterday", "tonight",
    "time", "hour", "minute", "moment", "spring", "summer", "autumn", "fall", "winter", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "way",
))  # fmt: skip
"""Nouns that say when, or how, without a preposition."""

FIXED = frozenset((("of", "course"), ("in", "order"), ("at", "least"), ("at", "all"), ("in", "addition")))
"""Prepositions with a noun that are an adverb."""

OPENING, CLOSING = frozenset(("(", "[", "{", "-lrb-", "-lsb-")), frozenset((")", "]", "}", "-rrb-", "-rsb-"))
QUOTES = frozenset(('"', "'", "``", "''", "“", "”", "‘", "’"))
DASHES = frozenset(("-", "–", "—", "--"))

KINDS = {"NP": "N", "PP": "O", "SBAR": "M", "ADJP": "A", "PRT": "R", "INTJ": "I"}
KINDS_OF_VERBS = {"TO": "T", "VBG": "G", "VBN": "E"}


class Group:
    """A chunk, or several that were joined.

    Attributes
    ----------
    kind : str
        ========  =============================================================
        N, P      nominal; the same with a preposition
        V, B      a finite verb; a bare one (imperative, infinitive)
        T, G, E   a verb with *to*; in *-ing*; a participle
        A, D, W   adjective; adverb; *where* and its like
        O, M, C   preposition; conjunction that opens a clause; *and*
        R, I      particle of a verb; interjection
        , ; : ( ) marks; - for all dashes, " for all quotes, . for all else
        ========  =============================================================
    head : int
        The word that others see.
    last : int
        The noun to which what follows is attached.
    start, end : int
        Its words.
    case : list of int
        Its prepositions.
    """

    __slots__ = ("case", "end", "head", "kind", "last", "start")

    def __init__(self, kind: str, head: int, start: int, end: int) -> None:
        self.kind, self.head, self.last, self.start, self.end = kind, head, head, start, end
        self.case: list[int] = []


def kind_of(s: Sentence, category: str, start: int, end: int) -> str:
    """The kind of a chunk."""
    if category == "VP":
        first = next((s.xpos[w] for w in range(start, end) if s.xpos[w][:2] in ("VB", "MD", "TO")), "VB")
        return "V" if first in FINITE else KINDS_OF_VERBS.get(first, "B")
    if category == "ADVP":
        return "W" if s.xpos[end - 1] == "WRB" else "D"
    if category in KINDS:
        return KINDS[category]
    return "C" if s.upos[start] == "CCONJ" else _mark(s.form[start])


def _mark(form: str) -> str:
    if form in QUOTES:
        return '"'
    if form in OPENING or form in CLOSING:
        return "(" if form in OPENING else ")"
    return "-" if form in DASHES else form if form in (",", ";", ":") else "."


def joined(s: Sentence, chunks: Sequence[Group]) -> list[Group]:
    """The groups of a sentence; quotes are left out."""
    return _Joining(s, [g for g in chunks if g.kind != '"']).groups()


class _Joining:
    """The groups before the one that is read, and whether there was a verb in the clause."""

    def __init__(self, s: Sentence, chunks: Sequence[Group]) -> None:
        self.s, self.chunks = s, chunks
        self.out: list[Group] = []
        self.has_verb = False

    def groups(self) -> list[Group]:
        for n, g in enumerate(self.chunks):
            if g.kind == "N":
                self._nominal(n, g)
                continue
            self.has_verb = g.kind in "VBTGE" or (self.has_verb and g.kind not in "MW;:")
            self.out.append(g)
        return self.out

    def _nominal(self, n: int, g: Group) -> None:
        s, out = self.s, self.out
        if s.xpos[g.start] == "POS" and g.end > g.start + 1 and out and out[-1].kind in "NP":
            owner = out.pop()
            s.attach(g.start, owner.last, "case")
            s.attach(owner.head, g.head, "nmod:poss")
            g.kind, g.case, g.start = owner.kind, owner.case, owner.start
        while out and out[-1].kind == "O":
            g.case.insert(0, out.pop().head)
            g.kind = "P"
        if len(g.case) == 1 and g.end == g.start + 1 and (s.form[g.case[0]], s.form[g.head]) in FIXED:
            s.attach(g.head, g.case[0], "fixed")
            out.append(Group("D", g.case[0], g.case[0], g.end))
        elif not out or s.is_question(g.head) or not (self._of_noun(g) or self._coordinated(n, g) or self._apposition(n, g)):
            out.append(g)

    def _absorb(self, top: Group, g: Group, relation: str, head: int) -> bool:
        """Put a group below a word of another one, which then stands for both."""
        self.s.attach(g.head, head, relation)
        self.s.attach_all(g.case, g.head, "case")
        top.end = g.end
        if relation in ("nmod", "conj"):
            top.last = g.last
        return True

    def _of_noun(self, g: Group) -> bool:
        """Whether a prepositional group was joined with the noun before it: *the end of the day*."""
        s, top = self.s, self.out[-1]
        if g.kind != "P" or top.kind not in "NP" or s.is_question(top.last):
            return False
        is_free = self.has_verb or s.upos[top.last] == "PRON" or s.is_year(g.head)
        if is_free and s.form[g.case[0]] != "of":
            return False
        return self._absorb(top, g, "nmod", top.last)

    def _coordinated(self, n: int, g: Group) -> bool:
        """Whether a group was joined with those before *and*, unless it is the subject of a second clause."""
        s, out = self.s, self.out
        if out[-1].kind != "C" or len(out) < 2:
            return False
        comma = out[-2].kind == ","
        last = len(out) - 2 - comma
        if (
            last < 0
            or out[last].kind not in "NP"
            or (g.kind == "P" and out[last].kind == "N" and out[last].last == out[last].head)
        ):
            return False
        if self._verb_follows(n) and (self.has_verb or comma):
            return False
        first = last
        while first >= 2 and out[first].kind == "N" and out[first - 1].kind == "," and out[first - 2].kind in "NP":
            first -= 2
        top = out[first]
        head = top.head if g.kind == top.kind == "P" else top.last
        for m in range(first + 2, last + 1, 2):
            s.attach(out[m - 1].head, out[m].head, "punct")
            s.attach(out[m].head, head, "conj")
        s.attach(out[-1].head, g.head, "cc")
        if comma:
            s.attach(out[-2].head, g.head, "punct")
        del out[first + 1 :]
        return self._absorb(top, g, "conj", head)

    def _apposition(self, n: int, g: Group) -> bool:
        """Whether a group was put below the noun before it, behind a comma or in brackets."""
        s, out = self.s, self.out
        if g.kind != "N" or s.upos[g.head] == "PRON":
            return False
        if out[-1].kind in "NP":  # the writer | Mark Twain
            noun = out[-1].last
            named = s.upos[noun] == "NOUN" and s.upos[g.head] == "PROPN" and s.lemma[noun] not in TIMES
            may = s.xpos[out[-1].start] == "PRP$" or not self._verb_follows(n)  # not: the reason | Mark left
            return named and may and self._absorb(out[-1], g, "appos", noun)
        if len(out) < 2 or out[-1].kind not in ",(" or out[-2].kind not in "NP":
            return False
        noun, after = out[-2].last, self._kind(n + 1)
        names = s.upos[noun] == s.upos[g.head] == "PROPN"
        if out[-1].kind == "(":
            if after != ")":
                return False
            relation = "dep" if s.upos[g.head] == "NUM" else "appos"
        else:
            is_opening = out[-2].kind == "P" and not self.has_verb and s.upos[g.head] != "PROPN"  # in 1801, | the year
            if after not in ",.;:)" or self._list_follows(n) or is_opening:
                return False
            bare = names and s.upos[g.start] == "PROPN"  # Trinity College, Cambridge
            relation = "nmod:unmarked" if bare or s.upos[g.head] == "NUM" else "appos"
        s.attach(out.pop().head, g.head, "punct")
        return self._absorb(out[-1], g, relation, noun)

    def _kind(self, n: int) -> str:
        return self.chunks[n].kind if n < len(self.chunks) else "."

    def _verb_follows(self, n: int) -> bool:
        """Whether a finite verb comes behind a group, so that the group is its subject."""
        m = n + 1
        while self._kind(m) in "DO" or (self._kind(m) == "N" and self._kind(m - 1) == "O"):
            m += 1
        return self._kind(m) == "V"

    def _list_follows(self, n: int) -> bool:
        """Whether a group is amid a list: others follow, and *and*."""
        m = n + 1
        while self._kind(m) in ",ON":
            m += 1
        return self._kind(m) == "C"
