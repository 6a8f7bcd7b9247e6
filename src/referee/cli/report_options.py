"""The options that say in which form a report is written, and where."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import referee
from referee.basics.exceptions import OptionError
from referee.basics.files import check_ending, ending_of, output
from referee.basics.options.choices import COMPARISON_TABLES, PAPER_TABLES, PLOT_ENDINGS
from referee.cli.help import TakesOptions
from referee.reports.forms import ALL_FORMS, FORMS, VERDICTS, form_named
from referee.reports.result import Result
from referee.reports.text import screen


def add_arguments(show: TakesOptions, *, tables: bool = False, comparison: bool = False) -> None:
    """Add the form and the file of the report; and, of scores, the forms for builds and boards, and the tables of papers."""
    forms = ALL_FORMS if tables else FORMS
    show.add_argument(
        "-r", "--report", choices=forms, type=form_named, metavar="FORM",
        help=f"{', '.join(forms)} (default: by the ending of FILE)",
    )  # fmt: skip
    show.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")
    if tables:
        show.add_argument(
            "--table",
            choices=(*PAPER_TABLES, *COMPARISON_TABLES * comparison),
            default="",
            help="conll: P, R, F1 of MUC, B³, CEAFe; prf: of all; datasets: systems by groups; crac: as CRAC has it"
            if comparison
            else "P, R, F1 of each metric; conll: of MUC, B³, CEAFe, and the average, unless metrics are named",
        )


def add_sort(show: TakesOptions, help: str) -> None:
    """Add the metric by which rows are sorted."""
    show.add_argument("--sort", metavar="METRIC", default="", help=help)


def settle(args: Namespace) -> None:
    """Take the form of the report from the ending of its file, unless --report names one.

    OptionError for the ending of something else; text for one that says nothing.
    """
    forms = getattr(args, "forms", ALL_FORMS if "table" in args else FORMS)
    form = form_named(ending_of(args.output).removeprefix("."))
    expected = f"an ending such as {'.txt, .json or .xml' if 'forms' in args else '.txt, .md, .tex, .csv or .html'}"
    if args.output.endswith(PLOT_ENDINGS):
        expected = f"--plot {args.output}" if "plot" in args else f"{expected}; referee compare --plot draws"
    check_ending(args.output, "a report", expected, None if args.report or form in forms else ())
    if args.report is None:
        args.report = form if form in forms else "text"


def write_differences(compared: referee.Comparison, args: Namespace, plot: Callable[[], None] | None) -> None:
    """Write the lines that say how much systems differ from the baseline, and the plot."""
    if not compared.differences:
        raise OptionError("--quiet prints differences; found one system: expected two responses, or no --quiet")
    with output(args.output) as out:
        if plot:
            plot()
        out.writelines(f"{line}\n" for line in compared.differences)


def write(
    result: Result,
    args: Namespace,
    *,
    plot: Callable[[], None] | None = None,
    verdict: Mapping[str, Any] = MappingProxyType({}),
    **how: object,
) -> None:
    """Write the report of a result, and its plot: both or neither.

    `how` is what its `listing` accepts, `verdict` what its `verdict` accepts. A browser takes the result instead, to show it
    and to write it in one form after the other.
    """
    if "take" in args:
        args.take(result, how)
        return
    if args.report in VERDICTS:
        if option := next((name for name, value in how.items() if value), None):
            raise OptionError(f"--{option} is for tables; found it with --report {args.report}: expected one of them")
        text = result.report(args.report, **verdict)
    else:
        text = result.report(args.report, screen=screen(sys.stdout) if args.output == "-" else None, **how)
    with output(args.output) as out:
        if plot:
            plot()
        out.write(text)
