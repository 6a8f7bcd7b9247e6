"""One table through every door: the same numbers, or the same refusal."""

import io
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import pytest

import referee
from referee.basics.exceptions import RefereeError, RefereeWarning
from tests.support.command import referee as run
from tests.support.warned import recorded, silenced

METRICS = "links,b_cubed,exact,mentions"

Rows = Sequence[Sequence[Any]]
"""The names of columns, then the rows."""


class Case(NamedTuple):
    """A table, the entities that it means, or what it is refused with; options, and what is warned of."""

    rows: Rows
    means: Sequence[set[str]] = ()
    refused: str = ""
    options: Mapping[str, str] = {}
    warned: str = ""


KEY = [{"r1", "r2", "r3"}, {"r4"}, {"r5", "r6"}]
WITH_HEADER = (("record_id", "cluster_id"), *((record, str(n)) for n, entity in enumerate(KEY) for record in sorted(entity)))

LABELS = (("r1", "7"), ("r2", "7"), ("r3", "8"), ("r4", "8"), ("r5", "9"), ("r6", "9"))
ENTITIES = [{"r1", "r2"}, {"r3", "r4"}, {"r5", "r6"}]
LINKS = (("r1", "r2"), ("r4", "r5"))
LINKED = [{"r1", "r2"}, {"r4", "r5"}]


def labels(*names, extra=()):
    return (names, *((*row, *extra) for row in LABELS))


def pairs(*names, rows=LINKS):
    return (names, *rows)


GAPS = (("id", "cluster"), ("r1", "7"), ("r2", "7"), ("r3", "NA"), ("r4", "NA"), ("r5", "9"), ("r6", "9"))
DECIDED = (("r1", "r2", "1"), ("r4", "r5", "1"), ("r3", "r6", "0"))
PROBABLE = (("r1", "r2", 0.9), ("r4", "r5", 0.75), ("r3", "r6", 0.25))
ALL_LINKED = [*LINKED, {"r3"}, {"r6"}]
"""Records that no pair names are alone."""
ALONE = [{"r1", "r2", "r3"}, {"r4"}, {"r5"}, {"r6"}]

