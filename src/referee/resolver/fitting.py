"""Tables fitted to annotated texts: for each mention, the right MR should score more than all others and than a new one.

The choice is a softmax over the MRs so far, as the key has them, and a new one. Weights follow its gradient document by
document (AdaGrad), and are averaged over the last two thirds of the epochs. With the quantifiers `any` and `all`, the
gradient goes to the mention that decided.

References
----------
AdaGrad: Duchi, Hazan and Singer (2011), "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, Numbers, argsort, inverse, starts_of_runs, tally
from referee.algorithms.exponential import exponential
from referee.basics import progress
from referee.basics.options import choices
from referee.resolver.attributes import CLASS_OF_TYPE, CLASSES, Mentions
from referee.resolver.memory import CandidateMRs, quantified
from referee.resolver.relations import WINDOW, Pairs, Relations
from referee.resolver.tables import (
    DEFAULT,
    OWN,
    SIZE_OF_FIELD,
    TABLES,
    UNIT,
    VOCABULARIES,
    Tables,
    fields_of_candidates,
    fields_of_mentions,
    fields_of_pairs,
    index,
    shape_of,
)

RATE, SMALL = 0.2, 1e-6
EPOCHS = choices.EPOCHS
EAGER = 20
"""How much less than was learnt a new MR scores for names and nouns, in hundredths. The learner looks for the most likely MR of
each mention, and then links are missed two or three times as often as wrong ones are made."""

LEAST = 5
"""Weights below this, in hundredths, are left out: it makes no difference to the scores (0.1 does not either, 0.2 does)."""

CAUTION = 3000.0
"""With what the squares of gradients begin for the tables of `TABLES` that are not among `DEFAULT`: they are learnt slowly, as
details of what the others say. If they move as fast, cells that are seen a few times are learnt by heart: with all tables, the
development documents of GUM have 71.4 without singletons if only those with lemmas are learnt slowly, and 72.2 if all are.
Synonyms are not: who brings a dictionary knows that they say more."""

NOMINAL = tuple(CLASSES.index(name) for name in ("name", "def", "indef"))

PAIRS = 1 << 19
"""Pairs of a document that the weights learn from at once; of a longer one, part after part."""

ROLES, SEEN = 22, 3
"""How many relations have a value of their own, and how often a word must be seen to have one."""


class Looked(NamedTuple):
    """Where the rows of one document look into a table: the cells that occur, and the number of each row's cell."""

    cells: Ints
    local: Ints


class Lesson(NamedTuple):
    """One document, ready to be learnt from."""

    mentions: int
    group: Ints
    last: Ints
    row: Ints
    target: Ints
    pair: dict[str, Looked]
    entity: dict[str, Looked]
    new: dict[str, Looked]


def vocabularies(mentions: Mentions, names: Sequence[str]) -> dict[str, list[str]]:
    """The words that have a value of their own in these tables, the most frequent first."""
    wordless = mentions.type <= 7
    columns = {
        "role": (mentions.role, mentions.roles, 1, ROLES),
        "pronoun": (mentions.lemma[wordless], mentions.words, SEEN, None),
        "determiner": (mentions.determiner[mentions.determiner >= 0], mentions.words, SEEN, None),
        "lemma": (mentions.lemma[~wordless], mentions.words, SEEN, None),
    }
    used = {f for name in names for f in (*TABLES[name].later, *TABLES[name].earlier)}
    tables = {}
    for field in VOCABULARIES:
        if field in used:
            codes, texts, least, most = columns[field]
            code, count = np.unique(codes, return_counts=True)
            ranked = sorted((-n, texts[c]) for c, n in zip(code.tolist(), count.tolist(), strict=True) if n >= least)
            tables[field] = [text for _, text in ranked[:most]]
    return tables


def _looked(cells: Ints) -> Looked:
    values, local = np.unique(cells, return_inverse=True)
    return Looked(values, local.reshape(-1).astype(np.int32))


def taught(pairs: Pairs, label: Ints) -> tuple[CandidateMRs, Ints]:
    """The MRs of the key that each mention is compared with, and the MR of each pair."""
    of_pair = label[pairs.earlier]
    order = argsort(pairs.row, of_pair)
    new = starts_of_runs(pairs.row[order], of_pair[order])
    run = np.cumsum(new) - 1
    last = order[np.append(np.flatnonzero(new)[1:], len(order)) - 1] if len(order) else order
    by_recency = np.argsort(last, kind="stable")
    group = np.empty(len(order), dtype=np.int64)
    group[order] = inverse(by_recency)[run]
    last = last[by_recency]
    row = pairs.row[last]
    best = np.zeros(len(last), dtype=np.int64)
    np.maximum.at(best, group, pairs.string)
    rank = np.searchsorted(row, row, side="right") - 1 - np.arange(len(row))
    count = tally(group, minlength=len(last))
    candidates = CandidateMRs(
        pairs.rows, row, of_pair[last], pairs.earlier[last], rank, best, count, np.zeros(len(last)), group
    )
    return candidates, group


