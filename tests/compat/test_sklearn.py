"""`referee.compat.sklearn` returns what scikit-learn returns, and works where its functions do."""

from __future__ import annotations

import pickle
import subprocess
import sys
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from referee import score
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.compat import sklearn

SAME = (
    "adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score", "contingency_matrix",
    "fowlkes_mallows_score", "homogeneity_completeness_v_measure", "homogeneity_score", "mutual_info_score",
    "normalized_mutual_info_score", "pair_confusion_matrix", "rand_score", "v_measure_score",
)  # fmt: skip
"""The functions that scikit-learn has, too."""
BOUNDARIES = [[], [0], [0, 0], [0, 1], [0, 1, 2], [0, 0, 0], [0, 0, 1, 1], [3, 1, 3, 1]]


def samples(number: int) -> list[tuple[list[int], list[int]]]:
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
def test_returns_what_scikit_learn_returns(name: str) -> None:
    theirs = getattr(pytest.importorskip("sklearn.metrics.cluster", reason="needs scikit-learn"), name)
    ours = getattr(sklearn, name)
    for key, response in samples(200)[name == "mutual_info_score" :]:  # of which scikit-learn finds none in no items
        options: list[dict[str, Any]] = [{}]
        if "v_measure" in name:
            options.append({"beta": 0.3})
        if name == "contingency_matrix":
            options += [{"eps": 0.5}, {"dtype": np.float64}]
        if name in ("adjusted_mutual_info_score", "normalized_mutual_info_score"):
            options += [{"average_method": mean} for mean in ("min", "max", "geometric")]
        for given in options:
            expected = theirs(key, response, **given)
            # Where everything is shared by chance, too, rounding is all that differs from 0, and is divided by rounding.
            close = {"rel": 1e-9, "abs": 1e-7} if name == "adjusted_mutual_info_score" else {"rel": 1e-12, "abs": 1e-14}
            assert ours(key, response, **given) == pytest.approx(expected, **close), (key, response, given)


def test_a_sparse_contingency_matrix_is_that_of_scikit_learn() -> None:
    theirs = pytest.importorskip("sklearn.metrics.cluster", reason="needs scikit-learn")
    for key, response in samples(30):
        ours = sklearn.contingency_matrix(key, response, sparse=True)
        assert type(ours) is type(theirs.contingency_matrix(key, response, sparse=True))
        assert (ours.toarray() == sklearn.contingency_matrix(key, response)).all()
        information = theirs.mutual_info_score(key, response, contingency=ours) if key else 0.0
        assert sklearn.mutual_info_score(None, None, contingency=ours) == pytest.approx(information, abs=1e-14)
        expected = theirs.expected_mutual_information(ours, len(key)) if key else 0.0
        assert sklearn.expected_mutual_information(ours, len(key)) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    counts = np.histogram2d([0.1, 0.2, 0.7, 0.9], [0.3, 0.1, 0.6, 0.2], bins=2)[0]  # as it is called with numbers in bins
    assert sklearn.mutual_info_score(None, None, contingency=counts) == pytest.approx(
        theirs.mutual_info_score(None, None, contingency=counts)
    )


def test_information_by_chance_is_the_mean_over_all_permutations() -> None:
    for key, response in (([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]), ([0, 0, 1, 1, 1], [0, 1, 2, 3, 3])):
        shuffled = [sklearn.mutual_info_score(key, order) for order in permutations(response)]
        table = sklearn.contingency_matrix(key, response)
        assert sklearn.expected_mutual_information(table, len(key)) == pytest.approx(np.mean(shuffled), rel=1e-12)
        bounds = [sklearn.mutual_info_score(side, side) for side in (key, response)]
        above = sklearn.mutual_info_score(key, response) - np.mean(shuffled)
        for method, most in (("min", min(bounds)), ("max", max(bounds)), ("arithmetic", sum(bounds) / 2)):
            found = sklearn.adjusted_mutual_info_score(key, response, average_method=method)  # type: ignore[arg-type]
            assert found == pytest.approx(above / (most - np.mean(shuffled)), rel=1e-9)


def test_adjusted_information_of_nothing_to_find() -> None:
    one, apart = [0, 0, 0], [0, 1, 2]
    assert sklearn.adjusted_mutual_info_score([], []) == sklearn.adjusted_mutual_info_score(one, one) == 1.0
    assert sklearn.adjusted_mutual_info_score(one, apart) == sklearn.adjusted_mutual_info_score(apart, one) == 0.0
    assert sklearn.adjusted_mutual_info_score(apart, apart) == 1.0


