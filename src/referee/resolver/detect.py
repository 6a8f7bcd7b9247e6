"""Mentions found in trees: which words are heads, and how far their spans go.

A word is the head of a mention if the weights of its features (a logistic regression) add up to more than `LEAST`. Features are
codes of the tree: no lemma is looked at. From the head outwards, children belong to the span with their subtrees, until one
comes that more often does not. Punctuation does not stop, and is trimmed at the edges. A head with conjuncts has a second
mention over all of them where that is the rule in the training corpus.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, order_by, starts_of_runs, tally
from referee.resolver.attributes import Mentions, feature_values
from referee.resolver.exponential import exponential
from referee.resolver.syntax import Coded, Syntax, coded

UNIT = 100
"""Weights are whole hundredths, so that their sums are exact."""

LEAST = -30
"""The sum of weights that the head of a mention must exceed. With 0, heads are as often missed as wrongly found; for a resolver
it is better to find too many, on the development documents of GUM by 0.6 points without singletons."""

ITERATIONS, RATE, SMALL, SEEN = 200, 0.5, 1e-6, 3


FEATURES = (
    "upos deprel", "pronoun", "parent", "children", "number", "name", "determiner", "definite", "verb", "node",
)  # fmt: skip
"""Names of what is looked at of a word."""


class Spans(NamedTuple):
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
    weights : mapping
        For each feature, the weight of each of its values in hundredths; "" is any other value.
    inside : mapping
        How often a child belongs to the span of its head, by its relation, the kind and side of the head, and commas.
    coordination : float
        How often a head with conjuncts has a mention over all of them.
    quotes : float
        How often a mention in quotes includes them.
    """

    weights: Mapping[str, Mapping[str, int]]
    inside: Mapping[str, float]
    coordination: float
    quotes: float


def features(syntax: Syntax) -> dict[str, Coded]:
    """The features of each word, as codes of the tree put together."""
    upos, relation = syntax.upos, syntax.relation
    parent = syntax.parent
    above = np.where(parent >= 0, parent, 0)
    kind = _values(syntax, "PronType")

    def has(*relations: str) -> Ints:
        return tally(parent[relation.among(*relations) & (parent >= 0)], minlength=len(parent)).astype(bool).astype(int)

    determiner = np.full(len(parent), -1, dtype=np.int64)
    determiners = np.flatnonzero(relation.among("det") & (parent >= 0))[::-1]
    determiner[parent[determiners]] = determiners
    definite, pron_type = _values(syntax, "Definite"), kind
    of_determiner = _joined(definite, pron_type)
    yes_no = ["0", "1"]

    def flag(*relations: str) -> Coded:
        return Coded(has(*relations), yes_no)

    parent_upos = Coded(np.where(parent >= 0, upos.code[above], len(upos.texts)), [*upos.texts, "ROOT"])
    det = Coded(
        np.where(determiner >= 0, of_determiner.code[determiner], len(of_determiner.texts)), [*of_determiner.texts, "-"]
    )
    columns = {
        "upos deprel": _joined(upos, syntax.deprel),
        "pronoun": _joined(kind, _values(syntax, "Poss"), syntax.deprel, upos),
        "parent": _joined(parent_upos, relation, upos),
        "children": _joined(upos, flag("case"), flag("cop"), flag("amod", "nummod", "nmod", "acl"), flag("det"), relation),
        "number": _joined(upos, _values(syntax, "Number"), relation),
        "name": _joined(upos, flag("flat", "compound"), relation),
        "determiner": _joined(upos, det),
        "definite": _joined(upos, definite, relation),
        "verb": _joined(upos, _values(syntax, "VerbForm"), relation),
        "node": _joined(Coded(syntax.is_node.astype(int), yes_no), relation),
    }
    assert tuple(columns) == FEATURES
    return columns


def _values(syntax: Syntax, name: str) -> Coded:
    """The value of a feature of each token."""
    values = coded(feature_values(syntax, name))
    return Coded(values.code[syntax.feats.code], values.texts)


def _joined(*columns: Coded) -> Coded:
    """Several columns as one, with blanks between their values."""
    code = np.zeros(len(columns[0].code), dtype=np.int64)
    for column in columns:
        code = code * len(column.texts) + column.code
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    texts = [" ".join(c.texts[c.code[n]] for c in columns) for n in first.tolist()]
    return Coded(inverse.reshape(-1), texts)


def scores(detector: Detector, syntax: Syntax) -> Ints:
    """The sum of weights of each token, in hundredths."""
    found = features(syntax)
    total = np.zeros(len(syntax.parent), dtype=np.int64)
    for name, weights in detector.weights.items():
        total += found[name].numbers(dict(weights), weights.get("", 0))
    return total


