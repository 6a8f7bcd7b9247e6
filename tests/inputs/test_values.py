"""Values of all kinds: each means what its twin in a file means, or is refused with the remedy."""

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import RefereeError, RefereeWarning, compare, read, score
from referee.inputs.plain import corpus_of_plain as corpus_of
from tests.support.examples import examples
from tests.support.reading import corpus_of_value
from tests.support.warned import recorded

Entities = Counter[frozenset[tuple[Any, int]]]
PARTITION = {"a": 1, "b": 1, "c": 2}
NAMES = st.sampled_from(["a", "b", 1, 2, "1", "é", "a\nb"])


def entities_of(corpus):
    """The entities of each document that has any: how often each mention is in one."""
    found = {}
    for n, (document, entity) in enumerate(zip(corpus.document.tolist(), corpus.entity.tolist(), strict=True)):
        mention = corpus.items[n] if corpus.items is not None else (int(corpus.start[n]), int(corpus.end[n]))
        found.setdefault(corpus.doc_ids[document], {}).setdefault(entity, Counter())[mention] += 1
    return {name: Counter(frozenset(e.items()) for e in entities.values()) for name, entities in found.items()}


def same(value, other):
    return entities_of(corpus_of_value(value)) == entities_of(corpus_of_value(other))


class UnclearError(Exception):
    """The flattener has no reading."""


class Flattener:
    """What a nested value may mean, by trial of all readings from top to bottom. It shares no code with the package."""

    def readings(self, value):
        attempts = [self.labels, self.items, self.document, self.documents, self.named]
        for attempt in attempts:
            try:
                documents = attempt(value)
            except UnclearError:
                continue
            kinds = {type(m) for d in documents.values() for e in d for m, _ in e}
            if len(kinds) <= 1:
                yield {name: entities for name, entities in documents.items() if entities}

    def labels(self, value):
        if not isinstance(value, (list, tuple)) or not value:
            raise UnclearError
        return {"#1": self.grouped([((n, n + 1), label) for n, label in enumerate(value)])}

    def items(self, value):
        if not isinstance(value, dict):
            raise UnclearError
        return {"#1": self.grouped([(self.mention(m, within=set()), label) for m, label in value.items()])}

    def grouped(self, pairs):
        if any(type(label) not in (int, str) for _, label in pairs):
            raise UnclearError
        labels = {label for _, label in pairs}
        return Counter(frozenset(Counter(m for m, own in pairs if own == label).items()) for label in labels)

    def document(self, value):
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise UnclearError
        return {"#1": Counter(entity for part in value if (entity := self.entity(part)))}

    def documents(self, value):
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise UnclearError
        return {f"#{n}": self.document(part)["#1"] for n, part in enumerate(value, start=1)}

    def named(self, value):
        if not isinstance(value, dict):
            raise UnclearError
        return {str(n): (self.items if isinstance(v, dict) else self.document)(v)["#1"] for n, v in value.items()}

    def entity(self, value):
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise UnclearError
        return frozenset(Counter(self.mention(part, value) for part in value).items())

    def mention(self, value, within):
        if type(value) in (str, int):
            return str(value)
        if isinstance(value, (list, tuple)) and len(value) == 2 and {type(v) for v in value} == {int}:
            return tuple(value)
        if (
            isinstance(value, tuple)
            and value
            and {type(v) for v in value} <= {int, str}
            and isinstance(within, (set, frozenset))
        ):
            return repr(value)
        raise UnclearError


