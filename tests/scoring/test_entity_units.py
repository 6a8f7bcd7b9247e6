"""Entities as resampling units: their parts are the counts, and no score changes."""

import json
import math
import random

import numpy as np
import pytest

import referee
from referee import OptionError, RefereeError, Resampling
from referee.scoring import entity_units
from referee.scoring.entity_units import SUMS, counts_of_entities, unit_of
from tests.support.command import referee as command
from tests.support.metrics import ENTITY_METRICS as METRICS_OF_ENTITIES
from tests.support.warned import silenced

Entities = list[set[str]]
METRICS = list(SUMS)


def annotation(seed, records=30):
    """A key and two responses. They split, merge, miss and add records."""
    chance = random.Random(seed)

    def noisy(share, name):
        entities = {}
        for n in range(records):
            if chance.random() > share / 3:
                entity = chance.randrange(records) if chance.random() < share else n // 3
                entities.setdefault(entity, set()).add(f"r{n:03}")
        for n in range(round(records * share / 3)):
            entities.setdefault(chance.randrange(records), set()).add(f"{name}{n // 2}" if n % 2 else f"new{n}")
        return list(entities.values())

    key = [{f"r{n:03}" for n in range(first, min(first + 3, records))} for first in range(0, records, 3)]
    return key, noisy(0.2, "a"), noisy(0.5, "b")


@pytest.mark.parametrize("seed", range(12))
def test_the_sums_of_the_units_are_the_counts(seed):
    """Whole numbers exactly, and sums of fractions but for their rounding."""
    key, *responses = annotation(seed)
    evaluations = {str(n): referee.score(key, response, metrics=METRICS) for n, response in enumerate(responses)}
    _, counts, _ = counts_of_entities(evaluations)
    for name, evaluation in evaluations.items():
        for metric, of in counts[name].items():
            total = evaluation.counts_of(metric).total().columns
            for column, values in of.columns.items():
                expected, found = total[column][0], math.fsum(values.tolist())
                assert found == (expected if values.dtype.kind == "i" else pytest.approx(expected, rel=1e-14))


def test_a_metric_is_a_sum_over_units_or_it_is_not_listed(monkeypatch):
    tables = []
    regrouped = entity_units._regrouped
    monkeypatch.setattr(entity_units, "_regrouped", lambda *of: tables.append(regrouped(*of)) or tables[-1])
    wrong = set()
    for seed in range(4):
        key, response, _ = annotation(seed)
        evaluation = referee.score(key, response, metrics=["links"])
        counts_of_entities({"": evaluation})
        for metric, record in METRICS_OF_ENTITIES.items():
            total, units = (
                table_counts.total().columns for table_counts in (evaluation.counts_of(metric), record.count(tables[-1]))
            )
            if not all(np.allclose(units[name], total[name], equal_nan=True) for name in total if name in units):
                wrong.add(metric)
    of_files = {metric for metric, record in METRICS_OF_ENTITIES.items() if record.scope == "links"}
    sums = METRICS_OF_ENTITIES.keys() - of_files - wrong
    assert sums == set(SUMS), "add to, or take from, SUMS of scoring/entity_units.py"


def test_a_worked_example():
    """Key {a b c} {d e} {f g} {h}; response {a b x} {c d} {e} {f} {g y} {h}.

    {c d} has items of the first two entities, which are one unit, with x; the third is one with y; so is {h}.
    """
    key = [set("abc"), set("de"), set("fg"), set("h")]
    response = [set("abx"), set("cd"), set("e"), set("f"), set("gy"), set("h")]
    evaluation = referee.score(key, response, metrics=["links", "mentions", "exact"])
    document, counts, _ = counts_of_entities({"": evaluation})
    assert len(document) == 3
    columns = {metric: [c.columns[name].tolist() for name in c.columns] for metric, c in counts[""].items()}
    assert columns["links"] == [[1, 0, 0], [3 + 1, 1, 0], [1, 0, 0], [3 + 1, 1, 0]]
    assert columns["mentions"] == [[5, 2, 1], [5, 2, 1], [5, 2, 1], [6, 3, 1]]
    assert columns["exact"] == [[0, 0, 1], [2, 1, 1], [0, 0, 1], [3, 2, 1]]


