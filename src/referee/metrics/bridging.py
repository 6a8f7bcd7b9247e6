"""Bridging ("the house … the door"): anaphors found, and their antecedents.

The unit is the anaphor, however many antecedents it has. Where it has several, recall counts the share of the key's antecedents
that the response gives, precision the share of the response's that the key has. Anaphors and antecedents are the same if their
spans are, to the last part and whatever the matcher. Kinds of association are not compared.

Notes
-----
The Universal Anaphora scorer (Yu et al. 2022) keeps one antecedent of an anaphor, the last in the file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.metric import metric
from referee.stats.counts import Counts, rates, undefined

Target: TypeAlias = Callable[[int], int]
"""What an antecedent is compared as, given its place."""
Anaphors: TypeAlias = dict[tuple[int, int], set[int]]
"""Document and place of each anaphor, with its antecedents."""

_bridging_metric = partial(metric, counts="anaphors", scope="annotation", needs="bridging")


@_bridging_metric("Bridging anaphora", symmetric=True)
def bridging_anaphora(pair: Pair) -> Counts:
    """Bridging anaphors found, whatever their antecedents.

    References
    ----------
    Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(pair, _anything)


@_bridging_metric("Bridging by mentions", aliases=("bridging_markables",), symmetric=True)
def bridging_mentions(pair: Pair) -> Counts:
    """Bridging anaphors with exactly the antecedent of the key.

    References
    ----------
    Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(pair, _mentions)


@_bridging_metric("Bridging by entities")
def bridging_entities(pair: Pair) -> Counts:
    """Bridging anaphors with any mention of the antecedent entity.

    Notes
    -----
    Entities are those of the key alone, for precision, too. So precision is not the recall of the table exchanged.

    References
    ----------
    Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(pair, _entities)


def _anything(key: Corpus, place: Ints) -> Target:
    return lambda _: 0


def _mentions(key: Corpus, place: Ints) -> Target:
    return lambda antecedent: antecedent


def _entities(key: Corpus, place: Ints) -> Target:
    """Antecedents as entities of the key; those that are in none stand for themselves."""
    referring = np.ones(len(place), dtype=bool) if key.referring is None else key.referring[key.entity]
    entity = dict(zip(place[referring].tolist(), key.entity[referring].tolist(), strict=True))
    return lambda antecedent: entity.get(antecedent, -1 - antecedent)


def _bridging(pair: Pair, targets: Callable[[Corpus, Ints], Target]) -> Counts:
    """Count anaphors; `targets` gives what antecedents are compared as, from the key and the places of its mentions."""
    sides, documents = pair.unfiltered, len(pair.key.doc_ids)
    if sides.key.bridging is None and sides.response.bridging is None:
        return undefined(documents)
    key_place, response_place = pair.places
    target = targets(sides.key, key_place)
    key = _anaphors(sides.key, key_place, target)
    response = _anaphors(sides.response, response_place, target)
    return rates(_shares(key, response, documents), _shares(response, key, documents))


def _anaphors(corpus: Corpus, place: Ints, target: Target) -> Anaphors:
    anaphors: Anaphors = {}
    if corpus.bridging is not None:
        anaphor, antecedent, _ = corpus.bridging
        rows = zip(corpus.document[anaphor].tolist(), place[anaphor].tolist(), place[antecedent].tolist(), strict=True)
        for document, a, b in rows:
            anaphors.setdefault((document, a), set()).add(target(b))
    return anaphors


def _shares(anaphors: Anaphors, others: Anaphors, documents: int) -> tuple[Floats, Ints]:
    """The share of each anaphor's targets that the other side has, added, and the number of anaphors. Shape (documents,)."""
    shares, number = [0.0] * documents, [0] * documents
    for (document, place), targets in anaphors.items():
        number[document] += 1
        shares[document] += len(targets & others.get((document, place), set())) / len(targets)
    return np.array(shares, dtype=np.float64), np.array(number, dtype=np.int64)