def random_value(r, depth):
    """Any nesting of lists, tuples, sets, dicts, pairs and single things."""
    collections = ["atom", "list", "list", "tuple", "set", "dict"] if depth else []
    kind = r.choice(["atom", "atom", "pair", *collections])
    if kind == "atom":
        return r.choice(["a", "b", "c", 0, 1, 2, 3, None])
    if kind == "pair":
        start = r.randrange(3)
        return r.choice([list, tuple])((start, start + r.randrange(1, 3)))
    size = r.randrange(4)
    alike = r.random() < 0.7  # the same shape for all parts, or any
    state = r.random()

    def part():
        return random_value(random.Random(state + r.random() / 1e9) if alike and r.random() < 0.3 else r, depth - 1)

    parts = [part() for _ in range(size)]
    try:
        if kind == "dict":
            return dict(zip([hashable(part()) for _ in range(size)], parts, strict=True))
        return {"list": list, "tuple": tuple, "set": set}[kind](map(hashable, parts) if kind == "set" else parts)
    except TypeError:  # a dict within a set
        return parts


def hashable(value):
    if isinstance(value, list):
        return tuple(map(hashable, value))
    return frozenset(map(hashable, value)) if isinstance(value, set) else value


def test_random_nested_values_mean_one_of_the_things_that_they_can_mean_or_are_refused():
    r = random.Random(7)
    flattener = Flattener()
    taken = 0
    for _ in range(8_000):
        value = random_value(r, 4)
        if type(value) is str:
            continue
        try:
            found = entities_of(corpus_of(value))
        except RefereeError as error:
            assert "expected" in str(error), value
            assert "\n" not in str(error), value
            continue
        taken += 1
        assert found == next(flattener.readings(value), None), value
    assert taken > 800


def may_be_rows(value):
    """Whether lists of two names each may be items with their labels: no item comes again, and a label does."""
    if not isinstance(value, list) or not all(isinstance(part, list) and len(part) == 2 for part in value):
        return False
    if not all(isinstance(name, str) for part in value for name in part):
        return False
    return len(value) > 2 and len({label for _, label in value}) < len({item for item, _ in value}) == len(value)


def test_random_annotation_in_any_canonical_form_is_taken_as_it_is():
    r = random.Random(3)
    flattener = Flattener()
    for _ in range(800):
        spans = r.random() < 0.5
        collection = r.choice([list, tuple, set, frozenset] if spans else [list, set, frozenset])
        mentions = [(a, b) for a in range(8) for b in range(a + 1, 9)] if spans else list("abcdefgh")
        many = [
            [collection(r.sample(mentions, r.randrange(1, 4))) for _ in range(r.randrange(1, 4))]
            for _ in range(r.randrange(1, 4))
        ]
        for value in (many[0], many, {f"d{n}": d for n, d in enumerate(many)}):
            if may_be_rows(value):
                with pytest.raises(RefereeError, match=r"found pairs such as .* where entities are expected"):
                    corpus_of(value)
                continue
            assert entities_of(corpus_of(value)) == next(flattener.readings(value)), value


# Documents as dicts: as in a file.

DOCUMENTS = {
    "jsonlines": {"doc_key": "d", "sentences": [["Ann", "saw", "her"], ["dog"]], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]},
    "predicted": {"doc_key": "d", "sentences": [["Ann", "saw"]], "clusters": [], "predicted_clusters": [[[0, 0], [1, 1]]]},
    "wl-coref": {"document_id": "d", "cased_words": ["Ann", "saw"], "sent_id": [0, 0], "span_clusters": [[[0, 1], [1, 2]]]},
    "maverick": {"tokens": ["Ann", "saw", "her"], "clusters_token_offsets": [[[0, 0], [2, 2]]], "clusters_char_offsets": None},
    "preco": {"id": "d", "sentences": [["Ann", "saw", "her"]], "mention_clusters": [[[0, 0, 1], [0, 2, 3]]]},
    "fastcoref": {"text": "Ann saw her", "clusters": [[[0, 3], [8, 11]]], "clusters_strings": [["Ann", "her"]]},
    "allennlp": {"document": ["Ann", "saw", "her"], "clusters": [[[0, 0], [2, 2]]], "top_spans": []},
    "clusters": {"type": "clusters", "clusters": {"x": ["a", "b"], "y": ["c"]}},
    "graph": {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]},
    "bare clusters": {"clusters": [[[0, 1], [2, 3]]]},
}  # fmt: skip


