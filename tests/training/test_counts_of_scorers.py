"""Scores of a `Scorer` are compared, stored and shown, from the counts of its documents alone."""

import numpy as np
import pytest

import referee
from referee.metrics.registry import METRICS
from tests.support.paths import EXAMPLES

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")

GOLD = [[[(0, 1), (4, 5), (7, 9)]], [[(2, 3), (6, 7)]], [[(1, 2), (3, 4)], [(5, 6)]]]
CHECKPOINTS = {
    "step 1": [[[(0, 1), (4, 5)]], [[(2, 3)]], [[(1, 2), (5, 6)]]],
    "step 2": [[[(0, 1), (4, 5), (7, 9)]], [[(2, 3), (6, 7)]], [[(1, 2), (3, 4)]]],
}


def scorer_of(checkpoint, order=(0, 1, 2), **how):
    scorer = referee.Scorer(rows=True, **how)
    for n in order:
        scorer.update(CHECKPOINTS[checkpoint][n], GOLD[n], name=f"d{n}")
    return scorer


def digits(comparison):
    """All rows of a comparison but how inputs were read."""
    return [{name: value for name, value in row.items() if name != "signature"} for row in comparison.to_rows()]


def test_checkpoints_compared_by_counts_have_the_digits_of_their_predictions_in_every_metric():
    key, response = (referee.read(EXAMPLES / f"{side}.conll") for side in ("key", "response"))
    few = referee.Resampling(resamples=200)
    counts = {}
    for name, side, step in (("before", response, 1), ("after", key, -1)):  # in another order
        scorer = referee.Scorer(list(METRICS), rows=True)
        for n in range(len(key.doc_ids))[::step]:
            scorer.add(*(each.select_documents(np.array([n])) for each in (key, side)))
        counts[name] = scorer.counts(name)
    from_predictions = referee.compare(key, {"before": response, "after": key}, metrics=list(METRICS), resampling=few)
    assert digits(referee.compare(counts, resampling=few)) == digits(from_predictions)
    evaluations = {
        name: referee.score(key, side, metrics=list(METRICS)) for name, side in (("before", response), ("after", key))
    }
    assert referee.compare(evaluations, resampling=few).to_dict() == from_predictions.to_dict()


def test_names_put_documents_of_two_checkpoints_together_in_whatever_order_they_came():
    before, after = scorer_of("step 1"), scorer_of("step 2", order=(2, 0, 1))
    found = referee.compare(before.counts("step 1"), after.counts("step 2"))
    key = {f"d{n}": entities for n, entities in enumerate(GOLD)}
    responses = {name: {f"d{n}": entities for n, entities in enumerate(each)} for name, each in CHECKPOINTS.items()}
    assert digits(found) == digits(referee.compare(key, responses, metrics=list(referee.training.scorer.DEFAULT)))


def test_documents_without_names_in_another_order_are_refused():
    before, after = referee.Scorer(rows=True), referee.Scorer(rows=True)
    for n in (0, 1, 2):
        before.update(GOLD[n], GOLD[n])
        after.update(GOLD[2 - n], GOLD[2 - n])
    with pytest.raises(referee.MismatchError, match="other entities in 1 than 1"):
        referee.compare(before.counts(), after.counts())


@pytest.mark.parametrize("names", ["xyz", "abcd", "ab", "abcc"])
def test_checkpoints_of_other_documents_are_refused(names, tmp_path):
    scorers = [referee.Scorer("muc", rows=True) for _ in range(2)]
    for scorer, some in zip(scorers, ("abc", names), strict=True):
        for name in some:
            scorer.update(GOLD[0], GOLD[0], name=name)
    with pytest.raises(referee.MismatchError, match=r"has the document .*, which .* has not; expected the same documents"):
        referee.compare(*scorers)
    pytest.importorskip("pyarrow")
    paths = [str(tmp_path / f"{n}.parquet") for n in range(2)]
    for scorer, path in zip(scorers, paths, strict=True):
        referee.write_counts(scorer, path)
    with pytest.raises(referee.MismatchError, match="expected the same documents"):
        referee.compare(*paths)


