r"""WebAnno TSV 3, of WebAnno, INCEpTION and GUM: one token per line, with columns for layers of annotation.

::

    #FORMAT=WebAnno TSV 3.3
    #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

    #Text=He shot himself
    1-1	0-2	He	pr[1]	coref->1-1
    1-2	3-7	shot	_	_
    1-3	8-15	himself	pr[1]	*->1-2

The header names the layers (T_SP spans, T_CH chains, T_RL relations) with their features, one column each. A row has sentence
and token, offsets of characters, the token, and the columns; `_` is no annotation, `*` an annotation without a value. A
backslash precedes a character of `\[]|_;*` or `->` that is meant as such. Annotations on the same token stand side by side,
divided by `|`; the number in brackets tells them apart, and says which rows belong to one annotation.

Coreference stands in one of two kinds of layers, and both are read:

chains
    `coref->1-2` is the second link of chain 1; every chain is an entity. All layers T_CH are read.
relations
    as in GUM::

        #T_SP=webanno.custom.Referent|entity|infstat
        #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent

        1-1	0-2	He	person[1]	acc[1]	coref	2-5[3_1]

    The last column of a relation says where it comes from: here from annotation 3, which begins at token 2-5, to annotation 1
    in this row; 0, or no brackets, is an annotation without number. Relations of layers whose name begins with "coref", or
    that `--relations` names, are coreference, whatever their value, and kept as listed; but `bridge`, `bridge:...` is bridging
    (from anaphor to antecedent), and `bridge:aggr...` one of several split antecedents. Relations of other layers (but
    Dependency) are ignored, with a warning. Every annotation of the layer that they relate is a mention, so those without a
    relation are singletons. The first feature (GUM: `entity`) of its first mention is an entity's type.

Other layers of spans are left out, with a count, but for those of words and of syntax (POS, Lemma and the like).

Entities are called by their chain, or by the number (or place) of their first annotation, with the layer's name in front if
several layers have mentions. A row such as ``1-3.1 9-13 play`` is a part of token 1-3: the token is cut where a mention begins
or ends inside it. The tokens are taken as they stand in their column, but for a backslash, which is written twice. The
text is that of the lines `#Text=`, where the offsets of the tokens fit. The document has no name; several documents are written
as the files of a folder, called by their names.

Written files have chains, of the layer that WebAnno and INCEpTION have from the beginning, and so no more than mentions,
entities and their types, which stand in `referenceType`. That is where types of chains are read, too, of the first mention of
each; but tags of mention types (`pr`, `nam`, `nom` and the like) are none.

References
----------
The format's description in INCEpTION's user guide, the files of its test suite, and GUM.

Notes
-----
Where programs disagree:

* The order of a chain's two columns differs between versions; they are told by their names in the header.
* INCEpTION counts offsets in UTF-16 units, GUM in characters: it matters only within tokens that are cut.
* Rows of GUM may have more columns than the header says; where these are empty (`_`), they are ignored.
* WebAnno TSV 1 and 2 are other formats, and refused.
* Some scripts number the links of chains anew in each sentence. A link then has pieces in several sentences, and a warning says
  in how many links.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple, TextIO

import numpy as np

from referee.algorithms.components import components
from referee.basics.exceptions import counted, one_line, shortened
from referee.corpus import Corpus, CorpusBuilder, RawText
from referee.formats.shared.characters import utf16_lengths, utf16_offsets
from referee.formats.shared.documents import unwritable
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.remainder import Remainder
from referee.formats.shared.remarks import remark
from referee.formats.shared.source import Fault, Source
from referee.formats.shared.written_text import WrittenText, documents_to_write
from referee.formats.webanno_text import assembled, texts_of_sentences, unescaped

HOLDS = ("spans", "words", "entity types", "links", "discontinuous mentions", "bridging", "split antecedents")
WRITES = ("spans", "words", "entity types")
ONE_DOCUMENT = ".tsv"
WRITES_PLACES = True
RELATIONS = True
SYNTAX = "Dependency"
LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation"
MENTION_TAGS = frozenset(("pr", "pro", "pron", "nam", "name", "nom", "nominal", "cl", "zero"))
MEANT = re.compile(r"[\\\[\]|_;*]|->")
CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
UNHOLDABLE = re.compile(rf"{CONTROL.pattern}|^\s*$")
UNHOLDABLE_IN_TEXT = re.compile(r"[\0\ud800-\udfff]")
PIECE = re.compile(r"\S+")
OF_WORDS = re.compile(r"\.api\.(lexmorph|segmentation|syntax|transform)\.")
EARLIER = re.compile(r"# (webanno\.custom\.|de\.tudarmstadt\.ukp\.dkpro\.core\.api\.)\S* \|")
HEADER = re.compile(r"#T_(SP|CH|RL)=([^|]*)\|?(.*)")
UNIT = re.compile(r"([0-9]{1,9})-[0-9]{1,9}(\.[0-9]{1,9})?")
OFFSETS = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
STACKED = re.compile(r"(?:^|\|)((?:\\.|[^|])*)")
NUMBER = re.compile(r"\[([0-9]{1,9})\]$")
LINK = re.compile(r".*->([0-9]{1,9})-([0-9]{1,9})")
ORIGIN = re.compile(r"([0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?)(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")

Place = tuple[int, int]
"""A token, and a character in it."""

Key = tuple[str, str]
"""An annotation: its layer, and its number or the place of its only token."""


@dataclass(frozen=True)
class _WebannoLayer:
    """A layer of the header: its kind (SP, CH or RL), its name, its features, and the column of the first of them."""

    kind: str
    name: str
    features: Sequence[str]
    column: int
    is_coreference: bool

    @property
    def short(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def base(self) -> str:
        """The layer that a relation is between."""
        return self.features[-1].removeprefix("BT_")


@dataclass
class _WebannoMention:
    label: str
    type: str
    parts: list[tuple[Place, Place]] = field(default_factory=list)


@dataclass(frozen=True)
class _WebannoRelation:
    line: int
    value: str
    source: Key
    target: Key

    @property
    def bridges(self) -> bool:
        return self.value == "bridge" or self.value.startswith("bridge:")


def sniff(head: str) -> bool:
    """Whether it names the version 3 of the format, or has the header of an earlier one."""
    return head.startswith("#FORMAT=WebAnno TSV 3") or EARLIER.match(head) is not None


def read(source: Source, fault: Fault) -> Corpus:
    """Read a file row by row."""
    reader = _WebannoReader(source.asked.relations, fault)
    if EARLIER.match(source.head.decode(errors="replace")):
        fault(1, "found WebAnno TSV 1 or 2; expected WebAnno TSV 3: export it again")
        return CorpusBuilder(source.name).corpus()
    for line, text in source.lines(fault):
        if header := HEADER.fullmatch(text):
            reader.header(*header.groups())
        elif text and not text.startswith("#"):
            reader.row(line, text.split("\t"))
        elif text.startswith("#Text="):
            reader.lines.append(unescaped(text[6:]))
        elif text.startswith("#Before="):
            reader.before = unescaped(text[8:])
    if not reader.coreference:
        found = shortened(", ".join(layer.short for layer in reader.layers) or "none", 100)
        expected = "chains (#T_CH=), or relations (#T_RL=) whose name begins with Coref, or is one of --relations"
        fault(1, f"has no layer of coreference, but the layers: {one_line(found)}; expected {expected}")
    reader.chosen.warn(source.name)
    reader.remarks(source.name)
    return reader.corpus(source.name)


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


def held(rest: Remainder) -> None:
    """Leave out mentions of nothing but blanks; change words, texts and types."""
    rest.change_texts(UNHOLDABLE_IN_TEXT)
    rest.reword(lambda _, words: [token if words.raw else _holdable(token) for token in words.tokens])
    rest.change_types(_other_type)


def _holdable(token: str) -> str:
    """A token as a row can have it."""
    return CONTROL.sub("_", token) if token.strip() else "_"


def _other_type(entity_type: str) -> str:
    """A type that is no tag of mention types, and goes into a cell."""
    changed = re.sub(r"[\x00-\x1f]", "_", entity_type)
    return changed + "_" * (changed.lower() in MENTION_TAGS)


class _WebannoRows(NamedTuple):
    """The rows of a document: the characters of each, and the first row and the one after the last of each token."""

    places: Sequence[tuple[int, int]]
    first: Sequence[int]
    after: Sequence[int]


def _rows(written: WrittenText) -> _WebannoRows:
    """A row for each token. What is in the text has one for each piece without white space, and one for tokens of one place."""
    if not written.is_raw:
        return _WebannoRows(written.places, range(len(written.places)), range(1, len(written.places) + 1))
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
    return _WebannoRows(places, first, after)


def _links_of_rows(corpus: Corpus, mentions: Mapping[int, Sequence[int]], rows: _WebannoRows) -> list[list[tuple[int, int]]]:
    """The mentions that each row is in, as the numbers of a chain and of its link."""
    cells: list[list[tuple[int, int]]] = [[] for _ in rows.places]
    for chain, of in enumerate(mentions.values(), start=1):
        for link, mention in enumerate(of, start=1):
            for row in range(rows.first[corpus.start[mention]], rows.after[corpus.end[mention] - 1]):
                cells[row].append((chain, link))
    return cells


class _WebannoReader:
    """Collects tokens, mentions and relations row by row."""

    def __init__(self, relations: Sequence[str], fault: Fault) -> None:
        self.fault = fault
        is_usual = re.compile("coref", re.IGNORECASE).match
        self.chosen = ChosenRelations(relations, is_usual, "layers whose names begin with coref are")
        self.columns = 3
        self.layers: list[_WebannoLayer] = []
        self.coreference: list[_WebannoLayer] = []
        self.spans: list[_WebannoLayer] = []
        self.tokens: list[str] = []
        self.sentences: list[int] = []
        self.sentence = ""
        self.unit = ""
        self.begin = 0
        self.places: list[tuple[int, int]] = []
        self.before: str | None = None
        self.lines: list[str] = []
        self.texts: list[tuple[int, str]] = []
        self.characters: Sequence[int] = ()
        self.mentions: dict[Key, _WebannoMention] = {}
        self.relations: list[_WebannoRelation] = []
        self.others: list[_WebannoLayer] = []
        self.left_out: Counter[str] = Counter()
        self.numbered: set[Key] = set()

    def header(self, kind: str, name: str, features: str) -> None:
        short = name.rpartition(".")[2]
        meant = kind == "CH" or (kind == "RL" and self.chosen.matches(short))
        layer = _WebannoLayer(kind, name, features.split("|"), self.columns, meant)
        self.columns += len(layer.features)
        self.layers.append(layer)
        self.coreference = [each for each in self.layers if each.is_coreference]
        related = {each.base for each in self.coreference if each.kind == "RL"}
        self.spans = [each for each in self.layers if each.kind == "SP" and each.name in related]
        self.others = [
            layer
            for layer in self.layers
            if not (layer in self.spans or layer.is_coreference or layer.short == SYNTAX or OF_WORDS.search(layer.name))
        ]

    def row(self, line: int, cells: list[str]) -> None:
        if cells[-1] == "":
            cells.pop()
        try:
            part = self.place(cells)
            for layer in self.spans:
                self.annotations(layer, cells, part)
            for layer in self.coreference:
                if layer.kind == "CH":
                    self.links(layer, cells, part)
                else:
                    self.relations.extend(_relations(layer, line, cells))
            for layer in self.others:
                if layer.kind == "RL":
                    self.chosen.ignored[layer.short] += len(_stacked(cells[layer.column + len(layer.features) - 1]))
                elif cells[layer.column] != "_":
                    self.other(layer, cells)
        except ValueError as error:
            self.fault(line, str(error))

    def other(self, layer: _WebannoLayer, cells: Sequence[str]) -> None:
        """Count the annotations of a layer of spans that is no coreference, each once."""
        for value in _stacked(cells[layer.column]):
            key = (layer.name, number[1]) if (number := NUMBER.search(value)) else None
            self.left_out[layer.short] += key not in self.numbered
            if key:
                self.numbered.add(key)

    def place(self, cells: Sequence[str]) -> tuple[Place, Place]:
        """Where the token of this row, or the part of one, begins and ends. ValueError if it is no row of this file."""
        unit = UNIT.fullmatch(cells[0])
        offsets = OFFSETS.fullmatch(cells[1]) if len(cells) > 2 else None
        if unit is None or offsets is None:
            raise ValueError(f"found {shortened(' '.join(cells))!r}; expected sentence-token, begin-end and token between tabs")
        if len(cells) < self.columns or set(cells[self.columns :]) - {"_"}:
            raise ValueError(
                f"found {counted(len(cells), 'column')}; expected {self.columns}: 3, and those of the header's layers"
            )
        begin, end = int(offsets[1]), int(offsets[2])
        if unit[2] is None:
            if unit[1] != self.sentence:
                self.sentences.append(len(self.tokens))
            self.sentence, self.unit, self.begin, self.characters = unit[1], unit[0], begin, ()
            if self.lines:
                self.texts.append((begin, "\n".join(self.lines)))
                self.lines = []
            self.places.append((begin, end))
            self.tokens.append(cells[2].replace("\\\\", "\\"))
            return (len(self.tokens) - 1, 0), (len(self.tokens), 0)
        token = len(self.tokens) - 1
        if unit[0].partition(".")[0] == self.unit:
            self.characters = self.characters or utf16_offsets(self.tokens[token])
            if self.begin <= begin <= end < self.begin + len(self.characters):
                first, after = self.characters[begin - self.begin], self.characters[end - self.begin]
                return (token, first), (token + 1, 0) if after == len(self.tokens[token]) else (token, after)
        raise ValueError(f"found {cells[0]} at {cells[1]}; expected a part of the token before it")

    def annotations(self, layer: _WebannoLayer, cells: Sequence[str], part: tuple[Place, Place]) -> None:
        """Collect the mentions that stand in a layer of spans in this row."""
        for value in _stacked(cells[layer.column]):
            number = NUMBER.search(value)
            key = number[1] if number else cells[0]
            self.add((layer.name, key), key, _type(value[: number.start()] if number else value), part)

    def links(self, layer: _WebannoLayer, cells: Sequence[str], part: tuple[Place, Place]) -> None:
        """Collect the mentions that stand in chains in this row."""
        index = layer.features.index("referenceRelation") if "referenceRelation" in layer.features else -1
        values = _stacked(cells[layer.column + index % len(layer.features)])
        place = layer.features.index("referenceType") if "referenceType" in layer.features else index
        tags = _stacked(cells[layer.column + place % len(layer.features)]) if place != index else []
        for n, value in enumerate(values):
            link = LINK.fullmatch(value)
            if link is None:
                found = one_line(f"{shortened(value)!r} in {shortened(layer.short)}")
                raise ValueError(f"found {found}; expected a link of a chain, such as *->1-1")
            self.add((layer.name, f"{link[1]}-{link[2]}"), link[1], _type_of_chain(tags[n] if n < len(tags) else "*"), part)

    def add(self, key: Key, label: str, entity_type: str, part: tuple[Place, Place]) -> None:
        if part[0] == part[1]:
            raise ValueError("found an annotation of no character; expected mentions of at least one")
        self.mentions.setdefault(key, _WebannoMention(label, entity_type)).parts.append(part)

    def remarks(self, source: str) -> None:
        """Warn of layers that are left out, and of numbers that begin again."""
        remark(source, "left out {} of layers without coreference ({names})", "annotation", self.left_out)
        scattered = sum(self.is_scattered(mention) for mention in self.mentions.values())
        remedy = "if numbers of chains or annotations begin again in each sentence, make them different"
        remark(source, f"found {{}} with pieces in several sentences: {remedy}", "mention", scattered)

    def is_scattered(self, mention: _WebannoMention) -> bool:
        """Whether a mention has pieces in several sentences that do not touch."""
        return any(
            second[0][0] > first[1][0]
            and bisect_right(self.sentences, first[0][0]) < bisect_right(self.sentences, second[0][0])
            for first, second in pairwise(mention.parts)
        )

    def corpus(self, name: str) -> Corpus:
        cuts: dict[int, set[int]] = {}
        for mention in self.mentions.values():
            for token, character in (place for part in mention.parts for place in part):
                if character:
                    cuts.setdefault(token, set()).add(character)
        edges = {token: [0, *sorted(inside)] for token, inside in cuts.items()}
        first = [0, *accumulate(len(edges.get(n, "1")) for n in range(len(self.tokens)))]
        index = {(token, character): first[token] + n for token, inside in edges.items() for n, character in enumerate(inside)}
        cuts_of = ((word, [*edges.get(n, [0]), len(word)]) for n, word in enumerate(self.tokens))
        tokens = [word[a:b] for word, places in cuts_of for a, b in pairwise(places)]
        builder = CorpusBuilder(name)
        builder.document("", tokens, [first[n] for n in self.sentences], raw=self.raw(edges))
        links = self.resolved()
        labels = self.labels(links)
        numbers: dict[Key, int] = {}
        for key, mention in self.mentions.items():
            parts = [(index.get(a, first[a[0]]), index.get(b, first[b[0]])) for a, b in mention.parts]
            numbers[key] = builder.mention(0, 0, labels[key], mention.type, spans=parts)
        for relation in links:
            source, target = relation.source, relation.target
            if not relation.bridges:
                builder.link(numbers[source], numbers[target])
            elif relation.value.startswith("bridge:aggr"):
                builder.split_antecedent(builder.entity(labels[source]), builder.entity(labels[target]))
            else:
                builder.bridge(numbers[source], numbers[target], relation.value.removeprefix("bridge").removeprefix(":"))
        return builder.corpus()

    def raw(self, edges: Mapping[int, Sequence[int]]) -> RawText | None:
        """The text, if it can be put together, and the places of the tokens, each of which begins at some of its characters."""
        found = assembled(self.before, self.texts, self.places, self.tokens)
        if found is None:
            return None
        text, starts, ends = found
        if edges:
            ends = [start + edge for n, start in enumerate(starts) for edge in (*edges.get(n, ())[1:], ends[n] - start)]
            starts = [start + edge for n, start in enumerate(starts) for edge in edges.get(n, (0,))]
        return RawText(text, np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64))

    def resolved(self) -> list[_WebannoRelation]:
        """The relations between two mentions; others are errors."""
        links = []
        for relation in self.relations:
            missing = [key for _, key in (relation.source, relation.target) if (relation.source[0], key) not in self.mentions]
            if missing:
                self.fault(relation.line, f"relates the annotation {missing[0]}, which is not there; expected one of the layer")
            elif relation.source == relation.target:
                self.fault(relation.line, f"relates the annotation {relation.source[1]} to itself; expected another one")
            else:
                links.append(relation)
        return links

    def labels(self, links: Sequence[_WebannoRelation]) -> dict[Key, str]:
        """What the entity of each mention is called."""
        number = {key: n for n, key in enumerate(self.mentions)}
        roots = components(len(number), [(number[r.source], number[r.target]) for r in links if not r.bridges])
        several = len({layer for layer, _ in number}) > 1
        prefixes = [f"{layer.rpartition('.')[2]}:" * several for layer, _ in self.mentions]
        names = [prefix + mention.label for prefix, mention in zip(prefixes, self.mentions.values(), strict=True)]
        return {key: names[roots[n]] for key, n in number.items()}


def _relations(layer: _WebannoLayer, line: int, cells: Sequence[str]) -> Iterator[_WebannoRelation]:
    """The relations that end in this row. ValueError if they are none."""
    features = [_stacked(cell) for cell in cells[layer.column : layer.column + len(layer.features)]]
    values, origins = features[0], features[-1]
    if len(values) != len(origins):
        relations = f"{counted(len(values), 'relation')} of {one_line(shortened(layer.short))}"
        raise ValueError(f"found {relations} from {counted(len(origins), 'place')}; expected as many")
    for value, origin in zip(values, origins, strict=True):
        found = ORIGIN.fullmatch(origin)
        if found is None:
            raise ValueError(f"found {shortened(origin)!r}; expected where a relation comes from, such as 2-5 or 2-5[3_1]")
        place, source, target = found.groups()
        start = source if source and int(source) else place
        end = target if target and int(target) else cells[0]
        yield _WebannoRelation(line, value if len(features) > 1 else "", (layer.base, start), (layer.base, end))


def _stacked(cell: str) -> list[str]:
    """The annotations in a cell."""
    return [] if cell == "_" else STACKED.findall(cell)


def _type_of_chain(tag: str) -> str:
    """The type that a link of a chain gives its entity."""
    entity_type = _type(NUMBER.sub("", tag))
    return "" if entity_type.lower() in MENTION_TAGS else entity_type


def _type(value: str) -> str:
    return "" if value == "*" else re.sub(r"\\(.)", r"\1", value)
