"""The functions of `seqeval.metrics` 1.2.2, with the chunks and counts of `referee.phrases`.

Examples
--------
>>> from referee.compat.seqeval import classification_report, f1_score
>>> key = [["O", "O", "B-MISC", "I-MISC", "B-MISC", "O"], ["B-PER", "I-PER", "O"]]
>>> response = [["O", "O", "B-MISC", "I-MISC", "B-MISC", "I-MISC"], ["B-PER", "I-PER", "O"]]
>>> round(f1_score(key, response), 4)
0.6667
>>> print(classification_report(key, response))
              precision    recall  f1-score   support
<BLANKLINE>
        MISC       0.50      0.50      0.50         2
         PER       1.00      1.00      1.00         1
<BLANKLINE>
   micro avg       0.67      0.67      0.67         3
   macro avg       0.75      0.75      0.75         3
weighted avg       0.67      0.67      0.67         3
<BLANKLINE>

Notes
-----
Tags may be lists, tuples or arrays. A flat list of tags is one sentence, where seqeval refuses it. Without any chunk the report
has averages only, where seqeval fails. The prefixes `L` and `U` mean `E` and `S` in the lenient mode, too, where seqeval does
not know them. A tag of one letter that is no prefix is a word of a chunk, which seqeval loses before `O`. Ids of labels in
place of tags are mistakes. Tags that a strict scheme leaves out are counted in a warning. Warnings are `RefereeWarning`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.basics.exceptions import MismatchError, OptionError, check_name, warn
from referee.compat.seqeval_scheme import (
    BILOU,
    IOB1,
    IOB2,
    IOBES,
    IOE1,
    IOE2,
    Entities,
    Tags,
    auto_detect,
    name_of,
    sentences_of,
)
from referee.compat.tags import name_of_tag
from referee.phrases.chunking.iob import decode
from referee.phrases.types import counts_by_type

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "BILOU", "IOB1", "IOB2", "IOBES", "IOE1", "IOE2", "Entities", "accuracy_score", "auto_detect", "classification_report",
    "f1_score", "get_entities", "performance_measure", "precision_recall_fscore_support", "precision_score", "recall_score",
]  # fmt: skip

ZeroDivision: TypeAlias = Literal["warn", 0, 1]
"""The value of 0/0; with "warn" 0, and a warning."""

Row: TypeAlias = dict[str, float]
Side: TypeAlias = float | Floats

AVERAGES = ("micro", "macro", "weighted")
COLUMNS = ("precision", "recall", "f1-score", "support")
SIDES = ("precision", "recall", "f-score")


class _TaggedCounts(NamedTuple):
    """Chunks by category, each of shape (categories,)."""

    categories: list[str]
    matched: Ints
    key: Ints
    response: Ints


class _Rates(NamedTuple):
    """The scores of each category, as arrays of shape (categories,); or their average."""

    precision: Side
    recall: Side
    f1: Side
    support: int | Ints


class RateOptions(TypedDict, total=False):
    """The options of seqeval's three functions beside the average; the sample weight is not used, as there."""

    suffix: bool
    mode: str | None
    sample_weight: object
    zero_division: ZeroDivision
    scheme: object


def precision_score(y_true: Tags, y_pred: Tags, *, average: str | None = "micro", **options: Unpack[RateOptions]) -> Side:
    """Return the precision: of all categories, or of each with `average` None."""
    return _rates(y_true, y_pred, average, SIDES[:1], **options).precision


def recall_score(y_true: Tags, y_pred: Tags, *, average: str | None = "micro", **options: Unpack[RateOptions]) -> Side:
    """Return the recall: of all categories, or of each with `average` None."""
    return _rates(y_true, y_pred, average, SIDES[1:2], **options).recall


def f1_score(y_true: Tags, y_pred: Tags, *, average: str | None = "micro", **options: Unpack[RateOptions]) -> Side:
    """Return F1: of all categories, or of each with `average` None."""
    return _rates(y_true, y_pred, average, SIDES[2:], **options).f1


