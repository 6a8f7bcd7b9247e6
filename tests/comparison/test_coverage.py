"""Intervals cover, and tests keep their level and have power: on the corpora of `benchmarks/compare.py`."""

import importlib.util

import pytest

from tests.support.paths import ROOT

SCRIPT = ROOT / "benchmarks" / "compare.py"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("compare_benchmark", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.POPULATION = 4000  # of which documents are drawn: enough for systems that are alike to be so
    return module


def limits(lowest, highest, corpora):
    """Between which shares of the corpora one is, 999 times in 1000, if what is true is from the lowest to the highest."""
    binomial = pytest.importorskip("scipy.stats", reason="the binomial distribution is scipy's").binom
    return binomial.ppf(0.0005, corpora, lowest) / corpora, binomial.ppf(0.9995, corpora, highest) / corpora


@pytest.mark.slow
def test_intervals_hold_the_true_value_as_often_as_they_say(benchmark):
    (low, high), (lower, _) = limits(0.93, 0.95, 600), limits(0.92, 0.95, 600)
    for metric, (percentile, bca) in benchmark.coverage(600, resamples=500).items():
        assert low <= percentile <= high, metric
        assert lower <= bca <= high, metric


@pytest.mark.slow
def test_tests_keep_their_level(benchmark):
    same = {"a": benchmark.NULL, "b": benchmark.NULL}
    low, high = limits(0.045, 0.055, 600)
    for metric, (randomization, bootstrap) in benchmark.rejections(same, 600, resamples=199).items():
        assert low <= randomization <= high, metric
        assert low <= bootstrap <= high, metric


@pytest.mark.slow
def test_tests_find_a_difference(benchmark):
    # CoNLL 83.1 against 77.2. The d-error of the two is the same, and whether entities can be paired at all nearly so.
    found = benchmark.rejections({"a": benchmark.NULL, "b": benchmark.WORSE}, 100, resamples=199)
    low, _ = limits(0.96, 1, 100)
    weak = {metric for metric, power in found.items() if min(power) < low}
    assert weak <= {"d_error", "ceaf_phi2", "overlap"}
