"""Calibration: bins, their mean error, reliability."""

import json
import math

import numpy as np
import pytest

from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.calibration import BIN_EDGES, Calibration, calibrate
from referee.phrases.scoring import score
from tests.support.paths import SHARED
from tests.support.phrases import listed

KIT = SHARED / "phrase"
in_kit = pytest.mark.skipif(not KIT.is_dir(), reason="needs the phrase kit, ../shared/phrase")


def test_the_error_is_the_mean_distance_over_bins():
    # 0.25 said of four of which two are true: off by 0.25; 0.95 of two, both true: off by 0.05.
    found = calibrate(np.array([0.25, 0.95]), np.array([4, 2]), np.array([2, 2]))
    assert found.error == pytest.approx((4 * 0.25 + 2 * 0.05) / 6)
    assert found.bins() == [(0.2, 0.3, 4, 0.25, 0.5), (0.9, 1.0, 2, 0.95, 1.0)]


def test_millions_of_trivially_false_candidates_do_not_hide_an_error():
    found = calibrate(np.array([1e-8, 0.5]), np.array([10_000_000, 10]), np.array([0, 10]))
    assert found.error == 0.5


def test_edges_belong_to_the_bin_above_and_1_to_the_last():
    found = calibrate(np.array([0.0, 0.1, 0.3, 1.0]), np.ones(4, dtype=np.int64), np.zeros(4, dtype=np.int64))
    assert [(low, high) for low, high, *_ in found.bins()] == [(0, 1e-6), (0.1, 0.2), (0.3, 0.4), (0.9, 1.0)]


def test_nothing_is_undefined():
    nothing = np.zeros(0, dtype=np.int64)
    assert math.isnan(calibrate(np.zeros(0), nothing, nothing).error)


def test_what_is_not_listed_is_in_the_bin_of_its_default():
    key = Chunks.build(Sentences.numbered([2]), ["A"], sentence=[0, 0], start=[0, 0], end=[1, 2], category=[0, 0])
    scores = score(key, listed(key, ["A"], [(0, 0, 1, 0, 0.75)], 0.25))
    assert scores.calibration.bins() == [(0.2, 0.3, 2, 0.25, 0.5), (0.7, 0.8, 1, 0.75, 1.0)]


@in_kit
def test_the_error_of_a_models_reliability_table_is_that_of_the_kit():
    # Its ten bins of equal width, of what is at least 0.01, are these ten.
    found = json.loads((KIT / "expected.json").read_text())["runs"]["conll"]["models"]["G"]
    rows = {low: (n, said, true) for low, _, n, said, true in found["reliability(lo,hi,n,mean_p,true_rate)"]}
    columns = np.array([rows.get(float(edge), (0, 0, 0)) for edge in BIN_EDGES[:-1]])
    n = columns[:, 0].astype(np.int64)
    calibration = Calibration(n, n * columns[:, 1], np.rint(n * columns[:, 2]).astype(np.int64))
    assert calibration.error == pytest.approx(found["ece_10_p>=.01"], rel=1e-6)
