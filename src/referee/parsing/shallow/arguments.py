"""Nominal groups, adjectives and adverbs in the second pass: which go with the verb, and which with a noun."""

from __future__ import annotations

from referee.parsing.shallow.groups import TIMES, Group
from referee.parsing.shallow.state import LinkState

NOMINATIVES = frozenset(("i", "he", "she", "we", "they"))
"""Pronouns that are no objects."""


def prepositional(state: LinkState, g: Group) -> None:
    """A group with a preposition goes with the verb; *of* with the noun before it."""
    s, noun = state.s, state.noun_before(1)
    if noun >= 0 and s.form[g.case[0]] == "of":
        s.attach(g.head, noun, "nmod")
    elif state.is_opened():
        state.waiting.append((g.head, "obl"))
    else:
        s.attach(g.head, state.verb, "obl")


def nominal(state: LinkState, g: Group) -> None:
    """A group without a preposition is a subject before its verb, an object behind it, or says when."""
    s, verb, before = state.s, state.verb, state.kind(-1)
    noun = state.noun_before(2)
    if state.is_opened() or _is_subject(state):
        state.subjects.append(g)
    elif before == "(" and state.kind(1) == ")":
        s.attach(g.head, noun if noun >= 0 else verb, "dep")
    elif before == "C" and noun >= 0:
        state.conjoin(g.head, noun)
    elif before in ",(-:" and noun >= 0:
        amid = before == "," and (s.deprel[noun] == "conj" or (state.kind(1) in ",C" and state.kind(2) == "N"))
        s.attach(g.head, noun, "conj" if amid else "dep" if s.upos[g.head] == "NUM" else "appos")
    elif state.passive or (s.lemma[g.head] in TIMES and (state.object >= 0 or before != "V")):
        s.attach(g.head, verb, "obl:unmarked")
    elif state.object < 0 or before == "N":
        if state.object >= 0:
            s.deprel[state.object] = "iobj"
        s.attach(g.head, verb, "obj")
        state.object = g.head
    else:
        s.attach(g.head, verb, "obl:unmarked")


def _is_subject(state: LinkState) -> bool:
    """Whether a group behind a verb is the subject of a verb that follows: *I know | he left*."""
    form = state.s.form[state.groups[state.at].head]
    if state.subjects and state.object < 0 and state.kind(-1) == "V" and form not in NOMINATIVES:
        return False  # the girl who saw | Bob | left
    n = 1
    while state.kind(n) in "DP":
        n += 1
    if n == 1 and state.kind(1) == "N" and state.kind(-1) not in "VBTGED":  # the reason | he gave
        n = 2
        while state.kind(n) == "D":
            n += 1
    return state.kind(n) == "V"


def adjective(state: LinkState, g: Group) -> None:
    """An adjective that is no predicate goes with another one, with the noun before it, or with the verb."""
    s, noun = state.s, state.noun_before(1)
    state.take(g.head, "case")
    if state.kind(-1) == "C" and state.kind(-2) == "A":
        state.conjoin(g.head, state.groups[state.at - 2].head)
    elif noun >= 0 and (state.verb < 0 or noun != state.object):
        s.attach(g.head, noun, "amod")
    elif state.verb >= 0:
        s.attach(g.head, state.verb, "xcomp")
    else:
        state.waiting.append((g.head, "advcl"))


def adverb(state: LinkState, g: Group) -> None:
    """An adverb goes with the verb of its clause."""
    state.take(g.head, "case")
    if state.is_opened() or state.kind(1) in "VBTGE":
        state.waiting.append((g.head, "advmod"))
    else:
        state.s.attach(g.head, state.verb, "advmod")
