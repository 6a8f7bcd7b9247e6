"""What the module for Hugging Face `evaluate` computes; the module itself is in integrations/evaluate/referee.

Predictions and references are lists of the same length, of one of these:

* documents: lists of clusters, which are lists of spans or of names;
* sentences: lists of lines of CoNLL, all of one document unless there are lines with ``#begin document``; or lists of tags;
* paths of files;
* labels: whole numbers, the entities of items.

Examples
--------
>>> key, response = [[[(0, 1), (4, 5), (7, 9)]]], [[[(0, 1), (4, 5)]]]
>>> compute(response, key, metrics="muc")
{'muc_recall': 0.5, 'muc_precision': 1.0, 'muc_f1': 0.6666666666666666, 'signature': 'referee ...'}
>>> compute(response, key, names="coval")["muc/recall"]
0.5

References
----------
``metrics/coval/coval.py`` and ``metrics/seqeval/seqeval.py`` of huggingface/evaluate, whose keys are those of `names`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from referee.basics.exceptions import MismatchError, OptionError, check_name
from referee.compat import coval as of_coval, seqeval as of_seqeval
from referee.corpus import Corpus
from referee.corpus.editing import concatenate
from referee.formats.shared.shapes import Foreign, shown
from referee.formats.shared.source import Source
from referee.inputs.reading import read
from referee.scoring.score import score

Documents: TypeAlias = Sequence[Foreign]
"""Documents, sentences, paths or labels, as `evaluate` gives them."""

Scores: TypeAlias = "dict[str, Foreign]"
"""Numbers by their names; among them the signature, or dictionaries for categories."""


def compute(predictions: Documents, references: Documents, *, names: str = "referee", **options: Foreign) -> Scores:
    """Score predictions.

    Parameters
    ----------
    predictions, references : list
        Response and key.
    names : str
        "referee" for the names of `Scores.flat` and a signature; "coval" or "seqeval" for what these modules of `evaluate`
        return.
    **options
        ``metrics``, ``profile`` and other options of `referee.score`; with other names, those of the other module.

    Raises
    ------
    MismatchError, OptionError, FormatError, UnknownNameError
        If the two have different lengths, cannot be read or compared, or a name or value is not known.
    """
    check_name("form of scores", names, FORMS)
    if len(predictions) != len(references):
        raise MismatchError(f"found {len(predictions)} predictions and {len(references)} references; expected as many")
    return FORMS[names](predictions, references, **options)


def _referee(predictions: Documents, references: Documents, **options: Foreign) -> Scores:
    evaluation = score(_annotation(references, "references"), _annotation(predictions, "predictions"), **options)
    return {**evaluation.flat(), "signature": evaluation.signature}


def _coval(predictions: Documents, references: Documents, **options: Foreign) -> Scores:
    """Fractions, but for the CoNLL score, which is a percentage."""
    infos = of_coval.get_coref_infos(_annotation(references, "references"), _annotation(predictions, "predictions"), **options)
    scores = {
        f"{name}/{side}": value
        for name, metric in of_coval.PRINTED.items()
        for side, value in zip(("recall", "precision", "f1"), of_coval.evaluate_documents(infos, metric), strict=True)
    }
    return {**scores, "conll_score": 100 * sum(scores[f"{name}/f1"] for name in of_coval.AVERAGED) / 3}


def _seqeval(predictions: Documents, references: Documents, **options: Foreign) -> Scores:
    report: Foreign = of_seqeval.classification_report(references, predictions, output_dict=True, **options)
    rows = dict(report)
    overall, *_ = (rows.pop(f"{average} avg") for average in of_seqeval.AVERAGES)
    columns = {"precision": "precision", "recall": "recall", "f1": "f1-score", "number": "support"}
    scores = {category: {name: row[column].item() for name, column in columns.items()} for category, row in rows.items()}
    sides = {f"overall_{name}": overall[columns[name]] for name in ("precision", "recall", "f1")}
    return {**scores, **sides, "overall_accuracy": of_seqeval.accuracy_score(references, predictions)}


FORMS: Mapping[str, Callable[..., Scores]] = {"referee": _referee, "coval": _coval, "seqeval": _seqeval}


def _annotation(documents: Documents, name: str) -> object:
    """What `referee.score` takes."""
    first = next((element for element in documents if not hasattr(element, "__len__") or len(element)), None)
    if isinstance(first, str):
        return _of_files(documents, name)
    if isinstance(first, Sequence) and isinstance(first[0], str):
        return _of_lines(documents, name)
    return documents


def _of_files(paths: Sequence[str], name: str) -> Corpus:
    """The documents of all files; the number of the file is in their names if there are several."""
    corpora = [read(path, role="key" if name == "references" else "response") for path in paths]
    if len(corpora) == 1:
        return corpora[0]
    joined = concatenate(
        [
            corpus.on_documents(tuple(f"{number}/{document}" for document in corpus.doc_ids), np.arange(len(corpus.doc_ids)))
            for number, corpus in enumerate(corpora, start=1)
        ]
    )
    return replace(joined, source=name)


def _of_lines(sentences: Sequence[Sequence[str]], name: str) -> Corpus:
    """The documents of sentences whose words are lines of CoNLL."""
    lines = [line for sentence in sentences for line in [*sentence, ""]]
    if odd := next((line for line in lines if len(line.split()) == 1), None):
        raise OptionError(f"{name}: found {shown(odd)}; expected a line of CoNLL, with columns: for tags give names='seqeval'")
    if not any(line.startswith("#begin document") for line in lines):
        lines = ["#begin document (all); part 000", *lines, "#end document"]
    return read(Source(name, "\n".join(lines).encode()), format="conll")
