"""Results travel: through pickle, to other processes, through joblib."""

import copy
import multiprocessing
import pickle
from pathlib import Path

import pytest

from referee import compare, score
from referee.metrics.registry import METRICS
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


@pytest.mark.parametrize(
    "result",
    [
        lambda e: e,
        lambda e: e["muc"],
        lambda e: e.counts["muc"],
        lambda e: e.columns("ceaf_e"),
        lambda e: e.metrics["own"],
        lambda e: e.options,
        lambda e: e.systems,
        lambda e: e.intervals(resamples=50),
        lambda e: e.errors(),
        lambda e: e.errors().by("size"),
        lambda e: compare(e, score(KEY, KEY, metrics={"own": of_lea, "muc": "muc", "ceaf_e": "ceaf_e"})),
    ],
)
def test_what_comes_back_is_equal_and_has_the_same_hash(result):
    value = result(score(KEY, RESPONSE, metrics={"own": of_lea, "muc": "muc", "ceaf_e": "ceaf_e"}))
    for same in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert same is not value
        assert same == value
        assert hash(same) == hash(value)


def of_lea(table):
    return METRICS["lea"].count(table)


def test_scores_are_equal_if_they_say_the_same():
    key, response = [{1, 2, 3}, {4, 5}], [{1, 2}, {3, 4, 5}]
    one = score(key, response, metrics="muc")
    assert one == score(key, response, metrics="muc")
    assert one == dict(one)
    assert one != score(key, response, metrics="muc", singletons="drop")  # with the same numbers
    assert one != score(key, response, metrics="lea")
    assert one != score(key, response, metrics="muc", name="another")
    assert one.errors() == score(key, response, metrics="muc").errors()
    assert one.errors() != score(key, key, metrics="muc").errors()


def test_evaluations_come_back_from_other_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        [found] = pool.map(evaluation_of, [RESPONSE])
    assert found["conll"].f1 == evaluation_of(RESPONSE)["conll"].f1


def test_evaluations_come_back_from_joblib():
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    found = joblib.Parallel(n_jobs=1)(joblib.delayed(evaluation_of)(response) for response in [RESPONSE, KEY])
    assert [e["conll"].f1 for e in found] == [evaluation_of(RESPONSE)["conll"].f1, 1]
