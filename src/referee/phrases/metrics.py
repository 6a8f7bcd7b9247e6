"""The metrics of phrases: `METRICS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from referee.phrases.accuracy import tag_accuracy
from referee.phrases.annotation import Chunks
from referee.phrases.one_best import MATCHES, match_by_sentence
from referee.stats.counts import Counts


@dataclass(frozen=True, slots=True)
class PhraseMetric:
    """A metric of phrases.

    Parameters
    ----------
    summary
        What it is, in a line.
    value, recall, precision
        Properties of `CandidateSums`: the one number of the metric, or F1 and its two sides. Empty if the metric is not a
        quotient of sums.
    unit
        The unit of the number; empty for fractions of 1.
    count
        Counts chunks or words of key and response in each sentence, for metrics of predictions.
    one_best
        Whether the metric is only for 1-best predictions.
    """

    summary: str
    value: str = ""
    recall: str = ""
    precision: str = ""
    unit: str = ""
    count: Callable[[Chunks, Chunks], Counts] | None = None
    one_best: bool = False

    @property
    def sides(self) -> dict[str, str]:
        """The properties of `CandidateSums`, by what they are: "value", "recall", "precision"."""
        sides = {"value": self.value, "recall": self.recall, "precision": self.precision}
        return {side: name for side, name in sides.items() if name}


SUMMARIES = {
    "exact": "phrases with the same span and type: F1 of conlleval and seqeval, strict of nervaluate",
    "span": "phrases with the same span, whatever their types: exact of nervaluate",
    "category": "phrases of the same type that share a word: ent_type of nervaluate",
    "partial": "phrases that share a word, whatever their types; a half where spans differ",
}

METRICS = {
    "bits_per_candidate": PhraseMetric("cross-entropy per candidate (Abney's H)", "bits_per_candidate", unit="bits"),
    "bits_per_sentence": PhraseMetric("cross-entropy per sentence", "bits_per_sentence", unit="bits"),
    "bits_per_chunk": PhraseMetric("cross-entropy per phrase of the key", "bits_per_chunk", unit="bits"),
    "log10_perplexity": PhraseMetric("logarithm of the number of equally likely parses", "log10_perplexity", unit="digits"),
    "expected": PhraseMetric("recall and precision where p counts as p of a phrase", "f1", "recall", "precision"),
    "brier": PhraseMetric("mean squared error of probabilities, per candidate", "brier", unit="squares"),
    "brier_per_sentence": PhraseMetric("the same, summed in each sentence", "brier_per_sentence", unit="squares"),
    "calibration_error": PhraseMetric("mean distance of probabilities from shares of true candidates"),
    "zero_probability_events": PhraseMetric(
        "true candidates with probability 0, and false ones with 1", "zero_probability_events", unit="events"
    ),
    "conditional_entropy": PhraseMetric(
        "bits that are missing if a prediction is known", "conditional_entropy", unit="bits per sentence", one_best=True
    ),
    **{f"{match}_match": PhraseMetric(SUMMARIES[match], count=partial(match_by_sentence, match=match)) for match in MATCHES},
    "accuracy": PhraseMetric("words with the tag of the key", count=tag_accuracy),
}
"""The metrics, by id, in the order of reports."""

OF_CHUNKS = tuple(f"{match}_match" for match in MATCHES)
"""The metrics of matched phrases."""

OF_PREDICTIONS = tuple(name for name, metric in METRICS.items() if metric.count)
"""The metrics with which reports begin if none is named: bits are for comparisons of probabilities."""

BITS = frozenset(name for name, metric in METRICS.items() if metric.unit in ("bits", "digits", "events"))
"""The metrics that a candidate with probability 0 makes infinite, and the number of these."""

OVERVIEW = ("bits_per_sentence", "bits_per_chunk", "expected", "calibration_error", "zero_probability_events")
"""The metrics of probabilities that are shown for several systems if none is named."""
