"""Arrow: what `Dataset.save_to_disk` writes, and streams and files of Arrow; what needs a library is skipped without it."""

import io
import shutil
import sys
from importlib import import_module

import pytest

from referee import inputs, score, validate
from referee.basics.exceptions import FormatError, MissingExtraError
from referee.formats.shared.source import Source
from referee.inputs.load import read_corpus
from tests.support.reading import entities_of
from tests.support.samples import TABLES, arrow

TOKENS = {"id": "a", "sentences": [{"tokens": [{"id": 1.0, "text": "Ann"}, {"id": 2.0, "text": "waves"}]}]}
ROWS = {
    "jsonlines": [
        {"doc_key": f"d{n}", "sentences": [["Ann", "saw", "her", "."]], "clusters": [[[0, 0], [2, 2]], [[n, 3]]][: n + 1]}
        for n in range(4)
    ],
    "without names": [{"tokens": ["Ann", "saw", "her"], "predicted_clusters": [[[0, n], [2, 2]]]} for n in range(2)],
    "coref-data": [{**TOKENS, "id": str(n), "coref_chains": [[[0, 0, n]]]} for n in range(2)],
    "items": [{"item": f"r{n}", "entity": n // 2, "vector": [0.5, n]} for n in range(7)],
    "pairs": [{"unique_id_l": f"r{n}", "unique_id_r": f"r{n + 1}", "match_probability": n / 10} for n in range(9)],
}


def data_set(rows):
    return pytest.importorskip("datasets", reason="needs datasets").Dataset.from_list(rows)


@pytest.mark.filterwarnings("ignore:.* is a link:referee.RefereeWarning")
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("shards", [1, 2])
def test_a_folder_means_what_the_data_set_means_in_memory(name, shards, tmp_path):
    memory = data_set(ROWS[name])
    memory.save_to_disk(tmp_path / "saved", num_shards=shards)
    memory.to_parquet(tmp_path / "file.parquet")
    for role in ("key", "response"):
        expected = read_corpus(memory, role=role)
        saved = inputs.read(tmp_path / "saved", role=role)
        assert saved == expected == inputs.read(tmp_path / "file.parquet", role=role)
        assert saved.format == inputs.detect(tmp_path / "saved") == "arrow"
    assert len(expected.document)
    assert validate(tmp_path / "saved") == []


def test_two_folders_are_scored_as_the_data_sets(tmp_path):
    rows = ROWS["jsonlines"]
    key, response = data_set(rows), data_set([{**row, "clusters": [[[0, 0], [2, 2]]]} for row in rows])
    key.save_to_disk(tmp_path / "key", num_shards=3)
    response.save_to_disk(tmp_path / "response")
    found, expected = score(tmp_path / "key", tmp_path / "response"), score(key, response)
    assert found.flat() == expected.flat()
    assert found.documents == expected.documents == ("d0", "d1", "d2", "d3")


def test_files_that_the_data_set_does_not_name_are_not_read(tmp_path):
    data_set(ROWS["items"]).save_to_disk(tmp_path)
    shutil.copy(next(tmp_path.glob("data-*.arrow")), tmp_path / "cache-0123.arrow")
    assert len(inputs.read(tmp_path).document) == 7
    (tmp_path / "state.json").write_text('{"_data_files": 3}')  # another program's
    assert len(inputs.read(tmp_path).document) == 14


def test_a_split_must_be_chosen(tmp_path):
    rows = data_set(ROWS["items"])
    splits = import_module("datasets").DatasetDict({"dev": rows, "test": rows})
    splits.save_to_disk(tmp_path)
    with pytest.raises(FormatError, match="has the splits dev, test; expected the folder of one of them"):
        inputs.read(tmp_path)
    with pytest.raises(ValueError, match="<key>: found the splits dev, test; expected one of them"):
        score(splits, splits)
    assert inputs.read(tmp_path / "dev") == read_corpus(splits["dev"])


def test_a_data_set_that_is_streamed_is_the_list_of_its_rows():
    rows = data_set(ROWS["jsonlines"])
    assert entities_of(read_corpus(rows.to_iterable_dataset())) == entities_of(read_corpus(rows))


def test_files_of_arrow_are_read_as_streams_are(tmp_path):
    library = pytest.importorskip("pyarrow", exc_type=ImportError)
    table, out = library.table(TABLES[1]), io.BytesIO()
    with import_module("pyarrow.ipc").new_file(out, table.schema) as writer:
        writer.write_table(table)
    assert inputs.detect(Source("x", out.getvalue())) == "arrow"
    assert inputs.read(Source("x", out.getvalue())) == inputs.read(Source("x", arrow(TABLES[1])))
    for name in ("a.arrow", "b.arrow"):
        (tmp_path / name).write_bytes(arrow(TABLES[1 if name == "a.arrow" else 0]))
    with pytest.raises(FormatError, match="is no Arrow file that can be read: Schema at index 1 was different"):
        inputs.read(tmp_path)


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        (
            {"foo": ["a"]},
            "has the columns foo; expected one for the item and one for the entity: --columns item=NAME,entity=NAME, or",
        ),
        ({"foo": ["d"], "clusters": [[[[0, 0]]]]}, "found `clusters` beside 'foo' and no words"),
        ({"sentences": [[["a"]]], "clusters": [[[[0, 7]]]]}, "found "),
        ({"coref_chains": [[[[0, 0, 0]]]]}, "`sentences` is not what it should be"),
    ],
)
def test_a_fault_names_the_problem(columns, problem):
    pytest.importorskip("pyarrow", exc_type=ImportError)
    with pytest.raises(FormatError, match=rf"^x(:1)?: .*{problem}"):
        inputs.read(Source("x", arrow(columns)))


def test_without_pyarrow_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"^Arrow needs an extra: pip install 'referee\[parquet\]'"):
        inputs.read(Source("x", b"\xff\xff\xff\xff"))
