"""Annotation as plain Python values: what is read as what, and what is refused because it would be misread."""

import numpy as np
import pytest

from referee import score
from referee.basics.exceptions import OptionError
from referee.inputs.plain import corpus_of_plain as corpus_of


class Column:
    """What the column of a data frame looks like from outside: a sized thing that turns into an array."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)

    def __len__(self):
        return len(self.values)

    def __bool__(self):
        raise ValueError("the truth value of a column is ambiguous")


@pytest.mark.parametrize("make", [list, tuple, set, frozenset, np.array, iter, lambda e: dict.fromkeys(e).keys()])
def test_an_entity_is_any_collection(make):
    key = [make(["a", "b", "c"]), make(["d", "e"])]
    response = [make(["a", "b", "d"]), make(["c"]), make(["e"])]
    assert score(key, response)["b_cubed"].recall == pytest.approx(8 / 15)  # a, b: 2/3 each, c: 1/3, d, e: 1/2 each


@pytest.mark.parametrize("pairs", [[("a", "b"), ("c", "d")], [("a", 1), ("b", 1)], [["a", 1], ["b", 1]], (("a", "b"),)])
def test_pairs_that_may_be_labels_or_links_are_no_entities(pairs):
    remedy = r"if they are items with their labels, give dict\(value\); if they are links, give networkx.Graph\(value\); "
    with pytest.raises(OptionError, match=rf"found .* where entities are expected: {remedy}.* give sets$"):
        score(pairs, pairs)


def test_ranges_are_collections_of_numbers_too():
    assert score([range(3), range(3, 5)], [range(2), range(2, 5)])["b_cubed"].f1 < 1


def test_a_number_is_the_same_mention_whether_numpy_made_it_or_not():
    assert score([{1, 2}, {3}], [set(np.array([1, 2])), {3}])["b_cubed"].f1 == 1
    assert score([{(1, 2, 3)}, {"x"}], [{(np.int64(1), 2, 3)}, {"x"}])["mentions"].f1 == 1


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], np.array([0, 0, 1, 1]), Column([0, 0, 1, 1]), Column(["x", "x", "y", "y"])])
def test_labels_come_as_lists_arrays_and_columns(labels):
    assert score(labels, [0, 0, 1, 1])["b_cubed"].f1 == 1
    assert score({"d": np.asarray(labels)}, {"d": Column([0, 0, 1, 1])})["b_cubed"].f1 == 1


@pytest.mark.parametrize(
    "labels", [[0, 0, None], np.array([0, 0, np.nan]), np.array([0, "x", None], dtype=object), {"a": 0, "b": None}]
)
def test_an_item_without_a_label_is_refused(labels):
    with pytest.raises(OptionError, match="has no entity; expected a label for each"):
        corpus_of(labels)


@pytest.mark.parametrize(
    "value",
    [
        {"1": {"a", "b"}, "2": {"c"}},
        {"1": frozenset("ab"), "2": frozenset("c")},
        {0: ["a", "b"], 1: ["c", "d"]},
        {"a": ("x", "y"), "b": ("z",)},
        {"a": [(0, 1), (3, 5)], "b": [(7, 8)]},
        {"a": [[0, 1], [3, 5]]},
        {(0, 1): ((0, 1), (3, 5)), (3, 5): ((0, 1), (3, 5))},
        {"d": {"a": [(0, 1), (3, 5)]}},
        {"a": {("x", 1), ("y", 2)}},
    ],
)
def test_a_mapping_from_entity_to_mentions_is_refused_with_the_remedy(value):
    with pytest.raises(OptionError, match=r"give list\(d\.values\(\)\)"):
        corpus_of(value)


@pytest.mark.parametrize("value", [b"key.conll", "text", 7, None, [["a"], "b"], {"a", "b"}])
def test_what_is_no_annotation_is_refused(value):
    with pytest.raises(OptionError, match="expected"):
        corpus_of(value)


@pytest.mark.parametrize(
    "options", [{"beta": np.inf}, {"beta": 0}, {"zero_division": "x"}, {"zero_division": 2}, {"lea_importance": {"x": -1.0}},
                {"lea_importance": {"x": 0.0}}, {"lea_importance": {"x": np.inf}}, {"singletons": "none"}]
)  # fmt: skip
def test_an_option_refuses_a_value_that_means_nothing(options):
    with pytest.raises(OptionError, match="found"):
        score([{"a"}], [{"a"}], **options)


def test_whole_numbers_will_do_for_undefined():
    assert score([{"a"}], [{"a"}], zero_division=0)["muc"].f1 == 0


def test_a_measure_of_ones_own_must_count_documents():
    with pytest.raises(OptionError, match=r"gave int; expected Counts, or \(numerator"):
        score([{"a"}], [{"a"}], metrics={"mine": lambda table: 7})


def test_one_ambiguous_name_leaves_the_other_documents_their_pairs():
    key = {"x": [["a", "b"]], "x_0": [["a", "b"]], "y": [["a", "b"]], "z": [["a", "b"]]}
    response = {"y_0": [["a", "b"]], "z": [["a", "b"]]}
    with pytest.warns(UserWarning, match="2 of 4 documents"):
        assert score(key, response)["muc"].recall == 2 / 4
