"""scorer.pl v8.01, the CoNLL reference scorer.

References
----------
`scorer.pl` and `lib/CorScorer.pm` of conll/reference-coreference-scorers, version 8.01.

Notes
-----
The numbers are those of the profile ``conll-8.01``. What the program prints for each document is here: entities in the order of
its own index, and the lines about repeated mentions. It sums documents in the random order of a Perl hash; here they have the
order of the key.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, argsort, inverse, starts_of_runs
from referee.basics.exceptions import check_name
from referee.compat.programs.printed import Printed
from referee.corpus import Corpus
from referee.formats.conll.lines import header
from referee.formats.shared.source import Source
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score
from referee.stats.counts import Counts, Score, rates

Spans: TypeAlias = list[tuple[int, int]]
"""First and last token of each mention of an entity."""
Entities: TypeAlias = Sequence[Spans]

METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc")
RULE = "-" * 74 + "\n"
CORRECT = "recall_numerator"
MOST_REPEATED = 10
REFUSED = (
    f"Found too many repeated mentions (> {MOST_REPEATED}) in the response, so refusing to score. Please fix the output.\n"
)
USAGE = """
use: scorer.pl <metric> <keys_file> <response_file> [name]

  metric: the metric desired to score the results:
    muc: MUCScorer (Vilain et al, 1995)
    bcub: B-Cubed (Bagga and Baldwin, 1998)
    ceafm: CEAF (Luo et al, 2005) using mention-based similarity
    ceafe: CEAF (Luo et al, 2005) using entity-based similarity
    blanc: BLANC
    all: uses all the metrics to score

  keys_file: file with expected coreference chains in SemEval format

  response_file: file with output of coreference system (SemEval format)

  name: [optional] the name of the document to score. If name is not
    given, all the documents in the dataset will be scored. If given
    name is "none" then all the documents are scored but only total
    results are shown.

"""


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``scorer.pl METRIC KEY RESPONSE [NAME|none]`` prints.

    ``--no-refuse`` before the metric goes on after ten repeated mentions, where the program refuses to score.
    """
    version = f"version: 8.01 {os.path.realpath(__file__)}\n"
    go_on = arguments[:1] == ["--no-refuse"]
    metric, *others = arguments[go_on:] or [""]
    if len(others) < 2:
        return Printed(version + USAGE)
    if not re.match("muc|bcub|ceafm|ceafe|blanc|all", metric, re.IGNORECASE):
        return Printed(version + "Invalid metric\n")
    metrics = METRICS if metric == "all" else (metric.lower(),)
    if metrics[0] not in METRICS:
        return Printed(version, 255, f"Metric {metrics[0]} not implemented yet\n")
    return _scored(version, metrics, metric == "all", others, not go_on)


def _scored(text: str, metrics: Sequence[str], headings: bool, files: Sequence[str], refuse: bool) -> Printed:
    key, response = Source(files[0]), Source(files[1], role="response")
    evaluation = score(key, response, metrics=["mentions", *metrics], profile="conll-8.01")
    name = files[2] if len(files) > 2 else None
    key_names, response_names = ({}, {}) if name == "none" else (_names(key), _names(response))
    rows = _rows(evaluation, key_names, name)
    documents = _documents(evaluation, rows, key_names, response_names, totals_only=name == "none")
    most = MOST_REPEATED if refuse else sys.maxsize  # of all metrics together
    for metric in metrics:
        text += f"\nMETRIC {metric}:\n" if headings else ""
        for document in documents:
            text += _before_totals(evaluation, document, metric, most, name)
            if len(document.repeated) > most:
                return Printed(text, 1, REFUSED)
            most -= len(document.repeated)
        text += _totals(evaluation, metric, rows)
    return Printed(text, signatures=[evaluation.signature])


