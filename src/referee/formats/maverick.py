"""Output of maverick, as JSON: tokens, and clusters of token offsets with inclusive ends.

::

    {"tokens": ["Obama", "travels", ".", "The", "man", "waves"], "clusters_token_offsets": [[[0, 0], [3, 4]]],
     "clusters_char_offsets": null, "clusters_token_text": [["Obama", "The man"]]}

One such object a line, one a file, or a list of them. `[3, 4]` is two tokens. `clusters_char_offsets` (whose ends are
inclusive, too) and the texts are not looked at. maverick writes no sentences: the document is one.
The same with `clusters_text_mentions` is what the tasks of CRAC give to language models, and take: there the token `##` is an
empty node. A document has a name if
someone added `doc_key`, `doc_id`, `document_id` or `id`. Entities are called by their places, "0", "1", ...

References
----------
`predict` of maverick-coref (Martinelli et al. 2024), whose `evaluate.py` writes `jsonlines`; `conllu2json` of text2text-coref
(CRAC 2025).
"""

from __future__ import annotations

from typing import Any

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.clusterings import add_inclusive, read_clusters
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import Report, first_keys, warn_of_long_mentions
from referee.formats.shared.source import OnError, Source

EMPTY = "##"
"""What stands for an empty node among the tokens of CRAC's tasks."""


def sniff(head: str) -> bool:
    """Whether its first object has clusters of token offsets."""
    return "clusters_token_offsets" in first_keys(head)


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents with clusters of tokens."""
    expected = "an object with `tokens` and `clusters_token_offsets`"
    corpus = read_clusters(source, on_error, "clusters_token_offsets", expected, _add)
    warn_of_long_mentions(corpus, "subtract 1 from its ends if they are exclusive")
    return corpus


def _add(key: str, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
    add_inclusive("tokens", key, document, name, builder, report)
    if "clusters_text_mentions" in document and isinstance(document["tokens"], list):
        nodes = [n for n, token in enumerate(document["tokens"]) if token == EMPTY]
        for minor, node in enumerate(nodes, start=1):
            builder.empty_node(node, minor, 0)


FORMAT = Format("maverick", __doc__, ("spans", "words"), sniff, read)
