"""Do intervals cover, do tests keep their level, and how long does it take? From the root:

    OPENBLAS_NUM_THREADS=1 python benchmarks/compare.py [coverage | tests | speed] [CORPORA]

Documents are made by a fixed generator: entities grow as in a Chinese restaurant, and a response drops, moves and adds mentions
at rates of its own for each document. A population of many stands for the truth; corpora are drawn from it.

    coverage  how often the 95 % interval of a corpus of 100 documents holds the population's score, metric by metric
    tests     how often a difference is significant at 5 % where there is none, and where there is one
    speed     seconds and memory beside what scoring takes, with one thread as in the command
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Mapping

import numpy as np

from referee.comparison.parts import part_of, sampled
from referee.metrics.registry import METRICS
from referee.metrics.table import Table
from referee.scoring.units import UnitCounts
from referee.stats.counts import Counts
from referee.stats.intervals import bca, percentile
from referee.stats.resampling import AddableCounts, bootstrap_weights
from referee.stats.settings import Resampling

DOCUMENTS = 100
POPULATION = 20_000
NULL, WORSE = 0.10, 0.14
"""Mean rates of error: of the systems that are alike, and of the worse one."""


def population(rates: Mapping[str, float], documents: int, seed: int = 0) -> dict[str, dict[str, Counts]]:
    """System -> metric -> counts, of responses with these mean rates of error to the same generated keys."""
    rng = np.random.default_rng(seed)
    sizes = np.clip(rng.lognormal(3.6, 0.5, documents).astype(int), 6, 300)
    hardness = rng.gamma(4, 1 / 4, documents)  # mean 1: some documents are harder, for all systems
    keys = []
    for size in sizes.tolist():
        labels = [0]
        for place, new in enumerate((rng.random(size) < 0.35).tolist()[1:], start=1):
            labels.append(max(labels) + 1 if new else labels[int(rng.integers(place))])
        keys.append(np.array(labels))
    return {name: _counts(keys, sizes, np.clip(rate * hardness, 0, 0.9), rng) for name, rate in rates.items()}


def _counts(keys: list[np.ndarray], sizes: np.ndarray, rate: np.ndarray, rng: np.random.Generator) -> dict[str, Counts]:
    columns: dict[str, list[np.ndarray]] = {name: [] for name in ("k", "r", "ks", "rs", "kd", "rd")}
    key_start = response_start = 0
    for number, (key, error) in enumerate(zip(keys, rate.tolist(), strict=True)):
        n = len(key)
        kept = rng.random(n) >= error / 2
        response = np.where(rng.random(n) < error, rng.integers(0, key.max() + 2, n), key)
        spurious = rng.integers(0, key.max() + 2, rng.binomial(n, error / 2))
        found, response = np.unique(np.concatenate([response[kept], spurious]), return_inverse=True)
        columns["k"].append(key[kept] + key_start)
        columns["r"].append(response[: kept.sum()] + response_start)
        columns["ks"].append(np.bincount(key))
        columns["rs"].append(np.bincount(response, minlength=len(found)))
        columns["kd"].append(np.full(key.max() + 1, number))
        columns["rd"].append(np.full(len(found), number))
        key_start, response_start = key_start + key.max() + 1, response_start + len(found)
    made = {name: np.concatenate(parts).astype(np.int64) for name, parts in columns.items()}
    table = Table.of(*made.values(), len(keys))
    return {name: metric.count(table) for name, metric in METRICS.items() if metric.scope in ("component", "document")}


def corpus(systems: Mapping[str, Mapping[str, Counts]], rng: np.random.Generator, documents: int = DOCUMENTS) -> UnitCounts:
    """Some documents of the population."""
    chosen = rng.integers(POPULATION, size=documents)
    counts = {name: {m: c.rows(chosen) for m, c in metrics.items()} for name, metrics in systems.items()}
    return UnitCounts([str(n) for n in range(documents)], counts, {name: np.ones(documents, dtype=bool) for name in counts})


def coverage(corpora: int = 500, resamples: int = 2000, level: float = 0.95) -> dict[str, tuple[float, float]]:
    """Metric -> the share of corpora whose percentile interval, and BCa interval, holds the score of the population."""
    systems = population({"a": NULL}, POPULATION)
    # What is added up rather than divided grows with the corpus: its truth is that of a corpus of this size.
    share = {m: DOCUMENTS / POPULATION if systems["a"][m].unit == "operations" else 1.0 for m in systems["a"]}
    truth = {m: float(c.total().score().value[0]) * share[m] for m, c in systems["a"].items()}
    rng = np.random.default_rng(1)
    held = {m: np.zeros(2) for m in truth}
    for number in range(corpora):
        s = AddableCounts.from_systems(corpus(systems, rng).systems)
        sums, total = s.sums(bootstrap_weights(DOCUMENTS, resamples, number)), s.total
        for m, true in truth.items():
            values, found = s.score("a", m, sums).value, float(s.score("a", m, total).value[0])
            influence = s.score("a", m, s.total - s.columns).value
            for n, interval in enumerate((percentile(values, level), bca(values, found, influence, level))):
                held[m][n] += interval.low <= true <= interval.high
    return {m: (float(h[0] / corpora), float(h[1] / corpora)) for m, h in held.items()}


def rejections(rates: Mapping[str, float], corpora: int = 500, resamples: int = 1000) -> dict[str, tuple[float, float]]:
    """Metric -> the share of corpora in which randomization, and the bootstrap, find a difference at 5 %."""
    systems = population(rates, POPULATION)
    rng = np.random.default_rng(2)
    found = {m: np.zeros(2) for m in systems["a"]}
    for number in range(corpora):
        r = Resampling(resamples=resamples, seed=number)
        units = corpus(systems, rng)
        samples = sampled("", units, "a", r, zero_division=np.nan, beta=1.0, random=True)
        part = part_of("", units, samples, "a", r)
        for m, cell in part.cells["b"].items():
            d = cell.difference
            assert d is not None
            found[m] += np.array([d.randomization <= 0.05, d.bootstrap <= 0.05])
    return {m: (float(f[0] / corpora), float(f[1] / corpora)) for m, f in found.items()}


def _speed() -> None:
    for documents, systems in ((348, 8), (10_000, 8)):
        counts = population({str(n): NULL + n / 100 for n in range(systems)}, documents)
        rows = UnitCounts([str(n) for n in range(documents)], counts, {name: np.ones(documents, dtype=bool) for name in counts})
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        r = Resampling()
        part_of("", rows, sampled("", rows, "0", r, zero_division=np.nan, beta=1.0, random=False), "0", r)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"{documents} documents, {systems} systems, {len(counts['0'])} metrics, {r.resamples} resamples: {seconds:.2f} s, "
            f"{peak / 1024:.0f} MB at most ({before / 1024:.0f} before)"
        )


def _print(titles: tuple[str, ...], columns: list[dict[str, tuple[float, float]]]) -> None:
    print(f"{'':18}" + "".join(f"{title:>20}" for title in titles))
    for m in columns[0]:
        print(f"{m:18}" + "".join(f"{share:20.3f}" for column in columns for share in column[m]))


if __name__ == "__main__":
    what, number = (sys.argv[1:2] or ["all"])[0], int((sys.argv[2:3] or ["500"])[0])
    if what in ("coverage", "all"):
        _print(("percentile", "bca"), [coverage(number)])
    if what in ("tests", "all"):
        same, other = {"a": NULL, "b": NULL}, {"a": NULL, "b": WORSE}
        titles = ("level: randomization", "level: bootstrap", "power: randomization", "power: bootstrap")
        _print(titles, [rejections(same, number), rejections(other, number)])
        worse = population(other, POPULATION)
        effects = {
            m: (float(worse["a"][m].total().score().value[0]), float(c.total().score().value[0])) for m, c in worse["b"].items()
        }
        _print(("score of a", "of b"), [effects])
    if what in ("speed", "all"):
        _speed()
