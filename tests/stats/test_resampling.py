"""Resamples and swaps: against plain loops, and the same digits whatever the order and the size of blocks."""

import math
from fractions import Fraction

import numpy as np
import pytest

from referee.scoring.units import averaged
from referee.stats import resampling
from referee.stats.counts import SIDES, Counts, finish_rates, single
from referee.stats.intervals import bca, percentile
from referee.stats.resampling import AddableCounts, addable, bootstrap_weights
from referee.stats.settings import Resampling
from referee.stats.swaps import all_swaps, differing, random_swaps, swapped
from tests.support.metrics import ENTITY_METRICS
from tests.support.partitions import random_documents, table_of

DOCUMENTS = random_documents(np.random.default_rng(5), 12)
OTHERS = [(key, response) for (key, _), (_, response) in zip(DOCUMENTS, DOCUMENTS[1:] + DOCUMENTS[:1], strict=True)]
SYSTEMS = {
    name: {m: metric.count(table_of(of)) for m, metric in ENTITY_METRICS.items()}
    for name, of in (("a", DOCUMENTS), ("b", OTHERS))
}


def plainly_drawn(documents, resamples, seed, stream):
    """Which documents are in each resample, one number at a time."""
    source = np.random.PCG64(np.random.SeedSequence([seed, 0, stream]))
    return [[(int(source.random_raw()) >> 32) * documents >> 32 for _ in range(documents)] for _ in range(resamples)]


def added(counts, rows):
    """The score of some documents, their counts added one after another."""
    columns = {name: np.array([math.fsum(column[rows].tolist())]) for name, column in counts.columns.items()}
    return float(np.atleast_1d(counts.finish(columns, math.nan, 1.0).value)[0])


@pytest.mark.parametrize("metric", ENTITY_METRICS)
def test_the_bootstrap_is_the_plain_loop(metric):
    s = AddableCounts.from_systems(SYSTEMS)
    for name in SYSTEMS:
        found = s.score(name, metric, s.sums(bootstrap_weights(12, 40, seed=3, stream=9))).value
        wanted = [added(SYSTEMS[name][metric], rows) for rows in plainly_drawn(12, 40, 3, 9)]
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("metric", ENTITY_METRICS)
def test_a_swap_exchanges_the_documents_of_two_systems(metric):
    s = AddableCounts.from_systems(SYSTEMS)
    weights = np.concatenate(list(random_swaps(12, 30, seed=1)))
    ((_, (first, second)),) = swapped(s, "a", "b", [weights], [metric])
    both = Counts(
        {n: np.concatenate([SYSTEMS["a"][metric].columns[n], c]) for n, c in SYSTEMS["b"][metric].columns.items()},
        SYSTEMS["a"][metric].finish,
    )
    for row, tossed in enumerate(weights.astype(int).tolist()):
        one = [d + 12 * exchanged for d, exchanged in enumerate(tossed)]
        other = [d + 12 * (1 - exchanged) for d, exchanged in enumerate(tossed)]
        for found, rows in ((first, one), (second, other)):
            assert found[row] == pytest.approx(added(both, rows), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("cached", [7, 1 << 16])
@pytest.mark.parametrize("kind", [bootstrap_weights, random_swaps])
def test_blocks_change_nothing(kind, cached, monkeypatch):
    whole = np.concatenate(list(kind(70, 50, seed=2, stream=4)))
    monkeypatch.setattr(resampling, "BLOCK", 211)
    monkeypatch.setattr(resampling, "CACHED", cached)
    blocks = list(kind(70, 50, seed=2, stream=4))
    assert len(blocks) > 10
    assert np.array_equal(whole, np.concatenate(blocks))


def test_the_numbers_are_those_of_pcg64():
    # XSL RR 128/64 of O'Neill (2014), "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms".
    source = np.random.PCG64(np.random.SeedSequence([7, 0, 1]))
    state, increment = source.state["state"]["state"], source.state["state"]["inc"]
    drawn = []
    for _ in range(30):
        state = (state * 0x2360ED051FC65DA44385DF649FCCF645 + increment) % 2**128
        mixed, turn = (state >> 64 ^ state) % 2**64, state >> 122
        output = (mixed >> turn | mixed << (64 - turn)) % 2**64
        drawn.append((output >> 32) * 10 >> 32)
    wanted = [np.bincount(drawn[first : first + 10], minlength=10).tolist() for first in (0, 10, 20)]
    assert np.concatenate(list(bootstrap_weights(10, 3, seed=7, stream=1))).tolist() == wanted


def test_every_resample_has_as_many_documents_as_there_are():
    drawn = np.concatenate(list(bootstrap_weights(37, 500, seed=0)))
    assert (drawn.sum(axis=1) == 37).all()
    # Each document is drawn once a resample on average; 5 standard deviations of a mean over 500 resamples.
    assert np.abs(drawn.mean(axis=0) - 1).max() < 5 * math.sqrt(1 / 500)


def test_a_swap_exchanges_half_of_the_documents():
    tossed = np.concatenate(list(random_swaps(130, 500, seed=0)))
    assert set(np.unique(tossed)) == {0.0, 1.0}
    assert np.abs(tossed.mean(axis=0) - 0.5).max() < 5 * math.sqrt(0.25 / 500)


def test_streams_and_seeds_differ():
    some = [np.concatenate(list(bootstrap_weights(20, 5, seed, stream))) for seed, stream in ((0, 0), (1, 0), (0, 1))]
    assert not np.array_equal(some[0], some[1])
    assert not np.array_equal(some[0], some[2])


def test_every_swap_is_listed_once():
    ways = np.concatenate(list(all_swaps(np.array([True, False, True, True]))))
    assert ways.shape == (8, 4)
    assert len({tuple(row) for row in ways.tolist()}) == 8
    assert not ways[:, 1].any()


def test_sums_are_exact_in_any_order():
    rng = np.random.default_rng(0)
    column = rng.lognormal(0, 8, 1000)
    (exact,) = addable([column])
    assert np.abs(exact - column).max() <= 1000 * 2.0**-52 * column.max()
    weights = np.concatenate(list(bootstrap_weights(1000, 20, seed=0)))
    order = rng.permutation(1000)
    sums = [math.fsum((row * exact).tolist()) for row in weights]
    assert (weights @ exact).tolist() == (weights[:, order] @ exact[order]).tolist() == sums


def test_whole_numbers_stay_as_they_are():
    column = np.array([0.0, 1.0, 3.0, 2.0**40 + 1])
    assert addable([column])[0].tolist() == column.tolist()


def test_what_is_rounded_to_0_has_no_sign():
    assert addable([np.array([1.0, -1e-20])])[0].tobytes() == np.array([1.0, 0.0]).tobytes()


def test_what_bounds_an_alignment_is_left_out_wherever_it_stands():
    counts = Counts({"slack": np.array([0.5, 0.0]), "numerator": np.array([1, 2])}, finish_rates)
    s = AddableCounts.from_systems({"a": {"m": counts}})
    assert s.place == {"a": {"m": {"numerator": 0}}}
    assert s.columns.tolist() == [[1, 2]]


@pytest.mark.parametrize("units", [1, 2])
def test_from_two_units_on_there_are_resamples(units):
    s = AddableCounts.from_systems({"a": {"m": single(np.arange(units), np.ones(units, dtype=np.int64))}})
    assert (s.estimates(Resampling(method="percentile", resamples=40))["a"]["m"].resampled is None) == (units == 1)


def test_each_different_column_is_kept_once():
    s = AddableCounts.from_systems({"a": SYSTEMS["a"], "again": SYSTEMS["a"]})
    assert s.place["a"] == s.place["again"]
    assert len(s.columns) < sum(len(c.columns) for c in SYSTEMS["a"].values())
    assert not any(differing(s, "a", "again", metric).any() for metric in ENTITY_METRICS)


@pytest.mark.parametrize("undefined", [math.nan, 0.0])
@pytest.mark.parametrize("metric", ENTITY_METRICS)
def test_the_mean_over_documents_is_one_of_counts(metric, undefined):
    rows = {name: SYSTEMS[name][metric].score(undefined) for name in SYSTEMS}
    present = np.arange(12) != 3
    found = averaged({name: SYSTEMS[name][metric] for name in SYSTEMS}, undefined, 1.0, present)
    for side in SIDES:
        columns = [getattr(score, side) for score in rows.values()]
        if columns[0] is not None:
            both = present & ~np.isnan(columns[0]) & ~np.isnan(columns[1])  # a document where one has no score is no one's
            for name, column in zip(rows, columns, strict=True):
                mean = math.fsum(column[both].tolist()) / both.sum() if both.any() else math.nan
                ours = getattr(found[name].total().score(), side)
                assert float(ours[0]) == pytest.approx(mean, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 1e12])
