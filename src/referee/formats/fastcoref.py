"""Output of fastcoref, as JSON: a text, and clusters of character offsets with exclusive ends.

::

    {"text": "Obama travels. He waves.", "clusters": [[[0, 5], [15, 17]]], "clusters_strings": [["Obama", "He"]]}

One such object a line, one a file, or a list of them. `clusters_strings` is not looked at, and need not be there: fastcoref's
training files with `text` are read as well. An offset counts Unicode characters. A mention that fastcoref could not place in
the text is null, and left out. A document has a name if there is `doc_key`, `doc_id`, `document_id` or `id`. Entities are
called by their places, "0", "1", ...

A text has no tokens. We take runs of letters, digits and underscores, and every other character that is no white space; a token
is cut where a mention begins or ends inside it, and every line is a sentence. So key and response may be cut differently, and
are compared by their characters.

References
----------
`predict(output_file=...)` of fastcoref 2 (Otmazgin et al. 2022).
"""

from __future__ import annotations

from typing import Any

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import tokenised
from referee.formats.shared.clusterings import read_clusters
from referee.formats.shared.json_values import Report, first_keys, integers, shown, spans
from referee.formats.shared.source import Fault, Source

HOLDS = ("spans", "words")
OTHERS = {"tokens", "sentences", "cased_words", "mentions", "document", "corefs"}
"""With one of these keys it is some other format, even if there is a text."""


def sniff(head: str) -> bool:
    """A text with clusters; a long text may be all that can be seen."""
    keys, whole = first_keys(head)
    return "text" in keys and not keys & OTHERS and ("clusters" in keys or (not whole and keys <= {"text", "doc_key"}))


def read(source: Source, fault: Fault) -> Corpus:
    """Read texts with clusters of characters."""
    return read_clusters(source, fault, "clusters", "an object with `text` and `clusters`", add)


def add(key: str, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
    """Add a text with its clusters under a key to the builder."""
    text = document.get("text")
    if not isinstance(text, str):
        report(f"`text` is {shown(text)}; expected a string")
        return
    if others := OTHERS & document.keys():
        report(f"found `{min(others)}` beside `text`; expected clusters of character offsets: read it as jsonlines")
        return
    placed = []
    for label, value in spans(document, key, report):
        if value is not None:
            start, end = integers(value, 2) or (-1, -1)
            placed.append((label, value, start, end))
    characters = tokenised(text, {offset for _, _, *ends in placed for offset in ends})
    builder.document(name, characters.tokens, characters.sentences, raw=characters.raw)
    for label, value, start, end in placed:
        try:
            span = characters.span(start, end)
        except ValueError as problem:
            report(f"cluster {label}: found the span {shown(value)}; {problem}")
        else:
            builder.mention(*span, label)