def detect(detector: Detector, syntax: Syntax, least: int = LEAST) -> Spans:
    """Find the mentions of a text: those whose heads have a sum of weights above `least`, in hundredths."""
    total = scores(detector, syntax)
    heads = np.flatnonzero(total > least)
    children = _Children(syntax)
    start, end = children.spans(detector.inside, heads)
    head = heads
    if detector.coordination > 0.5:
        joint = heads[children.conjuncts[heads]]
        place = np.searchsorted(heads, joint)
        start = np.concatenate([start, start[place]])
        end = np.concatenate([end, np.maximum(end[place], children.last_conjunct[joint])])
        head = np.concatenate([heads, joint])
    start, end = _trimmed(syntax, start, end, head, detector.quotes)
    order = np.lexsort((head, -total[head], -end, start))
    order = order[starts_of_runs(start[order], end[order])]
    start, end, head = start[order], end[order], head[order]
    document = np.searchsorted(syntax.first, start, side="right") - 1
    odds = exponential(-np.abs(total[head]) / UNIT)
    return Spans(document, start, end, head, np.where(total[head] >= 0, 1, odds) / (1 + odds))


class _Children:
    """The children of each word, with their subtrees."""

    def __init__(self, syntax: Syntax) -> None:
        parent = syntax.parent
        tokens = np.arange(len(parent))
        self.first, self.after = tokens.copy(), tokens + 1
        for depth in range(int(syntax.depth.max(initial=0)), 0, -1):
            level = np.flatnonzero(syntax.depth == depth)
            np.minimum.at(self.first, parent[level], self.first[level])
            np.maximum.at(self.after, parent[level], self.after[level])
        child = np.flatnonzero(parent >= 0)
        self.child = child
        self.parent = parent[child]
        self.left = child < self.parent
        self.is_punct = syntax.upos.among("PUNCT")[child]
        begins = self.first[child]
        mark = np.array([_kind(word) for word in syntax.words] or [0])[syntax.form]
        before = np.where(begins > 0, mark[np.maximum(begins - 1, 0)], 0)
        before = np.where(mark[begins] == 2, 2, np.where(before == 2, 2, np.where((before == 1) | (mark[begins] == 1), 1, 0)))
        verbal = syntax.upos.among("VERB", "AUX")[self.parent]
        sides = Coded(self.left.astype(int) * 2 + verbal, ["right N", "right V", "left N", "left V"])
        marks = Coded(before, ["", ",", "("])
        deprel = Coded(syntax.deprel.code[child], syntax.deprel.texts)
        self.key = _joined(deprel, sides, marks) if len(child) else deprel
        conj = syntax.relation.among("conj")
        self.is_conj = conj[child]
        self.conjuncts = np.zeros(len(parent), dtype=bool)
        self.conjuncts[self.parent[self.is_conj]] = True
        self.last_conjunct = np.zeros(len(parent), dtype=np.int64)
        np.maximum.at(self.last_conjunct, self.parent[self.is_conj], self.after[child[self.is_conj]])

    def spans(self, inside: Mapping[str, float], heads: Ints) -> tuple[Ints, Ints]:
        """The first token of the span of each head, and that behind its last."""
        wanted = np.array([inside.get(text, _unseen(text)) >= 0.5 for text in self.key.texts] or [False])[self.key.code]
        wanted &= ~self.is_conj
        number = np.full(len(self.first), -1, dtype=np.int64)
        number[heads] = np.arange(len(heads))
        start, end = heads.copy(), heads + 1
        for left in (True, False):
            rows = np.flatnonzero((self.left == left) & (number[self.parent] >= 0) & ~self.is_punct)
            distance = np.abs(self.child[rows] - self.parent[rows])
            rows = rows[order_by(self.parent[rows], distance)]
            refused = np.cumsum(~wanted[rows])
            begins = starts_of_runs(self.parent[rows])
            base = np.maximum.accumulate(np.where(begins, refused - ~wanted[rows], 0))
            taken = rows[refused == base]
            at = number[self.parent[taken]]
            if left:
                np.minimum.at(start, at, self.first[self.child[taken]])
            else:
                np.maximum.at(end, at, self.after[self.child[taken]])
        return start, end


def _kind(word: str) -> int:
    """1 for a comma or dash, 2 for an opening bracket."""
    if len(word) != 1:
        return 0
    category = unicodedata.category(word)
    return 2 if category == "Ps" else 1 if word in ",;" or category == "Pd" else 0


