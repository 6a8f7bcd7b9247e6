"""Plots of an evaluation for papers: costs of errors, sizes of entities, and the flow of mentions from key to response."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from referee.algorithms.arrays import Ints, argsort, tally
from referee.basics.exceptions import OptionError, check_name, shortened
from referee.basics.extras import matplotlib
from referee.corpus import Corpus, Mention
from referee.error_analysis.breakdown import breakdown, costliest
from referee.error_analysis.differences import Differences
from referee.metrics.distribution import d_error, direction, overlap
from referee.metrics.scores import Scores
from referee.metrics.table import table_of
from referee.metrics.titles import named
from referee.reports.colours import colours
from referee.reports.figures import Drawing, beside, drawn, figure, grid, label, save, series, slide
from referee.reports.numbers import cost as written_cost, cost_decimals, minus, number

LARGEST = 30
"""Entities of the key in a flow diagram, at most; of the response twice as many."""


def draw(
    d: Differences,
    scores: Scores,
    path: str | None,
    kind: str = "costs",
    metrics: Sequence[str] = ("conll",),
) -> Drawing:
    """Write one of `PLOTS` to a file, if there is one; returns the figure.

    Raises
    ------
    UnknownNameError
        If the plot is unknown.
    OptionError
        If the file does not end in svg, png or pdf, or if there is nothing to plot.
    MissingExtraError
        If matplotlib is not installed.
    """
    check_name("plot", kind, PLOTS)
    with drawn(path):
        drawing = PLOTS[kind](d, scores, metrics)
        save(drawing, path)
    return drawing


def _costs(d: Differences, scores: Scores, metrics: Sequence[str]) -> Drawing:
    """Bars for each kind of error, the costliest first: the gain if all are corrected; a panel for each metric."""
    percentages = [m for m in metrics if not scores.counts_of(m).unit]
    if not percentages:
        raise OptionError(f"{', '.join(metrics)} is no percentage; expected a metric that is one, to plot costs in")
    kinds = breakdown(d, scores, "kind", percentages)
    order = costliest(next(iter(kinds.costs.values())), falls=False)
    decimals = cost_decimals(value for cost in kinds.costs.values() for value in cost.tolist())
    height = 1.4 + 0.34 * len(order)
    deep, wide = grid(len(percentages), 4.6, height)
    drawing = slide(4 + 2.6 * wide, height * deep)
    panels = drawing.subplots(deep, wide, squeeze=False, sharex=True, sharey=True).ravel().tolist()
    rows, accent, ink = np.arange(len(order)), series()[0], colours()["ink"]
    for axis, (metric, cost) in zip(panels, kinds.costs.items(), strict=False):
        axis.barh(rows, 100 * cost[order], 0.62, color=accent)
        for y, gained in zip(rows.tolist(), cost[order].tolist(), strict=True):
            beside(axis, minus(written_cost(gained, decimals=decimals)), max(100 * gained, 0), y)
        axis.axvline(0, color=ink, linewidth=0.8)
        axis.grid(visible=False, axis="y")
        axis.tick_params(labelbottom=True)
        axis.set(title=named(metric, scores[metric].beta), xlabel="points gained when corrected")
    panels[0].set_yticks(rows, [f"{kinds.names[n].replace('_', ' ')} ({kinds.errors[n]:,})" for n in order])
    panels[0].invert_yaxis()
    panels[0].margins(x=0.16)
    for axis in panels[len(percentages) :]:
        axis.set_axis_off()
    return drawing


def _sizes(d: Differences, scores: Scores, metrics: Sequence[str]) -> Drawing:
    """Mentions of the largest entity of key and of response, of the second largest, and so on."""
    pair = d.pair
    sides = [np.sort(side.entity_size)[::-1] for side in (pair.key, pair.response)]
    if not all(map(len, sides)):
        raise OptionError("a side has no entities; expected at least one, to plot the sizes of")
    shared, error = (float(m.of_pair(pair).total().score().value[0]) for m in (overlap, d_error))
    drawing = figure(6, 4)
    axis = drawing.subplots()
    for n, (sizes, name) in enumerate(zip(sides, ("key", "response"), strict=True)):
        ranks = np.arange(1, len(sizes) + 1)
        axis.step(ranks, sizes, where="mid", label=f"{name}: {len(sizes):,} entities", color=series()[n])
    axis.set(xscale="log", yscale="log", xlabel="rank of the entity", ylabel="mentions")
    for each in (axis.xaxis, axis.yaxis):
        each.set_major_formatter("{x:,.0f}")
        each.set_minor_formatter(matplotlib.ticker.LogFormatter(minor_thresholds=(1.5, 0.5)))
    title = f"overlap {number(shared)} %, d-error {minus(number(error))} % {direction(error)}".rstrip()
    axis.set_title(title)
    axis.legend()
    return drawing


def _flow(d: Differences, scores: Scores, metrics: Sequence[str]) -> Drawing:
    """The largest key entities on the left, the response entities with most of their mentions on the right, bands between them.

    The width of a band is the number of common mentions.
    """
    pair, table = d.pair, table_of(d.pair)
    key = np.sort(np.argsort(-pair.key.entity_size, kind="stable")[:LARGEST])
    key = key[pair.key.entity_size[key] > 1]
    cells = np.flatnonzero(np.isin(table.key, key))
    if not len(cells):
        raise OptionError("no entity of the key with two mentions or more was found; expected one, to plot its flow")
    shared = tally(table.response[cells], table.shared[cells], len(pair.response.entity_size))
    response = np.argsort(-shared, kind="stable")[: min(2 * LARGEST, np.count_nonzero(shared))]
    cells = cells[np.isin(table.response[cells], response)]
    near = tally(table.response[cells], table.shared[cells] * table.key[cells], len(shared))[response] / shared[response]
    response = response[np.argsort(near, kind="stable")]
    rank = np.zeros(len(shared), dtype=np.int64)
    rank[response] = np.arange(len(response))
    cells = cells[argsort(table.key[cells], rank[table.response[cells]])]  # so that bands of one entity do not cross

    colour = {k: series()[n % 6] for n, k in enumerate(key.tolist())}
    response_colour = {r: colour.get(int(d.best_key[r]), series()[6]) for r in response.tolist()}
    height = max(_height(pair.key.entity_size[key]), _height(pair.response.entity_size[response]))
    columns = [_Blocks(pair.key, key, colour, height), _Blocks(pair.response, response, response_colour, height)]
    drawing = figure(7, 1 + 0.24 * max(len(key), len(response)))
    axis = drawing.subplots()
    for cell in cells.tolist():
        k, r, mentions = (int(column[cell]) for column in (table.key, table.response, table.shared))
        _band(axis, columns[0].take(k, mentions), columns[1].take(r, mentions), mentions, colour[k])
    for column, x in zip(columns, (0.0, 1.0), strict=True):
        column.draw(axis, x)
    axis.set(xlim=(-0.6, 1.6), ylim=(height, 0))
    axis.set_axis_off()
    return drawing


def _height(sizes: Ints) -> float:
    """The height of a column: its blocks, with gaps that leave room for names."""
    return float(sizes.sum() * (1 + 0.02 * len(sizes)) + 0.3 * len(sizes))


class _Blocks:
    """A column of entities as blocks, one below another; bands begin at them, each below the one before."""

    def __init__(self, side: Corpus, entities: Ints, colours: Mapping[int, str], height: float) -> None:
        self.side, self.colours = side, colours
        sizes = side.entity_size[entities]
        tops = np.concatenate([[0.0], np.cumsum(sizes + (height - sizes.sum()) / len(sizes))])
        self.top: dict[int, float] = dict(zip(entities.tolist(), tops.tolist(), strict=False))
        self.free = dict(self.top)

    def take(self, entity: int, mentions: int) -> float:
        """Where the next band of the entity begins."""
        at = self.free[entity]
        self.free[entity] += mentions
        return at

    def draw(self, axis: Drawing, x: float) -> None:
        first = np.unique(self.side.entity, return_index=True)[1]
        for entity, top in self.top.items():
            size = int(self.side.entity_size[entity])
            axis.fill_between([x - 0.02, x + 0.02], top, top + size, color=self.colours[entity], linewidth=0)
            name = label(shortened(Mention(self.side, int(first[entity])).text or self.side.entity_ids[entity], 28))
            place, align = (x - 0.03, "right") if x == 0 else (x + 0.03, "left")
            axis.text(place, top + size / 2, f"{name} ({size})", ha=align, va="center", fontsize=7)


def _band(axis: Drawing, left: float, right: float, mentions: float, colour: str) -> None:
    t = np.linspace(0, 1, 30)
    bend = t * t * (3 - 2 * t)
    axis.fill_between(
        0.02 + 0.96 * t,
        left + (right - left) * bend,
        left + mentions + (right - left) * bend,
        color=colour,
        alpha=0.45,
        linewidth=0,
    )


PLOTS: Mapping[str, Callable[[Differences, Scores, Sequence[str]], Drawing]] = {
    "costs": _costs,
    "sizes": _sizes,
    "flow": _flow,
}
