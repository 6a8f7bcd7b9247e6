"""The table of a 1-best prediction: the figures of conlleval and seqeval, type by type."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from referee.basics.exceptions import OptionError
from referee.phrases import PhraseCandidates, decode, score
from referee.phrases.annotation import DefaultProbabilities
from referee.phrases.types import TypeTable, counts_by_type
from tests.support.command import referee

KEY = [["O", "O", "B-MISC", "I-MISC", "B-MISC", "O"], ["B-PER", "I-PER", "O"]]
RESPONSE = [["O", "O", "B-MISC", "I-MISC", "B-MISC", "I-MISC"], ["B-PER", "I-PER", "B-LOC"]]


def test_each_type_has_its_counts() -> None:
    """MISC: of two in both, one is the same; LOC is only found, so its recall is 0 / 0."""
    rows = TypeTable(counts_by_type(decode(KEY), decode(RESPONSE))).rows
    assert {name: row[3] for name, row in rows.items()} == {"LOC": 0, "MISC": 2, "PER": 1}
    assert rows["MISC"][:3] == (0.5, 0.5, 0.5)
    assert rows["PER"][:3] == (1, 1, 1)
    assert np.isnan(rows["LOC"][0])
    assert rows["LOC"][1:3] == (0, 0)


@pytest.mark.parametrize("door", ["referee.compat.seqeval", "seqeval.metrics"])
def test_the_table_has_the_figures_of_seqeval(door: str) -> None:
    theirs = pytest.importorskip(door)
    for seed in range(50):
        chance = random.Random(seed)
        tags = ["O", *(f"{p}-{x}" for p in "BI" for x in ("A", "B", "C")[: 1 + seed % 3])]
        key = [[chance.choice(tags) for _ in range(chance.randint(1, 8))] for _ in range(4)] + [["B-A"]]
        response = [[t if chance.random() < 0.6 else chance.choice(tags) for t in row] for row in key]
        report = theirs.classification_report(key, response, output_dict=True, zero_division=0)
        table = TypeTable(counts_by_type(decode(key), decode(response)))
        averages = {f"{name} avg": row for name, row in table.averages.items()}
        for name, (recall, precision, f1, support) in {**table.rows, **averages}.items():
            expected = [report[name][side] for side in ("recall", "precision", "f1-score", "support")]
            assert np.nan_to_num([recall, precision, f1, support]).tolist() == pytest.approx(expected), (seed, name)


def test_it_is_shown_of_a_one_best_response_and_f1_is_its_number(tmp_path: Path) -> None:
    for name, tags in (("key.iob", KEY), ("found.iob", RESPONSE)):
        (tmp_path / name).write_text("\n".join("".join(f"w {tag}\n" for tag in row) for row in tags))
    done = referee("phrases", "score", "key.iob", "found.iob", cwd=tmp_path)
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["type", "recall", "precision", "F1", "support"]
    assert lines[1:4] == [
        ["LOC", "-", "0.00", "0.00", "0"],
        ["MISC", "50.00", "50.00", "50.00", "2"],
        ["PER", "100.00", "100.00", "100.00", "1"],
    ]
    assert lines[4] == ["micro", "average", "66.67", "50.00", "57.14", "3"]
    assert lines[5] == ["macro", "average", "50.00", "50.00", "50.00", "3"]
    assert "what is 0 / 0 has no number; it counts as 0 in the macro average, as in seqeval" in done.out
    assert "\n\n\n" not in done.out
    for bits in ("inf", "bits", "listed:"):  # nothing has a probability
        assert bits not in done.out
    assert referee("phrases", "score", "key.iob", "found.iob", "-q", cwd=tmp_path).out == "57.14\n"
    system = json.loads(referee("phrases", "score", "key.iob", "found.iob", "-r", "json", cwd=tmp_path).out)["systems"][0]
    assert system["type"]["LOC"] == {"recall": None, "precision": 0, "f1": 0, "support": 0}
    assert system["average"]["macro"]["f1"] == 0.5
    both = referee("phrases", "score", "key.iob", "found.iob", "key.iob", cwd=tmp_path).out
    assert "by type: found\n" in both
    assert both.split()[:4] == ["F1", "system", "exact_match", "span_match"]
    only = referee("phrases", "score", "key.iob", "found.iob", "-m", "expected,bits_per_sentence", cwd=tmp_path).out
    assert only.startswith("metric ")


def test_the_interval_of_f1_is_that_of_expected_f1(tmp_path: Path) -> None:
    (tmp_path / "key.iob").write_text("a B-X\nb O\n\n" * 12)
    (tmp_path / "found.iob").write_text("a B-X\nb O\n\n" * 6 + "a O\nb B-X\n\n" * 6)
    arguments = ("key.iob", "found.iob", "-m", "all", "--intervals", "--resamples", "50", "-r", "json")
    metrics = json.loads(referee("phrases", "score", *arguments, cwd=tmp_path).out)["systems"][0]["metrics"]
    assert metrics["exact_match"]["intervals"] == metrics["expected"]["intervals"]


def test_probabilities_are_matched_from_a_threshold_on() -> None:
    key = decode([["B-X", "O", "B-X"]])
    found = PhraseCandidates.build(
        key.sentences, ["X"], sentence=[0, 0, 0], start=[0, 1, 2], end=[1, 2, 3], category=[0, 0, 0],
        probability=[0.9, 0.5, 0.3], default=DefaultProbabilities.constant(0.0),
    )  # fmt: skip
    for threshold, (recall, precision) in {0.2: (1, 2 / 3), 0.5: (0.5, 0.5), 0.6: (0.5, 1), 1.0: (0, np.nan)}.items():
        scores = score(key, found, threshold=threshold)
        assert [scores["exact_match"].recall, scores["exact_match"].precision] == pytest.approx(
            [recall, precision], nan_ok=True
        )
        assert f"threshold:{threshold:g}" in scores.signature
        assert scores.types is None
    assert "threshold" not in score(key, key, threshold=0.1).signature
    with pytest.raises(OptionError, match="found the threshold 2; expected a number from 0 to 1"):
        score(key, found, threshold=2)
