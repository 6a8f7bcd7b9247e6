"""Times the scoring of phrases, ours and seqeval's, and prints a table. Arithmetic only: what is timed is in memory.

    python benchmarks/phrases.py [CONLL_2000_TEST]

* The probabilities of 14.4 million candidates, as many as the training corpus of Abney (1993) has: 1706 sentences of about 22
  words, 28 categories. A few are listed, and all others have a default: `referee.phrases.scoring` does not look at them.
* Recall, precision and F of tags on the CoNLL-2000 test set (its file as the argument; else made-up tags of its size), by us
  and by seqeval, if it is installed: the response has one tag in twelve wrong.

Best of several runs.
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from referee.formats.shared.source import Source
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.chunking.iob import decode, encode
from referee.phrases.formats.columns import read as read_columns
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.one_best import match_chunks
from referee.phrases.scoring import score

CATEGORIES = 28
PAPER = 14_442_484


def best(run: Callable[[], Any], times: int = 7) -> float:
    """Seconds of the fastest of several runs."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def corpus() -> Sentences:
    """As many spans as the paper has, within a sentence."""
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.normal(22.3, 10.6, 1706), 1, None).astype(np.int32)
    while CATEGORIES * int(Sentences.numbered(lengths).span_counts.sum()) < PAPER:
        lengths[rng.integers(len(lengths))] += 1
    return Sentences.numbered(lengths)


def candidates(sentences: Sentences, number: int = 300_000) -> None:
    rng = np.random.default_rng(1)
    names = tuple(str(x) for x in range(CATEGORIES))
    sentence = rng.integers(len(sentences), size=number)
    start = rng.integers(sentences.length[sentence])
    end = start + 1 + rng.integers(sentences.length[sentence] - start)
    rows = np.unique(np.stack([sentence, start, end, rng.integers(CATEGORIES, size=number)]), axis=1)
    columns = dict(zip(("sentence", "start", "end", "category"), rows, strict=True))
    table = DefaultProbabilities.by_length(rng.random((CATEGORIES, int(sentences.length.max()))) * 1e-3)
    p = rng.random(rows.shape[1]) ** 8 * 0.9
    listed = PhraseCandidates.build(sentences, names, **columns, probability=p, default=table)
    key = Chunks.build(sentences, names, **{name: column[::16] for name, column in columns.items()})
    seconds = best(lambda: score(key, listed))
    rate = f"{listed.space_size / seconds / 1e6:.0f} million candidates/s, {len(listed) / seconds / 1e6:.1f} million listed/s"
    row(f"{len(listed)} listed, all groups", seconds, rate)


def one_best(path: str | None) -> None:
    def fault(line: int | None, problem: str) -> None:
        raise SystemExit(f"{path}:{line}: {problem}")

    chance = random.Random(0)
    if path:
        key = encode(read_columns(Source(path), fault, PhraseOptions()))
    else:
        tags = ["O", "B-NP", "I-NP", "I-NP", "B-VP", "I-VP", "B-PP"]
        key = [chance.choices(tags, k=chance.randint(4, 42)) for _ in range(2012)]
    known = sorted({tag for sentence in key for tag in sentence})
    response = [[chance.choice(known) if chance.random() < 1 / 12 else tag for tag in sentence] for sentence in key]

    def ours(rule: str) -> tuple[float, float, float]:
        chunks = decode(key, rule)
        scores = match_chunks(chunks, decode(response, rule, sentences=chunks.sentences))
        return scores.precision, scores.recall, scores.f1

    try:
        metrics, scheme = import_module("seqeval.metrics"), import_module("seqeval.scheme")
    except ImportError:
        metrics = None
    for rule in ("conlleval", "IOB2"):
        seconds = best(lambda rule=rule: ours(rule))
        if metrics is None:
            row(f"tags, {rule}", seconds, "seqeval is not installed")
            continue
        strict = {} if rule == "conlleval" else {"scheme": scheme.IOB2}
        settings = {**strict, "mode": "strict"} if strict else {}
        all_three = (metrics.v1 if strict else metrics.sequence_labeling).precision_recall_fscore_support
        rates = (metrics.precision_score, metrics.recall_score, metrics.f1_score)

        def theirs(settings: dict[str, Any] = settings, rates: Any = rates) -> tuple[float, ...]:
            return tuple(float(rate(key, response, **settings)) for rate in rates)

        assert np.allclose(ours(rule), theirs(), rtol=0, atol=1e-12)

        def at_once(all_three: Any = all_three, strict: dict[str, Any] = strict) -> object:
            return all_three(key, response, average="micro", **strict)

        three, one = best(theirs, 3), best(at_once, 3)
        shown = (f"{t * 1e3:.0f} ms, {t / seconds:.0f} times as long" for t in (three, one))
        row(f"tags, {rule}", seconds, "seqeval: three calls {}; one for all three {}".format(*shown))


def row(what: str, seconds: float, rate: str) -> None:
    print(f"{what:32}{seconds * 1e3:9.1f} ms   {rate}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sentences = corpus()
    print(f"{CATEGORIES * int(sentences.span_counts.sum())} candidates in {len(sentences)} sentences")
    candidates(sentences)
    one_best(sys.argv[1] if len(sys.argv) > 1 else None)
