"""Documents that repeat a mention, under the profile `conll-8.01`.

The expected numbers were printed by scorer.pl v8.01 (one metric a run) for the same annotation as CoNLL files.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee import METRICS, RefereeWarning, score

AB = [["a", "b"]]


def printed(value: float) -> float:
    """As the program prints it: a percentage, cut after two decimals."""
    return int(value * 10000) / 100


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # A spurious mention twice in one entity: two mentions for B3, one place for BLANC and mention detection.
        (AB, [["a", "b", "x", "x"]], {"muc": 50.0, "b_cubed": 40.0, "blanc": 40.0, "mentions": 80.0}),
        # A found mention twice: the copy in the entity named second is gone.
        (
            [["a", "b"], ["c", "d"]],
            [["a", "b"], ["a", "c", "d"]],
            {"muc": 100.0, "b_cubed": 100.0, "ceaf_e": 100.0, "blanc": 100.0},
        ),
    ],
)
def test_a_mention_repeated_in_the_response_counts_as_in_the_program(
    key: list[list[str]], response: list[list[str]], expected: dict[str, float]
) -> None:
    with pytest.warns(RefereeWarning, match="1 repeated mention"):
        e = score(key, response, profile="conll-8.01")
    assert {metric: printed(e[metric].f1) for metric in expected} == expected


def test_only_the_documents_that_repeat_a_mention_are_counted_so() -> None:
    whole: dict[str, Any] = {"clean": [["a", "b"], ["c"]], "copies": AB}
    response: dict[str, Any] = {"clean": [["a"], ["b", "c"]], "copies": [["a", "b", "x", "x"]]}
    with pytest.warns(RefereeWarning, match="1 repeated mention"):
        both = score(whole, response, profile="conll-8.01")
    clean = score({"clean": whole["clean"]}, {"clean": response["clean"]}, profile="conll-8.01")
    assert both.document("clean") == clean.document("clean")
    assert both.document("copies")["blanc"].f1 == pytest.approx(0.4)


def test_a_measure_of_ones_own_is_left_alone_whatever_its_name() -> None:
    with pytest.warns(RefereeWarning, match="1 repeated mention"):
        e = score(AB, [["a", "b", "x", "x"]], profile="conll-8.01", metrics={"b_cubed": METRICS["mentions"]})
    assert e["b_cubed"].precision == 2 / 4  # every copy is a mention of its own


@pytest.mark.filterwarnings("ignore:.*repeated mention")
def test_names_and_positions_of_the_two_sides_are_told_apart() -> None:
    e = score(
        [["b", "c"], ["d", "e"]], [["a", "b"], ["a", "d", "e"]], repeated_mentions="conll", metrics=["mentions", "b_cubed"]
    )
    assert e["mentions"].recall == 0.75
    assert e["b_cubed"].recall <= 1