def test_what_a_contingency_matrix_cannot_be_is_named() -> None:
    with pytest.raises(OptionError, match="found eps with sparse=True; expected one of them"):
        sklearn.contingency_matrix([0, 1], [0, 1], eps=0.1, sparse=True)
    with pytest.raises(OptionError, match="found 2 items in the contingency matrix; expected 3, and whole numbers"):
        sklearn.expected_mutual_information(np.eye(2), 3)
    with pytest.raises(UnknownNameError, match="no average_method named 'mean'"):
        sklearn.adjusted_mutual_info_score([0, 1], [0, 1], average_method="mean")  # type: ignore[arg-type]


def test_labels_may_be_whatever_an_array_is_made_of() -> None:
    expected = sklearn.adjusted_rand_score([0, 0, 1, 1], [0, 0, 1, 2])
    assert sklearn.adjusted_rand_score(np.array(["a", "a", "b", "b"]), (5.0, 5.0, 6.0, 7.0)) == expected
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    reordered = pandas.Series([0, 0, 1, 1], index=[3, 2, 1, 0])  # as for scikit-learn, an index says nothing
    assert sklearn.adjusted_rand_score(reordered, [0, 0, 1, 2]) == expected


def test_make_scorer_and_cross_validation_take_the_functions() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="needs scikit-learn")
    from sklearn.base import BaseEstimator
    from sklearn.model_selection import cross_validate

    class Rounds(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
        def fit(self, features: Any, labels: Any) -> Rounds:
            return self

        def predict(self, features: Any) -> Any:
            return np.round(features[:, 0])

    features = np.array([[0.1], [0.2], [1.1], [0.9], [2.0], [1.4]] * 4)
    labels = np.array([0, 0, 1, 1, 2, 2] * 4)
    scoring = {name: metrics.make_scorer(getattr(sklearn, f"{name}_score")) for name in ("b_cubed", "lea", "adjusted_rand")}
    found = cross_validate(Rounds(), features, labels, scoring=scoring, cv=2)
    expected = score(labels[:12], np.round(features[:12, 0]))
    assert found["test_b_cubed"].tolist() == [expected["b_cubed"].f1] * 2
    assert found["test_lea"].tolist() == [expected["lea"].f1] * 2


@pytest.mark.parametrize("name", ["b_cubed", "links", "muc", "ceaf_e", "ceaf_m", "lea", "blanc", "conll"])
def test_functions_of_coreference_are_the_metrics_of_these_names(name: str) -> None:
    function = getattr(sklearn, f"{name}_score")
    for key, response in samples(20)[10:]:
        expected = score(key, response, metrics=name, zero_division=0)[name]
        assert function(key, response) == expected.value
        if expected.recall is not None:
            sides = sklearn.precision_recall_fscore(key, response, metric=name, beta=2)
            assert sides[:2] == (expected.precision, expected.recall)
    assert pickle.loads(pickle.dumps(function)) is function


def test_mistakes_are_named() -> None:
    with pytest.raises(OptionError, match="found 2 labels in labels_true and 1 in labels_pred"):
        sklearn.rand_score([0, 1], [0])
    with pytest.raises(OptionError, match=r"expected labels with shape \(items,\); found shape \(1, 2\)"):
        sklearn.rand_score([[0, 1]], [[0, 1]])
    with pytest.raises(OptionError, match="1 has no entity"):
        sklearn.rand_score([0, np.nan], [0, 1])
    with pytest.raises(UnknownNameError, match="no average_method named 'mean'"):
        sklearn.normalized_mutual_info_score([0], [0], average_method="mean")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="no metric named 'bbcubed'; did you mean bcubed"):
        sklearn.precision_recall_fscore([0], [0], metric="bbcubed")
    with pytest.raises(OptionError, match="ari is one number; expected a metric with precision and recall"):
        sklearn.precision_recall_fscore([0], [0], metric="ari")
    for metric in ("non_referring", "syntactic_links"):
        with pytest.raises(OptionError, match=f"{metric} needs other annotation than labels"):
            sklearn.precision_recall_fscore([0], [0], metric=metric)


def test_scikit_learn_is_not_imported() -> None:
    code = "import sys, referee.compat.sklearn; print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
