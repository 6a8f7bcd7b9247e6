"""The first page of a leaderboard, as HTML without scripts: names are escaped, and the browser may load nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files

from referee.basics.exceptions import one_line
from referee.metrics.titles import title_of
from referee.pages.board.ranking import Ranking
from referee.reports.numbers import cost, number, probability

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
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
</main>
</body>
</html>
"""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

PAIRS = """\
<h2 id="pairs">Each system against each better one</h2>
<p>The difference in {metric}, and p, corrected for the comparisons with the better system. Bold: significant. Each leads to a
page that shows both beside the key.</p>
<div class="wide" role="region" aria-labelledby="pairs" tabindex="0">
<table>
<thead><tr><th scope="col" class=left>system</th>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>"""


def index(ranked: Ranking, paths: Mapping[tuple[str, ...], str], title: str) -> str:
    """Return the page with the table, the groups and the pairs."""
    best = ranked.comparisons[ranked.systems[0]]
    heads = ["rank", "system", "group", *(str(title_of(m)) + _unit(best.units[m]) for m in best.metrics)]
    notes = "".join(f"<p>{_text(note)}</p>\n" for note in best.notes)
    return PAGE.format(
        policy=POLICY,
        title=_text(title),
        style=(files(__package__) / "board.css").read_text(encoding="utf-8"),
        systems=len(ranked.systems),
        documents=best.parts[-1].documents,
        metric=_text(title_of(ranked.metric)),
        level=f"{best.resampling.level * 100:.10g} %",
        heads="".join(f'<th scope="col"{" class=left" * (n in (1, 2))}>{_text(head)}</th>' for n, head in enumerate(heads)),
        rows="\n".join(_row(ranked, paths, place, system) for place, system in enumerate(ranked.systems, start=1)),
        pairs=_pairs(ranked, paths) if len(ranked.systems) > 1 else "",
        signature=_text(best.signature(best.parts[-1].name, ranked.systems[0])),
        notes=notes,
    )


def _row(ranked: Ranking, paths: Mapping[tuple[str, ...], str], place: int, system: str) -> str:
    best = ranked.comparisons[ranked.systems[0]]
    truncate = best.truncates
    cells = []
    for metric in best.metrics:
        cell, unit = best[system, metric], best.units[metric]
        margin = f" ±{number(cell.interval.margin, unit, truncate)}" if cell.interval else ""
        text = f'<b class="score">{number(cell.score.value, unit, truncate)}</b><span class="margin">{margin}</span>'
        cells.append(f"<td{' class=main' if metric == ranked.metric else ''}>{text}</td>")
    name = _link(_text(system), paths.get((system,)))
    groups = _text(ranked.groups[system] or "-")
    return f'<tr><td>{place}</td><th scope="row">{name}</th><td class="group">{groups}</td>{"".join(cells)}</tr>'


def _pairs(ranked: Ranking, paths: Mapping[tuple[str, ...], str]) -> str:
    """The differences of each system from those that are better."""
    heads = "".join(f'<th scope="col">− {_text(better)}</th>' for better in ranked.systems[:-1])
    rows = []
    for place, worse in enumerate(ranked.systems[1:], start=1):
        cells = [_pair(ranked, worse, better, paths.get((worse, better))) for better in ranked.systems[:place]]
        empty = "<td></td>" * (len(ranked.systems) - 1 - place)
        rows.append(f'<tr><th scope="row">{_text(worse)}</th>{"".join(cells)}{empty}</tr>')
    return PAIRS.format(metric=_text(title_of(ranked.metric)), heads=heads, rows=_lines(rows))


def _pair(ranked: Ranking, worse: str, better: str, path: str | None) -> str:
    d = ranked.difference(worse, better)
    unit = ranked.comparisons[better].units[ranked.metric]
    value = cost(d.value, unit, ranked.comparisons[better].truncates)
    shown = _link(f"<b>{value}</b>" if d.significant else value, path)
    return f'<td>{shown}<span class="margin"> p {escape(probability(d.p))}</span></td>'


def _link(markup: str, path: str | None) -> str:
    return f'<a href="{escape(path)}">{markup}</a>' if path else markup


def _unit(unit: str) -> str:
    return f" ({unit})" if unit else ""


def _text(text: object) -> str:
    """A text of somebody's as text; what a file cannot hold is replaced."""
    return escape(one_line(text).encode("utf-8", "replace").decode())


def _lines(rows: Iterable[str]) -> str:
    return "\n".join(rows)
