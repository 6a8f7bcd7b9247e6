"""Writing WebAnno TSV."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TextIO

from referee.corpus import Corpus
from referee.corpus.undecided import note_of
from referee.formats.shared.characters import utf16_lengths
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
        If there are no words or no spans.
    """
    for _, mentions, words, written in documents_to_write(corpus, format="webanno"):
        places, of_token = _rows(written)
        links: list[list[tuple[int, int]]] = [[] for _ in places]  # the chains of each row, and the numbers of their links
        for chain, inside in enumerate(mentions.values(), start=1):
            for link, m in enumerate(inside, start=1):
                for row in range(of_token[corpus.start[m]].start, of_token[corpus.end[m] - 1].stop):
                    links[row].append((chain, link))
        types = corpus.entity_types
        names = [note_of(corpus, inside[0]) or (types[entity] if types else "") for entity, inside in mentions.items()]
        entity_types = [MEANT.sub(r"\\\g<0>", name) or "*" for name in names]
        out.write(f"#FORMAT=WebAnno TSV 3.3\n#T_CH={LAYER}\n\n")
        offsets = utf16_lengths(written.text)
        firsts = sorted({of_token[sentence].start for sentence in words.sentences} - {len(places)})
        before, texts = texts_of_sentences(written.text, [places[first][0] for first in firsts])
        out.write(before)
        limits = pairwise([*firsts, len(places)])
        for sentence, (text, (first, after)) in enumerate(zip(texts, limits, strict=True), start=1):
            out.write("\n" + text)
            for row in range(first, after):
                start, end = places[row]
                token = written.text[start:end].replace("\\", "\\\\")
                types = "|".join(f"{entity_types[chain - 1]}[{chain}]" for chain, _ in links[row]) or "_"
                relations = "|".join(f"*->{chain}-{link}" for chain, link in links[row]) or "_"
                unit = f"{sentence}-{row - first + 1}"
                out.write(f"{unit}\t{offsets[start]}-{offsets[end]}\t{token}\t{types}\t{relations}\t\n")


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


def _rows(written: WrittenText) -> tuple[Sequence[tuple[int, int]], Sequence[range]]:
    """The characters of each row, and the rows of each token.

    What is in the text has a row for each piece without white space, and tokens of one place have the same; tokens have one
    each otherwise.
    """
    if not written.is_raw:
        return written.places, [range(n, n + 1) for n in range(len(written.places))]
    places: list[tuple[int, int]] = []
    rows: list[range] = []
    before = None
    for start, end in written.places:
        if (start, end) != before:
            before, first = (start, end), len(places)
            places += [(start + piece.start(), start + piece.end()) for piece in PIECE.finditer(written.text[start:end])]
        rows.append(range(first, len(places)))
    return places, rows
