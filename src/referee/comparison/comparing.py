"""From a key and responses to a `Comparison`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.comparison.parts import Samples, added, mean_of, part_of, sampled
from referee.comparison.result import Comparison
from referee.comparison.rows import Rows, joined, rows_of
from referee.comparison.values import Part
from referee.corpus.corpus import Corpus
from referee.counts import ScoreColumns
from referee.exceptions import OptionError, check_name
from referee.formats.load.anything import read_corpus
from referee.messages import counted, one_line, shortened
from referee.options import Options
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score
from referee.scoring.systems import bounds
from referee.stats.settings import Resampling

OVER_ALL = ("micro", "macro")
"""The parts that are over all documents."""


def compare(
    key: Any,
    responses: Mapping[str, Any] | Sequence[Any],
    *,
    baseline: str | None = None,
    by: Callable[[str], str] | None = None,
    resampling: Resampling | None = None,
    **options: Any,
) -> Comparison:
    """Score several responses against a key, with intervals, and test each against a baseline.

    responses : name -> whatever `score` accepts; a list takes the names of files, or "1", "2", ...
    baseline  : the name of one; None for the first
    by        : gives the group of a document, by its name; None for no groups
    options   : what `score` accepts

    OptionError, UnknownNameError, and the errors of `score`.

    >>> key = {"x": [{1, 2}, {3}], "y": [{1, 2, 3}]}
    >>> found = compare(key, {"a": key, "b": {"x": [{1, 2}, {3}], "y": [{1, 2}, {3}]}}, metrics=["b_cubed"])
    >>> cell = found["b", "b_cubed"]
    >>> round(cell.score.recall, 4), cell.difference.randomization, cell.difference.exact
    (0.7778, 1.0, True)
    """
    return comparison({"": score_all(key, named(responses), **options)}, baseline=baseline, by=by, resampling=resampling)


def named(responses: Mapping[str, Any] | Sequence[Any], names: str | None = None) -> dict[str, Any]:
    """Name -> response. OptionError for none, or two of one name.

    names : of the responses, with commas between them; None for those of their files, or "1", "2", ...
    """
    if isinstance(responses, Mapping):
        found = dict(responses)
    else:
        own = (
            r if isinstance(r, str) else r.source if isinstance(r, Corpus) else str(n) for n, r in enumerate(responses, start=1)
        )
        called = list(own) if names is None else [name.strip() for name in names.split(",")]
        twice = next((name for n, name in enumerate(called) if name in called[:n]), None)
        if twice is not None:
            raise OptionError(f"found two named {shortened(twice)!r}; expected different names: --names (or a mapping)")
        if len(called) != len(responses) or not all(called):
            raise OptionError(f"found the names {names}; expected {len(responses)}, with commas between them, none empty")
        found = dict(zip(called, responses, strict=True))
    if not found:
        raise OptionError("found no response; expected at least one")
    return found


def score_all(
    key: Any,
    responses: Mapping[str, Any],
    *,
    metrics: Iterable[str] | Mapping[str, Any] | None = None,
    key_format: str | None = None,
    **options: Any,
) -> dict[str, Evaluation]:
    """System -> its evaluation; the key is read once."""
    corpus = read_corpus(key, key_format)
    chosen = metrics if metrics is None or isinstance(metrics, (Mapping, str)) else list(metrics)
    return {name: score(corpus, response, name=name, metrics=chosen, **options) for name, response in responses.items()}


def comparison(
    corpora: Mapping[str, Mapping[str, Evaluation]],
    *,
    baseline: str | None = None,
    by: Callable[[str], str] | None = None,
    resampling: Resampling | None = None,
) -> Comparison:
    """The comparison of systems that were scored.

    corpora : corpus -> system -> evaluation, with the same systems, measures and options; each of several corpora is a group
    """
    first = next(iter(corpora.values()))
    systems, some = tuple(first), next(iter(first.values()))
    metrics = tuple(m for m in some.counts if all(m in e.counts for of in corpora.values() for e in of.values()))
    if any(set(of) != set(systems) for of in corpora.values()):
        raise OptionError(f"found other systems in some corpora; expected {', '.join(systems)} in all of them")
    if by is not None and len(corpora) > 1:
        raise OptionError("found groups of documents in several corpora; expected one of the two: each corpus is a group")
    if not metrics:
        raise OptionError("found no measure that was computed for all corpora; expected --metrics with at least one")
    base, r = baseline or systems[0], resampling or Resampling()
    check_name("system", base, systems)
    found = {
        name: rows_of(
            {system: replace(of[system], counts={m: of[system].counts[m] for m in metrics}) for system in systems}, r.unit
        )
        for name, of in corpora.items()
    }
    rows = joined([rows for _, rows in sorted(found.items())])
    groups = _grouped(rows, by) if by else found if len(corpora) > 1 else {}
    _check_groups(groups)
    shown = metrics
    parts, means = _parts(rows, groups, base, r, some.options, shown)
    return Comparison(
        key=", ".join(one_line(next(iter(of.values())).key.source) for of in corpora.values()),
        systems=systems,
        metrics=metrics,
        shown=tuple(shown),
        units={m: some.counts[m].unit for m in metrics},
        baseline=base,
        parts=parts,
        resampling=r,
        notes=(*_not_everywhere(corpora, metrics), *_bounded(corpora, shown), *about_intervals(parts, r, shown), *means),
        evaluations=corpora,
    )


def intervals(evaluation: Evaluation, resampling: Resampling | None = None) -> Comparison:
    """One response, compared with nothing: its scores with intervals."""
    return comparison({"": {evaluation.name: evaluation}}, resampling=resampling)


def _parts(
    rows: Rows, groups: Mapping[str, Rows], baseline: str, r: Resampling, o: Options, shown: Sequence[str]
) -> tuple[tuple[Part, ...], list[str]]:
    """The groups, all rows, and the mean over groups; and which means are not over everything."""
    notes = []

    def sample(name: str, rows: Rows, *, mean: bool, drawn: bool = False) -> Samples:
        if mean:
            rows = rows.averaged(o.zero_division, o.beta)
            notes.extend(_left_out(name or "macro", "documents", rows.averages, len(rows.document), shown))
        return sampled(name, rows, baseline, r, o.zero_division, o.beta, drawn=drawn)

    def part(name: str, rows: Rows, samples: Samples) -> Part:
        return part_of(name, len(set(rows.document)), len(rows.document), samples, baseline, r)

    macro = o.average == "macro"
    if not groups:
        return (part(o.average, rows, sample("", rows, mean=macro)),), notes
    apart = all(len(members.document) == 1 for members in groups.values())
    found, over = {}, None
    for name, members in sorted(groups.items()):  # in an order of their own, as sums of fractions depend on it
        samples = sample(name, members, mean=macro and not apart, drawn=not apart)
        found[name] = part(name, members, samples)
        over = None if apart else added(over, samples)
    parts = [*(found[name] for name in groups), part("micro", rows, sample("", rows, mean=False))]
    if over is None:  # a mean over documents, which are resampled as such
        return (*parts, part("macro", rows, sample("", rows, mean=True))), notes
    first = {m: s.groups for m, s in over[baseline].items()}
    notes += _left_out("macro", "groups", first, len(groups), shown)
    return (*parts, part("macro", rows, mean_of(over))), notes


def _check_groups(groups: Iterable[str]) -> None:
    """OptionError for groups, or corpora, that a table could not tell from its own rows."""
    for name in groups:
        if name in ("", *OVER_ALL):
            raise OptionError(f"found a group, or corpus, called {name!r}; expected a name, and none of {', '.join(OVER_ALL)}")


def _grouped(rows: Rows, by: Callable[[str], str]) -> dict[str, Rows]:
    """The rows of each group, in the order of their names."""
    places: dict[str, list[int]] = {}
    for place, document in enumerate(rows.document):
        places.setdefault(by(document), []).append(place)
    return {group: rows.only(places[group]) for group in sorted(places)}


def _not_everywhere(corpora: Mapping[str, Mapping[str, Evaluation]], metrics: Sequence[str]) -> list[str]:
    """The measures that only some keys call for."""
    some = dict.fromkeys(m for of in corpora.values() for e in of.values() for m in e.counts if m not in metrics)
    return [f"left out, as not all keys call for them: {', '.join(some)}"] if some else []


def _bounded(corpora: Mapping[str, Mapping[str, Evaluation]], metrics: Sequence[str]) -> list[str]:
    """What is only known to be at least as printed."""
    return [
        note
        for corpus, of in corpora.items()
        for system, e in of.items()
        for note in bounds(e, metrics, ", ".join(filter(None, (one_line(system), one_line(corpus)))))
    ]


def about_intervals(parts: Sequence[Part], r: Resampling, metrics: Sequence[str]) -> list[str]:
    """Where no interval can be given, and how many resamples are left out."""
    notes = []
    lone = [part.name for part in parts if part.units < 2]
    if lone and len(lone) == len(parts):
        notes.append(r.too_few(parts[-1].units))
    elif lone and any(part.units > 1 and part.name not in OVER_ALL for part in parts):
        notes.append(
            f"no interval can be given for {counted(len(lone), 'group')} of one {r.unit}, nor for a mean over groups with one"
        )
    for part in parts:
        for system, cells in part.cells.items():
            intervals = {m: i for m in metrics if (i := cells[m].interval) and not math.isnan(cells[m].score.value)}
            some = ", ".join(f"{m} {i.undefined}" for m, i in intervals.items() if i.undefined)
            if some:
                place = f"{one_line(system)}, {one_line(part.name)}"
                notes.append(f"{place}: resamples with a score of 0/0, left out, of {r.resamples}: {some}")
    return notes


def _left_out(name: str, what: str, over: Mapping[str, ScoreColumns], of: int, metrics: Sequence[str]) -> list[str]:
    """The measures whose mean is not over all documents, or groups; and their sides, where these have fewer still.

    over : measure -> how many are in the mean of each side
    """
    fewer = []
    for m in metrics:
        sides = {"": over[m].value, " recall": over[m].recall, " precision": over[m].precision}
        fewer += [f"{m}{side} {n}" for side, n in sides.items() if n is not None and n < (over[m].value if side else of)]
    if not fewer:
        return []
    return [f"{one_line(name)}: means over the {what} where all systems have a score, of {of}: {', '.join(fewer)}"]
