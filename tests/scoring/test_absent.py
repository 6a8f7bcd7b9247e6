"""Records that only one side has are said below the scores."""

import pytest

import referee
from tests.support.command import referee as run

KEY = "id,entity\n" + "".join(f"r{n},{n // 2}\n" for n in range(6))


@pytest.mark.parametrize("metrics", [[], ["-m", "links"]])
def test_a_record_that_one_side_lacks_is_named(tmp_path, metrics):
    (tmp_path / "k.csv").write_text(KEY)
    (tmp_path / "r.csv").write_text(KEY.replace("r3,1\n", "x7,1\nx8,4\n"))
    lines = run("score", "k.csv", "r.csv", *metrics, cwd=tmp_path).out.splitlines()
    assert lines[-3:-1] == [
        "1 record of the key is not in the response (the first: r3): counted as missed",
        "2 records of the response are not in the key (the first: x7): counted as spurious",
    ]
    lines = run("score", "k.csv", "k.csv", "r.csv", *metrics, cwd=tmp_path).out.splitlines()
    assert "1 record of the key is not in r (the first: r3): counted as missed" in lines
    assert not any("not in" in line for line in run("score", "k.csv", "k.csv", *metrics, cwd=tmp_path).out.splitlines())


def test_tables_as_columns_say_the_numbers(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    key = arrow.table({"id": ["a", "b", "c"], "entity": [1, 1, 2]})
    said = str(referee.score(key, arrow.table({"id": ["a", "b"], "entity": [1, 1]})))
    assert "1 record of the key is not in the response: counted as missed" in said


def test_texts_and_samples_have_messages_of_their_own():
    assert "not in" not in str(referee.score([{"a", "b"}, {"c"}], [{"a", "b"}]))
    response = {f"r{n}": {"cluster": n // 2} for n in range(40)}
    with pytest.warns(referee.RefereeWarning, match="if the key is a sample"):
        scored = referee.score([{"id": "r1", "cluster": 1}, {"id": "r2", "cluster": 1}], response)
    assert "not in the key" not in str(scored)
