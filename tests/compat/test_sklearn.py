"""`referee.compat.sklearn` returns what scikit-learn returns, and works where its functions do."""

import pickle
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest

from referee import score
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.compat import sklearn

SAME = (
    "adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score", "contingency_matrix",
    "fowlkes_mallows_score", "homogeneity_completeness_v_measure", "homogeneity_score",
    "normalized_mutual_info_score", "pair_confusion_matrix", "rand_score", "v_measure_score",
)  # fmt: skip
"""The functions that scikit-learn has, too."""
BOUNDARIES = [[], [0], [0, 0], [0, 1], [0, 1, 2], [0, 0, 0], [0, 0, 1, 1], [3, 1, 3, 1]]


def samples(number):
    """Labels of key and response: random ones, and all pairs of boundary cases."""
    rng = np.random.default_rng(5)
    pairs = [(key, response) for key in BOUNDARIES for response in BOUNDARIES if len(key) == len(response)]
    for _ in range(number):
        items, entities = rng.integers(1, 60), rng.integers(1, 30)
        key = rng.integers(0, entities, items)
        response = np.where(rng.random(items) < 0.6, key, rng.integers(0, entities, items))
        pairs.append((key.tolist(), response.tolist()))
    return pairs


@pytest.mark.parametrize("name", SAME)
def test_returns_what_scikit_learn_returns(name):
    theirs = getattr(pytest.importorskip("sklearn.metrics.cluster", reason="needs scikit-learn"), name)
    ours = getattr(sklearn, name)
    for key, response in samples(60):
        options = [{}]
        if "v_measure" in name:
            options.append({"beta": 0.3})
        if name in ("adjusted_mutual_info_score", "normalized_mutual_info_score"):
            options += [{"average_method": mean} for mean in ("min", "max", "geometric")]
        for given in options:
            expected = theirs(key, response, **given)
            # Where everything is shared by chance, too, rounding is all that differs from 0, and is divided by rounding.
            close = {"rel": 1e-9, "abs": 1e-7} if name == "adjusted_mutual_info_score" else {"rel": 1e-12, "abs": 1e-14}
            assert ours(key, response, **given) == pytest.approx(expected, **close), (key, response, given)


def shared_information(key, response):
    """In nats, from the definition: the sum of p(k, r) log(p(k, r) / p(k) p(r))."""
    joint = np.array(
        [[sum(a == k and b == r for a, b in zip(key, response, strict=True)) for r in {*response}] for k in {*key}]
    )
    joint = joint / len(key)
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    return float((joint[joint > 0] * np.log(joint[joint > 0] / apart[joint > 0])).sum())


def test_information_by_chance_is_the_mean_over_all_permutations():
    for key, response in (([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]), ([0, 0, 1, 1, 1], [0, 1, 2, 3, 3])):
        by_chance = np.mean([shared_information(key, order) for order in permutations(response)])
        bounds = [shared_information(side, side) for side in (key, response)]
        above = shared_information(key, response) - by_chance
        for method, most in (("min", min(bounds)), ("max", max(bounds)), ("arithmetic", sum(bounds) / 2)):
            found = sklearn.adjusted_mutual_info_score(key, response, average_method=method)
            assert found == pytest.approx(above / (most - by_chance), rel=1e-9)


def test_adjusted_information_of_nothing_to_find():
    one, apart = [0, 0, 0], [0, 1, 2]
    assert sklearn.adjusted_mutual_info_score([], []) == sklearn.adjusted_mutual_info_score(one, one) == 1.0
    assert sklearn.adjusted_mutual_info_score(one, apart) == sklearn.adjusted_mutual_info_score(apart, one) == 0.0
    assert sklearn.adjusted_mutual_info_score(apart, apart) == 1.0


def test_labels_may_be_whatever_an_array_is_made_of():
    expected = sklearn.adjusted_rand_score([0, 0, 1, 1], [0, 0, 1, 2])
    assert sklearn.adjusted_rand_score(np.array(["a", "a", "b", "b"]), (5.0, 5.0, 6.0, 7.0)) == expected
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    reordered = pandas.Series([0, 0, 1, 1], index=[3, 2, 1, 0])  # as for scikit-learn, an index says nothing
    assert sklearn.adjusted_rand_score(reordered, [0, 0, 1, 2]) == expected


def test_make_scorer_and_cross_validation_take_the_functions():
    metrics = pytest.importorskip("sklearn.metrics", reason="needs scikit-learn")
    from sklearn.base import BaseEstimator
    from sklearn.model_selection import cross_validate

    class Rounds(BaseEstimator):  # scikit-learn has no types
        def fit(self, features, labels):
            return self

        def predict(self, features):
            return np.round(features[:, 0])

    features = np.array([[0.1], [0.2], [1.1], [0.9], [2.0], [1.4]] * 4)
    labels = np.array([0, 0, 1, 1, 2, 2] * 4)
    scoring = {name: metrics.make_scorer(getattr(sklearn, f"{name}_score")) for name in ("b_cubed", "lea", "adjusted_rand")}
    found = cross_validate(Rounds(), features, labels, scoring=scoring, cv=2)
    expected = score(labels[:12], np.round(features[:12, 0]))
    assert found["test_b_cubed"].tolist() == [expected["b_cubed"].f1] * 2
    assert found["test_lea"].tolist() == [expected["lea"].f1] * 2


@pytest.mark.parametrize("name", ["b_cubed", "links", "muc", "ceaf_e", "ceaf_m", "lea", "blanc", "conll"])
def test_functions_of_coreference_are_the_metrics_of_these_names(name):
    function = getattr(sklearn, f"{name}_score")
    for key, response in samples(20)[10:]:
        expected = score(key, response, metrics=name, zero_division=0)[name]
        assert function(key, response) == expected.value
        if expected.recall is not None:
            sides = sklearn.precision_recall_fscore(key, response, metric=name, beta=2)
            assert sides[:2] == (expected.precision, expected.recall)
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("rand_score", ([0, 1], [0]), "found 2 labels in labels_true and 1 in labels_pred"),
        ("contingency_matrix", ([0, 1], [0]), "found 2 labels in labels_true and 1 in labels_pred"),
        ("rand_score", ([[0, 1]], [[0, 1]]), r"expected labels with shape \(items,\); found shape \(1, 2\)"),
        ("rand_score", ([0, np.nan], [0, 1]), "1 has no entity"),
    ],
)
def test_labels_that_cannot_be_compared_are_named(name, arguments, problem):
    with pytest.raises(OptionError, match=problem):
        getattr(sklearn, name)(*arguments)


@pytest.mark.parametrize(
    ("name", "option", "problem"),
    [
        ("normalized_mutual_info_score", {"average_method": "mean"}, "no average_method named 'mean'"),
        ("adjusted_mutual_info_score", {"average_method": "mean"}, "no average_method named 'mean'"),
        ("precision_recall_fscore", {"metric": "bbcubed"}, "no metric named 'bbcubed'; did you mean bcubed"),
        ("precision_recall_fscore", {"metric": "ari"}, "ari is one number; expected a metric with precision and recall"),
        ("precision_recall_fscore", {"metric": "non_referring"}, "non_referring needs other annotation than labels"),
        ("precision_recall_fscore", {"metric": "syntactic_links"}, "syntactic_links needs other annotation than labels"),
    ],
)
def test_names_that_are_not_known_are_named(name, option, problem):
    with pytest.raises((OptionError, UnknownNameError), match=problem):
        getattr(sklearn, name)([0, 1], [0, 1], **option)


def test_scikit_learn_is_not_imported():
    code = "import sys, referee.compat.sklearn; print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
