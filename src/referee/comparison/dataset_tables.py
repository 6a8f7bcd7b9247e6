"""The tables of shared tasks: systems by datasets, with the mean over these; and the means by several rules, as in CRAC."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TypeAlias

import numpy as np

from referee.basics.exceptions import OptionError, RefereeWarning
from referee.comparison.values import ComparisonCell, Part
from referee.metrics.best import TARGETS
from referee.metrics.scores import Scores
from referee.metrics.titles import SYSTEM, title_of
from referee.reports.listing import Cell, Column, Listing, Title
from referee.scoring.by import DATASETS, By
from referee.scoring.evaluation import Evaluation, evaluate_corpora
from referee.scoring.groups import grouped, grouping_of
from referee.scoring.other_scorers.profiles import PROFILES
from referee.stats.counts import mean

RULES: Mapping[str, tuple[Title, Mapping[str, str]]] = {
    "primary": (Title("head match"), {}),
    "partial": (Title("partial match"), {"match": "partial"}),
    "exact": (Title("exact match"), {"match": "exact"}),
    "singletons": (Title("with singletons"), {"singletons": "keep"}),
}
"""The columns of the table of CRAC: the rule of the task, and what is different in the others."""

ZEROS = "zero_anaphora"

ShowCell: TypeAlias = Callable[[ComparisonCell], Cell]
"""How a cell is shown."""


def datasets_table(parts: Sequence[Part], metric: str, unit: str, over: str, *, mean_cell: ShowCell, cell: ShowCell) -> Listing:
    """Return a row a system, the best first: its rank, the mean over the datasets, and its score on each.

    Parameters
    ----------
    parts
        Of a comparison: the datasets, all documents, and the mean.
    metric, unit
        The metric, and its unit.
    over
        What the datasets are.
    mean_cell, cell
        How a mean, and how another score is shown.

    Raises
    ------
    OptionError
        If there are no groups.
    """
    if len(parts) == 1:
        raise OptionError("the table datasets is of groups of documents; expected --by file, or other groups")
    *datasets, _, mean_of_all = parts
    values = {system: cells[metric].score.value for system, cells in mean_of_all.cells.items()}
    ranks = places(values, metric)
    names = without_ending([part.name for part in datasets])
    title = title_of(metric)
    columns = [Column(SYSTEM), Column("rank", "count"), Column("mean", "score", unit, group=title, field="mean")]
    columns += [Column(name, "score", unit, group=title, field=part.name) for name, part in zip(names, datasets, strict=True)]
    rows = [
        [
            system,
            ranks[system],
            mean_cell(mean_of_all.cells[system][metric]),
            *(cell(d.cells[system][metric]) for d in datasets),
        ]
        for system in sorted(values, key=ranks.__getitem__)
    ]
    legend = [f"mean: macro average of {len(datasets)} {'corpora' if over == 'corpus' else f'{over}s'}"]
    return Listing(columns, rows, legend=legend, whole=True)


def crac_table(systems: Mapping[str, Scores], by: By, *, decimals: str) -> Listing:
    """Return the means over datasets as the papers of CRAC have them: by the rule of the task and others, and of zeros.

    Parameters
    ----------
    systems
        System -> its scores.
    by
        "file" or "folder".
    decimals
        As in `Options`.

    Raises
    ------
    OptionError
        If there are no datasets, or the scores are not those of the CorefUD scorer.
    """
    first = next(iter(systems.values()))
    if by not in DATASETS or first.options.profile != "corefud-1.2":
        raise OptionError("the table crac is of files or folders; expected --by file (or folder) and --profile corefud-1.2")
    pairs = {system: s for system, s in systems.items() if isinstance(s, Evaluation)}
    if len(pairs) < len(systems):
        raise OptionError("the table crac scores by several rules; found counts: expected the files that were scored")
    means = {name: {s: _mean(_rescored(e, rule), by) for s, e in pairs.items()} for name, (_, rule) in RULES.items()}
    columns = [Column(SYSTEM), Column("rank", "count")]
    columns += [Column(title, "score", group=title_of("conll"), field=name) for name, (title, _) in RULES.items()]
    legend = [
        "conll: macro average over datasets; as the signature says, but with --match partial, exact, and --singletons keep"
    ]
    zeros = {system: _mean_of_zeros(e, by) for system, e in pairs.items()}
    if number := max(n for _, n in zeros.values()):
        means["zeros"] = {system: value for system, (value, _) in zeros.items()}
        columns.append(Column("zeros", "score", group=title_of(ZEROS), field="zeros"))
        legend.append(f"zeros: F1 of anaphoric zeros, macro average over the {number} datasets of which the key has some")
    ranks = places(means["primary"], "conll")
    best = {name: max(values.values()) for name, values in means.items()}
    rows = [
        [
            system,
            ranks[system],
            *(Cell(v[system], best=v[system] >= best[n] - 1e-12 and len(pairs) > 1) for n, v in means.items()),
        ]
        for system in sorted(pairs, key=ranks.__getitem__)
    ]
    return Listing(columns, rows, legend=legend, truncate=decimals == "truncate", whole=True)


def _rescored(e: Evaluation, rule: Mapping[str, str]) -> Scores:
    """The CoNLL average of an evaluation under another rule."""
    if not rule and "conll" in e.counts:
        return e
    options, pair = replace(e.options, **rule), e.pair  # type: ignore[arg-type]  # of the types that the options have
    of_key = [n for n, name in enumerate(pair.key.doc_ids) if name in (pair.key.in_files or {})]
    of_response = [n for n, name in enumerate(pair.key.doc_ids) if name not in pair.absent]
    key, response = (
        side.select_documents(np.array(documents, dtype=np.int64))
        for side, documents in zip(pair.unfiltered, (of_key, of_response), strict=True)
    )
    with warnings.catch_warnings():  # which were told when it was scored
        warnings.simplefilter("ignore", RefereeWarning)
        return evaluate_corpora(key, response, options, ["conll"], PROFILES[options.profile].metrics, name=e.name)


def _mean(scores: Scores, by: By) -> float:
    return grouped(scores, grouping_of(by, [scores]), ["conll"]).macro("conll")[0].value


def _mean_of_zeros(e: Evaluation, by: By) -> tuple[float, int]:
    """The mean F1 of anaphoric zeros over the datasets whose key has some, and their number."""
    scores = e if ZEROS in e.counts else replace(e, counts={**e.counts, ZEROS: e.counts_of(ZEROS)})
    parts = grouped(scores, grouping_of(by, [e]), [ZEROS])
    has_zeros = np.flatnonzero(parts.counts[ZEROS].columns["recall_denominator"])
    return mean(parts.columns(ZEROS).value[has_zeros].tolist()), len(has_zeros)


def places(values: Mapping[str, float], metric: str) -> dict[str, int]:
    """The place of each system; equal ones share it, and undefined ones are last.

    >>> places({"a": 0.5, "b": 0.7, "c": 0.5, "d": float("nan")}, "conll")
    {'a': 2, 'b': 1, 'c': 2, 'd': 4}
    """
    target = TARGETS.get(metric, 1.0)
    far = {system: abs(value - target) if value == value else np.inf for system, value in values.items()}  # noqa: PLR0124 -- nan
    return {system: 1 + sum(other < distance - 1e-12 for other in far.values()) for system, distance in far.items()}


def without_ending(names: Sequence[str]) -> list[str]:
    """Return names without what all of them end in, from a dash or a point on.

    >>> without_ending(["ca_ancora-corefud-test", "cs_pcedt-corefud-test"]), without_ending(["x", "y"])
    (['ca_ancora', 'cs_pcedt'], ['x', 'y'])
    """
    backwards = zip(*(name[::-1] for name in names), strict=False)
    ending = "".join(letters[0] for letters in takewhile(lambda letters: len(set(letters)) == 1, backwards))[::-1]
    cut = len(m[0]) if (m := re.search(r"[-.].*", ending)) else 0
    return [name[: len(name) - cut] or name for name in names]
