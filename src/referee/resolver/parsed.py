"""Documents that a parser returned in Python, as text in CoNLL-U: those of spaCy and Stanza.

The objects are recognised by their attributes, so neither library is imported. A token of blanks, as spaCy makes them, becomes
the punctuation mark ``_``, so that offsets stay those of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.basics.exceptions import OptionError
from referee.formats.shared.shapes import Foreign
from referee.formats.shared.source import Source
from referee.resolver.clear import NAME

PERSON = "PERSON"
"""The type of entities of spaCy's models of English that are persons."""


def source_of_objects(value: Foreign) -> Source:
    """Write a document, a list of documents, or a mapping from names to them, as CoNLL-U in memory.

    Raises
    ------
    OptionError
        If a value is no document of spaCy or Stanza, or has no trees.
    """
    named = isinstance(value, Mapping)
    documents = value.values() if named else value if isinstance(value, list | tuple) else [value]
    names = map(str, value) if named else [""] * len(documents)
    lines: list[str] = []
    for number, (name, document) in enumerate(zip(names, documents, strict=True), start=1):
        lines.append(f"# newdoc id = {name}" if name else "# newdoc")
        for sentence in _sentences(document, f"document {number}"):
            lines += [*sentence, ""]
    return Source("<document>", "".join(f"{line}\n" for line in lines).encode())


def _sentences(document: Foreign, place: str) -> Iterator[Iterable[str]]:
    if all(hasattr(document, name) for name in ("spans", "user_data", "vocab")):
        if not document.has_annotation("DEP"):
            raise OptionError(f"{place} has no trees; expected the document of a pipeline with a parser")
        yield from (_spacy_rows(sentence, place) for sentence in document.sents)
    elif all(hasattr(document, name) for name in ("sentences", "num_words")):
        yield from (_stanza_rows(sentence, place) for sentence in document.sentences)
    else:
        kind = type(document).__name__
        raise OptionError(f"{place} is of the type {kind}; expected a path, or a document of spaCy or Stanza with trees")


def _spacy_rows(sentence: Foreign, place: str) -> Iterator[str]:
    for number, token in enumerate(sentence, start=1):
        if not sentence.start <= token.head.i < sentence.end:
            raise OptionError(f"{place}: the head of token {token.i} is in another sentence; expected trees of sentences")
        head = 0 if token.head.i == token.i else token.head.i - sentence.start + 1
        if token.text.strip():
            is_name = token.dep_ == "compound" and token.ent_type_ == token.head.ent_type_ == PERSON
            relation = NAME if is_name else token.dep_
            yield _row(number, token.text, token.lemma_, token.pos_, token.tag_, str(token.morph), head, relation)
        else:
            yield _row(number, "_", None, "PUNCT", None, None, head, "punct" if head else "root")


def _stanza_rows(sentence: Foreign, place: str) -> Iterator[str]:
    speaker = getattr(sentence, "speaker", None)
    if speaker:
        yield f"# speaker = {_cell(speaker)}"
    nodes = sorted(getattr(sentence, "empty_words", ()), key=lambda node: tuple(node.id))
    for number, word in enumerate([None, *sentence.words]):
        if word is not None:
            if getattr(word, "head", None) is None:
                raise OptionError(f"{place} has no trees; expected the document of a pipeline with the processor depparse")
            yield _row(number, *_columns(word), int(word.head), word.deprel)
        for node in nodes:
            if node.id[0] == number:
                yield _row(f"{number}.{node.id[1]}", *_columns(node), "_", "_", getattr(node, "deps", None))


def _columns(word: Foreign) -> list[object]:
    return [word.text, *(getattr(word, name, None) for name in ("lemma", "upos", "xpos", "feats"))]


def _row(number: object, *columns: object) -> str:
    form, lemma, upos, xpos, feats, head, deprel, deps = (*columns, None)[:8]
    relation = "root" if deprel == "ROOT" else deprel
    return "\t".join(map(_cell, (number, form, lemma, upos, xpos, feats, head, relation, deps, "_")))


def _cell(value: object) -> str:
    """A value as a cell; nothing in it may end the cell or the line."""
    return "_" if value is None else " ".join(str(value).split()) or "_"