def test_counts_of_a_scorer_go_through_a_file_and_a_gate(tmp_path):
    pytest.importorskip("pyarrow")
    from referee.cli.main import main

    for name in CHECKPOINTS:
        referee.write_counts(scorer_of(name).counts(name), tmp_path / f"{name}.parquet")
        assert referee.read_counts(tmp_path / f"{name}.parquet") == scorer_of(name).counts(name)
    files = [str(tmp_path / f"step {n}.parquet") for n in (2, 1)]
    assert main(["compare", *files, "--fail-if-worse", "lea", "--tolerance", "1"]) == 1
    assert main(["compare", *files[::-1], "--fail-if-worse", "lea", "--tolerance", "1"]) == 0


def test_scores_show_themselves():
    scores = scorer_of("step 1", metrics="muc").compute()
    assert repr(scores) == "<Scores of response: muc 33.33, 1 metric>"  # one of four links, and one of two
    assert str(scores).splitlines()[1].split() == ["muc", "25.00", "50.00", "33.33"]
    assert "<table" in scores._repr_html_()
    assert [row["metric"] for row in scores.to_rows()] == list(scores)
    assert "muc" in scores.report("markdown", by="document")


def test_scores_without_rows_report_what_they_have():
    scorer = referee.Scorer("muc")
    scorer.update(key=GOLD[0], response=CHECKPOINTS["step 1"][0])
    (system,) = scorer.compute().to_dict()["systems"]
    assert system["documents"] == 1
    assert system["metrics"]["muc"]["recall"] == 1 / 2
    assert "macro" not in system["metrics"]["muc"]
    scorer.compute().report("json")


@pytest.mark.parametrize(
    "use",
    [
        lambda scores: scores.by_document,
        lambda scores: scores.report(by="document"),
        lambda scores: scores.intervals(),
        lambda scores: referee.compare(scores, scores),
        lambda scores: referee.write_counts(scores, "x.parquet"),
    ],
)
def test_what_needs_the_counts_of_documents_says_how_they_are_kept(use):
    scorer = referee.Scorer()
    scorer.update(GOLD[0], GOLD[0])
    for scores in (scorer.compute(), referee.Scorer().compute()):
        if scores.documents_counted:
            with pytest.raises(referee.OptionError, match="rows=True"):
                use(scores)
    with pytest.raises(referee.OptionError, match="rows=True"):
        scorer.counts()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda scorer: scorer.update(GOLD[0]), "found none for the key"),
        (lambda scorer: scorer.update(key=GOLD[0]), "found none for the response"),
        (lambda scorer: scorer.update(GOLD[0], GOLD[0], key=GOLD[0]), "found two for the key"),
        (lambda scorer: scorer.update(), r"update\(key=..., response=...\)"),
    ],
)
def test_update_takes_each_side_once(call, message):
    with pytest.raises(TypeError, match=message):
        call(referee.Scorer())


def test_names_of_update_are_those_of_the_field_and_of_score():
    scorers = [referee.Scorer("lea") for _ in range(4)]
    response, key = CHECKPOINTS["step 1"][0], GOLD[0]
    scorers[0].update(response, key)
    scorers[1].update(gold=key, predicted=response)
    scorers[2].update(key=key, response=response)
    scorers[3].update(response, key=key)
    assert {scorer["lea"].recall for scorer in scorers} == {1 / 3}  # one of three links