CASES = {
    "plain": Case(labels("record_id", "cluster_id"), ENTITIES),
    "other names": Case(labels("Unique ID", "golden_id"), ENTITIES),
    "gold": Case(labels("id", "gold_cluster"), ENTITIES),
    "dots": Case(labels("record.id", "Cluster-Id"), ENTITIES),
    "entity first": Case((("cluster_id", "signature_id"), *((e, i) for i, e in LABELS)), ENTITIES),
    "wide": Case(labels("id", "cluster", "name", extra=["Ann"]), ENTITIES),
    "confidence is not read": Case(labels("Id", "Cluster ID", "confidence_score", extra=[0.5]), ENTITIES),
    "zingg": Case(labels("id", "z_cluster", "z_minScore", extra=[0.5]), ENTITIES),
    "name beside an id": Case(labels("id", "entity", "name", extra=["Ann"]), ENTITIES),
    "unknown": Case(labels("key", "grp"), refused="key, grp"),
    "one unknown": Case(labels("record_id", "person"), refused="expected one for the entity: --response-columns entity=person"),
    "asked": Case(labels("key", "grp"), ENTITIES, options={"columns": "item=key,entity=grp"}),
    "asked of a side": Case(labels("key", "grp"), ENTITIES, options={"response_columns": "item=key,entity=grp"}),
    "asked in vain": Case(labels("id", "cluster"), refused="has no column 'person'", options={"response_columns": "entity=person"}),  # noqa: E501
    "two entities": Case(
        labels("id", "cluster", "cluster_id", extra=["1"]), refused="has cluster, cluster_id for the entity; expected one"
    ),
    "two entities, one asked": Case(
        labels("id", "cluster", "cluster_id", extra=["1"]), ENTITIES, options={"response_columns": "entity=cluster"}
    ),
    "two items": Case(labels("mention_id", "unique_id"), refused="has mention_id, unique_id for the item"),
    "missing": Case(GAPS, refused="2 rows without a value (item r3, entity NA"),
    "missing, left out": Case(
        GAPS, [{"r1", "r2"}, {"r5", "r6"}], options={"nulls": "drop"}, warned="has 2 rows without"
    ),
    "missing, alone": Case(GAPS, [{"r1", "r2"}, {"r3"}, {"r4"}, {"r5", "r6"}], options={"nulls": "singleton"}),
    "missing, a name": Case(GAPS, [{"r1", "r2"}, {"r3", "r4"}, {"r5", "r6"}], options={"nulls": "keep"}),
    "a record twice": Case(
        (*labels("id", "cluster"), ("r3", "7")), [{"r1", "r2", "r3"}, {"r4"}, {"r5", "r6"}],
        warned="1 repeated record, the first: 'r3'",
    ),
    "a record twice is an error": Case(
        (*labels("id", "cluster"), ("r3", "7")), refused="r3", options={"repeated_mentions": "error"}
    ),
    "pairs": Case(pairs("id_l", "id_r"), ALL_LINKED),
    "left and right": Case(pairs("left_id", "right_id"), ALL_LINKED),
    "decided": Case(pairs("id1", "id2", "predicted", rows=DECIDED), ALL_LINKED),
    "decided by a word": Case(
        pairs("id1", "id2", "is_match", rows=[(a, b, {"1": "yes", "0": "no"}[d]) for a, b, d in DECIDED]), ALL_LINKED
    ),
    "label and predicted": Case(
        pairs("id1", "id2", "label", "predicted", rows=[(a, b, "1", d) for a, b, d in DECIDED]), ALL_LINKED
    ),
    "probable": Case(
        pairs("unique_id_l", "unique_id_r", "match_probability", rows=PROBABLE), ALL_LINKED,
        warned="a probability of at least 0.5 is a link",
    ),
    "a score": Case(pairs("id1", "id2", "score", rows=PROBABLE), refused="has a column score, which may decide about pairs"),
    "a weight": Case(
        pairs("id1", "id2", "match_weight", rows=[("r1", "r2", 12.5), ("r3", "r6", -3.5)]),
        refused="has a column match_weight, which may decide",
    ),
    "values that decide": Case(pairs("id1", "id2", "verdicts", rows=DECIDED), refused="has a column verdicts, which may decide"),  # noqa: E501
    "a score, asked": Case(
        pairs("id1", "id2", "score", rows=PROBABLE), ALL_LINKED, options={"response_columns": "probability=score"},
        warned="a probability of at least 0.5 is a link",
    ),
    "no decision, asked": Case(
        pairs("id1", "id2", "score", rows=PROBABLE), [*LINKED, {"r3", "r6"}], options={"response_columns": "decision="}
    ),
    "two tables, unknown": Case(pairs("idDBLP", "idACM"), refused="idDBLP, idACM"),
    "ends, asked": Case(pairs("idDBLP", "idACM"), ALL_LINKED, options={"response_columns": "left=idDBLP,right=idACM"}),
    "on both sides": Case(
        pairs("id1", "id2", rows=[("r1", "r2"), ("r2", "r3")]), ALONE, warned="has 1 id on both sides"
    ),
    "on both sides, one table": Case(
        pairs("id1", "id2", rows=[("r1", "r2"), ("r2", "r3")]), ALONE, options={"tables": "one"}
    ),
    "contradiction": Case(
        pairs("id1", "id2", "label", rows=[("r1", "r2", "1"), ("r2", "r1", "0")]), [{"r1", "r2"}, *ALONE[1:], {"r3"}],
        options={"tables": "one"}, warned="has 1 pair twice, as a link and as none",
    ),
    "an end is missing": Case(pairs("id1", "id2", rows=[("r1", "r2"), ("r3", "NA")]), refused="1 row without a value"),
}  # fmt: skip


def _text(rows, separator):
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def _dicts(rows):
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def _columns(rows):
    return {name: [row[n] for row in rows[1:]] for n, name in enumerate(rows[0])}


def _arrow(rows):
    return pytest.importorskip("pyarrow").table(_columns(rows))


def _frame(rows):
    pytest.importorskip("pyarrow")
    return pytest.importorskip("pandas").DataFrame(_columns(rows))


def _polars(rows):
    pytest.importorskip("pyarrow")
    return pytest.importorskip("polars").DataFrame(_columns(rows))


def _written(ending, text):
    def write(rows, folder):
        path = folder / f"t{len(list(folder.iterdir()))}{ending}"
        path.write_text(text(rows), encoding="utf-8")
        return str(path)

    return write


