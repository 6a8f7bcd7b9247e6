"""Output of AllenNLP's coreference predictor, as JSON: tokens, and clusters of token offsets with inclusive ends.

::

    {"top_spans": [[0, 0], [3, 4]], "antecedent_indices": ..., "predicted_antecedents": [-1, 0],
     "document": ["Obama", "travels", ".", "The", "man", "waves"], "clusters": [[[0, 0], [3, 4]]]}

One such object a line, as `allennlp predict` writes them, one a file, or a list of them. `[3, 4]` is two tokens. Only
`document` and `clusters` are read: `top_spans` are candidates, most of which are no mentions. There are no sentences: the
document is one. A document has a name if someone added `doc_key`, `doc_id`, `document_id` or `id`. Entities are called by
their places, "0", "1", ...

References
----------
`CorefPredictor` of allennlp-models 2.
"""

from __future__ import annotations

from re import search

from referee.corpus import Corpus
from referee.formats.shared.clusterings import read_inclusive
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import first_keys
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """An object with clusters, and words in `document`."""
    keys = first_keys(head)
    return {"document", "clusters"} <= keys and bool(search(r'"document"\s*:\s*\[\s*["\]]', head))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents with clusters of tokens."""
    return read_inclusive(source, on_error, "document", "clusters", "an object with `document` and `clusters`")


FORMAT = Format("allennlp", __doc__, ("spans", "words"), sniff, read)
