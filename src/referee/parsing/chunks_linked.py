"""Chunks linked to a shallow tree of Universal Dependencies, by rules on the kinds of chunks.

There are two passes, as in a cascade of finite-state parsers [1]_. The first joins nominal chunks into larger groups:
possessors, *of* phrases, coordinations, appositions. The second goes through the groups from left to right, and gives each
verb its subject, its objects and its prepositional phrases, and each clause its place. No rule looks at a word but for *be*,
*of* and a few others that are listed here.

References
----------
.. [1] Abney (1996), Partial Parsing via Finite-State Cascades.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.parsing.chunks_inside import head_of
from referee.parsing.chunks_sentence import FINITE, Sentence

OF_NOUNS = frozenset(("of", "between", "like", "per", "-", "@", "about"))
"""Prepositions that go with the noun before them, also behind a verb."""

TIMES = frozenset((
    "day", "week", "month", "year", "morning", "afternoon", "evening", "night", "today", "tomorrow", "yesterday", "tonight", "time",
    "hour", "minute", "moment", "spring", "summer", "autumn", "fall", "winter", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "way",
))  # fmt: skip
"""Nouns that are no object, but say when."""

OPENING, CLOSING = frozenset(("(", "[", "{", "-lrb-", "-lsb-")), frozenset((")", "]", "}", "-rrb-", "-rsb-"))
QUOTES = frozenset(('"', "'", "``", "''", "“", "”", "‘", "’"))

PRONOUNS_OF_CLAUSES = frozenset(("WDT", "WP"))


class Group:
    """A chunk, or several that were joined.

    Attributes
    ----------
    kind : str
        N nominal; P with a preposition; V, B, T, G, E verbs: finite, bare, with *to*, *-ing*, participle; A adjective, D adverb,
        W *where* and its like; O preposition, M conjunction of a clause, C *and*, R particle, I interjection; else the mark
        itself, `"` for all quotes, or `.`.
    head : int
        The word that others see.
    last : int
        The noun to which what follows is attached.
    start, end : int
        Its words.
    case : list of int
        Its prepositions.
    """

    __slots__ = ("case", "category", "end", "head", "kind", "last", "start")

    def __init__(self, kind: str, head: int, start: int, end: int) -> None:
        self.kind, self.head, self.last, self.start, self.end = kind, head, head, start, end
        self.case: list[int] = []


def tree_of_chunks(s: Sentence, chunks: Iterable[tuple[str, int, int]]) -> tuple[list[int], list[str]]:
    """The heads, from 1, and the relations of the words of a sentence.

    Parameters
    ----------
    s : Sentence
    chunks : iterable of (str, int, int)
        Category, start and end of each chunk, from left to right: a partition.
    """
    groups = [Group(_kind(s, c, a, b), head_of(s, c, a, b), a, b) for c, a, b in chunks]
    joined = Joining(s, groups).joined()
    Clauses(s, joined).link()
    return _complete(s)


def _kind(s: Sentence, category: str, start: int, end: int) -> str:
    if category == "VP":
        verbs = [w for w in range(start, end) if s.xpos[w][:2] in ("VB", "MD", "TO")]
        first = s.xpos[verbs[0]] if verbs else "VB"
        return "V" if first in FINITE else {"TO": "T", "VBG": "G", "VBN": "E"}.get(first, "B")
    if category == "ADVP":
        return "W" if s.xpos[end - 1] == "WRB" else "D"
    kinds = {"NP": "N", "PP": "O", "SBAR": "M", "ADJP": "A", "PRT": "R", "INTJ": "I"}
    if category in kinds:
        return kinds[category]
    form = s.form[start]
    if s.upos[start] == "CCONJ":
        return "C"
    if form in QUOTES:
        return '"'
    if form in OPENING or form in CLOSING:
        return "(" if form in OPENING else ")"
    return form if form in (",", ";", ":", "-", "–", "—") else "."


class Joining:
    """The first pass: nominal chunks are joined into larger groups."""

    def __init__(self, s: Sentence, groups: Sequence[Group]) -> None:
        self.s = s
        self.groups = [g for g in groups if g.kind != '"']
        self.out: list[Group] = []
        self.has_verb = False

    def joined(self) -> list[Group]:
        """The groups that are left."""
        for n, g in enumerate(self.groups):
            if g.kind == "N":
                self._nominal(n, g)
            else:
                if g.kind in "VBTGE":
                    self.has_verb = True
                elif g.kind in ("M", "W", ";", ":"):
                    self.has_verb = False
                self.out.append(g)
        return self.out

    def _nominal(self, n: int, g: Group) -> None:
        s, out = self.s, self.out
        if s.is_possessive(g.start) and g.end > g.start + 1 and out and out[-1].kind in ("N", "P"):
            owner = out.pop()
            s.attach(g.start, owner.last, "case")
            s.attach(owner.last, g.head, "nmod:poss") if owner.last == owner.head else s.attach(owner.head, g.head, "nmod:poss")
            g.kind, g.case, g.start = owner.kind, owner.case, owner.start
        while out and out[-1].kind == "O":
            g.case.insert(0, out.pop().head)
            g.kind = "P"
        if out and (self._of_noun(g) or self._coordinated(n, g) or self._apposition(n, g)):
            return
        out.append(g)

    def _absorb(self, top: Group, g: Group, relation: str, head: int) -> bool:
        self.s.attach(g.head, head, relation)
        for w in g.case:
            self.s.attach(w, g.head, "case")
        top.last, top.end = g.last, g.end
        return True

    def _of_noun(self, g: Group) -> bool:
        top = self.out[-1]
        if g.kind != "P" or top.kind not in ("N", "P") or _is_wh(self.s, g.head) or _is_wh(self.s, top.last):
            return False
        if self.s.form[g.case[0]] not in OF_NOUNS and self.has_verb:
            return False
        return self._absorb(top, g, "nmod", top.last)

    def _coordinated(self, n: int, g: Group) -> bool:
        """Whether a group was joined with those before *and*."""
        s, out = self.s, self.out
        if out[-1].kind != "C" or len(out) < 2 or _is_wh(s, g.head):
            return False
        comma = out[-2].kind == ","
        k = len(out) - 2 - comma
        if k < 0 or out[k].kind not in ("N", "P") or (g.kind == "P" and out[k].kind == "N" and out[k].last == out[k].head):
            return False
        if self._verb_follows(n) and (self.has_verb or comma):
            return False
        first = k
        while first >= 2 and out[first].kind == "N" and out[first - 1].kind == "," and out[first - 2].kind in ("N", "P"):
            first -= 2
        top = out[first]
        head = top.last if g.kind == "N" or top.kind == "N" else top.head
        for m in range(first + 2, k + 1, 2):
            s.attach(out[m - 1].head, out[m].head, "punct")
            s.attach(out[m].head, head, "conj")
        s.attach(out[-1].head, g.head, "cc")
        if comma:
            s.attach(out[-2].head, g.head, "punct")
        del out[first + 1 :]
        return self._absorb(top, g, "conj", head)

    def _apposition(self, n: int, g: Group) -> bool:
        s, out = self.s, self.out
        if len(out) < 2 or out[-1].kind not in (",", "(") or out[-2].kind not in ("N", "P") or g.kind != "N":
            return False
        if _is_wh(s, g.head) or s.upos[g.head] == "PRON":
            return False
        after = self.groups[n + 1].kind if n + 1 < len(self.groups) else "."
        bracket = out[-1].kind == "("
        if bracket != (after == ")") or (not bracket and after not in (",", ".", ";", ":", ")")):
            return False
        if not bracket and (self._list_follows(n) or (out[-2].kind == "P" and not self.has_verb)):
            return False
        mark = out.pop()
        s.attach(mark.head, g.head, "punct")
        top = out[-1]
        last = top.last
        self._absorb(top, g, "appos", last)
        top.last = last
        return True

    def _verb_follows(self, n: int) -> bool:
        """Whether a finite verb comes behind a group, so that the group is its subject."""
        m = n + 1
        while m < len(self.groups) and self.groups[m].kind in "DON":
            if self.groups[m].kind == "N" and self.groups[m - 1].kind != "O":
                return False
            m += 1
        return m < len(self.groups) and self.groups[m].kind == "V"

    def _list_follows(self, n: int) -> bool:
        """Whether a group is amid a list: others follow, and *and*."""
        m = n + 1
        while m + 1 < len(self.groups) and self.groups[m].kind in (",", "O", "N"):
            m += 1
        return m < len(self.groups) and self.groups[m].kind == "C"


def _is_wh(s: Sentence, w: int) -> bool:
    return s.xpos[w] in PRONOUNS_OF_CLAUSES


class Clauses:
    """The second pass: verbs get their arguments, and clauses their places.

    Attributes
    ----------
    verb : int
        The predicate of the clause that was read last; -1 before the first.
    main : int
        The predicate to which other clauses are attached; -1 before the first.
    subjects : list of Group
        Nominal groups that wait for their verb.
    waiting : list of (int, str)
        Words that wait for the next predicate, and what they are to it.
    """

    def __init__(self, s: Sentence, groups: Sequence[Group]) -> None:
        self.s, self.groups = s, groups
        self.verb = self.main = -1
        self.subjects: list[Group] = []
        self.waiting: list[tuple[int, str]] = []
        self.marks: list[Group] = []
        self.conjunction = -1
        self.object = -1
        self.passive = False
        self.opener: Group | None = None  # a relative or interrogative word, and the noun before it
        self.noun = -1
        self.at = 0

    def link(self) -> None:
        """Attach all groups."""
        while self.at < len(self.groups):
            g = self.groups[self.at]
            for w in g.case:
                self.s.attach(w, g.head, "case")
            self._link(g)
            self.at += 1
        self._finish()

    def _link(self, g: Group) -> None:
        kind = g.kind
        if kind in ("N", "P"):
            self._nominal(g)
        elif kind in "VB":
            self._finite(g)
        elif kind in "TGE":
            self._infinite(g)
        elif kind == "A":
            self._adjective(g)
        elif kind == "D":
            self._adverb(g)
        elif kind == "W":
            self.opener, self.noun = g, self._noun_before()
        elif kind == "M":
            self.marks.append(g)
        elif kind == "O":
            following = self._kind(1)
            if following in "GDA" and following:
                self.waiting.append((g.head, "mark" if following == "G" else "case"))
            elif self.verb >= 0:
                self.s.attach(g.head, self.verb, "advmod")
        elif kind == "R" and self.verb >= 0:
            self.s.attach(g.head, self.verb, "compound:prt")
        elif kind == "C":
            self.conjunction = g.head

    def _kind(self, offset: int) -> str:
        """The kind of a group near by; empty if there is none."""
        place = self.at + offset
        return self.groups[place].kind if 0 <= place < len(self.groups) else ""

    def _before(self) -> Group | None:
        return self.groups[self.at - 1] if self.at else None

    def _noun_before(self) -> int:
        """The noun just before the group, or before its comma; -1 if there is none."""
        place = self.at - 1
        if place >= 0 and self.groups[place].kind == ",":
            place -= 1
        return self.groups[place].last if place >= 0 and self.groups[place].kind in ("N", "P") else -1

    def _nominal(self, g: Group) -> None:
        s = self.s
        if _is_wh(s, g.head):
            self.opener, self.noun = g, self._noun_before()
            return
        before = self._kind(-1)
        if g.kind == "P":
            if self.verb < 0 or self._new_clause():
                noun = self.groups[self.at - 1].last if before in ("N", "P") and before else -1
                if noun >= 0 and self.subjects:
                    s.attach(g.head, noun, "nmod")
                else:
                    self.waiting.append((g.head, "obl"))
            else:
                s.attach(g.head, self.verb, "obl")
            return
        if self.verb < 0 or self._new_clause() or self._subject_ahead():
            self.subjects.append(g)
        elif before == "C" and self._noun_of(2) >= 0:
            self._with_conjunction(g.head)
            s.attach(g.head, self._noun_of(2), "conj")
        elif before in (",", "(", "-", "–", "—", ":") and before and self._noun_of(2) >= 0:
            s.attach(g.head, self._noun_of(2), "appos")
        elif s.lemma[g.head] in TIMES and (self.object >= 0 or self.passive or before != "V"):
            s.attach(g.head, self.verb, "obl:unmarked")
        elif self.object >= 0 and before == "N":
            s.deprel[self.object] = "iobj"
            s.attach(g.head, self.verb, "obj")
            self.object = g.head
        elif self.object < 0 and not self.passive:
            s.attach(g.head, self.verb, "obj")
            self.object = g.head
        else:
            s.attach(g.head, self.verb, "obl:unmarked")

    def _noun_of(self, offset: int) -> int:
        g = self.groups[self.at - offset] if self.at >= offset else None
        return g.last if g and g.kind in ("N", "P") else -1

    def _new_clause(self) -> bool:
        """Whether a clause was opened whose verb has not come yet."""
        return bool(self.marks or self.opener or self.subjects)

    def _subject_ahead(self) -> bool:
        """Whether the group is the subject of a verb that follows."""
        place = self.at + 1
        while place < len(self.groups) and self.groups[place].kind in "DP":
            place += 1
        if place < len(self.groups) and self.groups[place].kind == "N" and place == self.at + 1:  # the reason | he gave
            place += 1
            while place < len(self.groups) and self.groups[place].kind == "D":
                place += 1
            return place < len(self.groups) and self.groups[place].kind == "V" and self._kind(-1) not in ("V", "B", "T", "G", "E", "D")
        return place < len(self.groups) and self.groups[place].kind == "V"

    def _finite(self, g: Group) -> None:
        s = self.s
        verb, inverted = g.head, None
        bare = g.kind == "B"
        subject = self.subjects.pop() if self.subjects and not (bare and self.verb >= 0) else None
        is_aux = s.upos[verb] == "AUX"
        if is_aux and subject is None and (self.opener is None or self.noun < 0) and self._kind(1) == "N":
            if s.xpos[verb] in FINITE and not (self.verb >= 0 and self.conjunction >= 0):
                inverted = self.groups[self.at + 1]
        if is_aux:
            verb = self._predicate(g, inverted)
        if inverted is not None and verb == inverted.head:  # the predicate is what looked like the subject
            inverted = None
        subject = subject or inverted
        self._place(verb, g, subject, bare)
        passive = s.is_passive(g.start, g.head)
        opener, self.opener = self.opener, None
        if subject is not None:
            kind = "expl" if s.xpos[subject.head] == "EX" else "nsubj:pass" if passive else "nsubj"
            s.attach(subject.head, verb, kind)
        if opener is not None:
            if opener.kind == "W":
                s.attach(opener.head, verb, "advmod")
            elif opener.kind == "P":
                s.attach(opener.head, verb, "obl")
            else:
                s.attach(opener.head, verb, ("nsubj:pass" if passive else "nsubj") if subject is None else "obj")
        there = subject is not None and s.xpos[subject.head] == "EX"
        self._begin(verb, passive)
        if there and self._kind(1) == "N":
            self.at += 1
            found = self.groups[self.at]
            s.attach(found.head, verb, "nsubj")
            self.object = found.head

    def _predicate(self, g: Group, inverted: Group | None) -> int:
        """The predicate of an auxiliary without a main verb, which is put below it."""
        s, verb = self.s, g.head
        place = self.at + 1 + (inverted is not None)
        while place < len(self.groups) and self.groups[place].kind in "D":
            place += 1
        found = self.groups[place] if place < len(self.groups) else None
        if found is None and inverted is not None:
            found, place = inverted, self.at + 1
        if found is None:
            return verb
        if s.lemma[verb] == "be":
            if found.kind == "N" and _is_wh(s, found.head):
                return verb
            if found.kind not in ("N", "P", "A", "T", "G", "E"):
                if inverted is None or found.kind in "VB":
                    return verb
                found, place = inverted, self.at + 1
            relation = "cop" if found.kind in ("N", "P", "A", "T") else "aux"
        elif found.kind in "BEG" and inverted is not None:
            relation = "aux"
        else:
            return verb
        for w in range(g.start, g.end):
            if s.head[w] == verb:
                s.head[w] = found.head
        s.attach(verb, found.head, relation)
        for w in found.case:
            s.attach(w, found.head, "case")
        for between in self.groups[self.at + 1 : place]:
            if between.kind == "D":
                s.attach(between.head, found.head, "advmod")
        self.at = place
        return found.head

    def _place(self, verb: int, g: Group, subject: Group | None, bare: bool) -> None:
        """Put a clause below the one to which it belongs."""
        s = self.s
        marked = [m.head for m in self.marks]
        for m in marked:
            s.attach(m, verb, "mark")
        if self.opener is not None and self.noun >= 0 and self.noun != verb:
            s.attach(verb, self.noun, "acl:relcl")
            self.marks.clear()
            return
        if marked:
            that = s.form[marked[-1]] in ("that", "whether") or (s.form[marked[-1]] == "if" and self.object < 0 and self.passive is False and False)
            relation = "ccomp" if that else "advcl"
            if self.main >= 0:
                s.attach(verb, self.verb if that else self.main, relation)
            else:
                self.waiting.append((verb, "csubj" if that else "advcl"))
            self.marks.clear()
            return
        if self.conjunction >= 0 and self.verb >= 0:
            self._with_conjunction(verb)
            s.attach(verb, self.main if subject is not None and self.main >= 0 else self.verb, "conj")
            return
        if subject is not None and self.subjects and subject.start == self.subjects[-1].end:
            s.attach(verb, self.subjects[-1].last, "acl:relcl")  # the man | I saw
            if self.verb >= 0 and self.object < 0:
                taken = self.subjects.pop()
                s.attach(taken.head, self.verb, "obj")
            return
        if self.verb >= 0 and self.main >= 0:
            comma = any(k.kind in (",", ";", ":", ".", "-", "–", "—") for k in self._between(self.verb, verb))
            relation = "parataxis" if comma else "ccomp" if not bare else "xcomp"
            s.attach(verb, self.main if comma else self.verb, relation)
            return
        self.main = verb

    def _between(self, left: int, right: int) -> list[Group]:
        return [k for k in self.groups[: self.at] if left < k.start < right]

    def _with_conjunction(self, word: int) -> None:
        if self.conjunction >= 0:
            self.s.attach(self.conjunction, word, "cc")
            self.conjunction = -1

    def _begin(self, verb: int, passive: bool) -> None:
        """Go on with a verb: it takes what waited for it."""
        s = self.s
        for w, relation in self.waiting:
            if w != verb and not self._is_above(w, verb):
                s.attach(w, verb, relation)
        self.waiting.clear()
        if verb == self.main:
            for left in self.subjects:
                s.attach(left.head, verb, "obl:unmarked" if s.lemma[left.head] in TIMES else "dislocated")
            self.subjects.clear()
        self.verb, self.object, self.passive = verb, -1, passive

    def _is_above(self, w: int, below: int) -> bool:
        """Whether a word is above another one."""
        steps = 0
        while below >= 0 and steps <= len(self.s.head):
            if below == w:
                return True
            below, steps = self.s.head[below], steps + 1
        return False

    def _infinite(self, g: Group) -> None:
        s, verb = self.s, g.head
        before = self._kind(-1)
        noun = self._noun_of(1)
        if g.kind == "T" and s.upos[verb] == "AUX":
            verb = self._predicate(g, None)
        for m in self.marks:
            s.attach(m.head, verb, "mark")
        if self.opener is not None:
            s.attach(self.opener.head, verb, "advmod" if self.opener.kind == "W" else "obj")
            self.opener = None
        if self.conjunction >= 0 and self.verb >= 0 and before == "C":
            self._with_conjunction(verb)
            s.attach(verb, self.verb, "conj")
        elif self.marks or any(relation == "mark" for _, relation in self.waiting):
            if self.main >= 0:
                s.attach(verb, self.verb, "advcl")
            else:
                waiting, self.waiting = self.waiting, []
                for w, relation in waiting:
                    s.attach(w, verb, relation)
                self.waiting.append((verb, "advcl"))
        elif noun >= 0 and (g.kind != "T" or noun != self.object or s.upos[noun] != "PRON"):
            s.attach(verb, noun, "acl")
        elif self.verb >= 0:
            s.attach(verb, self.verb, "advcl" if before == "," else "xcomp")
        elif before == "A":
            s.attach(verb, self.groups[self.at - 1].head, "advcl")
        else:
            self.waiting.append((verb, "advcl"))
        self.marks.clear()
        for w, relation in [row for row in self.waiting if row[1] in ("mark", "case")]:
            s.attach(w, verb, relation)
        self.waiting = [row for row in self.waiting if row[1] not in ("mark", "case")]
        self.verb, self.object, self.passive = verb, -1, g.kind == "E" or s.is_passive(g.start, g.head)

    def _adjective(self, g: Group) -> None:
        s = self.s
        noun = self._noun_of(1)
        for w, relation in [row for row in self.waiting if row[1] == "case"]:
            s.attach(w, g.head, relation)
            self.waiting.remove((w, relation))
        if self._kind(-1) == "C" and self._kind(-2) == "A":
            self._with_conjunction(g.head)
            s.attach(g.head, self.groups[self.at - 2].head, "conj")
        elif noun >= 0 and (self.verb < 0 or noun != self.object):
            s.attach(g.head, noun, "amod")
        elif self.verb >= 0:
            s.attach(g.head, self.verb, "xcomp")
        else:
            self.waiting.append((g.head, "advcl"))

    def _adverb(self, g: Group) -> None:
        if self.waiting and self.waiting[-1][1] == "case":
            self.s.attach(self.waiting.pop()[0], g.head, "case")
        following = self._kind(1)
        if self.verb < 0 or following in ("V", "B", "T", "G", "E") or self.subjects or self.marks:
            self.waiting.append((g.head, "advmod"))
        else:
            self.s.attach(g.head, self.verb, "advmod")

    def _finish(self) -> None:
        """Give the sentence its root, and put what still waits below it."""
        s = self.s
        if self.main < 0:
            free = [w for w, _ in self.waiting if s.upos[w] in ("VERB", "AUX")]
            candidates = [g.head for g in self.subjects] + free + ([self.opener.head] if self.opener else [])
            candidates += [w for w, _ in self.waiting] + [g.head for g in self.groups if g.kind not in ",;:.()–—-CMO"]
            self.main = next((w for w in candidates if s.head[w] < 0), self.groups[0].head if self.groups else 0)
        previous = self.main
        for g in self.subjects:
            if g.head != self.main and s.head[g.head] < 0:
                if self._joined(g, previous):
                    continue
                s.attach(g.head, self.main, "list" if s.upos[self.main] in ("NOUN", "PROPN", "NUM") else "parataxis")
            previous = g.head
        for w, relation in self.waiting:
            if w != self.main and s.head[w] < 0:
                s.attach(w, self.main, "nmod" if relation == "obl" and s.upos[self.main] in ("NOUN", "PROPN", "PRON") else relation)
        for g in self.groups:
            if s.head[g.head] < 0 and g.head != self.main:
                relation = {"I": "discourse", "C": "cc", "M": "mark", "O": "case", "R": "compound:prt", "W": "advmod"}.get(g.kind, "punct")
                relation = relation if s.upos[g.head] == "PUNCT" or relation != "punct" else "dep"
                s.attach(g.head, self.main, relation)

    def _joined(self, g: Group, before: int) -> bool:
        """Whether a nominal group was put below that before it, behind a comma or *and*."""
        place = self.groups.index(g)
        mark = self.groups[place - 1].kind if place else ""
        if mark == "C" and before != g.head:
            self.s.attach(self.groups[place - 1].head, g.head, "cc")
            self.s.attach(g.head, before, "conj")
            return True
        if mark in (",", "(", ":", "-", "–", "—") and before != g.head and self.s.upos[before] in ("NOUN", "PROPN", "PRON", "NUM"):
            self.s.attach(g.head, before, "appos")
            return True
        return False


def _complete(s: Sentence) -> tuple[list[int], list[str]]:
    """A tree with one root, and no circle: what is free, or in a circle, is put below the root."""
    n = len(s.head)
    free = [w for w in range(n) if s.head[w] < 0]
    root = next((w for w in free if s.upos[w] != "PUNCT"), free[0] if free else 0)
    s.head[root] = -1
    for w in free:
        if w != root:
            s.attach(w, root, "punct" if s.upos[w] == "PUNCT" else "dep")
    state = [0] * n  # 0 not seen, 1 on the way, 2 below the root
    state[root] = 2
    for w in range(n):
        path = []
        while state[w] == 0:
            state[w] = 1
            path.append(w)
            w = s.head[w]
        if state[w] == 1:
            s.attach(w, root, s.deprel[w])
        for v in path:
            state[v] = 2
    s.deprel[root] = "root"
    return [h + 1 for h in s.head], s.deprel
