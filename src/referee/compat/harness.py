"""What scorers for harnesses that evaluate language models share: an answer is scored alone, all answers by their counts.

A harness hands over one answer at a time and keeps what is returned as JSON. So what an answer counts is an `AnswerRecord` of
plain numbers, and the scores of the corpus are made of the records: counts are added, and divided last. The digits are those of
one call of `referee.score` with all documents.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

import numpy as np

from referee.answers.answer import UNREAD
from referee.basics.exceptions import MismatchError, OptionError, RefereeError, RefereeWarning, UnknownNameError, listed
from referee.basics.options.options import Options, check_options
from referee.corpus import Corpus, CorpusBuilder
from referee.inputs.answers import Answer
from referee.matching.pair import pair_of
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS, MetricsArg, select_metrics
from referee.metrics.scores import Scores
from referee.scoring.evaluation import Evaluation, evaluate_corpora
from referee.scoring.other_scorers.profiles import profile_named
from referee.scoring.score import score
from referee.stats.counts import Counts, concatenate

DEFAULT = ("mentions", "muc", "b_cubed", "ceaf_e", "lea", "conll")
"""The metrics unless others are named."""


class AnswerRecord(TypedDict):
    """What one answer counts, as JSON.

    Parameters
    ----------
    counts : mapping
        Metric -> the columns of its counts, a number for each document.
    numbers : mapping
        ``unread``: 1 if it could not be read, and counts as an answer without entities. ``without_entities``: 1 if it has
        none, as it could not be read, or is a refusal in words, or says so. ``repaired``: how much was repaired.
    profile, options
        How it was scored.
    """

    counts: dict[str, dict[str, list[float]]]
    numbers: dict[str, int]
    profile: str
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """An answer that was scored.

    Parameters
    ----------
    evaluation : Evaluation
        Its scores.
    error : str
        Why it could not be read; empty if it was.
    notes : tuple of str
        What was repaired, and other warnings.
    record : AnswerRecord
        What it counts.
    """

    evaluation: Evaluation
    error: str
    notes: tuple[str, ...]
    record: AnswerRecord

    @property
    def explanation(self) -> str:
        """What was wrong with it, its scores and how they were made, as text."""
        unread = f"The answer counts as one without entities, as it cannot be read: {self.error}" if self.error else ""
        return "\n\n".join(filter(None, [unread, *self.notes, self.evaluation.report().strip()]))


def answer_scorer(
    metrics: MetricsArg = DEFAULT, profile: str = "default", options: Mapping[str, Any] | None = None
) -> Callable[[Corpus, str], ScoredAnswer]:
    """Return the function that scores an answer against the key of its document.

    Parameters
    ----------
    metrics
        Names of metrics, as for `referee.score`; "all" and None are those that the key of an answer calls for.
    profile : str
        One of `PROFILES`.
    options : mapping, optional
        Fields of `Options`.

    Raises
    ------
    UnknownNameError, OptionError
        If a name or value is not known, or if entities are cross-document.
    """
    options = dict(options or {})
    check_options(options)
    settings = profile_named(profile)
    if replace(settings.options, **options).cross_document:
        raise OptionError("answers are scored one by one; expected no cross_document: score them together with referee.score")
    named = select_metrics(metrics, (), settings.metrics)
    if unknown := [name for name, metric in named.items() if {**METRICS, **settings.metrics}.get(name) is not metric]:
        raise OptionError(f"found {listed(unknown)}, which the log of a harness cannot hold; expected names of metrics")
    if callable(options.get("match")):
        raise OptionError("found a matcher of your own, which the log of a harness cannot hold; expected a name, as 'overlap'")

    def scored(key: Corpus, answer: str) -> ScoredAnswer:
        error = ""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                evaluation = score(key, Answer(answer, "answer"), metrics=metrics, profile=profile, name="answer", **options)
            except RefereeError as problem:
                error, made = str(problem), replace(settings.options, **options)
                evaluation = evaluate_corpora(key, _nothing(key), made, metrics, settings.metrics, name="answer")
        notes = tuple(str(w.message) for w in caught if issubclass(w.category, RefereeWarning)) if not error else ()
        record = AnswerRecord(
            counts={
                metric: {name: column.tolist() for name, column in counts.columns.items()}
                for metric, counts in evaluation.counts.items()
            },
            numbers={
                "unread": int(bool(error) or UNREAD in evaluation.pair.repairs),
                "without_entities": int(not len(evaluation.pair.unfiltered.response.document)),
                "repaired": 0 if error else sum(evaluation.pair.repairs.values()),
            },
            profile=profile,
            options=options,
        )
        return ScoredAnswer(evaluation, error, notes, record)

    return scored


def corpus_scores(records: Sequence[AnswerRecord]) -> dict[str, float]:
    """Return the scores of all answers by the names of `Scores.flat`: ``muc_f1``, ``conll``; nan where undefined.

    Raises
    ------
    OptionError
        If the answers were not scored in one way.
    """
    if not records:
        return {}
    first, *others = records
    for other in others:
        if differing := sorted(other["counts"].keys() ^ first["counts"].keys()):
            raise OptionError(f"only some answers were scored by {listed(differing)}; expected names of metrics")
        # The text of options, as nan is not equal to itself.
        if repr((other["profile"], other["options"])) != repr((first["profile"], first["options"])):
            raise OptionError("found answers that were scored with different options; expected the same")
    settings = profile_named(first["profile"])
    metrics = {name: {**METRICS, **settings.metrics}[name] for name in first["counts"]}
    counts = {name: _added(metric, [record["counts"][name] for record in records]) for name, metric in metrics.items()}
    documents = tuple(map(str, range(len(records))))
    return Scores("answers", documents, metrics, counts, replace(settings.options, **first["options"]), "", "").flat()


def added_numbers(records: Sequence[AnswerRecord]) -> dict[str, int]:
    """Return the numbers of all answers."""
    added: Counter[str] = Counter()
    for record in records:
        added.update(record["numbers"])
    return dict(added)


def _added(metric: Metric, answers: Sequence[Mapping[str, Sequence[float]]]) -> Counts:
    """The documents of all answers; how counts are divided, the metric says when it counts nothing."""
    nothing = CorpusBuilder().corpus()
    empty = metric.of_pair(pair_of(nothing, nothing, Options()))
    rows = [{name: np.array(column) for name, column in columns.items()} for columns in answers]
    return concatenate([replace(empty, columns=columns) for columns in rows])


def document_of(key: Corpus, name: str) -> Corpus:
    """Return one document of a key. MismatchError if there is none of that name."""
    if name not in key.doc_ids:
        unknown = UnknownNameError("document", name, key.doc_ids)  # harnesses do not show an error of several arguments as text
        raise MismatchError(f"{key.source}: {unknown}")
    return key.select_documents(np.array([key.doc_ids.index(name)]))


def _nothing(key: Corpus) -> Corpus:
    """The documents of a key without mentions."""
    builder = CorpusBuilder("answer")
    for name in key.doc_ids:
        builder.document(name)
    return builder.corpus()
