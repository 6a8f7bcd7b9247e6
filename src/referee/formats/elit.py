"""Output of ELIT, as JSON: sentences of tokens, and clusters of `[sentence, start, end]` with exclusive ends.

::

    {"tokens": [["Emory", "NLP", "is", "a", "lab"], ["It", "is", "new"]],
     "dcr": [[[0, 0, 2, "Emory NLP"], [1, 0, 1, "It"]]]}

``tokens``
    the words of each sentence; also ``sens``, of version 0.1: objects with ``tok``
``dcr``
    entities of mentions: the number of the sentence and token offsets in it, all from 0. The words of a mention, which may
    follow, must be those of the tokens. ``coref`` is the same.

A file is a document, or has one a line; `doc_key`, `doc_id`, `document_id` or `id` is its name. Entities are called by their
place in the list.

References
----------
ELIT (Emory Language and Information Toolkit), docs/data_format.md. Only read.

Notes
-----
Online coreference (`ocr`) counts tokens from the beginning of a dialogue, of which a file has only the last turn. So it is
refused.
"""

from __future__ import annotations

from typing import Any

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.documents import JoinedSentences
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import Report, are_words, first_keys, integers, read_documents, shown, spans
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """Sentences of tokens with clusters."""
    keys = first_keys(head)
    return bool(("tokens" in keys and keys & {"dcr", "ocr"}) or ("sens" in keys and keys & {"dcr", "coref"}))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents with clusters."""
    return read_documents(source, on_error, "a document with `tokens` and `dcr`", _add)


def _add(document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
    sentences = _sentences(document, report)
    text = JoinedSentences.join(sentences)
    builder.document(name, text.tokens, text.starts)
    key = next((key for key in ("dcr", "coref") if key in document), None)
    if key is None:
        more = "found `ocr`, whose offsets count the tokens of earlier turns; " if "ocr" in document else "found no `dcr`; "
        report(more + "expected the clusters of document coreference, `dcr`")
        return
    for label, value in spans(document, key, report):
        place = integers(value[:3], 3) if isinstance(value, list) and len(value) in (3, 4) else None
        span = text.span(*place) if place else None
        if span is None:
            expected = "[sentence, start, end], a number of a sentence and two token offsets in it, from 0, start < end"
            report(f"cluster {label}: found the mention {shown(value)}; expected {expected}")
        elif len(value) == 4 and _joined(value[3]) != _joined(" ".join(text.tokens[slice(*span)])):
            oddity = f"{shown(value[3])}, but the tokens there are {shown(' '.join(text.tokens[slice(*span)]))}"
            report(f"cluster {label}: found the mention {oddity}; expected the same words")
        else:
            builder.mention(*span, label)


def _sentences(document: dict[str, Any], report: Report) -> list[list[str]]:
    key = "tokens" if "tokens" in document else "sens"
    sentences = document.get(key)
    if isinstance(sentences, list) and all(isinstance(sentence, dict) for sentence in sentences):
        sentences = [sentence.get("tok") for sentence in sentences]
    if isinstance(sentences, list) and all(map(are_words, sentences)):
        return sentences
    report(f"`{key}` is {shown(document.get(key))}; expected a list of lists of words")
    return []


def _joined(words: object) -> str:
    return "".join(words.split()) if isinstance(words, str) else shown(words)


FORMAT = Format("elit", __doc__, ("spans", "words"), sniff, read)
