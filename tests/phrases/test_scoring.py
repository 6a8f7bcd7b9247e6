"""Entropy and what goes with it: the definitions, candidate by candidate, and numbers that are known."""

import json
import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.chunking.iob import decode
from referee.phrases.formats.reading import read, read_key
from referee.phrases.metrics import METRICS
from referee.phrases.scores import intervals
from referee.phrases.scoring import score
from referee.phrases.sums import GROUPS, CandidateSums
from referee.stats.choices import INTERVALS
from referee.stats.intervals import percentile
from referee.stats.resampling import bootstrap_weights
from referee.stats.settings import Resampling
from tests.support.examples import examples
from tests.support.paths import SHARED
from tests.support.phrases import columns, constant, listed

KIT = SHARED / "phrase"
QUANTITIES = [name for metric in METRICS.values() if not metric.one_best for name in metric.sides.values()]
EXPECTED = json.loads((KIT / "expected.json").read_text()) if KIT.is_dir() else {}
in_kit = pytest.mark.skipif(not EXPECTED, reason="needs the phrase kit, ../shared/phrase")

NAMES = ("NP", "PP", "VP")
SUMS = ("candidates", "true_chunks", "expected_chunks", "expected_correct", "squared_error")

probabilities = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5, 1e-20])


@st.composite
def cases(draw, certain=True):
    """A key and candidates over a few short sentences."""
    p = probabilities if certain else st.floats(1e-6, 1 - 1e-6)
    lengths = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    sentences = Sentences.numbered(lengths)
    every = [
        (s, i, j, x) for s, n in enumerate(lengths) for i in range(n) for j in range(i + 1, n + 1) for x in range(len(NAMES))
    ]
    some = st.lists(st.sampled_from(every), unique=True) if every else st.just([])
    true, listed = draw(some), draw(some)
    key = Chunks.build(sentences, NAMES, **columns(true))
    table = draw(st.lists(st.lists(p, min_size=2, max_size=2), min_size=3, max_size=3)) if draw(st.booleans()) else None
    default = DefaultProbabilities.constant(draw(p)) if table is None else DefaultProbabilities.by_length(table, draw(p))
    values = draw(st.lists(p, min_size=len(listed), max_size=len(listed)))
    covered = draw(st.none() | st.lists(st.booleans(), min_size=len(listed), max_size=len(listed)))
    return key, PhraseCandidates.build(
        sentences, NAMES, **columns(listed), probability=values, default=default, covered=covered
    )


def events(key, candidates):
    """Sentence, category, length, covered, p, true of every candidate there is, one by one."""
    rows = zip(candidates.sentence, candidates.start, candidates.end, candidates.category, strict=True)
    place = {tuple(map(int, row)): number for number, row in enumerate(rows)}
    true = set(zip(*(c.tolist() for c in (key.sentence, key.start, key.end, key.category)), strict=True))
    default = candidates.default
    for s, n in enumerate(key.sentences.length.tolist()):
        for i, j, x in product(range(n), range(n + 1), range(len(NAMES))):
            if i < j:
                number = place.get((s, i, j, x))
                if number is not None:
                    p = float(candidates.probability[number])
                elif x < len(default.table) and j - i <= default.table.shape[1]:
                    p = float(default.table[x, j - i - 1])
                else:
                    p = default.beyond
                covered = number is not None and (candidates.covered is None or bool(candidates.covered[number]))
                yield s, x, j - i, covered, p, (s, i, j, x) in true


def by_definition(rows):
    """The sums over (p, true)."""
    right = [p if true else 1 - p for p, true in rows]
    return {
        "candidates": len(rows),
        "true_chunks": sum(true for _, true in rows),
        "zero_probability": sum(q == 0 for q in right),
        # 1 - p is 1 for p = 1e-20, which must cost 1.44e-20 bits all the same.
        "bits": math.fsum(
            -math.log2(p) if true else -math.log1p(-p) / math.log(2) for (p, true), q in zip(rows, right, strict=True) if q > 0
        ),
        "expected_chunks": math.fsum(p for p, _ in rows),
        "expected_correct": math.fsum(p for p, true in rows if true),
        "squared_error": math.fsum((p - true) ** 2 for p, true in rows),
    }


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-10, abs_tol=1e-12)


