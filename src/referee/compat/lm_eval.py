"""A task of lm-evaluation-harness: what integrations/lm_eval/referee_coreference computes.

The documents are those of a key, which `--metadata` names; each is a row with its name, a prompt and the path of the key. What
an answer counts is the value of every metric; `corpus_score` adds these values over documents and divides last. So the scores
are what `referee.score` reports of a folder of these answers, and no means of documents.

Needs the extra `referee[lm-eval]`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from referee.basics.exceptions import MissingExtraError, OptionError
from referee.compat.harness import answer_scorer, corpus_scores, document_of
from referee.compat.prompts import prompts
from referee.corpus import Corpus
from referee.inputs.reading import read

Row: TypeAlias = dict[str, str]
"""A document as the harness has it: ``doc_id``, ``prompt`` and ``key``, the path."""
Figure: TypeAlias = dict[str, Any]
"""A ``figure`` of a document, its ``value`` and the ``record`` that it is made of."""
Number: TypeAlias = dict[str, Any]
"""A ``number`` that is added over answers, and ``notes`` about it."""

FIGURES = {
    "conll": "conll",
    "lea_f1": "lea", "lea_recall": "lea", "lea_precision": "lea",
    "mentions_f1": "mentions", "mentions_recall": "mentions", "mentions_precision": "mentions",
    "muc_f1": "muc", "b_cubed_f1": "b_cubed", "ceaf_e_f1": "ceaf_e",
}  # fmt: skip
"""The figures that the task reports, by the names of `Scores.flat` -> the metric of each."""

SCORED = answer_scorer(sorted(set(FIGURES.values())))


def documents(key: str = "", form: str = "tagged", **_others: object) -> dict[str, Any]:
    """Return the documents of a key as the split "test"; the harness calls it with its metadata.

    Parameters
    ----------
    key : str
        A path, in any format of Referee that has words.
    form : str
        How the model is asked to answer, one of `referee.compat.prompts.PROMPTS`: "tagged" or "quotes".

    Raises
    ------
    OptionError
        If no key is named.
    MissingExtraError
        Without `datasets`.
    """
    if not key:
        raise OptionError("""found no key; expected its path: --metadata '{"key": "key.conll"}'""")
    try:
        from datasets import Dataset
    except ImportError:
        raise MissingExtraError("the task of lm-evaluation-harness", "lm-eval") from None
    rows = [
        {"doc_id": name, "prompt": prompt, "key": os.path.abspath(key)} for name, prompt in prompts(read(key), form).items()
    ]
    return {"test": Dataset.from_list(rows)}


def process_results(row: Row, results: Sequence[str]) -> dict[str, Figure | Number]:
    """Score the answer about a document.

    Returns
    -------
    dict
        Each of `FIGURES` -> its value, and the counts that `corpus_score` adds; and what is counted of answers,
        such as ``unread`` -> a number, and why. An answer that cannot be read counts as one without entities.
    """
    answer = SCORED(document_of(_key(row["key"]), row["doc_id"]), results[0])
    flat, record = answer.evaluation.flat(), answer.record
    values: dict[str, Figure | Number] = {
        figure: {"figure": figure, "value": flat[figure], "record": {**record, "counts": {metric: record["counts"][metric]}}}
        for figure, metric in FIGURES.items()
    }
    notes = {"unread": [answer.error] if answer.error else [], "repaired": list(answer.notes)}
    values |= {name: {"number": number, "notes": notes.get(name, [])} for name, number in record["numbers"].items()}
    return values


def corpus_score(values: Sequence[Figure]) -> float:
    """Return a figure of the corpus: counts of all documents added, then divided."""
    return corpus_scores([value["record"] for value in values])[values[0]["figure"]]


def total(values: Sequence[Number]) -> int:
    """Return the sum of numbers."""
    return sum(value["number"] for value in values)


@lru_cache(maxsize=4)
def _key(path: str) -> Corpus:
    return read(path)
