"""`referee errors` as people run it."""

import csv
import io
import json

import pytest

from referee import OptionError, UnknownNameError, errors, score
from referee.reports.forms import FORMS
from referee.reports.text import Screen
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"


KINDS = ["span", "missed", "missed_entity", "spurious", "spurious_entity", "split", "merged", "misplaced"]


def test_kinds_of_errors_by_their_cost_and_in_one_order_for_programs():
    done = referee("errors", KEY, RESPONSE)
    assert done.status == 0
    group, header, *rows = (line.split() for line in done.out.splitlines() if line)
    assert group == ["cost", "in", "points", "of"]
    assert header[:5] == ["kind", "errors", "mentions", "conll", "mentions"]
    assert [row[0] for row in rows[8:9]] == ["all"] and sorted(row[0] for row in rows[:8]) == sorted(KINDS)
    costs = [float(row[3]) for row in rows[:8]]
    assert costs == sorted(costs, reverse=True)
    by_distance = [line.split()[0] for line in referee("errors", KEY, RESPONSE, "-m", "vi").out.splitlines()[2:10]]
    vi = {
        row["kind"]: row["cost_vi"]
        for row in json.loads(referee("errors", KEY, RESPONSE, "-m", "vi", "-r", "json").out)["rows"]
    }
    assert list(vi) == [*KINDS, "all"]
    assert [vi[kind] for kind in by_distance] == sorted(vi[kind] for kind in KINDS)


def test_programs_get_costs_by_names_that_say_so():
    header = referee("errors", KEY, RESPONSE, "-m", "mentions,muc", "-r", "csv").out.splitlines()[0]
    assert header == "kind,errors,mentions,cost_mentions,cost_muc"


def test_what_all_errors_cost_is_what_is_missing_to_a_perfect_score():
    rows = json.loads(referee("errors", KEY, RESPONSE, "-m", "lea,b_cubed", "-r", "json").out)["rows"]
    scores = json.loads(referee("score", KEY, RESPONSE, "-m", "lea,b_cubed", "-r", "json").out)["systems"][0]["metrics"]
    for metric in ("lea", "b_cubed"):
        assert rows[-1][f"cost_{metric}"] == pytest.approx(1 - scores[metric]["value"])


@pytest.mark.parametrize("by", ["size", "distance", "sentences", "position", "document", "entity", "error"])
@pytest.mark.parametrize("report", FORMS)
def test_every_list_has_every_form(by, report):
    done = referee("errors", KEY, RESPONSE, "--by", by, "-r", report, "-m", "muc")
    assert (done.status, done.err) == (0, "")
    assert "muc" in done.out.lower()


def test_programs_get_all_rows_and_people_the_costliest():
    rows = json.loads(referee("errors", KEY, RESPONSE, "--by", "error", "-m", "muc,muc", "-r", "json").out)["rows"]
    assert len(rows) == 14
    shown = referee("errors", KEY, RESPONSE, "--by", "error", "-m", "muc", "--top", "3").out
    assert [line.split(":")[0] for line in shown.splitlines() if line.startswith(tuple(KINDS))] == [
        row["kind"] for row in rows[:3]
    ]
    assert "11 rows left out: --top 0 shows all, --kind" in shown


def kinds_shown(*arguments):
    lines = referee("errors", KEY, RESPONSE, *arguments).out.splitlines()
    return [kind for line in lines if (kind := line.split(":")[0]) in KINDS]


def test_contexts_are_shared_equally_among_the_kinds_the_costliest_first():
    costs = {row["kind"]: row["cost_conll"] for row in json.loads(referee("errors", KEY, RESPONSE, "-r", "json").out)["rows"]}
    kinds = sorted((kind for kind in KINDS if costs[kind]), key=lambda kind: -costs[kind])
    assert kinds_shown("--context", "--top", "6") == kinds  # each of the six kinds that occur
    assert kinds_shown("--context", "--top", "3") == kinds[:3]
    counts = score(KEY, RESPONSE).errors().counts
    assert kinds_shown("--context", "--top", "0") == [kind for kind in kinds for _ in range(counts[kind])]
    of_all = kinds_shown("--context", "--top", "12")  # two of each but for merged and spurious, so two more of the commonest
    assert {kind: of_all.count(kind) for kind in kinds} == {
        kind: 1 if counts[kind] == 1 else 4 if kind == "missed_entity" else 2 for kind in kinds
    }


