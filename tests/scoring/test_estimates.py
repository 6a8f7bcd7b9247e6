"""Estimates from sampled entities: the parts of all entities are the score, and samples come near it."""

import random

import numpy as np
import pytest

import referee
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning, UnknownNameError
from referee.inputs.load import load
from referee.metrics.table import table_of
from referee.scoring.estimates import PARTS, estimate
from tests.support.command import referee as run

Entities = list[list[str]]


def population(seed, records):
    """Entities of the same records, of which the response splits and merges some."""
    chance = random.Random(seed)
    key = {}
    response = {}
    for n in range(records):
        entity = chance.randrange(max(1, records // 3))
        key.setdefault(entity, []).append(f"r{n}")
        other = chance.randrange(max(1, records // 3)) if chance.random() < 0.2 else entity
        response.setdefault(other, []).append(f"r{n}")
    return list(key.values()), list(response.values())


@pytest.mark.parametrize("metric", PARTS)
@pytest.mark.parametrize("seed", range(30))
def test_the_parts_of_all_entities_add_to_the_score(metric, seed):
    key, response = population(seed, 4 + seed)
    evaluation = referee.score(key, response, metrics=metric)
    found, size, right, given = (float(part.sum()) for part in PARTS[metric](table_of(evaluation.pair)))
    score = evaluation[metric]
    for numerator, denominator, side in ((found, size, score.recall), (right, given, score.precision)):
        assert side == pytest.approx(numerator / denominator if denominator else float("nan"), nan_ok=True)


@pytest.mark.parametrize("weights", ["uniform", "inverse-size"])
@pytest.mark.parametrize("metric", PARTS)
def test_most_intervals_of_samples_hold_the_score_of_all_records(metric, weights):
    key, response = population(1, 3000)
    truth = referee.score(key, response, metrics=metric)[metric]
    sizes = np.array([len(entity) for entity in key], dtype=float)
    chances = sizes / sizes.sum() if weights == "inverse-size" else np.full(len(key), 1 / len(key))
    rng, held = np.random.default_rng(5), {"recall": 0, "precision": 0, "value": 0}
    for _ in range(40):
        drawn = rng.choice(len(key), 120, replace=False, p=chances)
        found = estimate([key[n] for n in drawn], response, metrics=metric, weights=weights)[metric]
        for side in held:
            low, high, _ = found[side].interval(0.95)
            held[side] += low <= getattr(truth, side) <= high
    assert min(held.values()) >= 32  # of 40, at 95 %: binomial with a share below 1e-3


def test_most_intervals_of_a_difference_hold_that_of_all_records():
    key, _ = population(1, 3000)
    sides = []
    for seed, share in ((1, 0.2), (2, 0.17)):
        chance, entities = random.Random(seed), {}
        for number, entity in enumerate(key):
            for item in entity:
                moved = chance.random() < share
                entities.setdefault(chance.randrange(len(key)) if moved else number, []).append(item)
        sides.append(load(list(entities.values())))
    before, after = (referee.score(key, side, metrics="links")["links"] for side in sides)
    rng, samples = np.random.default_rng(5), 60
    held = {"recall": 0, "precision": 0, "value": 0}
    for _ in range(samples):
        drawn = rng.choice(len(key), 120, replace=False)
        difference = estimate([key[n] for n in drawn], *sides, metrics="links").differences["links"]
        for side in held:
            low, high, _ = difference[side].interval(0.95)
            held[side] += low <= getattr(after, side) - getattr(before, side) <= high
    assert min(held.values()) >= 50  # of 60, at 95 %: binomial with a share of 5e-4


# Estimate and standard error of er-evaluation 2.3.0 (pandas 2) for the first 60 entities of population(1, 600): its
# pairwise_precision_estimator, pairwise_recall_estimator and cluster_recall_estimator, weights "uniform" and "cluster_size".
PEER = {
    ("uniform", "links", "precision"): (0.767336753169127, 0.035021259195092226),
    ("uniform", "links", "recall"): (0.7412044241174373, 0.04501886153895383),
    ("uniform", "exact", "recall"): (0.38333333333333336, 0.06329764084940143),
    ("inverse-size", "links", "precision"): (0.7250935676167749, 0.036318835598155685),
    ("inverse-size", "links", "recall"): (0.7499734792236927, 0.041525278248871665),
    ("inverse-size", "exact", "recall"): (0.37491426842021, 0.06875281283732494),
}


@pytest.mark.parametrize(("weights", "metric", "side"), PEER)
def test_estimates_and_errors_are_those_of_er_evaluation(weights, metric, side):
    key, response = population(1, 600)
    found = estimate(key[:60], response, metrics=metric, weights=weights)[metric][side]
    assert (found.value, found.error) == pytest.approx(PEER[weights, metric, side], rel=1e-12)


def test_scores_against_the_sample_alone_are_no_estimates():
    key, response = population(2, 3000)
    sample = key[:200]
    truth = referee.score(key, response, metrics="links")["links"].precision
    with pytest.warns(RefereeWarning, match="left out: precision is too high .* if the key is a sample"):
        alone = referee.score(sample, response, metrics="links", items="key")["links"].precision
    found = estimate(sample, response)["links"]["precision"].value
    assert truth is not None and alone is not None and abs(found - truth) < abs(alone - truth) / 2


def test_reports_and_mistakes(tmp_path):
    key, response = population(3, 200)
    for name, entities in (("k.csv", key[:20]), ("r.csv", response)):
        rows = [f"{item},{number}\n" for number, entity in enumerate(entities) for item in entity]
        (tmp_path / name).write_text("item,entity\n" + "".join(rows))
    found = estimate(str(tmp_path / "k.csv"), str(tmp_path / "r.csv"), weights={str(n): 1.0 for n in range(20)})
    same = estimate(key[:20], response)
    assert [r["estimate"] for r in found.to_rows()] == pytest.approx([r["estimate"] for r in same.to_rows()])
    assert "not to be relied on: there are 20 entities" in str(found) and "Estimates of" in repr(found)
    for form in ("text", "markdown", "latex", "csv", "tsv", "json", "html"):
        done = run("estimate", "k.csv", "r.csv", "--weights", "inverse-size", "-r", form, cwd=tmp_path)
        assert done.status == 0 and "weights:inverse-size" in done.out
    with pytest.raises(UnknownNameError, match="no estimated metric named 'ceaf_e'"):
        estimate(key, response, metrics="ceaf_e")
    with pytest.raises(OptionError, match="no weight for entity"):
        estimate(key, response, weights={})
    with pytest.raises(OptionError, match="level is between 0 and 1"):
        estimate(key, response, level=1.0)


ALL = {"a": ["a1", "a2"], "b": ["b1", "b2", "b3"], "c": ["c1", "c2"]}


@pytest.mark.parametrize(
    ("without", "said"),
    [
        ({"b2"}, "1 sampled record is not in r (b2): counted as missed"),
        ({"a1", "b2", "b3", "c2"}, "4 sampled records are not in r (a1, b2, b3, …): counted as missed"),
        (set(), ""),
    ],
)
def test_sampled_records_that_the_response_lacks_are_named(without, said, tmp_path):
    rows = [(item, name) for name, items in ALL.items() for item in items]
    sides = {"k": rows, "r": [(item, name) for item, name in rows if item not in without] + [("z", "z")]}
    for side, of in sides.items():
        (tmp_path / f"{side}.csv").write_text("item,entity\n" + "".join(f"{item},{name}\n" for item, name in of))
    out = run("estimate", "k.csv", "r.csv", cwd=tmp_path).out
    assert [line for line in out.splitlines() if "sampled record " in line or "sampled records" in line] == [said] * bool(said)
    arrow = pytest.importorskip("pyarrow")
    tables = [
        arrow.table(dict(zip(("item", "entity"), map(list, zip(*of, strict=True)), strict=True))) for of in sides.values()
    ]
    assert sorted(estimate(*tables).lacking) == sorted(estimate(ALL.values(), tables[1]).lacking) == sorted(without)
    assert (said or "\n") in str(estimate(*tables, name="r"))


@pytest.fixture
def sample(tmp_path):
    """A key that is a sample, with a column of weights, and a response, as tables, and as files k and r in the folder."""
    arrow = pytest.importorskip("pyarrow")
    key, response = population(4, 300)
    chosen = [(item, number) for number, entity in enumerate(key[:40]) for item in entity]
    chosen.reverse()
    k = arrow.table({"item": [i for i, _ in chosen], "entity": [e for _, e in chosen], "w": [1.0 + e % 7 for _, e in chosen]})
    r = arrow.table({"id": [i for e in response for i in e], "cluster_id": [n for n, e in enumerate(response) for _ in e]})
    for name, table in (("k", k), ("r", r)):
        pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / f"{name}.parquet", row_group_size=17)
        pytest.importorskip("pyarrow.csv").write_csv(table, tmp_path / f"{name}.csv")
    return k, r


@pytest.mark.parametrize("weights", ["uniform", "inverse-size", "w"])
def test_columns_give_the_estimates_of_text(weights, sample, tmp_path):
    want = [
        (r["metric"], r["side"], r["estimate"], r["error"])
        for r in estimate(tmp_path / "k.csv", tmp_path / "r.csv", weights=weights).to_rows()
    ]
    for key, response in (sample, (str(tmp_path / "k.parquet"), tmp_path / "r.parquet"), (sample[0].to_reader(), sample[1])):
        if weights == "w" and hasattr(key, "read_all"):
            continue  # a stream can be read once, and weights are read apart
        found = estimate(key, response, weights=weights)
        for (metric, side, *numbers), row in zip(want, found.to_rows(), strict=True):
            assert (row["metric"], row["side"]) == (metric, side)
            assert [row["estimate"], row["error"]] == pytest.approx(numbers, rel=1e-12)
    assert f"weights:{weights}" in found.signature


def test_estimates_are_of_one_verb(sample, tmp_path):
    files = ("k.parquet", "r.parquet")
    done = run("estimate", *files, "--weights", "w", "-m", "links,exact", "-r", "csv", cwd=tmp_path)
    assert done.status == 0 and "weights:w" in done.out
    for (verb, *options), problem in {
        ("score", "--weights", "w"): "unrecognized arguments: --weights w; referee estimate has --weights",
        ("estimate", "--match", "head"): "unrecognized arguments: --match head",
        ("estimate", "--weights", "x"): "has no column 'x' with weights; found item, entity, w",
        ("estimate", "--weights", "item"): "as weight of entity",
    }.items():
        failed = run(verb, *files, *options, cwd=tmp_path)
        assert failed.status == 2 and problem in failed.err


def test_a_sample_of_tables_that_cannot_be_estimated(sample):
    key, response = sample
    arrow = pytest.importorskip("pyarrow")
    twice = arrow.concat_tables([response, response.slice(3, 1).set_column(1, "cluster_id", arrow.array([10**6]))])
    with pytest.warns(referee.RefereeWarning, match=r"^<response>: 1 repeated record, .*; each stays in the entity"):
        found = estimate(key, twice)
    assert found.to_rows() == estimate(key, response).to_rows()
    other = arrow.table({"item": [f"x{n}" for n in range(50)], "entity": [*range(50)]})
    with pytest.raises(MismatchError, match="<response> has no item of <key>: found 'x0', 'x1', 'x2'; expected 'r"):
        estimate(key, other)
    two = key.set_column(2, "w", arrow.array([float(n) for n in range(len(key))]))
    with pytest.raises(MismatchError, match=r"has the weights .* for entity .*; expected one for all rows of an entity"):
        estimate(two, response, weights="w")


def test_texts_are_refused_with_what_scores_a_sample_of_them(tmp_path):
    """A spurious mention is in no key entity: its response entity has no share in any part, so precision would be too high."""
    key, response = {"d": [{(0, 1), (2, 3)}]}, {"d": [{(0, 1), (2, 3)}, {(4, 5)}]}
    assert referee.score(key, response)["b_cubed"].precision == pytest.approx(2 / 3)
    remedy = "referee score KEY RESPONSE --extra-documents ignore --intervals"
    with pytest.raises(OptionError, match=f"found spans in <key>: a sample of texts is scored by {remedy}$"):
        estimate(key, response)
    conll = "#begin document (d); part 000\na\t(0)\nb\t-\nc\t(0)\n\n#end document\n"
    (tmp_path / "key.conll").write_text(conll)
    (tmp_path / "response.conll").write_text(conll + conll.replace("(d)", "(e)"))
    refused = run("estimate", "key.conll", "response.conll", cwd=tmp_path)
    assert (refused.status, refused.out, len(refused.errors)) == (2, "", 1) and remedy in refused.err
    done = run(*remedy.replace("KEY RESPONSE", "key.conll response.conll").split()[1:], cwd=tmp_path)
    assert done.status == 0 and "left out 1 document of response.conll that key.conll lacks: e_0" in done.err


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_documents_that_were_sampled_are_told(ending, tmp_path):
    """The documents 1 and 2 of three; first with a record of the response that the key lacks, then without it."""
    arrow = pytest.importorskip("pyarrow") if ending == "parquet" else None
    key = [("1", "a", 1), ("1", "b", 1), ("1", "c", 2), ("2", "a", 3), ("2", "b", 3)]
    other = [("1", "a", 1), ("1", "b", 1), ("1", "c", 2), ("2", "a", 3), ("2", "b", 4), ("3", "a", 5)]
    for name, rows in {"k": key, "r": other, "more": [*other, ("1", "z", 1)]}.items():
        columns = dict(zip(("document", "item", "entity"), zip(*rows, strict=True), strict=True))
        if arrow is not None:
            table = arrow.table({column: list(values) for column, values in columns.items()})
            pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / f"{name}.parquet")
        else:
            lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
            (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    files = {name: str(tmp_path / f"{name}.{ending}") for name in ("k", "r", "more")}
    left_out = "left out 1 document of "
    with pytest.warns(referee.RefereeWarning) as caught:
        estimate(files["k"], files["r"])
    said = [str(warning.message) for warning in caught]
    assert [message.startswith(left_out) for message in said] == [True, False]
    assert "has all items of its 2 documents: if these were sampled, their entities are not independent" in said[1]
    with pytest.warns(referee.RefereeWarning) as caught:
        estimate(files["k"], files["more"])
    assert [str(warning.message).startswith(left_out) for warning in caught] == [True]


def test_a_sample_drawn_by_entities_of_the_response_is_warned_of():
    rng = np.random.default_rng(4)
    key = np.arange(120) // 3
    response = np.where(rng.random(120) < 0.2, rng.integers(0, 40, 120), key)
    everything = [set(np.flatnonzero(response == entity).tolist()) for entity in np.unique(response)]
    drawn = [number for entity in everything[:10] for number in entity]
    by_response = [{n for n in drawn if key[n] == entity} for entity in np.unique(key[drawn])]
    with pytest.warns(RefereeWarning, match="no entity that mixes sampled records has another record: was the sample drawn by"):
        estimate(by_response, everything)
    whole = [set(np.flatnonzero(key == entity).tolist()) for entity in range(40)]
    estimate(whole[:10], everything)  # whole entities
    estimate(whole, everything)  # all of them
    estimate([{1, 2}, {3}], [{1, 2}, {3}, {4, 5}])  # nothing is mixed
