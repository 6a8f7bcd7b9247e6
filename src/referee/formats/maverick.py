"""Output of maverick, as JSON: tokens, and clusters of token offsets with inclusive ends.

::

    {"tokens": ["Obama", "travels", ".", "The", "man", "waves"], "clusters_token_offsets": [[[0, 0], [3, 4]]],
     "clusters_char_offsets": null, "clusters_token_text": [["Obama", "The man"]]}

One such object a line, one a file, or a list of them. `[3, 4]` is two tokens. `clusters_char_offsets` (whose ends are
inclusive, too) and the texts are not looked at. maverick writes no sentences: the document is one. A document has a name if
someone added `doc_key`, `doc_id`, `document_id` or `id`. Entities are called by their places, "0", "1", ...

References
----------
`predict` of maverick-coref (Martinelli et al. 2024). What its `evaluate.py` writes is `jsonlines`.
"""

from __future__ import annotations

from referee.corpus import Corpus
from referee.formats.shared.clusterings import read_inclusive
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import first_keys
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """Whether its first object has clusters of token offsets."""
    return "clusters_token_offsets" in first_keys(head)


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents with clusters of tokens."""
    return read_inclusive(
        source, on_error, "tokens", "clusters_token_offsets", "an object with `tokens` and `clusters_token_offsets`"
    )


FORMAT = Format("maverick", __doc__, ("spans", "words"), sniff, read)