@examples(4)
@given(cases())
def test_what_is_not_listed_counts_as_if_it_were(case):
    scores = score(*case)
    every = list(events(*case))
    expected = by_definition([(p, true) for *_, p, true in every])
    for sums in (scores.total, scores.sums.by("sentence")[1]):
        found = {name: float(np.sum(sums[name])) for name in SUMS}
        found["bits"] = float(np.sum(sums.finite_cross_entropy))
        found["zero_probability"] = float(np.sum(sums.zero_probability_events))
        for name, value in expected.items():
            assert close(found[name], value), name
    assert scores.calibration.candidates.sum() == expected["candidates"]
    assert scores.calibration.true.sum() == expected["true_chunks"]


@examples(2)
@given(cases())
def test_groups_are_those_of_the_definition(case):
    scores = score(*case)
    every = list(events(*case))
    keys = {"sentence": 0, "category": 1, "length": 2, "coverage": 3}
    for group, place in keys.items():
        names, sums = scores.sums.by(group)
        for number in range(len(names)):
            is_there = [(e[4], e[5]) for e in every if e[place] == number + (group == "length")]
            expected = by_definition(is_there)
            assert sums["candidates"][number] == expected["candidates"]
            assert sums.zero_probability_events[number] == expected["zero_probability"]
            assert close(float(sums.finite_cross_entropy[number]), expected["bits"])
    assert set(keys) == set(GROUPS)


def test_the_papers_counts_give_model_1_its_bits():
    # 1706 sentences, 19025 true chunks and 14 442 484 candidates to learn p from; 1549 sentences, 17676 true chunks and
    # 8880 candidates a sentence to test it on (Abney 1993, 4.1). The paper prints 126 bits a sentence, and a precision and
    # recall of about 0.13 %.
    p = 19025 / 14442484
    n, true = 1549, 17676
    assert (-true * math.log2(p) - (8880 * n - true) * math.log2(1 - p)) / n == pytest.approx(126.05, abs=0.005)
    # The same on a made-up corpus of that shape: 4 sentences of 22 words, 28 categories, 253 * 28 candidates each.
    sentences = Sentences.numbered([22] * 4)
    chunks = [(s, i, i + 2, i % 28) for s in range(4) for i in range(0, 22, 2)]
    key = Chunks.build(sentences, [f"X{x}" for x in range(28)], **columns(chunks))
    scores = score(key, constant(key, p)).total
    expected = (-44 * math.log2(p) - (253 * 28 * 4 - 44) * math.log1p(-p) / math.log(2)) / 4
    assert float(scores.bits_per_sentence) == pytest.approx(expected, rel=1e-12)
    assert float(scores.recall) == pytest.approx(p)
    assert float(scores.precision) == pytest.approx(44 / (253 * 28 * 4))


def test_a_random_guess_costs_a_bit_a_candidate():
    key = decode([["B-NP", "I-NP", "B-VP"], ["B-NP"]])
    scores = score(key, constant(key, 0.5)).total
    assert float(scores.bits_per_candidate) == 1
    assert float(scores.bits_per_sentence) == (6 + 1) * 2 / 2
    assert float(scores.log10_perplexity) == pytest.approx(7 * math.log10(2))


def test_entropy_has_no_upper_bound_and_exchanging_yes_and_no_does_not_help():
    # The paper bounds H by 1. One true and one false candidate, each with p = .99: 3.33 bits both ways.
    key = Chunks.build(Sentences.numbered([1]), ["A", "B"], sentence=[0], start=[0], end=[1], category=[0])
    for p in (0.99, 0.01):
        scores = score(key, constant(key, p))
        assert float(scores.total.bits_per_candidate) == pytest.approx(3.3291, abs=1e-4)


def test_a_zero_probability_event_costs_infinitely_many_bits_and_is_counted():
    key = decode([["B-NP", "O"]])
    response = listed(key, ["NP"], [(0, 0, 1, 0, 0.0), (0, 1, 2, 0, 1.0)], 0)
    scores = score(key, response)
    assert float(scores.total.cross_entropy) == math.inf
    assert (int(scores.total["zero_probability_true"]), int(scores.total["zero_probability_false"])) == (1, 1)
    floored = score(key, response, min_probability=0.25)
    assert float(floored.total.cross_entropy) == pytest.approx(2 * 2 + math.log2(4 / 3))
    assert floored.settings["min_probability"] == "0.25"


