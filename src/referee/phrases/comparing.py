"""Responses with phrases compared: `compare`.

What is resampled, and exchanged by the tests, is a sentence. All else is as for entities: see `referee.comparison.comparing`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.basics.exceptions import OptionError, check_name, one_line
from referee.basics.options.choices import PHRASE_ALIASES
from referee.basics.options.options import Options
from referee.basics.system_names import system_meant
from referee.basics.version import VERSION
from referee.comparison.comparing import named
from referee.comparison.notes import about_intervals
from referee.comparison.parts import part_of, sampled
from referee.comparison.result import Comparison
from referee.metrics.scores import Scores
from referee.phrases.formats.sides import PhraseKey, read_values
from referee.phrases.metrics import METRICS, OF_CHUNKS, OF_PREDICTIONS
from referee.phrases.predictions import Prediction, predictions
from referee.scoring.units import UnitCounts
from referee.stats.settings import Resampling, as_resampling


def compare(
    key: PhraseKey,
    *responses: Any,  # noqa: ANN401  # one after another, or a mapping or a list of them
    metrics: str | Sequence[str] | None = None,
    baseline: str | None = None,
    threshold: float = 0.5,
    decode: str = "conlleval",
    resampling: Resampling | None = None,
) -> Comparison:
    """Compare 1-best predictions: F1 of matched phrases with intervals, and tests of each response against a baseline.

    Parameters
    ----------
    key
        As `referee.phrases.score` takes it.
    *responses
        One response after another; or one mapping from names to responses.
    metrics
        Metrics of matched phrases; None for all four.
    baseline
        The name of a system, or its file; None for the first.
    threshold
        Of candidates with probabilities, those that are listed with at least this one are predicted.
    decode
        How tags become chunks.
    resampling
        How intervals and tests are made from sentences.

    Raises
    ------
    OptionError, UnknownNameError
        If names or metrics do not fit.
    MismatchError
        If the sentences of key and responses differ.

    Examples
    --------
    >>> key = [["B-PER", "O"], ["O", "B-LOC"], ["B-PER", "O"]]
    >>> comparison = compare(key, {"a": [["B-PER", "O"], ["O", "O"], ["O", "O"]], "b": key}, metrics="exact_match")
    >>> comparison.differences
    ['b − a: exact_match +50.00 [0.00, +100.00], p = 0.5000 (exact)']
    """
    check_metrics(metrics)
    systems = _named(responses)
    if baseline is not None:
        baseline = system_meant(baseline, {name: str(path) for name, path in systems.items() if isinstance(path, str)})
    read = read_values(key, list(systems.values()), decode=decode)
    predicted = predictions(read.key, read.responses, threshold=threshold)
    predicted = [each._replace(settings={**each.settings, **read.settings}) for each in predicted]
    return compared(dict(zip(systems, predicted, strict=True)), metrics=metrics, baseline=baseline, resampling=resampling)


def compared(
    systems: Mapping[str, Prediction],
    *,
    metrics: str | Sequence[str] | None = None,
    baseline: str | None = None,
    resampling: Resampling | None = None,
) -> Comparison:
    """Compare predictions that were read. Parameters as of `compare`."""
    names = check_metrics(metrics)
    baseline, r = baseline or next(iter(systems)), replace(as_resampling(resampling).for_units(0), unit="sentence")
    if r.method == "linear":
        raise OptionError("a comparison resamples sentences, for its tests; expected another method of intervals than linear")
    check_name("system", baseline, systems)
    scores = {name: _scores(one_line(name), prediction, names) for name, prediction in systems.items()}
    key = next(iter(systems.values())).key
    text, sentences = (key.source,) * len(key.sentences), np.ones(len(key.sentences), dtype=bool)
    units = UnitCounts(text, {name: each.counts for name, each in scores.items()}, dict.fromkeys(scores, sentences))
    samples = sampled("", units, baseline, r, zero_division=math.nan, beta=1.0, random=False)
    parts = (part_of("micro", units, samples, baseline, r),)
    return Comparison(
        key=one_line(key.source),
        systems=tuple(scores),
        metrics=tuple(names),
        units=dict.fromkeys(names, ""),
        baseline=baseline,
        parts=parts,
        resampling=r,
        notes=tuple(about_intervals(parts, r, names)),
        evaluations={"": scores},
    )


def check_metrics(metrics: str | Sequence[str] | None) -> list[str]:
    """The metrics that are compared. OptionError for others: of bits, less is better, and most have no F1."""
    if metrics == "all":
        return [*OF_PREDICTIONS]
    listed = metrics.split(",") if isinstance(metrics, str) else OF_CHUNKS if metrics is None else metrics
    names = list(dict.fromkeys(PHRASE_ALIASES.get(name.strip(), name.strip()) for name in listed))
    if wrong := next((name for name in names if name not in OF_PREDICTIONS), None):
        raise OptionError(f"found the metric {wrong!r}; expected metrics of predictions: {', '.join(OF_PREDICTIONS)}")
    return names


def _named(responses: Sequence[Any]) -> dict[str, Any]:
    """The responses by their names. A list alone is one response: the tags of each sentence."""
    return named(responses[0] if len(responses) == 1 and isinstance(responses[0], Mapping) else responses)


def _scores(name: str, prediction: Prediction, metrics: Sequence[str]) -> Scores:
    """A prediction as the counts of its sentences."""
    counts = {metric: count(*prediction[:2]) for metric in metrics if (count := METRICS[metric].count)}
    settings = [f"{name}:{value}" for name, value in prediction.settings.items()]
    signature, short = (
        " | ".join([f"referee {VERSION} phrases", *settings]),
        "|".join([f"referee:{VERSION} phrases", *settings]),
    )
    return Scores(name, prediction.key.sentences.ids, {}, counts, Options(), signature, short)