def test_what_any_system_merges_is_one_unit_and_the_order_of_systems_is_none_of_it():
    key = [set("ab"), set("cd"), set("ef"), set("gh")]
    one, other = [set("abcd"), set("ef"), set("gh"), set("x")], [set("ab"), set("cd"), set("efx"), set("gh")]
    evaluations = {name: referee.score(key, response, metrics=["links"]) for name, response in (("one", one), ("other", other))}
    document, counts, largest = counts_of_entities(evaluations)
    assert len(document) == 3  # {a b c d}, {e f x}, {g h}
    assert largest == 4 / 9
    assert counts["other"]["links"].columns["recall_denominator"].tolist() == [2, 1, 1]
    _, exchanged, _ = counts_of_entities(dict(reversed(evaluations.items())))
    for name, of in counts.items():
        for column, values in of["links"].columns.items():
            assert exchanged[name]["links"].columns[column].tolist() == values.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_no_digit_of_a_score_or_difference_changes(seed):
    key, one, other = annotation(seed, 60)
    whole, parts = (
        referee.compare(key, {"a": one, "b": other}, metrics=METRICS, resampling=Resampling(unit=unit, resamples=100))
        for unit in ("document", "entity")
    )
    for metric in METRICS:
        for system in ("a", "b"):
            assert parts[system, metric].score == whole[system, metric].score
        assert parts["b", metric].difference.value == whole["b", metric].difference.value
        assert parts["b", metric].interval is not None


def test_texts_have_entities_and_words_that_only_the_response_marks(tmp_path):
    clusters = {"x": [[[0, 0], [1, 1], [2, 2]]], "y": [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]}
    lines = [json.dumps({"doc_key": name, "sentences": [list("abcde")], "clusters": of}) for name, of in clusters.items()]
    response = [line.replace("[1, 1]", "[4, 4]") for line in lines]
    (tmp_path / "key.jsonlines").write_text("\n".join(lines))
    (tmp_path / "response.jsonlines").write_text("\n".join(response))
    how = ("-m", "muc,b_cubed,ceaf_e,conll", "--intervals", "--unit", "entity")
    done = command("score", "key.jsonlines", "response.jsonlines", *how, cwd=tmp_path)
    assert done.status == 0, done.err
    assert "[95 % interval over groups of merged entities]" in done.out
    assert done.out.endswith("| unit:entity\n")
    assert "there are 3 groups of merged entities" in done.err


def test_entities_of_records_in_one_document_are_resampled_unasked(tmp_path):
    key, one, other = annotation(1, 90)
    for name, entities in (("key", key), ("a", one), ("b", other)):
        rows = [f"{record},{n}" for n, entity in enumerate(entities) for record in sorted(entity)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,entity", *rows]) + "\n")
    compared = command("compare", "key.csv", "a.csv", "b.csv", cwd=tmp_path)
    assert "b − a: links −" in compared.out and "no interval" not in compared.out + compared.err
    assert "± half the 95 % interval over groups of merged entities; " in compared.out
    scored = command("score", "key.csv", "a.csv", "--intervals", cwd=tmp_path)
    assert "[95 % interval over groups of merged entities]" in scored.out and scored.err == ""
    assert "| unit:entity" in compared.out and "| unit:entity" in scored.out
    aligned = command("compare", "key.csv", "a.csv", "b.csv", "-m", "links,blanc", cwd=tmp_path)
    assert "; expected more documents, or --unit entity -m links,b_cubed,exact\n" in aligned.out
    grouped = command("compare", "key.csv", "a.csv", "b.csv", "--by", "document", cwd=tmp_path)
    assert "; expected more documents, or without --by, --unit entity -m links,b_cubed,exact\n" in grouped.out
    assert "b − a: links −" in aligned.out and "p =" not in aligned.out and "half the" not in aligned.out


def in_pairs(merged, entities=10):
    """Labels of a key of entities of two records, and of a response that merges the first of them."""
    return [n // 2 for n in range(2 * entities)], [max(n // 2, merged - 1) for n in range(2 * entities)]


def test_one_group_of_all_entities_has_nothing_to_resample_and_the_remedy_works():
    key, merged = in_pairs(10)
    compared = referee.compare(key, {"a": key, "b": merged, "c": key})
    said = "no interval can be given: responses merge entities, one with the next, until all are one group: nothing is left to"
    fewer = "fewer systems at a time"
    more = "several tables, told apart by a column document"
    more += ", or a key that is a random sample, and referee estimate for each response"
    assert compared.notes == (f"{said} resample; expected {fewer}, or {more}",)
    assert referee.compare(key, {"a": key, "c": key})["c", "links"].interval is not None
    assert referee.compare(key, {"a": key, "b": merged}).notes == (f"{said} resample; expected {more}",)
    assert referee.score(key, merged).intervals().notes == (f"{said} resample; expected {more}",)


def test_a_group_with_more_than_half_of_all_items_is_said_with_its_share():
    note = "the intervals cannot be relied on: one group of merged entities has 60 % of what is scored"
    for merged, said in ((6, True), (5, False)):
        key, response = in_pairs(merged, 10)
        assert (note in referee.compare(key, {"a": key, "b": response}).notes) == said
        assert (note in referee.score(key, response).intervals().notes) == said


def test_the_order_of_records_changes_no_digit():
    key, one, other = annotation(5, 60)
    how = Resampling(unit="entity", resamples=200)
    asked = [(key, one, other), tuple(list(reversed(side)) for side in (key, one, other))]
    found = [referee.compare(k, {"a": a, "b": b}, metrics=METRICS, resampling=how).to_rows() for k, a, b in asked]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("scoring", "comparing", "message"),
    [
        ({"metrics": ["blanc", "links"]}, {}, "entities cannot be resampled for blanc, which is no sum over them; expected"),
        ({"metrics": ["links"], "average": "macro"}, {}, "entities can be resampled for scores averaged micro"),
        ({"metrics": ["links"]}, {"by": str}, "entities are resampled in one corpus, without groups"),
    ],
)
def test_what_cannot_be_done_is_said(scoring, comparing, message):
    key, one, other = annotation(0)
    with pytest.raises(OptionError, match=message):
        referee.compare(key, [one, other], resampling=Resampling(unit="entity"), **comparing, **scoring)


def test_stored_counts_have_no_entities(tmp_path):
    pytest.importorskip("pyarrow")
    key, one, _ = annotation(0)
    path = tmp_path / "a.counts.parquet"
    referee.write_counts(referee.score(key, one, metrics=["links"]), path)
    with pytest.raises(RefereeError, match="counts of documents have no entities"):
        referee.read_counts(path).intervals(unit="entity")


def test_entities_of_large_tables_are_compared_if_somebody_asks(monkeypatch):
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"id": ["a", "b", "c", "d"], "entity": [1, 1, 2, 2]})
    evaluation = referee.score(table, table)
    monkeypatch.setattr("referee.comparison.comparing.MOST_COMPARED", 7)
    assert referee.compare(table, table, table).resampling.unit == "document"
    assert referee.compare(table, table, table, resampling=Resampling(unit="entity")).resampling.unit == "entity"
    assert evaluation.intervals().resampling.unit == unit_of(None, {"": evaluation}) == "entity"


