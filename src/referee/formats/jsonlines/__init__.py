r"""Jsonlines as coreference resolvers read and write it: one document per line, as a JSON object.

::

    {"doc_key": "nw/wsj_0174_0", "sentences": [["Obama", "travels", "."], ["He", "waves"]], "clusters": [[[0, 0], [3, 3]]]}

``doc_key``
    the document's name; also `doc_id`, `document_id`, `id`
``sentences``
    lists of words; or flat `tokens`, or `cased_words` with the sentence number of each word in `sent_id`. Without any of
    these the spans are read unchecked, and the corpus has no words.
``clusters``
    an entity is a list of spans `[start, end]`: word offsets in the document with INCLUSIVE ends, so `[3, 3]` is one word.
    `predicted_clusters` is the same. Where a document has both, a response is read from the latter, a key from the former;
    where only some documents of a file have the latter, the others are an error in a response.
    In files with exclusive ends `[3, 4]` is one word: read these as `--format jsonlines:exclusive`. A file of 50 mentions or
    more, none of which is of one word, gets a warning.
``subtoken_map``
    the word of each word piece. Then `sentences` holds pieces ([CLS] and [SEP] among them) and spans count pieces: both ends
    are mapped to words, and as the words themselves are unknown the corpus has none.
``speakers``
    optional, for pages: of each sentence the speakers of its words, or of each word
``entity_types``
    ours, optional: the type of each cluster, in their order

Entities are called by their place in the list, "0", "1", ...

References
----------
E2e-coref (Lee et al. 2017) and `minimize.py` of SpanBERT's coref (Joshi et al. 2019), followed by fast-coref,
maverick, fastcoref's training files and BookCoref.

Notes
-----
Where programs disagree:

* wl-coref (Dobrovolskii 2021) has `cased_words` without `sentences`, and EXCLUSIVE ends: in the `clusters` of its training
  files, and in `span_clusters`. LingMess and others have both, and inclusive ends. `--format jsonlines:inclusive` reads
  `clusters` as theirs. wl-coref has the parts of a document under one `document_id`: if a file has it twice, documents are
  called `NAME_PART`, by their `part_id`, as in CoNLL-2012.
* `bridging`, `singletons` and the like beside the clusters are left out with a warning.
* BookCoref has `characters: [{"name": ..., "cluster": [[start, end]]}]`; read, with the names, if there are no clusters.
* fastcoref and LLM pipelines write `text` with offsets of CHARACTERS; refused, as they are no tokens.
* minimize.py repeats the map's neighbouring word for [CLS] and [SEP], so these need no special treatment.

People also keep one such document over many lines, or a list of documents: both are read.
"""

from __future__ import annotations

from referee.formats.jsonlines.reading import read, sniff, write
from referee.formats.shared.format import Format

__all__ = ["FORMAT", "read", "sniff", "write"]

FORMAT = Format(
    "jsonlines",
    __doc__,
    ("spans", "words", "entity types"),
    sniff,
    read,
    write,
    rewriting="referee.formats.jsonlines.rewriting",
    endings=(".jsonl",),
    variant="whether ends are exclusive or inclusive",
)
