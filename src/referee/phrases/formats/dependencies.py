"""Trees of Universal Dependencies in CoNLL-U, which become chunks, with the tags of their words.

::

    1	The	the	DET	DT	_	2	det	_	_
    2	cat	cat	NOUN	NN	_	3	nsubj	_	_
    3	slept	sleep	VERB	VBD	_	0	root	_	_

The rules are those of `referee.phrases.chunking.dependency_chunks`. Tags are XPOS, or UPOS if no word of the file has an XPOS.
Sentences have the name of their document and a number from 1, as those of mentions. Empty nodes are left out. As CoNLL-U may
also have mentions, this format must be named.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from referee.algorithms.arrays import starts_of_runs
from referee.basics.exceptions import shortened
from referee.formats.corefud.reading import rows_of
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.source import Fault, Source
from referee.phrases.annotation import Chunks, Sentences, SpanColumns
from referee.phrases.chunking.dependency_chunks import dependency_chunks
from referee.phrases.formats.registry import ReadOptions


def sniff(head: str) -> bool:
    """Never: what looks like it is read as mentions, if the format is not named."""
    return False


def read(source: Source, fault: Fault, options: ReadOptions) -> Chunks:
    """Read the chunks of the trees of a file."""
    rows = rows_of(source, fault)
    words = np.flatnonzero(~rows.tokens.is_node)
    columns = [[cell.decode(errors="replace") for cell in rows.cells(n, words)] for n in (1, 3, 4, 6, 7)]
    line = rows.tokens.line[words].tolist()
    edges = [*np.flatnonzero(starts_of_runs(rows.tokens.sentence[words])).tolist(), len(words)]
    found = []
    for s, (a, b) in enumerate(pairwise(edges)):
        _, upos, _, cells, deprel = (column[a:b] for column in columns)
        for c in dependency_chunks(upos, _heads(cells, line[a:b], fault), deprel):
            found.append((s, c.category, c.start, c.end))
    categories = sorted({category for _, category, _, _ in found})
    number = {name: x for x, name in enumerate(categories)}
    spans = SpanColumns.of_rows([(s, start, end, number[category]) for s, category, start, end in found])
    return Chunks.build(sentences_of(rows), categories, **spans._asdict(), source=source.name)


def sentences_of(rows: ConlluRows) -> Sentences:
    """The sentences of the rows of a file, with words and tags, if it has any."""
    words = np.flatnonzero(~rows.tokens.is_node)
    form, upos, xpos = ([cell.decode(errors="replace") for cell in rows.cells(n, words)] for n in (1, 3, 4))
    tags = next((column for column in (xpos, upos) if {*column} > {"_"} or "_" not in column), None)
    sentence, document = rows.tokens.sentence[words], rows.tokens.document[words]
    first = np.flatnonzero(starts_of_runs(sentence))
    edges = [*first.tolist(), len(words)]
    names = []
    count: dict[int, int] = {}
    for d in document[first].tolist():
        count[d] = count.get(d, 0) + 1
        names.append(f"{rows.names[d]}:{count[d]}" if rows.names[d] else str(count[d]))

    def split(column: Sequence[str]) -> list[Sequence[str]]:
        return [column[a:b] for a, b in pairwise(edges)]

    return Sentences(tuple(names), np.diff(edges).astype(np.int32), split(form), None if tags is None else split(tags))


def _heads(cells: Sequence[str], lines: Sequence[int], fault: Fault) -> list[int]:
    """The heads of a sentence. Words whose HEAD is wrong, or in a circle, are reported, and then count as roots."""
    n = len(cells)
    heads = [int(text) if text.isascii() and text.isdigit() and len(text) < 9 else n + 1 for text in cells]
    for w, h in enumerate(heads):
        if h > n:
            fault(lines[w], f"found the HEAD {shortened(cells[w])!r}; expected 0 for a root, or a word of the sentence, from 1 to {n}")
            heads[w] = 0
    for w in range(n):
        above = w
        for _ in range(n):
            if heads[above] == 0:
                break
            above = heads[above] - 1
        else:
            fault(lines[w], "found HEADs that run in a circle; expected a tree: correct them")
            heads[w] = 0
    return heads
