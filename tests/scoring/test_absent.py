"""Records that only one side has are warned of, on every road."""

import json

import pytest

import referee
from referee.pages.inspector.overview import overview
from referee.pages.inspector.packing import json_of
from referee.pages.inspector.response import ScoredResponse
from tests.support.command import told
from tests.support.warned import recorded, silenced

KEY = "id,entity\n" + "".join(f"r{n},{n // 2}\n" for n in range(6))
WARNED = [
    "1 record of 6 of k.csv is not in r.csv (the first: r3), counted as missed",
    "2 records of 7 of r.csv are not in k.csv (the first: x7), counted as spurious",
]


@pytest.mark.parametrize("more", [[], ["-m", "links"], ["-q"], ["--report", "json"], ["--report", "csv"]])
def test_a_record_that_one_side_lacks_is_warned_of(tmp_path, more):
    (tmp_path / "k.csv").write_text(KEY)
    (tmp_path / "r.csv").write_text(KEY.replace("r3,1\n", "x7,1\nx8,4\n"))
    done = told("score", "k.csv", "r.csv", *more, cwd=tmp_path)
    assert done.errors == [f"referee: warning: {warning}" for warning in WARNED]
    assert ("json" in more) == all(warning in done.out for warning in WARNED)


@pytest.mark.parametrize("engine", [None, "memory", "duckdb"])
def test_tables_as_columns_say_the_numbers(engine):
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    key = arrow.table({"id": ["a", "b", "c"], "entity": [1, 1, 2]})
    with pytest.warns(referee.RefereeWarning, match="^1 record of 3 of <key> is not in <response>, counted as missed$"):
        referee.score(key, arrow.table({"id": ["a", "b"], "entity": [1, 1]}), metrics="links", engine=engine)


def test_names_that_differ_in_zeros_are_told_apart():
    response = {f"{n:02}": n // 2 for n in range(1, 13)}
    key = {str(int(name)): entity for name, entity in response.items()}
    with pytest.warns(referee.RefereeWarning, match="9 records of 12 of <key> .* counted as missed: they differ in zeros"):
        assert referee.score(key, response)["b_cubed"].recall == 0.25


def test_texts_and_samples_have_messages_of_their_own():
    with recorded() as caught:
        referee.score([{"a", "b"}, {"c"}], [{"a", "b"}])
    assert not caught
    response = {f"r{n}": {"cluster": n // 2} for n in range(40)}
    with pytest.warns(referee.RefereeWarning, match="if the key is a sample"):
        referee.score([{"id": "r1", "cluster": 1}, {"id": "r2", "cluster": 1}], response)


def test_what_was_warned_of_is_in_the_evaluation_its_json_the_page_and_the_board(tmp_path):
    (tmp_path / "k.csv").write_text(KEY)
    (tmp_path / "r.csv").write_text(KEY.replace("r3,1\n", "x7,1\nx8,4\n"))
    with silenced():
        evaluation = referee.score(tmp_path / "k.csv", tmp_path / "r.csv")
        page = referee.inspect(tmp_path / "k.csv", tmp_path / "r.csv")
    want = [warning.replace("k.csv", f"{tmp_path / 'k.csv'}").replace("r.csv", f"{tmp_path / 'r.csv'}") for warning in WARNED]
    assert list(evaluation.warnings) == want == json.loads(evaluation.report("json"))["warnings"]
    (response,) = json.loads(json_of(overview([ScoredResponse(page.evaluations[0])], ["#1"])))["responses"]
    assert response["warnings"] == want
    assert told("board", "k.csv", "r.csv", "--no-pages", "-o", "site", cwd=tmp_path).status == 0
    assert json.loads((tmp_path / "site/board.json").read_text())["warnings"] == {"r": WARNED}
    assert "Warning for r: 1 record of 6 of k.csv is not in r.csv" in (tmp_path / "site/index.html").read_text()