def test_scorers_and_counts_files_stand_for_their_counts(tmp_path):
    pytest.importorskip("pyarrow")
    before, after = scorer_of("step 1"), scorer_of("step 2")
    expected = referee.compare({"a": before.counts("a"), "b": after.counts("b")})
    path = str(tmp_path / "a.counts.parquet")
    referee.write_counts(before, path)
    for found in (referee.compare({"a": before, "b": after}), referee.compare({"a": path, "b": after}), expected):
        assert digits(found) == digits(expected)
    assert referee.compare(before, after).systems == ("1", "2")
    assert referee.compare(path, after, baseline="2")["1", "lea"].p == expected["b", "lea"].p
    without = referee.Scorer()
    without.update(GOLD[0], GOLD[0])
    for call in (lambda: referee.compare(without, without), lambda: referee.write_counts(without, path)):
        with pytest.raises(referee.OptionError, match="rows=True"):
            call()
    with pytest.raises(referee.OptionError, match="expected an evaluation, or a Scorer"):
        referee.write_counts(GOLD[0], path)


def test_a_build_in_python_asks_which_systems_are_worse():
    before, after = scorer_of("step 2"), scorer_of("step 1")
    found = referee.compare({"last": before, "now": after})
    for metrics in (["lea"], "lea", "LEA,muc", ("muc", "lea"), None):
        assert {one.system for one in referee.comparison.worse(found, metrics, tolerance=0.1)} == {"now"}
    assert not referee.comparison.worse(referee.compare({"last": after, "now": before}), ["lea"], tolerance=0.1)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda scorer: scorer.flat(), AttributeError, r"scorer.compute\(\).flat"),
        (lambda scorer: scorer.state_dict(), AttributeError, "scorer.load_state"),
        (lambda scorer: scorer.update(pred=GOLD[0], gold=GOLD[0]), TypeError, "no option 'pred'; did you mean 'response'"),
        (lambda scorer: scorer.update(GOLD[0], references=GOLD[0]), TypeError, "did you mean 'key'"),
        (lambda scorer: scorer.merge([scorer]), referee.OptionError, r"found list; expected scorers, as in a.merge\(b, c\)"),
    ],
)
def test_what_people_look_for_says_what_there_is(call, error, message):
    with pytest.raises(error, match=message):
        call(referee.Scorer())


def test_scorers_are_added():
    parts = [referee.Scorer("muc", rows=True) for _ in GOLD]
    whole = referee.Scorer("muc", rows=True)
    for part, response, key in zip(parts, CHECKPOINTS["step 1"], GOLD, strict=True):
        part.update(response, key)
        whole.update(response, key)
    added = sum(parts)
    assert added.compute().flat() == (parts[0] + parts[1] + parts[2]).compute().flat() == whole.compute().flat()
    assert [part.documents for part in parts] == [1, 1, 1]
    assert added.documents == 3
    assert (whole + whole).documents == 6
    with pytest.raises(TypeError):
        whole + 1
    with pytest.raises(referee.OptionError, match="different metrics"):
        whole + referee.Scorer("lea", rows=True)


def test_responses_that_are_scores_have_no_options():
    scores = scorer_of("step 1").counts()
    with pytest.raises(referee.OptionError, match="found singletons with scores"):
        referee.compare(scores, scores, singletons="drop")
    with pytest.raises(referee.OptionError, match="scores alone"):
        referee.compare(scores, GOLD[0])
    assert referee.compare(scores, scores, metrics="muc").metrics == ("muc",)


def test_evaluations_of_another_key_are_refused():
    def of(*entities):
        return {f"d{n}": [each] for n, each in enumerate(entities)}

    key, other = of([(0, 1), (2, 3)], [(4, 5), (6, 7)]), of([(0, 1), (2, 3)], [(4, 5), (8, 9)])
    first = referee.score(key, key)
    extra = referee.score(key, key | {"more": [[(0, 1), (2, 3)]]})
    assert referee.compare(first, extra).systems == ("1", "2")
    with pytest.raises(referee.MismatchError, match="scored against another key than 1"):
        referee.compare(first, referee.score(other, key))
    with pytest.raises(referee.MismatchError, match="against a key of 3 mentions; expected 4"):
        referee.compare(first, referee.score(of([(0, 1), (2, 3)], [(4, 5)]), key))
