"""Lists of pairs as people have them (`../shared/field/pairs`): each folder with the values that its README says are right."""

import csv
import io
import math

import pytest

import referee
from tests.support.command import referee as run
from tests.support.paths import SHARED
from tests.support.warned import recorded

PAIRS = SHARED / "field" / "pairs"
pytestmark = [
    pytest.mark.skipif(not PAIRS.is_dir(), reason="../shared/field is absent"),
    pytest.mark.filterwarnings("ignore::referee.RefereeWarning"),
]
HUNDRED = (100, 100)

# Folder, key, response, options, percentages of recall and precision (or the one value), what is said.
CASES = [
    ("closed", "key.csv", "response.csv", {}, {"pairs": (50, 50), "links": HUNDRED}, "entities: the links closed"),
    (
        "clerical", "labels.csv", "pairs.csv", {"threshold": 0.5}, {"pairs": (50, 50), "pairs_accuracy": 50, "pairs_mcc": 0},
        "TP 1, FP 1, FN 1, TN 1; 2 pairs that the response matches have no label: left out",
    ),
    ("pairs-as-given", "key.csv", "perfect.csv", {"threshold": 0.5}, {"pairs": HUNDRED}, "TP 2, FP 0, FN 0, TN 1"),
    ("pairs-as-given", "key.csv", "perfect_labels.csv", {}, {"pairs": HUNDRED}, "TP 2, FP 0, FN 0, TN 1"),
    ("pairs-as-given", "key2.csv", "one_wrong.csv", {}, {"pairs": (100, 75), "links": (100, 40)}, "TP 3, FP 1, FN 0, TN 1"),
    (
        "positives-only-key", "key.csv", "perfect.csv", {},
        dict.fromkeys(["links", "b_cubed", "exact", "mentions", "pairs"], HUNDRED),
        "lists matches only: all other pairs count as no match",
    ),
    (
        "positives-only-key", "key.csv", "wrong.csv", {"items": "key"}, {"pairs": HUNDRED}, "precision is too high",
    ),
    ("positives-only-key", "key.csv", "wrong.csv", {}, {"links": (100, 33.33), "pairs": (100, 33.33)}, "alone there"),
    (
        "pruned", "key.csv", "pairs.csv", {"threshold": 0.5},
        dict.fromkeys(["links", "b_cubed", "exact", "mentions", "pairs"], HUNDRED),
        "3 records of 5 of key.csv are in no pair of pairs.csv (the first: 3): alone there",
    ),
]  # fmt: skip
CASES = [case for case in CASES if case[3].get("items") != "key"]  # leaves out what the key does not name, as it says


@pytest.mark.parametrize(("folder", "key", "response", "options", "expected", "said"), CASES, ids=str)
def test_a_list_of_pairs_has_the_right_values(folder, key, response, options, expected, said):
    arguments = [f"--{name}={value}" for name, value in options.items()]
    done = run("score", key, response, *arguments, cwd=PAIRS / folder)
    assert said in done.out + done.err
    with recorded():
        e = referee.score(PAIRS / folder / key, PAIRS / folder / response, **options)
    rows = csv.DictReader(io.StringIO(run("score", key, response, *arguments, "-r", "csv", cwd=PAIRS / folder).out))
    printed = {row["metric"]: row for row in rows}
    for metric, value in expected.items():
        sides = ["recall", "precision"] if isinstance(value, tuple) else ["value"]
        wanted = list(value) if isinstance(value, tuple) else [value]
        assert [round(100 * getattr(e[metric], side), 2) for side in sides] == wanted
        assert [round(100 * float(printed[metric][side]), 2) for side in sides] == wanted


@pytest.mark.parametrize(
    ("folder", "key", "pairs", "expected"),
    [
        ("clerical", "labels.csv", "pairs.csv", {"pairs": 0.5}),
        ("pairs-as-given", "key.csv", "perfect.csv", {"pairs": 1.0, "links": 1.0}),
        ("pruned", "key.csv", "pairs.csv", {"pairs": 1.0, "links": 1.0, "b_cubed": 1.0, "exact": 1.0}),
    ],
)
def test_thresholds_have_the_values_of_score(folder, key, pairs, expected):
    found = referee.thresholds(PAIRS / folder / key, PAIRS / folder / pairs, thresholds=[0.5])
    assert {metric: found.scores[metric][0].value for metric in expected} == expected


def test_wrong_pairs_are_listed(tmp_path):
    folder = PAIRS / "records-wording"
    found = referee.errors(folder / "key.csv", folder / "response.csv")
    assert found.to_rows("pair") == [
        {"kind": "false", "left": "r4", "right": "r5", "probability": None},
        {"kind": "missed", "left": "r7", "right": "r8", "probability": None},
    ]
    clerical = PAIRS / "clerical"
    done = run(
        "errors", clerical / "labels.csv", clerical / "pairs.csv", "--threshold", "0.5", "--by", "pair", "-r", "csv", "-o",
        tmp_path / "errors.csv",
    )  # fmt: skip
    assert done.status == 0
    assert (tmp_path / "errors.csv").read_text().split() == [
        "kind,left,right,probability", "false,a,c,0.7", "missed,d,e,0.2",
    ]  # fmt: skip
    assert "wrong pairs: 1 false, 1 missed" in run("errors", "labels.csv", "pairs.csv", "--threshold", "0.5", cwd=clerical).out
    plain = run("errors", "perfect.csv", "wrong.csv", "--by", "pair", cwd=PAIRS / "positives-only-key")
    assert plain.errors == [
        "referee: error: wrong pairs are listed where a side lists pairs; expected --by merge or --by split of entities"
    ]


def test_wrong_pairs_of_columns_and_of_entities_are_those_of_text():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    key = pandas.DataFrame({"id": list("abcdef"), "cluster": [1, 1, 1, 2, 2, 3]})
    pairs = pandas.DataFrame({"left": list("abef"), "right": list("bdfa"), "probability": [0.9, 0.8, 0.2, 0.7]})
    expected = [("false", "b", "d", 0.8), ("false", "a", "f", 0.7), ("missed", "a", "c", None), ("missed", "b", "c", None)]
    expected.append(("missed", "d", "e", None))
    for form in (lambda frame: frame, lambda frame: frame.to_dict("records")):
        rows = referee.errors(form(key), form(pairs), threshold=0.5, tables="one").to_rows("pair")
        assert [tuple(row.values()) for row in rows] == expected


def test_intervals_of_pairs_are_over_entities():
    grid = PAIRS / "grid"
    e = referee.score(grid / "key.csv", grid / "pairs.csv", threshold=0.98)
    found = e.intervals(resamples=500, seed=1)
    # 400 pairs of different records are units of their own: the interval of a share of 400 with 0.855 is +-0.035 by hand.
    accuracy = found["pairs_accuracy"]
    assert e["pairs_accuracy"].value == 0.855
    assert accuracy.high - accuracy.low == pytest.approx(2 * 1.96 * math.sqrt(0.855 * 0.145 / 400), rel=0.2)
    compared = referee.compare(grid / "key.csv", {"a": grid / "pairs.csv", "b": grid / "pairs.csv"}, threshold=0.98)
    assert compared["b", "pairs"].difference.value == 0
