"""Writing WebAnno TSV."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TextIO

from referee.basics.exceptions import shortened
from referee.corpus import Corpus
from referee.formats.shared.characters import utf16_lengths
from referee.formats.shared.documents import unwritable
from referee.formats.shared.losses import Losses
from referee.formats.shared.written_text import WrittenText, documents_to_write
from referee.formats.webanno.rows import MENTION_TAGS
from referee.formats.webanno.text import texts_of_sentences

LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation"
MEANT = re.compile(r"[\\\[\]|_;*]|->")
CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
UNHOLDABLE = re.compile(rf"{CONTROL.pattern}|^\s*$")
UNHOLDABLE_IN_TEXT = re.compile(r"[\0\ud800-\udfff]")
PIECE = re.compile(r"\S+")


def write(corpus: Corpus, out: TextIO) -> None:
    """Write a single document, with its entities as chains.

    Raises
    ------
    FormatError
        If there are no words or no spans, or a token is empty, blank or has control characters.
    """
    for name, mentions, words, written in documents_to_write(corpus, format="webanno", unholdable=UNHOLDABLE_IN_TEXT):
        if not written.is_raw and (not all(words.tokens) or any(map(UNHOLDABLE.search, words.tokens))):
            raise unwritable(corpus, name, "it has a token that is empty, blank or has control characters", format="webanno")
        rows = _rows(written)
        cells = _links_of_rows(corpus, mentions, rows)
        given = [corpus.entity_types[entity] if corpus.entity_types is not None else "" for entity in mentions]
        if wrong := next((t for t in given if t.lower() in MENTION_TAGS or re.search(r"[\x00-\x1f]", t)), None):
            raise unwritable(corpus, name, f"the entity type {shortened(wrong)!r}", format="webanno")
        entity_types = [MEANT.sub(r"\\\g<0>", entity_type) or "*" for entity_type in given]
        out.write(f"#FORMAT=WebAnno TSV 3.3\n#T_CH={LAYER}\n\n")
        offsets = utf16_lengths(written.text)
        firsts = sorted({rows.first[sentence] for sentence in words.sentences} - {len(rows.places)})
        limits = [*firsts, len(rows.places)] if firsts else []
        before, texts = texts_of_sentences(written.text, [rows.places[first][0] for first in firsts])
        out.write(before)
        for sentence, (text, (first, after)) in enumerate(zip(texts, pairwise(limits), strict=True), start=1):
            out.write("\n" + text)
            for number, ((start, end), links) in enumerate(
                zip(rows.places[first:after], cells[first:after], strict=True), start=1
            ):
                token = written.text[start:end].replace("\\", "\\\\")
                types = "|".join(f"{entity_types[chain - 1]}[{chain}]" for chain, _ in links) or "_"
                relations = "|".join(f"*->{chain}-{link}" for chain, link in links) or "_"
                out.write(f"{sentence}-{number}\t{offsets[start]}-{offsets[end]}\t{token}\t{types}\t{relations}\t\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions of nothing but blanks; change words, texts and types."""
    losses.change_texts(UNHOLDABLE_IN_TEXT)
    losses.reword(lambda _, words: [token if words.raw else _holdable(token) for token in words.tokens])
    losses.change_types(_other_type)


def _holdable(token: str) -> str:
    """A token as a row can have it."""
    return CONTROL.sub("_", token) if token.strip() else "_"


def _other_type(entity_type: str) -> str:
    """A type that is no tag of mention types, and goes into a cell."""
    changed = re.sub(r"[\x00-\x1f]", "_", entity_type)
    return changed + "_" * (changed.lower() in MENTION_TAGS)


class _RowsToWrite(NamedTuple):
    """The rows of a document: the characters of each, and the first row and the one after the last of each token."""

    places: Sequence[tuple[int, int]]
    first: Sequence[int]
    after: Sequence[int]


def _rows(written: WrittenText) -> _RowsToWrite:
    """A row for each token. What is in the text has one for each piece without white space, and one for tokens of one place."""
    if not written.is_raw:
        return _RowsToWrite(written.places, range(len(written.places)), range(1, len(written.places) + 1))
    places: list[tuple[int, int]] = []
    first, after = [], []
    before = None
    for place in written.places:
        if place != before:
            begin, before = len(places), place
            places += [
                (place[0] + piece.start(), place[0] + piece.end()) for piece in PIECE.finditer(written.text[slice(*place)])
            ]
        first.append(begin)
        after.append(len(places))
    return _RowsToWrite(places, first, after)


def _links_of_rows(corpus: Corpus, mentions: Mapping[int, Sequence[int]], rows: _RowsToWrite) -> list[list[tuple[int, int]]]:
    """The mentions that each row is in, as the numbers of a chain and of its link."""
    cells: list[list[tuple[int, int]]] = [[] for _ in rows.places]
    for chain, of in enumerate(mentions.values(), start=1):
        for link, mention in enumerate(of, start=1):
            for row in range(rows.first[corpus.start[mention]], rows.after[corpus.end[mention] - 1]):
                cells[row].append((chain, link))
    return cells