def _parquet(rows, folder):
    path = folder / f"t{len(list(folder.iterdir()))}.parquet"
    table = _arrow(rows)
    import_module("pyarrow.parquet").write_table(table, path)
    return str(path)


FILES = {
    "commas": _written(".csv", lambda rows: _text(rows, ",")),
    "quotes": _written(".csv", lambda rows: "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows)),
    "tabs": _written(".tsv", lambda rows: _text(rows, "\t")),
    "semicolons": _written(".csv", lambda rows: _text(rows, ";")),
    "bars": _written(".txt", lambda rows: _text(rows, "|")),
    "spreadsheet": _written(".csv", lambda rows: "\ufeffsep=;\r\n" + _text(rows, ";").replace("\n", "\r\n")),
    "JSON lines": _written(".jsonl", lambda rows: "".join(json.dumps(row) + "\n" for row in _dicts(rows))),
    "JSON": _written(".json", lambda rows: json.dumps(_dicts(rows))),
    "Parquet": _parquet,
}
VALUES = {
    "rows": _dicts,
    "columns": _columns,
    "Arrow": _arrow,
    "pandas": _frame,
    "Polars": _polars,
    "generator": lambda rows: (row for row in _dicts(rows)),
}


def scored(key, response, options):
    """The scores, and what was warned of."""
    with recorded() as caught:
        found = referee.score(key, response, metrics=METRICS, **options)
    assert "kind:" in found.signature
    said = [str(w.message) for w in caught if issubclass(w.category, RefereeWarning)]
    return {m: repr(s) for m, s in found.items()}, [
        text for text in said if "counted as missed" not in text and not text.endswith("alone there")
    ]


@cache
def expected(*means):
    """The scores of entities against those of the key."""
    with silenced(Warning):
        return referee.score(KEY, means, metrics=METRICS)


def check(case, key, response, *, plain=False):
    """`plain` values are told apart from documents first, so they are refused in other words."""
    options = dict(case.options)
    if "columns" in options:  # of both sides, and the key has names that are known
        options["response_columns"] = options.pop("columns")
    if case.refused:
        with pytest.raises(RefereeError) as error:
            scored(key, response, options)
        assert case.refused in str(error.value) or plain
        assert "\n" not in str(error.value)
        return
    found, said = scored(key, response, options)
    assert found == {m: repr(s) for m, s in expected(*map(frozenset, case.means)).items()}
    assert len(said) == bool(case.warned), said
    assert all(case.warned in one for one in said)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("door", [*FILES, *VALUES])
def test_a_table_means_the_same_through_every_door(name, door, tmp_path):
    case = CASES[name]
    response = FILES[door](case.rows, tmp_path) if door in FILES else VALUES[door](case.rows)
    check(case, KEY, response, plain=door == "columns")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("of_key", "of_response"), [("commas", "Parquet"), ("Parquet", "commas"), ("Parquet", "Parquet")])
def test_key_and_response_may_have_different_doors(name, of_key, of_response, tmp_path):
    case = CASES[name]
    check(case, FILES[of_key](WITH_HEADER, tmp_path), FILES[of_response](case.rows, tmp_path))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("door", ["commas", "semicolons", "JSON lines", "Parquet"])
def test_the_command_says_the_same(name, door, tmp_path):
    case = CASES[name]
    key, response = FILES["commas"](WITH_HEADER, tmp_path), FILES[door](case.rows, tmp_path)
    given = {("response_columns" if option == "columns" else option): value for option, value in case.options.items()}
    options = [f"--{option.replace('_', '-')}={value}" for option, value in given.items()]
    done = run("score", key, response, "-m", METRICS, "--report", "csv", *options, cwd=tmp_path)
    if case.refused:
        assert done.status == 2
        assert done.err.startswith("referee: error: ")
        assert done.err.count("\n") == 1
        assert case.refused in done.err
        return
    assert done.status == 0, done.err
    want = expected(*map(frozenset, case.means)).report("csv")
    numbers = [[row.split(",")[4:9] for row in io.StringIO(text)] for text in (done.out, want)]
    assert numbers[0] == numbers[1]
    told = [line for line in done.err.splitlines() if not line.endswith("alone there")]
    assert any(case.warned in line for line in told) if case.warned else not told
