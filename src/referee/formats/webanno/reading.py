"""Reading and writing WebAnno TSV."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.components import components
from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder, RawText
from referee.formats.shared.characters import utf16_lengths
from referee.formats.shared.documents import unwritable
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.losses import Losses
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.written_text import WrittenText, documents_to_write
from referee.formats.webanno.layers import WebannoRelation
from referee.formats.webanno.pieces import WebannoPieces, edges_of, on_cut_tokens
from referee.formats.webanno.rows import MENTION_TAGS, WebannoRows
from referee.formats.webanno.text import assembled, texts_of_sentences, unescaped

LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation"
MEANT = re.compile(r"[\\\[\]|_;*]|->")
CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
UNHOLDABLE = re.compile(rf"{CONTROL.pattern}|^\s*$")
UNHOLDABLE_IN_TEXT = re.compile(r"[\0\ud800-\udfff]")
PIECE = re.compile(r"\S+")
EARLIER = re.compile(r"# (webanno\.custom\.|de\.tudarmstadt\.ukp\.dkpro\.core\.api\.)\S* \|")
HEADER = re.compile(r"#T_(SP|CH|RL)=([^|]*)\|?(.*)")


def sniff(head: str) -> bool:
    """Whether it names the version 3 of the format, or has the header of an earlier one."""
    return head.startswith("#FORMAT=WebAnno TSV 3") or EARLIER.match(head) is not None


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a file."""
    builder = CorpusBuilder(source.name)
    _add_document(builder, source, on_error)
    return builder.corpus()


def _add_document(builder: CorpusBuilder, source: Source, on_error: OnError) -> None:
    """Add the document of a file."""
    if EARLIER.match(source.head.decode(errors="replace")):
        on_error(1, "found WebAnno TSV 1 or 2; expected WebAnno TSV 3: export it again")
        return
    is_usual = re.compile("coref", re.IGNORECASE).match
    rows = WebannoRows(ChosenRelations(source.options.relations, is_usual, "layers whose names begin with coref are"))
    text = source.text(rows.on_error)
    lines = text.split("\n")
    begins = _first_bytes(text)
    filled = np.flatnonzero((begins != ord("#")) & (begins != ord("\n")))
    before: str | None = None
    texts: list[tuple[int, str]] = []
    begin = 0
    for n in np.flatnonzero(begins == ord("#")).tolist():
        if header := HEADER.fullmatch(lines[n]):
            _add_rows(rows, lines, filled, begin, n)
            rows.header(*header.groups())
            begin = n
        elif lines[n].startswith("#Text="):
            texts.append((n + 1, unescaped(lines[n][6:])))
        elif lines[n].startswith("#Before="):
            before = unescaped(lines[n][8:])
    _add_rows(rows, lines, filled, begin, len(lines))
    for line, problem in sorted(rows.faults, key=itemgetter(0)):
        on_error(line, problem)
    if not rows.coreference:
        found = shortened(", ".join(layer.short for layer in rows.layers) or "none", 100)
        expected = "chains (#T_CH=), or relations (#T_RL=) whose name begins with Coref, or is one of --relations"
        on_error(1, f"has no layer of coreference, but the layers: {one_line(found)}; expected {expected}")
    rows.chosen.warn(source.name)
    warn_file(source.name, "left out {} of layers without coreference ({names})", "annotation", rows.left_out)
    pieces = rows.pieces()
    remedy = "if numbers of chains or annotations begin again in each sentence, make them different"
    scattered = pieces.scattered(rows.sentences)
    warn_file(source.name, f"found {{}} with pieces in several sentences: {remedy}", "mention", scattered)
    _add(builder, "", rows, pieces, assembled(before, _texts(rows, texts), rows.starts, rows.ends, rows.tokens), on_error)


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


def _first_bytes(text: str) -> NDArray[np.uint8]:
    """The byte that each line of a text begins with, in UTF-8; that of a line end if it is empty."""
    codes = np.frombuffer(f"{text}\n".encode(), dtype=np.uint8)
    ends = np.flatnonzero(codes == ord("\n"))
    first: NDArray[np.uint8] = codes[np.append(0, ends[:-1] + 1)]
    return first


