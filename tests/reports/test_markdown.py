"""Tables in Markdown."""

from referee.reports.forms import render
from referee.reports.listing import Cell, Column, Listing
from referee.stats.intervals import Interval


def test_the_best_is_bold_and_marks_stand_behind():
    listing = Listing(
        [Column("system"), Column("vi", "score", "bits"), Column("P", "score", group="MUC")],
        [["a_b|c", Cell(0.5, Interval(0.25, 0.75), "*", best=True), 0.5]],
        notes=["a `b`"],
        legend=["* better"],
        margins=True,
    )
    assert render(listing, "markdown").splitlines() == [
        "| system | vi (bits) | MUC P |",
        "| :--- | ---: | ---: |",
        r"| a_b\|c | **0.5 ±0.25*** | 50.00 |",
        "",
        r"\* better",
        "",
        "`` a `b` ``",
    ]
