"""The metrics of phrases: `METRICS`."""

from __future__ import annotations

from dataclasses import dataclass

from referee.phrases.one_best import MATCHES


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
    match
        How chunks are matched, for metrics of chunks: one of `MATCHES`.
    one_best
        Whether the metric is only for 1-best predictions.
    """

    value: str = ""
    recall: str = ""
    precision: str = ""
    unit: str = ""
    match: str = ""
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
    **{f"{match}_match": PhraseMetric(match=match) for match in MATCHES},
}
"""The metrics, by id, in the order of reports."""

OF_CHUNKS = tuple(f"{match}_match" for match in MATCHES)
"""The metrics of a 1-best prediction if none is named: bits are for comparisons with probabilities."""

OVERVIEW = ("bits_per_sentence", "bits_per_chunk", "expected", "calibration_error", "zero_probability_events", "exact_match")
"""The metrics that are shown for several systems if none is named, and not all are 1-best predictions."""