def tuples(value):
    """The same with tuples and arrays for lists of numbers."""
    if isinstance(value, dict):
        return {key: tuples(part) for key, part in value.items()}
    if isinstance(value, list) and value and all(isinstance(part, int) for part in value):
        return np.array(value)
    return tuple(map(tuples, value)) if isinstance(value, list) and value and isinstance(value[0], list) else value


@pytest.mark.parametrize("role", ["key", "response"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_as_a_dict_means_what_it_means_in_a_file(name, role, tmp_path):
    document = DOCUMENTS[name]
    path = tmp_path / "file"
    path.write_text(json.dumps(document))
    twin = entities_of(read(path, role=role))
    for value in (document, [document], (document,), iter([document]), tuples(document)):
        assert entities_of(corpus_of_value(value, role=role)) == twin
    [entities] = twin.values() or [Counter()]
    assert entities_of(corpus_of_value({"x": document}, role=role)) == ({"x": entities} if entities else {})


def test_a_list_of_dicts_with_wrong_clusters_scores_what_its_file_scores(tmp_path):
    words = [["a", "b", "c", "d"]]
    key = [{"doc_key": f"d{n}", "sentences": words, "clusters": [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]} for n in range(2)]
    response = [{**d, "clusters": [[[0, 0], [2, 2]], [[1, 1], [3, 3]]]} for d in key]
    paths = tmp_path / "key", tmp_path / "response"
    for path, documents in zip(paths, (key, response), strict=True):
        path.write_text("".join(json.dumps(d) + "\n" for d in documents))
    files, values = score(*map(str, paths)), score(key, response)
    assert values["links"].f1 == files["links"].f1 == 0
    assert [values[m] for m in values] == [files[m] for m in files]
    assert values.documents == ("d0", "d1")


# Columns, tables and graphs of libraries.


def table(**columns):
    """The same table as each library that is installed has it."""
    yield pytest.importorskip("pyarrow", reason="the extra referee[parquet] is not installed").table(columns)
    yield pytest.importorskip("pandas", reason="pandas is not installed").DataFrame(columns)
    yield pytest.importorskip("polars", reason="polars is not installed").DataFrame(columns)
    yield pytest.importorskip("datasets", reason="datasets is not installed").Dataset.from_dict(columns)


@pytest.mark.filterwarnings("ignore:.* is a link:referee.RefereeWarning")
@pytest.mark.parametrize(
    "columns",
    [
        {"item": ["a", "b", "c"], "entity": [1, 1, 2]},
        {"cluster_id": ["x", "x", "y"], "other": [[1], [], [2]], "unique_id": ["a", "b", "c"]},
        {"id_l": ["a", "c"], "id_r": ["b", "b"], "match_probability": [0.9, 0.1]},
    ],
)
def test_a_table_means_what_its_columns_mean_in_a_file(columns, tmp_path):
    for frame in table(**columns):
        assert same(frame, PARTITION), type(frame)
    path = tmp_path / "table.parquet"
    pytest.importorskip("pyarrow.parquet").write_table(next(table(**columns)), path)
    assert entities_of(read(path)) == entities_of(corpus_of(PARTITION))


def test_a_table_of_documents_is_read_as_jsonlines():
    document = DOCUMENTS["jsonlines"]
    for frame in table(**{key: [part] for key, part in document.items()}):
        assert same(frame, document), type(frame)


def test_a_relation_of_duckdb_is_a_table():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pytest.importorskip("pyarrow", reason="the extra referee[parquet] is not installed")
    assert same(duckdb.sql("select * from (values ('a', 1), ('b', 1), ('c', 2)) t(item, entity)"), PARTITION)


def test_a_table_without_items_is_refused():
    for frame in table(x=[1], y=[2]):
        problem = "has the columns x, y; expected one for the item and one for the entity"
        remedy = "--key-columns item=x,entity=y, or left=x,right=y for pairs"
        with pytest.raises(RefereeError, match=f"^<key>: {problem}: {remedy}$"):
            score(frame, frame)


def test_a_table_that_arrow_cannot_hold_is_refused():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    arrow = pytest.importorskip("pyarrow", reason="the extra referee[parquet] is not installed")
    with pytest.raises(RefereeError, match=r"^<key>: is no table of Arrow: .*column item.*; expected columns of one type"):
        score(pandas.DataFrame({"item": ["a", 1], "entity": [1, 1]}), [])
    twice = arrow.Table.from_arrays([["a"], [1], [2]], names=["item", "entity", "entity"])
    with pytest.raises(RefereeError, match="<key>: has two columns called 'entity'; expected different names"):
        score(twice, [])


def test_a_column_goes_by_its_index():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    key = pandas.Series({"r1": "a", "r2": "a", "r3": "b"})
    assert score(key, pandas.Series({"r3": "x", "r1": "y", "r2": "y"}))["links"].f1 == 1
    assert same(pandas.Series(PARTITION), PARTITION)
    documents = pandas.Series([1, 1, 2], index=pandas.MultiIndex.from_tuples([("x", "a"), ("x", "b"), ("y", "a")]))
    assert same(documents, {"x": [{"a", "b"}], "y": [{"a"}]})
    labels = pandas.Series([1, 1, 2])
    assert same(labels, [1, 1, 2])
    assert same(labels.iloc[::-1], [1, 1, 2])  # the index is 2, 1, 0
    assert score(labels, np.array([5, 5, 6]))["links"].f1 == 1
    twice = pandas.Series([1, 2, 2], index=["a", "a", "b"])
    with pytest.warns(RefereeWarning, match="1 repeated record, the first: 'a' in entities 2 and 1"):
        assert score(twice, {"a": 1, "b": 2})["mentions"].precision == 1
    with pytest.raises(RefereeError, match="'b' has no entity"):
        corpus_of_value(pandas.Series([1, None], index=["a", "b"]))
    with pytest.raises(RefereeError, match="has no entity"):
        corpus_of_value(pandas.Series(["x", pandas.NA], dtype="string"))


@examples(1)
@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=6), st.sampled_from([(), ("document",), ("note",)]))
def test_the_same_table_as_rows_columns_and_frames(cells, more):
    names = ["item", "entity", *more]
    rows = [dict(zip(names, row, strict=False)) for row in cells]
    columns = {name: [row[name] for row in rows] for name in names}
    expected = {}
    for row in rows:
        document = str(row["document"]) if more == ("document",) else "#1"
        expected.setdefault(document, {}).setdefault(str(row["entity"]), Counter())[str(row["item"])] += 1
    found = {name: Counter(frozenset(e.items()) for e in entities.values()) for name, entities in expected.items()}
    for value in (rows, columns, {name: dict(enumerate(column)) for name, column in columns.items()}):
        assert entities_of(corpus_of_value(value)) == found
    by_record = {f"r{number}": {n: row[n] for n in names if n != "item"} for number, row in enumerate(rows)}
    twin = [{**row, "item": f"r{number}"} for number, row in enumerate(rows)]
    if more != ("note",):
        assert entities_of(corpus_of_value(by_record)) == entities_of(corpus_of_value(twin))


