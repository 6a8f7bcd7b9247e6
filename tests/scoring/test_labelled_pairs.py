"""Estimates from labelled pairs: by hand as fractions, and by simulation from populations whose scores are known."""

import json

import numpy as np
import pytest

import referee
from referee import FormatError, MismatchError, OptionError, RefereeWarning, estimate
from referee.inputs.load import load
from tests.support.command import referee as run
from tests.support.warned import recorded, silenced

LABELS = {
    "left": ["a", "c", "e", "g", "i"],
    "right": ["b", "d", "f", "h", "j"],
    "label": [1, 0, 1, 0, 1],
    "stratum": ["high", "high", "low", "low", "low"],
    "stratum_size": [10, 10, 60, 60, 60],
}
CLUSTERS = [["a", "b"], ["c", "d"], ["e"], ["f"], ["g", "h"], ["i", "j"]]
"""The first pair of `high` is right, the second wrong; of `low` one is missed, one wrong, one right."""


def plain(labels):
    return {name: values for name, values in labels.items() if not name.startswith("stratum")}


@pytest.mark.parametrize(
    ("labels", "recall", "precision"),
    [
        # high: 5 pairs stand behind each label, low: 20. TP 5 + 20, FP 5 + 20, FN 20.
        (LABELS, 25 / 45, 25 / 50),
        (plain(LABELS) | {"weight": [5, 5, 20, 20, 20]}, 25 / 45, 25 / 50),
        (plain(LABELS) | {"w": [5, 5, 20, 20, 20]}, 2 / 3, 2 / 4),  # nobody said that w is a weight
        (plain(LABELS), 2 / 3, 2 / 4),
        (plain(LABELS) | {"stratum": LABELS["stratum"], "weight": [1, 2, 3, 4, 5]}, 6 / 9, 6 / 12),
    ],
)
def test_estimates_are_fractions_of_weighted_counts(labels, recall, precision):
    pairs = estimate(labels, CLUSTERS)["pairs"]
    assert pairs["recall"].value == pytest.approx(recall)
    assert pairs["precision"].value == pytest.approx(precision)
    assert pairs["value"].value == pytest.approx(2 * recall * precision / (recall + precision))


def test_a_column_of_weights_can_be_named_and_columns_can_be_set_aside():
    labels = LABELS | {"w": [1, 2, 3, 4, 5]}
    assert estimate(labels, CLUSTERS, weights="w")["pairs"]["precision"].value == pytest.approx(6 / 12)
    named = estimate(labels, CLUSTERS, weights="uniform")
    assert named["pairs"]["precision"].value == pytest.approx(2 / 4)
    assert "strata" not in named.signature
    assert "plain sample" not in str(named)
    assert "a plain sample of pairs: the key has no columns stratum and stratum_size, or weight" in str(
        estimate(plain(LABELS), CLUSTERS)
    )


SCORED = {"left": ["a", "d", "e", "g", "x"], "right": ["b", "c", "f", "h", "y"], "probability": [0.9, 0.8, 0.4, 0.6, 0.9]}


@pytest.mark.parametrize(
    ("response", "threshold", "recall", "precision"),
    [
        (SCORED, 0.5, 5 / 45, 5 / 30),  # d-c is c-d; i-j is not listed, so it is no match
        (SCORED, 0.7, 5 / 45, 5 / 10),
        (SCORED, 0.3, 25 / 45, 25 / 50),
        ({**SCORED, "probability": [1, 0, 1, 0, 1]}, None, 25 / 45, 1),
        ({name: values[:2] for name, values in SCORED.items() if name != "probability"}, None, 5 / 45, 5 / 10),
    ],
)
def test_a_response_of_pairs_is_asked_for_its_decisions(response, threshold, recall, precision):
    found = estimate(LABELS, response, threshold=threshold)
    assert found["pairs"]["recall"].value == pytest.approx(recall)
    assert found["pairs"]["precision"].value == pytest.approx(precision)
    assert "not in <response>" in str(found) and "i-j" in str(found)
    assert ("threshold:" in found.signature) == (threshold is not None)