def _names(file: Source) -> dict[str, str]:
    """Our name of each document -> the program's name: the rest of the line with which it begins."""
    with file.open() as stream:
        headers = [m[1] for line in stream if line[:1] == b"#" and (m := re.match(rb"#\s*begin document (.*?)\r?$", line))]
    names = [name.decode(errors="replace") for name in headers]
    return {header(f"#begin document {name}") or f"#{n}": name for n, name in enumerate(names, start=1)}  # type: ignore[misc]


class _PrintedDocument(NamedTuple):
    """What is printed of a document, whatever the metric.

    Parameters
    ----------
    row : int
        Its number in the key.
    name : str
        Its name in the program.
    lists : str
        The entities of both sides.
    repeated_in_key : str
        The lines about repeated mentions of the key.
    repeated : list of str
        The lines about those of the response.
    """

    row: int
    name: str
    lists: str
    repeated_in_key: str
    repeated: list[str]


def _rows(evaluation: Evaluation, key_names: dict[str, str], name: str | None) -> list[int]:
    """The numbers of the documents that are scored: all, or the one of this name."""
    if name in (None, "none"):
        return list(range(len(evaluation.documents)))
    named = {key_names.get(document, document): row for row, document in enumerate(evaluation.documents)}
    check_name("document", str(name), named)
    return [named[str(name)]]


def _documents(
    evaluation: Evaluation, rows: list[int], key_names: dict[str, str], response_names: dict[str, str], *, totals_only: bool
) -> list[_PrintedDocument]:
    """The documents of which something is printed: all, or with totals only those with repeated mentions."""
    key, response = evaluation.pair.unfiltered
    if totals_only:
        again = [side.document[~starts_of_runs(side.document, side.start, side.end)] for side in (key, response)]
        rows = np.unique(np.concatenate(again)).tolist()
    orders = (_order(key), _order(response)) if rows else ()
    documents = []
    for row in rows:
        of_key, of_response = (_entities(side, order, row) for side, order in zip((key, response), orders, strict=True))
        document = evaluation.documents[row]
        name, other = key_names.get(document, document), response_names.get(document, "" if response_names else document)
        lists = "" if totals_only else _listed(name, of_key) + _listed(other, of_response)
        repeated = "".join(_repeated_in_key(of_key)), _repeated_in_response(of_key, of_response)
        documents.append(_PrintedDocument(row, name, lists, *repeated))
    return documents


def _before_totals(evaluation: Evaluation, document: _PrintedDocument, metric: str, most: int, name: str | None) -> str:
    """What is printed of a document; beyond `most` repeated mentions of the response, nothing follows."""
    text = document.repeated_in_key + "".join(document.repeated[: most + 1])
    if name == "none":
        return text
    if name is not None:  # an argument goes before the entities of its document, else the name follows
        text = f"{document.name}:\n{document.lists}{text}"
    else:
        text = f"{document.lists}{'' if metric == 'blanc' else document.name}:\n{text}"
    if len(document.repeated) <= most:
        mentions = evaluation.pair.unfiltered[0].mentions_in(document.row, document.row + 1)
        text += _identified(evaluation.counts_of("mentions").rows(document.row), mentions.stop - mentions.start)
        text += "" if metric == "blanc" else _line_of_counts(evaluation.counts_of(metric).rows(document.row))
    return text


def _order(side: Corpus) -> Ints:
    """The mentions of each document entity by entity, as the program orders both, shape (mentions,).

    The mentions of an entity stand in the order in which they close. The program numbers the entities of a line by their
    mentions of one token first.
    """
    opens = 2 * side.start.astype(np.int64) + (side.end - side.start > 1)
    by_entity = argsort(side.entity, opens)
    first = opens[by_entity[starts_of_runs(side.entity[by_entity])]]
    rank = inverse(argsort(side.entity_document, first, side.file_order))
    return argsort(rank[side.entity], side.end, side.end - side.start)


def _entities(side: Corpus, order: Ints, row: int) -> Entities:
    mentions = order[side.mentions_in(row, row + 1)]
    spans = list(zip(side.start[mentions].tolist(), (side.end[mentions] - 1).tolist(), strict=True))
    bounds = [*np.flatnonzero(starts_of_runs(side.entity[mentions])).tolist(), len(spans)]
    return [spans[first:after] for first, after in pairwise(bounds)]


