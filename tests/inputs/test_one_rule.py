"""One rule through every door: what names a record, what is empty, what was used up, and what no column holds."""

import math
from importlib.util import find_spec

import numpy as np
import pytest

import referee
from referee.basics.exceptions import RefereeError
from tests.support.warned import silenced


def outcome(key, response, **options):
    """Recall and precision of links, or what it is refused with, in one line."""
    with silenced(Warning):
        try:
            links = referee.score(key, response, metrics="links", **options)["links"]
        except RefereeError as error:
            assert "\n" not in str(error)
            return str(error)
    return links.recall or 0, links.precision or 0


@pytest.mark.parametrize("door", ["pandas", "objects", "index", "polars", "pyarrow", "parquet", "rows", "columns", "json"])
def test_a_float_is_the_whole_number_that_it_is_through_every_door(door, tmp_path):
    pandas, arrow, polars = map(pytest.importorskip, ("pandas", "pyarrow", "polars"))

    def through(item, entity):
        columns = {"item": item, "entity": entity}
        frame = pandas.DataFrame(columns)
        if door == "parquet":
            frame.to_parquet(tmp_path / "table.parquet")
            return tmp_path / "table.parquet"
        if door == "json":
            (tmp_path / "rows.json").write_text(frame.to_json(orient="records"))
            return tmp_path / "rows.json"
        ways = {
            "pandas": lambda: frame,
            "objects": lambda: frame.astype(object),
            "index": lambda: frame.set_index("item")["entity"],
            "polars": lambda: polars.DataFrame(columns),
            "pyarrow": lambda: arrow.table(columns),
            "rows": lambda: frame.to_dict("records"),
            "columns": lambda: columns,
        }
        return ways[door]()

    key = {10: "a", 20: "a", 30: "b"}
    assert outcome(key, through([10.0, 20.0, 30.0], [1.0, 1.0, 2.0])) == (1, 1)
    gap = [10.0, 20.0, 30.0], [1.0, 1.0, None]
    assert "has no" in (said := str(outcome(key, through(*gap)))) or "without a value" in said
    assert outcome(key, through(*gap), nulls="singleton") == (1, 1)
    for wrong in (2.5, 1e17):
        said = str(outcome(key, through([10.0, 20.0, wrong], [1.0, 1.0, 2.0])))
        assert repr(wrong) in said
        assert "expected names or whole numbers below 2⁵³" in said or "expected text or a whole number" in said


def empties():
    pandas, arrow, polars = map(pytest.importorskip, ("pandas", "pyarrow", "polars"))
    columns = {"item": [], "entity": []}
    return {
        "floats": pandas.DataFrame(columns),
        "objects": pandas.DataFrame(columns=["item", "entity"]),
        "no columns": pandas.DataFrame([]),
        "truth values": pandas.DataFrame(columns).astype({"item": bool}),
        "series": pandas.Series([], dtype=float),
        "documents": pandas.Series([], index=[[], []], dtype=object),
        "polars": polars.DataFrame(columns),
        "polars without columns": polars.DataFrame(),
        "arrow": arrow.table(columns),
        "pairs": pandas.DataFrame({"id1": [], "id2": [], "probability": []}),
        "columns": columns,
        "dict": {},
        "array": np.array([]),
    }


@pytest.mark.parametrize("name", list(empties()) if all(map(find_spec, ("pandas", "pyarrow", "polars"))) else [])
def test_a_value_without_rows_is_an_empty_response_for_every_verb(name):
    empty, key = empties()[name], pytest.importorskip("pandas").DataFrame({"item": ["a"], "entity": [1]})
    lacks = "has no mentions" if name == "dict" else "has no records"  # {} may be texts
    with pytest.warns(referee.RefereeWarning, match=f"<response> {lacks}"):
        assert referee.score(key, empty)["mentions"].recall == 0
    with pytest.warns(referee.RefereeWarning, match=f"<response> {lacks}"):
        assert referee.errors(key, empty).counts["missed_entity"] == 1
    with pytest.warns(referee.RefereeWarning, match=f"<response> {lacks}"):
        referee.compare(key, empty, key)
    with pytest.warns(referee.RefereeWarning, match=lacks):
        referee.agree(key, empty)
    with pytest.warns(referee.RefereeWarning, match=f"<response> {lacks}"):
        referee.inspect(key, empty)
    with pytest.warns(referee.RefereeWarning, match=f"<key> {lacks}"):
        assert math.isnan(referee.score(empty, key)["mentions"].recall)