def _unseen(key: str) -> float:
    """Whether a child belongs to the span if its like was never seen: all but loosely joined clauses do."""
    return (
        0.0 if key.partition(" ")[0].partition(":")[0] in ("conj", "cc", "parataxis", "appos", "punct", "list", "dep") else 1.0
    )


class _Marks(NamedTuple):
    """Which tokens are punctuation, open or close brackets and quotes."""

    punct: Bools
    opens: Bools
    closes: Bools

    @classmethod
    def of(cls, syntax: Syntax) -> _Marks:
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


def _trimmed(syntax: Syntax, start: Ints, end: Ints, head: Ints, quotes: float) -> tuple[Ints, Ints]:
    """Spans without punctuation at their edges; a closing mark stays if its opening one is in the span, too."""
    if not len(start):
        return start, end
    marks = _Marks.of(syntax)
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
    children = _Children(syntax)
    of_head = np.full(len(syntax.parent), -1, dtype=np.int64)
    longest_first = np.argsort(mentions.start - mentions.end, kind="stable")
    of_head[mentions.head[longest_first]] = longest_first  # of several with one head, the shortest
    m = of_head[children.parent]
    known = (m >= 0) & ~children.is_punct
    within = (children.child >= mentions.start[m]) & (children.child < mentions.end[m])
    seen = tally(children.key.code[known], minlength=len(children.key.texts))
    taken = tally(children.key.code[known & within], minlength=len(children.key.texts))
    inside = {
        text: round(taken_ / seen_, 2)
        for text, seen_, taken_ in sorted(zip(children.key.texts, seen.tolist(), taken.tolist(), strict=True))
        if seen_ >= SEEN
    }
    coordinated = np.flatnonzero(children.conjuncts & is_head)
    last = np.zeros(len(syntax.parent), dtype=np.int64)
    np.maximum.at(last, mentions.head, mentions.end)
    whole = np.count_nonzero(last[coordinated] >= children.last_conjunct[coordinated])
    coordination = round(whole / max(len(coordinated), 1), 2)
    return Detector(_regression(features(syntax), is_head), inside, coordination, _quotes(syntax, mentions))


def _quotes(syntax: Syntax, mentions: Mentions) -> float:
    """How often a mention that has quotes or brackets around it includes them."""
    marks = _Marks.of(syntax)
    long = mentions.end - mentions.start > 2
    with_quotes = int(np.count_nonzero(long & marks.opens[mentions.start] & marks.closes[mentions.end - 1]))
    without = int(np.count_nonzero(marks.around(mentions.start, mentions.end)))
    return round(with_quotes / max(with_quotes + without, 1), 2)


def _regression(found: Mapping[str, Coded], is_head: Bools) -> dict[str, dict[str, int]]:
    """A logistic regression on features, each different combination of which is counted once."""
    columns, texts = [], []
    for column in found.values():
        count = tally(column.code, minlength=len(column.texts))
        frequent = np.flatnonzero(count >= SEEN)
        number = np.zeros(len(count), dtype=np.int64)  # 0 is any other value
        number[frequent] = np.arange(1, len(frequent) + 1)
        columns.append(number[column.code])
        texts.append(["", *(column.texts[n] for n in frequent.tolist())])
    rows, inverse = np.unique(np.stack(columns), axis=1, return_inverse=True)
    inverse = inverse.reshape(-1)
    total = tally(inverse).astype(np.float64)
    heads = tally(inverse, is_head)
    weights = [np.zeros(len(values)) for values in texts]
    squares = [np.full(len(values), SMALL) for values in texts]
    for _ in range(ITERATIONS):
        score = np.zeros(len(total))
        for weight, row in zip(weights, rows, strict=True):
            score += weight[row]
        small = exponential(-np.abs(score))
        probability = np.where(score >= 0, 1, small) / (1 + small)
        slope = total * probability - heads
        for n, row in enumerate(rows):
            gradient = tally(row, slope, minlength=len(weights[n])) + 0.1 * weights[n]
            squares[n] += gradient * gradient
            weights[n] -= RATE * gradient / np.sqrt(squares[n])
    return {
        name: {text: value for text, value in sorted(zip(values, np.rint(w * UNIT).astype(int).tolist(), strict=True)) if value}
        for name, values, w in zip(found, texts, weights, strict=True)
    }


def described(detector: Detector, top: int) -> Sequence[str]:
    """The strongest weights, in words."""
    rows = [(abs(w), w, name, text) for name, values in detector.weights.items() for text, w in values.items()]
    return [f"{name}: {text or 'any other'} {w / UNIT:+.2f}" for _, w, name, text in sorted(rows, reverse=True)[:top]]
