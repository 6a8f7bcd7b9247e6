"""Score responses against a key, by the metrics that papers report, or by those that you name.

KEY and RESPONSE are files in any format (see referee formats), compressed or not; - is standard input. Key and response
may have different formats. Files that --counts has written stand for key and response.

Examples
--------
referee score key.conll response.conll
referee score key.jsonlines a.conll b.conll --metrics muc,b_cubed,ceaf_e,conll
referee score key.conll response.conll --by document --report csv > scores.csv
referee score key.conll response.conll --documents 'news_*' --by document
referee score key.conll response.conll -q --metrics lea --fail-under lea=60
referee score key.parquet clusters/ --columns item=unique_id,entity=cluster_id
referee score key.conll run7.conll --counts run7.counts.parquet
referee score key.conll run8.conll --against run7.counts.parquet --fail-if-worse
referee score key.csv predictions.csv --threshold 0.9
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import referee
from referee.basics.exceptions import OptionError, warn
from referee.basics.files import output
from referee.basics.system_names import name_of
from referee.cli import (
    document_options,
    gate_options,
    grouping_options,
    report_options,
    resampling_options,
    scoring_options,
    stored_options,
    table_options,
    task_options,
)
from referee.cli.grouping_options import Groups
from referee.cli.main import count_equal_warnings
from referee.reports.numbers import number

if TYPE_CHECKING:
    from referee.metrics.scores import Scores
    from referee.reports.verdict import Check
    from referee.scoring.by import By


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument(
        "responses",
        metavar="RESPONSE",
        nargs="*",
        help=f"{scoring_options.RESPONSE}; several give one row each (differences: referee compare)",
    )
    show = parser.add_argument_group("report")
    scoring_options.add_metrics(show, "metrics with commas, or all", "those of papers")
    show.add_argument("--by", metavar="WHAT", help=scoring_options.BY)
    grouping_options.add_arguments(show)
    document_options.add_arguments(show, metadata=False)
    scoring_options.add_names(show, default="the files")
    task_options.add_arguments(show)
    show.add_argument("-q", "--quiet", action="store_true", help="print one number: the first metric named, or conll")
    report_options.add_sort(show, "best response first; of --by, the worst first")
    show.add_argument("--top", type=int, metavar="N", default=0, help="with --by: only the N worst rows of each response")
    report_options.add_arguments(show, tables=True)
    show.add_argument(
        "--fail-under", metavar="LIMITS", action="append", default=[],
        help="exit with 1 if a score is undefined or below a percentage, as muc=60 or muc.recall=60; repeatable",
    )  # fmt: skip
    stored_options.add_arguments(show)
    gate_options.add_arguments(show, verb="score")
    scoring_options.add_arguments(parser)
    resampling_options.add_arguments(parser)
    table_options.add_engine(parser)


def run(args: Namespace) -> int:
    """Print the scores; return 1 if one is below its limit."""
    from referee.metrics.registry import LEADING, main_metric
    from referee.reports.forms import VERDICTS
    from referee.scoring.by import DATASETS
    from referee.scoring.systems import Systems

    named = scoring_options.metrics(args)
    metrics = named or (LEADING if args.quiet and not (args.counts or args.against) else None)
    limits, resampling = _limits(args.fail_under), None if args.against else resampling_options.of_scores(args)
    last = stored_options.against(args)
    groups, files = _groups(args), [args.key, *args.responses]
    key, evaluations = (_stored if stored_options.are_counts(files) else _scored)(args, metrics)
    task_options.warn_of_difference(args, {e.name: e.signature for e in evaluations})
    by = args.by if groups is None else groups.grouping(evaluations)
    are_means = by not in (None, "document")
    judged = [_mean(e, by) for e in evaluations] if are_means else evaluations
    low = _too_low(judged, limits)
    compared = None if last is None else _compared(last, evaluations, groups, args)
    worse = [] if compared is None else gate_options.worse(compared, args)
    if by in DATASETS and compared is None:
        _warn_of_missing(evaluations, by)
    if args.quiet:
        with output(args.output) as out:
            out.writelines(_printed(e, next(iter(e)) if named else main_metric(e)) + "\n" for e in judged)
    elif compared is not None:
        report_options.write(compared, args, verdict={"worse": worse}, table=args.table, sort=args.sort)
    else:
        is_one_number = are_means and args.report in VERDICTS
        systems, by = Systems(key, judged if is_one_number else evaluations), None if is_one_number else by
        if resampling is not None:
            systems = resampling_options.with_intervals(systems, evaluations, resampling)
        systems = replace(systems, warnings=list(count_equal_warnings(args.warnings)))
        report_options.write(systems, args, verdict={"limits": limits}, by=by, table=args.table, sort=args.sort, top=args.top)
    for check in low:
        over = " (macro)" if are_means else ""
        print(f"referee: {check.about}: {check.name}{over} is {check.text}", file=sys.stderr)
    return gate_options.status(worse, "" if compared is None else compared.baseline) or (1 if low else 0)


def _warn_of_missing(evaluations: Sequence[referee.Evaluation | referee.StoredScores], by: By) -> None:
    """Warn of the datasets that a response lacks."""
    from referee.scoring.datasets import about_missing  # few calls are by datasets

    for message in about_missing({e.name: e for e in evaluations}, str(by)):
        warn(message)


def _compared(
    last: referee.StoredScores,
    evaluations: Sequence[referee.Evaluation | referee.StoredScores],
    groups: Groups | None,
    args: Namespace,
) -> referee.Comparison:
    """The scores compared with those of another run."""
    from referee.comparison.comparing import comparison, score_all

    systems, name = {e.name: e for e in evaluations}, name_of(args.against)
    scored = score_all(None, {args.against if name in systems else name: last, **systems})
    by = args.by if groups is None else groups.grouping(scored.values())
    return comparison({"": scored}, by=by, resampling=resampling_options.resampling(args))


def _scored(
    args: Namespace, metrics: list[str] | str | None
) -> tuple[str, Sequence[referee.Evaluation | referee.StoredScores]]:
    """The key, and the scores of all responses; their counts are written if --counts asks for it."""
    from referee.scoring.score import score_each

    request = scoring_options.request(args) | table_options.options(args) | {"metrics": metrics}
    scoring_options.check_files([args.key, *args.responses])
    stored_options.check(args)
    names = scoring_options.names(args.names, args.responses)
    evaluations = score_each(args.key, list(zip(names, args.responses, strict=True)), **request)
    if args.counts:
        referee.write_counts(evaluations[0], args.counts)
    return evaluations[0].key_name, evaluations


def _stored(
    args: Namespace, metrics: list[str] | str | None
) -> tuple[str, Sequence[referee.Evaluation | referee.StoredScores]]:
    """The key, and the scores of counts files."""
    stored = stored_options.read([args.key, *args.responses], args)
    if isinstance(metrics, list):
        stored = [scores.only(metrics) for scores in stored]
    return stored[0].key_name, stored


def _groups(args: Namespace) -> Groups | None:
    """The groups of documents that were asked for; documents are no groups."""
    if args.by in (None, "document") and not any(getattr(args, name, None) for name in ("metadata", "separator", "depth")):
        return None
    return Groups(args)


def _limits(texts: list[str]) -> list[tuple[str, str]]:
    """The metrics with limits, and the limits, all of which are known before anything is read."""
    if not texts:
        return []
    from referee.scoring.limits import read_limits  # a plain score has none

    listed = [text for part in texts for text in part.split(",")]
    if wrong := next((text for text in listed if not text.partition("=")[2].strip()), None):
        raise OptionError(f"--fail-under takes NAME=NUMBER; found {wrong!r}")
    limits = [(name, limit) for name, _, limit in (text.partition("=") for text in listed)]
    read_limits(limits, {}, "--fail-under")
    return limits


def _too_low(evaluations: Sequence[Scores], limits: Sequence[tuple[str, str]]) -> list[Check]:
    """The scores below their limits; found before anything is printed, for a metric may not have the side of a limit."""
    if not limits:
        return []
    from referee.scoring.limits import checked  # a plain score has none

    return [check for e in evaluations for check in checked(e, limits) if check.failed]


def _mean(e: referee.Evaluation | referee.StoredScores, by: By) -> Scores:
    """The scores of groups of documents, whose one number is their mean, as on a board."""
    from referee.scoring.systems import grouped_by  # few calls have groups

    parts = grouped_by(e, by, list(e))
    return replace(parts, options=replace(e.options, average="macro"))


def _printed(e: Scores, metric: str) -> str:
    return number(e[metric].value, e.counts_of(metric).unit, e.options.decimals == "truncate")
