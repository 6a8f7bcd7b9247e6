"""What the Universal Anaphora scorer counts of non-referring expressions and bridging.

References
----------
`evaluator.py` and `reader.py` of ufal/corefud-scorer 1.2 and of juntaoy/universal-anaphora-scorer; Yu et al. (2022, 2023).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, tally
from referee.corpus.corpus import Corpus
from referee.matching.exact import identities
from referee.matching.pair import Pair
from referee.matching.positions import on_common_positions
from referee.metrics.metric import Metric
from referee.stats.counts import Counts, rates

LAYERS = {"non-referring": ("non_referring",), "bridging": ("bridging_anaphora", "bridging_mentions", "bridging_entities")}
"""Name in the programs -> our metrics."""

Same: TypeAlias = Callable[[Corpus, Corpus], set[tuple[int, int]]]
"""(key, response on common positions) -> the pairs of mentions that are the same, many to many."""


def equal(key: Corpus, response: Corpus) -> set[tuple[int, int]]:
    """All pairs of mentions with the same positions."""
    places = [place.tolist() for place in identities(key, response)]
    in_response: dict[int, list[int]] = {}
    for mention, place in enumerate(places[1]):
        in_response.setdefault(place, []).append(mention)
    return {(k, r) for k, place in enumerate(places[0]) for r in in_response.get(place, ())}


def layer_metrics(same: Same) -> dict[str, Metric]:
    """The metrics of `LAYERS` as the programs count them.

    Parameters
    ----------
    same : callable
        Gives the pairs of mentions that are the same, many to many. Anaphors are compared by their positions all the same.
    """
    counts: dict[str, Callable[..., Counts]] = {
        "non_referring": _non_referring,
        **{id_: partial(_bridging, id_) for id_ in LAYERS["bridging"]},
    }
    return {id_: Metric(id_, id_, partial(count, same), scope="annotation") for id_, count in counts.items()}


def _non_referring(same: Same, pair: Pair) -> Counts:
    """Of each entity the first mention counts."""
    key, response = on_common_positions(*pair.unfiltered, pair.characters)
    firsts = _first_mentions(key), _first_mentions(response)
    pairs_of_firsts = [(k, r) for k, r in same(key, response) if k in firsts[0] and r in firsts[1]]
    common, spurious = (
        number(key, {k for k, _ in pairs_of_firsts}),
        number(response, firsts[1] - {r for _, r in pairs_of_firsts}),
    )
    return rates((common, number(key, firsts[0])), (common, common + spurious))


def _first_mentions(side: Corpus) -> set[int]:
    """The first mention of each non-referring entity."""
    if side.referring is None:
        return set()
    mentions = np.flatnonzero(~side.referring[side.entity])
    return set(mentions[np.unique(side.entity[mentions], return_index=True)[1]].tolist())


def _bridging(level: str, same: Same, pair: Pair) -> Counts:
    """Each anaphor has one antecedent, the last; entities are those of the key."""
    key, response = on_common_positions(*pair.unfiltered, pair.characters)
    places = [place.tolist() for place in identities(key, response)]
    of_key, of_response = (
        {} if side.bridging is None else {place[a]: (a, b) for a, b in zip(*map(list, side.bridging[:2]), strict=True)}
        for side, place in zip((key, response), places, strict=True)
    )
    entity = {places[0][m]: int(key.entity[m]) for m in _in_file_order(pair)}
    pairs = same(key, response)

    def right(k: int, r: int) -> bool:
        together = level == "bridging_entities" and entity.get(places[0][k], -1) == entity.get(places[1][r], -2)
        return level == "bridging_anaphora" or (k, r) in pairs or together

    correct = [a for place, (a, b) in of_key.items() if place in of_response and right(b, of_response[place][1])]
    common = number(key, correct)
    of_sides = number(key, [a for a, _ in of_key.values()]), number(response, [a for a, _ in of_response.values()])
    return rates((common, of_sides[0]), (common, of_sides[1]))


def _in_file_order(pair: Pair) -> list[int]:
    """The key mentions that are in an entity when bridging is counted: of a repeated mention, the last in the file counts."""
    key, o = pair.unfiltered.key, pair.options
    scored = np.ones(len(key.entity), bool) if key.referring is None else key.referring[key.entity]
    if o.singletons != "keep":
        scored &= key.entity_size[key.entity] > 1
    if o.zeros == "drop":
        scored &= ~key.zero
    mentions = np.flatnonzero(scored)
    in_order: list[int] = mentions[np.argsort(key.file_order[key.entity[mentions]], kind="stable")].tolist()
    return in_order


def number(side: Corpus, mentions: Iterable[int]) -> Ints:
    """How many of some mentions are in each document."""
    return tally(side.document[np.array([*mentions], dtype=np.int64)], minlength=len(side.doc_ids))


AS_PROGRAM = layer_metrics(equal)
"""The metrics of `LAYERS` with exactly equal mentions."""