def test_one_kind_of_errors_or_two():
    assert kinds_shown("--kind", "split") == ["split"] * 2
    assert set(kinds_shown("--context", "--kind", "split,merged")) == {"split", "merged"}
    rows = json.loads(referee("errors", KEY, RESPONSE, "--kind", "missed,span", "-r", "json").out)["rows"]
    assert [row["kind"] for row in rows] == ["missed"] * 2
    found = score(KEY, RESPONSE).errors()
    assert {row["kind"] for row in found.to_rows(by="error", kind=["missed", "split"])} == {"missed", "split"}
    assert [row["kind"] for row in found.to_rows("kind", kind="split") if row["errors"]] == ["split", "all"]
    with pytest.raises(OptionError, match="kinds and types are of errors; found by 'merge'"):
        found.listing("merge", kind="split")
    with pytest.raises(UnknownNameError, match="no kind of error named 'splits'"):
        found.listing("error", kind="splits")


def test_people_get_lines_no_wider_than_a_page_and_programs_all_columns():
    for by in ("error", "entity"):
        lines = referee("errors", KEY, RESPONSE, "--by", by).out.splitlines()
        assert all(len(line) <= 100 for line in lines[: lines.index("")])
        rows = json.loads(referee("errors", KEY, RESPONSE, "--by", by, "-r", "json").out)["rows"]
        assert {"cost_conll", "cost_muc", "cost_lea", "cost_mentions"} <= set(rows[0])
        head = referee("errors", KEY, RESPONSE, "--by", by, "-r", "markdown").out.splitlines()[0]
        assert "conll" in head and "muc" not in head


def test_a_picture_does_not_change_the_report(tmp_path):
    pytest.importorskip("matplotlib")
    plain = referee("errors", KEY, RESPONSE, "-m", "muc")
    assert referee("errors", KEY, RESPONSE, "-m", "muc", "--plot", tmp_path / "p.svg", "--plot-kind", "sizes") == plain


