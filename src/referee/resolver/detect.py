"""Mentions found in trees: which words are heads, and how far their spans go.

A word is the head of a mention if the weights of its features (a logistic regression) add up to more than `LEAST`. Two other
regressions tell which of its children belong to the span, and whether a head with conjuncts has a second mention over all of
them. Features are codes of the tree: no lemma is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, starts_of_runs, tally
from referee.resolver.attributes import Mentions
from referee.resolver.logistic import UNIT, Weights, joined, probabilities, regression, sums
from referee.resolver.spans import YES_NO, Children, Marks, binned, trimmed, values_of
from referee.resolver.syntax import Coded, Syntax

LEAST = -30
"""The sum of weights that the head of a mention must exceed. With 0, heads are as often missed as wrongly found; for a resolver
it is better to find too many, on the development documents of GUM by 0.6 points without singletons."""

JOINT_LEAST = 50
"""The sum of weights that a mention over all conjuncts must exceed."""

HEADS = (
    "upos deprel", "pronoun", "parent", "children", "number", "name", "determiner", "definite", "verb", "node", "repeated",
    "above",
)  # fmt: skip
"""Names of what is looked at of a word, to decide whether it is the head of a mention."""


class DetectedSpans(NamedTuple):
    """Mentions that were found, sorted by document, start, and longer before shorter.

    Parameters
    ----------
    document, start, end, head : int64, shape (mentions,)
        Tokens counted through the file; `end` is behind the last one.
    probability : float64, shape (mentions,)
        That the head is the head of a mention.
    """

    document: Ints
    start: Ints
    end: Ints
    head: Ints
    probability: Floats


@dataclass(frozen=True)
class Detector:
    """What is learnt of the mentions of a corpus.

    Parameters
    ----------
    heads, inside, joint : weights
        Of regressions: whether a word is the head of a mention, by the features `HEADS`; whether a child belongs to the span of
        its head, by `INSIDE` of `referee.resolver.spans`; whether there is a mention over a head and its conjuncts, by `JOINT`.
    quotes : float
        How often a mention in quotes includes them.
    """

    heads: Weights
    inside: Weights
    joint: Weights
    quotes: float


def features(syntax: Syntax) -> dict[str, Coded]:
    """The features of each word, as codes of the tree put together."""
    upos, relation = syntax.upos, syntax.relation
    parent = syntax.parent
    above = np.where(parent >= 0, parent, 0)
    kind = values_of(syntax, "PronType")

    def has(*relations: str) -> Ints:
        return tally(parent[relation.among(*relations) & (parent >= 0)], minlength=len(parent)).astype(bool).astype(int)

    determiner = np.full(len(parent), -1, dtype=np.int64)
    determiners = np.flatnonzero(relation.among("det") & (parent >= 0))[::-1]
    determiner[parent[determiners]] = determiners
    definite, pron_type = values_of(syntax, "Definite"), kind
    of_determiner = joined(definite, pron_type)

    def flag(*relations: str) -> Coded:
        return Coded(has(*relations), YES_NO)

    parent_upos = Coded(np.where(parent >= 0, upos.code[above], len(upos.texts)), [*upos.texts, "ROOT"])
    parent_relation = Coded(np.where(parent >= 0, relation.code[above], len(relation.texts)), [*relation.texts, "ROOT"])
    det = Coded(
        np.where(determiner >= 0, of_determiner.code[determiner], len(of_determiner.texts)), [*of_determiner.texts, "-"]
    )
    columns = {
        "upos deprel": joined(upos, syntax.deprel),
        "pronoun": joined(kind, values_of(syntax, "Poss"), syntax.deprel, upos),
        "parent": joined(parent_upos, relation, upos),
        "children": joined(upos, flag("case"), flag("cop"), flag("amod", "nummod", "nmod", "acl"), flag("det"), relation),
        "number": joined(upos, values_of(syntax, "Number"), relation),
        "name": joined(upos, flag("flat", "compound"), relation),
        "determiner": joined(upos, det),
        "definite": joined(upos, definite, relation),
        "verb": joined(upos, values_of(syntax, "VerbForm"), relation),
        "node": joined(Coded(syntax.is_node.astype(int), YES_NO), relation),
        "repeated": joined(upos, relation, binned(_repetitions(syntax))),
        "above": joined(upos, relation, parent_upos, parent_relation, flag("case")),
    }
    assert tuple(columns) == HEADS
    return columns


def _repetitions(syntax: Syntax) -> Ints:
    """How often the lemma of each token is in the document."""
    document = np.searchsorted(syntax.first, np.arange(len(syntax.lemma)), side="right")
    key = document * np.int64(len(syntax.words) + 1) + syntax.lemma
    _, place, count = np.unique(key, return_inverse=True, return_counts=True)
    total: Ints = count[place.reshape(-1)]
    return total


def scores(detector: Detector, syntax: Syntax) -> Ints:
    """The sum of weights of each token, in hundredths."""
    return sums(detector.heads, features(syntax), len(syntax.parent))


def detect(detector: Detector, syntax: Syntax, least: int = LEAST) -> DetectedSpans:
    """Find the mentions of a text: those whose heads have a sum of weights above `least`, in hundredths."""
    total = scores(detector, syntax)
    heads = np.flatnonzero(total > least)
    children = Children(syntax)
    start, end = children.spans(detector.inside, heads)
    head = heads
    joint = heads[children.conjuncts[heads]]
    joint = (
        joint[sums(detector.joint, children.joint_features(joint), len(joint)) > JOINT_LEAST] if detector.joint else joint[:0]
    )
    if len(joint):
        place = np.searchsorted(heads, joint)
        start = np.concatenate([start, start[place]])
        end = np.concatenate([end, np.maximum(end[place], children.last_conjunct[joint])])
        head = np.concatenate([heads, joint])
    start, end = trimmed(syntax, start, end, head, detector.quotes)
    order = np.lexsort((head, -total[head], -end, start))
    order = order[starts_of_runs(start[order], end[order])]
    start, end, head = start[order], end[order], head[order]
    document = np.searchsorted(syntax.first, start, side="right") - 1
    return DetectedSpans(document, start, end, head, probabilities(total[head]))


def fit_detector(syntax: Syntax, mentions: Mentions) -> Detector:
    """Learn what the mentions of a corpus are.

    Parameters
    ----------
    syntax : Syntax
    mentions : Mentions
        All mentions of the corpus.
    """
    is_head = np.zeros(len(syntax.parent), dtype=bool)
    is_head[mentions.head] = True
    children = Children(syntax)
    of_head = np.full(len(syntax.parent), -1, dtype=np.int64)
    longest_first = np.argsort(mentions.start - mentions.end, kind="stable")
    of_head[mentions.head[longest_first]] = longest_first  # of several with one head, the shortest
    m = of_head[children.parent]
    known = np.flatnonzero((m >= 0) & ~children.is_punct)
    child, m = children.child[known], m[known]
    within = (child >= mentions.start[m]) & (child < mentions.end[m])
    coordinated = np.flatnonzero(children.conjuncts & is_head)
    last = np.zeros(len(syntax.parent), dtype=np.int64)
    np.maximum.at(last, mentions.head, mentions.end)
    whole = last[coordinated] >= children.last_conjunct[coordinated]
    return Detector(
        regression(features(syntax), is_head),
        regression(children.features(known), within),
        regression(children.joint_features(coordinated), whole),
        _quotes(syntax, mentions),
    )


def _quotes(syntax: Syntax, mentions: Mentions) -> float:
    """How often a mention that has quotes or brackets around it includes them."""
    marks = Marks.from_syntax(syntax)
    long = mentions.end - mentions.start > 2
    with_quotes = int(np.count_nonzero(long & marks.opens[mentions.start] & marks.closes[mentions.end - 1]))
    without = int(np.count_nonzero(marks.around(mentions.start, mentions.end)))
    return round(with_quotes / max(with_quotes + without, 1), 2)


def described(detector: Detector, top: int) -> Sequence[str]:
    """The strongest weights, in words."""
    rows = [(abs(w), w, name, text) for name, values in detector.heads.items() for text, w in values.items()]
    return [f"{name}: {text or 'any other'} {w / UNIT:+.2f}" for _, w, name, text in sorted(rows, reverse=True)[:top]]
