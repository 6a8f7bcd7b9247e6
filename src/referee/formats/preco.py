"""PreCo's JSON: one document per line, mentions as `[sentence, begin, end]` with exclusive ends.

::

    {"id": "d1", "sentences": [["My", "dog", "ran", "."], ["It", "barked"]], "mention_clusters": [[[0, 0, 2], [1, 0, 1]]]}

``id``
    the document's name
``sentences``
    lists of tokens. PreCo marks the end of a paragraph by a sentence of one token that is a blank; it stays a token, so that
    offsets are those of everyone else who joins the sentences.
``mention_clusters``
    an entity is a list of mentions: the number of the sentence, and the half-open span of its tokens, all from 0. Singletons
    are annotated. Entities are called by their places, "0", "1", ...

References
----------
Chen et al. (2018), PreCo, and the description that comes with its files. One document over many lines and a list of
documents are read, too. Mentions across sentences cannot be written, and types are not.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from itertools import pairwise
from typing import Any, TextIO

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.clusterings import read_clusters
from referee.formats.shared.documents import JoinedSentences, entities, words_of
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import Report, are_words, first_keys, integers, shown, spans
from referee.formats.shared.losses import Losses
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """Whether its first object has clusters of mentions."""
    return "mention_clusters" in first_keys(head)


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents with clusters of spans in sentences."""
    return read_clusters(source, on_error, "mention_clusters", "an object with `sentences` and `mention_clusters`", _add)


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one line a document.

    Raises
    ------
    FormatError
        If there are no words or no spans.
    """
    start, end = corpus.start.tolist(), corpus.end.tolist()
    for (name, mentions), words in zip(entities(corpus), words_of(corpus, format="preco"), strict=True):
        sentences = list(words.sentences)

        def place(mention: int, sentences: list[int] = sentences) -> list[int]:
            sentence = bisect_right(sentences, start[mention]) - 1
            first = sentences[sentence]
            return [sentence, start[mention] - first, end[mention] - first]

        document = {
            "id": name,
            "sentences": [list(words.tokens[a:b]) for a, b in pairwise([*sentences, len(words.tokens)])],
            "mention_clusters": [[place(m) for m in entity] for entity in mentions.values()],
        }
        out.write(json.dumps(document, ensure_ascii=False) + "\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions over the end of a sentence."""
    losses.leave_out_over_sentences()


def _add(key: str, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
    sentences = document.get("sentences")
    if not (isinstance(sentences, list) and all(map(are_words, sentences))):
        report(f"`sentences` is {shown(sentences)}; expected a list of lists of words")
        return
    text = JoinedSentences.join(sentences)
    builder.document(name, text.tokens, text.starts)
    for label, value in spans(document, key, report):
        sentence, begin, end = integers(value, 3) or (-1, 0, 0)
        if span := text.span(sentence, begin, end):
            builder.mention(*span, label)
        else:
            size = len(sentences[sentence]) if 0 <= sentence < len(sentences) else "its length"
            limits = f"0 <= sentence < {len(sentences)} and 0 <= begin < end <= {size} (ends are exclusive)"
            report(f"cluster {label}: found {shown(value)}; expected [sentence, begin, end], {limits}")


FORMAT = Format("preco", __doc__, ("spans", "words"), sniff, read, write, drop_unsupported)
