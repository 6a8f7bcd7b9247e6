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
from referee.counts import Counts, rates
from referee.matching.exact import identities
from referee.matching.positions import on_common_positions
from referee.metrics.table import Table

Target: TypeAlias = Callable[[int], int]
"""What an antecedent is compared as, given its place."""
Anaphors: TypeAlias = dict[tuple[int, int], set[int]]
"""Document and place of each anaphor, with what it is associated with."""


def bridging_anaphora(table: Table) -> Counts:
    """Bridging anaphors found, whatever their antecedents.

    Counts are anaphors.

    Source: the Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(table, _anything)


def bridging_mentions(table: Table) -> Counts:
    """Bridging anaphors with the right antecedent, mention for mention.

    Counts are anaphors.

    Source: the Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(table, _mentions)


def bridging_entities(table: Table) -> Counts:
    """Bridging anaphors with the right antecedent, or another mention of its key entity.

    Counts are anaphors. Entities are those of the key alone, whatever idea the response has of them: so precision is not the
    recall of the table exchanged.

    Source: the Universal Anaphora scorer, Yu et al. (2022).
    """
    return _bridging(table, _entities)


def _anything(key: Corpus, place: Ints) -> Target:
    return lambda _: 0


def _mentions(key: Corpus, place: Ints) -> Target:
    return lambda antecedent: antecedent


def _entities(key: Corpus, place: Ints) -> Target:
    """Antecedents as entities of the key; those that are in none stand for themselves."""
    referring = np.ones(len(place), dtype=bool) if key.referring is None else key.referring[key.entity]
    entity = dict(zip(place[referring].tolist(), key.entity[referring].tolist(), strict=True))
    return lambda antecedent: entity.get(antecedent, -1 - antecedent)


def _bridging(table: Table, targets: Callable[[Corpus, Ints], Target]) -> Counts:
    """targets : from the key and the places of its mentions to what antecedents are compared as"""
    layers = table.layers
    if layers is None or (layers.key.bridging is None and layers.response.bridging is None):
        none = np.zeros(table.documents, dtype=np.int64)
        return rates((none, none), (none, none))
    key_place, response_place = identities(*on_common_positions(*layers))
    target = targets(layers.key, key_place)
    key = _anaphors(layers.key, key_place, target)
    response = _anaphors(layers.response, response_place, target)
    return rates(_shares(key, response, table.documents), _shares(response, key, table.documents))


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
