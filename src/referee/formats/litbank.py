r"""The coreference annotation of LitBank in tables: an .ann file with the mentions, and a .txt file with the text.

::

    MENTION	T2	1	11	1	14	Lincoln 's Inn Hall	FAC	PROP
    MENTION	T130	2	0	2	0	It	FAC	PRON
    COREF	T2	Lincoln__s_Inn_Hall-3
    COREF	T130	Lincoln__s_Inn_Hall-3
    COP	T68	T228

``MENTION``
    id, first sentence, first token, last sentence, last token, words, category, kind. Sentences and tokens count from 0, the
    last token belongs to the mention. Kinds are PROP, NOM and PRON: the mention types name, nominal and pronoun.
``COREF``
    mention and entity
``COP``, ``APPOS``
    an attribute and the mention that it belongs to ("she was a widow"); no coreference, so not kept, which a warning says

The text has a sentence a line, its tokens between single blanks. A mention without COREF (all of them are such attributes) is
an entity of its own, as in LitBank's CoNLL files. The type of an entity is the category of the first of its mentions in the
file. The document has no name.

References
----------
Bamman, Lewke and Mansoor (2020), and the files in coref/tsv of github.com/dbamman/litbank; what is in coref/brat there
is brat standoff and has no entities. Only read.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from os.path import basename

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.source import OnError, Source

MENTION_TYPES = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
FIELDS = {"MENTION": 9, "COREF": 3, "COP": 3, "APPOS": 3}
OFFSET = re.compile(r"[0-9]{1,9}")


def sniff(head: str) -> bool:
    """Its first line is a mention."""
    return bool(re.match(r"MENTION\t[^\t\n]+(\t[0-9]+){4}\t", head))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the annotation, and the text from the file beside it."""
    tokens, sentences = _text(source.beside(".txt"), on_error)
    mentions: dict[str, tuple[int, int, str, str]] = {}
    entity: dict[str, str] = {}
    lines: dict[str, int] = {}
    others = Counter[str]()
    for number, line in source.lines(on_error):
        row = line.split("\t")
        if not line.strip():
            continue
        if len(row) != FIELDS.get(row[0]):
            expected = "expected MENTION with 8 fields, COREF, COP or APPOS with 2, between tabs"
            on_error(number, f"found {shortened(line)!r}; {expected}")
        elif row[0] == "MENTION":
            if row[1] in mentions:
                on_error(number, f"mention {shortened(row[1])} is there already; expected each id once")
            elif span := _span(row, tokens, sentences, number, on_error):
                mentions[row[1]] = (*span, row[7], _mention_type(row[8], number, on_error))
        elif row[0] == "COREF":
            if row[1] in entity:
                before = shortened(entity[row[1]])
                on_error(number, f"mention {shortened(row[1])} is in {before} already; expected it in one entity")
            entity.setdefault(row[1], row[2])
            lines.setdefault(row[1], number)
        else:
            others[row[0]] += 1
    warn_file(source.name, "ignored {} other than coreference ({names})", "relation", others)
    for id_, number in lines.items():
        if id_ not in mentions:
            on_error(number, f"COREF names {shortened(id_)}, which is no mention; expected the id of a MENTION")
    used = set(entity.values())
    builder = CorpusBuilder(source.name)
    builder.document("", tokens, [a for a, b in pairwise(sentences) if a < b])
    for id_, (start, end, entity_type, mention_type) in mentions.items():
        alone = id_
        while alone in used:
            alone += "#"
        builder.mention(start, end, entity.get(id_, alone), entity_type, mention_type=mention_type)
    return builder.corpus()


def _text(source: Source, on_error: OnError) -> tuple[list[str], list[int]]:
    """The tokens, and the offset at which each line starts, that after the last included."""
    tokens: list[str] = []
    sentences = [0]
    for _, line in source.lines(lambda number, problem: on_error(None, f"{basename(source.name)}:{number}: {problem}")):
        if line:
            tokens += line.split(" ")
        sentences.append(len(tokens))
    return tokens, sentences


def _span(row: list[str], tokens: list[str], sentences: list[int], line: int, on_error: OnError) -> tuple[int, int] | None:
    """The tokens of a mention, half-open; None after an error."""
    ends = []
    for sentence, token in (row[2:4], row[4:6]):
        is_token = OFFSET.fullmatch(sentence) and OFFSET.fullmatch(token) and int(sentence) < len(sentences) - 1
        if not is_token or int(token) >= sentences[int(sentence) + 1] - sentences[int(sentence)]:
            problem = f"found token {shortened(token)} of sentence {shortened(sentence)}"
            on_error(line, f"{problem}; the text has none: both count from 0")
            return None
        ends.append(sentences[int(sentence)] + int(token))
    start, end = ends[0], ends[1] + 1
    if start >= end:
        expected = "expected first sentence and token, last sentence and token"
        on_error(line, f"mention {shortened(row[1])} ends before it begins; {expected}")
    elif row[6].count(" ") + 1 != end - start or row[6] != " ".join(tokens[start:end]):
        words = " ".join(tokens[start : min(end, start + 40)])
        on_error(line, f"found the words {shortened(row[6])!r}, but the text has {shortened(words)!r} there; expected the same")
    else:
        return start, end
    return None


def _mention_type(kind: str, line: int, on_error: OnError) -> str:
    if kind not in MENTION_TYPES:
        on_error(line, f"found the kind {shortened(kind)!r}; expected PROP, NOM or PRON")
    return MENTION_TYPES.get(kind, "")


FORMAT = Format("litbank", __doc__, ("spans", "words", "entity types", "mention types"), sniff, read, has_several_files=True)