def lessons(relations: Relations, label: Ints, names: Sequence[str], words: Mapping[str, Sequence[str]]) -> list[Lesson]:
    """Each document with at least two mentions, ready to be learnt from."""
    m = relations.mentions
    values = fields_of_mentions(relations, words)
    shapes = {name: shape_of(TABLES[name], words) for name in names}
    edges = np.searchsorted(m.document, np.arange(int(m.document.max(initial=-1)) + 2)).tolist()
    examples = []
    for begin, end in pairwise(edges):
        if end - begin < 2:
            continue
        for pairs in relations.blocks(np.arange(begin, end), PAIRS):
            candidates, group = taught(pairs, label)
            later = pairs.rows[candidates.row]
            target = np.full(len(pairs.rows), -1, dtype=np.int64)
            right = np.flatnonzero(candidates.label == label[later])
            target[candidates.row[right]] = right
            of_pairs, of_mrs = fields_of_pairs(pairs, m, names), fields_of_candidates(m, candidates, SIZE_OF_FIELD)
            rows = {
                "pair": (of_pairs, pairs.later, pairs.earlier),
                "entity": (of_mrs, later, candidates.last),
                "new": ({}, pairs.rows, pairs.rows),
            }
            looked: dict[str, dict[str, Looked]] = {"pair": {}, "entity": {}, "new": {}}
            for name in names:
                table = TABLES[name]
                fields, i, j = rows[table.kind]
                looked[table.kind][name] = _looked(index(table, shapes[name], fields, values, i, j))
            examples.append(Lesson(len(pairs.rows), group, _last(group, len(later)), candidates.row, target, **looked))
    return examples


def _last(group: Ints, groups: int) -> Ints:
    """The last pair of each MR."""
    last = np.empty(groups, dtype=np.int64)
    last[group] = np.arange(len(group))
    return last


class _Learner:
    """The weights while they are fitted: one array a table, with the sums of squares of AdaGrad and of the averages."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.weights = {name: np.zeros(size) for name, size in sizes.items()}
        slow = TABLES.keys() - {*DEFAULT, "synonym"} - OWN.keys()
        self.squares = {name: np.full(size, CAUTION if name in slow else SMALL) for name, size in sizes.items()}
        self.total = {name: np.zeros(size) for name, size in sizes.items()}
        self.number = 0

    def sums(self, looked: Mapping[str, Looked], rows: int) -> Floats:
        total = np.zeros(rows)
        for name, (cells, local) in looked.items():
            total += self.weights[name][cells][local]
        return total

    def descend(self, looked: Mapping[str, Looked], gradient: Floats, rows: Ints | None = None) -> None:
        for name, (cells, local) in looked.items():
            at = local if rows is None else local[rows]
            slope = tally(at, gradient, minlength=len(cells))
            squares = self.squares[name][cells] + slope * slope
            self.squares[name][cells] = squares
            self.weights[name][cells] -= RATE * slope / np.sqrt(squares)

    def learn(self, lesson: Lesson, quantifier: str) -> None:
        """One step down the gradient."""
        compatibility = self.sums(lesson.pair, len(lesson.group))
        candidates = quantified(compatibility, lesson.group, lesson.last, quantifier)
        scores = candidates + self.sums(lesson.entity, len(lesson.row))
        new = self.sums(lesson.new, lesson.mentions)
        greatest = new.copy()
        np.maximum.at(greatest, lesson.row, scores)
        scores, new = exponential(scores - greatest[lesson.row]), exponential(new - greatest)
        total = new + tally(lesson.row, scores, minlength=lesson.mentions)
        gradient, of_new = scores / total[lesson.row], new / total
        right = lesson.target[lesson.target >= 0]
        gradient[right] -= 1
        of_new[lesson.target < 0] -= 1
        self.descend(lesson.new, of_new)
        self.descend(lesson.entity, gradient)
        if quantifier == "mean":
            share = gradient / tally(lesson.group, minlength=len(gradient))
            self.descend(lesson.pair, share[lesson.group])
        else:
            self.descend(lesson.pair, gradient, _deciding(compatibility, candidates, lesson, quantifier))

    def average(self) -> None:
        """Add the weights to their averages."""
        self.number += 1
        for name, weights in self.weights.items():
            self.total[name] += weights


def _deciding(compatibility: Floats, candidates: Floats, lesson: Lesson, quantifier: str) -> Ints:
    """The pair that decides about each MR."""
    if quantifier == "last":
        return lesson.last
    deciding = np.empty(len(candidates), dtype=np.int64)
    if quantifier == "first":
        deciding[lesson.group[::-1]] = np.arange(len(lesson.group))[::-1]
    else:
        same = np.flatnonzero(compatibility == candidates[lesson.group])
        deciding[lesson.group[same]] = same
    return deciding


def fit_tables(
    relations: Relations,
    label: Ints,
    *,
    tables: Sequence[str] = DEFAULT,
    quantifier: str = "any",
    epochs: int = EPOCHS,
    seed: int = 0,
) -> Tables:
    """Fit tables.

    Parameters
    ----------
    relations : Relations
        The mentions of the key.
    label : int64, shape (mentions,)
        The first mention of the entity of each.
    tables : sequence of str
        Names from `TABLES`.
    quantifier : str
        One of `QUANTIFIERS`.
    epochs : int
        How often each document is seen.
    seed : int
        Of the order of the documents.
    """
    words = vocabularies(relations.mentions, tables)
    course = lessons(relations, label, tables, words)
    shapes = {name: shape_of(TABLES[name], words) for name in tables}
    learner = _Learner(shapes)
    for epoch in range(epochs):
        order = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, epoch]))).permutation(len(course))
        for n in progress.tracked(order.tolist(), f"pass {epoch + 1} of {epochs}"):
            learner.learn(course[n], quantifier)
            if epoch >= epochs // 3:
                learner.average()
    weights: dict[str, Numbers] = {}
    for name, shape in shapes.items():
        rounded = np.rint(learner.total[name] / max(learner.number, 1) * UNIT).astype(np.int32)
        weights[name] = np.where(np.abs(rounded) < LEAST, 0, rounded).reshape(shape)
    if "typeseen" in weights:
        weights["typeseen"][np.isin(CLASS_OF_TYPE, NOMINAL)] -= EAGER
    return Tables(weights, words, quantifier, WINDOW)
