"""How far the spans of mentions go, from their heads outwards.

Children belong to the span of a head with their subtrees, until one comes that more often does not. Punctuation does not stop,
and is trimmed at the edges. A head with conjuncts may have a second mention over all of them.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, repeat, starts_of_runs, tally
from referee.resolver.attributes import feature_values
from referee.resolver.logistic import Weights, joined, sums
from referee.resolver.syntax import Coded, Syntax, coded, subtrees

INSIDE = ("relation", "kinds", "parent", "role", "length", "gap", "order", "begins")
"""Names of what is looked at of a child, to decide whether it belongs to the span of its head."""

JOINT = ("role", "conjuncts", "number", "determined", "modified", "determiners", "names", "before")
"""Names of what is looked at of a head with conjuncts, to decide whether there is a mention over all of them."""

YES_NO = ["no", "yes"]
LENGTHS = ["1", "2", "3–4", "5–8", "9–16", "more"]
_LENGTH = np.digitize(np.arange(18), [2, 3, 5, 9, 17])


def values_of(syntax: Syntax, name: str) -> Coded:
    """The value of a feature of each token."""
    values = coded(feature_values(syntax, name))
    return Coded(values.code[syntax.feats.code], values.texts)


def flagged(rows: Bools) -> Coded:
    """A column of yes and no."""
    return Coded(rows.astype(np.int64), YES_NO)


def _column_of(column: Coded, rows: Ints) -> Coded:
    return Coded(column.code[rows], column.texts)


def binned(numbers: Ints) -> Coded:
    """Numbers from 1 in the bins of `LENGTHS`."""
    return Coded(_LENGTH[np.clip(numbers, 0, 17)], LENGTHS)


class Children:
    """The children of each word, with their subtrees.

    Attributes
    ----------
    child, parent : int64, shape (children,)
        Tokens.
    first, after : int64, shape (tokens,)
        The first token of each subtree, and that behind its last.
    conjuncts : bool, shape (tokens,)
        Whether a token has conjuncts.
    last_conjunct : int64, shape (tokens,)
        The token behind its last conjunct.
    """

    def __init__(self, syntax: Syntax) -> None:
        parent = syntax.parent
        self.first, self.after = subtrees(syntax)
        self.syntax = syntax
        child = np.flatnonzero(parent >= 0)
        self.child = child
        self.parent = parent[child]
        self.left = child < self.parent
        self.is_punct = syntax.upos.among("PUNCT")[child]
        conj = syntax.relation.among("conj")
        self.is_conj = conj[child]
        self.conjuncts = np.zeros(len(parent), dtype=bool)
        self.conjuncts[self.parent[self.is_conj]] = True
        self.last_conjunct = np.zeros(len(parent), dtype=np.int64)
        np.maximum.at(self.last_conjunct, self.parent[self.is_conj], self.after[child[self.is_conj]])

    def features(self, rows: Ints) -> dict[str, Coded]:
        """What is looked at of some children, by the names of `INSIDE`."""
        syntax = self.syntax
        child, parent = self.child[rows], self.parent[rows]
        upos, deprel = syntax.upos, _column_of(syntax.deprel, child)
        begins = self.first[child]
        mark = np.array([_kind(word) for word in syntax.words] or [0])[syntax.form]
        before = np.where(np.isin(begins, syntax.first), 0, mark[np.maximum(begins - 1, 0)])
        before = np.where((mark[begins] == 2) | (before == 2), 2, np.where((before == 1) | (mark[begins] == 1), 1, 0))
        marks = Coded(before, ["", ",", "("])
        verbal = upos.among("VERB", "AUX")[parent]
        sides = Coded(self.left[rows].astype(int) * 2 + verbal, ["right N", "right V", "left N", "left V"])
        left = flagged(self.left[rows])
        sibling = np.zeros(len(syntax.parent), dtype=np.int64)  # how many children come between it and the head
        kept = np.flatnonzero(~self.is_punct)
        kept = kept[argsort(self.parent[kept], self.left[kept].astype(int), np.abs(self.child[kept] - self.parent[kept]))]
        runs = np.flatnonzero(starts_of_runs(self.parent[kept], self.left[kept].astype(int)))
        sibling[self.child[kept]] = np.arange(len(kept)) - repeat(runs, np.diff(np.append(runs, len(kept))))
        gap = np.where(self.left[rows], parent - self.after[child], begins - parent - 1)
        relation, tokens = _column_of(syntax.relation, child), upos.texts
        return {
            "relation": joined(deprel, sides, marks),
            "kinds": joined(deprel, Coded(upos.code[child], tokens), Coded(upos.code[parent], tokens)),
            "parent": joined(deprel, _column_of(syntax.relation, parent), marks),
            "role": joined(relation, left, _column_of(values_of(syntax, "PronType"), parent), Coded(upos.code[parent], tokens)),
            "length": joined(deprel, left, binned(self.after[child] - begins)),
            "gap": joined(deprel, left, binned(gap + 1)),
            "order": joined(deprel, left, binned(sibling[child] + 1)),
            "begins": joined(relation, left, Coded(upos.code[begins], tokens), marks),
        }

    def joint_features(self, heads: Ints) -> dict[str, Coded]:
        """What is looked at of heads with conjuncts, by the names of `JOINT`."""
        syntax = self.syntax
        tokens = len(syntax.parent)
        determined, modified, commas = np.zeros((3, tokens), dtype=bool)
        relation = syntax.relation
        determined[syntax.parent[relation.among("det") & (syntax.parent >= 0)]] = True
        modified[syntax.parent[relation.among("amod", "nmod", "acl", "compound") & (syntax.parent >= 0)]] = True
        last = np.zeros(tokens, dtype=np.int64)
        rows = np.flatnonzero(self.is_conj)
        last[self.parent[rows]] = self.child[rows]
        number = tally(self.parent[rows], minlength=tokens)
        conjunct, above = last[heads], syntax.parent[heads]
        commas[self.parent[rows]] = syntax.upos.among("PUNCT")[self.first[self.child[rows]]]
        upos, role = _column_of(syntax.upos, heads), _column_of(relation, heads)
        return {
            "role": joined(role, upos),
            "conjuncts": joined(upos, _column_of(syntax.upos, conjunct), binned(number[heads])),
            "number": joined(upos, *(_column_of(values_of(syntax, "Number"), t) for t in (heads, conjunct))),
            "determined": joined(flagged(determined[heads]), flagged(determined[conjunct]), upos),
            "modified": joined(flagged(modified[heads]), flagged(modified[conjunct]), upos),
            "determiners": joined(
                Coded(np.where(above >= 0, relation.code[above], len(relation.texts)), [*relation.texts, "ROOT"]), role
            ),
            "names": joined(flagged(commas[heads]), binned(self.last_conjunct[heads] - heads)),
            "before": joined(upos, binned(self.after[conjunct] - self.first[conjunct])),
        }

    def spans(self, inside: Weights, heads: Ints) -> tuple[Ints, Ints]:
        """The first token of the span of each head, and that behind its last."""
        number = np.full(len(self.first), -1, dtype=np.int64)
        number[heads] = np.arange(len(heads))
        rows = np.flatnonzero((number[self.parent] >= 0) & ~self.is_punct)
        wanted = sums(inside, self.features(rows), len(rows)) >= 0
        wanted &= ~self.is_conj[rows]
        start, end = heads.copy(), heads + 1
        for left in (True, False):
            side = np.flatnonzero(self.left[rows] == left)
            distance = np.abs(self.child[rows[side]] - self.parent[rows[side]])
            side = side[argsort(self.parent[rows[side]], distance)]
            parent, child = self.parent[rows[side]], self.child[rows[side]]
            refused = np.cumsum(~wanted[side])
            base = np.maximum.accumulate(np.where(starts_of_runs(parent), refused - ~wanted[side], 0))
            free = np.flatnonzero(refused == base)
            at = number[parent[free]]
            if left:
                np.minimum.at(start, at, self.first[child[free]])
            else:
                np.maximum.at(end, at, self.after[child[free]])
        return start, end


def _kind(word: str) -> int:
    """1 for a comma or dash, 2 for an opening bracket."""
    if len(word) != 1:
        return 0
    category = unicodedata.category(word)
    return 2 if category == "Ps" else 1 if word in ",;" or category == "Pd" else 0


class Marks(NamedTuple):
    """Which tokens are punctuation, open or close brackets and quotes."""

    punct: Bools
    opens: Bools
    closes: Bools

    @classmethod
    def from_syntax(cls, syntax: Syntax) -> Marks:
        """Tell by the categories of Unicode; plain quotes open and close."""
        category = [unicodedata.category(w) if len(w) == 1 else "" for w in syntax.words] or [""]
        plain = [w in ('"', "'", "``", "''") for w in syntax.words] or [False]
        opens = np.array([c in ("Ps", "Pi") or p for c, p in zip(category, plain, strict=True)])[syntax.form]
        closes = np.array([c in ("Pe", "Pf") or p for c, p in zip(category, plain, strict=True)])[syntax.form]
        punct = syntax.upos.among("PUNCT")
        return cls(punct, opens & punct, closes & punct)

    def around(self, start: Ints, end: Ints) -> Bools:
        """Which spans have an opening mark before them and a closing one behind them."""
        before, behind = np.maximum(start - 1, 0), np.minimum(end, len(self.punct) - 1)
        return (start > 0) & (end < len(self.punct)) & self.opens[before] & self.closes[behind]


def trimmed(syntax: Syntax, start: Ints, end: Ints, head: Ints, quotes: float) -> tuple[Ints, Ints]:
    """Spans without punctuation at their edges; a closing mark stays if its opening one is in the span, too."""
    if not len(start):
        return start, end
    marks = Marks.from_syntax(syntax)
    tokens = np.arange(len(marks.punct))
    following = np.minimum.accumulate(np.where(marks.punct, len(marks.punct), tokens)[::-1])[::-1]
    preceding = np.maximum.accumulate(np.where(marks.punct & ~marks.closes, -1, tokens))
    start = np.minimum(following[start], head)
    end = np.maximum(preceding[end - 1], head) + 1
    opened: Ints = np.concatenate([[0], np.cumsum(marks.opens)])
    inner: Ints = np.maximum.accumulate(np.where(marks.punct, -1, tokens))
    closing = marks.closes[end - 1] & (opened[end - 1] == opened[start])
    end = np.where(closing, np.maximum(inner[end - 1], head) + 1, end)
    if quotes > 0.5:
        around = marks.around(start, end)
        start, end = start - around, end + around
    return start, end
