"""The first page of a leaderboard, as HTML: names are escaped, and the browser may load nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from referee.comparison.dataset_tables import without_ending
from referee.comparison.difference_lines import format_p
from referee.metrics.titles import title_of
from referee.pages.board.ranking import Ranking
from referee.pages.theme import HEADER, theme_script
from referee.reports import on_pages
from referee.reports.numbers import cost, minus, number
from referee.reports.shell import page, style_of, text
from referee.scoring.by import label_of

BODY = """\
{header}
<main>
<p class="note">Leaderboard</p>
<h1>{title}</h1>
<p>{systems} systems, {documents} documents, ranked by {metric}. Intervals of {level} from resampled documents.
Systems with a letter in common do not differ significantly, as far as the documents can tell.</p>
<div class="wide" role="region" aria-labelledby="scores" tabindex="0">
<table>
<caption id="scores">Scores</caption>
<thead><tr>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
{rejected}
{datasets}
{pairs}
{warnings}
<h2>How the numbers were made</h2>
<p class="signature">{signature}</p>
{notes}
<p>For programs: <a href="board.json">board.json</a>, <a href="board.csv">board.csv</a>.</p>
</main>"""

TABLE = """
<div class="wide" role="region" aria-labelledby="{id}" tabindex="0">
<table>
<thead><tr><th scope="col">System</th>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>"""
"""A table of systems, named by a heading."""

DATASETS = '<h2 id="parts">{metric} of each part</h2>'

REJECTED = '<h2 id="rejected">Submissions without a score</h2>'

MANY = 10
"""Columns of pairs, where systems are more than twice as many."""

PAIRS = """\
<h2 id="pairs">Each system against each {which}</h2>
<p>The difference in {metric}, and p, corrected for the comparisons with the better system. Bold: significant.{pages}</p>"""


def index(
    ranked: Ranking,
    paths: Mapping[tuple[str, ...], str],
    title: str,
    warnings: Mapping[str, Sequence[str]],
    rejected: Mapping[str, str],
) -> str:
    """Return the page with the table, the groups and the pairs, what was warned of for each system, and what was rejected."""
    best = ranked.comparison
    heads = [_head("Rank"), _head("System", "left"), _head("Group", "left"), *[_head("Warnings")] * any(warnings.values())]
    heads += [_head(_title(m) + _unit(best.units[m]), "main" if m == ranked.metric else "") for m in _metrics(ranked)]
    notes = "".join(f"<p>{text(note)}</p>\n" for note in best.notes)
    body = BODY.format(
        header=HEADER,
        title=text(title),
        systems=len(ranked.systems),
        documents=best.parts[-1].documents,
        metric=text(_title(ranked.metric)),
        level=f"{best.resampling.level * 100:.10g} %",
        heads="".join(heads),
        rows="\n".join(_row(ranked, paths, place, warnings) for place in range(len(ranked.systems))),
        datasets=_datasets(ranked) if len(best.parts) > 1 else "",
        pairs=_pairs(ranked, paths) if len(ranked.systems) > 1 else "",
        signature=text(best.signature(best.parts[-1].name, ranked.systems[0])),
        notes=notes,
        warnings=_warnings(ranked, warnings),
        rejected=_rejected(rejected) if rejected else "",
    )
    return page(title, body, style=style_of(files(__package__) / "board.css"), script=theme_script())


def _row(ranked: Ranking, paths: Mapping[tuple[str, ...], str], place: int, warnings: Mapping[str, Sequence[str]]) -> str:
    best, system = ranked.comparison, ranked.systems[place]
    cells = []
    if any(warnings.values()):
        cells.append(
            f"<td>{_link(str(len(of_system)), f'#warnings-{place + 1}') if (of_system := warnings[system]) else ''}</td>"
        )
    for metric in _metrics(ranked):
        cell, unit = best[system, metric], best.units[metric]
        margin = f" ±{number(cell.interval.margin, unit, best.truncates)}" if cell.interval else ""
        score = minus(number(cell.score.value, unit, best.truncates))
        content = f'<b class="score">{score}</b><span class="interval">{margin}</span>'
        cells.append(f"<td{' class=main' if metric == ranked.metric else ''}>{content}</td>")
    name = _link(text(system), paths.get((system,)))
    groups = text(ranked.groups[system] or "–")
    return f'<tr><td>{ranked.places[system]}</td><th scope="row">{name}</th><td class="left">{groups}</td>{"".join(cells)}</tr>'


def _datasets(ranked: Ranking) -> str:
    """The scores of each part, and their mean, by the metric of the ranking."""
    best, metric = ranked.comparison, ranked.metric
    *parts, micro, macro = best.parts
    columns = [
        (label_of(macro.name, best.over, len(parts)), macro),
        *zip(without_ending([part.name for part in parts]), parts, strict=True),
    ]
    columns.append((label_of(micro.name, best.over, len(parts)), micro))
    heads = "".join(_head(name) for name, _ in columns)
    rows = []
    for system in ranked.systems:
        cells = (part.cells[system][metric] for _, part in columns)
        scores = ((minus(number(c.score.value, best.units[metric], best.truncates)), c.best) for c in cells)
        row = "".join(f"<td>{f'<b>{score}</b>' if is_best else score}</td>" for score, is_best in scores)
        rows.append(f'<tr><th scope="row">{text(system)}</th>{row}</tr>')
    return DATASETS.format(metric=text(_title(metric))) + TABLE.format(id="parts", heads=heads, rows="\n".join(rows))


def _warnings(ranked: Ranking, warnings: Mapping[str, Sequence[str]]) -> str:
    """What was warned of, system by system."""
    if not any(warnings.values()):
        return ""
    parts = ["<h2>Warnings</h2>"]
    for place, system in enumerate(ranked.systems, start=1):
        if of_system := warnings[system]:
            listed = "".join(f"<li>{text(warning)}</li>" for warning in of_system)
            parts.append(f'<h3 id="warnings-{place}">{text(system)}</h3>\n<ul>{listed}</ul>')
    return "\n".join(parts)


def _rejected(rejected: Mapping[str, str]) -> str:
    """The submissions that have no score, and why."""
    rows = (f'<tr><th scope="row">{text(name)}</th><td class="reason">{text(why)}</td></tr>' for name, why in rejected.items())
    heads = '<th scope="col" class="left">Reason</th>'
    return REJECTED + TABLE.format(id="rejected", heads=heads, rows="\n".join(rows))


def _pairs(ranked: Ranking, paths: Mapping[tuple[str, ...], str]) -> str:
    """The differences of each system from those that are better, of many systems from the best of these."""
    few = ranked.systems[:-1][: MANY if len(ranked.systems) > 2 * MANY else None]
    heads = "".join(_head(f"− {better}") for better in few)
    rows = []
    for place, worse in enumerate(ranked.systems[1:], start=1):
        cells = [_pair(ranked, worse, better, paths.get((worse, better))) for better in few[:place]]
        empty = "<td></td>" * (len(few) - len(cells))
        rows.append(f'<tr><th scope="row">{text(worse)}</th>{"".join(cells)}{empty}</tr>')
    which = "better one" if len(few) == len(ranked.systems) - 1 else f"better one of the best {MANY}"
    pages = " Each leads to a page that shows both beside the key." if any(len(pair) > 1 for pair in paths) else ""
    heading = PAIRS.format(metric=text(_title(ranked.metric)), which=which, pages=pages)
    return heading + TABLE.format(id="pairs", heads=heads, rows="\n".join(rows))


def _pair(ranked: Ranking, worse: str, better: str, path: str | None) -> str:
    d, compared = ranked.differences[worse, better], ranked.comparison
    value = minus(cost(d.value, compared.units[ranked.metric], compared.truncates))
    content = _link(f"<b>{value}</b>" if d.significant else value, path)
    tested = f'<span class="interval"> {escape(p)}</span>' if (p := format_p(d, compared.resampling)) else ""
    return f"<td>{content}{tested}</td>"


def _metrics(ranked: Ranking) -> list[str]:
    """That of the ranking first, which a narrow window shows."""
    return sorted(ranked.comparison.metrics, key=lambda metric: metric != ranked.metric)


def _title(metric: str) -> str:
    return on_pages.title(title_of(metric))


def _head(title: str, kind: str = "") -> str:
    return f'<th scope="col"{f" class={kind}" if kind else ""}>{text(title)}</th>'


def _link(markup: str, path: str | None) -> str:
    return f'<a href="{escape(path)}">{markup}</a>' if path else markup


def _unit(unit: str) -> str:
    return f" ({unit})" if unit else ""
