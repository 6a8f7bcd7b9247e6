"""Threads of one process may score at the same time, as training loops and services do, with and without the global lock."""

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


def test_threads_get_what_one_thread_gets():
    jobs = [(work, seed) for work in (of_clusters, of_files, of_options, of_errors, of_intervals) for seed in range(4)]
    alone = [work(seed) for work, seed in jobs]
    assert len(set(alone)) > len(jobs) / 2  # they differ
    random.Random(1).shuffle(order := list(range(len(jobs))) * 3)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: jobs[number][0](jobs[number][1]), order))
    assert found == [alone[number] for number in order]
