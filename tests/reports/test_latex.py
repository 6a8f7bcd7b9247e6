"""Tables in LaTeX: readable by LaTeX, aligned, and no wider than the text of an article."""

import re
import shutil
import subprocess

import pytest

from referee.reports.forms import render
from referee.reports.latex import TEXT_WIDTH, typeset
from referee.reports.listing import Cell, Column, Listing, Title
from referee.scoring.paper_table import Line, SideScores, paper_table
from referee.stats.counts import Score
from referee.stats.intervals import Interval

EVERY_SIGN = r"\~^&%$#_{}[]*<>|±≤≥−×…–—†²³₁₂φσ" + '"'

SCORES = Listing(
    [Column(Title("system", "System")), Column(Title("b_cubed", "B³"), "score"), Column("vi", "score", "bits")],
    [
        ["[one]", Cell(0.9144, Interval(0.91, 0.93), "*", best=True), Cell(0.75)],
        ["*two*", Cell(-0.0678, Interval(-0.3, 0.3)), Cell(2.0)],
        [Title("three", latex="$3$"), Cell(float("nan")), None],
    ],
    notes=["signature"],
    legend=["* better, † worse than [one] (p ≤ 0.05)"],
    margins=True,
)


def rows(text):
    """The cells of each row."""
    return [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if line.endswith(r" \\")]


def test_numbers_of_a_column_have_the_same_decimals_and_blank_space_for_what_they_lack():
    assert rows(render(SCORES, "latex")) == [
        ["System", "B$^3$", "vi (bits)"],
        ["{[}one]", r"\textbf{91.44}\phantom{0}\,$\pm$\,1.00\rlap{$^{*}$}", "0.7500"],
        ["{*}two*", r"$-$6.78\,$\pm$\,30.00", "2.0000"],
        ["$3$", r"--\phantom{\,$\pm$\,30.00}", ""],
    ]


def test_notes_are_comments_and_the_legend_is_printed():
    text = render(SCORES, "latex")
    assert text.startswith("% \\usepackage{booktabs}\n% signature\n")
    assert text.endswith(
        "\\end{tabular}\n\\par\\noindent{\\footnotesize $^{*}$ better, $^{\\dagger}$ worse than [one] (p $\\le$ 0.05)\\par}\n"
    )


def test_rules_stand_before_sections_and_under_groups():
    columns = [Column("s"), *(Column(side, "count", group="MUC") for side in "PR"), Column("n", "count")]
    text = render(Listing(columns, [["a", 1, 2, 3], ["b", 1, 2, 3]], sections=(0, 1)), "latex")
    assert text.count("\\midrule") == 2
    assert " & \\multicolumn{2}{c}{MUC} &  \\\\\n\\cmidrule(lr){2-3}\ns & P & R & n \\\\\n" in text


def wide(metrics):
    cell = Cell(0.9144, Interval(0.91, 0.93), "*", best=True)
    columns = [Column("system"), *(Column(f"metric {n}", "score") for n in range(metrics))]
    return Listing(columns, [["a system with a name", *[cell] * metrics]] * 2, margins=True)


def test_a_wide_table_is_set_smaller_and_a_wider_one_in_several():
    assert "\\setlength" not in render(wide(2), "latex")
    assert "{\\small\\setlength{\\tabcolsep}" in render(wide(4), "latex")
    assert render(wide(4), "latex").count("\\begin{tabular}") == 1
    text = render(wide(12), "latex")
    assert text.count("\\begin{tabular}") > 1
    assert [head for row in rows(text) if row[0] == "system" for head in row[1:]] == [f"metric {n}" for n in range(12)]


def papers(systems=3):
    sides = SideScores(0.9144, 1.0, Cell(0.9553, best=True))
    scores = {**dict.fromkeys(("muc", "b_cubed", "ceaf_e"), Score(0.9553, 1.0, 0.9144, 1)), "conll": Score(0.9553, beta=1)}
    lines = [Line([f"system {n}"], {**dict.fromkeys(scores, sides)}) for n in range(systems)]
    return paper_table(lines, scores, {})


LISTINGS = {
    "scores": SCORES,
    "papers": papers(),
    "signs": Listing([Column(EVERY_SIGN), Column("n", "count")], [[sign, 1] for sign in EVERY_SIGN], legend=[EVERY_SIGN]),
    **{f"{n} metrics": wide(n) for n in (1, 3, 5, 6, 8, 12)},
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("name", LISTINGS)
def test_latex_accepts_every_table_and_none_is_too_wide(tmp_path, name):
    table = render(LISTINGS[name], "latex")
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n\\noindent\n" + table + "\\end{document}\n"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path, capture_output=True, check=False, timeout=100,
    )  # fmt: skip
    if b"booktabs.sty' not found" in done.stdout:
        pytest.skip("needs booktabs")
    assert done.returncode == 0, done.stdout[-1000:]
    assert b"Overfull" not in done.stdout
    assert TEXT_WIDTH < 345


def test_no_sign_is_left_that_latex_would_take_for_its_own():
    plain = re.sub(r"\\[a-z]+(\{\})?|\\[&%$#_{}]|\$[^$]*\$|\{[\[*]\}", "", typeset(EVERY_SIGN))
    assert set(plain) <= set('-[]*|"')
