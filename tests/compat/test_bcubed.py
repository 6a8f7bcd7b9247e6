"""`referee.compat.bcubed` returns what the package bcubed returns, and B³ where each item has one label."""

import random
from fractions import Fraction
from typing import Any

import pytest

from referee import score
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning
from referee.compat import bcubed


def pair(seed, most=3):
    """A response and a key: each item with one label or several."""
    chance = random.Random(seed)
    names = [f"l{n}" for n in range(chance.randint(1, 9))]
    sides = [
        {item: {chance.choice(names) for _ in range(chance.randint(1, most))} for item in range(1 + seed % 30)} for _ in "ab"
    ]
    return sides[0], sides[1]


def by_definition(divided, other):
    """The mean over items, and for each over those that share a label with it."""
    means = []
    for item in divided:
        shared = [(len(divided[item] & divided[one]), len(other[item] & other[one])) for one in divided]
        parts = [Fraction(min(here, there), here) for here, there in shared if here]
        means.append(sum(parts, Fraction(0)) / len(parts))
    return float(sum(means, Fraction(0)) / len(means))


def test_the_scores_are_those_of_the_definition():
    for seed in range(150):
        response, key = pair(seed)
        assert bcubed.precision(response, key) == pytest.approx(by_definition(response, key), rel=1e-12), seed
        assert bcubed.recall(response, key) == pytest.approx(by_definition(key, response), rel=1e-12), seed


def test_the_scores_are_those_of_the_package():
    theirs = pytest.importorskip("bcubed", reason="needs bcubed")
    for seed in range(60):
        response, key = pair(seed)
        sides = bcubed.precision(response, key), bcubed.recall(response, key)
        assert sides == pytest.approx((theirs.precision(response, key), theirs.recall(response, key)), rel=1e-12), seed
        assert bcubed.fscore(*sides, beta=0.5) == pytest.approx(theirs.fscore(*sides, beta=0.5))


def test_the_examples_of_the_paper():
    # Section 7: two items that share one label in the response, and two in the key; then the other way round.
    one, two = {"a": {1}, "b": {1}}, {"a": {1, 2}, "b": {1, 2}}
    assert (bcubed.precision(one, two), bcubed.recall(one, two)) == (1.0, 0.5)
    assert (bcubed.precision(two, one), bcubed.recall(two, one)) == (0.5, 1.0)
    assert (bcubed.precision(two, two), bcubed.recall(two, two)) == (1.0, 1.0)


def test_with_one_label_each_it_is_b_cubed():
    for seed in range(40):
        response, key = pair(seed, most=1)
        labels = [{item: next(iter(s)) for item, s in side.items()} for side in (key, response)]
        b = score(*labels, metrics="b_cubed")["b_cubed"]
        assert (bcubed.precision(response, key), bcubed.recall(response, key)) == pytest.approx((b.precision, b.recall))


def test_many_items_take_little_time():
    response = {item: {item // 500, "x" if item % 500 else "y"} for item in range(20_000)}
    assert bcubed.precision(response, response) == pytest.approx(1.0)


def test_labels_may_be_any_collection_and_0_divided_by_0_is_0():
    assert bcubed.precision({"a": ["x", "x"], "b": ("y",)}, {"a": frozenset("p"), "b": {"p"}}) == 1.0
    assert bcubed.fscore(0.0, 0.0) == 0.0


def test_mistakes_are_named():
    with pytest.raises(MismatchError, match="found 1 items that the key lacks, as 'b'; expected all there"):
        bcubed.recall({"a": {1}, "b": {1}}, {"a": {1}})
    with pytest.warns(RefereeWarning, match="1 items of the key are not in the response, left out as in bcubed"):
        bcubed.recall({"a": {1}}, {"a": {1}, "b": {1}})
    wrong: Any
    for wrong in ("x", 1, set(), {1: 2}):
        with pytest.raises(OptionError, match="for 'a'; expected a set of labels, at least one"):
            bcubed.precision({"a": {1}}, {"a": wrong})
    with pytest.raises(MismatchError, match="found no items"):
        bcubed.precision({}, {})


def test_sets_of_several_labels_are_refused_elsewhere_with_the_name_of_this_module():
    one_each = {0: {"a"}, 1: {"a"}, 2: {"b"}, 3: {"b"}, 4: {"c"}, 5: {"d"}}
    response = {0: {"a"}, 1: {"a"}, 2: {"b"}, 3: {"c"}, 4: {"c"}, 5: {"c"}}
    b = score(one_each, response)["b_cubed"]
    assert (b.precision, b.recall) == pytest.approx((bcubed.precision(response, one_each), bcubed.recall(response, one_each)))
    assert (b.precision, b.recall) == pytest.approx((2 / 3, 5 / 6))
    several = {**response, 0: {"a", "b"}}
    with pytest.raises(OptionError, match=r"found \{.*\} for 0; .* for overlapping entities, call referee\.compat\.bcubed"):
        score(one_each, several)