@pytest.mark.parametrize("floor", [-0.1, 0.5, 1.0, math.nan])
def test_a_floor_is_a_number_below_a_half(floor):
    with pytest.raises(OptionError, match=r"expected a number above 0 and below 0\.5"):
        score(decode([["B-NP"]]), decode([["B-NP"]]), min_probability=floor)


def test_tiny_probabilities_keep_their_cost():
    key = Chunks.build(Sentences.numbered([1]), ["A"], sentence=[], start=[], end=[], category=[])
    scores = score(key, constant(key, 1e-20))
    assert float(scores.total.cross_entropy) == pytest.approx(1e-20 / math.log(2), rel=1e-12)


def test_without_a_default_a_true_chunk_that_is_not_listed_is_impossible_and_told():
    key = decode([["B-NP", "B-NP"]])
    response = listed(key, ["NP"], [(0, 0, 1, 0, 0.5)], source="r")
    with pytest.warns(RefereeWarning, match="r: 1 true chunk not listed, and no default"):
        scores = score(key, response, metrics=["bits_per_sentence"])
    assert int(scores.total.zero_probability_events) == 1
    assert scores.settings["unlisted"] == "unknown"


def test_categories_of_both_sides_make_the_universe():
    key = decode([["B-NP", "B-X"]])
    response = PhraseCandidates.unlisted(
        key.sentences, ["NP", "VP"], DefaultProbabilities.by_length([[0.5], [0.5]], 0.25), source="r"
    )
    with pytest.warns(RefereeWarning, match="r: has no candidates of X"):
        scores = score(key, response)
    assert scores.sums.categories == ("NP", "VP", "X")
    assert int(scores.total["candidates"]) == 9
    # The table knows NP and VP of one word (4 candidates, a bit each); all else, one of it true, has 0.25.
    assert float(scores.total.cross_entropy) == pytest.approx(4 + 2 + 4 * math.log2(4 / 3))


def test_the_order_of_named_sentences_does_not_matter():
    a = Sentences(("x", "y"), np.array([1, 2], dtype=np.int32))
    b = Sentences(("y", "x"), np.array([2, 1], dtype=np.int32))
    key = Chunks.build(a, ["NP"], sentence=[0, 1], start=[0, 0], end=[1, 2], category=[0, 0])
    response = Chunks.build(b, ["NP"], sentence=[0, 1], start=[0, 0], end=[2, 1], category=[0, 0])
    assert float(score(key, response).total.cross_entropy) == 0


@pytest.mark.parametrize(
    ("ids", "lengths", "problem"),
    [
        (("x", "z"), (1, 2), "r: sentence 'y' of k is missing"),
        (("x", "y", "z"), (1, 2, 1), "r: sentence 'z' is not in k"),
        (("x", "y"), (1, 3), "r: sentence 'y' has 3 words, 2 in k"),
        (("1",), (1,), "r has 1 sentence, k has 2"),
    ],
)
def test_other_sentences_are_told_with_their_names(ids, lengths, problem):
    key = Chunks.build(Sentences(("x", "y"), np.array([1, 2])), ["A"], **columns([]), source="k")
    response = Chunks.build(Sentences(ids, np.array(lengths)), ["A"], **columns([]), source="r")
    with pytest.raises(MismatchError, match=problem):
        score(key, response)


@in_kit
@pytest.mark.parametrize("name", ["S(G)", "Z(G)", "S(C)", "Z(C)"])
def test_one_best_predictions_have_the_bits_that_their_counts_tell(name):
    # Counts of four decodings of the CoNLL-2000 test set, Null included; the recalibrated bits as the kit's program gives them.
    counts = EXPECTED["hard_equality"][name]["with_null"]
    n, candidates = 2012, EXPECTED["runs"]["conll"]["models"]["G"]["candidates"]
    sums = CandidateSums(
        {
            "candidates": np.array(candidates),
            "true_chunks": np.array(counts["gold"]),
            "expected_chunks": np.array(counts["pred"]),
            "expected_correct": np.array(counts["tp"]),
        },
        n,
    )
    assert float(sums.conditional_entropy) == pytest.approx(
        EXPECTED["hard_equality"][name]["recalibrated_bits_per_sent"], rel=1e-7
    )
    assert float(sums.precision) == pytest.approx(counts["P"], abs=1e-8)
    assert float(sums.recall) == pytest.approx(counts["R"], abs=1e-8)
    assert float(sums.f1) == pytest.approx(counts["F"], abs=1e-8)


