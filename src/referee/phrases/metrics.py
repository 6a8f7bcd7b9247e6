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


METRICS = {
    "bits_per_candidate": PhraseMetric("bits_per_candidate", unit="bits"),
    "bits_per_sentence": PhraseMetric("bits_per_sentence", unit="bits"),
    "bits_per_chunk": PhraseMetric("bits_per_chunk", unit="bits"),
    "log10_perplexity": PhraseMetric("log10_perplexity", unit="digits"),
    "expected": PhraseMetric("f1", "recall", "precision"),
    "brier": PhraseMetric("brier", unit="squares"),
    "brier_per_sentence": PhraseMetric("brier_per_sentence", unit="squares"),
    "calibration_error": PhraseMetric(),
    "zero_probability_events": PhraseMetric("zero_probability_events", unit="events"),
    "conditional_entropy": PhraseMetric("conditional_entropy", unit="bits per sentence", one_best=True),
    **{f"{match}_match": PhraseMetric(count=partial(match_by_sentence, match=match)) for match in MATCHES},
    "accuracy": PhraseMetric(count=tag_accuracy),
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
