"""Verbs in the second pass: their subjects, copulas and auxiliaries, and the place of their clauses."""

from __future__ import annotations

from referee.parsing.shallow.groups import TIMES, Group
from referee.parsing.shallow.sentence import FINITE
from referee.parsing.shallow.state import LinkState


def finite(state: LinkState, g: Group) -> None:
    """A finite verb, or a bare one, takes what waits for it, and its clause is put in its place."""
    s = state.s
    bare = g.kind == "B"
    verb, opener = g.head, state.opener
    own = state.subjects and (opener is None or opener.start < state.subjects[-1].start)  # the girl | who sang
    subject = state.subjects.pop() if own and not (bare and state.verb >= 0) else None
    if s.upos[verb] == "AUX":
        inverted = state.groups[state.at + 1] if subject is None and _is_inverted(state, g) else None
        verb = _predicate(state, g, inverted)
        subject = subject or (None if inverted is None or verb == inverted.head else inverted)
    passive = s.is_passive(g.start, g.head)
    _place(state, verb, subject is not None, bare)
    if verb == state.main:
        _leave_subjects(state)
    nsubj = "nsubj:pass" if passive else "nsubj"
    there = subject is not None and s.xpos[subject.head] == "EX"
    if subject is not None:
        that = s.form[subject.head] == "it" and s.upos[verb] == "ADJ" and state.kind(1) in "MT"  # it is true | that
        s.attach(subject.head, verb, "expl" if there or that else nsubj)
    if opener is not None:
        role = {"W": "advmod", "P": "obl"}.get(opener.kind, nsubj if subject is None else "obj")
        s.attach(opener.head, verb, role)
    state.take(verb)
    state.begin(verb, passive)
    if there and state.kind(1) == "N":
        state.at += 1
        state.object = state.groups[state.at].head
        s.attach(state.object, verb, "nsubj")


def _is_inverted(state: LinkState, g: Group) -> bool:
    """Whether an auxiliary without a subject before it has one behind it, as in *Is he here*."""
    relative = state.opener is not None and state.noun >= 0
    second = state.verb >= 0 and state.conjunction >= 0
    return state.kind(1) == "N" and state.s.xpos[g.head] in FINITE and not relative and not second


def _predicate(state: LinkState, g: Group, inverted: Group | None) -> int:
    """The predicate of an auxiliary without a main verb: a noun, an adjective, or a verb behind the subject."""
    s, verb = state.s, g.head
    n = 1 if inverted is None else 2
    while state.kind(n) == "D":
        n += 1
    if s.lemma[verb] == "be":
        if state.kind(n) not in "NPATGE" and inverted is not None and state.kind(n) not in "VB":
            n = 1  # what looked like the subject
        if state.kind(n) not in "NPATGE" or s.is_question(state.groups[state.at + n].head):
            return verb
        relation = "aux" if state.kind(n) in "GE" else "cop"
    elif inverted is not None and state.kind(n) in "BEG":
        relation = "aux"
    else:
        return verb
    group = state.groups[state.at + n]
    for w in range(g.start, g.end):
        s.head[w] = group.head if s.head[w] == verb else s.head[w]
    s.attach(verb, group.head, relation)
    s.attach_all(group.case, group.head, "case")
    s.attach_all((d.head for d in state.groups[state.at + 1 : state.at + n] if d.kind == "D"), group.head, "advmod")
    state.at += n
    return group.head


def _place(state: LinkState, verb: int, has_subject: bool, bare: bool) -> None:
    """Put a clause below the one to which it belongs; the first that belongs to none is the main clause."""
    s, marks, opener = state.s, state.marks, state.opener
    state.marks, state.opener = [], None
    s.attach_all(marks, verb, "mark")
    if opener is not None and state.noun >= 0 and state.noun != verb:
        s.attach(verb, state.noun, "acl:relcl")
    elif marks:
        that = s.form[marks[-1]] in ("that", "whether")
        if state.main < 0:
            state.waiting.append((verb, "csubj" if that else "advcl"))
        else:
            s.attach(verb, state.verb if that else state.main, "ccomp" if that else "advcl")
    elif state.conjunction >= 0 and state.verb >= 0:
        state.conjoin(verb, state.main if has_subject and state.main >= 0 else state.verb)
    elif state.main >= 0:
        apart = any(g.kind in ",;:.-" and state.verb < g.start < verb for g in state.groups[: state.at])
        s.attach(verb, state.main if apart else state.verb, "parataxis" if apart else "xcomp" if bare else "ccomp")
    else:
        state.main = verb


def _leave_subjects(state: LinkState) -> None:
    """Put below the main verb the nouns before its subject."""
    for left in state.subjects:
        relation = "obl:unmarked" if state.s.lemma[left.head] in TIMES else "dislocated"
        state.s.attach(left.head, state.main, relation)
    state.subjects = []


def infinite(state: LinkState, g: Group) -> None:
    """A verb with *to*, in *-ing*, or a participle: its clause goes with a noun before it, or with the verb before it."""
    s, verb = state.s, g.head
    before, noun = state.kind(-1), state.noun_before(1)
    if g.kind == "T" and s.upos[verb] == "AUX":
        verb = _predicate(state, g, None)
    marked = bool(state.marks) or any(relation == "mark" for _, relation in state.waiting)
    s.attach_all(state.marks, verb, "mark")
    state.marks = []
    if state.opener is not None:
        s.attach(state.opener.head, verb, "advmod" if state.opener.kind == "W" else "obj")
        state.opener = None
    state.take(verb, "mark", "case")
    if state.conjunction >= 0 and state.verb >= 0 and before == "C":
        state.conjoin(verb, state.verb)
    elif marked:
        if state.main >= 0:
            s.attach(verb, state.verb, "advcl")
        else:
            state.waiting.append((verb, "advcl"))
    elif noun >= 0 and (g.kind != "T" or noun != state.object or s.upos[noun] != "PRON"):
        s.attach(verb, noun, "acl")
    elif state.verb >= 0:
        s.attach(verb, state.verb, "advcl" if before == "," else "xcomp")
    elif before == "A":
        s.attach(verb, state.groups[state.at - 1].head, "advcl")
    else:
        state.waiting.append((verb, "advcl"))
    state.begin(verb, g.kind == "E" or s.is_passive(g.start, g.head))