@pytest.mark.parametrize("ids", [[f"r{n}" for n in (3, 1, 2, 10)], [3, 1, 2, 10]], ids=["texts", "numbers"])
@pytest.mark.parametrize("documents", [None, ["x", "y", "x", "y"]])
@pytest.mark.parametrize("options", [{}, {"items": "key"}, {"extra_documents": "ignore"}])
def test_mentions_of_columns_are_those_of_rows(tmp_path, ids, documents, options):
    """A table as columns, with a row twice, against the same rows in a file of text."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = {"document": documents, "id": ids, "entity": ["é", "é", "b", "a"]}
    key = arrow.table({name: values for name, values in rows.items() if values})
    extra = {"document": "z", "id": 99 if isinstance(ids[0], int) else "r99", "entity": "b"}
    response = arrow.concat_tables([key, key.slice(0, 1), arrow.table({name: [extra[name]] for name in key.column_names})])
    for name, table in (("key", key), ("response", response)):
        lines = [table.column_names, *zip(*table.to_pydict().values(), strict=True)]
        (tmp_path / f"{name}.csv").write_text("".join(f"{','.join(map(str, line))}\n" for line in lines))
        parquet.write_table(table, tmp_path / f"{name}.parquet")
    with silenced():
        pairs = [referee.score(tmp_path / f"key.{e}", tmp_path / f"response.{e}", **options).pair for e in ("csv", "parquet")]
    of_rows, of_columns = ((pair.key, pair.response) for pair in pairs)
    for one, other in zip(of_rows, of_columns, strict=True):
        assert one == other
        assert list(one.entity_ids) == list(other.entity_ids)
        assert list(one.items) == list(other.items)


def test_texts_and_several_documents_keep_documents(tmp_path):
    labels = referee.score([0, 0, 1], [0, 1, 1], metrics=["links"])
    assert unit_of(None, {"": labels}) == "entity"
    table = tmp_path / "two.csv"
    table.write_text("document,id,entity\nx,a,1\nx,b,1\ny,c,1\n")
    both = referee.score(table, table, metrics=["links"])
    assert len(both.documents) == 2
    assert unit_of(None, {"": both}) == unit_of(None, {}) == "document"
    texts = referee.score([{"a", "b"}], [{"a", "b"}], metrics=["links"])
    assert unit_of(None, {"": texts}) == "document"


def test_most_intervals_hold_the_score_of_the_population():
    """The population: entities of three records, of which a share is split. Recall of links is 1 where not, and 1/3 else."""
    rng, held, truth = np.random.default_rng(2), 0, 0.7 + 0.3 / 3
    for _ in range(40):
        split = rng.random(60) < 0.3
        key = [{f"{n}{letter}" for letter in "abc"} for n in range(60)]
        response = [part for n in range(60) for part in ([{f"{n}a", f"{n}b"}, {f"{n}c"}] if split[n] else [key[n]])]
        found = referee.score(key, response, metrics=["links"]).intervals(unit="entity", resamples=400)
        interval = found.sides["links"]["recall"]
        held += interval.low <= truth <= interval.high
    assert held >= 32  # of 40, at 95 %: a binomial share of fewer is below 1e-3
