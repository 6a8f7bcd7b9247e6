"""Results travel: through pickle, to other processes, through joblib."""

import multiprocessing
import pickle
from pathlib import Path

import pytest

from referee import compare, score
from tests.support.paths import ROOT

KEY, RESPONSE = (str(ROOT / "examples" / f"{name}.conll") for name in ("key", "response"))


def evaluation_of(response):
    return score(KEY, response)


def test_results_pickle_with_all_that_they_can_compute_later(tmp_path):
    moved = tmp_path / "key.conll"
    moved.write_text(Path(KEY).read_text())
    evaluation = score(str(moved), RESPONSE)
    bytes_of = pickle.dumps(evaluation)
    moved.unlink()  # the words are in the pickle
    copy = pickle.loads(bytes_of)
    assert str(copy) == str(evaluation)
    assert copy["ari"] == score(KEY, RESPONSE)["ari"]
    assert copy.errors().counts == score(KEY, RESPONSE).errors().counts
    for result in (copy.errors(), copy.intervals(), compare(KEY, [RESPONSE, KEY], metrics="muc")):
        assert str(pickle.loads(pickle.dumps(result))) == str(result)


def test_evaluations_come_back_from_other_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        [found] = pool.map(evaluation_of, [RESPONSE])
    assert found["conll"].f1 == evaluation_of(RESPONSE)["conll"].f1


def test_evaluations_come_back_from_joblib():
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    found = joblib.Parallel(n_jobs=1)(joblib.delayed(evaluation_of)(response) for response in [RESPONSE, KEY])
    assert [e["conll"].f1 for e in found] == [evaluation_of(RESPONSE)["conll"].f1, 1]
