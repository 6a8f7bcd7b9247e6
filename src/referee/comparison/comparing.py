"""Score several responses and compare them: `compare`, `comparison`, `intervals`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from referee.basics.exceptions import MismatchError, OptionError, check_name, one_line, shortened, warn
from referee.basics.names import check_call
from referee.basics.options.options import Options, names_given
from referee.basics.options.types import PairOptions
from referee.basics.system_names import names_of, system_meant
from referee.comparison.notes import about_intervals, about_means, about_metrics, about_samples
from referee.comparison.pairs import Pairs, all_pairs as tested
from referee.comparison.parts import Samples, added, mean_of, part_of, sampled
from referee.comparison.result import Comparison
from referee.comparison.single_units import parts_of_units
from referee.comparison.values import Part
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.registry import MetricsArg, metrics_named
from referee.metrics.scores import Scores
from referee.scoring.by import DATASETS, By, noun_of
from referee.scoring.datasets import about_missing
from referee.scoring.entity_units import MOST_COMPARED, about_largest, remedy, unit_of
from referee.scoring.evaluation import Evaluation
from referee.scoring.groups import check_groups, grouping_of, rows_of_groups
from referee.scoring.score import score_each
from referee.scoring.scores_in import scores_in
from referee.scoring.stored import StoredScores, as_stored, check_comparable, check_key
from referee.scoring.units import UnitCounts, joined, units_of
from referee.stats.settings import Resampling, as_resampling

if TYPE_CHECKING:
    from typing_extensions import Unpack


Compared: TypeAlias = Evaluation | StoredScores
"""The scores of a system that is compared."""


class CompareOptions(PairOptions, total=False):
    """The options of `compare` as type checkers see them: what `score` accepts."""

    metrics: MetricsArg
    threshold: float | None
    profile: str
    key_format: str | None
    response_format: str | None


@check_call(CompareOptions)
def compare(
    key: object,
    *responses: object,
    baseline: str | None = None,
    by: By = None,
    resampling: Resampling | None = None,
    all_pairs: bool = False,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Score several responses against a key, with intervals, and test each of them against a baseline.

    Parameters
    ----------
    key : path, Corpus or plain value
        As `score` accepts it. Scores need no key: ``compare(a, b)``, or None in its place.
    *responses
        One response after another, as `score` accepts them; or one mapping from the names of the systems to their responses, or
        one list of responses. All or none may be scores: evaluations of one key, scorers with ``rows=True``, counts files.
        Systems that are not named are called by their files, without endings, or by their number.
    baseline : str or None
        The name of a system, or its file; None for the first.
    by : str, callable or None
        "file" or "folder" for the files of the key, or the folders in it; "document"; or what gives the group of a document
        from its name; None for no groups.
    resampling : Resampling or None
        How intervals and tests are made; None for the defaults.
    all_pairs : bool
        Whether each system is tested against each other one, too, with p corrected for the number of pairs.
    **options
        What `score` accepts.

    Returns
    -------
    Comparison

    Raises
    ------
    OptionError, UnknownNameError
        If names or groups do not fit, and as `score` does.

    Examples
    --------
    >>> key = {"x": [{1, 2}, {3}], "y": [{1, 2, 3}]}
    >>> other = {"x": [{1, 2}, {3}], "y": [{1, 2}, {3}]}
    >>> cell = compare(key, {"a": key, "b": other}, metrics=["b_cubed"])["b", "b_cubed"]
    >>> round(cell.score.recall, 4), cell.difference.randomization, cell.difference.exact
    (0.7778, 1.0, True)
    >>> compare(key, key, other, metrics=["b_cubed"]).systems
    ('1', '2')

    Evaluations of one key are compared as they are.

    >>> from referee import score
    >>> round(compare({"a": score(key, key), "b": score(key, other)})["b", "muc"].difference.value, 4)
    -0.2
    """
    key, *others = map(_with_scores, (key, *responses))
    responses = tuple(others)
    if _are_scores(key):
        key, responses = None, (key, *responses)
    systems = named(_unambiguous(responses))
    if baseline is not None:
        paths = {name: path for name, response in systems.items() if (path := _path_of(response)) is not None}
        baseline = system_meant(baseline, paths)
    scored = {"": score_all(key, systems, **options)}
    return comparison(scored, baseline=baseline, by=by, resampling=resampling, all_pairs=all_pairs)