def _add_rows(rows: WebannoRows, lines: Sequence[str], filled: Ints, begin: int, end: int) -> None:
    """Add the lines of a file that are rows, from one up to another."""
    here = filled[slice(*filled.searchsorted([begin, end]))]
    if len(here):
        rows.add((here + 1).tolist(), [*map(lines.__getitem__, here.tolist())])


def _texts(rows: WebannoRows, given: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Where each text begins, that of the lines `#Text=` before a token, which are given with their numbers."""
    texts: dict[int, list[str]] = {}
    for line, text in given:
        texts.setdefault(bisect_right(rows.lines, line), []).append(text)
    return [(rows.starts[token], "\n".join(of)) for token, of in texts.items() if token < len(rows.starts)]


def _add(
    builder: CorpusBuilder,
    name: str,
    rows: WebannoRows,
    pieces: WebannoPieces,
    found: tuple[str, list[int], list[int]] | None,
    on_error: OnError,
) -> None:
    cuts = pieces.cuts()
    edges = edges_of(cuts)
    sentences = on_cut_tokens(cuts, np.array([(n, 0) for n in rows.sentences], dtype=np.int64).reshape(-1, 2)).tolist()
    builder.document(name, _cut_tokens(rows.tokens, edges), sentences, raw=found and _raw(found, edges))
    links = _resolved(rows, on_error)
    labels = _labels(rows, links)
    start, end, fragments = pieces.spans(cuts)
    first = builder.add_spans(start, end, labels, [1] * len(labels), entity_types=rows.types, fragments=fragments)
    for relation in links:
        source, target = (rows.number[layer][key] for layer, key in (relation.source, relation.target))
        if not relation.bridges:
            builder.link(first + source, first + target)
        elif relation.value.startswith("bridge:aggr"):
            builder.split_antecedent(builder.entity(labels[source]), builder.entity(labels[target]))
        else:
            builder.bridge(first + source, first + target, relation.value.removeprefix("bridge").removeprefix(":"))


def _cut_tokens(tokens: Sequence[str], edges: Mapping[int, Sequence[int]]) -> Sequence[str]:
    if not edges:
        return tokens
    limits = ((word, [*edges.get(n, (0,)), len(word)]) for n, word in enumerate(tokens))
    return [word[a:b] for word, places in limits for a, b in pairwise(places)]


def _raw(found: tuple[str, list[int], list[int]], edges: Mapping[int, Sequence[int]]) -> RawText:
    """The text with the places of the tokens, each of which begins at some of its characters."""
    text, starts, ends = found
    if edges:
        ends = [start + edge for n, start in enumerate(starts) for edge in (*edges.get(n, ())[1:], ends[n] - start)]
        starts = [start + edge for n, start in enumerate(starts) for edge in edges.get(n, (0,))]
    return RawText(text, np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64))


def _resolved(rows: WebannoRows, on_error: OnError) -> list[WebannoRelation]:
    """The relations between two mentions; others are errors."""
    links = []
    for relation in rows.relations:
        known = rows.number.get(relation.source[0], {})
        missing = [key for _, key in (relation.source, relation.target) if key not in known]
        if missing:
            on_error(relation.line, f"relates the annotation {missing[0]}, which is not there; expected one of the layer")
        elif relation.source == relation.target:
            on_error(relation.line, f"relates the annotation {relation.source[1]} to itself; expected another one")
        else:
            links.append(relation)
    return links


def _labels(rows: WebannoRows, links: Sequence[WebannoRelation]) -> list[str]:
    """What the entity of each mention is called."""
    names = rows.labels
    if len(layers := [layer for layer, of in rows.number.items() if of]) > 1:
        layer_of = {n: layer.rpartition(".")[2] for layer in layers for n in rows.number[layer].values()}
        names = [f"{layer_of[n]}:{name}" for n, name in enumerate(names)]
    if not links:
        return names
    both = [(r.source, r.target) for r in links if not r.bridges]
    pairs = [(rows.number[layer][first], rows.number[of][second]) for (layer, first), (of, second) in both]
    return [names[root] for root in components(len(names), pairs)]
