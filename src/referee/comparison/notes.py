"""The notes of a comparison: what was left out, what is only a bound, and which intervals are missing or rough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.basics.exceptions import counted, one_line
from referee.comparison.values import Part
from referee.matching.key_samples import ESTIMATE
from referee.metrics.scores import Scores
from referee.scoring.by import OVER_ALL
from referee.scoring.intervals import about_undefined
from referee.scoring.systems import bounds
from referee.stats.settings import RELIABLE, Resampling, format_unit


def about_metrics(corpora: Mapping[str, Mapping[str, Scores]], metrics: Sequence[str]) -> Iterator[str]:
    """The metrics that only some keys call for, and the scores that are lower bounds."""
    left_out = dict.fromkeys(
        m for by_system in corpora.values() for e in by_system.values() for m in e.counts if m not in metrics
    )
    if left_out:
        yield f"left out, as not all scores have them: {', '.join(left_out)}"
    for corpus, by_system in corpora.items():
        for system, e in by_system.items():
            yield from bounds(e, metrics, ", ".join(filter(None, (one_line(system), one_line(corpus)))))


def about_samples(corpora: Mapping[str, Mapping[str, Scores]]) -> Iterator[str]:
    """That differences are those of a sample, where a warning says that the key seems to be one."""
    messages = [
        w for by_system in corpora.values() for e in by_system.values() for w in getattr(e, "warnings", ())
    ]  # not stored
    if any(ESTIMATE in message for message in messages):
        records = "differences and p are of the records of the key, and not of all"
        yield f"{records}: if it is a sample, referee estimate KEY A B compares two responses on it"


def about_intervals(parts: Sequence[Part], r: Resampling, metrics: Sequence[str], remedy: str = "") -> list[str]:
    """Where no interval can be given, how many resamples are left out, and which intervals are of very few units."""
    notes = []
    lone = [part for part in parts if part.units < 2]
    if len(lone) == len(parts):
        return [r.caution(parts[-1].units, remedy)]
    if lone and any(part.units > 1 and part.name not in OVER_ALL for part in parts):
        groups = f"{counted(len(lone), 'group')} of one {r.unit or 'document'}"
        notes.append(f"no interval can be given for {groups}, nor for a mean over groups with one")
    for part in (part for part in parts if part.units > 1):
        for system, cells in part.cells.items():
            intervals = {m: i for m in metrics if (i := cells[m].interval)}
            if note := about_undefined(f"{system}, {part.name}", intervals, {m: cells[m].score.value for m in intervals}, r):
                notes.append(note)
    few = sum(1 < part.units < RELIABLE for part in parts if part.name not in OVER_ALL)
    if caution := r.caution(parts[-1].units):
        notes += [caution, *_about_p(parts[-1], r)]
    elif few:
        groups = f"{counted(few, 'group')} of fewer than {RELIABLE} {format_unit(r.unit)}"
        notes.append(f"the intervals of {groups} are too narrow to be relied on")
    return notes


def _about_p(part: Part, r: Resampling) -> list[str]:
    """The least p that so few units can give, where that is too much: of 2ⁿ exchanges, two give the largest difference."""
    least = 2.0 ** (1 - part.units)
    differences = [cell.difference for by_metric in part.cells.values() for cell in by_metric.values() if cell.difference]
    if not differences or not all(d.exact for d in differences) or r.test != "randomization" or least <= 1 - r.level:
        return []
    return [f"with {format_unit(r.unit, part.units)} p cannot be below {least:.10g}, so no difference can be significant"]


def about_means(name: str, what: str, over: Mapping[str, Sequence[int]], total: int) -> list[str]:
    """The metrics whose mean is not over all documents, or groups; and their sides, where these have fewer still.

    Parameters
    ----------
    name, what
        The name of the part, and what the mean is over: "documents" or "groups".
    over
        Metric -> how many are in the mean of each side.
    of
        How many there are.
    """
    fewer = []
    for metric, numbers in over.items():
        for side, number in zip(("", " recall", " precision"), numbers, strict=False):
            if number < (numbers[0] if side else total):
                fewer.append(f"{metric}{side} {number}")
    if not fewer:
        return []
    return [f"{one_line(name)}: means over the {what} where all systems have a score, of {total}: {', '.join(fewer)}"]
