"""`markable errors` as people run it."""

from __future__ import annotations

import csv
import io
import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from command import markable

from markable.reports import REPORTS

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"


def test_kinds_of_errors_and_their_costs() -> None:
    done = markable("errors", KEY, RESPONSE)
    assert done.status == 0
    header, *rows = (line.split() for line in done.out.splitlines() if line)
    assert header[:4] == ["kind", "errors", "mentions", "conll"]
    assert [row[0] for row in rows[:9]] == [
        "boundary", "missed", "missed_entity", "spurious", "spurious_entity", "split", "merged", "misplaced", "all",
    ]  # fmt: skip


def test_what_all_errors_cost_is_what_is_missing_to_a_perfect_score() -> None:
    rows = json.loads(markable("errors", KEY, RESPONSE, "-m", "lea,b_cubed", "-r", "json").out)["rows"]
    scores = json.loads(markable("score", KEY, RESPONSE, "-m", "lea,b_cubed", "-r", "json").out)["systems"][0]["metrics"]
    for metric in ("lea", "b_cubed"):
        assert rows[-1][metric] == pytest.approx(1 - scores[metric]["value"])


@pytest.mark.parametrize("by", ["size", "distance", "sentences", "position", "document", "entity", "error"])
@pytest.mark.parametrize("report", REPORTS)
def test_every_list_has_every_form(by: str, report: str) -> None:
    done = markable("errors", KEY, RESPONSE, "--by", by, "-r", report, "-m", "muc")
    assert (done.status, done.err) == (0, "")
    assert "muc" in done.out.lower()


def test_csv_has_all_digits(tmp_path: Path) -> None:
    done = markable("errors", KEY, RESPONSE, "--by", "error", "--top", "0", "-r", "csv", "-m", "muc", "-o", tmp_path / "e.csv")
    assert (done.status, done.out) == (0, "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "e.csv").read_text())))
    assert len(rows) == 14
    assert any(len(row["muc"]) > 10 for row in rows)


def test_a_distance_lists_what_brings_it_down_first() -> None:
    rows = json.loads(markable("errors", KEY, RESPONSE, "--by", "error", "-m", "merge_distance", "-r", "json").out)["rows"]
    costs = [row["merge_distance"] for row in rows]
    assert costs == sorted(costs)
    assert costs[0] < 0


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = markable("errors", KEY, RESPONSE, "--plot", tmp_path / "flow.svg", "--picture", "flow", "--document", "lighthouse")
    assert (done.status, done.err) == (0, "")
    assert b"Anna" in (tmp_path / "flow.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "links,mucc"), "no metric named 'mucc'"),
        (("-m", "syntactic_links"), "no metric named 'syntactic_links'"),
        (("--top", "-1"), "--top is 0 or more; found -1"),
        (("--by", "class"), "has no classes of mentions; expected a format that has them"),
        (("--by", "type"), "has no entity types; expected a format that has them"),
        (("--plot", "x.gif"), "cannot draw x.gif; expected a name that ends in .svg, .png, .pdf"),
        (("--match", "nearly"), "invalid choice"),
        (("--match", "head"), "has no heads"),
        (("--profile", "conll-8.01", "--beta", "-1"), "beta is a number above 0"),
        *(
            pytest.param(*case, marks=pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is absent"))
            for case in (
                (("--plot", "no/such/folder.svg"), "cannot write no/such/folder.svg: no such file or directory"),
                (("--plot", "flow.svg", "--picture", "flow", "--document", "x"), "no document named 'x'"),
            )
        ),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = markable("errors", KEY, RESPONSE, *arguments, cwd=tmp_path)
    assert done.status == 2
    assert len(done.errors) == 1
    assert message in done.errors[0]
    assert not list(tmp_path.iterdir())


def test_two_standard_inputs_are_refused() -> None:
    done = markable("errors", "-", "-")
    assert (done.status, len(done.errors)) == (2, 1)
