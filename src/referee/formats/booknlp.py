"""Output of BookNLP: mentions in `NAME.entities`, words in `NAME.tokens`, both as tables with tabs and a header.

::

    COREF	start_token	end_token	prop	cat	text
    123	4	5	PROP	PER	Emma Woodhouse
    123	51	51	PRON	PER	her

``COREF``
    the entity; -1, which stands where BookNLP ran without coreference, is no entity: each such mention is one of its own
``start_token``, ``end_token``
    token offsets in the document, the end inclusive
``prop``
    PROP, NOM and PRON are read as the mention types name, nominal and pronoun
``cat``
    the type: PER, LOC, FAC, GPE, VEH, ORG; an entity has that of its first mention

Of the tokens, the columns `sentence_ID`, `token_ID_within_document` and `word` are read. The document has no name of its own.
In a folder, BookNLP puts other files beside these two: read it with the path of the `.entities` file.

References
----------
BookNLP 1.0 (Bamman), `english_booknlp.py` and the description that comes with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise

from referee.basics.exceptions import FormatError, counted, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.format import Format
from referee.formats.shared.source import OnError, Source

MENTION_TYPES = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
WITHOUT_COREF = "start_token\tend_token\tprop\tcat\t"
"""How the file of mentions begins if coreference was not run."""
COLUMNS = ("COREF", "start_token", "end_token", "prop", "cat")
TOKEN_COLUMNS = ("sentence_ID", "token_ID_within_document", "word")


def sniff(head: str) -> bool:
    """Whether it begins with the header of the mentions."""
    return head.startswith(("COREF\tstart_token\tend_token\t", WITHOUT_COREF))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a document with its mentions, and its words from the file beside it."""
    if source.head.startswith(WITHOUT_COREF.encode()):
        raise FormatError(source.name, 1, "is of BookNLP without the column COREF: expected a run whose pipeline has coref")
    builder = CorpusBuilder(source.name)
    tokens, sentences = _words(source.beside(".tokens"), on_error)
    builder.document("", tokens, sentences)
    for line, (label, start, end, kind, entity_type) in _rows(source, COLUMNS, on_error):
        first, last = _number(start), _number(end)
        if not 0 <= first <= last < len(tokens):
            span = f"{shortened(start)!r} to {shortened(end)!r}"
            on_error(line, f"found the tokens {span}; expected 0 <= start_token <= end_token < {len(tokens)}")
        else:
            entity = f"-1#{line}" if label == "-1" else label
            builder.mention(first, last + 1, entity, entity_type, mention_type=MENTION_TYPES.get(kind, ""))
    return builder.corpus()


def _words(source: Source, on_error: OnError) -> tuple[list[str], list[int]]:
    """The words, and where sentences start."""

    def elsewhere(line: int | None, problem: str) -> None:
        on_error(None, f"{os.path.basename(source.path)}:{line}: {problem}")

    tokens: list[str] = []
    numbers: list[str] = []
    for line, (sentence, id_, word) in _rows(source, TOKEN_COLUMNS, elsewhere):
        if _number(id_) != len(tokens):
            elsewhere(line, f"found token_ID_within_document {shortened(id_)!r}; expected {len(tokens)}")
        tokens.append(word)
        numbers.append(sentence)
    return tokens, [0, *(n for n, (a, b) in enumerate(pairwise(numbers), start=1) if a != b)] if tokens else []


def _rows(source: Source, columns: tuple[str, ...], on_error: OnError) -> Iterator[tuple[int, list[str]]]:
    """Line numbers, and the fields of these columns."""
    places: list[int] = []
    width = 0
    for line, text in source.lines(on_error):
        fields = text.split("\t")
        if not places:
            missing = [column for column in columns if column not in fields]
            if missing:
                raise FormatError(source.name, line, f"found no column {missing[0]}; expected {', '.join(columns)}")
            places, width = [fields.index(column) for column in columns], max(map(fields.index, columns)) + 1
        elif len(fields) >= width:
            yield line, [fields[place] for place in places]
        elif text:
            on_error(line, f"has {counted(len(fields), 'column')}; expected at least {width}, separated by tabs")


def _number(text: str) -> int:
    """The number, -1 if it is none."""
    return int(text) if len(text) < 10 and text.isdecimal() else -1


FORMAT = Format("booknlp", __doc__, ("spans", "words", "entity types", "mention types"), sniff, read, has_several_files=True)
