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
    assert told("board", "k.csv", "r.csv", "-o", "site", cwd=tmp_path).status == 0
    assert json.loads((tmp_path / "site/board.json").read_text())["warnings"] == {"r": WARNED}
    assert "<li>1 record of 6 of k.csv is not in r.csv" in (tmp_path / "site/index.html").read_text()


@pytest.mark.parametrize("of_key", [4, 30])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_key_that_is_a_sample_is_said_by_all_that_score_records(tmp_path, form, of_key):
    """Fewer than half of 60 records; one rule for `score`, `thresholds` and `compare`, and with --items key, too."""
    pytest.importorskip("pyarrow")
    records = [f"r{n}" for n in range(60)]
    tables = {
        "key": {"id": records[:of_key], "entity": [n // 2 for n in range(of_key)]},
        "a": {"id": records, "entity": [n // 2 for n in range(60)]},
        "b": {"id": records, "entity": [n // 3 for n in range(60)]},
        "pairs": {"id_l": records[::2], "id_r": records[1::2], "probability": [0.9] * 30},
    }
    for name, table in tables.items():
        write_table(tmp_path / f"{name}.{form}", table)
    key, a, b, pairs = (f"{name}.{form}" for name in tables)
    warned = [
        f"referee: warning: {60 - of_key} records of 60 of {a} are not in {key}",
        f"referee: warning: {60 - of_key} records of 60 of {a} are not in {key}, left out",
        f"referee: warning: {key} has {of_key} of 60 records of {pairs}",
    ]
    for line, command in zip(
        warned, (["score", key, a], ["score", key, a, "--items", "key"], ["thresholds", key, pairs]), strict=True
    ):
        (error,) = (
            [e for e in told(*command, cwd=tmp_path).errors if line in e] if of_key == 4 or command[0] == "score" else [""]
        )
        assert ("if the key is a sample" in error and "referee estimate" in error) == (of_key == 4)
    for more in ([], ["--items", "key"]):
        done = told("compare", key, a, b, *more, cwd=tmp_path)
        note = "differences and p are of the records of the key, and not of all: if it is a sample, referee estimate KEY A B"
        assert (note in done.out) == (of_key == 4)


def write_table(path, columns):
    if path.suffix == ".csv":
        rows = zip(*columns.values(), strict=True)
        path.write_text("".join(f"{','.join(map(str, row))}\n" for row in [columns, *rows]))
    else:
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.table(columns), path)
