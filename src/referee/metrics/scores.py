"""`Scores`: the scores of one response by several metrics, for the corpus and for each document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from referee.basics.content import same_content
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.basics.memo import Memo
from referee.basics.names import AttributeHints, KeyCompletion
from referee.basics.options.options import Options
from referee.metrics.metric import Metric
from referee.metrics.registry import PLAIN_NAMES, main_metric, metric_named, plain_name
from referee.reports.numbers import number
from referee.stats.counts import Counts, Score, ScoreColumns, flat_scores


@dataclass(frozen=True, eq=False)
class Scores(Memo, KeyCompletion, AttributeHints, Mapping[str, Score]):
    """The scores of one response: a mapping from metrics to the `Score` of the corpus.

    Parameters
    ----------
    name : str
        What reports call the response.
    documents : sequence of str
        The names of the documents; a tuple, unless there are very many. Empty if a `Scorer` did not keep their rows.
    metrics : mapping
        Name -> the `Metric` that was computed.
    counts : mapping
        Name -> its `Counts`, one row a document.
    options : Options
        How key and response were compared.
    signature : str
        One line on how the numbers were computed, to be cited with them; * marks a metric that the caller defined.
    short_signature : str
        The same for a footnote: without the usual choices, and with letters for the others.
    """

    name: str
    documents: Sequence[str]
    metrics: Mapping[str, Metric]
    counts: Mapping[str, Counts]
    options: Options
    signature: str
    short_signature: str

    BETWEEN_MODULES = frozenset(
        {
            "blocks",
            "check_rows",
            "documents_counted",
            "has_rows",
            "memo_call",
            "other_metrics",
            "compared",
            "in_brief",
            "key_name",
            "memo",
            "panel",
            "record",
            "run",
            "rates_of",
        }
    )

    def __eq__(self, other: object) -> bool:
        """Whether scores were made in one way of the same counts; a dictionary is equal if it has the same scores."""
        if not isinstance(other, Scores):
            return super().__eq__(other)
        mine, others = ((s.name, s.signature, s.options, [*s.documents], dict(s.counts)) for s in (self, other))
        return same_content(mine, others)

    def __hash__(self) -> int:
        return hash((self.name, self.signature))

    @classmethod
    def _hint(cls, name: str) -> str:
        metric_id = PLAIN_NAMES.get(plain_name(name))
        return f"evaluation[{metric_id!r}] has the scores of this metric" if metric_id else super()._hint(name)

    def __getitem__(self, metric: str) -> Score:
        """The score of the corpus, micro or macro as the options say: fractions of 1, nan where undefined."""
        return self.macro(metric)[0] if self.options.average == "macro" else self.micro(metric)

    def __iter__(self) -> Iterator[str]:
        return iter(self.counts)

    def __contains__(self, metric: object) -> bool:
        return metric in self.counts

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def in_brief(self) -> str:
        """The metric of which one number is shown, with the number."""
        metric = main_metric(self.counts)
        return f"{metric} {number(self[metric].value, self.counts_of(metric).unit)}"

    @property
    def panel(self) -> str:
        """Which metrics these are, as the signature has it: "default", "all" or others; empty if they were named."""
        listed = "".join(self.signature.split(" | ")[1:2])
        return "" if listed.replace("*", "") == "+".join(self.counts).replace("*", "") else listed

    @property
    def other_metrics(self) -> list[str]:
        """A line on the metrics for this key that were not computed, if nobody named any; none where all were."""
        return []

    @property
    def run(self) -> Mapping[str, object]:
        """What the JSON report says of the engine that counted; empty where there was none."""
        return {}

    def counts_of(self, metric: str) -> Counts:
        """The counts of one metric, one row a document."""
        if metric not in self.counts:
            raise UnknownNameError("metric", metric, self.counts)
        return self.counts[metric]

    def record(self, metric: str) -> Metric:
        """The metric of a name, as it is counted here."""
        return self.metrics.get(metric) or metric_named(metric)

    def micro(self, metric: str) -> Score:
        """Counts of all documents added, then divided."""
        return self.memo(("micro", metric), lambda: self.rates_of(self.counts_of(metric).total())[0])

    def macro(self, metric: str) -> tuple[Score, int]:
        """The mean of the defined scores of documents, and the number of documents whose F, or value, is defined."""
        rows = self.columns(metric)
        return rows.mean(), int(np.count_nonzero(~np.isnan(rows.value)))

    def columns(self, metric: str) -> ScoreColumns:
        """The scores of all documents: arrays of shape (documents,). OptionError if a `Scorer` did not keep their rows."""
        self.check_rows()
        columns: ScoreColumns = self.memo(("columns", metric), lambda: self.rates_of(self.counts_of(metric)))
        return columns

    @property
    def documents_counted(self) -> int:
        """How many documents were counted."""
        return len(self.documents)

    @property
    def has_rows(self) -> bool:
        """Whether there are the counts of each document."""
        return all(len(column) == len(self.documents) for counts in self.counts.values() for column in counts.columns.values())

    def check_rows(self) -> None:
        """OptionError if a `Scorer` did not keep the counts of each document."""
        if not self.has_rows:
            raise OptionError("found the counts of all documents together; expected those of each: Scorer(..., rows=True)")

    @property
    def by_document(self) -> dict[str, ScoreColumns]:
        """Metric -> the scores of all documents."""
        return {name: self.columns(name) for name in self.counts}

    def document(self, name: str) -> dict[str, Score]:
        """The scores of one document."""
        columns = self.by_document
        if name not in self.documents:
            raise UnknownNameError("document", name, self.documents)
        row = self.documents.index(name)
        return {metric: rows[row] for metric, rows in columns.items()}

    def flat(self, prefix: str = "") -> dict[str, float]:
        """Return the scores of the corpus as one dictionary of numbers, as experiment trackers take them.

        Parameters
        ----------
        prefix : str
            What every name begins with, such as "dev/".

        Returns
        -------
        dict
            ``muc_recall``, ``muc_precision`` and ``muc_f1`` for a metric with sides (``muc_f2`` with beta 2), ``conll`` for one
            without. Fractions of 1; nan where undefined, unless the option ``zero_division`` gives another value.

        Examples
        --------
        >>> from referee import score
        >>> score([{"a", "b", "c"}], [{"a", "b"}], metrics="muc").flat("dev/")
        {'dev/muc_recall': 0.5, 'dev/muc_precision': 1.0, 'dev/muc_f1': 0.6666666666666666}
        """
        return flat_scores(self, prefix)

    def rates_of(self, counts: Counts) -> ScoreColumns:
        """Divide counts as the options say."""
        return counts.score(self.options.zero_division, self.options.beta)
