"""What may be given as a label table, and what is refused, in the same words by every engine."""

import gc
import sys
import weakref
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest

from referee import compare, score
from referee.basics import exceptions
from referee.basics.exceptions import EngineError, FormatError, MismatchError, OptionError, RefereeWarning
from referee.inputs import sources
from referee.metrics.registry import METRICS
from referee.tables.blocks import block_of
from referee.tables.engine import CountingRules
from referee.tables.items import key_items
from tests.support.cases import cases
from tests.support.tables import ENGINES

arrow = pytest.importorskip("pyarrow")
each_engine = pytest.mark.parametrize("engine", ENGINES)

KEY = {"item": [1, 2, 3, 4], "entity": [7, 7, 8, 9]}
RESPONSE = {"item": [4, 3, 2, 1], "entity": [1, 2, 2, 2]}


def table(columns):
    return arrow.table(dict(columns))


def b_cubed(key, response, **options):
    return score(key, response, metrics="b_cubed", **options)["b_cubed"].value


WANT = b_cubed([{1, 2}, {3}, {4}], [{1, 2, 3}, {4}])


class Bare:
    """Nothing but an Arrow stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


WAYS = {
    "table": lambda t: t,
    "reader": lambda t: t.to_reader(),
    "bare": Bare,
    "data set": lambda t: library("pyarrow.dataset").dataset(t),
    "scanner": lambda t: library("pyarrow.dataset").dataset(t).scanner(),
    "pandas": lambda t: t.to_pandas() if library("pandas") else None,
    "Polars": lambda t: library("polars").from_arrow(t),
    "lazy Polars": lambda t: library("polars").from_arrow(t).lazy(),
    "DuckDB": lambda t: library("duckdb").from_arrow(t),
}


@each_engine
@pytest.mark.parametrize("way", WAYS)
def test_whatever_has_an_arrow_stream_is_a_table(engine, way):
    assert b_cubed(WAYS[way](table(KEY)), WAYS[way](table(RESPONSE)), engine=engine) == WANT


@each_engine
@pytest.mark.parametrize("way", ["reader", "bare", "data set", "scanner", "lazy Polars", "DuckDB"])
def test_a_stream_that_is_too_large_waits_on_disk(engine, way, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "STREAMED", 1e-9)
    extra = {"weight": [0.5] * 4, "list": [[1]] * 4}
    found = score(WAYS[way](table(KEY | extra)), WAYS[way](table(RESPONSE)), metrics="all", spill=str(tmp_path), engine=engine)
    assert found["b_cubed"].value == WANT
    assert len([path for path in tmp_path.iterdir() if path.name.startswith("referee-")]) == 2
    assert len(found.errors()) > 0  # the rows are read again
    del found
    gc.collect()
    assert list(tmp_path.iterdir()) == []


@each_engine
def test_files_folders_and_lists_are_tables(engine, tmp_path):
    parquet = import_module("pyarrow.parquet")
    for name, columns in (("key", KEY), ("response", RESPONSE)):
        (tmp_path / name).mkdir()
        for part in range(2):
            parquet.write_table(table(columns).slice(2 * part, 2), tmp_path / name / f"part-{part}.parquet")
        (tmp_path / name / "_SUCCESS").touch()
        (tmp_path / name / "_metadata.parquet").touch()
    key, response = str(tmp_path / "key"), tmp_path / "response"
    assert b_cubed(key, response, engine=engine) == WANT
    assert b_cubed([f"{key}/part-1.parquet", f"{key}/part-0.parquet"], str(response), engine=engine) == WANT
    assert b_cubed(f"file://{key}", f"file://{response}", engine=engine) == WANT
    parquet.write_table(arrow.table({"item": ["a"], "entity": [1]}), tmp_path / "key" / "part-2.parquet")
    with pytest.raises(
        FormatError, match=r"part-2.parquet: column item is string, in .*part-0.parquet int64; expected the same"
    ):
        b_cubed(key, response, engine=engine)


@pytest.mark.parametrize("name", ["part-2.csv", "part-2.csv.gz", "part-2.PARQUET", "part-2"])
def test_a_folder_with_files_that_would_not_be_read_is_refused(name, tmp_path):
    (tmp_path / "key").mkdir()
    import_module("pyarrow.parquet").write_table(table(KEY), tmp_path / "key" / "part-1.parquet")
    (tmp_path / "key" / name).touch()
    for key in (str(tmp_path / "key"), f"file://{tmp_path}/key"):
        with pytest.raises(FormatError, match=rf"key: has {name}; expected only names that end in .parquet: move it"):
            b_cubed(key, table(RESPONSE))


def test_urls_of_other_schemes_are_opened_by_fsspec():
    fsspec = library("fsspec")
    system = fsspec.filesystem("memory")
    for name, columns in (("key", KEY), ("response", RESPONSE)):
        with system.open(f"/t/{name}.parquet", "wb") as file:
            import_module("pyarrow.parquet").write_table(table(columns), file)
    assert b_cubed("memory://t/key.parquet", "memory://t/response.parquet") == WANT
    with pytest.raises(OptionError, match=r"^nope://a: nope is no scheme of Arrow; expected s3, gs, abfs or file, or an inst"):
        b_cubed("nope://a", "nope://b")


@pytest.mark.parametrize(("inside", "remedy"), [("_delta_log", "deltalake"), ("metadata", "pyiceberg")])
def test_tables_with_deleted_rows_are_refused(inside, remedy, tmp_path):
    (tmp_path / inside).mkdir()
    (tmp_path / inside / "v1.metadata.json").touch()
    import_module("pyarrow.parquet").write_table(table(KEY), tmp_path / "part.parquet")
    with pytest.raises(FormatError, match=rf"is an? \w+ table, whose files have deleted rows, too: give {remedy}"):
        score(str(tmp_path), table(RESPONSE))


@each_engine
@pytest.mark.parametrize(
    ("columns", "given"),
    [
        ({"unique_id": KEY["item"], "cluster_id": KEY["entity"], "name": ["x"] * 4}, "item=unique_id"),
        ({"RECORD_ID": KEY["item"], "z_cluster": KEY["entity"], "probability": [0.5] * 4}, None),
        ({"a": KEY["item"], "b": KEY["entity"]}, {"item": "a", "entity": "b"}),
        ({"id": arrow.array(["1", "2", "3", "4"]).dictionary_encode(), "label": list("xxyz")}, None),
        ({"id": arrow.array([1, 2, 3, 4], arrow.uint8()), "label": [b"x", b"x", b"y", b"z"]}, None),
        ({"id": [b"1" * 16, b"2" * 16, b"3" * 16, b"4" * 16], "label": KEY["entity"]}, None),
    ],
)
def test_columns_go_by_their_names_or_are_given(engine, columns, given):
    response = dict(zip(columns, columns.values(), strict=True))
    entity = next(name for name in columns if name in ("cluster_id", "z_cluster", "b", "label"))
    response[entity] = [2, 2, 2, 1]
    assert b_cubed(table(columns), table(response), columns=given, engine=engine) == WANT


@each_engine
def test_a_source_and_an_item_name_a_record_together(engine):
    key = {"DATA_SOURCE": ["a", "b", "a", "b"], "RECORD_ID": [1, 1, 2, 2], "CLUSTER_ID": [1, 1, 2, 3]}
    response = {"source_dataset": ["b", "a", "b", "a"], "unique_id": [2, 2, 1, 1], "cluster_id": [5, 6, 6, 6]}
    assert b_cubed(table(key), table(response), engine=engine) == WANT
    with pytest.raises(MismatchError, match="has the column DATA_SOURCE for the source, and <response> has none"):
        b_cubed(table(key), table(RESPONSE), engine=engine)


@each_engine
@pytest.mark.parametrize("case", [case for case in cases("columns") if ":" not in case.section], ids=str)
def test_what_cannot_be_counted_is_refused(engine, case):
    key, response = map(eval, (*case.lines, "KEY")[:2])
    with pytest.raises(getattr(exceptions, case.section), match=case.expected[0]):
        score(table(key), table(response), engine=engine)


@each_engine
@pytest.mark.parametrize("documents", [False, True])
def test_of_an_item_in_two_entities_the_first_is_taken_or_it_is_refused(engine, documents):
    extra = {"document": ["d"] * 5} if documents else {}
    twice = {**extra, "item": [1, 2, 3, 4, 1], "entity": [7, 7, 8, 9, 8]}
    response = {**({"document": ["d"] * 4} if documents else {}), **RESPONSE}
    with pytest.warns(
        RefereeWarning,
        match=r"^<key>: 1 repeated record, .*'1' in entities 7 and 8; each stays in the entity that comes first by the ids",
    ):
        assert b_cubed(table(twice), table(response), engine=engine) == WANT
    problem = "^<key>: 1 repeated record, .*'1' in entities 7 and 8; expected each record once: remove it, or use --repeated-"
    with pytest.raises(MismatchError, match=problem):
        score(table(twice), table(response), engine=engine, repeated_mentions="error")


@each_engine
@pytest.mark.parametrize("documents", [False, True])
def test_nulls_are_dropped_or_singletons(engine, documents):
    extra = {"document": ["d"] * 5} if documents else {}
    gaps = {**extra, "item": [1, 2, 3, None, 4], "entity": ["a", "a", None, "b", None]}
    whole = {**extra, "item": [1, 2, 3, 4, 5], "entity": [1, 1, 1, 2, 2]}
    with pytest.warns(
        RefereeWarning, match=r"^<key> has 3 rows without a value \(.*item 3, entity empty\), left out: --nulls drop$"
    ):
        dropped = score(table(gaps), table(whole), nulls="drop", engine=engine)
    assert dropped["b_cubed"] == score([{1, 2}], [{1, 2, 3}, {4, 5}])["b_cubed"]
    assert "nulls:drop" in dropped.signature
    with pytest.raises(FormatError, match="has 1 row without a value"):
        score(table(gaps), table(whole), nulls="singleton", engine=engine)
    alone = {name: column[:3] + column[4:] for name, column in gaps.items()}
    found = score(table(alone), table(whole), nulls="singleton", engine=engine)
    assert found["b_cubed"] == score([{1, 2}, {3}, {4}], [{1, 2, 3}, {4, 5}])["b_cubed"]


@each_engine
@pytest.mark.parametrize("documents", [False, True])
def test_a_row_that_is_repeated_counts_once(engine, documents):
    extra = {"document": [1] * 6} if documents else {}
    twice = {**extra, "item": [1, 2, 3, 4, 1, 1], "entity": [7, 7, 8, 9, 7, 7]}
    once = {**({"document": [1] * 4} if documents else {}), **RESPONSE}
    with pytest.warns(RefereeWarning, match="<key> has 2 rows that repeat an item of an entity"):
        assert b_cubed(table(twice), table(once), engine=engine) == WANT


@each_engine
def test_integers_and_text_are_compared_as_text(engine):
    text = {"item": ["4", "3", "2", "1"], "entity": RESPONSE["entity"]}
    for key, response in ((KEY, text), (text, KEY)):
        found = score(table(key), table(response), engine=engine)
        assert "ids:text-cast" in found.signature
        assert found["b_cubed"].value == WANT
    assert "ids:int64" in score(table(KEY), table(RESPONSE), engine=engine).signature
    with pytest.raises(
        FormatError, match=r"^<key>: has no column 'item:text' for the item; found item, entity \(--key-columns\)$"
    ):
        score(table(KEY), table(text), columns="item=item:text", engine=engine)


@each_engine
def test_extra_items_are_counted_in_a_warning(engine):
    with pytest.warns(RefereeWarning, match="2 records of 4 of <response> are not in <key>, left out: precision is too high"):
        found = score(table({"item": [1, 2], "entity": [1, 1]}), table(RESPONSE), items="key", engine=engine)
    assert found["b_cubed"].value == 1
    assert "items:key" in found.signature


def test_options_and_metrics_without_a_meaning_are_refused():
    plain = ({"a": 1}, {"a": 2})
    for options in ({"match": "head"}, {"zeros": "drop"}, {"quotes": "all"}):
        for key, response in (plain, (table(KEY), table(RESPONSE))):
            with pytest.raises(OptionError, match=rf"--{next(iter(options)).replace('_', '-')} .* is for mentions in texts"):
                score(key, response, **options)
    for options in ({"cross_document": "corpus"}, {"repeated_mentions": "conll"}):
        with pytest.raises(OptionError, match="found options of engines"):
            score(table(KEY), table(RESPONSE), memory="1GB", **options)
        assert score(table(KEY), table(RESPONSE), **options)["b_cubed"].value == WANT
    assert score(table(KEY), table(RESPONSE), profile="conll-8.01")["b_cubed"].value == WANT
    with pytest.raises(OptionError, match="mention_overlap looks at more than items and entities"):
        score(table(KEY), table(RESPONSE), metrics="mention_overlap")
    with pytest.raises(OptionError, match="such as --memory, is for tables of records"):
        score([{1}], [{1}], memory="1GB")
    for options in ({"memory": "much"}, {"threads": 0}, {"spill": "/nowhere"}, {"columns": "row=a"}):
        with pytest.raises(OptionError):
            score(table(KEY), table(RESPONSE), **options)


def test_mentions_are_made_when_something_asks_for_them():
    documents = {"document": ["b", "a", "a", "b"]}
    found = score(table(KEY | documents), table(RESPONSE | {"document": ["b", "a", "a", "b"]}), metrics="muc")
    assert found.documents == ("a", "b") == found.pair.key.doc_ids
    assert found["b_cubed"].value == score(found.key, found.response)["b_cubed"].value
    assert len(found.errors()) == len(score(found.key, found.response).errors())
    assert found.to_dict()["systems"][0]["run"] == {"engine": "memory"}
    again = score(found.key, found.response, metrics="muc")
    assert found.intervals(seed=1)["muc"] == again.intervals(seed=1)["muc"]


def test_streams_of_other_tables_are_read_once():
    pairs = table({"id1": [1, 2], "id2": [2, 3], "label": [1, 0]})
    assert score(pairs.to_reader(), pairs.to_reader(), tables="one")["b_cubed"].f1 == 1


@each_engine
@pytest.mark.parametrize("documents", [False, True])
def test_a_key_is_prepared_once_for_all_responses(engine, documents, monkeypatch):
    extra = {"document": [1, 1, 2, 2]} if documents else {}
    turned = {name: column[::-1] for name, column in extra.items()}
    responses = {"a": table(RESPONSE | turned), "b": table(KEY | extra)}
    want = {name: score(table(KEY | extra), response, engine=engine) for name, response in responses.items()}
    times = {}
    read = sources.Frame.batches

    def counted(self, columns):
        times[self.name] = times.get(self.name, 0) + 1
        return read(self, columns)

    monkeypatch.setattr(sources.Frame, "batches", counted)
    found = compare(table(KEY | extra), responses, engine=engine)
    assert {n: found.evaluations[""][n]["b_cubed"] for n in want} == {n: e["b_cubed"] for n, e in want.items()}
    assert times["<key>"] < times["<response>"] or (engine, documents) == ("memory", True)


def test_rows_of_spark_are_not_brought_here_by_mistake():
    frame = sources.SparkFrame(None, "<key>")
    with pytest.raises(OptionError, match=r"<key> is a frame of Spark with the columns item, .*expected the engine spark"):
        frame.batches(["item"])


@each_engine
def test_text_that_is_no_utf_8_is_refused(engine):
    offsets = arrow.py_buffer(np.array([0, 1, 2], dtype=np.int32).tobytes())
    item = arrow.StringArray.from_buffers(2, offsets, arrow.py_buffer(b"a\xff"))
    with pytest.raises(FormatError, match="column item has text that is no UTF-8; expected UTF-8"):
        score(arrow.table({"item": item, "entity": [1, 2]}), arrow.table({"item": ["a", "b"], "entity": [1, 2]}), engine=engine)


@pytest.mark.extras
def test_a_column_has_one_role_and_a_role_one_column():
    tables = table(KEY), table(RESPONSE)
    with pytest.raises(OptionError, match=r"--columns takes ROLE=COLUMN,\.\.\. with a column a role; found item and item"):
        score(*tables, columns="item=item,item=entity")
    name = next(iter(KEY))
    with pytest.raises(OptionError, match=rf"^--columns takes a column for each role; found '{name}' for two$"):
        score(*tables, columns={"item": name, "entity": name})
    with pytest.raises(OptionError, match="--threads is from 1 to 1024; found 100000"):
        score(*tables, threads=100_000)
    if find_spec("duckdb") and sys.platform == "linux":
        with pytest.raises(EngineError, match=r"no folder can be made in the spill folder /proc: .*; expected one that can be"):
            score(*tables, engine="duckdb", spill="/proc")


def test_what_tables_refuse_is_refused_beside_a_text_file(tmp_path):
    text, path = tmp_path / "key.csv", tmp_path / "response.parquet"
    text.write_text("item,entity\n1,7\n2,7\n3,8\n4,9\n")
    wrong = {
        "has 3.5 in the column item; expected names or whole numbers": RESPONSE | {"item": [4.0, 3.5, 2.0, 1.0]},
        "has 2.5 in the column entity; expected names or whole": RESPONSE | {"entity": [1.0, 2.5, 2.0, 2.0]},
        "has item, unique_id for the item; expected one: --{}-columns item=NAME": RESPONSE | {"unique_id": [1, 2, 3, 4]},
    }
    for problem, columns in wrong.items():
        import_module("pyarrow.parquet").write_table(table(columns), path)
        for pair in ((text, path), (path, text)):
            with pytest.raises(FormatError, match=problem.format("key" if pair[0] == path else "response")):
                score(*map(str, pair))
    for lake in ("_delta_log", "metadata"):
        folder = tmp_path / f"lake-{lake}"
        (folder / lake).mkdir(parents=True)
        (folder / lake / "v1.metadata.json").write_text("{}")
        (folder / "rows.csv").write_text(text.read_text())
        with pytest.raises(FormatError, match=r"is an? (Delta|Iceberg) table, whose files have deleted rows, too: give"):
            score(str(text), str(folder))


def test_a_frame_with_two_columns_of_one_name_is_refused():
    frame = pytest.importorskip("pandas").DataFrame([[1, 1, 2]], columns=["item", "item", "entity"])
    with pytest.raises(FormatError, match=r"<response>: is no table of Arrow: Duplicate column names found"):
        score(table(KEY), frame)


def test_the_tables_of_counted_blocks_do_not_wait_for_the_garbage_collector():
    """They would be in memory until it looks at old values, which it does the more seldom the more blocks there are."""
    rows = [(d, i) for d in range(9) for i in range(10)]
    key, response = (table({"document": [d for d, _ in rows], "item": [i for _, i in rows], "entity": of})
                     for of in ([(d + i) % 7 for d, i in rows], [i % 3 for _, i in rows]))  # fmt: skip
    gc.disable()
    try:
        for metric in (m for m in METRICS.values() if m.scope != "annotation"):
            counted = block_of(key_items(key), response, CountingRules()).table
            metric.count(counted)
            metric.count(counted.T)
            left = weakref.ref(counted)
            del counted
            assert left() is None, metric.id
    finally:
        gc.enable()
