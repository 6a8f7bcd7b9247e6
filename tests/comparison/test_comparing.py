"""`compare`: parts, cells and notes, on made-up systems."""

import csv
import json
import math
import re
from io import StringIO
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import compare, score
from referee.algorithms import assignment
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning, UnknownNameError
from referee.comparison import comparison, score_all
from referee.comparison.result import STYLES
from referee.metrics.best import TARGETS, best
from referee.metrics.registry import METRICS
from referee.reports.forms import FORMS
from referee.scoring.groupings import by_document, by_prefix
from referee.stats.settings import Resampling
from tests.support.annotated import EVERYTHING, rich_corpora
from tests.support.examples import examples
from tests.support.metrics import ENTITY_METRICS
from tests.support.partitions import corpora, entities_of, random_documents
from tests.support.warned import silenced

FEW = Resampling(resamples=200)


def named(documents, side):
    return {f"{'ab'[n % 2]}/d{n}": d[side] for n, d in enumerate(documents)}


def made(number=20, seed=0):
    rng = np.random.default_rng(seed)
    some, other, third = (random_documents(rng, number, 14) for _ in range(3))
    return named(some, 0), {"x": named(some, 1), "y": named(other, 1), "z": named(third, 1)}


KEY, RESPONSES = made()


def quietly(*arguments, **options):
    with silenced():
        return compare(*arguments, **{"resampling": FEW, **options})


def cells(c):
    """Of each part, system and measure; as text, in which undefined numbers are equal."""
    return {(p.name, s, m): repr(cell) for p in c.parts for s, of in p.cells.items() for m, cell in of.items()}