def test_columns_of_different_lengths_are_refused():
    problem = "found columns of different lengths, 2 in 'record_id', 1 in 'cluster_id'; expected a value for each row"
    with pytest.raises(RefereeError, match=problem):
        corpus_of_value({"record_id": ["a", "b"], "cluster_id": [1]})


def test_a_missing_value_of_pandas_is_a_gap():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    rows = [{"item": "a", "entity": pandas.NA}, {"item": "b", "entity": 1}]
    for value in (rows, {"item": ["a", "b"], "entity": [pandas.NaT, 1]}):
        with pytest.raises(RefereeError, match=r"^<key>:1: has 1 row without a value \(item a, entity empty\); expected"):
            corpus_of_value(value)
        with pytest.warns(RefereeWarning, match="has 1 row without a value"):
            assert score(value, value, nulls="drop")["mentions"].recall == 1


@pytest.mark.parametrize("engine", [None, "memory"])
def test_a_table_of_documents_without_a_complete_row_has_undefined_scores(engine):
    arrow = pytest.importorskip("pyarrow", reason="the extra referee[parquet] is not installed")
    table = arrow.table({"document": ["d", "d"], "item": arrow.array([None, None], arrow.string()), "entity": ["a", "b"]})
    with recorded() as told:
        scores = score(table, table, nulls="drop", engine=engine, metrics="all")
    assert any("<key> has 2 rows without a value" in str(warning.message) for warning in told)
    assert np.isnan([scores["b_cubed"].recall, scores["links"].f1, scores["muc"].f1]).all()


