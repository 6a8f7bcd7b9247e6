"""Every engine and every route gives the bits of the corpus in memory, whatever the order and the partition of the rows."""

import pickle
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from referee import read_counts, score, write_counts
from referee.metrics import common_records
from referee.tables import blocks
from tests.support.examples import examples
from tests.support.tables import ENGINES, Row, arrow_table, bits, plain, rows_of, shuffled, written

pytest.importorskip("pyarrow")
pytestmark = [pytest.mark.parametrize("engine", ENGINES), pytest.mark.filterwarnings("ignore::referee.RefereeWarning")]

ITEMS = st.integers(-3, 40)


def labels(documents):
    """Key and response over documents with a few entities, some items and documents on one side only."""
    side = st.dictionaries(ITEMS, st.integers(0, 6), min_size=1, max_size=25)
    sides = st.dictionaries(st.integers(0, documents - 1), side, min_size=1, max_size=documents)
    return st.tuples(sides, sides).filter(lambda pair: bool(pair[0].keys() & pair[1].keys()))


@pytest.fixture(scope="module", autouse=True)
def _nothing_in_common_is_no_mistake():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_records, "MANY", 1 << 30)
        yield


def expected(key, response, documents, **options):
    return score(plain(key, documents), plain(response, documents), metrics="all", **options)


def by_name(evaluation):
    names = [int(name.removesuffix("é")) for name in evaluation.documents] if evaluation.documents != ("#1",) else [0]
    names = [name - 1000 if name >= 1000 else name for name in names]
    return {column: dict(zip(names, values, strict=True)) for column, values in bits(evaluation.counts).items()}


@examples(0.25)
@pytest.mark.parametrize("text", [False, True], ids=["integers", "text"])
@given(pair=labels(1), seed=st.integers(0, 5), files=st.integers(1, 3), row_group=st.integers(1, 9))
def test_one_clustering(engine, text, pair, seed, files, row_group):
    key, response = pair
    want = by_name(expected(key, response, False))
    tables = [arrow_table(shuffled(rows_of(side), seed), False, text=text) for side in pair]
    with tempfile.TemporaryDirectory() as folder:
        paths = [written(t, Path(folder) / str(n), files, row_group) for n, t in enumerate(tables)]
        assert by_name(score(paths[0], paths[1], metrics="all", engine=engine)) == want
    assert by_name(score(*tables, metrics="all", engine=engine)) == want


@examples(0.25)
@pytest.mark.parametrize("text", [False, True], ids=["integers", "text"])
@given(
    pair=labels(5), seed=st.integers(0, 5), files=st.integers(1, 3),
    block=st.sampled_from([1, 3, 10, 1 << 19]),
)  # fmt: skip
def test_documents(engine, text, pair, seed, files, block):
    key, response = pair
    want = by_name(expected(key, response, True))
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(blocks, "BLOCK", block)
        for name, rows in (
            ("mixed", [shuffled(rows_of(s), seed) for s in pair]),
            ("ordered", [sorted(rows_of(s)) for s in pair]),
        ):
            tables = [arrow_table(of, True, text=text) for of in rows]
            paths = [written(t, Path(folder) / name / str(n), files, 4) for n, t in enumerate(tables)]
            assert by_name(score(paths[0], paths[1], metrics="all", engine=engine)) == want


@examples(0.25)
@given(pair=labels(4), documents=st.booleans())
def test_options_mean_what_they_mean_for_corpora(engine, pair, documents):
    key, response = pair if documents else ({0: next(iter(side.values()))} for side in pair)
    tables = [arrow_table(rows_of(side), documents) for side in (key, response)]
    for options in ({"singletons": "drop"}, {"extra_documents": "ignore"}, {"average": "macro", "zero_division": 0.0}):
        found = score(*tables, metrics="all", engine=engine, **options)
        want = expected(key, response, documents, **options)
        assert by_name(found) == by_name(want)
        assert {m: s.value.hex() for m, s in found.items()} == {m: s.value.hex() for m, s in want.items()}


@examples(0.25)
@given(pair=labels(3), documents=st.booleans())
def test_extra_items_are_left_out(engine, pair, documents):
    key, response = pair if documents else ({0: next(iter(side.values()))} for side in pair)
    left = {d: {i: e for i, e in of.items() if i in key.get(d, {})} for d, of in response.items()}
    if not any(left.values()):
        return
    tables = [arrow_table(rows_of(side), documents) for side in (key, response)]
    found = by_name(score(*tables, metrics="all", engine=engine, items="key"))
    want = by_name(expected(key, {d: of for d, of in left.items() if of}, documents))
    assert {c: {d: v for d, v in of.items() if d in key} for c, of in found.items()} == want


@examples(0.25)
@given(pair=labels(3), documents=st.booleans())
def test_exchanging_sides_exchanges_recall_and_precision(engine, pair, documents):
    key, response = pair if documents else ({0: next(iter(side.values()))} for side in pair)
    tables = [arrow_table(rows_of(side), documents) for side in (key, response)]
    metrics = "muc,b_cubed,ceaf_m,ceaf_e,lea,links"
    there, back = (bits(score(*sides, metrics=metrics, engine=engine).counts) for sides in (tables, tables[::-1]))
    for (metric, name), column in there.items():
        side, _, part = name.partition("_")
        assert back[metric, f"{'precision' if side == 'recall' else 'recall'}_{part}"] == column


@pytest.mark.parametrize("text", [False, True], ids=["integers", "text"])
def test_counts_of_several_blocks_are_those_of_one(engine, text, tmp_path, monkeypatch):
    rows = (
        [Row(d, i, i % 7) for d in range(300) for i in range(10)],
        [Row(d, i, i % (2 + d % 5)) for d in range(300) for i in range(10)],
    )
    tables = [arrow_table(of, True, text=text) for of in rows]
    want = score(*tables, metrics="all", engine=engine)
    monkeypatch.setattr(blocks, "BLOCK", 400)
    found = score(*tables, metrics="all", engine=engine)
    assert (found.documents, bits(found.counts)) == (want.documents, bits(want.counts))
    write_counts(found, tmp_path / "counts.parquet")
    stored = read_counts(tmp_path / "counts.parquet")
    assert (stored.documents, bits(stored.counts)) == (want.documents, bits(want.counts))
    again = pickle.loads(pickle.dumps(found))
    assert (again.documents, bits(again.counts)) == (want.documents, bits(want.counts))
    assert found.document(want.documents[170]) == want.document(want.documents[170])
