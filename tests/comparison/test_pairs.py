"""All pairs of systems: p is that of the two alone, corrected for the number of pairs."""

import numpy as np
import pytest

import referee
from referee import OptionError
from referee.comparison.every_pair import every_pair
from referee.stats.settings import Resampling

DOCUMENTS = [f"d{n}" for n in range(6)]
KEY = {d: [{1, 2, 3}, {4, 5}] for d in DOCUMENTS}
WRONG = {d: [{1, 2}, {3}, {4, 5}] for d in DOCUMENTS}
SYSTEMS = {"right": KEY, "wrong": WRONG, "as wrong": WRONG}
FEW = Resampling(resamples=200)


def compared(**how):
    return referee.compare(KEY, SYSTEMS, metrics="muc", resampling=FEW, **how)


def test_p_is_corrected_over_all_pairs():
    """Of the 2⁶ exchanges, two give the largest difference: 2/64. Holm (1979) of 1/32, 1/32 and 1 is 3/32, 3/32 and 1."""
    rows = [row for row in compared(all_pairs=True).to_rows() if row["difference"] is not None]
    assert {(row["baseline"], row["system"]): (row["p_randomization"], row["p"]) for row in rows} == {
        ("right", "wrong"): (1 / 32, 3 / 32),
        ("right", "as wrong"): (1 / 32, 3 / 32),
        ("wrong", "as wrong"): (1, 1),
    }
    assert not any(row["significant"] for row in rows)  # 3/32 > 0.05, where the baseline alone has 2 · 1/32 > 0.05, too


def test_differences_and_scores_are_those_of_two_systems_alone():
    found = compared(all_pairs=True, baseline="wrong")
    alone = referee.compare(KEY, {name: SYSTEMS[name] for name in ("right", "as wrong")}, metrics="muc", resampling=FEW)
    (row,) = [row for row in found.to_rows() if row["baseline"] == "right" and row["system"] == "as wrong"]
    (other,) = [row for row in alone.to_rows() if row["difference"] is not None]
    for name in ("value", "low", "high", "difference", "difference_low", "difference_high", "p_randomization", "p_bootstrap"):
        assert row[name] == other[name]


def test_every_form_has_all_pairs_and_the_signature_says_so():
    found = compared(all_pairs=True)
    assert [line.partition(":")[0] for line in found.differences] == ["wrong − right", "as wrong − right", "as wrong − wrong"]
    assert "pairs:all" in found.signatures[0]
    assert "pairs:all" not in compared().signatures[0]
    for form in ("text", "markdown", "latex", "html"):
        assert "as wrong − wrong" in found.report(form).replace("$-$", "−")
    assert set(found.to_dict()["pairs"]) == {"right", "wrong"}
    assert "pairs" not in compared().to_dict()


def test_pairs_are_tested_in_each_group():
    found = compared(all_pairs=True, by=lambda document: "odd" if document in ("d1", "d3", "d5") else "even")
    groups = {row["group"] for row in found.to_rows() if row["baseline"] == "wrong" and row["difference"] is not None}
    assert groups == {"odd", "even", "micro", "macro"}


def test_one_system_makes_no_pair():
    with pytest.raises(OptionError, match="found one system, which makes no pair"):
        referee.compare(KEY, {"wrong": WRONG}, all_pairs=True)


def test_the_best_system_is_first_if_systems_are_sorted():
    found = compared(baseline="wrong")
    assert [row[0] for row in found.listing(sort="MUC").rows] == ["right", "wrong", "as wrong"]
    assert [row["system"] for row in found.to_rows(sort="muc")] == ["right", "wrong", "as wrong"]
    assert list(found.to_dict(sort="muc")["systems"]) == ["right", "wrong", "as wrong"]
    assert found.listing(sort="muc").rows[0][1] == found.listing().rows[0][1]  # the baseline stays what it is
    with pytest.raises(referee.UnknownNameError, match="no metric named 'lea'"):
        found.report(sort="lea")


def test_p_of_a_pair_is_that_of_leaderboards():
    """They correct p for the comparisons with one baseline, so p of each test alone is compared."""
    random = np.random.default_rng(7)
    key = {f"d{n}": [{1, 2, 3, 4}, {5, 6}, {7, 8, 9}] for n in range(30)}
    responses = {
        name: {d: [e - {int(random.integers(1, 10))} for e in entities] for d, entities in key.items()} for name in "abc"
    }
    scores = {name: referee.score(key, response, metrics="b_cubed") for name, response in responses.items()}
    found = referee.compare(scores, all_pairs=True, resampling=FEW)
    of_boards = every_pair(scores, "b_cubed", None, found.resampling)
    rows = {(row["system"], row["baseline"]): row for row in found.to_rows() if row["difference"] is not None}
    assert set(rows) == set(of_boards) == {("b", "a"), ("c", "a"), ("c", "b")}
    for pair, difference in of_boards.items():
        assert rows[pair]["p_randomization"] == pytest.approx(difference.randomization)
        assert rows[pair]["difference"] == pytest.approx(difference.value)
