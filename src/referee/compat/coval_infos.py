"""`UaInfos`: what the reader of the Universal Anaphora scorer gives, and what its evaluator takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.basics.exceptions import OptionError
from referee.compat.programs.ua_scorer_1 import evaluated_1
from referee.compat.programs.universal_anaphora import METRICS, UaSettings
from referee.corpus import Corpus
from referee.metrics.metric import Metric
from referee.scoring.evaluation import Evaluation
from referee.stats.counts import Counts

NAMES = {ours: name for name, ours in METRICS.items()}
"""The program's name of each metric."""


@dataclass(frozen=True)
class UaInfos:
    """Key and response, and what is scored of them.

    Parameters
    ----------
    key, response : Corpus
        The documents that both have, as the program reads them.
    settings : UaSettings
        What is evaluated.
    minimum : bool
        Whether minimum spans match.
    """

    key: Corpus
    response: Corpus
    settings: UaSettings
    minimum: bool
    known: dict[bool, Evaluation] = field(default_factory=dict)

    def evaluation(self, only_split: bool = False) -> Evaluation:
        """The evaluation by all metrics of the settings; made once."""
        if only_split not in self.known:
            settings = self.settings._replace(only_split=only_split)
            self.known[only_split] = evaluated_1(self.key, self.response, settings, self.minimum)
        return self.known[only_split]

    def counts_of(self, metric: Metric, only_split: bool) -> Counts:
        """The counts of a metric, with split antecedents as the settings say, or of their alignment alone."""
        if metric.id not in NAMES:
            raise OptionError(f"found the metric {metric.id}; expected one of {', '.join(NAMES)}")
        name = self.settings._replace(only_split=only_split).ids(NAMES[metric.id])[0]
        return self.evaluation(only_split).counts_of(name)
