"""The functions of conlleval in Python: `evaluate`, `evaluate_conll_file`, `report`, `metrics`, `return_report`.

Two files go by the name of conlleval.py, and both have a function `evaluate`. What it is given says which one is meant:

* two lists of tags, as in sighsmile/conlleval: the report is printed, precision, recall and F1 are returned in percent;
* lines of columns, as in spyysalo/conlleval.py and its many copies: counts are returned, for `report` and `metrics`.

Examples
--------
>>> key, response = ["B-PER", "I-PER", "O", "B-LOC"], ["B-PER", "I-PER", "O", "B-PER"]
>>> precision, recall, f1 = evaluate(key, response)
processed 4 tokens with 2 phrases; found: 2 phrases; correct: 1.
accuracy:  66.67%; (non-O)
accuracy:  75.00%; precision:  50.00%; recall:  50.00%; FB1:  50.00
              LOC: precision:   0.00%; recall:   0.00%; FB1:   0.00  0
              PER: precision:  50.00%; recall: 100.00%; FB1:  66.67  2
>>> counts = evaluate(["Ann B-PER B-PER", "", "left O O"])
>>> counts.correct_chunk, metrics(counts)[0].fscore
(1, 1.0)

Notes
-----
Lists of tags have one sentence, as there, or are lists of sentences, which are not joined. Lists of different lengths are a
mistake, which conlleval cuts; so are label ids in place of tags. Where the key has no tag but `O`, the report of tags is a
mistake; conlleval divides by 0 there.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TextIO, TypeAlias

import numpy as np

from referee.basics.exceptions import FormatError, MismatchError
from referee.compat.tagged_rows import OUTSIDE, ScoredRows, Tag, TagRow, begins_in_port, line_of, score_rows, split_tag
from referee.compat.tags import name_of_tag
from referee.phrases.one_best import ChunkCounts

__all__ = ["EvalCounts", "Metrics", "evaluate", "evaluate_conll_file", "metrics", "report", "report_notprint", "return_report"]

Percent: TypeAlias = tuple[float, float, float]
"""Precision, recall and F1."""
Sentences: TypeAlias = "Sequence[str] | Sequence[Sequence[str]]"

ANY_SPACE = "<SPACE>"
OPTIONS = Namespace(boundary="-X-", delimiter=ANY_SPACE, otag="O", file=None)
"""What options are without any."""


class Metrics(NamedTuple):
    """Counts and scores of a category, or of all."""

    tp: int
    fp: int
    fn: int
    prec: float
    rec: float
    fscore: float


@dataclass(frozen=True)
class EvalCounts:
    """Chunks and words, as the copies of conlleval.py name them; those that begin with t are by category."""

    correct_chunk: int = 0
    correct_tags: int = 0
    found_correct: int = 0
    found_guessed: int = 0
    token_counter: int = 0
    t_correct_chunk: Mapping[str, int] = field(default_factory=dict)
    t_found_correct: Mapping[str, int] = field(default_factory=dict)
    t_found_guessed: Mapping[str, int] = field(default_factory=dict)


def evaluate(true_seqs: Sentences | Iterable[str], pred_seqs: Sentences | Namespace | None = None, verbose: bool = True) -> Any:  # noqa: ANN401  # percentages or counts, by what is given
    """Score tags, and print the report; or count the chunks of lines.

    Parameters
    ----------
    true_seqs : sequence of tags, or lines
        The tags of the key, of one sentence or of each; or lines, whose last two columns are the tags of key and response.
    pred_seqs : sequence of tags, or options
        The tags of the response; for lines, None, or an object with the texts `delimiter` and `boundary`.
    verbose : bool
        Whether to print the report of tags.

    Returns
    -------
    tuple or EvalCounts
        Precision, recall and F1 in percent, 0 for 0/0; of lines, the counts.

    Raises
    ------
    MismatchError
        If the sentences of key and response differ in number or length.
    OptionError
        For what is no tag; for a report of a key without any chunk.
    FormatError
        For a line with too few columns, or not as many as the lines before.
    """
    if pred_seqs is None or hasattr(pred_seqs, "delimiter"):
        return _count(list(_rows_of_lines(true_seqs, pred_seqs or OPTIONS)))  # type: ignore[arg-type]
    rows = list(_rows_of_tags(true_seqs, pred_seqs))  # type: ignore[arg-type]
    counts = score_rows(rows, split_strictly, begins_in_python)
    if verbose:
        sys.stdout.write(report_of_tags(counts, ends=0))
    return percentages_in_python(counts.total)


def evaluate_conll_file(fileIterator: Iterable[str]) -> Percent:  # noqa: N803  # as conlleval.py calls it
    """Score lines of at least three columns, print the report, and return precision, recall and F1 in percent."""
    counts = score_lines(fileIterator)
    sys.stdout.write(report_of_tags(counts, ends=counts.ends))
    return percentages_in_python(counts.total)


def metrics(counts: EvalCounts) -> tuple[Metrics, dict[str, Metrics]]:
    """Return the scores of all chunks, and of each category; as fractions, 0 for 0/0."""
    total, by_category = _chunk_counts(counts)
    return _metrics(total), {category: _metrics(n) for category, n in by_category.items()}


def report(counts: EvalCounts, out: TextIO | None = None) -> None:
    """Write the report of counts, by default to standard output."""
    (out or sys.stdout).write("".join(report_notprint(counts)))


def report_notprint(counts: EvalCounts, out: object = None) -> list[str]:
    """Return the lines of the report of counts."""
    total, by_category = _chunk_counts(counts)
    lines = [first_line(counts.token_counter, total)]
    if counts.token_counter:
        accuracy = 100 * counts.correct_tags / counts.token_counter
        lines.append(f"accuracy: {accuracy:6.2f}%; {line_of(percentages_in_python(total))}\n")
    return lines + [_category_line(category, by_category[category]) for category in sorted(by_category)]


def return_report(input_file: str) -> list[str]:
    """Return the lines of the report of a file."""
    with open(input_file, encoding="utf-8") as lines:
        return report_notprint(_count(list(_rows_of_lines(lines, OPTIONS))))


def score_lines(lines: Iterable[str]) -> ScoredRows:
    """Count the chunks of lines by the rule of conlleval.py."""
    return score_rows(list(_rows_of_words(lines)), split_strictly, begins_in_python)


def report_of_tags(scored: ScoredRows, ends: int) -> str:
    """What conlleval.py prints; so many ends of sentences count as words outside of chunks, as the lines that are empty."""
    total, words = scored.total, scored.words
    inside = [word for word in words if word.key != "O"]
    if not inside:
        raise FormatError("<tags>", None, "found no chunk in the key, where conlleval.py divides by 0; expected chunks")
    same = sum(word.key == word.response for word in words) + ends
    same_inside = sum(word.key == word.response for word in inside)
    text = first_line(len(words) + ends, total) + (
        f"accuracy: {100 * same_inside / len(inside):6.2f}%; (non-O)\n"
        f"accuracy: {100 * same / (len(words) + ends):6.2f}%; {line_of(percentages_in_python(total))}\n"
    )
    return text + "".join(_category_line(c, n) for c, n in scored.by_category.items())


def percentages_in_python(counts: ChunkCounts) -> Percent:
    """Precision, recall and F1 as conlleval.py computes them; 0/0 is 0."""
    precision, recall, f1 = (100 * side for side in _fractions(counts))
    return precision, recall, f1


def _fractions(n: ChunkCounts) -> Percent:
    precision, recall = (n.matched / total if total else 0.0 for total in (n.response, n.key))
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def begins_in_python(before: Tag, tag: Tag) -> bool:
    """The rule of conlleval.py."""
    if "O" in (before[0], tag[0]):
        return tag[0] != "O"
    return before[1] != tag[1] or tag[0] in ("B", "S") or before[0] in ("E", "S")


def split_strictly(tag: str) -> Tag:
    """Prefix and category; FormatError if there is none."""
    prefix, hyphen, category = tag.partition("-")
    if not hyphen and tag != "O":
        raise FormatError("<tags>", None, f"found the tag {tag!r}; expected O, or a prefix and a category, as in B-NP")
    return OUTSIDE if tag == "O" else (prefix, category)


def _rows_of_words(lines: Iterable[str]) -> Iterator[TagRow | None]:
    """The rows as conlleval.py splits them: at blanks, and with three columns or more."""
    for number, line in enumerate(lines, start=1):
        columns = line.split()
        if 0 < len(columns) < 3:
            raise FormatError("<lines>", number, f"found {len(columns)} columns; expected three or more")
        yield TagRow(*columns[-2:]) if columns else None


def _rows_of_tags(key: Sentences, response: Sentences) -> Iterator[TagRow | None]:
    """The rows of lists of tags; sentences are apart, and no words stand between them."""
    sentences = [
        [[*side]] if all(isinstance(part, str) or np.ndim(part) == 0 for part in side) else [*map(list, side)]
        for side in (key, response)
    ]
    lengths = [[*map(len, side)] for side in sentences]
    if lengths[0] != lengths[1]:
        expected, actual = (n if len(n) > 1 else sum(n) for n in lengths)
        raise MismatchError(f"found {actual} tags in pred_seqs; expected {expected}, as in true_seqs")
    for place, pair in enumerate(zip(*sentences, strict=True)):
        if place:
            yield None
        for tags in zip(*pair, strict=True):
            yield TagRow(*map(name_of_tag, tags))


def _rows_of_lines(lines: Iterable[str], options: Namespace) -> Iterator[TagRow | None]:
    """The rows as the copies of conlleval.py split them, all with as many columns; these refuse a text that begins empty."""
    width = 0
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        columns = text.split(None if options.delimiter == ANY_SPACE else options.delimiter) if text else []
        width = width or len(columns)
        if columns and len(columns) != width:
            raise FormatError("<lines>", number, f"found {len(columns)} columns; expected {width}, as in the lines before")
        if not columns or columns[0] == options.boundary:
            yield None
        elif len(columns) < 3:
            raise FormatError("<lines>", number, f"found {len(columns)} columns; expected three or more")
        else:
            yield TagRow(*columns[-2:])


def _count(rows: Sequence[TagRow | None]) -> EvalCounts:
    scored = score_rows(rows, split_tag, begins_in_port)
    by_category = [{c: int(n[side]) for c, n in scored.by_category.items() if n[side]} for side in range(3)]
    words, total = scored.words, scored.total
    same = sum(split_tag(word.key) == split_tag(word.response) for word in words)
    return EvalCounts(int(total.matched), same, total.key, total.response, len(words), *by_category)


def _chunk_counts(counts: EvalCounts) -> tuple[ChunkCounts, dict[str, ChunkCounts]]:
    """The chunks of all categories, and of each."""
    sides = counts.t_correct_chunk, counts.t_found_correct, counts.t_found_guessed
    categories = dict.fromkeys([*counts.t_found_correct, *counts.t_found_guessed])
    total = ChunkCounts(counts.correct_chunk, counts.found_correct, counts.found_guessed)
    return total, {category: ChunkCounts(*(side.get(category, 0) for side in sides)) for category in categories}


def _metrics(n: ChunkCounts) -> Metrics:
    matched = int(n.matched)
    return Metrics(matched, n.response - matched, n.key - matched, *_fractions(n))


def first_line(words: int, n: ChunkCounts) -> str:
    """The first line of the report."""
    return f"processed {words} tokens with {n.key} phrases; found: {n.response} phrases; correct: {n.matched}.\n"


def _category_line(category: str, n: ChunkCounts) -> str:
    return f"{category:>17}: {line_of(percentages_in_python(n))}  {n.response}\n"
