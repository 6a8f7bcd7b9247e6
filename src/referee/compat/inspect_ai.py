"""A scorer for Inspect (inspect-ai): answers of language models against the documents of a key.

::

    from inspect_ai import Task, task
    from inspect_ai.solver import generate
    from referee.compat.inspect_ai import coreference, samples

    @task
    def who_is_who():
        return Task(dataset=samples("key.conll"), solver=generate(), scorer=coreference("key.conll"))

The metrics of the task are the scores of the corpus: what the answers count is added over all samples, and over all epochs, and
divided last. They are what `referee.score` reports of a folder of these answers, and no means of documents. Three more are
numbers: of answers that cannot be read (``unread``), of those without entities, these among them (``without_entities``), and
of repairs (``repaired``). With several epochs these are those of an epoch, on average.

Needs the extra `referee[inspect]`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from referee.basics.exceptions import MissingExtraError, OptionError
from referee.compat.harness import DEFAULT, added_numbers, answer_scorer, corpus_scores, document_of
from referee.compat.prompts import prompts
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.inputs.reading import read

try:
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
    from inspect_ai.solver import TaskState
except ImportError:
    raise MissingExtraError("the scorer for Inspect", "inspect") from None

RECORD, EPOCH = "referee", "epoch"
"""Where the metadata of a score has what the answer counts, and the epoch of the sample."""


def samples(key: str | os.PathLike[str] | Corpus, form: str = "tagged") -> MemoryDataset:
    """Return a sample for each document of a key: the prompt that asks about it, and its name as the id.

    Parameters
    ----------
    key : path or Corpus
        In any format of Referee that has words.
    form : str
        How the model is asked to answer, one of `referee.compat.prompts.PROMPTS`: "tagged" or "quotes".
    """
    corpus = key if isinstance(key, Corpus) else read(key)
    return MemoryDataset([Sample(id=name, input=prompt) for name, prompt in prompts(corpus, form).items()], name=corpus.source)


@metric(scores="unreduced")
def corpus() -> Metric:
    """Add what the answers count, and divide last; answers of all epochs count."""

    def added(scores: list[SampleScore]) -> dict[str, float]:
        metadata = [sample.score.metadata or {} for sample in scores]
        records = [each[RECORD] for each in metadata]
        epochs = len({each.get(EPOCH) for each in metadata})
        return corpus_scores(records) | {name: number / epochs for name, number in added_numbers(records).items()}

    return added


@scorer(metrics=[corpus()])
def coreference(
    key: str | os.PathLike[str] | Corpus | None = None,
    *,
    metrics: str | Sequence[str] | None = DEFAULT,
    profile: str = "default",
    **options: Any,  # noqa: ANN401  # of several types
) -> Scorer:
    """Score the answer of a sample against its document of the key.

    An answer that cannot be read counts as one without entities. Its explanation says why, and the metric `unread` counts it.

    Parameters
    ----------
    key : path, Corpus or None
        The key of all samples: the id of a sample is the name of its document. None if the target of each sample is its key,
        as text in any format of Referee, such as a line of JSON.
    metrics : list of str, str or None
        As for `referee.score`, but names alone.
    profile : str
        One of `PROFILES`.
    **options
        Fields of `Options`.

    Raises
    ------
    FormatError, UnknownNameError, OptionError
        If the key cannot be read, or a name or value is not known.
    MismatchError
        For a sample whose id is no name of a document of the key.
    """
    count = answer_scorer(metrics, profile, options)
    corpus_of_key = key if key is None or isinstance(key, Corpus) else read(key)

    async def scored(state: TaskState, target: Target) -> Score:
        name, answer = str(state.sample_id), state.output.completion
        scored_answer = count(document_of(corpus_of_key, name) if corpus_of_key else _key_in(target, name), answer)
        return Score(
            value=scored_answer.evaluation.flat(),
            answer=answer,
            explanation=scored_answer.explanation,
            metadata={RECORD: scored_answer.record, EPOCH: state.epoch},
        )

    return scored


def _key_in(target: Target, name: str) -> Corpus:
    if not target.text.strip():
        raise OptionError(f"the sample {name} has no target; expected its key there as text, or coreference(key=...)")
    return read(Source(f"target of {name}", target.text.encode()))