def _rates(
    y_true: Tags,
    y_pred: Tags,
    average: str | None,
    sides: Sequence[str],
    *,
    suffix: bool = False,
    mode: str | None = None,
    sample_weight: object = None,
    zero_division: ZeroDivision = "warn",
    scheme: object = None,
) -> _Rates:
    """The rates, lenient without a scheme; a warning of 0/0 is about `sides`."""
    rule = (name_of(scheme) if mode == "strict" else "") or "conlleval"
    return _average(_counted(y_true, y_pred, suffix, rule), average, zero_division, sides)


def precision_recall_fscore_support(
    y_true: Tags,
    y_pred: Tags,
    *,
    average: str | None = None,
    warn_for: Sequence[str] = SIDES,
    beta: float = 1.0,
    sample_weight: object = None,
    zero_division: ZeroDivision = "warn",
    suffix: bool = False,
    scheme: object = None,
) -> tuple[Side, Side, Side, int | Ints]:
    """Return precision, recall, F and the chunks of the key: by category, or as an average; strict with a scheme.

    Recall counts beta times as much as precision in F.
    """
    if beta < 0:
        raise OptionError(f"found beta={beta}; expected 0 or more")
    counts = _counted(y_true, y_pred, suffix, name_of(scheme) or "conlleval")
    return _average(counts, average, zero_division, warn_for, beta)


def get_entities(seq: Tags, suffix: bool = False) -> list[tuple[str, int, int]]:
    """Return category, first and last position of each chunk; a sentence of several takes one position more than its tags.

    Examples
    --------
    >>> get_entities(["B-PER", "I-PER", "O", "B-LOC"])
    [('PER', 0, 1), ('LOC', 3, 3)]
    >>> get_entities([["B-PER"], ["B-LOC"]])
    [('PER', 0, 0), ('LOC', 2, 2)]
    """
    chunks = decode(sentences_of(seq, suffix), source="seq")
    first = np.cumsum(chunks.sentences.length + 1) - chunks.sentences.length - 1
    return [
        (category, before + start, before + end - 1)
        for before, chunks_there in zip(first.tolist(), chunks.triples(), strict=True)
        for category, start, end in chunks_there
    ]


def accuracy_score(y_true: Tags, y_pred: Tags) -> float:
    """Return the share of words with the same tag."""
    pairs = _pairs(y_true, y_pred)
    return sum(key == response for key, response in pairs) / len(pairs)


def performance_measure(y_true: Tags, y_pred: Tags) -> dict[str, int]:
    """Count words: TP has the same tag, not `O`; FP has a wrong tag, not `O`; FN lacks a tag; TN is `O` on both sides."""
    pairs = [(name_of_tag(key), name_of_tag(response)) for key, response in _pairs(y_true, y_pred)]
    return {
        "TP": sum(key == response != "O" for key, response in pairs),
        "FP": sum(key != response != "O" for key, response in pairs),
        "FN": sum(key != "O" == response for key, response in pairs),
        "TN": sum(key == response == "O" for key, response in pairs),
    }


def classification_report(
    y_true: Tags,
    y_pred: Tags,
    digits: int = 2,
    suffix: bool = False,
    output_dict: bool = False,
    mode: str | None = None,
    sample_weight: object = None,
    zero_division: ZeroDivision = "warn",
    scheme: object = None,
) -> str | Mapping[str, Row]:
    """Report precision, recall, F1 and support of each category, and their averages, as seqeval prints them.

    Parameters
    ----------
    y_true, y_pred : tags
        Those of the key, and of the response.
    digits : int
        Decimals in the text.
    suffix : bool
        Whether tags end with their prefixes, as in ``PER-B``.
    output_dict : bool
        Whether to return a dictionary, and no text.
    mode : str or None
        "strict" decodes tags by their scheme; None is lenient, as conlleval.
    sample_weight : object
        Not used, as in seqeval.
    zero_division : "warn", 0 or 1
        The value of 0/0.
    scheme : class or str, optional
        The name of the scheme, or a class of that name; None to detect it.

    Raises
    ------
    MismatchError
        If the sentences differ in number or length.
    OptionError
        If a tag is a number, or does not fit its scheme, or the scheme cannot be detected.
    """
    rule = (name_of(scheme) or auto_detect(y_true, suffix).__name__) if mode == "strict" else "conlleval"
    counts = _counted(y_true, y_pred, suffix, rule)
    columns: Any = _scores(counts, zero_division, SIDES)
    rows: dict[str, Any] = {c: _Rates(*row) for c, *row in zip(counts.categories, *columns, strict=True)}
    averages = {f"{name} avg": _average(counts, name, zero_division, SIDES) for name in AVERAGES}
    if output_dict:
        return {name: dict(zip(COLUMNS, row, strict=True)) for name, row in (rows | averages).items()}
    width = max(*map(len, rows), len("weighted avg"), digits) if rows else max(len("weighted avg"), digits)
    header = f"{'':>{width}} " + "".join(f" {name:>9}" for name in COLUMNS)
    blocks = (_lines(rows, width, digits), _lines(averages, width, digits))
    return f"{header}\n\n" + "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _lines(rows: Mapping[str, _Rates], width: int, digits: int) -> list[str]:
    return [
        f"{name:>{width}} " + "".join(f" {side:>9.{digits}f}" for side in sides) + f" {support:>9}"
        for name, (*sides, support) in rows.items()
    ]


