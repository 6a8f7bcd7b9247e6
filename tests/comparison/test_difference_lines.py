"""The answer of a comparison in a line a system."""

import math

import pytest

from referee import compare, score
from referee.comparison.difference_lines import difference_lines
from referee.comparison.values import ComparisonCell, Difference, Part
from referee.stats.counts import Score
from referee.stats.intervals import Interval
from referee.stats.settings import Resampling

MANY = Resampling(resamples=10_000)


def line(d, *, metric="conll", unit="", r=MANY):
    cells = {s: {metric: ComparisonCell(Score(0.5), {}, of, best=False)} for s, of in (("mild", None), ("medium", d))}
    (found,) = difference_lines([Part("micro", 50, 50, cells)], "mild", {metric: unit}, r)
    return str(found)


def made(value, ends, p, raw=None, *, exact=False):
    raw = p if raw is None else raw
    return Difference(value, ends and Interval(*ends), raw, exact, raw, p, 0, better=value > 0, significant=p <= 0.05)


def test_a_line_has_difference_interval_and_p_with_minus_signs():
    d = made(-0.1662, (-0.1699, -0.1626), 0.0123)
    assert line(d) == "medium − mild: conll −16.62 [−16.99, −16.26], p = 0.0123"
    assert line(made(0.0031, (-0.001, 0.0072), 0.4)) == "medium − mild: conll +0.31 [−0.10, +0.72], p = 0.4000"


@pytest.mark.parametrize(
    ("p", "raw", "exact", "said"),
    [
        (1 / 10_001, 1 / 10_001, False, "p ≤ 0.0001"),  # the least of 10,000 swaps
        (3 / 10_001, 1 / 10_001, False, "p ≤ 0.0003"),  # the same, corrected for three systems
        (2 / 10_001, 2 / 10_001, False, "p = 0.0002"),
        (2 / 2**20, 2 / 2**20, True, "p ≤ 0.0001"),  # less than four decimals can show
        (2 / 8192, 2 / 8192, True, "p = 0.0002 (exact)"),
        (1.0, 1.0, True, "p = 1.0000 (exact)"),
    ],
)
def test_p_is_exact_or_a_bound_or_neither(p, raw, exact, said):
    assert line(made(0.1, None, p, raw, exact=exact)) == f"medium − mild: conll +10.00, {said}"


def test_p_of_the_bootstrap_is_never_exact():
    d = made(0.1, None, 0.5, exact=True)
    assert line(d, r=Resampling(test="bootstrap")).endswith("p = 0.5000")


def test_one_unit_has_no_test_and_what_is_undefined_no_number():
    assert line(made(0.1, None, math.nan)) == "medium − mild: conll +10.00"
    assert line(made(math.nan, None, math.nan)) == "medium − mild: conll undefined"


def test_distances_say_what_the_sign_means():
    d = made(0.25, (0.1, 0.5), 0.01)
    assert line(d, metric="vi", unit="bits") == (
        "medium − mild: vi +0.25 [+0.1, +0.5] bits, p = 0.0100 (+ is farther from 0, so worse)"
    )
    assert line(d, metric="gap_bias", unit="F/M").endswith("(+ is farther from 1, so worse)")


KEY = {f"{kind}/{n}": [{"a", "b", "c"}, {"d", "e"}] for kind in "xy" for n in range(7)}
OTHER = {name: [{"a", "b"}, {"c", "d", "e"}] for name in KEY}


def test_few_metrics_have_a_line_each_and_of_many_the_main_one_has():
    def metrics(named):
        found = compare(KEY, {"same": KEY, "other": OTHER}, metrics=named)
        return [line.split(": ")[1].split()[0] for line in found.differences]

    assert metrics("lea,muc,b_cubed") == ["lea", "muc", "b_cubed"]
    assert metrics("lea,muc,b_cubed,ceaf_e") == ["lea", "muc", "b_cubed", "ceaf_e"]
    assert metrics("muc,b_cubed,ceaf_e,conll") == ["conll"]  # which is made of them
    assert metrics("lea,muc,b_cubed,ceaf_e,blanc") == ["lea"]
    assert metrics(None) == ["conll"]


