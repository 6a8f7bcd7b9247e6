"""Agreement of annotators: alpha from its definition on sets, and what goes with it."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from partitions import checked, entities_of, random_documents, table_of

from markable import agree
from markable.agreement import DISTANCES, SYMMETRIC
from markable.agreement.report import BY, listing
from markable.errors import MarkableWarning, MismatchError, OptionError
from markable.metrics import METRICS
from markable.stats.settings import Resampling

Value = frozenset[Any]
FEW = Resampling(resamples=50)

ON_SETS: dict[str, Callable[[Value, Value], float]] = {
    "nominal": lambda a, b: float(a != b),
    "jaccard": lambda a, b: 1 - len(a & b) / len(a | b) if a | b else 0,
    "set": lambda a, b: 0 if a == b else 1 / 3 if a <= b or b <= a else 2 / 3 if a & b else 1,
    "masi": lambda a, b: 0 if a == b else 1 - len(a & b) / len(a | b) * (2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0),
}
"""The distances, from their definitions."""


def alpha(documents: list[list[list[set[Any]]]], distance: str, mentions: str = "all") -> float:
    """Of documents, each with the entities of each annotator: one mention and one value after another."""
    observed = expected = 0.0
    for sides in documents:
        marked = [set().union(*entities) for entities in sides]
        units = set.union(*marked) if mentions == "all" else set.intersection(*marked)
        values = [[frozenset(o for e in a if u in e for o in e if o != u and o in units) for a in sides] for u in units]
        flat = [value for row in values for value in row]
        observed += sum(ON_SETS[distance](a, b) for row in values for a, b in permutations(row, 2)) / (len(sides) - 1)
        if len(flat) > 1:
            expected += sum(ON_SETS[distance](a, b) for a, b in product(flat, flat)) / (len(flat) - 1)
    return 1 - observed / expected if expected > 1e-12 else math.nan


@pytest.mark.parametrize("mentions", ["all", "common"])
@pytest.mark.parametrize("distance", DISTANCES)
@checked
@given(st.lists(st.lists(st.tuples(*[st.none() | st.integers(0, 3)] * 3), max_size=8), min_size=1, max_size=3))
def test_alpha_is_its_definition(distance: str, mentions: str, rows: list[list[tuple[int | None, ...]]]) -> None:
    documents = [[entities_of(row[a] for row in document) for a in range(3)] for document in rows]
    if not any(any(annotation) for document in documents for annotation in document):
        return
    annotators = [{f"d{n}": document[a] for n, document in enumerate(documents)} for a in range(3)]
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkableWarning)  # of sides without mentions
        found = agree(annotators, mentions=mentions, resampling=FEW, metrics=["mentions"])
    assert found.together[f"alpha {distance}"] == pytest.approx(alpha(documents, distance, mentions), abs=1e-9, nan_ok=True)
    for n, document in enumerate(documents):
        one = found.by_document[f"d{n}"][f"alpha {distance}"]
        assert one == pytest.approx(alpha([document], distance, mentions), abs=1e-9, nan_ok=True)
    for (a, b), of in found.pairs.items():
        two = [[document[int(a) - 1], document[int(b) - 1]] for document in documents]
        assert of[f"alpha {distance}"] == pytest.approx(alpha(two, distance, mentions), abs=1e-9, nan_ok=True)


EXAMPLE = [
    [{0, 3}, {1, 4, 5, 10}, {2, 7}, {6, 8, 9}],
    [{0, 3}, {1, 4, 5, 10}, {2}, {7}, {6, 9}, {8}],
    [{0, 3}, {1, 4, 5, 10}, {2, 7, 8, 9}, {6}],
]
"""Three annotators of eleven mentions: the example of Passonneau (2004), with an alpha of .74."""


def test_the_example_of_the_paper() -> None:
    assert round(agree(EXAMPLE, metrics=["mentions"]).together["alpha set"], 2) == 0.74


def test_masi_is_that_of_nltk() -> None:
    # nltk.metrics.masi_distance({1, 2}, {1, 2, 3, 4}) is 0.665, with 0.67 for 2/3.
    found = DISTANCES["masi"](np.array([2]), np.array([2]), np.array([4]))
    assert float(found[0]) == pytest.approx(0.665, abs=0.002)


@pytest.mark.parametrize("metric", SYMMETRIC)
def test_symmetric_measures_stay_when_annotators_change_places(metric: str) -> None:
    documents = random_documents(np.random.default_rng(7), 60)
    table = table_of(documents)
    exchanged = METRICS[metric](table_of([(response, key) for key, response in documents]))
    np.testing.assert_allclose(METRICS[metric](table).score().value, exchanged.score().value, atol=1e-12)


def test_complete_agreement_is_1() -> None:
    annotation = {"d1": [{1, 2}, {3}], "d2": [{1, 2, 3}, {4, 5}]}
    found = agree({"ann": annotation, "bob": annotation, "eve": annotation}, resampling=FEW)
    assert all(value == 1 for value in found.together.values())
    assert found.disputed == ()


def test_the_order_of_annotators_changes_nothing_but_the_order() -> None:
    documents = random_documents(np.random.default_rng(2), 10)
    sides = {name: {f"d{n}": d[side] for n, d in enumerate(documents)} for side, name in enumerate(("ann", "bob"))}
    found, other = agree(sides), agree(dict(reversed(sides.items())))
    for name, value in found.together.items():
        assert other.together[name] == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert {(d.document, d.annotator, d.mentions) for d in found.disputed} == {
        (d.document, d.annotator, d.mentions) for d in other.disputed
    }


def test_who_sees_an_entity_differently_is_told() -> None:
    found = agree({"ann": [{1, 2, 3}, {4, 5}], "bob": [{1, 2}, {3}, {4, 5}]}, distance="nominal", metrics=["muc"])
    told = [(d.annotator, d.name, d.mentions, d.disagreement) for d in found.disputed]
    # Of Bob's 1, 2, 3 Ann puts each in other company; 4 and 5 are agreed on.
    assert told == [("ann", "1", 3, 1), ("bob", "1", 2, 1), ("bob", "3", 1, 1)]


def test_a_mention_that_one_lacks_stands_alone_or_is_left_out() -> None:
    sides = {"ann": [{1, 2}, {3}], "bob": [{1, 2}]}
    assert agree(sides, metrics=["mentions"]).together["alpha nominal"] == 1  # alone for both
    sides = {"ann": [{1, 2, 3}, {4}], "bob": [{1, 2}, {4}]}
    assert agree(sides, metrics=["mentions"]).together["alpha nominal"] < 1
    assert agree(sides, metrics=["mentions"], mentions="common").together["alpha nominal"] == 1


def test_documents_that_not_all_have_are_left_out() -> None:
    sides = {"ann": {"d1": [{1, 2}], "d2": [{1}]}, "bob": {"d2": [{1}], "d3": [{1}]}, "eve": {"d3": [{1}], "d2": [{1}]}}
    with pytest.warns(MarkableWarning, match="left out 1 document of .* that not all annotators have"):
        assert agree(sides, metrics=["mentions"]).documents == ("d2",)
    with pytest.raises(MismatchError, match="no document"):
        agree({"ann": {"d1": [{1}], "x": [{1}]}, "bob": {"d2": [{1}], "y": [{1}]}})


def test_intervals_are_of_alpha_over_documents() -> None:
    documents = random_documents(np.random.default_rng(3), 30)
    sides = [{f"d{n}": d[side] for n, d in enumerate(documents)} for side in (0, 1)]
    for method in ("percentile", "bca"):
        found = agree(sides, resampling=Resampling(resamples=300, method=method))
        for name, interval in found.intervals.items():
            assert interval.low < found.together[name] < interval.high
    assert agree([[{1}], [{1}]]).intervals == {}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"metrics": ["d_error"]}, "d_error takes one annotator for the key; expected a symmetric measure: mentions, muc"),
        ({"mentions": "some"}, "no rule for mentions named 'some'"),
        ({"distance": "cosine"}, "no distance named 'cosine'"),
        ({"match": "head"}, "agreement is of mentions matched exactly"),
        ({"beta": 2}, "with beta 1"),
    ],
)
def test_mistakes(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        agree([[{(0, 1), (2, 3)}], [{(0, 1)}]], **arguments)


def test_one_annotator_is_too_few() -> None:
    with pytest.raises(OptionError, match="found 1 annotation; expected at least two"):
        agree([[{1}]])


@pytest.mark.parametrize("by", BY)
def test_tables(by: str) -> None:
    found = agree(EXAMPLE, metrics=["lea", "vi"])
    made = listing(found, by, 2)
    assert all(len(row) == len(made.columns) for row in made.rows)
    assert made.notes[-1] == found.signature
