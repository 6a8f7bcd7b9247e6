"""A build fails if a system is worse, and holds the level of its test where none is."""

from __future__ import annotations

import random

import pytest

from referee import OptionError, compare
from referee.comparison import Resampling
from referee.comparison.regression import worse
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE, SECOND = (EXAMPLES / name for name in ("key.conll", "response.conll", "second.jsonlines"))


def test_the_command_fails_by_points_and_by_the_test() -> None:
    done = referee("compare", KEY, SECOND, RESPONSE, "-m", "conll,lea", "--fail-if-worse", "--tolerance", "1")
    assert done.status == 1
    assert "conll is worse than that of" in done.err
    assert referee("compare", KEY, SECOND, RESPONSE, "--fail-if-worse", "--tolerance", "90").status == 0
    assert referee("compare", KEY, RESPONSE, SECOND, "--fail-if-worse", "--tolerance", "0").status == 0
    assert referee("compare", KEY, SECOND, RESPONSE, "--fail-if-worse").status == 0  # two documents tell nothing apart
    assert referee("compare", KEY, SECOND, RESPONSE, "--tolerance", "1").status == 2
    assert referee("compare", KEY, SECOND, RESPONSE, "-m", "muc", "--fail-if-worse=lea").status == 2


def test_a_metric_that_was_not_compared() -> None:
    found = compare(str(KEY), [str(SECOND), str(RESPONSE)], metrics=["muc"])
    with pytest.raises(OptionError, match="found no scores by lea"):
        worse(found, ["lea"])


def fails(rng: random.Random, documents: int, harm: float) -> bool:
    """Whether a build fails whose response loses a mention more often, by `harm`, than the one before."""
    key: dict[str, list[list[int]]] = {}
    responses: list[dict[str, list[list[int]]]] = [{}, {}]
    for d in range(documents):
        key[str(d)] = [list(range(n * 10, n * 10 + 4)) for n in range(5)]
        for response, loss in zip(responses, (0.3, 0.3 + harm), strict=True):
            response[str(d)] = [[m for m in entity if rng.random() > loss] or entity[:1] for entity in key[str(d)]]
    named = {"before": responses[0], "after": responses[1]}
    found = compare(key, named, metrics=["b_cubed"], resampling=Resampling(resamples=200))
    return bool(worse(found))


def test_the_level_is_held_where_nothing_is_worse() -> None:
    """Two-sided at 5 %, so 2.5 % of 120 builds are 3; more than 9 have a probability of 0.1 %."""
    rng = random.Random(3)
    assert sum(fails(rng, 12, 0.0) for _ in range(120)) <= 9


def test_what_is_worse_is_found() -> None:
    rng = random.Random(4)
    assert sum(fails(rng, 12, 0.2) for _ in range(10)) >= 9