CLERICAL = "left,right,label\na,b,1\na,c,0\nd,e,1\nf,g,0\n"
PREDICTED = "left,right,probability\na,b,0.9\na,c,0.7\nd,e,0.2\nf,g,0.1\nh,i,0.95\nb,d,0.6\n"


def test_clerical_labels_are_no_sample_of_entities(tmp_path):
    """Of four labels one is a right match, one a wrong one, one is missed. Pairs without a label say nothing."""
    strata = ["stratum,stratum_size", "x,20", "x,20", "y,60", "y,60"]
    weighted = "".join(f"{line},{more}\n" for line, more in zip(CLERICAL.splitlines(), strata, strict=True))
    clusters = "id,cluster\n" + "".join(f"{r},{c}\n" for r, c in zip("abcdefg", "1112345", strict=True))
    for name, text in (
        ("labels.csv", CLERICAL),
        ("strata.csv", weighted),
        ("pairs.csv", PREDICTED),
        ("clusters.csv", clusters),
    ):
        (tmp_path / name).write_text(text)
    for response in (["pairs.csv", "--threshold", "0.5"], ["clusters.csv"]):
        done = run("estimate", "labels.csv", *response, "-r", "csv", cwd=tmp_path)
        rows = [line.split(",")[:3] for line in done.out.splitlines()[1:]]
        assert rows == [["pairs", side, "0.5"] for side in ("recall", "precision", "value")]
        assert "2 TP" not in done.out
    done = run("estimate", "strata.csv", "pairs.csv", "--threshold", "0.5", "--seed", "7", "-r", "json", cwd=tmp_path)
    assert '"estimate": 0.25' in done.out  # recall: 10 of 10 + 30
    assert "seed:7 | strata:2 | pairs:4" in done.out