def test_scores_are_those_of_score():
    found = quietly(KEY, RESPONSES, metrics=list(ENTITY_METRICS))
    for name, response in RESPONSES.items():
        evaluation = score(KEY, response)
        for metric in ENTITY_METRICS:
            assert found[name, metric].score.value == pytest.approx(evaluation[metric].value, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("profile", ["default", "conll-8.01"])
def test_averages_and_profiles(average, profile):
    response = {name: of for name, of in RESPONSES["x"].items() if name != "a/d2"}  # its score there is 0, not undefined
    with pytest.warns(RefereeWarning, match="not in"):
        found = compare(
            KEY,
            {"x": response, "y": RESPONSES["y"]},
            average=average,
            profile=profile,
            resampling=FEW,
            metrics=list(ENTITY_METRICS),
        )
        evaluation = score(KEY, response, average=average, profile=profile, metrics=list(ENTITY_METRICS))
    y = score(KEY, RESPONSES["y"], profile=profile, metrics=list(ENTITY_METRICS))
    for metric in ENTITY_METRICS:
        ours, theirs = found["x", metric].score, evaluation[metric]
        for side in ("value", "recall", "precision"):
            a, b = getattr(ours, side), getattr(theirs, side)
            if average == "macro" and a is not None:  # over the documents where both have a score
                rows = np.array([getattr(e.by_document[metric], side) for e in (evaluation, y)])
                defined = rows[0][~np.isnan(rows).any(axis=0)].tolist()
                b = math.fsum(defined) / len(defined) if defined else math.nan
            assert a == b or a == pytest.approx(b, abs=1e-12, nan_ok=True)


def test_the_order_of_systems_changes_no_digit():
    c = quietly(KEY, RESPONSES, baseline="y")
    other = quietly(KEY, dict(reversed(RESPONSES.items())), baseline="y")
    assert cells(c) == cells(other)
    alone = quietly(KEY, {"y": RESPONSES["y"], "z": RESPONSES["z"]})
    assert alone["y", "lea"].interval == pytest.approx(c["y", "lea"].interval, abs=1e-12)


def test_the_order_of_documents_changes_no_digit():
    backwards = {name: dict(reversed(of.items())) for name, of in RESPONSES.items()}
    assert cells(quietly(KEY, RESPONSES)) == cells(quietly(dict(reversed(KEY.items())), backwards))


def test_another_seed_gives_other_digits():
    other = quietly(KEY, RESPONSES, resampling=Resampling(resamples=200, seed=1))
    assert repr(other["y", "lea"].interval) != repr(quietly(KEY, RESPONSES)["y", "lea"].interval)


def test_identical_systems_do_not_differ():
    found = quietly(KEY, {"x": RESPONSES["x"], "again": RESPONSES["x"]}, metrics=list(ENTITY_METRICS))
    for metric in ENTITY_METRICS:
        d = found["again", metric].difference
        if not math.isnan(d.value):
            assert (d.value, d.randomization, d.bootstrap, d.p, d.significant) == (0, 1, 1, 1, False)
            assert (d.interval or [math.nan])[:2] == (0, 0)
        assert d.exact
    assert found.parts[-1].best("lea") == {"x", "again"}


def test_one_document_has_no_interval():
    found = quietly([{1, 2}, {3}], {"x": [{1, 2, 3}], "y": [{1, 2}, {3}]})
    assert found["x", "b_cubed"].interval is None
    d = found["y", "b_cubed"].difference
    assert (d.interval, d.exact, d.significant) == (None, False, False)
    assert all(map(math.isnan, (d.randomization, d.bootstrap, d.p)))  # to exchange the two tells nothing
    (row,) = (row for row in found.to_rows() if row["system"] == "y" and row["metric"] == "b_cubed")
    assert (row["p"], row["p_randomization"], row["significant"]) == (None, None, False)
    assert found.verdict().checks[0].text.endswith(" from the baseline")
    remedy = "expected more documents, or --unit entity -m muc,b_cubed,ceaf_e,conll"
    assert found.notes == (f"no interval can be given: there is 1 document, and at least two are needed; {remedy}",)


def test_few_documents_have_intervals_that_are_too_narrow():
    notes = [quietly(*made(number), metrics=["lea"]).notes for number in (9, 10)]
    assert notes == [("the intervals are too narrow to be relied on: there are 9 documents; expected at least 10",), ()]
    key, responses = made(13)
    found = quietly(key, responses, metrics=["mentions"], by=lambda name: "one" if name == "a/d0" else name[0])
    assert "the intervals of 2 groups of fewer than 10 documents are too narrow to be relied on" in found.notes


def test_documents_of_one_response_alone_are_in_all_comparisons():
    more = {**RESPONSES["y"], "c/more": [{1, 2}, {3, 4}]}
    found = quietly(KEY, {"x": RESPONSES["x"], "y": more})
    assert found.parts[-1].documents == 21
    assert found["x", "mentions"].score.value == pytest.approx(score(KEY, RESPONSES["x"])["mentions"].value)
    with pytest.warns(RefereeWarning):
        assert found["y", "mentions"].score.value == pytest.approx(score(KEY, more)["mentions"].value)


def test_undefined_resamples_are_counted():
    key = {"d1": [{1, 2}], "d2": [{1}], "d3": [{1}]}  # MUC is 0/0 in resamples without d1: (2/3)³ of them
    found = compare(key, {"x": key, "y": key}, metrics=["muc"], resampling=Resampling(resamples=5000))
    interval = found["x", "muc"].interval
    assert interval[:2] == (1, 1)
    assert interval.undefined / 5000 == pytest.approx(8 / 27, abs=5 * math.sqrt(8 / 27 * 19 / 27 / 5000))
    assert found.notes[0] == f"x, micro: resamples with a score of 0/0, left out, of 5000: muc {interval.undefined}"


def test_distances_are_best_at_0():
    key = {"d1": [{1, 2}, {3, 4}], "d2": [{1, 2}, {3, 4}]}
    responses = {
        "apart": {name: [{1}, {2}, {3}, {4}] for name in key},  # d-error below 0
        "together": {name: [{1, 2, 3, 4}] for name in key},  # d-error above 0
        "right": key,
    }
    found = compare(key, responses, metrics=list(TARGETS)[:3], resampling=FEW)
    for metric in ("d_error", "vi", "merge_distance"):
        assert found.parts[-1].best(metric) == {"right"}
        d = found["right", metric].difference
        assert d.better
        assert d.value == -abs(found["apart", metric].score.value)
    assert found["apart", "d_error"].score.value < 0 < found["together", "d_error"].score.value


def test_groups_are_scored_for_themselves():
    found = quietly(KEY, RESPONSES, by=by_prefix(KEY))
    assert [part.name for part in found.parts] == ["a", "b", "micro", "macro"]
    for part in found.parts[:2]:
        some = [{n: d for n, d in side.items() if n.startswith(part.name)} for side in (KEY, RESPONSES["y"])]
        assert part.cells["y"]["lea"].score.value == pytest.approx(score(*some)["lea"].value)
    assert repr(found.parts[2].cells["y"]["lea"].interval) == repr(quietly(KEY, RESPONSES)["y", "lea"].interval)
    mean = sum(part.cells["y"]["lea"].score.value for part in found.parts[:2]) / 2
    assert found.parts[3].cells["y"]["lea"].score.value == pytest.approx(mean)


def test_the_mean_over_groups_draws_within_groups():
    found = quietly(KEY, RESPONSES, by=by_prefix(KEY), resampling=Resampling(resamples=4000), metrics=["mentions"])
    widths = [part.cells["x"]["mentions"].interval for part in (*found.parts[:2], found.parts[3])]
    a, b, both = (i.high - i.low for i in widths if i)
    assert both == pytest.approx(math.hypot(a, b) / 2, rel=0.15)  # as of independent errors


def test_groups_of_one_document_have_the_mean_over_documents():
    found = quietly(KEY, RESPONSES, by=by_document)
    assert len(found.parts) == 22
    assert found.parts[0].cells["x"]["lea"].interval is None
    macro = quietly(KEY, RESPONSES, average="macro")
    assert repr(found["y", "lea"]) == repr(macro["y", "lea"])


def test_means_are_over_groups_where_all_have_a_score():
    key = {"a/1": [{1, 2}], "a/2": [{1, 2}], "b/1": [{1}], "b/2": [{2}]}
    found = compare(key, {"x": key, "y": key}, metrics=["muc"], by=by_prefix(key), resampling=FEW)
    assert found["x", "muc"].score.value == 1
    assert "macro: means over the groups where all systems have a score, of 2: muc 1" in found.notes


THREE = {"d1": [{1, 2}], "d2": [{1}, {2}], "d3": [{1, 2, 3}, {4, 5}]}
X = {"d1": [{1, 2}], "d2": [{1}, {2}], "d3": [{1, 2}, {3, 4, 5}]}  # MUC 1, 0/0, 2/3
Y = {"d1": [{1}, {2}], "d2": [{1, 2}], "d3": [{1, 2, 3}, {4, 5}]}  # MUC 0, 0, 1


@pytest.mark.parametrize("options", [{"by": by_document}, {"average": "macro"}])
def test_means_are_over_documents_where_all_have_a_score(options):
    found = compare(THREE, {"x": X, "y": Y}, metrics=["muc"], resampling=FEW, **options)
    x, y = found["x", "muc"], found["y", "muc"]
    assert (x.score.value, y.score.value) == (pytest.approx((1 + 2 / 3) / 2), 1 / 2)
    assert y.difference.value == pytest.approx(1 / 2 - 5 / 6)
    # Without d2 anything may happen to two documents: all four ways, of which none has a larger difference than ±1 and ±1/3.
    assert (y.difference.exact, y.difference.randomization) == (True, 1)
    # Of d1, y has no links, so no precision; of d2, x.
    assert "macro: means over the documents where all systems have a score, of 3: muc 2, muc precision 1" in found.notes


def test_sides_have_means_of_their_own():
    key = {"a/1": [{1, 2}], "b/1": [{1}, {2}], "a/2": [{1, 2}], "b/2": [{1}, {2}]}
    response = {"a/1": [{1, 2}], "b/1": [{1, 2}], "a/2": [{1}, {2}], "b/2": [{1}, {2}]}
    found = quietly(key, {"x": response, "y": key}, metrics=["muc"], by=by_prefix(key))
    # Group a: recall 1/2, precision 1. Group b: no link in the key, one in x, none in y: F is 0 and 0/0.
    assert (found["x", "muc"].score.recall, found["x", "muc"].score.precision) == (1 / 2, 1)
    found = quietly(key, {"x": response}, metrics=["muc"], by=by_prefix(key))
    score_ = found["x", "muc"].score
    assert (score_.value, score_.recall, score_.precision) == (pytest.approx((2 / 3 + 0) / 2), 1 / 2, 1 / 2)
    assert "macro: means over the groups where all systems have a score, of 2: muc recall 1" in found.notes


def test_the_order_of_three_corpora_changes_no_digit():
    with silenced():
        scored = {f"c{n}": score_all(*made(5 + n, seed=n), metrics=["lea", "vi", "conll"]) for n in range(3)}
    some = {cells_ for order in permutations(scored) for cells_ in [repr(sorted(cells(_compared(scored, order)).items()))]}
    assert len(some) == 1
    assert [part.name for part in _compared(scored, ("c2", "c0", "c1")).parts] == ["c2", "c0", "c1", "micro", "macro"]


def _compared(scored, order):
    return comparison({name: scored[name] for name in order}, resampling=FEW)


def test_p_does_not_depend_on_what_else_was_asked():
    names = [f"d{n}" for n in range(20)]
    key = {name: [{1, 2}, {3}] for name in names}
    one = {name: [{1, 2}, {3}] if n > 4 else [{1}, {2}, {3}] for n, name in enumerate(names)}  # MUC differs in five
    other = {name: [{1, 2}] for name in names}  # mentions differ in all
    alone = quietly(key, {"one": one, "other": other}, metrics=["muc"])["other", "muc"].difference
    among = quietly(key, {"one": one, "other": other}, metrics=["mentions", "muc"])["other", "muc"].difference
    assert alone == among
    assert alone.exact


def test_each_line_is_signed_as_its_own_corpus_was_scored():
    scored = {f"c{n}": score_all(*made(5 + n, seed=n), metrics=["mentions"]) for n in range(2)}
    text = comparison(scored, resampling=FEW).report("csv")
    signed = {(row["group"], row["system"]): row["signature"] for row in csv.DictReader(StringIO(text))}
    for n in range(2):
        assert signed[f"c{n}", "y"].startswith(f"{scored[f'c{n}']['y'].signature} | intervals:")
    assert signed["macro", "y"].count("referee ") == 2


@pytest.mark.parametrize("name", ["micro", "macro", ""])
def test_groups_are_told_from_what_is_over_all(name):
    with pytest.raises(OptionError, match=f"found a group, or corpus, called '{name}'"):
        quietly(KEY, RESPONSES, by=lambda document: name if document < "b" else "other")
    scored = score_all(THREE, {"x": X}, metrics=["muc"])
    with pytest.raises(OptionError, match=f"found a group, or corpus, called '{name}'"):
        comparison({name: scored, "other": scored}, resampling=FEW)


def test_lower_bounds_are_said(monkeypatch):
    monkeypatch.setattr(assignment, "BUDGET", 0)
    rng = np.random.default_rng(0)
    key, x = ({"d": entities_of(rng.integers(0, 60, 400).tolist())} for _ in range(2))
    with pytest.warns(RefereeWarning, match="ran out of its budget"):
        found, e = compare(key, {"x": x}, metrics=["ceaf_e"]), score(key, x, metrics=["ceaf_e"])
    upper = e["ceaf_e"].upper
    assert f"x: lower bounds; the certified upper bounds are ceaf_e {100 * upper.value:.2f}" in found.notes


def written(c, report, style="margin"):
    return c.report(report, style=style)


def test_numbers_are_cut_where_the_profile_cuts_them():
    for report in ("text", "markdown", "latex", "html"):
        c = quietly(
            THREE, {"x": X}, metrics=["muc"], average="macro", decimals="truncate"
        )  # means of 1 and 2/3: the margin is 1/6
        assert "16.66" in written(c, report)
        assert "16.67" not in written(c, report)
        assert "16.67" in written(quietly(THREE, {"x": X}, metrics=["muc"], average="macro"), report)


@pytest.mark.parametrize("style", ["margin", "interval"])
def test_latex_has_as_many_decimals_as_an_interval_needs(style):
    key = {f"d{n}": [{1, 2}, {3, 4}] for n in range(4)}
    apart, together = [{1}, {2}, {3}, {4}], [{1, 2, 3, 4}]
    x = {"d0": apart, "d1": [{1, 3}, {2, 4}], "d2": [{1, 2}, {3, 4}], "d3": together}  # VI 1, 2, 0, 1: 1 bit
    found = quietly(key, {"x": x}, metrics=["vi"])
    interval = found["x", "vi"].interval
    assert found["x", "vi"].score.value == 1
    assert not interval.low.is_integer()
    shown = f"1.0000\\,$\\pm$\\,{interval.margin:.4f}" if style == "margin" else f"[{interval.low:.4f}, {interval.high:.4f}]"
    assert shown in written(found, "latex", style)


NAMES = ["[best]", "*best*", "_under_", "a_b", "x|y", "<b>", "`code`"]


def test_names_do_not_change_the_table():
    found = quietly(THREE, dict.fromkeys(NAMES, X), metrics=["muc"])
    latex = written(found, "latex")
    assert "\n{[}best] & " in latex
    assert "\n{*}best* & " in latex
    assert not re.search(r"^[\[*]", latex, re.MULTILINE)
    assert r"$\pm$ half the 95 \% interval; $^{*}$ better, $^{\dagger}$ worse than {[}best]" not in latex  # not at a start
    assert r"\par\noindent{\footnotesize $\pm$ half the 95 \% interval; $^{*}$ better, $^{\dagger}$ worse than [best]" in latex
    names = [line.split(" | ")[0].removeprefix("| ") for line in written(found, "markdown").splitlines()[2:9]]
    assert names == [r"\[best]", r"\*best\*", r"\_under\_", "a_b", r"x\|y", r"\<b>", r"\`code\`"]


def test_scores_equal_but_for_rounding_are_both_best():
    assert best("lea", np.array([[0.7], [0.1 * 7], [0.69], [math.nan]])).ravel().tolist() == [True, True, False, False]


def test_several_corpora():
    others = made(9, seed=4)
    with silenced():
        first, second = score_all(KEY, RESPONSES, metrics=["conll"]), score_all(*others, metrics=["conll"])
    found = comparison({"one": first, "two": second}, resampling=FEW)
    assert [part.name for part in found.parts] == ["one", "two", "micro", "macro"]
    assert found.parts[2].documents == 29
    assert found["x", "conll"].score.value == pytest.approx((first["x"]["conll"].value + second["x"]["conll"].value) / 2)
    backwards = comparison({"two": second, "one": first}, resampling=FEW)
    assert cells(found) == cells(backwards)
    with pytest.raises(OptionError, match="found other systems in some corpora; expected x, y, z"):
        comparison({"one": first, "two": {"x": second["x"]}}, resampling=FEW)


@given(corpora(4), corpora(4), st.sampled_from(["micro", "macro"]), st.sampled_from(["percentile", "bca"]))
def test_nothing_crashes_and_no_p_is_0(one, other, average, method):
    key, responses = named(one, 0), {"x": named(one, 1), "y": named([*other, *one][: len(one)], 1)}
    if not key:
        return
    found = quietly(key, responses, average=average, resampling=Resampling(resamples=40, method=method), by=by_prefix(key))
    for part in found.parts:
        for metric, cell in part.cells["y"].items():
            d = cell.difference
            assert not d.p <= 0
            if cell.interval is not None and not math.isnan(cell.interval.low):
                assert cell.interval.low <= cell.interval.high
            assert math.isnan(d.p) == (math.isnan(d.value) or part.units < 2), metric
    for report in FORMS:
        for style in STYLES:
            found.report(report, style=style)


@examples(0.5)
@given(rich_corpora(EVERYTHING), st.sampled_from(["micro", "macro"]), st.sampled_from(["default", "conll-8.01", "ua-2.0"]))
def test_every_measure_can_be_compared(key, average, profile):
    fewer = key.select(np.arange(len(key.document)) % 3 != 0)
    found = quietly(key, {"x": fewer, "y": key}, metrics=list(METRICS), average=average, profile=profile)
    assert set(found.metrics) == set(METRICS)
    for report in FORMS:
        found.report(report)


def test_json_is_everything():
    report = json.loads(quietly(KEY, RESPONSES, by=by_prefix(KEY)).report("json"))
    cell = report["parts"][-1]["systems"]["z"]["lea"]
    assert report["resampling"] == {
        "method": "percentile", "level": 0.95, "resamples": 200, "seed": 0, "unit": "document", "test": "randomization"
    }  # fmt: skip
    assert set(cell) == {"recall", "precision", "value", "intervals", "difference", "best"}
    assert set(cell["intervals"]) == {"value", "recall", "precision"}
    assert report["parts"][-1]["systems"]["x"]["lea"]["difference"] is None
    assert report["signatures"][0].endswith(
        "| intervals:percentile | level:0.95 | resamples:200 | seed:0 | unit:document | test:randomization | correction:holm "
        "| baseline:x"
    )


SENTENCES = """\
#begin document (a); part 000
Ann\t(1)
saw\t-
Bob\t(2)

She\t(1)
left\t-

#end document
#begin document (b); part 000
It\t(1)

It\t(1)

#end document
"""


def conll(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def test_sentences_are_drawn_for_mentions(tmp_path):
    key = conll(tmp_path, "key", SENTENCES)
    response = conll(tmp_path, "response", SENTENCES.replace("Bob\t(2)", "Bob\t-").replace("left\t-", "left\t(3)"))
    asked = Resampling(resamples=2000, unit="sentence")
    found = compare(key, {"x": response, "y": key}, metrics=["mentions"], resampling=asked)
    assert (found.parts[0].documents, found.parts[0].units) == (2, 4)
    assert found["x", "mentions"].score.recall == 4 / 5
    assert found["x", "mentions"].score.precision == 4 / 5
    # The sentences have 2, 1, 1, 1 mentions, of which 1, 1, 1, 1 are found: recall is lowest if all four are the first.
    interval = found["x", "mentions"].intervals["recall"]
    assert 0.5 <= interval.low < 0.8 < interval.high <= 1
    with pytest.raises(OptionError, match=r"sentences cannot be resampled for muc: .* expected --metrics mentions"):
        compare(key, {"x": response}, metrics=["mentions", "muc"], resampling=asked)
    with pytest.raises(MismatchError, match="has no sentences to resample"):
        compare([{1}], {"x": [{1}]}, metrics=["mentions"], resampling=asked)


def test_the_level_is_signed_with_all_its_digits():
    assert "| level:0.99999 |" in Resampling(level=0.99999, resamples=300_000).signature
    assert Resampling(resamples=40).resamples == 40  # one beyond each end


def test_one_response_has_intervals_and_no_test():
    found = comparison({"": {"x": score(KEY, RESPONSES["x"], metrics=["lea"])}}, resampling=FEW)
    assert found.parts[0].cells[found.baseline]["lea"].difference is None
    assert "test:" not in found.signatures[0]


def test_mistakes():
    with pytest.raises(UnknownNameError, match="no system named 'w'"):
        quietly(KEY, RESPONSES, baseline="w")
    with pytest.raises(OptionError, match="found no response"):
        compare(KEY, {})
    with pytest.raises(OptionError, match="no name of a document has '-'"):
        by_prefix(KEY, "-")
    with pytest.raises(OptionError, match="found 'k' twice; expected different files, or --names"):
        compare("k", ["k", "k"])
