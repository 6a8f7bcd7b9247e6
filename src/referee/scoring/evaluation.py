"""`Evaluation`: the scores of one response, and what they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referee.basics.exceptions import UnknownNameError, brief, one_line, warn
from referee.basics.options.documents import DocumentFilter
from referee.basics.options.options import Options
from referee.basics.system_names import name_of
from referee.corpus import Corpus
from referee.corpus.views import Entity
from referee.matching.matchers import Matching
from referee.matching.pair import Pair, pair_of
from referee.metrics.ceaf import SIMILARITIES
from referee.metrics.counting import counted, counted_at_once
from referee.metrics.metric import Metric
from referee.metrics.pairs import check_decided
from referee.metrics.registry import METRICS, MetricsArg, id_of, metric_named, others, panel_named, select_metrics
from referee.metrics.table import Table, table_of
from referee.metrics.titles import about_others
from referee.scoring.other_scorers.profiles import EMULATIONS, PROFILES, apply_emulation, split_emulated
from referee.scoring.response_scores import ResponseScores
from referee.scoring.signature import fields, short_signature, signature
from referee.stats.counts import Counts, concatenate

if TYPE_CHECKING:
    from referee.error_analysis.errors import Errors
    from referee.scoring.table_pair import TablePair


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(ResponseScores):
    """The scores of one response, as a mapping from metrics, with the pair that was counted.

    Parameters
    ----------
    compared : Pair or TablePair
        Key and response as they were compared; of tables, mentions are made only when something asks for them.
    warnings : tuple of str
        What was warned of when key and response were read and counted.

    Examples
    --------
    >>> from referee import score
    >>> evaluation = score([{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}])
    >>> evaluation["muc"].recall, evaluation["muc"].precision, evaluation["muc"].f1
    (0.5, 0.5, 0.5)

    Metrics that were not computed are, when you ask for them; aliases are accepted.

    >>> round(evaluation["md"].f1, 3)
    0.75
    """

    compared: Pair | TablePair
    warnings: tuple[str, ...] = ()

    @property
    def pair(self) -> Pair:
        """Key and response with the mentions that were compared."""
        return self.compared if isinstance(self.compared, Pair) else self.compared.pair

    def __repr__(self) -> str:
        return f"<Evaluation of {brief(self.name)}: {self.in_brief}, {len(self)} metrics>"

    @property
    def key(self) -> Corpus:
        """The key: what was scored of it."""
        return self.pair.key

    @property
    def response(self) -> Corpus:
        """The response: what was scored of it."""
        return self.pair.response

    @property
    def matching(self) -> Matching:
        """Which mentions were matched, all documents together."""
        return self.pair.matching

    @property
    def table(self) -> Table:
        """How key entities and response entities overlap, all documents together."""
        return table_of(self.pair)

    @property
    def other_metrics(self) -> list[str]:
        """A line on the metrics for this key that were not computed, if nobody named any; none where all were."""
        if self.panel != "corefud":
            return []
        key = self.pair.unfiltered.key
        return about_others(others({*key.own_features, key.format}, [self.panel]).values())

    def counts_of(self, metric: str) -> Counts:
        """The counts of one metric, one row a document; made now if the metric was not computed before."""
        name = metric if metric in self.counts else id_of(metric)
        if name in self.counts:
            return self.counts[name]
        return self.memo(("counts", name), lambda: self._counts_by({name: self.record(name)})[name])

    def _counts_by(self, metrics: Mapping[str, Metric]) -> Mapping[str, Counts]:
        """Count by more metrics."""
        return counts_by(metrics, self.pair, quiet=True)

    def record(self, metric: str) -> Metric:
        """The metric of a name, as the profile counts it."""
        record = self.metrics.get(metric) or metric_named(metric)
        return record if metric in self.metrics else PROFILES[self.options.profile].metrics.get(record.id, record)

    def alignment(self, metric: str = "ceaf_e") -> list[tuple[Entity, Entity]]:
        """The pairs of key and response entities that a CEAF metric aligns; only pairs with a mention in common."""
        name = id_of(metric)
        if name not in SIMILARITIES:
            raise UnknownNameError("alignment", metric, SIMILARITIES)
        cells = np.flatnonzero(self.table.alignment(SIMILARITIES[name]).weight)
        pairs = zip(self.table.key[cells].tolist(), self.table.response[cells].tolist(), strict=True)
        return [(Entity(self.key, k), Entity(self.response, r)) for k, r in pairs]

    def errors(self) -> Errors:
        """Find the errors of the response, and what they cost."""
        from referee.error_analysis.errors import Errors  # a plain score does not need it, and it is slow to import

        return Errors.of(self.pair, self)

    @property
    def key_name(self) -> str:
        """Where the key came from."""
        return self.compared.key_name


def evaluate_corpora(
    key: Corpus,
    response: Corpus,
    options: Options,
    metrics: MetricsArg = None,
    variants: Mapping[str, Metric] | None = None,
    *,
    name: str | None = None,
    reading_fields: Mapping[str, str] | None = None,
    documents: DocumentFilter | None = None,
) -> Evaluation:
    """Score two corpora.

    Parameters
    ----------
    key, response : Corpus
    options : Options
    metrics
        As for `score`.
    variants : mapping or None
        The metrics that the profile counts in its own way.
    name : str or None
        What reports call the response; None for its source.
    reading_fields : mapping or None
        What the signature says of how the two were read.
    documents : DocumentFilter or None
        Which documents are compared; None for all.
    """
    panels = panels_of(key, response)
    if key.decided_pairs is not None and len(key.decided_pairs.first) and key.pair_frame and key.pair_frame.matches_only:
        warn(f"{key.source} {MATCHES_ONLY}")
    pair = pair_of(key, response, options, documents)
    has = {*key.own_features, key.format}
    chosen_metrics, panel = (
        select_metrics(metrics, has, variants or {}, panels=panels),
        panel_named(metrics, has, panels=panels),
    )
    if "records" in panels and "pairs" not in panels and not panel:
        check_decided(chosen_metrics)
    called = name or name_of(response.source)
    return evaluate(pair, chosen_metrics, name=called, panel=panel, reading_fields=reading_fields)


MATCHES_ONLY = "lists matches only: all other pairs count as no match"
"""What is said of such a key."""


def panels_of(key: Corpus, response: Corpus) -> tuple[str, ...]:
    """The panels of CorefUD, and of two tables of records, the one that leads first; none of other texts.

    Pairs lead where both sides list pairs, or the key lists decisions of both kinds, which are a sample and make no entities.
    """
    if "texts" in (key.kind, response.kind):
        return ("corefud",) if key.format == "corefud" else ()
    listed = [side.pair_frame for side in (key, response) if side.pair_frame is not None]
    lead = len(listed) == 2 or (key.pair_frame is not None and not key.pair_frame.matches_only)
    return ("pairs", "records") if lead else ("records", "pairs") if listed else ("records",)


def evaluate(
    pair: Pair, metrics: Mapping[str, Metric], *, name: str, panel: str = "", reading_fields: Mapping[str, str] | None = None
) -> Evaluation:
    """Count a pair by metrics; the signature has `reading_fields`, too."""
    signed, counts = signatures(metrics, pair, panel, reading_fields=reading_fields), counts_by(metrics, pair)
    return Evaluation(one_line(name), pair.key.doc_ids, metrics, counts, pair.options, *signed, pair)


def signatures(
    metrics: Mapping[str, Metric],
    pair: Pair,
    panel: str = "",
    documents: int | None = None,
    reading_fields: Mapping[str, str] | None = None,
) -> tuple[str, str]:
    """Return the signature of scores and the short one; of more `documents` than the pair has if that is given."""
    own = _own(metrics, pair.options)
    listed = panel or "+".join(metric + "*" * (metric in own) for metric in metrics)
    named_fields = {**fields(pair, documents), **(reading_fields or {})}
    return signature(named_fields, listed), short_signature(named_fields, listed)


def counts_by(metrics: Mapping[str, Metric], pair: Pair, *, quiet: bool = False) -> dict[str, Counts]:
    """The counts by metrics; documents that repeat a mention as another program counts them, if the policy says so."""
    own, (other, replaced) = _own(metrics, pair.options), split_emulated(pair)
    fewer = {name: record for name, record in metrics.items() if name in replaced - own}
    counts = counted(pair, {name: record for name, record in metrics.items() if name not in fewer}, quiet=quiet)
    if fewer:
        counts |= counted(other, fewer, quiet=True)
    counts = {name: counts[name] for name in metrics}
    return counts | apply_emulation(pair, {name: c for name, c in counts.items() if name not in own})


def counts_of_pairs(metrics: Mapping[str, Metric], pairs: Sequence[Pair]) -> Mapping[str, Counts]:
    """The counts of several small pairs with the same options by metrics of entities, one pair after the other."""
    options = pairs[0].options
    linked = any(side.links is not None for pair in pairs for side in pair.scored)
    if len(pairs) > 1 and not linked and options.lea_importance is None and options.repeated_mentions not in EMULATIONS:
        return counted_at_once(pairs, metrics)
    each = [counts_by(metrics, pair) for pair in pairs]
    return {name: concatenate([counts[name] for counts in each]) for name in metrics}


def _own(metrics: Mapping[str, Metric], options: Options) -> set[str]:
    """The metrics that the caller defined."""
    variants = PROFILES[options.profile].metrics
    return {name for name, record in metrics.items() if record not in (METRICS.get(name), variants.get(name))}
