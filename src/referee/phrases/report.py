"""How the worth of phrase models is shown: `REPORTS`.

Text and Markdown are for people: a row a measure and a column a response, then the tables that are asked for. CSV is one line
for each response, group and measure, where the bins of `reliability` are groups, too; JSON everything there is. In both numbers
have full precision, fractions are of 1, and `inf` is the string it is.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from referee.messages import counted, one_line
from referee.phrases.breakdown import ErrorBreakdown
from referee.phrases.one_best import ChunkCounts
from referee.phrases.scores import QUANTITIES, PhraseScores
from referee.stats.intervals import Interval
from referee.stats.settings import Resampling
from referee.version import VERSION


@dataclass(frozen=True, eq=False)
class Result:
    """What is shown of one response.

    intervals : of the measures, where they were asked for
    breakdowns : tables of groups
    matches   : of a 1-best prediction, its counts by each of `referee.phrases.one_best.MATCHES`
    signature : the settings that gave the numbers
    """

    scores: PhraseScores
    signature: str
    intervals: dict[str, Interval] = field(default_factory=dict)
    breakdowns: Sequence[ErrorBreakdown] = ()
    matches: dict[str, ChunkCounts] = field(default_factory=dict)
    reliability: bool = False

    @property
    def values(self) -> dict[str, float]:
        """Every measure of the whole."""
        total = self.scores.total
        values = {name: float(getattr(total, name)) for name in QUANTITIES}
        values["calibration_error"] = self.scores.calibration.error
        if self.scores.one_best:
            values["conditional_entropy"] = float(total.conditional_entropy)
        for match, counts in self.matches.items():
            values |= {f"{match}_{rate}": float(getattr(counts, rate)) for rate in ("recall", "precision", "f1")}
        return values


UNITS = {**QUANTITIES, "conditional_entropy": "bits per sentence"}


@dataclass(frozen=True)
class Table:
    """Rows of text under a header; the first column names the row, the others are numbers."""

    title: str
    header: list[str]
    rows: list[list[str]]


def signature(scores: PhraseScores, asked: Resampling | None = None, settings: Mapping[str, object] | None = None) -> str:
    """The settings that gave the numbers.

    asked    : how intervals are made, if they are
    settings : those of reading that are not as usual
    """
    parts = {
        "categories": len(scores.categories),
        "sentences": len(scores.sentences),
        "listed": scores.listed,
        "unlisted": scores.default,
        "min_probability": f"{scores.min_probability:g}" if scores.min_probability else "none",
        **(settings or {}),
    }
    intervals = [asked.signature] if asked else []
    return " | ".join([f"referee {VERSION} phrases", *(f"{name}:{value}" for name, value in parts.items()), *intervals])


def number(value: float, unit: str = "") -> str:
    """A percentage for a fraction of 1, else six digits; `-` where undefined.

    >>> number(0.63185), number(29.1976017, "bits"), number(math.inf, "bits"), number(math.nan)
    ('63.19', '29.1976', 'inf', '-')
    """
    if math.isnan(value):
        return "-"
    if unit in ("", "points"):
        return f"{value * 100:.2f}"
    return f"{value:.6g}"


def tables(results: Sequence[Result]) -> list[Table]:
    """All that is for people."""
    measures = list(dict.fromkeys(name for r in results for name in r.values))
    rows = [[name, *(_cell(r, name) for r in results)] for name in measures]
    found = [Table("", ["metric", *(one_line(r.scores.name) for r in results)], rows)]
    for r in results:
        found += [_of_breakdown(r, b, several=len(results) > 1) for b in r.breakdowns]
        if r.reliability:
            found.append(_of_calibration(r))
    return found


def _cell(result: Result, name: str) -> str:
    if name not in result.values:
        return ""
    unit = UNITS.get(name, "")
    text = number(result.values[name], unit)
    if name not in result.intervals:
        return text
    interval = result.intervals[name]
    return f"{text} [{number(interval.low, unit)}, {number(interval.high, unit)}]"


def _of_breakdown(result: Result, b: ErrorBreakdown, *, several: bool) -> Table:
    header = [
        b.group,
        "candidates",
        "chunks",
        "bits/sent",
        "share",
        "excess",
        "bits/chunk",
        "recall",
        "precision",
        "zero-prob.",
    ]
    s = b.sums
    columns = [
        (s["candidates"], "n"), (s["true_chunks"], "n"), (s.bits_per_sentence, "bits"), (b.share, ""), (b.excess, "points"),
        (s.bits_per_chunk, "bits"), (s.recall, ""), (s.precision, ""), (s.zero_probability_events, "n"),
    ]  # fmt: skip
    rows = [
        [one_line(name), *(str(int(column[g])) if unit == "n" else number(float(column[g]), unit) for column, unit in columns)]
        for g, name in enumerate(b.names)
    ]
    return Table(f"error breakdown by {b.group}" + (f": {one_line(result.scores.name)}" if several else ""), header, rows)


def _of_calibration(result: Result) -> Table:
    rows = [
        [_bin(low, high), str(n), f"{said:.6g}", f"{found:.6g}"]
        for low, high, n, said, found in result.scores.calibration.bins()
    ]
    return Table(f"reliability: {one_line(result.scores.name)}", ["p", "candidates", "mean p", "share true"], rows)


def _bin(low: float, high: float) -> str:
    """The name of a bin of probabilities.

    >>> _bin(1e-6, 1e-5), _bin(0.9, 1.0)
    ('[1e-06, 1e-05)', '[0.9, 1]')
    """
    return f"[{low:g}, {high:g}{']' if high == 1 else ')'}"


def notes(results: Sequence[Result]) -> list[str]:
    """What stands below the tables."""
    said = []
    for r in results:
        if events := int(r.scores.total.zero_probability_events):
            s = r.scores.total
            finite = float(s.finite_cross_entropy) / max(len(r.scores.sentences), 1)
            said.append(
                f"{one_line(r.scores.name)}: infinitely many bits for {counted(events, 'zero-probability event')} "
                f"({int(s['zero_probability_true'])} true, {int(s['zero_probability_false'])} false); "
                f"all others cost {finite:.6g} a sentence"
            )
    return [*said, *dict.fromkeys(r.signature for r in results)]


def as_text(results: Sequence[Result], out: TextIO) -> None:
    for table in tables(results):
        rows = [table.header, *table.rows]
        widths = [max(len(row[c]) for row in rows) for c in range(len(table.header))]
        out.write(f"{table.title}\n" if table.title else "")
        for row in rows:
            cells = [c.rjust(w) if place else c.ljust(w) for place, (c, w) in enumerate(zip(row, widths, strict=True))]
            out.write("  ".join(cells).rstrip() + "\n")
        out.write("\n")
    out.writelines(f"{note}\n" for note in notes(results))


def as_markdown(results: Sequence[Result], out: TextIO) -> None:
    for table in tables(results):
        out.write(f"**{table.title}**\n\n" if table.title else "")
        for row in (table.header, [":---", *["---:"] * (len(table.header) - 1)], *table.rows):
            cells = [cell.replace("|", "\\|") for cell in row]
            out.write(f"| {' | '.join(cells)} |\n")
        out.write("\n")
    out.write("\n".join(f"`{note}`\n" for note in notes(results)))


def as_csv(results: Sequence[Result], out: TextIO) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("system", "by", "group", "metric", "value", "low", "high", "unit", "signature"))
    for r in results:
        name = r.scores.name
        for measure, value in r.values.items():
            ends = [_exact(end) for end in r.intervals.get(measure, ("", ""))[:2]]
            writer.writerow([name, "", "", measure, _exact(value), *ends, UNITS.get(measure, ""), r.signature])
        for b in r.breakdowns:
            for group, values in zip(b.names, _rows(b), strict=True):
                for measure, value in values.items():
                    writer.writerow([name, b.group, group, measure, _exact(value), "", "", UNITS.get(measure, ""), r.signature])
        for low, high, *numbers in r.scores.calibration.bins() if r.reliability else ():
            for what, found in zip(("candidates", "mean_probability", "share_true"), numbers, strict=True):
                writer.writerow([name, "reliability", _bin(low, high), what, _exact(found), "", "", "", r.signature])


def as_json(results: Sequence[Result], out: TextIO) -> None:
    systems = [
        {
            "name": r.scores.name,
            "signature": r.signature,
            "categories": list(r.scores.categories),
            "sentences": len(r.scores.sentences),
            "one_best": r.scores.one_best,
            "sums": {name: _plain(column) for name, column in r.scores.total.columns.items()},
            "metrics": {name: _plain(value) for name, value in r.values.items()},
            "intervals": {name: [_plain(end) for end in interval[:2]] for name, interval in r.intervals.items()},
            "breakdown": {
                b.group: [
                    {"group": name, **{m: _plain(v) for m, v in row.items()}}
                    for name, row in zip(b.names, _rows(b), strict=True)
                ]
                for b in r.breakdowns
            },
            "reliability": [
                dict(zip(("low", "high", "candidates", "mean_probability", "share_true"), row, strict=True))
                for row in r.scores.calibration.bins()
            ],
        }
        for r in results
    ]
    report = {"referee": VERSION, "key": results[0].scores.key, "systems": systems}
    out.write(json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _rows(b: ErrorBreakdown) -> list[dict[str, float]]:
    """The measures of each group."""
    columns = {
        "candidates": b.sums["candidates"], "true_chunks": b.sums["true_chunks"],
        **{name: getattr(b.sums, name) for name in QUANTITIES}, "share": b.share, "excess": b.excess,
    }  # fmt: skip
    return [{name: column[g].item() for name, column in columns.items()} for g in range(len(b.names))]


def _exact(value: Any) -> str:
    return "" if value == "" or math.isnan(value) else repr(value)


def _plain(value: Any) -> Any:
    """As JSON can hold it: null where undefined, "inf" where infinite."""
    value = value.item() if hasattr(value, "item") else value
    return value if math.isfinite(value) else None if math.isnan(value) else "inf"


REPORTS: dict[str, Callable[[Sequence[Result], TextIO], None]] = {
    "text": as_text,
    "markdown": as_markdown,
    "csv": as_csv,
    "json": as_json,
}
