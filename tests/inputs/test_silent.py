"""Inputs that once gave another number without a word: the right number, a refusal with a remedy, or a warning."""

import csv
import io
import json
import os
import runpy
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import numpy as np
import pytest

import referee
from tests.support.command import told
from tests.support.paths import SHARED
from tests.support.warned import recorded

FIELD = SHARED / "field"
pytestmark = pytest.mark.skipif(not FIELD.is_dir(), reason="../shared/field is absent")


class Case(NamedTuple):
    """A call in a folder; the percentages of recall and precision by the first metric; what is refused; a part of a warning."""

    call: str
    scores: tuple[float, float] | None = None
    refused: str = ""
    warned: str = ""


B = "-m b_cubed"
CASES = {
    "silent/01-jsonlines-predicted": [
        Case(f"key.jsonlines out.jsonlines {B}", (50, 50)),
        Case(f"out.jsonlines out.jsonlines {B}", (50, 50)),
    ],
    "silent/02-wide-label-table": [
        Case(f"wide.csv wide.csv {B}", refused="has cluster, prediction for the entity; expected one: --response-columns"),
        Case(f"wide.csv wide.csv {B} --response-columns entity=prediction", (50, 50)),
        Case(f"wide2.csv wide2.csv {B}", (100, 100), warned="is key and response, read from cluster_id, and my_model is not"),
    ],
    "silent/03-pairs-truth-beside-predicted": [
        Case("one.csv one.csv -m links", (50, 50)),
        Case("one.csv response.csv -m links --threshold 0.5", (50, 50)),
    ],
    "silent/05-class-taken-for-entity": [
        Case(f"key.csv response.csv {B}", refused="read from label, and coref is not read: --columns entity=coref reads it"),
        Case(f"key.csv response.csv {B} --columns entity=coref", (75, 75)),
        Case(f"key.csv response.csv {B} --columns entity=label", (100, 100)),
    ],
    "silent/07-braces-read-as-links": [
        Case(f"{key} {response} {B}", refused="looks like none of the")
        for key, response in (
            ("k.txt", "r.txt"),
            ("k2.txt", "r2.txt"),
            ("k.json", "r.json"),
            ("k.jsonl", "r.jsonl"),
            ("py_k.txt", "py_r.txt"),
        )
    ],
    "silent/09-one-record-a-document": [
        Case(f"key.csv response.csv {B}", (100, 100), warned="each of the 3 documents of key.csv has one record"),
        Case(f"key.csv response.csv {B} --cross-document corpus", (66.67, 66.67)),
    ],
    "silent/10-header-again": [Case(f"key.csv response.csv {B}", (75, 66.67), warned="left out 1 row as the header again")],
    "silent/11-noise-not-warned": [
        Case(f"key.csv a.csv {B}", (100, 75), warned="2 items with the label -1, taken for one entity"),
        Case(f"key.csv b.parquet {B}", (100, 75), warned="2 items with the label -1, taken for one entity"),
        Case(f"key.csv c.csv {B}", refused="has 2 rows without a value (item r3, entity NaN)"),
        Case(f"key.csv d.csv {B}", (100, 75), warned="2 items with the label ?, taken for one entity"),
    ],
    "silent/12-blank-or-float-in-label": [
        Case(f"key.csv blank.csv {B}", (100, 100)),
        Case(f"key.csv float.csv {B}", (100, 100)),
    ],
    "silent/13-conll-gold-and-predicted": [
        Case(f"out.conll out.conll {B}", (100, 100), warned="read from column 6, and column 5 is not read"),
        Case(f"out.conll out.conll {B} --key-columns 5 --response-columns 6", (66.67, 66.67)),
        Case(f"k.conll r.conll {B}", refused="k.conll:4: the document in column 1 changes from a to b without a header"),
    ],
    "silent/14-members-in-a-cell": [
        Case(f"key.csv response.csv {B}", refused="has 2 of 3 rows with several records, such as r1;r2"),
    ],
    "silent/15-row-numbers-as-ids": [
        Case(f"key.csv response.csv {B}", (66.67, 80), warned="mentions are called by start and end"),
        Case(f"key.csv response.csv {B} --columns item=mention_id", (53.33, 80)),
    ],
    "silent/16-one-sided-records-unsaid": [
        Case(f"key.csv response.csv {B}", (25, 25), warned="counted as missed: they differ in zeros before numbers"),
    ],
    "silent/17-no-header-n-to-1": [
        Case("key.csv response.csv -m links", (0, 0), warned="has no header: a1,b1 is taken for an item and its entity"),
    ],
    "silent/18-header-and-numbers": [
        Case(
            f"key.csv response.csv {B} --columns item=1,entity=2",
            (80, 73.33),
            warned="so the first row (Kunde, Gruppe) is data",
        ),
        Case(f"key.csv response.csv {B} --columns item=Kunde,entity=Gruppe", (75, 66.67)),
    ],
    "silent/20-text-taken-for-a-mention": [Case(f"key.jsonlines response.jsonl {B}", (100, 100))],
    "roles": [
        Case("predictions.jsonlines key.jsonlines -m muc", (100, 100), warned="has predicted_clusters, too: it was read from"),
    ],
    "doors/mention-in-several-entities": [
        Case(f"key.conll response.conll {B}", (100, 100), warned="as metrics score a mention in one entity"),
    ],
    "doors/same-name-in-folder": [Case(f"corpus corpus {B}", (100, 100), warned="these documents are called like their files")],
    "doors/text2text-json": [
        Case(f"key.jsonlines response.json {B}", (100, 100)),
        Case(f"key.jsonlines broken.json {B}", refused="broken.json: document 'd1': cluster 2: found the span [11, 13]"),
        Case(f"key.conllu zeros.json {B}", (100, 100)),
    ],
    "doors/unnamed-documents": [Case(f"key.jsonl response.json {B}", (50, 100), warned="2 documents without names")],
    "answers/coverage/21-conll-without-empty-nodes": [Case(f"key.conllu answer.conll {B}", (100, 100))],
}
ROWS = [(folder, case) for folder, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(("folder", "case"), ROWS, ids=[f"{folder}: {case.call}" for folder, case in ROWS])
def test_a_file_means_what_its_reader_thinks(folder, case):
    if ".parquet" in case.call:
        pytest.importorskip("pyarrow")
    done = told("score", *case.call.split(), "--report", "csv", cwd=FIELD / folder)
    if case.refused:
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert case.refused in done.err
        return
    assert done.status == 0, done.err
    row = next(csv.DictReader(io.StringIO(done.out)))
    assert [round(100 * float(row[side]), 2) for side in ("recall", "precision")] == list(case.scores)
    assert case.warned in done.err


@pytest.mark.parametrize(
    ("folder", "problem"),
    [
        ("06-groupby-groups", "give list(d.values())"),
        ("14-members-in-a-cell", "has 2 of 3 rows with several records"),
        ("23-label-lists", "if these are labels, give {document: numpy.array(labels)}"),
    ],
)
def test_a_program_is_refused_with_the_call_that_works(folder, problem):
    pytest.importorskip("pandas")
    with pytest.raises(referee.RefereeError) as error:
        runpy.run_path(str(FIELD / "silent" / folder / "repro.py"))
    assert problem in str(error.value)


def test_weights_of_a_graph_are_warned_of():
    pytest.importorskip("networkx")
    with recorded() as caught:
        runpy.run_path(str(FIELD / "silent/19-graph-weights/repro.py"))
    assert any("6 edges of a graph with a weight, which is not looked at" in str(warning.message) for warning in caught)


def test_documents_of_a_corpus_are_a_corpus(monkeypatch):
    monkeypatch.chdir(FIELD / "roles")
    key, response = referee.read("key.jsonlines"), referee.read("predictions.jsonlines", role="response")
    want = referee.score(key, response)["muc"]
    for form in (list, lambda corpus: {d.name: d for d in corpus}, iter, lambda corpus: {d.name: d for d in corpus}.values()):
        assert referee.score(form(key), form(response))["muc"] == want
    with pytest.raises(referee.MismatchError, match="role='response'"):
        referee.score(list(key), list(referee.read("predictions.jsonlines")))


def test_what_has_both_sides_is_asked_for_one(tmp_path):
    done = told("convert", "predictions.jsonlines", tmp_path / "a.conll", cwd=FIELD / "roles")
    assert (done.status, "found clusters and predicted_clusters; expected --role key" in done.err) == (2, True)
    assert told("convert", "predictions.jsonlines", tmp_path / "a.conll", "--role", "response", cwd=FIELD / "roles").status == 0
    assert "cluster 0: found the span [0, 7]" in told("validate", "bad-prediction.jsonlines", cwd=FIELD / "roles").out


@pytest.mark.parametrize(
    "text",
    [
        "Report 2024\nrecord_id,cluster_id\nr1,1\nr2,1\nr3,2\n",
        "# made by x\nrecord_id,cluster_id\nr1,1\nr2,1\nr3,2\n",
        "Report 2024,\nrecord_id,cluster_id\nr1,1\nr2,1\nr3,2\n",
        "record_id,cluster_id\n,\nr1,1\n,\nr2,1\nr3,2\n,\n",
        "\n\nrecord_id\tcluster_id\nr1\t1\nr2\t1\nr3\t2\n",
        "\ufeffrecord_id,cluster_id\nr1,1\nr2,1\n\ufeffrecord_id,cluster_id\nr3,2\n",
        'record_id,cluster_id\n"r1","1 "\n"r2 ","1"\nr3,2\n',
        "record_id,cluster_id\nr1,1.0\nr2,1\nr3,2.0\n",
    ],
)
@pytest.mark.filterwarnings("ignore:.*left out 1:referee.RefereeWarning")
def test_tables_as_people_have_them(tmp_path, text):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    scores = referee.score({"r1": 1, "r2": 1, "r3": 2}, tmp_path / "t.csv")
    assert (scores["links"].f1, scores["b_cubed"].f1) == (1, 1)


WORDS = [["Ann", "Lee", "saw", "Bob", "."], ["She", "waved", "."]]
GOLD, SYSTEM = [[[0, 1], [5, 5]], [[3, 3]]], [[[0, 1]], [[3, 3], [5, 5]]]


def document(name="d", **fields):
    return json.dumps({"doc_key": name, "sentences": WORDS, **fields}) + "\n"


@pytest.mark.parametrize("name", ["preds", "result", "model_predictions", "maverick_clusters", "coref_hat"])
def test_clusters_of_any_name_beside_those_that_were_read_are_named(tmp_path, name):
    (tmp_path / "key").write_text(document(clusters=GOLD))
    (tmp_path / "out").write_text(document(clusters=GOLD, **{name: SYSTEM}))
    for key in ("key", "out"):
        done = told("score", key, "out", cwd=tmp_path)
        assert (
            f"read from clusters, and {name} is not read: expected the clusters of a response as predicted_clusters" in done.err
        )
    assert f"out: read clusters, and not {name}" in told("convert", "out", "out.conll", cwd=tmp_path).err


def test_clusters_beside_those_of_a_key_are_of_the_other_side(tmp_path):
    (tmp_path / "out").write_text(document(clusters=SYSTEM, gold_clusters=GOLD))
    assert "found gold_clusters and clusters; expected --role key" in told("convert", "out", "out.conll", cwd=tmp_path).err


@pytest.mark.parametrize("content", ["", document("b", clusters=GOLD)[:-20]])
@pytest.mark.parametrize("side", ["key", "response"])
def test_a_folder_with_a_broken_file_is_no_answer_of_a_language_model(tmp_path, content, side):
    for folder in ("key", "response"):
        (tmp_path / folder).mkdir()
        for name in "ab":
            (tmp_path / folder / f"{name}.jsonlines").write_text(document(name, clusters=GOLD))
    (tmp_path / side / "b.jsonlines").write_text(content)
    done = told("score", "key", "response", cwd=tmp_path)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"referee: error: {os.path.join(side, 'b.jsonlines')}:")
    done = told("score", "key", "response", "--skip-bad-files", cwd=tmp_path)
    assert done.status == 0
    assert "left out 1 document" in done.err


