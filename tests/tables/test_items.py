"""The items of a side in order, and the table of two sides, as the definitions have them, row by row."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from referee import compare
from referee.tables import memory
from referee.tables.blocks import block_of
from referee.tables.engine import CountingRules
from referee.tables.items import key_items
from tests.support.examples import examples

arrow = pytest.importorskip("pyarrow")

WIDE = (-(2**63), -5, 0, 1, 7, 2**62, 2**63 - 1)
NAMES = ("a", "ab", "b", "é", "z\0", "10", "9")

rows = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6), st.integers(0, 3)), max_size=14)


def values(numbers, kind):
    if kind == "text":
        return arrow.array([NAMES[n] for n in numbers], arrow.large_string())
    return arrow.array([WIDE[n] if kind == "wide" else n for n in numbers], arrow.int64())


def table(side, kind, documents):
    columns = dict(zip(("document", "item", "entity"), (values([row[n] for row in side], kind) for n in range(3)), strict=True))
    return arrow.table(columns if documents else {name: columns[name] for name in ("item", "entity")})


def first_entities(side, kind, documents):
    """Document and item -> the entity of the first row, in the order of documents and items."""
    found = {}
    for row in side:
        d, i, e = (NAMES[n].encode() if kind == "text" else WIDE[n] if kind == "wide" else n for n in row)
        found.setdefault((d if documents else b"", i), e)
    return dict(sorted(found.items()))


def entities(of):
    """The entities, each in its document, in the order of their first items."""
    return list(dict.fromkeys((d, e) for (d, _), e in of.items()))


@examples(0.5)
@given(
    key=rows, responses=st.lists(rows, min_size=1, max_size=3), kind=st.sampled_from(["small", "wide", "text"]),
    documents=st.booleans(), drop=st.booleans(),
)  # fmt: skip
def test_one_key_in_order_gives_the_table_of_each_response(key, responses, kind, documents, drop):
    rules = CountingRules(extra_items="drop" if drop else "score")
    prepared = key_items(table(key, kind, documents))
    k = first_entities(key, kind, documents)
    for response in responses:
        block = block_of(prepared, table(response, kind, documents), rules)
        r = first_entities(response, kind, documents)
        left = {at: e for at, e in r.items() if at in k or not drop}
        cells = Counter(
            (entities(k).index((d, k[d, i])), entities(left).index((d, e))) for (d, i), e in r.items() if (d, i) in k
        )
        t = block.table
        assert dict(zip(zip(t.key.tolist(), t.response.tolist(), strict=True), t.shared.tolist(), strict=True)) == cells
        for side, size in ((k, t.key_size), (left, t.response_size)):
            of = Counter((d, e) for (d, _), e in side.items())
            assert size.tolist() == [of[entity] for entity in entities(side)]
        assert block.seen.matched == sum(cells.values())
        assert block.seen.key.repeated == len(key) - len(k)
        assert block.seen.response.repeated == len(response) - len(r)
        assert block.seen.response.left_out == len(r) - len(left)
        if documents:
            there = sorted({d for d, _ in [*k, *r]})
            assert [d.encode() if isinstance(d, str) else d for d in block.documents] == there
            found = [[d.encode() if isinstance(d, str) else d for d in side] for side in block.only]
            assert found == [[d for d in there if d not in {d for d, _ in side}] for side in (r, k)]


def test_items_in_two_entities_are_told_in_the_order_of_items():
    found = key_items(arrow.table({"item": [9, 2, 9, 2, 2, 5], "entity": [1, 4, 0, 3, 4, 1]})).items.tally
    assert found.conflicts == ("2 in 3 and 4", "2 in 3 and 4", "9 in 0 and 1")
    assert (found.rows, found.repeated) == (6, 3)


@pytest.mark.parametrize("text", [False, True])
def test_a_key_is_put_in_order_once_for_all_responses(text, monkeypatch):
    times = []

    def counted(table):
        times.append(table.num_rows)
        return key_items(table)

    monkeypatch.setattr(memory, "key_items", counted)
    key = arrow.table({"item": ["a", "b", "c"] if text else [1, 2, 3], "entity": [1, 1, 2]})
    found = compare(key, {"same": key, "less": key.slice(1), "cut": key.set_column(1, "entity", arrow.array([1, 2, 2]))})
    recall = [e["links"].recall for e in found.evaluations[""].values()]
    assert times == [3]
    assert recall == [1, 0, 0]