def test_an_iterator_is_given_once_and_one_that_is_used_up_is_told():
    def new():
        yield {"a", "b"}

    calls = [
        lambda g: referee.score(g, g),
        lambda g: referee.errors(g, g),
        lambda g: referee.agree(g, g),
        lambda g: referee.compare([{"a"}], g, g),
        lambda g: referee.inspect([{"a"}], g, g),
    ]
    for call in calls:
        with pytest.raises(referee.OptionError, match="found one iterator twice, which is used up when it is first read"):
            call(new())
    used = new()
    assert referee.score(list(used), [{"a", "b"}])["links"].f1 == 1
    with pytest.raises(referee.OptionError, match=r"^<response>: found a generator that was used up before; exp"):
        referee.score([{"a", "b"}], used)
    nothing = iter([{"a"}])
    next(nothing)
    gives_nothing = pytest.warns(referee.RefereeWarning, match="<response> is an iterator that gives nothing: it is empty, or")
    with gives_nothing, pytest.warns(referee.RefereeWarning, match="has no mentions"):
        assert referee.score([{"a", "b"}], nothing)["mentions"].recall == 0


def test_a_column_of_text_and_numbers_is_refused_by_every_verb():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    mixed = pandas.DataFrame({"item": ["a", 1, 2.0], "entity": [1, 1, 2]})
    plain = pandas.DataFrame({"item": ["a", "1", "2"], "entity": [1, 1, 2]})
    for frame in (mixed, plain.assign(entity=["a", 1, 2.5]), plain.assign(note=["a", 1, 2.5]), plain.assign(entity=10**30)):
        for call in (referee.score, referee.errors, referee.agree, referee.inspect):
            with pytest.raises(referee.RefereeError, match=r"^<\w+>: is no table of Arrow: .*; expected columns of one t"):
                call(frame, plain)
    series = plain.set_index("item")["entity"]
    assert "expected values of one type" in str(outcome(mixed.set_index("item")["entity"], series))


ITEMS = [("a", "b", "c"), ("é", "日本語", "z" * 40), ("", "x", "y"), ("a\0", "a", "b"), ("\ud800", "a", "b")]
LABELS = [(1, 1, 2), (-(1 << 70), -(1 << 70), 1 << 70), ("é", "é", "y" * 40), ("\0", "\0", "a"), (7, 7, "b")]


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("labels", LABELS)
def test_records_of_a_dict_keep_their_names_and_labels(items, labels):
    key = dict(zip(items, labels, strict=True))
    found = referee.score(key, {name: key[name] for name in reversed(items)}, metrics="links,mentions")
    assert (found["links"].f1, found["mentions"].f1) == (1, 1)
    assert sorted(found.key.items or ()) == sorted(items)
    assert sorted(found.key.entity_ids) == sorted({*map(str, labels)})
    other = dict(zip(items, (0, 1, 1), strict=True))
    assert outcome(key, other) == (0, 0)


def test_a_series_is_not_asked_for_what_it_does_not_have():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    asked = []  # the first search in an index hashes all of its items
    index = pandas.Index(["r1", "r2", "r3"], dtype=object)
    original = pandas.Index.__contains__

    def contains(self, name):
        asked.append(name)
        return bool(original(self, name))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pandas.Index, "__contains__", contains)
        series = pandas.Series([1, 1, 2], index=index)
        asked.clear()
        assert outcome(series, series) == (1, 1)
    assert asked == []