def test_strata_are_read_of_every_kind_of_table(tmp_path):
    rows = [dict(zip(LABELS, row, strict=True)) for row in zip(*LABELS.values(), strict=True)]
    text = "".join(f"{','.join(map(str, row))}\n" for row in [LABELS, *(row.values() for row in rows)])
    (tmp_path / "l.csv").write_text(text)
    (tmp_path / "l.txt").write_text(text.replace(",", ";"), encoding="utf-16")
    (tmp_path / "l.tsv").write_text(text.replace(",", "\t"))
    (tmp_path / "l.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "l.json").write_text(json.dumps(rows))
    (tmp_path / "c.csv").write_text("id,cluster\n" + "".join(f"{i},{n}\n" for n, e in enumerate(CLUSTERS) for i in e))
    keys = [tmp_path / name for name in ("l.csv", "l.txt", "l.tsv", "l.jsonl", "l.json")] + [rows, LABELS]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(LABELS)
    for key in [*keys, frame]:
        assert estimate(key, CLUSTERS)["pairs"]["recall"].value == pytest.approx(25 / 45)
    done = run("estimate", "-", "c.csv", "-r", "csv", cwd=tmp_path, stdin=text.encode())
    assert done.out.splitlines()[1].startswith("pairs,recall,0.5555")
    with pytest.raises(OptionError, match=r"rows cannot be read again, to see how pairs were sampled; .* --weights uniform"):
        estimate(pytest.importorskip("pyarrow").Table.from_pandas(frame).to_reader(), CLUSTERS)


def test_strata_of_a_workbook(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [list(LABELS), *zip(*LABELS.values(), strict=True)]:
        book.active.append(row)
    book.save(tmp_path / "l.xlsx")
    assert estimate(tmp_path / "l.xlsx", CLUSTERS)["pairs"]["recall"].value == pytest.approx(25 / 45)


def test_a_threshold_is_for_those_responses_that_are_pairs():
    both = estimate(LABELS, SCORED, CLUSTERS, threshold=0.7)
    assert both.other is not None
    assert both["pairs"]["recall"].value == estimate(LABELS, SCORED, threshold=0.7)["pairs"]["recall"].value
    assert both.other["pairs"]["recall"].value == estimate(LABELS, CLUSTERS)["pairs"]["recall"].value
    difference = both.differences["pairs"]["recall"]
    assert difference.value == pytest.approx(20 / 45)
    assert difference.interval(0.95).low >= 0  # whatever SCORED links at 0.7 of them, CLUSTERS links, too


def test_large_tables_are_asked_for_the_records_of_labels_alone(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    items = [(item, number) for number, entity in enumerate(CLUSTERS) for item in entity] + [("z", 9)]
    table = arrow.table({"id": [item for item, _ in items], "entity": [entity for _, entity in items]})
    parquet.write_table(table, tmp_path / "clusters.parquet")
    parquet.write_table(arrow.table(LABELS), tmp_path / "labels.parquet")
    of_rows = estimate(LABELS, CLUSTERS)
    of_columns = estimate(tmp_path / "labels.parquet", tmp_path / "clusters.parquet")
    assert [row["low"] for row in of_columns.to_rows()] == [row["low"] for row in of_rows.to_rows()]


def test_records_that_the_response_lacks_are_said_and_link_nothing():
    found = estimate(LABELS, [["a", "b"], ["c"], ["e", "f"], ["g", "h"], ["i"], ["z"]])
    assert (
        "2 records of labelled pairs are not in <response> (d, j): 2 labelled pairs with them count as no match of it"
        in str(found)
    )
    assert found["pairs"]["precision"].value == pytest.approx(25 / 45)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stratum_size": [10, 11, 60, 60, 60]}, "has the sizes 10 and 11 of stratum high; expected one of each stratum"),
        (
            {"stratum_size": [1, 1, 60, 60, 60]},
            "has 2 pairs of stratum high, and stratum_size 1; expected the number of all pairs",
        ),
        ({"stratum_size": [10, 10, 60, 60, "many"]}, "has 'many' as stratum_size of a pair; expected a number above 0"),
        ({"weight": [1] * 5}, "has the columns stratum_size and weight; expected stratum and stratum_size, or weight"),
        ({"right": ["b", "d", "f", "h", "i"]}, "has a pair of i with itself"),
        ({"left": ["a", "b", "e", "g", "i"], "right": ["b", "a", "f", "h", "j"]}, "labels . and . as a match and as none"),
    ],
)
def test_samples_that_say_two_things_are_refused(change, message):
    with silenced(), pytest.raises(FormatError, match=message):
        estimate(LABELS | change, CLUSTERS)


SAME = {"left": list("acegi"), "right": list("bdfhj"), "probability": [0.9, 0.1, 0.8, 0.2, 0.7]}


@pytest.mark.parametrize(
    ("others", "unread"),
    [
        ({"stratum": list("aaaaa"), "stratum_size": [90] * 5}, ""),
        ({"weight": [2] * 5}, ""),
        ({"clerk": list("xyxyx")}, "and clerk is not read"),
    ],
)
def test_columns_of_a_sample_are_no_annotation_that_was_not_read(others, unread, tmp_path):
    labels = {"left": SAME["left"], "right": SAME["right"], "label": [int(p > 0.5) for p in SAME["probability"]]}
    with recorded() as caught:
        assert referee.score(labels | others, SAME, threshold=0.5)["pairs"].f1 == 1
    assert [unread for warning in caught if "have the same annotation" in str(warning.message)] == [unread] * bool(unread)


def test_two_lists_of_pairs_are_not_the_same_if_only_their_entities_are():
    key = {"left": list("abd"), "right": list("bce"), "match": [1, 1, 0], "who": list("xyz")}
    response = {"left": list("aad"), "right": list("bce"), "match": [1, 1, 0]}
    with recorded() as caught:
        assert referee.score(key, response, tables="one")["links"].f1 == 1
    assert not [warning for warning in caught if "the same annotation" in str(warning.message)]


def test_rows_without_a_label_are_to_be_removed():
    labels = LABELS | {"label": [1, 0, 1, 0, None]}
    with silenced(), pytest.raises(FormatError, match=r"has 4 labelled pairs in 5 rows; .* remove the rows without one"):
        estimate(labels, CLUSTERS, nulls="drop")


def test_other_mistakes():
    without = {name: values for name, values in LABELS.items() if name != "stratum_size"}
    with pytest.raises(FormatError, match="has a column stratum, and nothing says how many pairs a stratum has in all"):
        estimate(without, CLUSTERS)
    with pytest.raises(OptionError, match="labelled pairs estimate the metric pairs; found b_cubed"):
        estimate(LABELS, CLUSTERS, metrics="b_cubed")
    with pytest.raises(OptionError, match="weights of labelled pairs are uniform, or a column"):
        estimate(LABELS, CLUSTERS, weights="inverse-size")
    with pytest.raises(OptionError, match="stratum_size has the sizes of strata, which are no weights; expected no --weights"):
        estimate(LABELS, CLUSTERS, weights="stratum_size")
    with pytest.raises(FormatError, match="expected 'w' with the weight of each pair"):
        estimate(LABELS, CLUSTERS, weights="w")
    with pytest.raises(MismatchError, match="2 documents; expected records of one document"):
        estimate(LABELS, {"x": {"a": 1}, "y": {"b": 1}})
    with pytest.raises(OptionError, match="--threshold is for pairs with probabilities"):
        estimate(LABELS, CLUSTERS, threshold=0.5)
    with pytest.warns(RefereeWarning, match="no record in common"):
        estimate(LABELS, [["k", "l"]])


POPULATION = 4000


def population(rng):
    """Compared pairs with a probability each, whether they match, and their strata: every match is not above one half."""
    probability = rng.beta(0.5, 0.9, POPULATION)
    return probability, rng.random(POPULATION) < 0.05 + 0.85 * probability, np.digitize(probability, [0.2, 0.5, 0.9])


def table(rows, **columns):
    """Pairs that are called by their number: r1-s1."""
    return {"left": [f"r{n}" for n in rows], "right": [f"s{n}" for n in rows]} | {
        name: values[rows].tolist() for name, values in columns.items()
    }


def test_most_intervals_of_stratified_samples_hold_the_scores_of_all_pairs():
    rng, samples = np.random.default_rng(11), 150
    probability, match, stratum = population(rng)
    everything = np.arange(POPULATION)
    response, other = (load(table(everything, probability=p)) for p in (probability, np.clip(probability + 0.1, 0, 1)))
    sizes = np.bincount(stratum)
    truths = []
    for p in (probability, np.clip(probability + 0.1, 0, 1)):
        said = p >= 0.5
        truths.append({"recall": (said & match).sum() / match.sum(), "precision": (said & match).sum() / said.sum()})
    held = {(which, side): 0 for which in ("one", "difference") for side in ("recall", "precision")}
    values = {side: [] for side in ("recall", "precision")}
    for _ in range(samples):
        rows = np.concatenate([rng.choice(np.flatnonzero(stratum == h), 60, replace=False) for h in range(4)])
        labels = table(rows, label=match.astype(int), stratum=stratum, stratum_size=sizes[stratum])
        found = estimate(labels, response, other, threshold=0.5, resamples=400)
        for side, estimates in values.items():
            estimates.append(found["pairs"][side].value)
            low, high, _ = found["pairs"][side].interval(0.95)
            held["one", side] += low <= truths[0][side] <= high
            low, high, _ = found.differences["pairs"][side].interval(0.95)
            held["difference", side] += low <= truths[1][side] - truths[0][side] <= high
    assert min(held.values()) >= 133  # of 150, at 95 %: binomial with a share of 2e-3
    for side, estimates in values.items():  # no bias beyond what chance explains
        assert abs(np.mean(estimates) - truths[0][side]) < 4 * np.std(estimates) / samples**0.5


def test_without_weights_a_stratified_sample_is_far_from_the_truth():
    """What the weights are for: the same labels as a plain sample."""
    rng = np.random.default_rng(3)
    probability, match, stratum = population(rng)
    rows = np.concatenate([rng.choice(np.flatnonzero(stratum == h), 200, replace=False) for h in range(4)])
    labels = table(rows, label=match.astype(int), stratum=stratum, stratum_size=np.bincount(stratum)[stratum])
    response = table(np.arange(POPULATION), probability=probability)
    truth = ((probability >= 0.5) & match).sum() / match.sum()
    weighted = estimate(labels, response, threshold=0.5)["pairs"]["recall"]
    unweighted = estimate(labels, response, threshold=0.5, weights="uniform")["pairs"]["recall"]
    assert abs(weighted.value - truth) < 3 * weighted.error < abs(unweighted.value - truth)


def test_a_stratum_that_is_labelled_as_a_whole_adds_no_variance():
    labels = LABELS | {"stratum_size": [2, 2, 3, 3, 3]}
    assert estimate(labels, CLUSTERS)["pairs"]["recall"].error == 0


def test_two_responses_from_sampled_entities_are_compared_on_the_same_sample():
    key = [[f"{n}{letter}" for letter in "abc"] for n in range(40)]
    one = [entity if n % 2 else part for n, entity in enumerate(key) for part in [entity]]
    halves = [part for n, entity in enumerate(key) for part in ([entity] if n % 4 else [entity[:2], entity[2:]])]
    found = estimate(key, halves, one)
    difference = found.differences["links"]["recall"]
    assert found.other is not None
    assert difference.value == pytest.approx(found.other["links"]["recall"].value - found["links"]["recall"].value)
    assert difference.interval(0.95).low > 0  # a fourth of the entities lose two of three links
    alone = [estimate(key, response)["links"]["recall"] for response in (halves, one)]
    assert difference.error == pytest.approx((alone[1] - alone[0]).error)
    same = estimate(key, halves, halves).differences["links"]["recall"]
    assert (same.value, same.error) == (0, 0)
    assert [row["response"] for row in found.to_rows()][:3] == ["1 <response>"] * 3
    assert "2 <response> − 1 <response>" in str(found)


def test_sampled_entities_and_a_response_of_pairs_with_probabilities():
    key = {"a": 1, "b": 1, "c": 2, "d": 3}
    pairs = {"left": ["a", "c", "y"], "right": ["b", "x", "z"], "probability": [0.9, 0.6, 0.3]}
    with pytest.warns(
        RefereeWarning, match=r"1 record of 4 of <key> is in no pair of <response> \(the first: d\): alone there"
    ):
        found = estimate(key, pairs, threshold=0.8)
    assert found["b_cubed"]["recall"].value == found["exact"]["recall"].value == 1
    with silenced():
        lower, unasked = estimate(key, pairs, threshold=0.5), estimate(key, pairs)
    assert lower["exact"]["recall"].value == pytest.approx(2 / 3)  # c is linked with x
    assert [row["estimate"] for row in lower.to_rows()] == [row["estimate"] for row in unasked.to_rows()]


def test_pairs_that_all_match_without_a_label_are_sampled_entities():
    links = {"left": ["a", "c"], "right": ["b", "d"]}
    response = [["a", "b"], ["c"], ["d"], ["x", "y"]]
    found, same = estimate(links, response), estimate([["a", "b"], ["c", "d"]], response)
    assert [row["estimate"] for row in found.to_rows()] == [row["estimate"] for row in same.to_rows()]
    assert found.entities == 2


@pytest.mark.parametrize("columns", [("stratum", "stratum_size"), ("weight",)])
def test_scores_say_that_they_do_not_weigh_labels(columns):
    labels = plain(LABELS) | {name: LABELS.get(name, [1] * 5) for name in columns}
    message = f"<key> has a column {columns[-1]}, by which referee estimate weighs its pairs: here each label counts once"
    for call in (lambda: referee.score(labels, CLUSTERS), lambda: referee.thresholds(labels, SCORED, thresholds=[0.5])):
        with recorded() as caught:
            call()
        assert message in [str(warning.message) for warning in caught]
    with recorded() as caught:
        referee.score(plain(LABELS), CLUSTERS)
    assert not any("weighs" in str(warning.message) for warning in caught)
