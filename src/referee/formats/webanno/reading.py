"""Reading WebAnno TSV."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

import numpy as np

from referee.algorithms.components import components
from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder, RawText
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.source import OnError, Source
from referee.formats.webanno.layers import WebannoRelation
from referee.formats.webanno.rows import WebannoRows
from referee.formats.webanno.text import assembled, unescaped

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
    is_usual = re.compile("coref", re.IGNORECASE).match
    chosen = ChosenRelations(source.options.relations, is_usual, "layers whose names begin with coref are")
    rows = WebannoRows(chosen, on_error)
    before: str | None = None
    texts: dict[int, list[str]] = {}  # by the token that comes next
    for number, line in source.lines(on_error):
        if line.startswith("#"):
            if header := HEADER.fullmatch(line):
                rows.header(*header.groups())
            elif line.startswith("#Text="):
                texts.setdefault(len(rows.tokens), []).append(unescaped(line[6:]))
            elif line.startswith("#Before="):
                before = unescaped(line[8:])
        elif line:
            rows.add(number, line)
    if not any(layer.is_coreference for layer in rows.layers):
        found = shortened(", ".join(layer.short for layer in rows.layers) or "none", 100)
        expected = "chains (#T_CH=), or relations (#T_RL=) whose name begins with Coref, or is one of --relations"
        on_error(1, f"has no layer of coreference, but the layers: {one_line(found)}; expected {expected}")
    chosen.warn(source.name)
    warn_file(source.name, "left out {} of layers without coreference ({names})", "annotation", rows.left_out)
    remedy = "if numbers of chains or annotations begin again in each sentence, make them different"
    warn_file(source.name, f"found {{}} with pieces in several sentences: {remedy}", "mention", rows.scattered())
    sentences = [(rows.starts[token], "\n".join(lines)) for token, lines in texts.items() if token < len(rows.starts)]
    _add(builder, rows, assembled(before, sentences, rows.starts, rows.ends, rows.tokens), on_error)
    return builder.corpus()


def _add(
    builder: CorpusBuilder,
    rows: WebannoRows,
    text: tuple[str, list[int], list[int]] | None,
    on_error: OnError,
) -> None:
    """Add the document, its tokens cut where a piece of a mention begins or ends, and its mentions with their relations."""
    cuts = _cuts(rows)
    tokens = [word[a:b] for n, word in enumerate(rows.tokens) for a, b in pairwise([*cuts.get(n, (0,)), len(word)])]
    first = [0]
    for n in range(len(rows.tokens)):
        first.append(first[-1] + len(cuts.get(n, (0,))))
    builder.document("", tokens, [first[n] for n in rows.sentences], raw=text and _raw(*text, cuts))
    links = _resolved(rows, on_error)
    labels = _labels(rows, links)

    def place(token: int, character: int) -> int:
        return first[token] + (cuts[token].index(character) if character else 0)

    numbers = [
        builder.mention(0, 0, label, mention.type, spans=[(place(*piece[:2]), place(*piece[2:])) for piece in mention.pieces])
        for label, mention in zip(labels, rows.mentions, strict=True)
    ]
    for relation in links:
        source, target = (rows.number[layer][key] for layer, key in (relation.source, relation.target))
        if not relation.bridges:
            builder.link(numbers[source], numbers[target])
        elif relation.value.startswith("bridge:aggr"):
            builder.split_antecedent(builder.entity(labels[source]), builder.entity(labels[target]))
        else:
            builder.bridge(numbers[source], numbers[target], relation.value.removeprefix("bridge").removeprefix(":"))


def _cuts(rows: WebannoRows) -> Mapping[int, Sequence[int]]:
    """The characters at which the parts of each token that is cut begin."""
    pieces = chain.from_iterable(mention.pieces for mention in rows.mentions)
    edges = {edge for piece in pieces for edge in (piece[:2], piece[2:]) if edge[1]}
    cuts: dict[int, list[int]] = {}
    for token, character in sorted(edges):
        cuts.setdefault(token, [0]).append(character)
    return cuts


def _raw(text: str, starts: list[int], ends: list[int], cuts: Mapping[int, Sequence[int]]) -> RawText:
    """The text with the places of the tokens, each of which begins at some of its characters."""
    if cuts:
        ends = [start + edge for n, start in enumerate(starts) for edge in (*cuts.get(n, ())[1:], ends[n] - start)]
        starts = [start + edge for n, start in enumerate(starts) for edge in cuts.get(n, (0,))]
    return RawText(text, np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64))


def _resolved(rows: WebannoRows, on_error: OnError) -> list[WebannoRelation]:
    """The relations between two mentions; others are errors."""
    links = []
    for relation in rows.relations:
        keys = rows.number.get(relation.source[0], {})
        missing = [key for _, key in (relation.source, relation.target) if key not in keys]
        if missing:
            on_error(relation.line, f"relates the annotation {missing[0]}, which is not there; expected one of the layer")
        elif relation.source == relation.target:
            on_error(relation.line, f"relates the annotation {relation.source[1]} to itself; expected another one")
        else:
            links.append(relation)
    return links


def _labels(rows: WebannoRows, links: Sequence[WebannoRelation]) -> list[str]:
    """What the entity of each mention is called."""
    names = [mention.label for mention in rows.mentions]
    if len(rows.number) > 1:
        for layer, numbers in rows.number.items():
            for n in numbers.values():
                names[n] = f"{layer.rpartition('.')[2]}:{names[n]}"
    both = [(r.source, r.target) for r in links if not r.bridges]
    pairs = [(rows.number[layer][first], rows.number[of][second]) for (layer, first), (of, second) in both]
    return [names[root] for root in components(len(names), pairs)] if links else names