def test_columns_without_an_index_are_labels():
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert same(polars.Series(["x", "x", "y"]), [1, 1, 2])
    with pytest.raises(RefereeError, match="has no entity"):
        corpus_of_value(polars.Series([1, None]))


def test_pairs_of_linked_records_make_entities():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    index = pandas.MultiIndex.from_tuples([("a", "b"), ("b", "c"), ("d", "e")])
    entities = [{"a", "b", "c"}, {"d", "e"}]
    assert entities_of(corpus_of_value(index, tables="one")) == entities_of(corpus_of(entities))
    with pytest.warns(UserWarning, match=r"^<key>: has 1 id on both sides of its pairs \(b\): taken for records of one table"):
        assert same(index, entities)
    two = [{"left/a", "right/b"}, {"left/b", "right/c"}, {"left/d", "right/e"}]
    assert entities_of(corpus_of_value(index, tables="two")) == entities_of(corpus_of(two))


def test_graphs_and_communities():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    for kind in (networkx.Graph, networkx.DiGraph, networkx.MultiGraph):
        graph = kind([("a", "b"), ("a", "b")])
        graph.add_node("c")
        assert same(graph, PARTITION)
    graph = networkx.Graph([("a", "b"), ("c", "d")])
    assert same(networkx.connected_components(graph), graph)
    assert same(networkx.community.louvain_communities(graph), graph)
    assert same(networkx.Graph([((0, 1), (2, 3))]), [{(0, 1), (2, 3)}])


def test_tensors_are_spans_and_labels():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    spans = [{(0, 1), (4, 6)}, {(2, 3)}]
    assert same([torch.tensor([[0, 1], [4, 6]]), torch.tensor([[2, 3]])], spans)
    assert same([[torch.tensor([0, 1]), torch.tensor([4, 6])], [(torch.tensor(2), torch.tensor(3))]], spans)
    assert same(torch.tensor([3, 3, 5]), [3, 3, 5])
    assert same({"a": torch.tensor(1), "b": torch.tensor(1), "c": torch.tensor(2)}, PARTITION)


def test_arrays_are_spans():
    assert same([[np.array([0, 1]), np.array([4, 6])], [np.array([2, 3])]], [{(0, 1), (4, 6)}, {(2, 3)}])
    assert same(np.array([[[0, 1], [4, 6]], [[2, 3], [7, 9]]]), [{(0, 1), (4, 6)}, {(2, 3), (7, 9)}])


# What is refused.


def test_labels_and_lists_of_documents_are_as_long_in_key_and_response():
    with pytest.raises(RefereeError, match=r"found 3 labels in <key> and 2 in <response>; expected one for each item"):
        score([0, 0, 1], [0, 0])
    with pytest.raises(RefereeError, match="found 3 labels"):
        compare(np.array([0, 0, 1]), {"x": np.array([0, 0])})
    with pytest.raises(RefereeError, match="found 3 labels"):
        score({"d": np.array([0, 0, 1])}, {"d": np.array([0, 0])})
    documents = [[{"a"}], [{"b"}]]
    with pytest.raises(RefereeError, match="found 2 documents without names in <key> and 1 in <response>"):
        score(documents, documents[:1])
    with pytest.warns(UserWarning, match="<response> has no mentions"):
        assert score(documents, [[], []]).documents == ("#1", "#2")