@pytest.mark.parametrize("method", INTERVALS)
def test_intervals_hold_the_number_and_a_seed_repeats_them(method):
    key = decode([["B-NP", "I-NP"], ["B-NP", "B-NP"], ["O"], ["B-NP"]] * 5)
    scores = score(key, constant(key, 0.3))
    asked = Resampling(method, resamples=200, seed=1)
    found = intervals(scores.by_sentence, QUANTITIES, asked)
    assert found == intervals(scores.by_sentence, QUANTITIES, asked)
    for name, (low, high, _) in found.items():
        assert low <= float(getattr(scores.total, name)) + 1e-12
        assert float(getattr(scores.total, name)) <= high + 1e-12
    assert found["recall"].low < found["bits_per_chunk"].high


def test_intervals_are_those_of_resampled_sentences_one_by_one():
    """Against measures of sentences that are really drawn, by the definition."""
    tags = [["B-NP", "I-NP"], ["B-NP", "B-NP", "O"], ["O"], ["B-NP"], ["O", "B-NP"]]
    key = decode(tags)
    asked = Resampling(resamples=60, seed=5)
    values = []
    for drawn in next(bootstrap_weights(len(tags), 60, 5)):
        some = decode([row for row, times in zip(tags, drawn.astype(int), strict=True) for _ in range(times)])
        some = some.with_categories(["NP"])
        values.append(score(some, constant(some, 0.3)).total)
    found = intervals(score(key, constant(key, 0.3)).by_sentence, QUANTITIES, asked)
    for name in QUANTITIES:
        expected = percentile(np.array([float(getattr(sums, name)) for sums in values]), 0.95)
        assert found[name] == pytest.approx(expected, rel=1e-12, nan_ok=True), name


@pytest.mark.parametrize("method", [method for method in INTERVALS if method != "linear"])
def test_intervals_of_infinite_bits_are_infinite_where_they_are(method):
    key = decode([["B-NP"]] * 40)
    response = decode([["B-NP"]] * 39 + [["O"]])
    asked = Resampling(method, resamples=300)
    assert intervals(score(key, response).by_sentence, ["bits_per_sentence"], asked)["bits_per_sentence"][:2] == (0, math.inf)


def test_infinite_bits_have_no_linear_interval():
    found = score(decode([["B-NP"]] * 2), decode([["B-NP"], ["O"]]))
    low, high, _ = intervals(found.by_sentence, ["bits_per_sentence"], Resampling("linear"))["bits_per_sentence"]
    assert math.isnan(low) and math.isnan(high)


def test_one_sentence_has_no_interval():
    key = decode([["B-NP"]])
    assert math.isnan(intervals(score(key, key).by_sentence, ["recall"])["recall"].low)


def test_nothing_at_all_is_undefined():
    key = decode([])
    scores = score(key, key)
    assert all(math.isnan(getattr(scores.total, name)) for name in QUANTITIES if name != "zero_probability_events")


def test_files_are_scored_as_the_command_scores_them(tmp_path):
    key, response = tmp_path / "key.iob", tmp_path / "response.iob"
    key.write_text("Ann\tB-PER\nsaw\tO\nRome\tB-LOC\n")
    response.write_text("Ann\tB-PER\nsaw\tO\nRome\tO\n")
    scores = score(key, response)
    assert (scores["exact_match"].recall, scores["exact_match"].precision) == (0.5, 1)
    read_before = read(response)
    assert (
        score(str(key), read_before)["exact_match"].recall == score(read_key(key), str(response))["exact_match"].recall == 0.5
    )
    assert score(key, [["B-PER", "O", "O"]])["exact_match"] == scores["exact_match"]
    assert scores.signature.endswith(" | decode:conlleval")
