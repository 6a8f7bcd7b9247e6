"""The first page of a leaderboard, as HTML: names are escaped, and the browser may load nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from referee.comparison.difference_lines import format_p
from referee.metrics.titles import title_of
from referee.pages.board.ranking import Ranking
from referee.pages.theme import HEADER, theme_script
from referee.reports import on_pages
from referee.reports.numbers import cost, minus, number
from referee.reports.shell import page, style_of, text

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
{pairs}
<h2>How the numbers were made</h2>
<p class="signature">{signature}</p>
{notes}
<p>For programs: <a href="board.json">board.json</a>, <a href="board.csv">board.csv</a>.</p>
</main>"""

PAIRS = """\
<h2 id="pairs">Each system against each better one</h2>
<p>The difference in {metric}, and p, corrected for the comparisons with the better system. Bold: significant. Each leads to a
page that shows both beside the key.</p>
<div class="wide" role="region" aria-labelledby="pairs" tabindex="0">
<table>
<thead><tr><th scope="col">System</th>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>"""


def index(ranked: Ranking, paths: Mapping[tuple[str, ...], str], title: str, warnings: Mapping[str, Sequence[str]]) -> str:
    """Return the page with the table, the groups and the pairs, and what was warned of for each system."""
    best = ranked.comparisons[ranked.systems[0]]
    heads = [_head("Rank"), _head("System", "left"), _head("Group", "left")]
    heads += [_head(_title(m) + _unit(best.units[m]), "main" if m == ranked.metric else "") for m in _metrics(ranked)]
    warned = [f"Warning for {system}: {warning}" for system in ranked.systems for warning in warnings[system]]
    notes = "".join(f"<p>{text(note)}</p>\n" for note in (*best.notes, *warned))
    body = BODY.format(
        header=HEADER,
        title=text(title),
        systems=len(ranked.systems),
        documents=best.parts[-1].documents,
        metric=text(_title(ranked.metric)),
        level=f"{best.resampling.level * 100:.10g} %",
        heads="".join(heads),
        rows="\n".join(_row(ranked, paths, place, system) for place, system in enumerate(ranked.systems, start=1)),
        pairs=_pairs(ranked, paths) if len(ranked.systems) > 1 else "",
        signature=text(best.signature(best.parts[-1].name, ranked.systems[0])),
        notes=notes,
    )
    return page(title, body, style=style_of(files(__package__) / "board.css"), script=theme_script())


def _row(ranked: Ranking, paths: Mapping[tuple[str, ...], str], place: int, system: str) -> str:
    best = ranked.comparisons[ranked.systems[0]]
    truncate = best.truncates
    cells = []
    for metric in _metrics(ranked):
        cell, unit = best[system, metric], best.units[metric]
        margin = f" ±{number(cell.interval.margin, unit, truncate)}" if cell.interval else ""
        score = minus(number(cell.score.value, unit, truncate))
        shown = f'<b class="score">{score}</b><span class="interval">{margin}</span>'
        cells.append(f"<td{' class=main' if metric == ranked.metric else ''}>{shown}</td>")
    name = _link(text(system), paths.get((system,)))
    groups = text(ranked.groups[system] or "–")
    return f'<tr><td>{place}</td><th scope="row">{name}</th><td class="left">{groups}</td>{"".join(cells)}</tr>'


def _pairs(ranked: Ranking, paths: Mapping[tuple[str, ...], str]) -> str:
    """The differences of each system from those that are better."""
    heads = "".join(_head(f"− {better}") for better in ranked.systems[:-1])
    rows = []
    for place, worse in enumerate(ranked.systems[1:], start=1):
        cells = [_pair(ranked, worse, better, paths.get((worse, better))) for better in ranked.systems[:place]]
        empty = "<td></td>" * (len(ranked.systems) - 1 - place)
        rows.append(f'<tr><th scope="row">{text(worse)}</th>{"".join(cells)}{empty}</tr>')
    return PAIRS.format(metric=text(_title(ranked.metric)), heads=heads, rows="\n".join(rows))


def _pair(ranked: Ranking, worse: str, better: str, path: str | None) -> str:
    d = ranked.difference(worse, better)
    compared = ranked.comparisons[better]
    value = minus(cost(d.value, compared.units[ranked.metric], compared.truncates))
    shown = _link(f"<b>{value}</b>" if d.significant else value, path)
    tested = f'<span class="interval"> {escape(p)}</span>' if (p := format_p(d, compared.resampling)) else ""
    return f"<td>{shown}{tested}</td>"


def _metrics(ranked: Ranking) -> list[str]:
    """That of the ranking first, which a narrow window shows."""
    return sorted(ranked.comparisons[ranked.systems[0]].metrics, key=lambda metric: metric != ranked.metric)


def _title(metric: str) -> str:
    return on_pages.title(title_of(metric))


def _head(title: str, kind: str = "") -> str:
    return f'<th scope="col"{f" class={kind}" if kind else ""}>{text(title)}</th>'


def _link(markup: str, path: str | None) -> str:
    return f'<a href="{escape(path)}">{markup}</a>' if path else markup


def _unit(unit: str) -> str:
    return f" ({unit})" if unit else ""
