"""JSON of data frames, in each form of pandas."""

import json

import pytest

import referee
from referee.basics.exceptions import FormatError
from tests.support.paths import SHARED
from tests.support.reading import entities_of

ORIENTS = SHARED / "field/pairs/json-table-orients"
WANT = [["a", "b"], ["c"]]


def entities(path):
    return list(map(sorted, entities_of(referee.read(path))["#1"].values()))


@pytest.mark.parametrize("name", ["split", "table", "index"])
def test_the_forms_of_pandas_are_tables(name):
    if ORIENTS.exists():
        assert referee.inputs.validate(ORIENTS / f"{name}.json") == []
        assert referee.score(ORIENTS / "key.csv", ORIENTS / f"{name}.json")["mentions"].f1 == 1


@pytest.mark.filterwarnings("ignore:.* on both sides of its pairs")
@pytest.mark.parametrize(
    "value",
    [
        {"columns": ["id", "cluster"], "index": [0, 1, 2], "data": [["a", 1], ["b", 1], ["c", 2]]},
        {"columns": ["id", "cluster"], "index": ["x", "y", "z"], "data": [["a", 1], ["b", 1], ["c", 2]]},
        {"columns": ["cluster"], "index": ["a", "b", "c"], "data": [[1], [1], [2]]},  # df.set_index("id")
        {"0": {"id": "a", "cluster": 1}, "1": {"id": "b", "cluster": 1}, "2": {"id": "c", "cluster": 2}},
        {"a": {"cluster": 1}, "b": {"cluster": 1}, "c": {"cluster": 2}},
        {
            "schema": {"fields": []},
            "data": [{"index": n, "id": i, "cluster": c} for n, (i, c) in enumerate(["a1", "b1", "c2"])],
        },
        {"id": {"0": "a", "1": "b", "2": "c"}, "cluster": {"0": 1, "1": 1, "2": 2}},
        {"columns": ["id1", "id2"], "index": [0, 1], "data": [["a", "b"], ["c", "c"]]},
    ],
)
def test_an_index_that_counts_no_rows_is_a_column(value, tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(value))
    assert entities(tmp_path / "x.json") == WANT


def test_lists_of_a_name_and_a_number_are_asked_for_as_rows(tmp_path):
    (tmp_path / "x.json").write_text('[["a", 1], ["b", 1]]')
    with pytest.raises(FormatError, match=r'found \["a", 1\]; expected an object .* such as {"item": "a", "entity": 1}'):
        referee.read(tmp_path / "x.json")
    assert [str(e) for e in referee.inputs.validate(tmp_path / "x.json")]