def _pairs(y_true: Tags, y_pred: Tags) -> list[tuple[object, object]]:
    """The tags of each word."""
    key, response = ([t for tags in side for t in ([tags] if np.ndim(tags) == 0 else tags)] for side in (y_true, y_pred))
    return list(zip(key, response, strict=False))


def _counted(y_true: Tags, y_pred: Tags, suffix: bool, rule: str) -> _TaggedCounts:
    key, response = (sentences_of(tags, suffix, lenient=rule == "conlleval") for tags in (y_true, y_pred))
    lengths = [list(map(len, side)) for side in (key, response)]
    if lengths[0] != lengths[1]:
        raise MismatchError(f"found sentences of {lengths[1]} tags in y_pred; expected {lengths[0]}, as in y_true")
    counts = counts_by_type(decode(key, rule, source="y_true"), decode(response, rule, source="y_pred"))
    return _TaggedCounts(list(counts), *np.array(list(counts.values()), dtype=np.int64).reshape(-1, 3).T)


def _average(
    counts: _TaggedCounts, average: str | None, zero_division: ZeroDivision, warned: Sequence[str], beta: float = 1.0
) -> _Rates:
    """The average over categories, nan for a macro average of none; without one, the scores of each category."""
    if average is None:
        return _scores(counts, zero_division, warned, beta)
    check_name("average", average, AVERAGES)
    if average == "micro":
        counts = _TaggedCounts([""], *(np.array([column.sum()]) for column in counts[1:]))
    scores = _scores(counts, zero_division, warned, beta)
    support = int(counts.key.sum())
    if average == "weighted" and not support:
        value = float(zero_division == 1)
        without_key = 0.0 if counts.response.sum() else value
        return _Rates(without_key, value, without_key, support)
    weights = counts.key if average == "weighted" else None
    precision, recall, f1 = (float(np.average(side, weights=weights)) if len(counts.key) else np.nan for side in scores[:3])
    return _Rates(precision, recall, f1, support)


def _scores(counts: _TaggedCounts, zero_division: ZeroDivision, warned: Sequence[str], beta: float = 1.0) -> _Rates:
    """The scores of each category; a warning of 0/0 is about the sides `warned`."""
    _, matched, key, response = counts
    if zero_division == "warn":
        _warn(key, response, warned)
    value = float(zero_division == 1)
    precision, recall = (np.where(total == 0, value, matched / np.maximum(total, 1)) for total in (response, key))
    sums = beta**2 * precision + recall
    return _Rates(precision, recall, (1 + beta**2) * precision * recall / np.where(sums == 0, 1.0, sums), key)


def _warn(key: Ints, response: Ints, warned: Sequence[str]) -> None:
    """Warn of 0/0 in the words of scikit-learn."""
    place = "due to" if len(key) == 1 else "in labels with"
    problems = {"precision": (response == 0, "predicted"), "recall": (key == 0, "true")}
    problems["f-score"] = ((key == 0) & (response == 0), "true nor predicted")
    both = " and F-score are" if len(warned) > 1 else " is"
    for side in warned[:2]:
        undefined, modifier = problems[side]
        if undefined.any():
            problem = f"{side.capitalize()}{both} ill-defined and being set to 0.0 {place} no {modifier} samples"
            warn(f"{problem}. Use `zero_division` parameter to control this behavior.")
