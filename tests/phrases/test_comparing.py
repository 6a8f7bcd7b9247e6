"""Responses with phrases compared: intervals and tests from sentences."""

import json
import random
import re
from itertools import product

import numpy as np
import pytest

import referee
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.phrases import decode, match_chunks, score
from referee.phrases.metrics import OF_CHUNKS
from referee.stats.intervals import percentile
from referee.stats.resampling import bootstrap_weights
from tests.support.command import referee as run

KEY = [["B-X", "I-X", "O"], ["O", "B-Y"], ["B-X"], ["B-Y", "B-X"], ["O", "O"]]
A = [["B-X", "O", "O"], ["O", "B-X"], ["B-X"], ["B-Y", "O"], ["B-X", "O"]]
B = [["B-X", "I-X", "O"], ["O", "B-Y"], ["O"], ["B-X", "B-X"], ["O", "O"]]


def f1(response, match):
    return match_chunks(decode(KEY), decode(response), match).f1


@pytest.mark.parametrize("metric", OF_CHUNKS)
def test_p_is_the_share_of_all_exchanges_of_sentences_that_differ_as_much(metric):
    match = metric.removesuffix("_match")
    observed = f1(B, match) - f1(A, match)
    differences = []
    for swaps in product([False, True], repeat=len(KEY)):
        a, b = ([y if swap else x for x, y, swap in zip(*pair, swaps, strict=True)] for pair in ((A, B), (B, A)))
        differences.append(f1(b, match) - f1(a, match))
    expected = np.mean([abs(d) >= abs(observed) - 1e-9 for d in differences])
    difference = referee.phrases.compare(KEY, {"a": A, "b": B}, metrics=[metric])["b", metric].difference
    assert (difference.value, difference.p, difference.exact) == (pytest.approx(observed), pytest.approx(expected), True)


@pytest.mark.parametrize("metric", OF_CHUNKS)
def test_intervals_are_those_of_resampled_sentences_one_by_one(metric):
    asked = referee.Resampling(resamples=100, seed=3)
    compared = referee.phrases.compare(KEY, {"a": A, "b": B}, resampling=asked)
    found = score(KEY, A).with_intervals(asked)
    values = []
    for drawn in bootstrap_weights(len(KEY), 100, 3).__next__().astype(int):
        key, response = ([row for row, times in zip(rows, drawn, strict=True) for _ in range(times)] for rows in (KEY, A))
        values.append(match_chunks(decode(key), decode(response), metric.removesuffix("_match")).f1)
    for interval in (compared["a", metric].interval, found.cells(metric)["value"].interval):
        assert interval == pytest.approx(percentile(np.array(values), 0.95), rel=1e-12)


def test_the_scores_are_those_of_score():
    compared = referee.phrases.compare(KEY, A, B)
    assert compared.systems == ("1", "2")
    for system, response in (("1", A), ("2", B)):
        for metric in OF_CHUNKS:
            assert compared[system, metric].score == score(KEY, response)[metric]
    assert repr(compared) == "<Comparison of 2 systems: exact_match 66.67 of 2 is best, 5 sentences>"


@pytest.fixture
def here(tmp_path):
    chance = random.Random(0)
    rows = [["B-X", "I-X", "O", "B-Y"] for _ in range(40)]
    worse, better = ([[t if chance.random() < share else "O" for t in row] for row in rows] for share in (0.6, 0.9))
    for name, tags in (("key", rows), ("a", worse), ("b", better)):
        (tmp_path / f"{name}.iob").write_text("\n".join("".join(f"w {tag}\n" for tag in row) for row in tags))
    return tmp_path


def test_the_command_prints_a_line_for_the_difference(here):
    done = run("phrases", "compare", "key.iob", "a.iob", "b.iob", cwd=here)
    assert (done.status, done.err) == (0, "")
    compared = referee.phrases.compare(here / "key.iob", here / "a.iob", here / "b.iob")
    assert str(compared) == done.out.removesuffix("\n")
    lines = compared.differences
    assert [line.split()[3] for line in lines] == ["exact_match", "span_match", "category_match", "partial_match"]
    assert {*lines} <= {*done.out.splitlines()}
    gain = compared["b", "exact_match"].score.value - compared["a", "exact_match"].score.value
    assert re.fullmatch(rf"b − a: exact_match \+{gain * 100:.2f} \[\+\d+\.\d+, \+\d+\.\d+\], p [=≤<] 0\.\d+", lines[0])
    assert "key:column 2 (IOB2)" in done.out
    assert "unit:sentence | test:randomization | correction:holm | baseline:a" in done.out


def test_baseline_names_and_metrics_can_be_chosen(here):
    arguments = ("key.iob", "a.iob", "b.iob", "--baseline", "b.iob", "-m", "span_match", "-r", "json")
    content = json.loads(run("phrases", "compare", *arguments, cwd=here).out)
    assert (content["baseline"], content["systems"]) == ("b", ["a", "b"])
    assert [*content["parts"][0]["systems"]["a"]] == ["span_match"]
    named = run("phrases", "compare", "key.iob", "a.iob", "b.iob", "--names", "old,new", cwd=here).out
    assert "new − old: exact_match +" in named


def test_several_responses_are_corrected_for_their_number(here):
    two, three = (
        referee.phrases.compare(here / "key.iob", {"a": here / "a.iob", **dict.fromkeys(names, here / "b.iob")})
        for names in ("b", "bc")
    )
    assert three["b", "exact_match"].difference.p == pytest.approx(2 * two["b", "exact_match"].difference.p)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("-m", "brier"), "found the metric 'brier'; expected metrics of predictions: exact_match, "),
        (("--method", "linear"), "a comparison resamples sentences, for its tests; expected another method"),
        (("--baseline", "c"), "no system named 'c'; known: a, b"),
        (("--names", "one"), "--names takes 2 names"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments, problem, here):
    done = run("phrases", "compare", "key.iob", "a.iob", "b.iob", *arguments, cwd=here)
    assert (done.status, done.out, len(done.errors)) == (2, "", 1)
    assert problem in done.err


def test_all_metrics_of_predictions_are_compared():
    assert referee.phrases.compare(KEY, A, B, metrics="all").metrics == (*OF_CHUNKS, "accuracy")


def test_python_refuses_the_same():
    with pytest.raises(OptionError, match="expected metrics of predictions"):
        referee.phrases.compare(KEY, A, B, metrics=["brier"])
    with pytest.raises(UnknownNameError, match="no system named 'x'"):
        referee.phrases.compare(KEY, A, B, baseline="x")
    with pytest.raises(OptionError, match="found no response"):
        referee.phrases.compare(KEY)


def test_one_sentence_has_no_interval_and_no_test():
    compared = referee.phrases.compare(KEY[:1], A[:1], B[:1])
    assert np.isnan(compared["2", "exact_match"].difference.p)
    assert compared.notes == ("no interval can be given: there is 1 sentence, and at least two are needed",)


def test_a_name_that_was_not_compared_is_answered_with_those_that_were():
    key = [["B-PER", "O"], ["O", "B-LOC"]]
    with pytest.raises(UnknownNameError, match="no metric named 'PER'; known: category_match, exact_match"):
        referee.phrases.compare(key, {"a": key, "b": key})["b", "PER"]
