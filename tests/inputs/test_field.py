"""Tables and values that were misread, as public reports, callers and files have them: right now, or refused, or warned of."""

import csv
import io
import shutil
import warnings
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

import pytest

import referee
from referee.basics.exceptions import RefereeError
from tests.support.command import referee as run
from tests.support.paths import SHARED
from tests.support.warned import silenced

FIELD = SHARED / "field"
pytestmark = pytest.mark.skipif(not FIELD.is_dir(), reason="../shared/field is absent")


class Case(NamedTuple):
    """A folder and a call in it; the percentages of recall and precision by metric, or what it is refused with."""

    folder: str
    call: str
    scores: Mapping[str, tuple[float, float]] = {}
    refused: str = ""
    warned: str = ""


OF_PAIRS = (": alone there", "lists matches only: all other pairs count as no match")
"""How lines end that say what a list of pairs means for records, and pairs, that it lacks."""
HALF = "a probability of at least 0.5 is a link"
MAPPED = "left=idDBLP,right=idACM"
CASES = [
    # A header of unknown names is no record.
    Case("tables/header-is-an-item", "key.csv response.csv", refused="key.csv:1: has the columns rec, grp"),
    *(
        Case("tables/header-is-an-item", f"{key} response.csv --columns item=rec,entity=grp -m b_cubed", {"b_cubed": (66.67, 100)})  # noqa: E501
        for key in ("key.csv", "key.tsv")
    ),
    *(
        Case(
            "tables/header-is-an-item", f"known.csv {response} -m b_cubed --response-columns item=rec,entity=grp",
            {"b_cubed": (100, 100)},
        )
        for response in ("key.csv", "badcol.parquet")
    ),
    Case("tables/header-is-an-item", "known.csv badcol.parquet", refused="badcol.parquet: has the columns rec, grp"),
    *(
        Case("tables/header-as-data", f"{name} {name} -m links", {"links": (100, 100)})
        for name in ("dedupe.csv", "entity_first.csv", "item_unknown.csv")
    ),
    *(
        Case("tables/header-as-data", f"{name} {name}", refused=f"is the first row ({header}) a header?")
        for name, header in (
            ("matches.csv", "fodors_id, zagats_id"), ("pandas_links.csv", "0, 1"), ("perfectMapping.csv", "idAbt, idBuy")
        )
    ),
    Case("tables/header-as-data", "two_item_columns.csv two_item_columns.csv", refused="has mention_id, unique_id for the item"),  # noqa: E501
    # Gold pairs of two tables are no items with entities.
    Case("tables/pairs-read-as-items", "key.csv response.csv", refused="is the first row (idDBLP, idACM) a header?"),
    Case(
        "tables/pairs-read-as-items", f"key.csv response.csv --columns {MAPPED} -m links,b_cubed,lea",
        {"links": (0, 0), "b_cubed": (50, 50), "lea": (0, 0)},
    ),
    # A column of another name decides, or is asked for.
    Case("tables/magellan-predicted", "key.csv response.csv -m links", {"links": (100, 100)}),
    Case("tables/pairs-unknown-column", "key.csv score.csv", refused="has a column score, which may decide about pairs"),
    Case("tables/pairs-unknown-column", "key.csv score.parquet", refused="has a column score, which may decide about pairs"),
    Case("tables/pairs-unknown-column", "key.csv weight.csv", refused="has a column match_weight, which may decide"),
    Case(
        "tables/pairs-unknown-column", "key.csv score.csv --response-columns probability=score --tables one -m links",
        {"links": (100, 100)}, warned=HALF,
    ),
    Case("tables/pairs-unknown-column", "gold.csv key.csv --tables one -m links", {"links": (100, 100)}),
    Case("tables/pairs-unknown-column", "gold.parquet key.csv --tables one -m links", {"links": (100, 100)}),
    # Words for nothing are missing.
    *(
        Case("tables/missing-as-entity", f"{key} {response}", refused=f"{rows} without a value (item {first}")
        for key, response, rows, first in (
            ("key.csv", "response.csv", "has 3 rows", "3, entity NA"), ("key.parquet", "nan.parquet", "has 2 rows", "r2, entity NaN"),  # noqa: E501
            ("key.parquet", "empty.parquet", "has 2 rows", "r2, entity empty"),
        )
    ),
    Case("tables/missing-as-entity", "key.csv response.csv --nulls singleton -m b_cubed", {"b_cubed": (100, 100)}),
    # Options hold for every table.
    Case("tables/options-ignored-for-csv", "key.csv nulls.csv -m b_cubed --nulls singleton", {"b_cubed": (66.67, 100)}),
    Case("tables/options-ignored-for-csv", "intkey.csv nullc.parquet -m b_cubed --nulls singleton", {"b_cubed": (100, 100)}),
    Case(
        "tables/options-ignored-for-csv", "key.csv badcol.parquet -m b_cubed --response-columns item=rec,entity=grp",
        {"b_cubed": (100, 100)},
    ),
    Case("tables/csv-columns-option", "splink_key.csv splink_clusters.csv", refused="has cluster_id, cluster for the entity"),
    # A record is its source and its item.
    *(
        Case("tables/splink-sources", f"{a} {b} --threshold 0.5 -m links", {"links": (100, 100)})
        for a, b in (("clusters.csv", "pairs.csv"), ("clusters.parquet", "pairs.parquet"), ("clusters.csv", "pairs.parquet"))
    ),
    *(
        Case("tables/splink-sources", f"clusters.{a} clusters2.{b} -m b_cubed", {"b_cubed": (60, 80)})
        for a, b in (("csv", "csv"), ("parquet", "parquet"), ("csv", "parquet"), ("parquet", "csv"))
    ),
    # One rule for a record in two clusters.
    *(
        Case("tables/repeated-records", f"ok.parquet {name} --repeated-mentions error", refused="'r1' in entities")
        for name in ("dup.csv", "dup.parquet")
    ),
    # The files of dedupe and Zingg, of py_entitymatching and recordlinkage.
    *(
        Case("tables/zingg-dedupe-csv", f"key.csv {name} -m links", {"links": (50, 100)})
        for name in ("dedupe.csv", "zingg.csv", "zingg.parquet")
    ),
    Case("tables/columns", "rec_id_cluster.csv rec_id_cluster.csv -m links", {"links": (100, 100)}),
    Case("tables/columns", "dots.csv dots.csv -m links", {"links": (100, 100)}),
    Case("tables/columns", "recordlinkage.csv recordlinkage.csv", refused="has a column surname, which may decide about pairs"),
    Case("tables/columns", "candidates_without_label.csv candidates_without_label.csv -m links", {"links": (100, 100)}),
    # Contradictions are said.
    Case("tables/contradictory-pairs", "key.csv key.csv --tables one -m links", {"links": (100, 100)}, warned="has 1 pair twice"),  # noqa: E501
    Case(
        "tables/contradictory-pairs", "key.csv response.csv --tables one --threshold 0.5 -m links", {"links": (100, 100)},
        warned="has 1 pair twice, as a link and as none",
    ),
    # Separators, and messages that speak of records.
    *(
        Case("formats/misleading-messages", f"k.csv {name} -m links", {"links": (100, 100)})
        for name in ("semi.csv", "excel.csv", "ded.csv", "cols.csv", "jl.jsonl", "rec.json")
    ),
    Case(
        "formats/misleading-messages", "k.csv case.csv -m links", {"links": (0, 0)},
        warned="have no record in common: found 'R1', 'R2', 'R3'; expected 'r1', 'r2', 'r3': they differ in case",
    ),
    Case("formats/misleading-messages", "fk.csv fr.csv -m links", {"links": (100, 100)}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.folder.rpartition('/')[2]}: {case.call}")
def test_a_table_is_read_as_what_it_is_or_refused(case):
    if ".parquet" in case.call:
        pytest.importorskip("pyarrow")
    done = run("score", *case.call.split(), "--report", "csv", cwd=FIELD / case.folder)
    if case.refused:
        assert done.status == 2
        assert case.refused in done.err
        assert done.err.count("\n") == 1
        return
    assert done.status == 0, done.err
    found = {row["metric"]: row for row in csv.DictReader(io.StringIO(done.out))}
    for metric, (recall, precision) in case.scores.items():
        numbers = [round(100 * float(found[metric][side] or "nan"), 2) for side in ("recall", "precision")]
        assert numbers == [recall, precision]
    said = [line for line in done.err.splitlines() if not line.endswith(OF_PAIRS)]
    assert any(case.warned in line for line in said) if case.warned else not said


def test_columns_are_said(tmp_path):
    folder = FIELD / "tables/header-is-an-item"
    told = run("formats", "key.csv", "--columns", "item=rec,entity=grp", cwd=folder)
    assert told.out == "key.csv: labels: item = rec, entity = grp; header in line 1; comma; 3 rows\n"
    assert run("validate", "known.csv", cwd=folder).out.startswith("known.csv: no errors (labels: item = record_id, entity = ")
    shutil.copy(FIELD / "tables/missing-as-entity/pairs.csv", tmp_path)
    assert "2 rows without a value" in run("convert", "pairs.csv", "-", "--to", "links", cwd=tmp_path).err.replace("3", "2")


def outcome(key, response, **options):
    """Recall and precision of links, or what it is refused with."""
    with silenced(Warning):
        try:
            found = referee.score(key, response, metrics="links,b_cubed", **options)
        except RefereeError as error:
            assert "\n" not in str(error)
            return str(error)
    links = found["links"]
    return round(links.recall or 0, 4), round(links.precision or 0, 4)


def test_rows_by_record_and_columns_by_name_are_tables():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": range(12), "cluster": [i // 2 for i in range(12)]})
    merged = frame.assign(cluster=0)
    want = outcome(dict(zip(frame.id, frame.cluster, strict=True)), dict(zip(merged.id, merged.cluster, strict=True)))
    assert want == (1, round(6 / 66, 4))
    for form in ("dict", "list", "records"):
        assert outcome(frame.to_dict(form), merged.to_dict(form)) == want
    index = [f.set_index("id").to_dict("index") for f in (frame, merged)]
    assert outcome(*index) == want
    member = [
        {i: {"Cluster ID": c, "confidence_score": 1.0} for i, c in zip(f.id, f.cluster, strict=True)} for f in (frame, merged)
    ]
    assert outcome(*member) == want
    unknown = frame.rename(columns={"cluster": "grp"}).set_index("id").to_dict("index")
    assert "if this is a table, or {record: row}, give the frame itself or say columns={'entity': ...}" in outcome(
        unknown, unknown
    )
    assert outcome(unknown, unknown, columns="entity=grp") == (1, 1)
    nested = [{i: {**row, "canonical representation": {"name": "x"}} for i, row in of.items()} for of in index]
    assert outcome(*nested) == want
    arrays = [f.to_records(index=False) for f in (frame, merged)]
    assert outcome(*arrays) == want
    assert outcome(*(list(f.itertuples()) for f in (frame, merged))) == want
    assert outcome(frame.to_dict("series"), merged.to_dict("series")) == want
    assert "found the label 0.1; expected names or whole numbers" in outcome([0.1, 0.9, 0.9], [0.2, 0.9, 0.8])


def test_sets_of_one_label_each_are_labels():
    key = {0: {"a"}, 1: {"a"}, 2: {"b"}, 3: {"b"}, 4: {"c"}, 5: {"d"}}
    response = {0: {"a"}, 1: {"a"}, 2: {"b"}, 3: {"c"}, 4: {"c"}, 5: {"c"}}
    found = referee.score(key, response, metrics="b_cubed")["b_cubed"]
    assert (round(found.precision or 0, 3), round(found.recall or 0, 3)) == (0.667, 0.833)  # as bcubed has it
    assert "overlapping entities, call referee.compat.bcubed" in str(outcome({0: {"a", "b"}, 1: {"a"}}, response))


def test_the_levels_of_an_index_are_two_tables():
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_tuples
    key = index([(0, 1), (1, 2), (2, 0)])
    assert outcome(key, index([(0, 1), (1, 2)])) == (0.6667, 1)
    assert outcome(key, index([(0, 1), (1, 2)]), tables="one") == (1, 1)
    diagonal, half = (
        index([(i, i) for i in range(100)]),
        index([(i, i) for i in range(50)] + [(i, i + 1) for i in range(50, 99)]),
    )
    assert outcome(diagonal, half) == (0.5, round(50 / 99, 4))
    with pytest.warns(referee.RefereeWarning) as caught:
        referee.score(key, index([(2, 3), (3, 4), (4, 2)]))
    assert [str(warning.message).partition(":")[0] for warning in caught][:1] == [
        "5 ids (0, 1, 2, …) are in both levels of an index of pairs"
    ]
    assert sum("both levels" in str(warning.message) for warning in caught) == 1
    assert outcome({0: "a", 1: "a", 2: "b"}, index([(0, 1)])) == (1, 1)  # labels are of one table


def test_numbers_that_are_equal_are_one_name():
    assert referee.score({1: "a", 2: "a", 3: "b"}, {1: "x", 2.0: "x", 3: "y"})["mentions"].recall == 1
    assert outcome({1: "a", 2: "a"}, {"1": "x", "2": "x"}) == (1, 1)
    pandas = pytest.importorskip("pandas")
    ten = [pandas.Series(["a", "a", "b"], index=[n * scale for n in (10, 20, 30)]) for scale in (1, 1.0)]
    assert outcome(*ten) == (1, 1)
    documents = [pandas.Series(["a", "a", "b"], index=[[d, d, d], [1, 2, 3]]) for d in (1, 1.0)]
    assert outcome(*documents) == (1, 1)


def test_odd_values_are_read_or_refused():
    pandas = pytest.importorskip("pandas")
    one = pandas.DataFrame({"item": ["a"], "entity": [1]})
    for empty in (pandas.DataFrame({"item": [], "entity": []}), pandas.DataFrame(columns=["item", "entity"])):
        with pytest.warns(referee.RefereeWarning, match="<response> has no records"):
            assert referee.score(one, empty)["mentions"].recall == 0
    mixed = pandas.DataFrame({"item": ["a", 1, 2.0], "entity": [1, 1, 2]})
    assert "expected columns of one type" in str(outcome(mixed, mixed))
    entities = iter([{1, 2}, {3}])
    assert "found one iterator twice" in str(outcome(entities, entities))
    assert "found pairs such as ('r1', 1)" in str(outcome([("r1", 1), ("r2", 1)], [("r1", 1)]))


def test_rows_that_are_no_entities_are_refused():
    pandas = pytest.importorskip("pandas")
    probable = [("r1", "r2", 0.9), ("r4", "r5", 0.8)]
    assert "if these are pairs, expected rows such as" in str(outcome(probable, probable))
    read = [["r1", "X"], ["r2", "X"], ["r3", "Y"]]
    assert "if they are items with their labels, give dict(value)" in str(outcome(read, read))
    partition = [(("r1", "r2", "r3"), (0.9, 0.8, 0.7)), (("r4",), (1.0,))]
    assert "give [set(items) for items, scores in value]" in str(outcome({"r1": 1}, partition))
    assert outcome([set(items) for items, _ in partition], [set(items) for items, _ in partition]) == (1, 1)
    decided = {("r1", "r2"): 1, ("r2", "r3"): 0, ("r4", "r5"): 1}
    assert "expected other labels, or rows such as {'id1': 'a', 'id2': 'b', 'label': 1} for decisions about pairs" in str(
        outcome(decided, decided)
    )
    for values in (pandas.Series(decided), pandas.Series(decided) == 1):
        assert "Expected a table: value.rename_axis(['document', 'item']).reset_index(name='entity')" in str(
            outcome(values, values)
        )
    documents = pandas.Series({("d1", 0): 7, ("d1", 1): 7, ("d2", 0): 8})
    assert outcome(documents, documents) == (1, 1)
    two = {n: {"grp": "A", "city": "q"} for n in "abc"}
    assert "if this is a table, or {record: row}, give the frame itself or say columns=" in str(outcome(two, two))


def test_texts_and_lists_of_paths_are_no_tables(tmp_path):
    text = "id,cluster\nr1,1\nr2,1\n"
    (tmp_path / "key.csv").write_text(text, encoding="utf-8")
    assert "rows for a table, such as list(csv.DictReader(io.StringIO(text)))" in str(outcome({"r1": 1, "r2": 1}, text))
    assert outcome({"r1": 1, "r2": 1}, list(csv.DictReader(io.StringIO(text)))) == (1, 1)
    assert "found a list of files; expected one path" in str(outcome({"r1": 1}, [str(tmp_path / "key.csv")]))
    corpora = [referee.read(tmp_path / "key.csv")] * 2
    said = "<response>: found a list of tables or corpora; expected one; compare(key, a, b) and inspect(key, a, b) take several"
    assert said in str(outcome({"r1": 1}, corpora))
    pandas = pytest.importorskip("pandas")
    assert said in str(outcome({"r1": 1}, [pandas.DataFrame({"id": ["r1"], "cluster": [1]})] * 2))


def test_decisions_are_no_labels(tmp_path):
    columns = {"record": ["r1", "r3", "r5"], "other_record": ["r2", "r4", "r6"], "label": [1, 0, 0]}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    (tmp_path / "p.csv").write_text("record,other_record,label\nr1,r2,1\nr3,r4,0\nr5,r6,0\n", encoding="utf-8")
    forms = [columns, rows, str(tmp_path / "p.csv")]
    if find_spec("pyarrow"):
        forms.append(import_module("pyarrow").table(columns))
    for form in forms:
        wrong = outcome({"r1": 1, "r2": 1}, form)
        assert "labels or pairs? Say --response-columns entity=label, or left=record,right=other_record" in str(wrong)
        assert outcome({"r1": 1, "r2": 1}, form, response_columns="left=record,right=other_record,decision=label") == (1, 1)
        assert outcome({"r1": 1, "r3": 1}, form, response_columns="entity=label") == (0, 0)
    named = [{**row, "label": n} for n, row in enumerate(rows)]
    assert outcome({"r1": 1, "r3": 1}, named)[0] == 0


def test_the_label_of_noise_is_said(tmp_path):
    labels = {"a": 0, "b": -1, "c": -1}
    (tmp_path / "noise.csv").write_text("id,cluster\na,0\nb,-1\nc,-1\n", encoding="utf-8")
    forms = [labels, list(labels.values()), str(tmp_path / "noise.csv")]
    if find_spec("pyarrow"):
        arrow = import_module("pyarrow")
        forms += [arrow.table({"id": list(labels), "cluster": of}) for of in ([0, -1, -1], ["0", "-1", "-1"])]
    for form in forms:
        with pytest.warns(
            referee.RefereeWarning, match="has 2 items with the label -1, taken for one entity: if they are noise"
        ):
            referee.score(form, form)


@pytest.mark.parametrize("others, is_said", [(10, True), (11, False)])
def test_a_hundred_records_called_0_are_said_if_no_other_entity_has_a_tenth_of_them(others, is_said, tmp_path):
    rows = [(f"z{n}", 0) for n in range(100)] + [(f"a{n}", 1) for n in range(others)]
    (tmp_path / "zero.csv").write_text("id,cluster\n" + "".join(f"{a},{b}\n" for a, b in rows), encoding="utf-8")
    forms = [dict(rows), str(tmp_path / "zero.csv")]
    if find_spec("pyarrow"):
        arrow = import_module("pyarrow")
        ids, labels = zip(*rows, strict=True)
        forms += [arrow.table({"id": ids, "cluster": of}) for of in (labels, list(map(str, labels)))]
    for form in forms:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            referee.score(form, form)
        said = [str(w.message) for w in caught if "has 100 items with the label 0, taken for one entity" in str(w.message)]
        assert bool(said) == is_said


def test_json_of_labels_says_what_is_expected():
    folder = FIELD / "formats/misleading-messages"
    key = str(folder / "k.csv")
    assert 'expected a list of rows such as {"item": "a", "entity": 1}' in str(outcome(key, str(folder / "map.json")))
    clusters = str(folder / "jsoncl.json")
    assert "--response-format clusters for ids" in str(outcome(key, clusters))
    assert outcome({"r1": 1, "r2": 1}, clusters, response_format="clusters") == (1, 1)


def test_graphs_of_igraph_are_links():
    igraph = pytest.importorskip("igraph")
    assert outcome({"a": 1, "b": 1, "c": 2}, igraph.Graph.TupleList([("a", "b")])) == (1, 1)
    assert outcome(igraph.Graph(3, [(0, 1)]), igraph.Graph(3, [(0, 1), (1, 2)])) == (1, round(1 / 3, 4))


def test_labels_for_none_are_no_entity():
    for response in (["1", "1", "", ""], ["1", "1", "NA", "NA"]):
        assert "found 2 of 4 labels that stand for none" in str(outcome(["1", "1", "2", "3"], response))
        assert outcome(["1", "1", "2", "3"], response, nulls="singleton") == (1, 1)
    assert "found 1 of 2 labels that stand for none ('')" in str(outcome({"a": 1, "b": 2}, {"a": "x", "b": ""}))


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_thresholds_know_sources_too():
    folder = FIELD / "tables/splink-sources"
    for key, pairs in (("clusters.csv", "pairs.csv"), ("clusters.parquet", "pairs.parquet")):
        if key.endswith("parquet"):
            pytest.importorskip("pyarrow")
        found = referee.thresholds(str(folder / key), str(folder / pairs), thresholds=[0.5])
        assert [found.scores[m][0].value for m in ("pairs", "links")] == [1, 1]
        assert found.scores["b_cubed"][0].recall == 1  # a record that stands in no pair is alone


def test_a_key_that_may_be_a_sample_is_said(tmp_path):
    everything = {f"r{n}": n // 2 for n in range(2000)}
    sample = {record: entity for record, entity in everything.items() if entity < 10}
    with pytest.warns(referee.RefereeWarning, match=r"1980 records of 2000 .* if the key is a sample, --items key"):
        referee.score(sample, everything)
    with pytest.warns(referee.RefereeWarning, match="1980 records of <response> are not in <key>|left out"):
        pandas = pytest.importorskip("pandas")
        frames = [pandas.DataFrame({"id": list(of), "cluster": list(of.values())}) for of in (sample, everything)]
        referee.score(*frames, items="key")