ENTITIES, OTHERS = [[(0, 2), (7, 8)], [(3, 6), (9, 10), (11, 12)]], [[(0, 2), (7, 8), (9, 10)], [(3, 6)]]


def padded(entities):
    return np.array([[*map(list, entity), *[[-1, -1]] * (3 - len(entity))] for entity in entities])


@pytest.mark.parametrize(
    "form",
    [
        padded,
        lambda entities: [*map(list, padded(entities))],
        lambda entities: np.array([*entities, None], dtype=object)[:-1],
        lambda entities: {"d": padded(entities)},
    ],
)
def test_arrays_of_lists_and_padded_spans_are_entities(form):
    got = referee.score(form(ENTITIES), form(OTHERS))["b_cubed"]
    assert (got.recall, got.precision) == (pytest.approx(8 / 15), pytest.approx(2 / 3))


def test_objects_are_called_by_their_text():
    ids = [UUID(int=n) for n in range(3)]
    assert referee.score(dict.fromkeys(ids, 1), dict.fromkeys(map(str, ids), 1))["links"].f1 == 1


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([[[0, *mention] for mention in entity] for entity in ENTITIES], r"found \[0, 0, 2\] where a mention"),
        ([[[*mention, "x"] for mention in entity] for entity in ENTITIES], r"found \[0, 2, 'x'\] where a mention"),
        ([(1, ["a", "b"]), (2, ["c"])], r"found 1 beside \['a', 'b'\]; expected \[set\(items\) for _, items in value\]"),
        ([[slice(*mention) for mention in entity] for entity in ENTITIES], r"found the mention slice\(0, 2, None\)"),
        ([("d", ENTITIES)], r"found 'd' beside .*; expected dict\(value\) if these are documents"),
        ([(0, 1), (1, 1), (2, 5)], r"if they are items with their labels, give dict\(value\)"),
        (['{"clusters": []}'], r"found the text .* as a label; expected values: give json.loads"),
        ({1: "a;b", 2: "c;d"}, "found 'a;b' as a label that no other item has; expected sets of items"),
        (["r1 r2", "r3"], "found 'r1 r2' as a label that no other item has"),
        ({"d": Path("key.conll")}, "as a label; expected a Corpus, the path of one file"),
        ({"d": __file__}, "found a list of files; expected one path"),
        (np.array([[1], [1], [2]]), r"found shape \(3, 1\): give value.ravel\(\)"),
        (np.eye(3), r"found shape \(3, 3\): a table has named columns, and entities are sets"),
        ([0, 0, 1, 1, 1, 2, 0], "are for items 0, 1, 2, ..., mentions of <key> are spans of tokens; expected the same kind"),
    ],
)
def test_a_value_that_is_no_plain_annotation_is_refused(value, problem):
    with pytest.raises(referee.RefereeError, match=problem) as error:
        referee.score(ENTITIES, value)
    assert "\n" not in str(error.value)