def _listed(name: str, entities: Entities) -> str:
    lines = [f"Entity {n}:{''.join(f' ({first},{last})' for first, last in spans)}\n" for n, spans in enumerate(entities)]
    return f"====> {name}:\nFile {name}:\n{''.join(lines)}"


def _repeated_in_key(key: Entities) -> list[str]:
    numbers: dict[tuple[int, int], int] = {}
    lines = []
    for number, (first, last) in enumerate(span for spans in key for span in spans):
        if (first, last) in numbers:
            lines.append(f"Repeated mention in the key: {first}, {last} {numbers[first, last]}{number}\n")
        numbers[first, last] = number
    return lines


def _repeated_in_response(key: Entities, response: Entities) -> list[str]:
    """Lines about response mentions that the key has; the program does not see that others are repeated."""
    numbers = {span: number for number, span in enumerate(span for spans in key for span in spans)}
    before: set[tuple[int, int]] = set()
    lines = []
    for span in (span for spans in response for span in spans if span in numbers):
        if span in before:
            lines.append(f"Repeated mention in the response: {span[0]}, {span[1]} {numbers[span]}{numbers[span]}\n")
        before.add(span)
    return lines


def _identified(mentions: Counts, annotated: int) -> str:
    """The six lines about mentions; those that the key repeats count as invented."""
    of_key, of_response, exact = (int(mentions.columns[c][0]) for c in ("recall_denominator", "precision_denominator", CORRECT))
    return (
        f"Total key mentions: {of_key}\nTotal response mentions: {of_response}\n"
        f"Strictly correct identified mentions: {exact}\nPartially correct identified mentions: 0\n"
        f"No identified: {of_key - exact}\nInvented: {of_response - exact + annotated - of_key}\n"
    )


def _totals(evaluation: Evaluation, metric: str, rows: list[int]) -> str:
    def total(name: str) -> Counts:
        return evaluation.counts_of(name).rows(rows).total()

    text = f"\n====== TOTALS =======\nIdentification of Mentions: {_line_of_counts(total('mentions'))}"
    if metric != "blanc":
        return f"{text}Coreference: {_line_of_counts(total(metric))}"
    counts = total("blanc")
    c, links = counts.columns, ""
    for title, kind in (("Coreference", "coreference"), ("Non-coreference", "other")):
        correct = c[f"{kind}_found"]
        links += f"{title} links: {_line_of_counts(rates((correct, c[f'{kind}_key']), (correct, c[f'{kind}_response'])))}"
    s = counts.score(0.0)[0]
    return f"{text}\nCoreference:\n{links}BLANC: {_line(s, (s.recall, 1, s.precision, 1))}"


def _line_of_counts(counts: Counts) -> str:
    """Recall, precision and F1 of one row; values that are a decimal but for a rounding error become it."""
    columns = {name: np.array([_decimal(float(column[0]))]) for name, column in counts.columns.items()}
    counts = replace(counts, columns=columns)
    numbers = [counts.columns[c][0] for c in (CORRECT, "recall_denominator", "precision_numerator", "precision_denominator")]
    return _line(counts.score(0.0)[0], numbers)


def _decimal(number: float) -> float:
    decimal = round(number, 10)
    return decimal if abs(decimal - number) < 1e-13 * max(1, number) else number


def _line(s: Score, numbers: Sequence[float | None]) -> str:
    recall_of, of_key, precision_of, of_response = (f"{number:.15g}" for number in numbers)
    recall, precision, f1 = (f"{int((side or 0.0) * 10000) / 100:.15g}%" for side in (s.recall, s.precision, s.value))
    return (
        f"Recall: ({recall_of} / {of_key}) {recall}\tPrecision: ({precision_of} / {of_response}) {precision}\tF1: {f1}\n{RULE}"
    )
