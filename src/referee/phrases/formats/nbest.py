"""Several analyses of each sentence with their probabilities, as ``crf_test -n`` of CRF++ writes them.

::

    # 0 0.478113
    Ann  NNP  B-PER
    sang VBD  O

    # 1 0.194335
    Ann  NNP  O
    sang VBD  O

Columns are as in the format `columns`, and the tags are in the last one. A sentence begins where the number of the analysis is
0 again. The probability of a chunk is the sum over the analyses that have it. Analyses that are not listed may have it, too: it
is too small by at most what the sum of all lacks to 1. The probability of unlisted candidates is unknown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from referee.formats.shared.format import Format
from referee.formats.shared.source import Source
from referee.formats.shared.tags import columns_of
from referee.phrases.annotation import PhraseCandidates, Sentences, SpanColumns
from referee.phrases.chunking.iob import decode
from referee.phrases.formats.registry import PhraseOptions

HEADER = re.compile(r"#\s{0,9}(\d{1,9})\s{1,9}([\d.]{1,30}(?:[eE]-?\d{1,4})?)\s{0,9}")
TOLERANCE = 1e-3
"""How far above 1 the probabilities of a sentence may add up, as they are written with few digits."""


class _Analysis(NamedTuple):
    """One analysis: the line of its header, its probability, and its rows with their lines."""

    line: int
    p: float
    rows: list[list[str]]
    lines: list[int]


def sniff(head: str) -> bool:
    """Whether it begins with the first analysis, and another with a number follows."""
    lines = head.lstrip("\ufeff \r\n").split("\n")
    headers = [match for line in lines[:2000] if (match := HEADER.fullmatch(line.rstrip("\r")))]
    return bool(headers) and HEADER.fullmatch(lines[0].rstrip("\r")) is not None and headers[0][1] == "0"


def read(source: Source, options: PhraseOptions) -> PhraseCandidates:
    """Read analyses, and add up the probabilities of chunks."""
    p: defaultdict[tuple[int, int, int, str], float] = defaultdict(float)
    words: list[list[str]] = []
    for number, analyses in enumerate(_sentences(source)):
        first = analyses[0]
        words.append([row[0] for row in first.rows])
        total = sum(analysis.p for analysis in analyses)
        if total > 1 + TOLERANCE:
            source.raise_error(first.line, f"found analyses with probabilities that add up to {total:g}; expected 1 at most")
        for analysis in analyses:
            if [row[0] for row in analysis.rows] != words[-1]:
                problem = f"found an analysis of other words than on line {first.line}; expected the same"
                source.raise_error(analysis.line, problem)

            def on_error(word: int, problem: str, lines: list[int] = analysis.lines) -> None:
                source.raise_error(lines[word], problem)

            tags = [[row[-1] for row in analysis.rows]]
            chunks = decode(tags, options.decode, on_error=on_error, source=source.name, lines=analysis.lines)
            for category, start, end in chunks.triples()[0]:
                p[number, start, end, category] += analysis.p
    names = sorted({place[3] for place in p})
    columns = SpanColumns.of_rows([(number, start, end, names.index(name)) for number, start, end, name in p])
    return PhraseCandidates.build(
        Sentences.numbered([len(row) for row in words], words),
        names,
        **columns._asdict(),
        probability=[min(each, 1.0) for each in p.values()],
        source=source.name,
    )


def _sentences(source: Source) -> list[list[_Analysis]]:
    """The analyses of each sentence."""
    sentences: list[list[_Analysis]] = []
    rows: list[list[str]] | None = None
    for number, line in source.lines(source.raise_error):
        header, columns = HEADER.fullmatch(line), columns_of(line)
        if header and not rows:
            expected = len(sentences[-1]) if sentences else 0
            if int(header[1]) not in (0, expected):
                source.raise_error(number, f"found analysis {header[1]}; expected {expected}, or 0 of the next sentence")
            if int(header[1]) == 0:
                sentences.append([])
            try:
                analysis = _Analysis(number, float(header[2]), [], [])
            except ValueError:
                source.raise_error(number, f"found the probability {header[2]!r}; expected a number from 0 to 1")
            sentences[-1].append(analysis)
            rows = analysis.rows
        elif not columns:
            rows = None if rows else rows
        elif rows is None:
            source.raise_error(number, f"found {columns[0]!r} outside of an analysis; expected # 0 0.5 before it")
        elif len(columns) < 2:
            source.raise_error(number, "found 1 column; expected a word and a tag")
        else:
            rows.append(columns)
            sentences[-1][-1].lines.append(number)
    return sentences


FORMAT = Format("nbest", __doc__, (), sniff, read)
