"""Recall, precision and F of 1-best predictions: against definitions on sets, and numbers of other programs."""

import json
import zipfile
from collections import Counter, defaultdict
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import UnknownNameError
from referee.phrases.chunking.iob import decode
from referee.phrases.one_best import MATCHES, match_chunks
from referee.phrases.scoring import score
from tests.support.examples import examples
from tests.support.paths import SHARED
from tests.support.phrases import chunks_of

KIT = SHARED / "phrase"
in_kit = pytest.mark.skipif(not KIT.is_dir(), reason="needs the phrase kit, ../shared/phrase")


def rates(scores):
    return scores.recall, scores.precision, scores.f1


def of(spans, length=10):
    return chunks_of([spans], [length])


def test_nested_spans_are_counted_right_where_the_first_overlap_is_not():
    # nervaluate 1.2.1 compares [0, 3) with [0, 9), and finds 0 correct, 1 incorrect, 1 spurious.
    scores = match_chunks(of([("M", 0, 9)]), of([("M", 0, 3), ("M", 0, 9)]))
    assert scores == (1, 1, 2)
    partial = match_chunks(of([("M", 0, 9)]), of([("M", 0, 3), ("M", 0, 9)]), "partial")
    assert (float(partial.recall), float(partial.precision)) == (1, 0.5)


@pytest.mark.parametrize(
    ("how", "recall", "precision"),
    [("exact", 1 / 4, 1 / 3), ("span", 2 / 4, 2 / 3), ("category", 2 / 4, 2 / 3), ("partial", 2.5 / 4, 2.5 / 3)],
)
def test_credit_for_parts(how, recall, precision):
    key = of([("A", 0, 2), ("A", 2, 5), ("B", 5, 6), ("B", 8, 9)])
    response = of([("A", 0, 2), ("A", 3, 5), ("A", 5, 6)])  # the same; a part; another category
    scores = match_chunks(key, response, how)
    assert rates(scores)[:2] == pytest.approx((recall, precision))


def test_one_chunk_is_matched_with_one():
    # Both parts overlap the whole: only one of them can have it.
    scores = match_chunks(of([("A", 0, 6)]), of([("A", 0, 2), ("A", 3, 6)]), "partial")
    assert scores == (0.5, 1, 2)


spans = st.lists(
    st.tuples(st.sampled_from("AB"), st.integers(0, 5), st.integers(1, 3)).map(lambda s: (s[0], s[1], s[1] + s[2])),
    unique=True, max_size=5,
)  # fmt: skip


@examples(4)
@given(key=spans, response=spans)
def test_no_matching_gives_more_credit(key, response):
    credit_of = {
        "exact": lambda a, b: a == b,
        "span": lambda a, b: a[1:] == b[1:],
        "category": lambda a, b: a[0] == b[0] and a[1] < b[2] and b[1] < a[2],
        "partial": lambda a, b: (a[1:] == b[1:]) or (a[1] < b[2] and b[1] < a[2]) / 2,
    }
    few, many = sorted((key, response), key=len)
    for how, credit in credit_of.items():
        best = max(sum(map(credit, few, chosen)) for chosen in permutations(many, len(few)))
        scores = match_chunks(of(key), of(response), how)
        assert scores.matched == best
    assert set(credit_of) == set(MATCHES)


@given(key=spans, response=spans)
def test_expected_recall_and_precision_of_a_1_best_prediction_are_the_usual_ones(key, response):
    exact, expected = match_chunks(of(key), of(response)), score(of(key), of(response)).total
    assert rates(exact) == pytest.approx(tuple(map(float, (expected.recall, expected.precision, expected.f1))), nan_ok=True)


def test_unknown_names_are_told():
    with pytest.raises(UnknownNameError, match="no match named 'exakt'; did you mean exact"):
        match_chunks(of([]), of([]), "exakt")


@in_kit
@pytest.mark.parametrize("name", ["S(G)", "Z(G)", "S(C)", "Z(C)"])
def test_four_decodings_of_conll_2000_score_as_in_seqeval(name):
    # Of the decodings the kit has the counts, and the rates that seqeval gave; made into chunks of that number here.
    expected = json.loads((KIT / "expected.json").read_text())["hard_equality"][name]
    correct, predicted, true = expected["set_counts"]
    n = true + predicted
    key = of([("A", i, i + 1) for i in range(true)], n)
    response = of([("A", i, i + 1) for i in range(true - correct, true - correct + predicted)], n)
    recall, precision, f1 = rates(match_chunks(key, response))
    assert [precision, recall, f1] == pytest.approx(expected["seqeval"], abs=1e-8)
    assert [precision, recall, f1] == pytest.approx(expected["seqeval_strict_IOB2"], abs=1e-8)


@in_kit
def test_the_baseline_of_conll_2000_by_both_rules():
    # The chunk tag that is most frequent for a part of speech: F 77.07, as the shared task has it; seqeval 1.2.2 strict 66.45.
    expected = json.loads((KIT / "expected.json").read_text())["kat_conll2000_baseline"]
    with zipfile.ZipFile(KIT / "conll2000.zip") as kit:
        train, test = (_columns(kit.read(f"conll2000/{part}.txt").decode()) for part in ("train", "test"))
    counts = defaultdict(Counter)
    for sentence in train:
        for _, part, tag in sentence:
            counts[part][tag] += 1
    key = [[tag for *_, tag in sentence] for sentence in test]
    response = [[counts[part].most_common(1)[0][0] for _, part, _ in sentence] for sentence in test]
    recall, precision, f1 = rates(match_chunks(decode(key), decode(response)))
    assert (precision, recall, f1) == pytest.approx((expected["P"], expected["R"], expected["F"]), abs=1e-8)
    strict = match_chunks(decode(key, "IOB2"), decode(response, "IOB2", count_unused=False))
    assert float(strict.f1) == pytest.approx(expected["strict_IOB2_F"], abs=1e-8)


def _columns(text):
    blocks = text.strip().split("\n\n")
    return [[(w, p, t) for w, p, t in map(str.split, block.splitlines())] for block in blocks]