def _are_scores(value: object) -> bool:
    """Whether a value is scores, or a list or mapping of them: what needs no key."""
    if isinstance(value, Scores):
        return True
    return any(isinstance(each, Scores) for each in _first_of(value))


def _with_scores(value: object) -> object:
    """A value with the scores of counts files and of scorers in their place, also in a list or mapping of them."""
    if isinstance(value, (Mapping, list, tuple)) and not isinstance(value, Scores):
        if not any(each is not scores_in(each) for each in _first_of(value)):
            return value
        if isinstance(value, Mapping):
            return {name: scores_in(each) for name, each in value.items()}
        return [scores_in(each) for each in value]
    return scores_in(value)


def _first_of(value: object) -> list[object]:
    """The first value of a list or mapping, which may be one of very many."""
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return list(islice(values, 1))


def call_values(values: Sequence[object]) -> Mapping[str, Any] | Sequence[Any]:
    """The responses of a call, as `named` takes them: one after another, or all in one mapping or list.

    >>> call_values(["a.conll", "b.conll"]), call_values([{"ours": "a.conll"}]), call_values(["a.conll"])
    (['a.conll', 'b.conll'], {'ours': 'a.conll'}, ['a.conll'])
    """
    alone = values[0] if len(values) == 1 else None
    return alone if isinstance(alone, (Mapping, list, tuple)) and not isinstance(alone, Scores) else values


def _unambiguous(responses: Sequence[object]) -> Mapping[str, Any] | Sequence[Any]:
    """The responses of `compare`. OptionError for one list of lists: it may be one response, or several."""
    systems = call_values(responses)

    def may_be_entity(value: object) -> bool:  # and no response: only responses are lists of sets
        is_list = isinstance(value, (list, tuple)) and not any(isinstance(part, (set, frozenset)) for part in value)
        return is_list or isinstance(value, (set, frozenset))

    if systems is responses or isinstance(systems, Mapping) or not all(map(may_be_entity, systems)):
        return systems
    raise OptionError(
        "found one list of entities or labels; expected responses one after another, compare(key, a, b), or {name: response}"
    )


def named(responses: Mapping[str, Any] | Sequence[Any], names: str | None = None) -> dict[str, Any]:
    """Return the responses by the names of their systems.

    Parameters
    ----------
    responses
        As `compare` accepts them.
    names
        Names with commas between them; None for those of the files, or "1", "2", ...

    Raises
    ------
    OptionError
        If there is no response, or if two have one name.
    """
    if not responses:
        raise OptionError("found no response; expected at least one")
    if isinstance(responses, Mapping):
        return dict(responses)
    called = _called(responses) if names is None else names_given(names, len(responses))
    twice = next((name for n, name in enumerate(called) if name in called[:n]), None)
    if twice is not None:
        raise OptionError(f"found two named {shortened(twice)!r}; expected different names: --names (or a mapping)")
    return dict(zip(called, responses, strict=True))


def _called(responses: Sequence[object]) -> list[str]:
    """What systems are called if nobody names them: by their files, by names of their own, or by their numbers."""
    paths = {number: path for number, response in enumerate(responses) if (path := _path_of(response)) is not None}
    called = dict(zip(paths, names_of(list(paths.values())), strict=True))
    names = [called.get(n) or _own_name(response) or str(n + 1) for n, response in enumerate(responses)]
    if len(set(names)) < len(names) and all(isinstance(response, Scores) for response in responses):
        return [str(n + 1) for n in range(len(responses))]  # as several scorers call theirs
    return names


def _path_of(response: object) -> str | None:
    """The file of a response; None if it is a value."""
    if isinstance(response, Corpus):
        return response.source if response.format else None
    return os.fspath(response) if isinstance(response, (str, os.PathLike)) else None


def _own_name(response: object) -> str:
    if isinstance(response, Scores):
        return "" if response.name.startswith("<") else response.name
    return response.source if isinstance(response, Corpus) and not response.source.startswith("<") else ""


def score_all(key: object, responses: Mapping[str, Any], **options: Unpack[CompareOptions]) -> dict[str, Compared]:
    """Return the scores of each system; the key is read once, and scores need none."""
    scores = {name: response for name, response in responses.items() if isinstance(response, (Evaluation, StoredScores))}
    if scores:
        return _scored(key, scores, responses, options)
    return dict(zip(responses, score_each(key, list(responses.items()), **options), strict=True))