def test_one_document_of_a_corpus_is_a_corpus_and_its_entities_are_no_labels(monkeypatch):
    monkeypatch.chdir(FIELD / "roles")
    (document,) = referee.read("key.jsonlines")
    assert referee.score(document, document)["muc"].f1 == 1
    for value in (list(document.entities), {"d": referee.read("key.jsonlines")}):
        with pytest.raises(referee.OptionError, match=r"as a label; expected a Corpus|found a list of tables or corpora"):
            referee.score(document, value)


def test_labels_that_are_all_different_on_both_sides_are_warned_of():
    with recorded() as caught:
        referee.score(["a, b", "c, d"], ["a, c", "b, d"])
    assert any("each of the 2 items of <key> and <response> has a label of its own" in str(w.message) for w in caught)


def test_numbers_of_edges_are_warned_of_whatever_they_are_called():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("a", "b", {"sim": 0.9, "match": True}), ("b", "c", {"distance": 3}), ("c", "d", {"match": True})])
    with recorded() as caught:
        referee.score([set("abcd")], graph)
    assert any("2 edges of a graph with a weight, which is not looked at" in str(warning.message) for warning in caught)


def test_mentions_without_any_relation_are_warned_of(tmp_path):
    (tmp_path / "a.txt").write_text("Ann saw her .")
    (tmp_path / "a.ann").write_text("T1\tE1 0 3\tAnn\nT2\tE1 8 11\ther\n")
    done = told("score", "a.ann", "a.ann", cwd=tmp_path)
    assert "found no coreference between 2 mentions, so each is an entity of its own" in done.err