def test_of_records_all_usual_metrics_have_a_line_and_links_are_explained(tmp_path):
    (tmp_path / "k.csv").write_text("id,entity\n" + "".join(f"{n},{n // 2}\n" for n in range(8)))
    (tmp_path / "r.csv").write_text("id,entity\n" + "".join(f"{n},{n // 3}\n" for n in range(8)))
    found = compare(*(str(tmp_path / name) for name in ("k.csv", "k.csv", "r.csv")))
    assert [line.split(": ")[1].split()[0] for line in found.differences] == ["links", "b_cubed", "exact", "mentions"]
    said = "links: pairwise, pairs of records in one entity; exact: whole entities"
    assert said in found.report().splitlines()
    assert said in score(str(tmp_path / "k.csv"), str(tmp_path / "r.csv")).report().splitlines()
    assert said not in score(str(tmp_path / "k.csv"), str(tmp_path / "r.csv"), metrics="links").report()


@pytest.mark.parametrize("form", ["text", "markdown", "html", "latex"])
def test_lines_are_in_every_form_for_people_and_over_all_parts(form):
    found = compare(KEY, {"same": KEY, "other": OTHER}, metrics="conll", by=lambda name: name[0])
    text = found.report(form).replace("$-$", "−").replace(r"\[", "[")
    name = "conll" if form in ("text", "markdown") else "CoNLL"  # as at the head of the column
    assert text.count(f"other − same (micro): {name} −") == text.count(f"other − same (macro): {name} −") == 1
    assert "other − same (x)" not in text


def test_few_units_cannot_show_anything_and_a_note_says_so():
    """Of 2ⁿ exchanges of n documents two give the largest difference, so p is 2 / 2ⁿ at least: 1/16 of five, 1/32 of six."""

    def notes(documents, systems, **how):
        names = list(KEY)[:documents]
        return "\n".join(compare(*({n: of[n] for n in names} for of in (KEY,)), {
            s: {n: of[n] for n in names} for s, of in systems.items()
        }, metrics="muc", **how).notes)  # fmt: skip

    both = {"same": KEY, "other": OTHER}
    assert "with 5 documents p cannot be below 0.0625, so no difference can be significant" in notes(5, both)
    assert "cannot be below" not in notes(6, both)
    assert "cannot be below" not in notes(5, {"other": OTHER})
    assert "cannot be below" not in notes(5, both, resampling=Resampling(test="bootstrap"))


def test_a_paper_gets_how_the_tests_were_made():
    found = compare(KEY, {"same": KEY, "other": OTHER}, metrics="conll", resampling=Resampling(seed=7, resamples=500))
    footnote = found.report("latex").replace("$|$", "|").splitlines()[-1]
    assert "|d:14|" in footnote
    assert "|resamples:500|seed:7|test:randomization|correction:holm|baseline:same" in footnote
    alone = compare(KEY, {"other": OTHER}, metrics="conll").report("latex").splitlines()[-1]
    assert alone.rstrip("}").endswith("$|$d:14\\par")


def test_programs_get_no_lines():
    found = compare(KEY, {"same": KEY, "other": OTHER}, metrics="conll")
    for form in ("csv", "tsv", "json"):
        assert "−" not in found.report(form)
        assert "other − same" not in found.report(form)


def test_only_columns_of_f_and_of_its_averages_are_under_f():
    """CoNLL is a mean of F, and VI a distance."""
    found = compare(KEY, {"same": KEY, "other": OTHER}, metrics="conll,muc,lea,vi", beta=2)
    assert [str(c.group) for c in found.listing().columns] == ["", "F2", "F2", "F2", ""]
    assert found.report("markdown").startswith("| system | F2 conll | F2 muc | F2 lea | vi (bits) |\n")
    assert list(found.listing().to_rows()[0])[:2] == ["system", "conll"]
    assert "muc" in found.listing().to_rows()[0]
