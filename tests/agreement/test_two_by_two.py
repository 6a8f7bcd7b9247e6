"""Many annotators compared at once: each two of them have the numbers that they have alone."""

from itertools import combinations

import numpy as np
import pytest

from referee import agree, score
from referee.agreement import SYMMETRIC, alpha, two_by_two
from referee.scoring import evaluation
from referee.stats.settings import Resampling
from tests.support.partitions import random_documents

FEW = Resampling(resamples=50)


def annotators(seed, number):
    """So many annotators of four documents, one of which has no mentions on some sides."""
    rng = np.random.default_rng(seed)
    sides = [side for _ in range(number) for side in zip(*random_documents(rng, 4), strict=True)]
    return {f"ann{n}": {f"d{d}": document for d, document in enumerate(sides[n])} for n in range(number)}


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("mentions", alpha.MENTIONS)
def test_two_of_many_agree_as_they_do_alone(mentions, average):
    many = annotators(1, 5)
    found = agree(many, metrics=SYMMETRIC, mentions=mentions, average=average, resampling=FEW)
    for a, b in combinations(many, 2):
        scores = score(many[a], many[b], metrics=SYMMETRIC, average=average)
        alone = agree({a: many[a], b: many[b]}, metrics=SYMMETRIC, mentions=mentions, average=average, resampling=FEW)
        for name, value in found.pairs[a, b].items():
            np.testing.assert_equal(value, alone.together[name])
            if name in scores:
                np.testing.assert_equal(value, float(scores[name].value))


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("policy", ["first", "merge", "corefud", "ua"])
def test_how_many_are_compared_at_once_changes_nothing(policy, monkeypatch):
    many = annotators(2, 6)
    many["ann1"]["d0"] = [{0, 1}, {1, 2}]  # a mention in two entities
    together = agree(many, repeated_mentions=policy, resampling=FEW)
    for module in (alpha, two_by_two):
        monkeypatch.setattr(module, "TOGETHER", 0)
    apart = agree(many, repeated_mentions=policy, resampling=FEW)
    for one, other in ((together.pairs, apart.pairs), (together.by_document, apart.by_document)):
        np.testing.assert_equal(dict(one), dict(other))
    np.testing.assert_equal(together.together, apart.together)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_small_annotations_are_counted_few_times(monkeypatch):
    calls = []
    count = evaluation.counted_at_once

    def counting(pairs, metrics):
        calls.append(len(pairs))
        return count(pairs, metrics)

    monkeypatch.setattr(evaluation, "counted_at_once", counting)
    agree([[{n, n + 1}, {n + 2}] for n in range(12)], resampling=FEW)
    assert calls == [12 * 11 // 2 - 1]  # the first two are scored by themselves
