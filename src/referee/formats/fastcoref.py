"""Output of fastcoref, as JSON: a text, and clusters of character offsets with exclusive ends.

::

    {"text": "Obama travels. He waves.", "clusters": [[[0, 5], [15, 17]]], "clusters_strings": [["Obama", "He"]]}

One such object a line, one a file, or a list of them. `clusters_strings` is not looked at, and need not be there: fastcoref's
training files with `text` are read as well. An offset counts Unicode characters. A mention that fastcoref could not place in
the text is null, and left out. A document has a name if there is `doc_key`, `doc_id`, `document_id` or `id`. Entities are
called by their places, "0", "1", ...

A text has no tokens. We take runs of letters, digits and underscores, and every other character that is no white space; a token
is cut where a mention begins or ends inside it, and every line is a sentence. So key and response may be cut differently; the
same text is scored on tokens that are cut where those of either are.

References
----------
`predict(output_file=...)` of fastcoref 2 (Otmazgin et al. 2022).
"""

from __future__ import annotations

from typing import Any

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import BLANK, is_blank, tokenised
from referee.formats.shared.clusterings import read_clusters
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import Report, first_keys, integers, shown, spans
from referee.formats.shared.source import OnError, Source

OTHERS = {"tokens", "sentences", "cased_words", "mentions", "document", "corefs"}
"""With one of these keys it is some other format, even if there is a text."""

FEW = 2
"""Spans at most that may be at the beginning of a text by chance, without a word."""


def sniff(head: str) -> bool:
    """A text with clusters."""
    keys = first_keys(head)
    return {"text", "clusters"} <= keys and not keys & OTHERS


def read(source: Source, on_error: OnError) -> Corpus:
    """Read texts with clusters of characters."""
    blank = 0

    def counted(key: str, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
        nonlocal blank
        blank += add(key, document, name, builder, report)

    corpus = read_clusters(source, on_error, "clusters", "an object with `text` and `clusters`", counted)
    warn_file(source.name, BLANK, "mention", blank)
    return corpus


def add(key: str, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> int:
    """Add a text with its clusters under a key to the builder; gives how many mentions are left out, without words."""
    text = document.get("text")
    if not isinstance(text, str):
        report(f"`text` is {shown(text)}; expected a string")
        return 0
    if others := OTHERS & document.keys():
        report(f"found `{min(others)}` beside `text`; expected clusters of character offsets: read it as jsonlines")
        return 0
    placed, blank, last = [], 0, 0
    for label, value in spans(document, key, report):
        if value is not None:
            start, end = integers(value, 2) or (-1, -1)
            last = max(last, end)
            if is_blank(text, start, end):
                blank += 1
            else:
                placed.append((label, value, start, end))
    offsets = {offset for _, _, *ends in placed for offset in ends}
    characters = tokenised(text, offsets)
    in_words = blank or any(o > 0 and text[o - 1 : o + 1].isalnum() for o in offsets if o < len(text))
    if in_words and blank + len(placed) > FEW and last < len(tokenised(text, ()).tokens):
        expected = "expected offsets of characters with exclusive ends: if they count words, give the words as `tokens`"
        report(f"found spans without a word, or in one, and none beyond {last}; {expected}")
    builder.document(name, characters.tokens, characters.sentences, raw=characters.raw)
    for label, value, start, end in placed:
        try:
            span = characters.span(start, end)
        except ValueError as problem:
            report(f"cluster {label}: found the span {shown(value)}; {problem}")
        else:
            builder.mention(*span, label)
    return blank


FORMAT = Format("fastcoref", __doc__, ("spans", "words"), sniff, read)