def test_a_column_of_lists_is_refused_with_the_calls_that_work():
    pandas = pytest.importorskip("pandas")
    groups = pandas.DataFrame({"id": list("abc"), "cluster": [1, 1, 2]}).groupby("cluster")["id"].apply(list)
    with pytest.raises(referee.OptionError, match=r"expected the label of an item, or value.tolist\(\), or value.to_dict"):
        referee.score(groups, groups)
    assert referee.score(groups.tolist(), {"a": 1, "b": 1, "c": 2})["links"].f1 == 1


def test_names_select_documents_as_a_list(monkeypatch):
    monkeypatch.chdir(FIELD / "roles")
    key = referee.read("key.jsonlines")
    names = list(key.doc_ids)
    with pytest.raises(referee.OptionError, match=r"expected numbers: corpus\.select\(names\) takes names"):
        key.select_documents(names)
    assert key.select(names) == key
    assert referee.score([key[name] for name in names], key)["muc"].f1 == 1


def test_a_folder_on_both_sides_is_warned_of(tmp_path):
    (tmp_path / "key").mkdir()
    (tmp_path / "key" / "a.jsonlines").write_text(document(clusters=GOLD))
    assert "key is key and response, read from clusters: expected another" in told("score", "key", "key", cwd=tmp_path).err


def test_a_graph_without_edges_is_warned_of():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_nodes_from("ab", cluster=1)
    with recorded() as caught:
        referee.score({"a": 1, "b": 1}, graph)
    assert any("<response> has no edges: each of its nodes is an entity of its own" in str(w.message) for w in caught)
