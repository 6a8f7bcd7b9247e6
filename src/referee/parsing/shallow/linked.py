"""Chunks linked to a shallow tree of Universal Dependencies, by rules on their kinds.

There are two passes, as in a cascade of finite-state parsers [1]_. The first joins nominal chunks into larger groups
(`groups`). The second goes through the groups from left to right, gives each verb its subject and its objects (`arguments`),
and each clause its place (`verbs`). The rules are for English.

References
----------
.. [1] Abney (1996), Partial Parsing via Finite-State Cascades.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.parsing.shallow import arguments, verbs
from referee.parsing.shallow.groups import Group, joined, kind_of
from referee.parsing.shallow.inside import head_of
from referee.parsing.shallow.sentence import Sentence
from referee.parsing.shallow.state import LinkState

LEFT = {"I": "discourse", "C": "cc", "M": "mark", "O": "case", "R": "compound:prt", "W": "advmod"}
"""What a group is to the root if nothing else took it, by its kind."""


def tree_of_chunks(s: Sentence, chunks: Iterable[tuple[str, int, int]]) -> tuple[list[int], list[str]]:
    """The heads, from 1, and the relations of the words of a sentence: a tree with one root.

    Parameters
    ----------
    s : Sentence
    chunks : iterable of (str, int, int)
        Category, start and end of each chunk, from left to right.

    Examples
    --------
    >>> s = Sentence(["the", "cat", "slept"], ["DET", "NOUN", "VERB"], ["DT", "NN", "VBD"], ["the", "cat", "sleep"])
    >>> tree_of_chunks(s, [("NP", 0, 2), ("VP", 2, 3)])
    ([2, 3, 0], ['det', 'nsubj', 'root'])
    """
    groups = [Group(kind_of(s, category, a, b), head_of(s, category, a, b), a, b) for category, a, b in chunks]
    state = LinkState(s, joined(s, groups))
    while state.at < len(state.groups):
        g = state.groups[state.at]
        s.attach_all(g.case, g.head, "case")
        _link(state, g)
        state.at += 1
    _finish(state)
    return s.tree()


def _link(state: LinkState, g: Group) -> None:
    kind, s = g.kind, state.s
    if kind == "W" or (kind in "NP" and s.is_question(g.head)):
        state.open(g)
    elif kind == "N":
        arguments.nominal(state, g)
    elif kind == "P":
        arguments.prepositional(state, g)
    elif kind in "VB":
        verbs.finite(state, g)
    elif kind in "TGE":
        verbs.infinite(state, g)
    elif kind == "A":
        arguments.adjective(state, g)
    elif kind == "D":
        arguments.adverb(state, g)
    elif kind == "M":
        state.marks.append(g.head)
    elif kind == "C":
        state.conjunction = g.head
    elif kind == "O" and state.kind(1) in "GDA":
        state.waiting.append((g.head, "mark" if state.kind(1) == "G" else "case"))
    elif kind in "OR" and state.verb >= 0:
        s.attach(g.head, state.verb, "advmod" if kind == "O" else "compound:prt")


def _finish(state: LinkState) -> None:
    """Give the sentence its root, and put what still waits below it."""
    s = state.s
    subjects = [g.head for g in state.subjects if s.head[g.head] < 0]
    if state.main < 0:
        clauses = [w for w, _ in state.waiting if s.upos[w] in ("VERB", "AUX")]
        likely = [*subjects, *clauses, *(w for w, _ in state.waiting)]
        likely += [g.head for g in state.groups if g.kind.isalpha() and g.kind not in "CMO"]
        state.main = next((w for w in likely if s.head[w] < 0), 0)
    nominal = s.upos[state.main] in ("NOUN", "PROPN", "PRON", "NUM")
    for w in subjects:
        if w != state.main:
            s.attach(w, state.main, "list" if nominal else "parataxis")
    for w, relation in state.waiting:
        if w != state.main and s.head[w] < 0:
            s.attach(w, state.main, "nmod" if relation == "obl" and nominal else relation)
    for g in state.groups:
        if s.head[g.head] < 0:
            relation = "punct" if s.upos[g.head] == "PUNCT" else "dep"
            s.attach(g.head, state.main, LEFT.get(g.kind, relation))