def _scored(
    key: object, scores: Mapping[str, Compared], responses: Mapping[str, Any], options: Mapping[str, object]
) -> dict[str, Compared]:
    """Scores, by the names of the systems."""
    if len(scores) < len(responses):
        raise OptionError("found scores, and others; expected scores alone, or responses")
    if superfluous := sorted(options.keys() - {"metrics"}):
        raise OptionError(f"found {superfluous[0]} with scores, which have options of their own; expected no such option")
    stored = {name: as_stored(each) for name, each in scores.items()}
    if key is not None and not (
        isinstance(key, (str, os.PathLike)) and all(stored[name] is each for name, each in scores.items())
    ):
        raise OptionError("found scores and a key; expected scores alone, which have been counted against one: compare(a, b)")
    check_comparable(stored)
    _check_keys(scores)
    if isinstance(key, (str, os.PathLike)):
        check_key(os.fspath(key), stored)
    metrics = options.get("metrics")
    names = None if metrics is None else list(metrics_named(metrics))  # type: ignore[arg-type]  # it raises
    return {name: replace(s if names is None else s.only(names), name=one_line(name)) for name, s in scores.items()}


def _check_keys(scores: Mapping[str, Compared]) -> None:
    """MismatchError if evaluations of texts have other keys; of files their sizes were compared."""
    texts = {
        name: e
        for name, e in scores.items()
        if isinstance(e, Evaluation) and isinstance(e.compared, Pair) and e.key.kind == "texts"
    }
    if len(texts) < 2:
        return
    (first, expected), *others = texts.items()
    for name, e in others:
        common = sorted({*e.documents} & {*expected.documents})
        sides = [each.key.select_documents(np.array(list(map(each.documents.index, common)), int)) for each in (e, expected)]
        if not os.path.isfile(e.key.source) and sides[0] != sides[1]:
            raise MismatchError(f"{name} was scored against another key than {first}: expected evaluations of one key")


def comparison(
    corpora: Mapping[str, Mapping[str, Compared]],
    *,
    baseline: str | None = None,
    by: By = None,
    resampling: Resampling | None = None,
    all_pairs: bool = False,
) -> Comparison:
    """Compare systems that were scored.

    Parameters
    ----------
    corpora
        Corpus -> system -> evaluation, with the same systems, metrics and options. Each of several corpora is a group.
    baseline, by, resampling, all_pairs
        As for `compare`.

    Raises
    ------
    OptionError, UnknownNameError
        If corpora, names or groups do not fit.
    """
    systems = tuple(next(iter(corpora.values())))
    evaluations = [e for by_system in corpora.values() for e in by_system.values()]
    first = evaluations[0]
    metrics = tuple(m for m in first.counts if all(m in e.counts for e in evaluations))
    if any(set(by_system) != set(systems) for by_system in corpora.values()):
        raise OptionError(f"found other systems in some corpora; expected {', '.join(systems)} in all of them")
    if by is not None and len(corpora) > 1:
        raise OptionError("found groups of documents in several corpora; expected one of the two: each corpus is a group")
    if not metrics:
        raise OptionError("found no metric that was computed for all corpora; expected --metrics with at least one")
    baseline, r = baseline or systems[0], as_resampling(resampling).for_units(0)
    if r.method == "linear":
        raise OptionError("a comparison resamples documents, for its tests; expected another method of intervals than linear")
    check_name("system", baseline, systems)
    compared = {
        name: {s: replace(by_system[s], counts={m: by_system[s].counts[m] for m in metrics}) for s in systems}
        for name, by_system in corpora.items()
    }
    if r.unit == "entity" and (by is not None or len(corpora) > 1):
        raise OptionError("entities are resampled in one corpus, without groups; expected no --by, or --unit document")
    alone = compared[next(iter(corpora))] if by is None and len(corpora) == 1 else {}
    unit = unit_of(r.unit, alone, MOST_COMPARED)
    r, of_corpora = replace(r, unit=unit), {name: units_of(by_system, unit) for name, by_system in compared.items()}
    units = joined([corpus_units for _, corpus_units in sorted(of_corpora.items())])
    by_system = next(iter(corpora.values()))
    grouping = grouping_of(by, by_system.values())
    groups = rows_of_groups(units.document, grouping) if by else _one_after_another(of_corpora) if len(corpora) > 1 else {}
    missing = list(about_missing(by_system, by)) if by in DATASETS else []
    for message in missing:
        warn(message)
    instead = remedy(unit, next(iter(compared.values())), grouped=by is not None)
    parts, notes = _parts(units, groups, baseline, r, first.options)
    pairs: Pairs = {}
    if all_pairs:
        order = [baseline, *(system for system in systems if system != baseline)]
        pairs = tested(order, lambda base: _parts(units, groups, base, r, first.options)[0], r)
        parts = pairs[baseline]
    return Comparison(
        key=", ".join(one_line(next(iter(by_system.values())).key_name) for by_system in corpora.values()),
        systems=systems,
        metrics=metrics,
        units={m: first.counts[m].unit for m in metrics},
        baseline=baseline,
        parts=parts,
        resampling=r,
        notes=(
            *missing,
            *about_metrics(corpora, metrics),
            *about_samples(corpora),
            *about_intervals(parts, r, metrics, instead),
            *filter(None, [about_largest(units.largest)]),
            *notes,
        ),
        evaluations=corpora,
        pairs=pairs,
        over="corpus" if len(corpora) > 1 else noun_of(by) if by else "group",
    )


