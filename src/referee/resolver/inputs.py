"""What is resolved: texts, which are parsed first; files with trees; documents that another parser returned."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.basics.exceptions import OptionError, counted
from referee.corpus.text import RawText, Text, Words
from referee.formats.corefud.rewriting import named
from referee.formats.shared.source import Source
from referee.parsing.texts import TextInput, are_texts, list_texts
from referee.parsing.words import ParsedText, PlacedWords
from referee.parsing.writing import conllu
from referee.resolver.parsed import source_of_objects


class GivenTrees(NamedTuple):
    """Trees to be resolved.

    Parameters
    ----------
    source : Source
        CoNLL-U.
    parsed : ParsedText or None
        The same with the places of words in the text, if it was plain text.
    """

    source: Source
    parsed: ParsedText | None = None


def trees_of(value: object, parse: Callable[[list[TextInput]], ParsedText]) -> GivenTrees:
    """Get the trees of what is to be resolved.

    Parameters
    ----------
    value : object
        What `referee.resolve` takes.
    parse : function
        Parses plain texts.

    Raises
    ------
    FormatError, OptionError
        If it is neither text nor trees, or both.
    """
    if isinstance(value, Source):
        return GivenTrees(value)
    if isinstance(value, ParsedText):
        return _of_parsed(value, "<parsed>")
    if not are_texts(value):
        return GivenTrees(source_of_objects(value))
    documents = list_texts(value)
    trees = [one.source for one in documents if one.is_tree]
    if not trees:
        return _of_parsed(parse(documents), documents[0].source.name if len(documents) == 1 else _name(documents))
    if len(trees) < len(documents):
        text = next(one.source.name for one in documents if not one.is_tree)
        raise OptionError(f"found trees ({trees[0].name}) and text ({text}); expected one kind: resolve them one by one")
    if len(documents) == 1:
        return GivenTrees(documents[0].source)
    return GivenTrees(Source(_name(documents), "\n".join(named(one.source, one.name) for one in documents).encode()))


def text_of(words: PlacedWords) -> Text:
    """The words of a corpus, with their places in the text."""
    limits = words.first[np.searchsorted(words.document, np.arange(len(words.doc_ids) + 1))].tolist()
    starts = [words.first[:-1][words.document == d] - limits[d] for d in range(len(words.doc_ids))]
    speakers = [[words.speaker[s] for s in np.flatnonzero(words.document == d).tolist()] for d in range(len(words.doc_ids))]
    return Text.of(
        [
            Words(
                *(words.form[a:b], starts[d].tolist(), RawText(text, words.start[a:b], words.end[a:b])),
                speakers=speakers[d] if any(speakers[d]) else None,
            )
            for d, (text, (a, b)) in enumerate(zip(words.texts, pairwise(limits), strict=True))
        ]
    )


def _of_parsed(parsed: ParsedText, name: str) -> GivenTrees:
    return GivenTrees(Source(name, conllu(parsed).encode()), parsed)


def _name(documents: list[TextInput]) -> str:
    """What messages call several inputs."""
    return f"{documents[0].source.name} and {counted(len(documents) - 1, 'other')}"
