"""Rows in the order of a metric: the best responses first, and of each the worst documents."""

import pytest

from referee import OptionError, UnknownNameError, score
from referee.scoring.systems import Systems
from tests.support.command import referee
from tests.support.paths import EXAMPLES

# MUC of a response to each document: x has 1 of 2 links, y both, z none, and w has no links at all
KEY = {"x": [{1, 2, 3}], "y": [{1, 2, 3}], "z": [{1, 2, 3}], "w": [{1}]}
RESPONSE = {"x": [{1, 2}, {3}], "y": [{1, 2, 3}], "z": [{1}, {2}, {3}], "w": [{1}]}
OF_MUC = {"metrics": "muc"}


@pytest.fixture(scope="module")
def evaluation():
    return score(KEY, RESPONSE, name="mine", metrics="muc,vi")


def documents(rows):
    return [row["document"] for row in rows if row["metric"] == "muc" and row["document"] != "all"]


@pytest.mark.parametrize(
    ("how", "order"),
    [
        ({}, "xyzw"),
        ({"sort": "muc"}, "zxyw"),
        ({"sort": "MUC", "top": 2}, "zx"),
        ({"top": 1}, "z"),
        ({"sort": "merge_distance", "top": 1}, "z"),
        ({"sort": "b_cubed"}, "zxyw"),
    ],
)
def test_the_worst_documents_are_first_and_undefined_ones_last(evaluation, how, order):
    assert documents(evaluation.to_rows(by="document", **how)) == list(order)
    shown = [row[0] for row in evaluation.listing(by="document", **how).rows]
    assert [name for name in shown if len(name) == 1] == list(order)
    assert list(evaluation.to_dict(by="document", **how)["systems"][0]["by_document"]) == list(order)
    assert len(evaluation.to_rows(by="document", table="prf", **how)) == len(order) + 2


def test_averages_are_over_all_documents(evaluation):
    rows = evaluation.to_rows(by="document", top=1)
    whole = evaluation.to_rows(by="document")
    assert [row for row in rows if row["document"] == "all"] == [row for row in whole if row["document"] == "all"]
    assert "macro (mean of 4 documents)" in evaluation.report(by="document", top=1)


def test_groups_are_sorted_as_documents_are(evaluation):
    rows = evaluation.to_rows(by=lambda document: "late" if document in "yz" else "early", sort="muc")
    assert list(dict.fromkeys(row["group"] for row in rows if row["group"] != "all")) == [
        "early",
        "late",
    ]  # 2/3 and 2/3: as named
    rows = evaluation.to_rows(by=lambda document: "late" if document in "xz" else "early", sort="muc", top=1)
    assert list(dict.fromkeys(row["group"] for row in rows if row["group"] != "all")) == ["late"]  # 1 of 4 links, not 2 of 2


def test_the_best_response_is_first(evaluation):
    both = Systems("key", [evaluation, score(KEY, KEY, name="key", metrics="muc,vi")])
    for metric in ("muc", "vi"):  # of a distance the least is best
        assert [row[0] for row in both.listing(sort=metric).rows] == ["key", "mine"]
    assert [row[:2] for row in both.listing(sort="muc", by="document", top=1).rows if len(row[1]) == 1] == [
        ["key", "x"],
        ["mine", "z"],
    ]


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"sort": "muc"}, OptionError, "found one response: expected --by document"),
        ({"top": 3}, OptionError, "expected --by document or another, and a number above 0"),
        ({"by": "document", "top": -1}, OptionError, "expected --by document or another, and a number above 0"),
        ({"by": "document", "sort": "mucc"}, UnknownNameError, "no metric named 'mucc'; did you mean muc"),
    ],
)
def test_what_orders_nothing_is_refused(evaluation, how, error, message):
    for make in (evaluation.listing, evaluation.to_rows, evaluation.to_dict):
        with pytest.raises(error, match=message):
            make(**how)


def test_the_command_sorts_as_a_call_does():
    files = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]
    printed = referee("score", *files, "--by", "document", "--sort", "lea", "--top", "1")
    assert printed.out == score(*files).report(by="document", sort="lea", top=1)
    assert (
        referee("compare", *files, EXAMPLES / "second.jsonlines", "--sort", "lea", "-m", "lea")
        .out.splitlines()[2]
        .startswith("second")
    )


def test_no_document_that_only_one_response_shows_has_a_best_score():
    both = Systems("key", [score(KEY, r, name=n, metrics="muc") for n, r in (("mine", RESPONSE), ("key", KEY))])
    best = {(system, part.partition(" ")[0]): cell.best for system, part, cell in both.listing(by="document", top=1).rows}
    assert best == {
        ("mine", "z"): False, ("mine", "micro"): False, ("mine", "macro"): False,
        ("key", "x"): False, ("key", "micro"): True, ("key", "macro"): True,
    }  # fmt: skip
