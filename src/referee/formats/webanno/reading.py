"""Reading WebAnno TSV."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from referee.algorithms.components import components
from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder, RawText
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.source import OnError, Source
from referee.formats.webanno.rows import WebannoRelation, WebannoRows
from referee.formats.webanno.text import assembled, difference, unescaped

EARLIER = re.compile(r"# (webanno\.custom\.|de\.tudarmstadt\.ukp\.dkpro\.core\.api\.)\S* \|")
HEADER = re.compile(r"#T_(SP|CH|RL)=([^|]*)\|?(.*)")


def sniff(head: str) -> bool:
    """Whether it names the version 3 of the format, or has the header of an earlier one."""
    return head.startswith("#FORMAT=WebAnno TSV 3") or EARLIER.match(head) is not None


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the document of a file."""
    builder = CorpusBuilder(source.name)
    if EARLIER.match(source.head.decode(errors="replace")):
        on_error(1, "found WebAnno TSV 1 or 2; expected WebAnno TSV 3: export it again")
        return builder.corpus()
    rows = empty_rows(source, on_error)
    before: str | None = None
    texts: dict[int, list[str]] = {}  # by the token that comes next
    lines: dict[int, int] = {}  # of the file
    for number, line in source.lines(on_error):
        if line.startswith("#"):
            if header := HEADER.fullmatch(line):
                rows.header(*header.groups())
            elif line.startswith("#Text="):
                texts.setdefault(len(rows.tokens), []).append(unescaped(line[6:]))
                lines.setdefault(len(rows.tokens), number)
            elif line.startswith("#Before="):
                before = unescaped(line[8:])
        elif line:
            rows.add(number, line)
    if not any(layer.is_coreference for layer in rows.layers):
        names = shortened(", ".join(layer.short for layer in rows.layers) or "none", 100)
        expected = "chains (#T_CH=), or relations (#T_RL=) whose name begins with Coref, or is one of --relations"
        on_error(1, f"has no layer of coreference, but the layers: {one_line(names)}; expected {expected}")
    for token, after in pairwise([*rows.sentences, len(rows.tokens)]):
        if token in texts and (problem := difference("\n".join(texts[token]), rows.tokens[token:after])):
            on_error(lines[token], f"{problem} in #Text=; expected the words of the rows below")
    rows.meaning.warn(source.name)
    warn_file(source.name, "left out {} of layers without coreference ({names})", "annotation", rows.left_out)
    remedy = "if numbers of chains or annotations begin again in each sentence, make them different"
    warn_file(source.name, f"found {{}} with pieces in several sentences: {remedy}", "mention", rows.count_scattered())
    sentences = [(rows.starts[token], "\n".join(lines)) for token, lines in texts.items() if token < len(rows.starts)]
    parts = parts_of(rows)
    first = _add_document(builder, rows, parts, assembled(before, sentences, rows.starts, rows.ends, rows.tokens))

    def place(token: int, character: int) -> int:
        return first[token] + (parts[token].index(character) if character else 0)

    links = resolved(rows, on_error)
    labels = labels_of(rows, links)
    for label, mention in zip(labels, rows.mentions, strict=True):
        builder.mention(0, 0, label, mention.type, spans=[(place(*piece[:2]), place(*piece[2:])) for piece in mention.pieces])
    for relation, one, other in links:
        if not relation.is_bridging:
            builder.link(one, other)
        elif relation.value.startswith("bridge:aggr"):
            builder.split_antecedent(builder.entity(labels[one]), builder.entity(labels[other]))
        else:
            builder.bridge(one, other, relation.value.removeprefix("bridge").removeprefix(":"))
    return builder.corpus()


def empty_rows(source: Source, on_error: OnError) -> WebannoRows:
    """Rows to which those of a file can be added."""
    is_usual = re.compile("coref", re.IGNORECASE).match
    meaning = ChosenRelations(source.options.relations, is_usual, "layers whose names begin with coref are")
    return WebannoRows(meaning, on_error)


def parts_of(rows: WebannoRows) -> list[list[int]]:
    """The characters of each token at which its parts begin: it is cut where a piece of a mention begins or ends."""
    parts = [[0] for _ in rows.tokens]
    edges = {edge for mention in rows.mentions for piece in mention.pieces for edge in (piece[:2], piece[2:]) if edge[1]}
    for token, character in sorted(edges):
        parts[token].append(character)
    return parts


def _add_document(
    builder: CorpusBuilder,
    rows: WebannoRows,
    parts: Sequence[Sequence[int]],
    text: tuple[str, list[int], list[int]] | None,
) -> list[int]:
    """Add the document, with the parts of its tokens; gives the number of the first part of each token."""
    first = [*accumulate(map(len, parts), initial=0)]
    tokens = [word[a:b] for word, cuts in zip(rows.tokens, parts, strict=True) for a, b in pairwise([*cuts, len(word)])]
    raw = None
    if text is not None:
        whole, starts, ends = text
        after = [start + b for start, end, cuts in zip(starts, ends, parts, strict=True) for b in (*cuts[1:], end - start)]
        begin = [start + a for start, cuts in zip(starts, parts, strict=True) for a in cuts]
        raw = RawText(whole, np.array(begin, dtype=np.int64), np.array(after, dtype=np.int64))
    builder.document("", tokens, [first[n] for n in rows.sentences], raw=raw)
    return first


def resolved(rows: WebannoRows, on_error: OnError) -> list[tuple[WebannoRelation, int, int]]:
    """The relations between two mentions, with their numbers; others are errors."""
    links = []
    for relation in rows.relations:
        numbers = rows.number.get(relation.layer, {})
        missing = next((key for key in (relation.source, relation.target) if key not in numbers), None)
        if missing is not None:
            on_error(relation.line, f"relates the annotation {missing}, which is not there; expected one of the layer")
        elif relation.source == relation.target:
            on_error(relation.line, f"relates the annotation {relation.source} to itself; expected another one")
        else:
            links.append((relation, numbers[relation.source], numbers[relation.target]))
    return links


def labels_of(rows: WebannoRows, links: Sequence[tuple[WebannoRelation, int, int]]) -> list[str]:
    """What the entity of each mention is called."""
    names = [mention.label for mention in rows.mentions]
    for layer, numbers in rows.number.items() if len(rows.number) > 1 else ():
        for n in numbers.values():
            names[n] = f"{layer.rpartition('.')[2]}:{names[n]}"
    return [names[root] for root in components(len(names), [(a, b) for relation, a, b in links if not relation.is_bridging])]
