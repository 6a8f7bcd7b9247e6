"""What systems return in Python: documents of spaCy and Stanza, results of fastcoref, lists and mappings of these.

The keys of a mapping are names. The objects are recognised by their attributes, so none of these libraries is imported. How
each is read: `referee.formats.docbin`, `referee.formats.stanza` and `referee.formats.fastcoref`. Documents have no names but
those of a mapping; in a list they get their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NoReturn

import numpy as np

from referee.basics.exceptions import OptionError
from referee.corpus import Corpus, CorpusBuilder
from referee.formats import docbin, fastcoref, stanza
from referee.formats.shared.characters import BLANK
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.json_values import Report
from referee.formats.shared.shapes import Foreign

Adder = Callable[[Foreign, CorpusBuilder, Report], None]


def corpus_of_objects(value: Foreign, source: str = "<memory>") -> Corpus | None:
    """Make a corpus of a system's document, of a list of them, or of a mapping from names to them.

    Returns
    -------
    Corpus or None
        None if the first of the objects is no document of a system.

    Raises
    ------
    OptionError
        If the first is one and another is none, or its coreference has another form than expected.
    """
    named = isinstance(value, Mapping)
    documents = value.values() if named else value if isinstance(value, list | tuple) else [value]
    if _adder(next(iter(documents), None)) is None:
        return None
    builder = CorpusBuilder(source)
    for number, document in enumerate(documents, start=1):
        report = partial(_refuse, f"{source}: document {number}: ")
        add = _adder(document)
        if add is None:
            report(f"is of the type {type(document).__name__}; expected the document of a system, as is the first")
        else:
            add(document, builder, report)
    corpus = builder.corpus()
    return corpus.on_documents(tuple(map(str, value)), np.arange(len(documents))) if named else corpus


def _adder(document: object) -> Adder | None:
    """What adds such a document to a builder; None if it is none."""
    if all(hasattr(document, name) for name in ("spans", "user_data", "vocab")):
        return docbin.add
    if all(hasattr(document, name) for name in ("sentences", "coref", "num_words")):
        return _add_stanza
    if callable(getattr(document, "get_clusters", None)) and isinstance(getattr(document, "text", None), str):
        return _add_fastcoref
    return None


def _add_stanza(document: Foreign, builder: CorpusBuilder, report: Report) -> None:
    sentences = [
        [(number, 0, word.text, _marks(word)) for number, word in enumerate(sentence.words, start=1)]
        + [(*word.id, word.text, _marks(word)) for word in getattr(sentence, "empty_words", ())]
        for sentence in document.sentences
    ]
    stanza.add("", sentences, builder, report)
    if document.num_words and all(word.coref_chains is None for sentence in document.sentences for word in sentence.words):
        report("has no coreference; expected chains: run Stanza with the processor coref")


def _marks(word: Foreign) -> list[stanza.InChain]:
    return [stanza.InChain(str(a.chain.index), bool(a.is_start), bool(a.is_end)) for a in word.coref_chains or ()]


def _add_fastcoref(result: Foreign, builder: CorpusBuilder, report: Report) -> None:
    clusters = [[None if span is None else list(span) for span in c] for c in result.get_clusters(as_strings=False)]
    blank = fastcoref.add("clusters", {"text": result.text, "clusters": clusters}, "", builder, report)
    warn_file(builder.source, BLANK, "mention", blank)


def _refuse(place: str, problem: str) -> NoReturn:
    raise OptionError(place + problem)
