"""The values of the papers are what they should be, and the command says so."""

from collections import Counter

import pytest

from referee.compat.papers import PAPERS, PrintedValue, reproduce, reproduction
from tests.support.command import referee
from tests.support.paths import SHARED

VERDICTS = {
    "000": {"equal": 20, "misprint": 1, "not reproducible": 1},
    "001": {"equal": 19, "misprint": 4},
    "002": {"equal": 45, "misprint": 7, "not reproducible": 5},
    "003": {"equal": 6, "misprint": 3, "not reproducible": 16},
    "004": {"equal": 27, "misprint": 1, "not reproducible": 3},
}


@pytest.mark.parametrize("paper", PAPERS)
def test_each_value_of_a_paper_is_what_it_should_be(paper):
    result = reproduce(paper)
    assert [f"{v.place}, {v.name}: {v.ours}, {v.verdict}" for v in result.differing] == []
    assert Counter(value.verdict.partition(":")[0] for value in result.values[paper]) == VERDICTS[paper]


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="needs the texts of the papers, ../shared/seeds")
@pytest.mark.parametrize("paper", ["000", "002", "003", "004"])
def test_printed_numbers_with_decimals_stand_in_the_text(paper):
    (path,) = (SHARED / "seeds").glob(f"{paper}_*.txt")
    text = path.read_text(encoding="utf-8")
    decimals = [v.printed.rstrip("%") for v in reproduce(paper).values[paper] if "." in v.printed]
    assert [number for number in decimals if number not in text] == []


@pytest.mark.parametrize(
    ("printed", "ours", "exact", "verdict"),
    [
        ("9/17", 9 / 17, "", "equal"),
        ("9/17", 10 / 17, "", "differs: expected 9/17"),
        ("62%", 82 / 132, "82/132", "equal"),
        ("62%", 83 / 132, "82/132", "differs: expected 82/132"),
        ("62%", 83 / 132, "83/132", "differs: expected 83/132"),  # 62.9 does not round to 62
        (".85", 11 / 13, "11/13", "equal"),
        ("0.677", 2 / 3, "2/3", "differs: expected 2/3"),
        ("3", 3, "", "equal"),
        ("3", 4, "", "differs: expected 3"),
        ("0/0", float("nan"), "", "differs: expected 0/0"),
        ("a formula", 0.5, "1/2", "equal"),
        ("a formula", 0.5, "", "differs: expected a formula"),
        ("R1 R2", "R1 R2", "", "equal"),
        ("R1 R2", "R1", "", "differs: expected R1 R2"),
        ("1", None, "", "differs: expected 1"),
    ],
)
def test_a_value_is_equal_only_if_it_is_exact_and_rounds_to_what_is_printed(printed, ours, exact, verdict):
    assert PrintedValue("", "", printed, ours, exact).verdict == verdict


def test_a_misprint_that_is_none_differs():
    assert PrintedValue("", "", "1/2", 0.5, "1/2", misprint="why").differs
    assert not PrintedValue("", "", "1/3", 0.5, "1/2", misprint="why").differs
    assert PrintedValue("", "", "1/3", 0.4, "1/2", misprint="why").differs


def test_the_command_fails_if_a_value_differs(monkeypatch):
    assert referee("reproduce", "000").status == 0
    wrong = type("paper", (), {"__doc__": "A paper.", "values": lambda data: [PrintedValue("p", "v", "1/2", 0.25)]})
    monkeypatch.setattr(reproduction.PAPERS, "load", lambda paper: wrong)
    done = referee("reproduce", "000", "--report", "csv")
    assert (done.status, done.out.splitlines()[1]) == (1, "000,p,v,1/2,0.25,1/2,differs: expected 1/2")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["005"], "no paper named '005'"),
        (["003", "--conll2000", "FOLDER"], "found no train.txt"),
        (["003", "--treebank", "FOLDER"], "FOLDER"),
    ],
)
def test_a_mistake_is_reported_in_one_line(tmp_path, arguments, problem):
    done = referee("reproduce", *(str(tmp_path) if a == "FOLDER" else a for a in arguments))
    assert (done.status, len(done.errors)) == (2, 1)
    assert problem.replace("FOLDER", str(tmp_path)) in done.err
