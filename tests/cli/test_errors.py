"""`referee errors` as people run it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from referee import errors, score
from referee.reports.forms import FORMS
from referee.reports.text import Screen
from tests.support.command import draws, referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"


def test_kinds_of_errors_and_their_costs() -> None:
    done = referee("errors", KEY, RESPONSE)
    assert done.status == 0
    header, *rows = (line.split() for line in done.out.splitlines() if line)
    assert header[:4] == ["kind", "errors", "mentions", "conll"]
    assert [row[0] for row in rows[:9]] == [
        "span", "missed", "missed_entity", "spurious", "spurious_entity", "split", "merged", "misplaced", "all",
    ]  # fmt: skip


def test_what_all_errors_cost_is_what_is_missing_to_a_perfect_score() -> None:
    rows = json.loads(referee("errors", KEY, RESPONSE, "-m", "lea,b_cubed", "-r", "json").out)["rows"]
    scores = json.loads(referee("score", KEY, RESPONSE, "-m", "lea,b_cubed", "-r", "json").out)["systems"][0]["metrics"]
    for metric in ("lea", "b_cubed"):
        assert rows[-1][metric] == pytest.approx(1 - scores[metric]["value"])


@pytest.mark.parametrize("by", ["size", "distance", "sentences", "position", "document", "entity", "error"])
@pytest.mark.parametrize("report", FORMS)
def test_every_list_has_every_form(by: str, report: str) -> None:
    done = referee("errors", KEY, RESPONSE, "--by", by, "-r", report, "-m", "muc")
    assert (done.status, done.err) == (0, "")
    assert "muc" in done.out.lower()


def test_programs_get_all_rows_and_people_the_costliest() -> None:
    rows = json.loads(referee("errors", KEY, RESPONSE, "--by", "error", "-m", "muc,muc", "-r", "json").out)["rows"]
    assert len(rows) == 14
    assert referee("errors", KEY, RESPONSE, "--by", "error", "-m", "muc", "--top", "3").out.count("\n") == 1 + 3 + 3


def test_a_picture_does_not_change_the_report(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plain = referee("errors", KEY, RESPONSE, "-m", "muc")
    assert referee("errors", KEY, RESPONSE, "-m", "muc", "--plot", tmp_path / "p.svg", "--plot-kind", "sizes") == plain


def test_csv_has_all_digits(tmp_path: Path) -> None:
    done = referee("errors", KEY, RESPONSE, "--by", "error", "--top", "0", "-r", "csv", "-m", "muc", "-o", tmp_path / "e.csv")
    assert (done.status, done.out) == (0, "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "e.csv").read_text())))
    assert len(rows) == 14
    assert any(len(row["muc"]) > 10 for row in rows)


def test_a_distance_lists_what_brings_it_down_first() -> None:
    rows = json.loads(referee("errors", KEY, RESPONSE, "--by", "error", "-m", "merge_distance", "-r", "json").out)["rows"]
    costs = [row["merge_distance"] for row in rows]
    assert costs == sorted(costs)
    assert costs[0] < 0


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = referee("errors", KEY, RESPONSE, "--plot", tmp_path / "flow.svg", "--plot-kind", "flow", "--document", "lighthouse")
    assert (done.status, done.err) == (0, "")
    assert b"Anna" in (tmp_path / "flow.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "links,mucc"), "no metric named 'mucc'"),
        (("-m", "syntactic_links"), "errors have no cost in syntactic_links; expected one of mentions"),
        (("--top", "3"), "--top is for --by entity or error; found --by kind"),
        (("--plot-kind", "flow"), "--plot-kind flow needs a file; expected --plot FILE"),
        (("--plot", "x.svg", "--document", "orchard"), "--document is for --plot-kind flow or sizes"),
        (("--by", "error", "--top", "-1"), "--top is 0 or more; found -1"),
        (("--by", "mention-type"), "has no mention types; expected a format that has them"),
        (("--by", "entity-type"), "has no entity types; expected a format that has them"),
        (("--plot", "x.gif"), "cannot draw x.gif; expected a name that ends in .svg, .png, .pdf"),
        (("--match", "nearly"), "invalid choice"),
        (("--match", "head"), "has no heads"),
        (("--profile", "conll-8.01", "--beta", "-1"), "beta is a number above 0"),
        *(
            pytest.param(*case, marks=draws)
            for case in (
                (("--plot", "no/such/folder.svg"), "cannot write no/such/folder.svg: no such file or directory"),
                (("--plot", "flow.svg", "--plot-kind", "flow", "--document", "x", "-o", "out.txt"), "no document named 'x'"),
                (("--plot", "x.svg", "-m", "vi"), "vi is no percentage; expected a metric that is one"),
            )
        ),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = referee("errors", KEY, RESPONSE, *arguments, cwd=tmp_path)
    assert done.status == 2
    assert len(done.errors) == 1
    assert message in done.errors[0]
    assert not list(tmp_path.iterdir())


def test_two_standard_inputs_are_refused() -> None:
    done = referee("errors", "-", "-")
    assert (done.status, len(done.errors)) == (2, 1)


def test_a_concordance_shows_each_error_in_its_text() -> None:
    done = referee("errors", KEY, RESPONSE, "--context", "--top", "2", "-m", "conll")
    assert done.status == 0
    lines = done.out.splitlines()
    in_text, below = (line for line in lines if " [" in line)
    first, second = (
        " ".join(map(str.strip, lines[of])) for of in (slice(0, lines.index(in_text)), slice(3, lines.index(below)))
    )
    assert first.startswith(
        "split: “The company” and 1 more, of “Orchard Press” (entity 1, found as response 1), apart in “the "
    )
    assert first.endswith("(response 4)  conll +5.21  orchard 44:46")
    assert in_text.endswith("to her mother . [The company] did not say what it paid .")
    assert second.startswith("split: “the keeper” and 1 more, of “Anna” (entity 1, found as response 1), apart in response 6")
    assert in_text.index("[") == below.index("[")


def test_programs_get_the_entities_of_an_error_in_columns() -> None:
    rows = list(csv.DictReader(io.StringIO(referee("errors", KEY, RESPONSE, "--by", "error", "-r", "csv", "-m", "muc").out)))
    (split,) = (row for row in rows if row["text"] == "The company")
    assert [split[name] for name in ("key_entity", "key_name", "response_entity", "response_name")] == [
        "1", "Orchard Press", "4", "the Gazette",
    ]  # fmt: skip
    assert {row["response_entity"] for row in rows if row["kind"].startswith("missed")} == {""}


def test_of_records_people_see_the_kinds_that_occur_and_programs_all(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text("item,entity\na,1\nb,1\nc,2\nd,2\n")
    (tmp_path / "response.csv").write_text("item,entity\na,x\nb,x\nc,y\nd,z\n")
    done = referee("errors", "key.csv", "response.csv", cwd=tmp_path)
    header, *lines = done.out.splitlines()
    assert header.split()[:3] == ["kind", "errors", "records"]
    assert "misplaced: in" not in done.out
    assert [line.split()[0] for line in lines if line] == ["split", "all", "none", "referee"]
    assert "none of: span, missed, missed_entity, spurious, spurious_entity, merged, misplaced" in lines
    rows = list(csv.DictReader(io.StringIO(referee("errors", "key.csv", "response.csv", "-r", "csv", cwd=tmp_path).out)))
    assert len(rows) == 9 and "mentions" in rows[0]


@pytest.mark.parametrize(
    ("response", "costs"),
    [
        ("a,x b,x c,x d,y e,y", ["links", "b_cubed", "exact"]),
        ("a,x b,x c,x d,y", ["links", "b_cubed", "exact", "mentions_cost"]),
    ],
)
def test_of_records_the_command_and_python_show_costs_in_the_same_metrics(
    tmp_path: Path, response: str, costs: list[str]
) -> None:
    for name, rows in (("key", "a,1 b,1 c,2 d,2 e,2"), ("response", response)):
        (tmp_path / f"{name}.csv").write_text("item,entity\n" + rows.replace(" ", "\n") + "\n")
    done = referee("errors", "key.csv", "response.csv", cwd=tmp_path)
    sides = [str(tmp_path / f"{name}.csv") for name in ("key", "response")]
    for found in (errors(*sides), score(*sides).errors()):
        assert found.report().splitlines()[:-1] == done.out.splitlines()[:-1]  # the last one has names of files
        assert [column.field or str(column.title) for column in found.listing().columns[3:]] == costs


def test_of_records_a_list_has_no_empty_columns_and_says_what_misplaced_is(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text("item,entity\na,1\nb,1\nc,1\nd,2\ne,2\n")
    (tmp_path / "response.csv").write_text("item,entity\na,x\nb,x\nc,y\nd,y\ne,y\n")
    listed = referee("errors", "key.csv", "response.csv", "--by", "error", cwd=tmp_path).out.splitlines()
    assert listed[0].split() == ["record", "kind", "what", "records", "links", "b_cubed", "exact"]
    assert listed[1].startswith("c       misplaced  of “a” (entity 1, found as response x), with “d” (entity 2) in response y")
    of_entities = referee("errors", "key.csv", "response.csv", "--by", "entity", cwd=tmp_path).out.splitlines()
    assert of_entities[0].split()[:3] == ["record", "entity", "what"]
    assert (
        "misplaced: in an entity of others, apart from its own; "
        in referee("errors", "key.csv", "response.csv", cwd=tmp_path).out
    )
    rows = list(
        csv.DictReader(
            io.StringIO(referee("errors", "key.csv", "response.csv", "--by", "error", "-r", "csv", cwd=tmp_path).out)
        )
    )
    assert [rows[0][name] for name in ("document", "place", "text")] == ["#1", "", "c"]


def test_a_concordance_for_programs_has_columns() -> None:
    done = referee("errors", KEY, RESPONSE, "--context", "-r", "csv", "-m", "muc")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    (keeper,) = (row for row in rows if row["text"] == "the keeper")
    assert (keeper["before"], keeper["after"].split()[0]) == (". One night a storm put it out , and", "rowed")
    assert len(rows) == 14 and all(len(row["after"].split()) <= 10 for row in rows)


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_a_concordance_is_as_wide_as_the_terminal(columns: int) -> None:
    errors = score(KEY, RESPONSE).errors()
    lines = errors.report(screen=Screen(columns), by="error", context=10).splitlines()
    assert max(map(len, lines[: lines.index("")])) <= columns


def test_a_context_needs_words_and_a_list_of_errors(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("item,entity\nr1,a\nr2,a\n")
    done = referee("errors", tmp_path / "items.csv", tmp_path / "items.csv", "--context")
    assert done.status == 2 and "a context needs words" in done.err
    assert referee("errors", KEY, RESPONSE, "--context", "--by", "size").status == 2
