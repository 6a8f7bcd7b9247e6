"""The numbers of other programs on random tags and random scored spans: seqeval, nervaluate, GLiNER."""

import random

import numpy as np
import pytest

from referee.phrases import Chunks, PhraseCandidates, Sentences, decode, encode, score
from tests.support.warned import silenced

TYPES = ("PER", "LOC", "ORG")


def random_tags(seed, prefixes, sentences=60):
    chance = random.Random(seed)
    tags = ["O", "O", *(f"{p}-{x}" for p in prefixes for x in TYPES)]
    key = [chance.choices(tags, k=chance.randint(1, 12)) for _ in range(sentences)]
    return key, [[tag if chance.random() < 0.7 else chance.choice(tags) for tag in row] for row in key]


@pytest.mark.parametrize("prefixes", ["BI", "IE", "BIES"])
@pytest.mark.parametrize("seed", range(5))
def test_averages_accuracy_and_strict_are_those_of_seqeval(seed, prefixes):
    metrics = pytest.importorskip("seqeval.metrics")
    key, response = random_tags(seed, prefixes)
    ours = score(key, response)
    theirs = metrics.classification_report(key, response, output_dict=True, zero_division=0)
    for name, row in ours.types.averages.items():
        assert row[:3] == pytest.approx(
            [theirs[f"{name} avg"][side] for side in ("recall", "precision", "f1-score")], abs=1e-12
        )
    assert ours["accuracy"].value == pytest.approx(metrics.accuracy_score(key, response), abs=1e-12)
    with silenced(Warning):
        strict = metrics.classification_report(key, response, output_dict=True, zero_division=0, mode="strict")["micro avg"]
        f1 = score(key, response, decode="strict")["f1"]
    assert [f1.recall, f1.precision] == pytest.approx([strict["recall"], strict["precision"]], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_matches_are_those_of_nervaluate(seed):
    """All but `ent_type`, for which nervaluate takes the first phrase that overlaps; of well-formed tags, which it needs."""
    nervaluate = pytest.importorskip("nervaluate")
    key, response = (encode(decode(side)) for side in random_tags(seed, "BI"))
    theirs = nervaluate.Evaluator(key, response, tags=list(TYPES), loader="list").evaluate()["overall"]
    ours = score(key, response)
    for name, metric in {"strict": "strict", "exact": "span_match", "partial": "partial"}.items():
        assert ours[metric].f1 == pytest.approx(theirs[name].f1, abs=1e-12)


def random_spans(seed, sentences=40):
    """Spans of words as GLiNER has them, with inclusive ends: those of the key, and those with scores."""
    chance = random.Random(seed)
    lengths = [chance.randint(3, 12) for _ in range(sentences)]

    def span(n):
        start = chance.randrange(n)
        return start, min(n - 1, start + chance.randrange(3)), chance.choice(TYPES)

    key = [sorted({span(n) for _ in range(3)}) for n in lengths]
    scored = []
    for n, spans in zip(lengths, key, strict=True):
        by_span = {each: round(chance.random(), 2) for each in spans if chance.random() < 0.7}
        scored.append(by_span | {span(n): round(chance.random(), 2) for _ in range(3)})
    return lengths, key, scored


def columns(rows):
    sentence, start, end, label = zip(*rows, strict=True)
    return {"sentence": sentence, "start": start, "end": np.add(end, 1), "category": [TYPES.index(x) for x in label]}


# By BaseNEREvaluator of GLiNER 0.2.27, of the spans with a score above the threshold: recall, precision, F1.
GLINER = {
    0.1: (0.6890756302521008, 0.4685714285714286, 0.5578231292517007),
    0.3: (0.5294117647058824, 0.47368421052631576, 0.5),
    0.5: (0.3949579831932773, 0.4845360824742268, 0.4351851851851852),
    0.7: (0.25210084033613445, 0.4918032786885246, 0.3333333333333333),
    0.9: (0.07563025210084033, 0.5, 0.13138686131386862),
}


@pytest.mark.parametrize("threshold", GLINER)
def test_scored_spans_are_those_of_gliner(threshold):
    """GLiNER predicts spans above a threshold, and a threshold is reached here: so that of the next number is asked for."""
    lengths, key, scored = random_spans(0)
    sentences = Sentences.numbered(lengths)
    gold = Chunks.build(sentences, TYPES, **columns([(n, *each) for n, spans in enumerate(key) for each in spans]))
    rows = [(n, *each) for n, spans in enumerate(scored) for each in spans]
    p = [value for spans in scored for value in spans.values()]
    f1 = score(
        gold, PhraseCandidates.build(sentences, TYPES, **columns(rows), probability=p), threshold=np.nextafter(threshold, 1)
    )
    assert [f1["f1"].recall, f1["f1"].precision, f1["f1"].f1] == pytest.approx(GLINER[threshold], abs=1e-12)
