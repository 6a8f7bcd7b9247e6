"""Bridging ("the house … the door"): were the anaphors found, and what they are associated with?

The unit is the anaphor, however many antecedents it has. Where it has several, recall counts the share of the key's antecedents
that the response gives, precision the share of the response's that the key has. Anaphors and antecedents are the same if their
spans are, to the last part and whatever the matcher. Kinds of association are not compared.

Source: the Universal Anaphora scorer, Yu et al. (2022). The program keeps one antecedent of an anaphor, the last in the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.corpus.corpus import Corpus
from referee.counts import Counts, rates, undefined
from referee.matching.exact import identities
from referee.matching.positions import on_common_positions
from referee.metrics.metric import metric
from referee.pair import Pair

Target: TypeAlias = Callable[[int], int]
"""What an antecedent is compared as, given its place."""
Anaphors: TypeAlias = dict[tuple[int, int], set[int]]
"""Document and place of each anaphor, with what it is associated with."""


@metric("Bridging anaphora", counts="anaphors", scope="annotation", needs="bridging")
def bridging_anaphora(pair: Pair) -> Counts:
    """Bridging anaphors found, whatever their antecedents.

    References
    ----------
    the Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(pair, _anything)


@metric("Bridging by mentions", counts="anaphors", aliases=("bridging_markables",), scope="annotation", needs="bridging")
def bridging_mentions(pair: Pair) -> Counts:
    """Bridging anaphors with the right antecedent, mention for mention.

    References
    ----------
    the Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(pair, _mentions)


@metric("Bridging by entities", counts="anaphors", scope="annotation", needs="bridging")
def bridging_entities(pair: Pair) -> Counts:
    """Bridging anaphors with the right antecedent, or another mention of its key entity.

    Notes
    -----
    Entities are those of the key alone, whatever idea the response has of them: so precision is not the recall of the table
    exchanged.

    References
    ----------
    the Universal Anaphora scorer, Yu et al. (2022).
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
    """`targets` makes of the key, and the places of its mentions, what antecedents are compared as."""
    sides, documents = pair.annotated, len(pair.key.doc_ids)
    if sides.key.bridging is None and sides.response.bridging is None:
        return undefined(documents)
    key_place, response_place = identities(*on_common_positions(*sides, pair.characters))
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
    found, number = np.zeros(documents), np.zeros(documents, dtype=np.int64)
    for (document, place), targets in anaphors.items():
        number[document] += 1
        found[document] += len(targets & others.get((document, place), set())) / len(targets)
    return found, number
