"""Intervals cover, and tests keep their level and have power: on the corpora of `benchmarks/compare.py`."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.support.paths import ROOT

SCRIPT = ROOT / "benchmarks" / "compare.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compare_benchmark", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_intervals_hold_the_true_value_as_often_as_they_say(benchmark: ModuleType) -> None:
    for metric, (percentile, bca) in benchmark.coverage(1000, resamples=1000).items():
        assert 0.92 <= percentile <= 0.98, metric
        assert 0.91 <= bca <= 0.98, metric


@pytest.mark.slow
def test_tests_keep_their_level(benchmark: ModuleType) -> None:
    same = {"a": benchmark.NULL, "b": benchmark.NULL}
    for metric, (randomization, bootstrap) in benchmark.rejections(same, 1000, resamples=500).items():
        assert 0.03 <= randomization <= 0.07, metric
        assert 0.03 <= bootstrap <= 0.07, metric


@pytest.mark.slow
def test_tests_find_a_difference(benchmark: ModuleType) -> None:
    # CoNLL 83.1 against 77.2. The d-error of the two is the same, and whether entities can be paired at all nearly so.
    found = benchmark.rejections({"a": benchmark.NULL, "b": benchmark.WORSE}, 200, resamples=500)
    weak = {metric for metric, power in found.items() if min(power) <= 0.9}
    assert weak <= {"d_error", "ceaf_phi2", "overlap"}
