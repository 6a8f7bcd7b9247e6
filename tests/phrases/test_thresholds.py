"""The threshold sweep of scored spans: every threshold by counting, and what reports show of it."""

import json
import math
import random

import numpy as np
import pytest

import referee
from referee.phrases import DefaultProbabilities, PhraseCandidates, Sentences, decode, score
from tests.support.command import referee as command
from tests.support.phrases import constant, listed

KEY = [
    {
        "tokens": ["Ann", "Lee", "saw", "Rome", "."],
        "spans": [{"label": "PER", "start": 0, "end": 2}, {"label": "LOC", "start": 3, "end": 4}],
    },
    {
        "tokens": ["Bob", "left", "Paris", "."],
        "spans": [{"label": "PER", "start": 0, "end": 1}, {"label": "LOC", "start": 2, "end": 3}],
    },
]
SPANS = [
    [{"start": 0, "end": 7, "label": "PER", "score": 0.97}, {"start": 12, "end": 16, "label": "PER", "score": 0.6}],
    [{"start": 0, "end": 3, "label": "PER", "score": 0.4}, {"start": 9, "end": 14, "label": "LOC", "score": 0.8}],
]


@pytest.fixture
def here(tmp_path):
    (tmp_path / "key.jsonl").write_text("".join(json.dumps(row) + "\n" for row in KEY))
    (tmp_path / "gliner.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SPANS))
    return tmp_path


@pytest.mark.parametrize("seed", range(20))
def test_each_threshold_is_a_prediction_of_its_own(seed):
    """Against the definition: keep the candidates that reach the threshold, and count those that are in the key."""
    chance = random.Random(seed)
    words, types = 6, ["A", "B"]
    spans = [(0, i, j, x) for i in range(words) for j in range(i + 1, words + 1) for x in (0, 1)]
    true = set(chance.sample(spans, 5))
    scored = {span: chance.choice([0.1, 0.25, 0.3, 0.5, 0.75, 0.9]) for span in chance.sample(spans, 12)}
    sentences = Sentences.numbered([words])
    columns = [
        dict(zip(("sentence", "start", "end", "category"), zip(*rows, strict=True), strict=True)) for rows in (true, scored)
    ]
    key = referee.phrases.Chunks.build(sentences, types, **columns[0])
    response = PhraseCandidates.build(sentences, types, **columns[1], probability=[*scored.values()])
    sweep = score(key, response).thresholds
    f1 = {}
    for threshold in (0.05, *sorted({*scored.values()}), 0.6, 1.0):
        predicted = {span for span, p in scored.items() if p >= threshold}
        right = len(predicted & true)
        f1[threshold] = 2 * right / (len(predicted) + len(true))
        row = sweep.at(threshold)
        assert (row.phrases, row.recall) == (len(predicted), right / len(true))
        assert row.f1 == pytest.approx(f1[threshold])
        assert score(key, response, threshold=threshold)["exact_match"].f1 == pytest.approx(f1[threshold])
    best = max(f1.values())
    assert sweep.best.f1 == pytest.approx(best)
    assert sweep.best.threshold == max(t for t in {*scored.values()} if f1[t] == pytest.approx(best))


def test_the_first_table_is_by_type_and_nothing_is_infinite(here):
    done = command("phrases", "score", "key.jsonl", "gliner.jsonl", cwd=here)
    assert (done.status, done.err) == (0, "")
    lines = [line.split() for line in done.out.splitlines()]
    # LOC: Paris of Rome and Paris. PER: Ann Lee of two; Rome is none.
    assert lines[:3] == [
        ["type", "recall", "precision", "F1", "support"],
        ["LOC", "50.00", "100.00", "66.67", "2"],
        ["PER", "50.00", "50.00", "50.00", "2"],
    ]
    assert "best F1: 75.00 at threshold 0.4\n" in done.out  # all four spans, three of them right
    assert ["0.4", "4", "75.00", "75.00", "75.00*"] in lines
    assert ["0.9", "1", "25.00", "100.00", "40.00"] in lines
    assert "inf" not in done.out.split()
    assert "infinitely many bits for 1 zero-probability event (1 true, 0 false)" in done.out


@pytest.mark.parametrize(
    ("options", "number"),
    [
        ([], "57.14"),  # two right of three predicted and four true
        (["--threshold", "0.4"], "75.00"),
        (["--threshold", "0.61"], "66.67"),
        (["-m", "bits_per_sentence", "--min-probability", "0.25"], "13.6323"),
    ],
    ids=str,
)
def test_the_number_is_f1_at_the_threshold(here, options, number):
    if "-m" in options:
        # Two categories: 2 (15 + 10) candidates; 0.97 is clipped to 0.75. Listed: -lg 0.75, -lg 0.4 (0.6 is false),
        # -lg 0.4, -lg 0.75 (0.8 is clipped); Rome is not listed: -lg 0.25; 45 others are false with 0.25.
        bits = -2 * math.log2(0.75) - 2 * math.log2(0.4) - math.log2(0.25) - 45 * math.log2(0.75)
        number = f"{bits / 2:.4f}"
    assert command("phrases", "score", "key.jsonl", "gliner.jsonl", "-q", *options, cwd=here).out == number + "\n"


def test_programs_get_the_sweep(here):
    report = json.loads(command("phrases", "score", "key.jsonl", "gliner.jsonl", "-r", "json", cwd=here).out)["systems"][0]
    assert report["best_threshold"] == 0.4
    assert [row["threshold"] for row in report["thresholds"]] == [n / 10 for n in range(1, 10)]
    assert report["type"]["LOC"]["precision"] == 1
    rows = command("phrases", "score", "key.jsonl", "gliner.jsonl", "-r", "csv", cwd=here).out.splitlines()
    assert sum(",threshold," in row for row in rows) == 9


def test_thresholds_that_unlisted_candidates_reach_are_left_out():
    key = decode([["B-X", "O", "B-X"]])
    response = listed(key, ["X"], [(0, 0, 1, 0, 0.9), (0, 1, 2, 0, 0.3)], 0.35)
    sweep = score(key, response).thresholds
    assert [row.threshold for row in sweep.in_table] == [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert sweep.probabilities.tolist() == [0.9]
    nothing = score(key, constant(key, 0.5))
    assert nothing.thresholds.lead == "best F1: undefined"
    assert nothing.first == "bits_per_sentence"


def test_a_response_without_probabilities_has_no_thresholds():
    key = decode([["B-X", "O"]])
    assert score(key, key).thresholds is None
    sure = PhraseCandidates.build(
        key.sentences,
        ["X"],
        sentence=[0],
        start=[0],
        end=[1],
        category=[0],
        probability=[1.0],
        default=DefaultProbabilities.constant(0),
    )
    assert score(key, sure).thresholds is None


def test_accuracy_of_words_is_that_of_their_tags():
    """As seqeval.metrics.accuracy_score: I for B is wrong, though both mean the same phrase."""
    key, response = [["B-X", "I-X", "O"], ["O", "B-Y"]], [["I-X", "I-X", "O"], ["O", "B-X"]]
    assert score(key, response)["accuracy"].value == 3 / 5
    assert score(key, response)["exact_match"].f1 == 0.5
    nested = referee.phrases.Chunks.build(
        Sentences.numbered([3]), ["X"], sentence=[0, 0], start=[0, 0], end=[2, 1], category=[0, 0]
    )
    assert "accuracy" not in score(nested, nested)
    assert math.isnan(score(nested, nested)["accuracy"].value)
    spans = referee.phrases.Chunks.build(
        Sentences.numbered([3, 2]), ["X", "Y"], sentence=[0, 1], start=[0, 1], end=[2, 2], category=[0, 0]
    )
    assert score(key, spans)["accuracy"].value == np.mean([1, 1, 1, 1, 0])
