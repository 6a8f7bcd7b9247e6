"""Are intervals over groups of merged entities wide enough, and would those over single entities be? From the root:

    OPENBLAS_NUM_THREADS=1 python benchmarks/entities.py [CORPORA]

Corpora of 40 and 200 entities are made by a fixed generator. A response splits entities and merges others, or it has records in
a random other entity. The mean score of 600 corpora stands for the truth. For links, the columns are how many per cent of the
95 % intervals hold the true recall, precision and F, and how often a test at 5 % of two equally good systems finds a difference
in each. The parts of single entities are those of `referee.estimate`: of a false link, each of two entities has one half.
"""

from __future__ import annotations

import sys

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.components import joined

KINDS = (("merged", 0.1), ("merged", 0.25), ("moved", 0.05), ("moved", 0.15))
SIZES, SHARES = (1, 2, 3, 4, 6, 8), (0.35, 0.25, 0.17, 0.12, 0.07, 0.04)
RESAMPLES = 400

rng = np.random.default_rng(1)


def key_of(entities: int) -> Ints:
    """The entity of each record."""
    return np.repeat(np.arange(entities), rng.choice(SIZES, entities, p=SHARES))


def response_of(key: Ints, entities: int, kind: str, rate: float) -> Ints:
    """The entity of each record in a response with errors of a kind."""
    response = key.copy()
    if kind == "moved":
        moved = rng.random(len(key)) < rate
        response[moved] = rng.integers(0, entities, np.count_nonzero(moved))
        return response
    for new, entity in enumerate(np.flatnonzero(rng.random(entities) < rate), start=entities):
        records = np.flatnonzero(key == entity)
        response[records[: rng.integers(1, len(records)) if len(records) > 1 else 0]] = new
    for entity in np.flatnonzero(rng.random(entities) < 0.6 * rate):
        response[response == entity] = rng.integers(entities)
    return response


def links_of(key: Ints, response: Ints, entities: int) -> Floats:
    """Links found, of the key and of the response: the part of each key entity, shape (3, entities)."""
    (k, r), shared = np.unique(np.stack([key, response]), axis=1, return_counts=True)
    size, merged = np.bincount(key, minlength=entities), np.bincount(response)[r]
    found = np.bincount(k, shared * (shared - 1) / 2, entities)
    return np.stack([found, size * (size - 1) / 2, found + np.bincount(k, shared * (merged - shared) / 2, entities)])


def groups_of(key: Ints, responses: list[Ints], entities: int) -> Ints:
    """The group of each entity: what responses merge."""
    first = np.cumsum([entities, *(response.max() + 1 for response in responses)])
    nodes = [response + start for response, start in zip(responses, first[:-1], strict=True)]
    label = joined(np.arange(first[-1]), np.concatenate([key] * len(responses)), np.concatenate(nodes))
    return np.unique(label[:entities], return_inverse=True)[1]


def scores(sums: Floats) -> Floats:
    """Recall, precision and F of sums of links."""
    found, of_key, of_response = sums
    with np.errstate(invalid="ignore"):
        return np.stack([found / of_key, found / of_response, 2 * found / (of_key + of_response)])


def held(units: Floats, truth: Floats) -> Floats:
    """Whether intervals from resampled units hold the truth."""
    n = units.shape[1]
    low, high = np.nanpercentile(scores(units @ rng.multinomial(n, np.full(n, 1 / n), RESAMPLES).T), [2.5, 97.5], axis=1)
    return (low <= truth) & (truth <= high)


def significant(one: Floats, other: Floats) -> Floats:
    """Whether exchanges of two systems find a difference."""
    gain = (other - one) @ rng.integers(0, 2, (RESAMPLES, one.shape[1])).T
    null = scores(other.sum(axis=1)[:, None] - gain) - scores(one.sum(axis=1)[:, None] + gain)
    observed = scores(other.sum(axis=1)) - scores(one.sum(axis=1))
    return ((np.abs(null) >= np.abs(observed)[:, None] - 1e-12).sum(axis=1) + 1) / (RESAMPLES + 1) <= 0.05


def main(corpora: int) -> None:
    """Print a line for each kind of errors, number of entities, and unit."""
    for kind, rate in KINDS:
        for entities in (40, 200):

            def drawn(entities: int = entities, kind: str = kind, rate: float = rate) -> tuple[Ints, Ints, Ints]:
                key = key_of(entities)
                return key, response_of(key, entities, kind, rate), response_of(key, entities, kind, rate)

            pairs = (drawn()[:2] for _ in range(600))
            truth = np.mean([scores(links_of(*pair, entities).sum(axis=1)) for pair in pairs], axis=0)
            found = {"entities": np.zeros((2, 3)), "groups": np.zeros((2, 3))}
            for _ in range(corpora):
                key, one, other = drawn()
                parts = [links_of(key, response, entities) for response in (one, other)]
                alone, both = groups_of(key, [one], entities), groups_of(key, [one, other], entities)
                pairs_of = zip((parts[0], *parts), (alone, both, both), strict=True)
                grouped = [np.stack([np.bincount(of, row) for row in units]) for units, of in pairs_of]
                for name, (interval, *test) in {"entities": (parts[0], *parts), "groups": grouped}.items():
                    found[name] += held(interval, truth), significant(*test)
            for name, (hold, differ) in found.items():
                print(f"{kind} {rate:4} {entities:4} {name:8}", *(100 * np.concatenate([hold, differ]) / corpora).round(1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
