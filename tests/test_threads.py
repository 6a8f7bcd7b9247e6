"""Threads of one process may score at the same time, as training loops and services do, with and without the global lock."""

import multiprocessing
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import referee
from tests.support.paths import EXAMPLES


@pytest.fixture(autouse=True)
def impatient():
    """Threads take turns after microseconds, so that they meet inside of everything."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def clusters(seed):
    rng = random.Random(seed)
    mentions = [f"m{number}" for number in range(60)]
    rng.shuffle(mentions)
    return [mentions[first : first + 1 + seed % 7] for first in range(0, 60, 7)]


def of_clusters(seed):
    return str(referee.score(clusters(seed), clusters(seed + 1), metrics="all").report("json"))


def of_files(_):
    return str(referee.score(EXAMPLES / "key.conll", EXAMPLES / "response.conll", metrics="all").report("json"))


def of_options(seed):
    singletons = ("keep", "drop")[seed % 2]
    return str(referee.score(clusters(seed), clusters(seed + 1), singletons=singletons, average="macro").report("json"))


def of_errors(seed):
    return str(referee.errors(clusters(seed), clusters(seed + 1)).report("json"))


def of_intervals(seed):
    evaluation = referee.score(EXAMPLES / "key.conll", EXAMPLES / "response.conll")
    return repr(evaluation.intervals(seed=seed)["conll"])


@pytest.mark.parametrize("rows", [False, True])
def test_a_scorer_may_be_shared_by_threads(rows, monkeypatch):
    monkeypatch.setattr("referee.training.scorer.TOGETHER", 100)  # documents are counted all the time
    documents = [(clusters(seed), clusters(seed + 1)) for seed in range(12)]
    spans = [[[[(int(m[1:]), int(m[1:]) + 1) for m in c] for c in side] for side in pair] for pair in documents]
    alone, shared = (referee.Scorer(rows=rows) for _ in range(2))
    for response, key in spans * 20:
        alone.update(response, key)

    def work(number):
        for step, (response, key) in enumerate(spans * 5):
            if step % 10 == number:
                shared.compute()
            if step % 7:
                shared.update(response, key)
            else:
                shared.add(key, response)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert shared.documents == alone.documents == 240
    assert shared.compute().flat() == alone.compute().flat()
    if rows:
        assert [*map(repr, shared.compute().macro("lea"))] == [*map(repr, alone.compute().macro("lea"))]


def test_scorers_of_threads_and_processes_are_merged():
    documents = [(clusters(seed), clusters(seed + 1)) for seed in range(8)]
    alone, whole = referee.Scorer(), referee.Scorer()
    for response, key in documents:
        alone.add(key, response)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(scored, [documents[:3], documents[3:]])
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(whole.merge, parts))
    assert whole.compute().flat() == alone.compute().flat()


def scored(documents):
    scorer = referee.Scorer()
    for response, key in documents:
        scorer.add(key, response)
    return scorer


def test_threads_get_what_one_thread_gets():
    jobs = [(work, seed) for work in (of_clusters, of_files, of_options, of_errors, of_intervals) for seed in range(4)]
    alone = [work(seed) for work, seed in jobs]
    assert len(set(alone)) > len(jobs) / 2  # they differ
    random.Random(1).shuffle(order := list(range(len(jobs))) * 3)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: jobs[number][0](jobs[number][1]), order))
    assert found == [alone[number] for number in order]