def test_addable_numbers_add_exactly_in_any_order(scale):
    numbers = np.random.default_rng(2).random(200) * scale
    (rounded,) = addable([numbers])
    assert abs(rounded - numbers).max() <= 200 * 2.0**-52 * numbers.max()
    exact = sum(map(Fraction, rounded.tolist()))
    assert all(Fraction(float(np.cumsum(rounded[order])[-1])) == exact for order in (slice(None), slice(None, None, -1)))


def test_numbers_beside_an_infinite_one_keep_their_digits():
    assert addable([np.array([math.inf, 1e-20])])[0].tolist() == [math.inf, 1e-20]
    assert addable([np.zeros(3)])[0].tolist() == [0, 0, 0]


def test_the_jackknife_is_the_score_without_each_unit_less_that_of_all():
    s = AddableCounts.from_systems({"a": {"m": single(np.array([1, 2, 0]), np.array([2, 2, 1]))}})
    found = s.estimates(Resampling(method="bca", resamples=40))["a"]["m"].influence
    assert found[0] == pytest.approx([2 / 3 - 3 / 5, 1 / 3 - 3 / 5, 3 / 4 - 3 / 5])
    for method in ("percentile", "linear"):
        assert s.estimates(Resampling(method=method, resamples=40))["a"]["m"].influence.shape == (1, 0)


def test_counts_have_intervals_by_their_names_and_no_counts_have_none():
    two = single(np.array([1, 1]), np.array([2, 2]))
    assert resampling.intervals({"m": two}, Resampling(resamples=40)) == {"m": {"value": (1 / 2, 1 / 2, 0)}}
    assert resampling.intervals({}, Resampling()) == {}


def test_an_interval_is_that_of_its_method():
    s = AddableCounts.from_systems({"a": {"m": single(np.array([1, 2, 0, 1]), np.array([2, 2, 5, 9]))}})
    of_both = [Resampling(method=method, resamples=40) for method in ("percentile", "bca")]
    first, second = (s.estimates(r)["a"]["m"] for r in of_both)
    assert first.resampled is not None and second.resampled is not None
    expected = percentile(first.resampled[0], 0.95), bca(second.resampled[0], 4 / 18, second.influence[0], 0.95)
    assert tuple(e.intervals(r)["value"] for e, r in zip((first, second), of_both, strict=True)) == expected
    assert expected[0] != expected[1]


def test_differences_of_addable_numbers_need_no_rounding():
    (first,), (second,) = addable([np.array([1 - 2.0**-53]), np.array([2.0**-52 - 1])])
    assert Fraction(float(first - second)) == Fraction(float(first)) - Fraction(float(second))
