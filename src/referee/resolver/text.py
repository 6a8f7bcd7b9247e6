"""A text to be resolved: its syntax and its mentions.

Of the mentions that a file has, only their spans are read. Entities, their ids and order, and all other annotation give answers
away, and are not looked at.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import FormatError, OptionError, counted, warn
from referee.corpus.corpus import Corpus
from referee.corpus.editing import on_tokens
from referee.formats.corefud.reading import corpus_of_rows, rows_of, sniff, words_of_rows
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.source import Source
from referee.inputs.load import read_corpus
from referee.matching.documents import align_documents
from referee.matching.tokens import compare_tokens
from referee.resolver.attributes import Mentions, attributes
from referee.resolver.detect import Detector, detect
from referee.resolver.syntax import REMEDY, Syntax, syntax_of


class Input(NamedTuple):
    """A file with trees.

    Parameters
    ----------
    rows : Rows
        Its lines.
    syntax : Syntax
    corpus : Corpus
        Its words, and the mentions that it has.
    """

    rows: ConlluRows
    syntax: Syntax
    corpus: Corpus


class MentionSelection(NamedTuple):
    """The mentions that are resolved.

    Parameters
    ----------
    mentions : Mentions
    fragments : dict
        The tokens of the discontinuous ones.
    entity : int64, shape (mentions,), or None
        The first mention of the entity of each, in annotation that is learnt from.
    """

    mentions: Mentions
    fragments: dict[int, Ints]
    entity: Ints | None


def read_input(file: str | os.PathLike[str] | Source, *, annotated: bool = True) -> Input:
    """Read a file in CoNLL-U; its mentions only if they are `annotated`.

    Raises
    ------
    FormatError
        If it is not CoNLL-U with trees.
    """
    source = file if isinstance(file, Source) else Source(file)
    if not source.head.strip():
        raise FormatError(source.name, None, "is empty; expected CoNLL-U")
    if source.binary or not sniff(source.head.decode(errors="replace")):
        raise FormatError(source.name, None, f"is no CoNLL-U; expected ten columns, HEAD and DEPREL among them: {REMEDY}")
    rows = rows_of(source, source.raise_error)
    corpus = corpus_of_rows(rows, source.name, source.raise_error) if annotated else words_of_rows(rows, source.name)
    return Input(rows, syntax_of(rows, source.name, source.raise_error), corpus)


def annotated_mentions(syntax: Syntax, corpus: Corpus) -> MentionSelection:
    """The mentions of a corpus over the same tokens, sorted by their spans alone, longer before shorter."""
    base = syntax.first[corpus.document]
    start, end = base + corpus.start, base + corpus.end
    parts = np.zeros(len(start), dtype=np.int64) if corpus.fragments is None else corpus.fragments.astype(np.int64)
    rows = np.lexsort((parts, -end, start))
    crossing = int(np.count_nonzero(syntax.sentence[start] != syntax.sentence[end - 1])) if len(start) else 0
    if crossing:
        warn(f"{corpus.source}: {counted(crossing, 'mention')} over the end of a sentence; the tree of its highest word counts")
    fragments = {
        n: np.concatenate([np.arange(a, b) for a, b in corpus.spans(int(rows[n]))]) + base[rows[n]]
        for n in np.flatnonzero(parts[rows]).tolist()
    }
    _, first, inverse = np.unique(corpus.entity[rows], return_index=True, return_inverse=True)
    mentions = attributes(syntax, corpus.document[rows].astype(np.int64), start[rows], end[rows], fragments)
    return MentionSelection(mentions, fragments, first[inverse.reshape(-1)])


def mentions_for(text: Input, wanted: object, detector: Detector | None) -> tuple[MentionSelection, str]:
    """The mentions that were asked for, and what the signature says of them.

    Parameters
    ----------
    text : Input
    wanted : object
        "key" for those of the input, "tree" for those that the detector finds; a file, Corpus or value whose mentions are
        taken, over the same words; None for those of the input if it has any, else "tree".
    detector : Detector or None

    Raises
    ------
    OptionError
        If the input has no mentions, but they are asked for; if there is no detector.
    MismatchError
        If the words differ.
    """
    corpus = text.corpus
    if wanted is None:
        wanted = "key" if len(corpus.document) else "tree"
    if isinstance(wanted, str) and wanted == "key":
        if not len(corpus.document):
            raise OptionError(f"{corpus.source} has no mentions (no attribute Entity); expected some, or --mentions tree")
        return annotated_mentions(text.syntax, corpus), "key"
    if isinstance(wanted, str) and wanted == "tree":
        if detector is None:
            raise OptionError("the model finds no mentions in trees; expected --mentions key, or a model with a detector")
        spans = detect(detector, text.syntax)
        return MentionSelection(attributes(text.syntax, spans.document, spans.start, spans.end, {}), {}, None), "tree"
    return annotated_mentions(text.syntax, _on_these_tokens(text, read_corpus(wanted))), "file"


def _on_these_tokens(text: Input, corpus: Corpus) -> Corpus:
    """Mentions of another file on the tokens of the input."""
    aligned = align_documents(text.corpus, corpus, extra=False)
    if corpus.items is not None:
        raise OptionError(f"{corpus.source} has items; expected spans of words")
    compare_tokens(aligned)
    here, there = text.corpus.empty_nodes, corpus.empty_nodes
    corpus = aligned.response
    if there is not None and (here is None or here.node.tolist() != there.node.tolist()):
        raise OptionError(f"{corpus.source} has other empty nodes than {text.corpus.source}; expected the same, or none")
    only_words = there is None  # whether its offsets count words alone
    words = [np.flatnonzero(~(text.syntax.is_node[a:b] & only_words)) for a, b in pairwise(text.syntax.first.tolist())]
    size = np.array([len(tokens) for tokens in words], dtype=np.int64)[corpus.document]
    if len(size) and (corpus.end > size).any():
        raise OptionError(
            f"{corpus.source} has a mention behind the last word of {text.corpus.source}; expected the same words"
        )
    if here is None or not only_words:
        return corpus

    def token(document: Ints, offset: Ints) -> Ints:
        return np.array([words[d][t] for d, t in zip(document, offset, strict=True)], dtype=np.int64)

    return on_tokens(corpus, token, lambda document, offset: token(document, offset) + 1)