def test_csv_has_all_digits(tmp_path):
    done = referee("errors", KEY, RESPONSE, "--by", "error", "--top", "0", "-r", "csv", "-m", "muc", "-o", tmp_path / "e.csv")
    assert (done.status, done.out) == (0, "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "e.csv").read_text())))
    assert len(rows) == 14
    assert any(len(row["cost_muc"]) > 10 for row in rows)


def test_a_distance_lists_what_brings_it_down_first():
    rows = json.loads(referee("errors", KEY, RESPONSE, "--by", "error", "-m", "merge_distance", "-r", "json").out)["rows"]
    costs = [row["cost_merge_distance"] for row in rows]
    assert costs == sorted(costs)
    assert costs[0] < 0


def test_a_picture_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    done = referee("errors", KEY, RESPONSE, "--plot", tmp_path / "flow.svg", "--plot-kind", "flow", "--documents", "lighthouse")
    assert (done.status, done.err) == (0, "")
    assert b"Anna" in (tmp_path / "flow.svg").read_bytes()


def test_a_concordance_shows_each_error_in_its_text():
    done = referee("errors", KEY, RESPONSE, "--context", "--kind", "split", "-m", "conll")
    assert done.status == 0
    lines = done.out.splitlines()
    in_text, other, below, other_below = (line for line in lines if " [" in line)
    first, second = (
        " ".join(map(str.strip, lines[of])) for of in (slice(0, lines.index(in_text)), slice(4, lines.index(below)))
    )
    assert first == (
        "split: “The company” and 1 more, of K1 “Orchard Press” (2 mentions found as R1 “Orchard Press”), "
        "apart in R4 “the Gazette”  conll +5.21  orchard 44:46"
    )
    assert in_text.startswith("R4: ") and in_text.endswith("to her mother . [The company] did not say what it paid .")
    assert other.startswith("R1: ") and "[Orchard Press] has bought" in other  # a name of what it was split from
    assert second.startswith("split: “the keeper” and 1 more, of K1 “Anna” (5 mentions found as R1 “Anna”), apart in R6 “the")
    assert "[Anna]" in other_below
    assert len({line.index("[") for line in (in_text, other, below, other_below)}) == 1


def test_programs_get_the_entities_of_an_error_in_columns():
    rows = list(csv.DictReader(io.StringIO(referee("errors", KEY, RESPONSE, "--by", "error", "-r", "csv", "-m", "muc").out)))
    (split,) = (row for row in rows if row["text"] == "The company")
    assert [split[name] for name in ("key_entity", "key_name", "response_entity", "response_name")] == [
        "1", "Orchard Press", "4", "the Gazette",
    ]  # fmt: skip
    assert {row["response_entity"] for row in rows if row["kind"].startswith("missed")} == {""}


def test_of_records_people_see_the_kinds_that_occur_and_programs_all(tmp_path):
    (tmp_path / "key.csv").write_text("item,entity\na,1\nb,1\nc,2\nd,2\n")
    (tmp_path / "response.csv").write_text("item,entity\na,x\nb,x\nc,y\nd,z\n")
    done = referee("errors", "key.csv", "response.csv", cwd=tmp_path)
    regrouped, _, kinds = done.out.partition("cost in points of")
    assert regrouped.startswith("of 2 entities of the key 1 is exactly right, 1 divided; of 3 of the response 0 mixed")
    _, header, *lines = kinds.splitlines()
    assert header.split()[:3] == ["kind", "errors", "records"]
    assert "misplaced: in" not in done.out
    assert [line.split()[0] for line in lines if line] == ["split", "all", "none", "costs", "referee"]
    assert "none of: span, missed, missed_entity, spurious, spurious_entity, merged, misplaced" in lines
    rows = list(csv.DictReader(io.StringIO(referee("errors", "key.csv", "response.csv", "-r", "csv", cwd=tmp_path).out)))
    assert len(rows) == 9 and "mentions" in rows[0]


@pytest.mark.parametrize(
    ("response", "costs"),
    [("a,x b,x c,x d,y e,y", ["links", "b_cubed", "exact"]), ("a,x b,x c,x d,y", ["links", "b_cubed", "exact", "mentions"])],
)
def test_of_records_the_command_and_python_show_costs_in_the_same_metrics(tmp_path, response, costs):
    for name, rows in (("key", "a,1 b,1 c,2 d,2 e,2"), ("response", response)):
        (tmp_path / f"{name}.csv").write_text("item,entity\n" + rows.replace(" ", "\n") + "\n")
    done = referee("errors", "key.csv", "response.csv", cwd=tmp_path)
    sides = [str(tmp_path / f"{name}.csv") for name in ("key", "response")]
    for found in (errors(*sides), score(*sides).errors()):
        assert found.report().splitlines()[:-1] == done.out.splitlines()[:-1]  # the last one has names of files
        assert [column.field or str(column.title) for column in found.listing().columns[3:]] == [
            f"cost_{metric}" for metric in costs
        ]


def test_of_records_a_list_has_no_empty_columns_and_says_what_misplaced_is(tmp_path):
    (tmp_path / "key.csv").write_text("item,entity\na,1\nb,1\nc,1\nd,2\ne,2\n")
    (tmp_path / "response.csv").write_text("item,entity\na,x\nb,x\nc,y\nd,y\ne,y\n")
    listed = referee("errors", "key.csv", "response.csv", "--by", "error", cwd=tmp_path).out.splitlines()
    assert " ".join(map(str.strip, listed[:2])).startswith(
        "misplaced: “c”, of K1 “a” (2 records found as x “a”), in y “c” with 2 records of K2 “d”"
    )
    assert "#1" not in listed[0]
    table = referee("errors", "key.csv", "response.csv", "--by", "error", "-r", "markdown", cwd=tmp_path).out.splitlines()
    assert [cell.strip() for cell in table[0].split("|")][1:5] == ["record", "kind", "what", "records"]
    of_entities = referee("errors", "key.csv", "response.csv", "--by", "entity", "-r", "markdown", cwd=tmp_path).out
    assert [cell.strip() for cell in of_entities.split("|")][1:4] == ["record", "entity", "what"]
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


def test_a_concordance_for_programs_has_columns():
    done = referee("errors", KEY, RESPONSE, "--context", "-r", "csv", "-m", "muc")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    (keeper,) = (row for row in rows if row["text"] == "the keeper")
    assert (keeper["before"], keeper["after"].split()[0]) == (". One night a storm put it out , and", "rowed")
    assert len(rows) == 14 and all(len(row["after"].split()) <= 10 for row in rows)


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_a_concordance_is_as_wide_as_the_terminal(columns):
    found = score(KEY, RESPONSE).errors()
    lines = found.report(screen=Screen(columns), by="error", context=10).splitlines()
    assert max(map(len, lines[: lines.index("")])) <= columns


def test_a_context_needs_words_and_a_list_of_errors(tmp_path):
    (tmp_path / "items.csv").write_text("item,entity\nr1,a\nr2,a\n")
    done = referee("errors", tmp_path / "items.csv", tmp_path / "items.csv", "--context")
    assert done.status == 2 and "a context needs words" in done.err
    assert referee("errors", KEY, RESPONSE, "--context", "--by", "size").status == 2