def _one_after_another(corpora: Mapping[str, UnitCounts]) -> dict[str, Sequence[int]]:
    """The rows of each corpus where they are joined in the order of their names."""
    rows, first = {}, 0
    for name, units in sorted(corpora.items()):
        rows[name] = range(first, first := first + len(units.document))
    return {name: rows[name] for name in corpora}


def _parts(
    units: UnitCounts, groups: Mapping[str, Sequence[int]], baseline: str, r: Resampling, o: Options
) -> tuple[tuple[Part, ...], list[str]]:
    """The groups, all units, and the mean over groups; and notes on means that are not over everything.

    A group is given by its rows.
    """
    notes: list[str] = []

    def sample(name: str, units: UnitCounts, *, mean: bool, random: bool = False) -> Samples:
        if mean:
            units = units.averaged(o.zero_division, o.beta)
            notes.extend(about_means(name or "macro", "documents", units.averages, len(units.document)))
        return sampled(name, units, baseline, r, zero_division=o.zero_division, beta=o.beta, random=random)

    def over_all(name: str) -> Part:
        return part_of(name, units, sample("", units, mean=name == "macro"), baseline, r)

    check_groups(groups)
    if not groups:
        return (over_all(o.average),), notes
    if all(len(rows) == 1 for rows in groups.values()):  # their mean is over documents, and resampled as such
        alone = parts_of_units(list(groups), units.rows([row for (row,) in groups.values()]), baseline, o)
        return (*alone, *_micro_and_macro(units, baseline, r, o, notes)), notes
    of_groups, total = {}, None
    for name, rows in sorted(groups.items()):  # not as given, as sums of fractions depend on the order
        group = units.rows(rows)
        samples = sample(name, group, mean=o.average == "macro", random=True)
        of_groups[name] = part_of(name, group, samples, baseline, r)
        total = added(total, samples)
    assert total is not None  # there is a group
    parts = [*(of_groups[name] for name in groups), over_all("micro")]
    over = {metric: sample.groups[:, 0].astype(int).tolist() for metric, sample in total[baseline].items()}
    notes += about_means("macro", "groups", over, len(groups))
    return (*parts, part_of("macro", units, mean_of(total), baseline, r)), notes


def _micro_and_macro(units: UnitCounts, baseline: str, r: Resampling, o: Options, notes: list[str]) -> list[Part]:
    """Both means over all units, from the same resamples, which are made once."""
    means = units.averaged(o.zero_division, o.beta)
    notes.extend(about_means("macro", "documents", means.averages, len(units.document)))
    both = {
        system: {
            f"{name} {m}": counts for name, by_metric in (("micro", micro), ("macro", macro)) for m, counts in by_metric.items()
        }
        for (system, micro), macro in zip(units.systems.items(), means.systems.values(), strict=True)
    }
    samples = sampled("", replace(units, systems=both), baseline, r, zero_division=o.zero_division, beta=o.beta, random=False)
    return [
        part_of(
            name, units, {s: {m: sample[f"{name} {m}"] for m in units.systems[s]} for s, sample in samples.items()}, baseline, r
        )
        for name in ("micro", "macro")
    ]
