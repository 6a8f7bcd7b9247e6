"""Trees of Universal Dependencies in CoNLL-U. They become chunks; words have tags.

::

    1	The	the	DET	DT	_	2	det	_	_
    2	cat	cat	NOUN	NN	_	3	nsubj	_	_
    3	slept	sleep	VERB	VBD	_	0	root	_	_

The rules are those of `referee.phrases.chunking.dependency_chunks`. Words outside of phrases are chunks of the category `Null`.
A tag is UPOS and XPOS with a full stop between them, as in `NOUN.NN`; UPOS alone if no word of the file has an XPOS. Empty
nodes are left out. Sentences have the same names as those of mentions.

The same file may have mentions, and is read as mentions unless this format is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from referee.algorithms.arrays import starts_of_runs
from referee.basics.exceptions import shortened
from referee.formats.corefud.reading import rows_of
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.format import Format, never
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, Sentences
from referee.phrases.chunking.dependency_chunks import dependency_chunks
from referee.phrases.chunking.tree_chunks import chunks_of_rows
from referee.phrases.formats.registry import PhraseOptions

FORM, UPOS, XPOS, HEAD, DEPREL = 1, 3, 4, 6, 7


def read(source: Source, options: PhraseOptions) -> Chunks:
    """Read the chunks of the trees of a file."""
    rows = rows_of(source, source.raise_error)
    upos, heads, deprel = (_column(rows, number) for number in (UPOS, HEAD, DEPREL))
    line = rows.tokens.line[~rows.tokens.is_node].tolist()
    sentences = _sentences(rows)
    edges = [*sentences.word_offsets.tolist(), len(line)]
    chunks = []
    for s, (a, b) in enumerate(pairwise(edges)):
        tree = _heads(heads[a:b], line[a:b], source)
        chunks += [(s, chunk) for chunk in dependency_chunks(upos[a:b], tree, deprel[a:b])]
    return chunks_of_rows(sentences, chunks, source.name)


def read_sentences(source: Source) -> Sentences:
    """Read the words and tags of a file, which needs no trees."""
    return _sentences(rows_of(source, source.raise_error))


def tags_of(upos: Sequence[str], xpos: Sequence[str]) -> list[str]:
    """The tags of words.

    Examples
    --------
    >>> tags_of(["DET", "NOUN"], ["DT", "NN"]), tags_of(["DET", "NOUN"], ["_", "_"])
    (['DET.DT', 'NOUN.NN'], ['DET', 'NOUN'])
    """
    if {*xpos} <= {"_"}:
        return list(upos)
    return [f"{coarse}.{fine}" for coarse, fine in zip(upos, xpos, strict=True)]


def _column(rows: ConlluRows, number: int) -> list[str]:
    """A column of all words."""
    return rows.cells(number, np.flatnonzero(~rows.tokens.is_node))


def _sentences(rows: ConlluRows) -> Sentences:
    """The sentences of a file, with words and tags."""
    is_word = ~rows.tokens.is_node
    sentence, document = rows.tokens.sentence[is_word], rows.tokens.document[is_word]
    first = np.flatnonzero(starts_of_runs(sentence))
    edges = [*first.tolist(), len(sentence)]
    document = document[first]
    number = np.arange(len(first)) - np.searchsorted(document, document) + 1
    names = tuple(f"{rows.names[d]}:{n}" for d, n in zip(document.tolist(), number.tolist(), strict=True))
    tags = tags_of(_column(rows, UPOS), _column(rows, XPOS))
    words, parts = ([column[a:b] for a, b in pairwise(edges)] for column in (_column(rows, FORM), tags))
    return Sentences(names, np.diff(edges).astype(np.int32), words, parts)


def _heads(cells: Sequence[str], lines: Sequence[int], source: Source) -> list[int]:
    """The heads of a sentence, which must be those of a tree."""
    n = len(cells)
    heads = [int(text) if text.isascii() and text.isdigit() and len(text) < 9 else n + 1 for text in cells]
    for w, h in enumerate(heads):
        if h > n:
            expected = f"0 for a root, or a word of the sentence, from 1 to {n}"
            source.raise_error(lines[w], f"found the HEAD {shortened(cells[w])!r}; expected {expected}")
    below_root = {-1}
    for w in range(n):
        path = []
        above = w
        while above not in below_root:
            path.append(above)
            above = heads[above] - 1
            if len(path) > n:
                source.raise_error(lines[w], "found HEADs that run in a circle; expected a tree: correct them")
        below_root.update(path)
    return heads


FORMAT = Format("dependencies", __doc__, (), never, read)
