"""Two systems exchanged in documents, for the randomization test [1]_: by the toss of a coin, or in all possible ways.

The random numbers are those of `referee.stats.resampling`, with 1 for their kind: swap r of n units uses the bits of ⌈n/64⌉
outputs, lowest first.

References
----------
.. [1] Noreen (1989), Computer-Intensive Methods for Testing Hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from referee.algorithms.arrays import Bools, Floats
from referee.stats.counts import SIDES
from referee.stats.resampling import AddableCounts, blocks

EXACT = 13
"""The largest number of documents on which two systems differ for which all swaps are tried: 2¹³ = 8192."""

OF_OTHER_SIDES = frozenset(f"{side}.{column}" for side in SIDES[1:] for column in ("sum", "number"))
"""The columns of means of documents that give recall and precision alone: the values after swaps need none."""


def random_swaps(units: int, swaps: int, seed: int, stream: int = 0) -> Iterator[Floats]:
    """In which units two systems are exchanged, 1 or 0: blocks of shape (swaps of the block, units)."""
    source = np.random.PCG64(np.random.SeedSequence([seed, 1, stream]))
    words = -(-units // 64)
    for rows in blocks(units, swaps):
        bits = source.random_raw(rows * words).astype("<u8").view(np.uint8).reshape(rows, -1)
        yield np.unpackbits(bits, axis=1, count=units, bitorder="little").astype(np.float64)


def all_swaps(differ: Bools) -> Iterator[Floats]:
    """All ways to exchange two systems in the units where they differ: blocks of shape (swaps of the block, units)."""
    places, done = np.arange(np.count_nonzero(differ)), 0
    for rows in blocks(len(differ), 1 << len(places)):
        swaps = np.zeros((rows, len(differ)))
        swaps[:, differ] = np.arange(done, done + rows)[:, None] >> places & 1
        done += rows
        yield swaps


def differing(counts: AddableCounts, a: str, b: str, metric: str) -> Bools:
    """Where two systems have different counts, shape (units,)."""
    first, second = (counts.columns[list(counts.place[system][metric].values())] for system in (a, b))
    return np.asarray((first != second).any(axis=0))


def swapped(
    counts: AddableCounts, a: str, b: str, swaps: Iterable[Floats], metrics: Iterable[str]
) -> Iterator[tuple[str, Floats]]:
    """Each metric with the values of both systems after each swap, shape (2, swaps)."""
    pairs = {
        m: {name: (row, counts.place[b][m][name]) for name, row in counts.place[a][m].items() if name not in OF_OTHER_SIDES}
        for m in metrics
    }
    differ = dict.fromkeys(pair for by_system in pairs.values() for pair in by_system.values() if pair[0] != pair[1])
    number = {pair: n for n, pair in enumerate(differ)}
    first, second = np.array(list(number), dtype=np.int64).reshape(-1, 2).T
    gain, total = counts.sums(swaps, counts.columns[second] - counts.columns[first]), counts.total
    gain = np.pad(gain, ((0, 1), (0, 0)))  # the last row is for columns that both systems share, such as those of the key
    for metric, by_system in pairs.items():
        sums_a = {name: total[pair[0]] + gain[number.get(pair, -1)] for name, pair in by_system.items()}
        sums_b = {name: total[pair[1]] - gain[number.get(pair, -1)] for name, pair in by_system.items()}
        yield metric, np.stack([counts.divided(a, metric, sums_a).value, counts.divided(b, metric, sums_b).value])


def every_swapped(counts: AddableCounts, a: str, b: str) -> dict[str, Floats]:
    """The values of both systems after all swaps, of the metrics whose counts differ in few enough units."""
    alike: dict[bytes, list[str]] = {}  # by the units in which they differ: often the same for many metrics
    for metric in counts.place[b]:
        differ = differing(counts, a, b, metric)
        if np.count_nonzero(differ) <= EXACT:
            alike.setdefault(differ.tobytes(), []).append(metric)
    return {
        metric: values
        for differ, metrics in alike.items()
        for metric, values in swapped(counts, a, b, all_swaps(np.frombuffer(differ, dtype=np.bool_)), metrics)
    }
