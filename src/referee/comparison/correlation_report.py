"""Correlations as tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from referee.comparison.correlations import Scored
from referee.counts import SIDES
from referee.exceptions import check_name
from referee.reports.figures import figure, save
from referee.reports.listing import Column, Listing, plain
from referee.reports.titles import DOCUMENT, METRIC, SYSTEM, title_of
from referee.stats.correlation import Correlation

TITLES = {"value": "F1", "recall": "recall", "precision": "precision"}


def matrix(s: Scored, metrics: Sequence[str], coefficient: str, side: str) -> Listing:
    """A coefficient between all pairs of metrics, and p and the number of things in JSON."""
    metrics = s.having(side, metrics)
    found = {(a, b): s.correlation(a, b, coefficient, side) for a in metrics for b in metrics}
    pairs = [
        {"metrics": [a, b], "value": plain(found[a, b][0].value), "p": plain(found[a, b][0].p), "over": found[a, b][1]}
        for a, b in combinations(metrics, 2)
    ]
    columns = [Column(METRIC), *(Column(title_of(m), "number") for m in metrics)]
    rows = [[title_of(a), *(found[a, b][0].value for b in metrics)] for a in metrics]
    return Listing(columns, rows, _notes(s, coefficient, side), {"coefficient": coefficient, "side": side, "pairs": pairs})


def against(s: Scored, metrics: Sequence[str], coefficient: str, metric: str) -> Listing:
    """A coefficient of one metric with each of the others, for recall, precision and F, each with its p."""
    check_name("metric", metric, s.metrics)
    sides = [side for side in ("recall", "precision", "value") if metric in s.values[side]]
    columns = [Column(METRIC)]
    for side in sides:
        columns += [Column(TITLES[side], "number"), Column(f"p ({TITLES[side]})", "p")]
    rows = []
    for m in metrics:
        if m != metric:
            none = Correlation(math.nan, math.nan)
            found = [s.correlation(metric, m, coefficient, side)[0] if m in s.values[side] else none for side in sides]
            rows.append([title_of(m), *(x for value, p in found for x in (value, p))])
    return Listing(columns, rows, [f"with {metric}", *_notes(s, coefficient, "")], {"with": metric, "coefficient": coefficient})


def rank_changes(s: Scored, metrics: Sequence[str]) -> Listing:
    """The rank of each thing by each metric, 1 for the best; and which pairs of things are ordered differently."""
    ranks = {m: s.ranks(m) for m in metrics}
    labels = [SYSTEM, DOCUMENT][: len(s.things[0])]
    rows = [[*thing, *(ranks[m][n] for m in metrics)] for n, thing in enumerate(s.things)]
    pairs = len(s.things) * (len(s.things) - 1) // 2
    notes, facts = [], []
    for a, b in combinations(metrics, 2):
        reversed_ = s.reversals(a, b)
        facts.append({"metrics": [a, b], "reversed": [[" ".join(s.things[i]), " ".join(s.things[j])] for i, j in reversed_]})
        if reversed_:
            some = "; ".join(f"{' '.join(s.things[i])} before {' '.join(s.things[j])}" for i, j in reversed_[:3])
            more = "; …" if len(reversed_) > 3 else ""
            notes.append(f"{a} and {b} reverse {len(reversed_)} of {pairs} pairs; by {a}: {some}{more}")
    columns = [*(Column(label) for label in labels), *(Column(title_of(m), "number", form="g") for m in metrics)]
    return Listing(columns, rows, notes or ["no two metrics reverse any pair"], {"reversals": facts})


def plot(s: Scored, path: str, metrics: Sequence[str], coefficient: str, side: str, metric: str | None) -> None:
    """Draw a metric against each of the others, thing by thing; or, of all pairs, the coefficients as colours."""
    metrics = s.having(side, metrics)
    if metric is None:
        size = max(4.0, 0.5 * len(metrics) + 2)
        drawn = figure(size + 1, size)
        axis = drawn.subplots()
        values = np.array([[s.correlation(a, b, coefficient, side)[0].value for b in metrics] for a in metrics])
        image = axis.imshow(values, vmin=-1, vmax=1, cmap="RdBu")
        axis.set_xticks(range(len(metrics)), metrics, rotation=90)
        axis.set_yticks(range(len(metrics)), metrics)
        for (row, column), value in np.ndenumerate(values):
            if not math.isnan(value):
                colour = "white" if abs(value) > 0.6 else "black"
                axis.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize="x-small", color=colour)
        drawn.colorbar(image, label=coefficient)
    else:
        check_name(f"metric with {side}", metric, metrics)
        metrics = [m for m in metrics if m != metric]
        wide = min(len(metrics), 4)
        deep = -(-len(metrics) // wide)
        drawn = figure(3.2 * wide, 3 * deep)
        axes: list[Any] = drawn.subplots(deep, wide, squeeze=False).ravel().tolist()
        for axis, m in zip(axes, metrics, strict=False):
            axis.scatter(s.values[side][m], s.values[side][metric], s=9, alpha=0.6)
            r = s.correlation(metric, m, coefficient, side)[0].value
            axis.set(xlabel=m, ylabel=metric, title=f"{coefficient} {r:.3f}")
        for axis in axes[len(metrics) :]:
            axis.set_axis_off()
    save(drawn, path)


def _notes(s: Scored, coefficient: str, side: str) -> list[str]:
    documents = len(s.things[0]) > 1
    what = f"{coefficient} over {len(s.things)} {'documents of systems' if documents else 'systems'}"
    return [f"{what}, {TITLES[side]}" if side in SIDES else what]
