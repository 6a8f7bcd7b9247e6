"""What systems return in Python: a spaCy Doc, a Stanza Document, a result of fastcoref, or a list of these.

Recognised by their attributes, so none of these libraries is imported. How each is read: `markable.formats.docbin`,
`markable.formats.stanza` and `markable.formats.fastcoref`. Documents have no names; they get their numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from markable.builder import CorpusBuilder
from markable.corpus import Corpus
from markable.errors import OptionError
from markable.formats import docbin, fastcoref, stanza
from markable.formats.jsonlines import Report

Adder = Callable[[Any, CorpusBuilder, Report], None]


def corpus_of_objects(value: Any, source: str = "<memory>") -> Corpus | None:
    """The corpus of a system's document, or of a list of documents of one system; None if it is no such thing.

    OptionError if it is one, and its coreference is not what it should be.
    """
    documents = list(value) if isinstance(value, list | tuple) else [value]
    adders = {_adder(document) for document in documents}
    add = adders.pop() if len(adders) == 1 else None
    if add is None:
        return None
    builder = CorpusBuilder(source)
    for number, document in enumerate(documents, start=1):
        add(document, builder, partial(_refuse, f"{source}: document {number}: "))
    return builder.corpus()


def _adder(document: Any) -> Adder | None:
    """What adds such a document to a builder; None if it is none."""
    if all(hasattr(document, name) for name in ("spans", "user_data", "vocab")):
        return docbin.add
    if all(hasattr(document, name) for name in ("sentences", "coref", "num_words")):
        return _add_stanza
    if callable(getattr(document, "get_clusters", None)) and isinstance(getattr(document, "text", None), str):
        return _add_fastcoref
    return None


def _add_stanza(document: Any, builder: CorpusBuilder, report: Report) -> None:
    sentences = [
        stanza.Sentence(
            [(word.text, _marks(word)) for word in sentence.words],
            [(*word.id, word.text, _marks(word)) for word in getattr(sentence, "empty_words", ())],
        )
        for sentence in document.sentences
    ]
    stanza.add("", sentences, builder, report)
    if document.num_words and all(word.coref_chains is None for sentence in document.sentences for word in sentence.words):
        report("has no coreference; expected chains: run Stanza with the processor coref")


def _marks(word: Any) -> list[stanza.Mark]:
    return [stanza.Mark(str(a.chain.index), bool(a.is_start), bool(a.is_end)) for a in word.coref_chains or ()]


def _add_fastcoref(result: Any, builder: CorpusBuilder, report: Report) -> None:
    clusters = [[None if span is None else list(span) for span in c] for c in result.get_clusters(as_strings=False)]
    fastcoref.add({"text": result.text, "clusters": clusters}, "", builder, report)


def _refuse(place: str, problem: str) -> NoReturn:
    raise OptionError(place + problem)
