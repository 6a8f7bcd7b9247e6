"""The rows of WebAnno TSV: tokens, and the annotations that stand in them. The format is that of `webanno`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from referee.basics.exceptions import counted, one_line, shortened
from referee.corpus.undecided import NOTE, UNDECIDED
from referee.formats.shared.characters import utf16_offsets
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.source import OnError

MENTION_TAGS = frozenset(("pr", "pro", "pron", "nam", "name", "nom", "nominal", "cl", "zero"))
WORDS = re.compile(r"(?:.*\.)?Dependency|.*\.api\.(?:lexmorph|segmentation|syntax|transform)\..*", re.DOTALL)
"""Layers of words and of syntax, which nobody misses."""
UNIT = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(\.[0-9]{1,9})?")
OFFSETS = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
STACKED = re.compile(r"(?:^|\|)((?:\\.|[^|])*)")
NUMBER = re.compile(r"\[([0-9]{1,9})\]$")
LINK = re.compile(r".*->([0-9]{1,9}-[0-9]{1,9})")
ORIGIN = re.compile(r"([0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?)(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")

Place: TypeAlias = tuple[int, int, int, int]
"""Where the piece of a mention begins and ends: a token and a character in it, a token and a character in it."""


@dataclass(frozen=True)
class WebannoLayer:
    """A layer of the header: its kind (SP, CH or RL), its name, its features, and the column of the first of them."""

    kind: str
    name: str
    features: Sequence[str]
    column: int
    is_coreference: bool

    @property
    def short(self) -> str:
        """Its name without what stands before the last point."""
        return self.name.rpartition(".")[2]

    @property
    def base(self) -> str:
        """The layer that a relation is between."""
        return self.features[-1].removeprefix("BT_")

    def stacked(self, cells: Sequence[str], feature: str = "", default: int = 0) -> list[str]:
        """The annotations in the cell of this feature; in that of the feature of the default number if it has none."""
        number = self.features.index(feature) if feature in self.features else default % len(self.features)
        cell = cells[self.column + number]
        if "\\" in cell:
            return STACKED.findall(cell)
        return [] if cell == "_" else cell.split("|")


class WebannoRelation(NamedTuple):
    """A relation: its line and value, and the layer and the keys of the two annotations."""

    line: int
    value: str
    layer: str
    source: str
    target: str

    @property
    def is_bridging(self) -> bool:
        """Whether it is bridging, or one of several split antecedents."""
        return self.value == "bridge" or self.value.startswith("bridge:")


@dataclass(slots=True)
class WebannoMention:
    """A mention: what its entity is called, the type of that, and its piece in each of its rows."""

    label: str
    type: str
    pieces: list[Place] = field(default_factory=list)


class WebannoRows:
    """Collects tokens, mentions and relations of rows.

    Parameters
    ----------
    meaning : ChosenRelations
        Which relations are coreference.
    on_error : OnError
        Takes errors.

    Attributes
    ----------
    starts, ends, tokens
        The offsets of each token, and the token.
    sentences : list of int
        The tokens at which sentences begin.
    mentions : list of WebannoMention
        The mentions, in the order of their first rows.
    number : dict
        Layer -> the number, or the place of the only token, of an annotation -> the number of the mention.
    relations : list
        Relations that are coreference or bridging.
    left_out : Counter
        How many annotations of other layers there are.
    coreference : list of WebannoLayer
        The layers of coreference, with the spans that its relations are between, which come first.
    rows : list of triples
        The line, the unit and the place of each row.
    """

    def __init__(self, meaning: ChosenRelations, on_error: OnError) -> None:
        self.meaning = meaning
        self.on_error = on_error
        self.columns = 3
        self.layers: list[WebannoLayer] = []
        self.tokens: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.sentences: list[int] = []
        self.mentions: list[WebannoMention] = []
        self.number: dict[str, dict[str, int]] = {}
        self.relations: list[WebannoRelation] = []
        self.left_out: Counter[str] = Counter()
        self.coreference: list[WebannoLayer] = []
        self.rows: list[tuple[int, str, Place]] = []
        self._others: list[WebannoLayer] = []
        self._counted: set[tuple[str, str]] = set()
        self._unit = ""

    def header(self, kind: str, name: str, features: str) -> None:
        """Add a layer."""
        is_coreference = kind == "CH" or (kind == "RL" and self.meaning.matches(name.rpartition(".")[2]))
        layer = WebannoLayer(kind, name, features.split("|"), self.columns, is_coreference)
        self.columns += len(layer.features)
        self.layers.append(layer)
        related = {layer.base for layer in self.layers if layer.is_coreference and layer.kind == "RL"}
        spans = [layer for layer in self.layers if layer.kind == "SP" and layer.name in related]
        self.coreference = [*spans, *(layer for layer in self.layers if layer.is_coreference)]
        self._others = [layer for layer in self.layers if layer not in self.coreference and not WORDS.fullmatch(layer.name)]

    def add(self, line: int, text: str) -> None:
        """Add a row. What stands before an error in it is read, and what stands behind it is not."""
        cells = text.removesuffix("\t").split("\t")
        try:
            place = self._add_token(cells)
            self.rows.append((line, cells[0], place))
            for layer in self.coreference:
                if layer.kind == "SP":
                    for value in layer.stacked(cells):
                        called = key_of(value, cells[0])
                        self._add_mention(layer, called, called, type_in(value), place)
                elif layer.kind == "CH":
                    self._add_links(layer, cells, place)
                else:
                    self._add_relations(layer, line, cells)
        except ValueError as error:
            self.on_error(line, str(error))
            return
        for layer in self._others:
            if layer.kind == "RL":
                self.meaning.ignored[layer.short] += len(layer.stacked(cells, default=-1))
                continue
            for value in layer.stacked(cells):
                key = (layer.name, number[1]) if (number := NUMBER.search(value)) else None
                self.left_out[layer.short] += key not in self._counted
                if key:
                    self._counted.add(key)

    def _add_token(self, cells: Sequence[str]) -> Place:
        """Add the token of a row; gives its place, or that of a part of the token before. ValueError if it is neither."""
        if not (len(cells) > 2 and UNIT.fullmatch(cells[0]) and OFFSETS.fullmatch(cells[1])):
            row = shortened(" ".join(cells))
            raise ValueError(f"found {row!r}; expected sentence-token, begin-end and token between tabs")
        if len(cells) < self.columns or set(cells[self.columns :]) - {"_"}:
            expected = f"expected {self.columns}: 3, and those of the header's layers"
            raise ValueError(f"found {counted(len(cells), 'column')}; {expected}")
        unit, offsets, token = cells[:3]
        start, end = map(int, offsets.split("-"))
        if "." not in unit:
            sentence, _, number = unit.partition("-")
            before, _, previous = self._unit.partition("-")
            next_number = int(previous) + 1 if sentence == before else 1
            self._unit = unit
            if int(number) != next_number:
                raise ValueError(f"found token {unit}; expected {sentence}-{next_number}: a row is missing, or twice there")
            if sentence != before:
                self.sentences.append(len(self.tokens))
            word = token.replace("\\\\", "\\")
            if end - start != len(word) and end - start != len(utf16_offsets(word)) - 1:
                raise ValueError(
                    f"found {offsets} for {shortened(word)!r}; expected the offsets of its {counted(len(word), 'character')}"
                )
            self.starts.append(start)
            self.ends.append(end)
            self.tokens.append(word)
            return len(self.tokens) - 1, 0, len(self.tokens), 0
        if unit.partition(".")[0] == self._unit:
            last, characters = len(self.tokens) - 1, utf16_offsets(self.tokens[-1])
            begin, after = start - self.starts[-1], end - self.starts[-1]
            if 0 <= begin <= after < len(characters):
                is_end = characters[after] == len(self.tokens[-1])
                return (last, characters[begin], *((last + 1, 0) if is_end else (last, characters[after])))
        raise ValueError(f"found {unit} at {offsets}; expected a part of the token before it")

    def _add_links(self, layer: WebannoLayer, cells: Sequence[str], place: Place) -> None:
        """Add the mentions that stand in chains."""
        tags = layer.stacked(cells, "referenceType") if "referenceType" in layer.features else []
        for n, value in enumerate(layer.stacked(cells, "referenceRelation", -1)):
            link = LINK.fullmatch(value)
            if link is None:
                problem = one_line(f"{shortened(value)!r} in {shortened(layer.short)}")
                raise ValueError(f"found {problem}; expected a link of a chain, such as *->1-1")
            entity_type = type_in(tags[n]) if n < len(tags) else ""
            label = link[1].partition("-")[0]
            self._add_mention(layer, link[1], label, "" if entity_type.lower() in MENTION_TAGS else entity_type, place)

    def _add_mention(self, layer: WebannoLayer, key: str, label: str, entity_type: str, place: Place) -> None:
        """Add the piece of a mention, which may be new."""
        if place[:2] == place[2:]:
            raise ValueError("found an annotation of no character; expected mentions of at least one")
        numbers = self.number.setdefault(layer.name, {})
        if key not in numbers:
            numbers[key] = len(self.mentions)
            self.mentions.append(WebannoMention(label, entity_type))
        self.mentions[numbers[key]].pieces.append(place)

    def _add_relations(self, layer: WebannoLayer, line: int, cells: Sequence[str]) -> None:
        """Add the relations that end in a row."""
        values, origins = layer.stacked(cells), layer.stacked(cells, default=-1)
        if len(values) != len(origins):
            relations = f"{counted(len(values), 'relation')} of {one_line(shortened(layer.short))}"
            raise ValueError(f"found {relations} from {counted(len(origins), 'place')}; expected as many")
        for value, origin in zip(values, origins, strict=True):
            start, end = ends_of(origin, cells[0])
            self.relations.append(WebannoRelation(line, value if len(layer.features) > 1 else "", layer.base, start, end))

    def count_scattered(self) -> int:
        """How many mentions have pieces in several sentences that do not touch."""

        def are_apart(one: Place, other: Place) -> bool:
            return other[0] > one[2] and bisect_right(self.sentences, other[0]) > bisect_right(self.sentences, one[0])

        return sum(any(are_apart(a, b) for a, b in pairwise(mention.pieces)) for mention in self.mentions)


def ends_of(origin: str, unit: str) -> tuple[str, str]:
    """The annotations that a relation goes from and to, by what stands in a row. ValueError if it says none."""
    fields = ORIGIN.fullmatch(origin)
    if fields is None:
        raise ValueError(f"found {shortened(origin)!r}; expected where a relation comes from, such as 2-5 or 2-5[3_1]")
    place, source, target = fields.groups()
    return source if source and int(source) else place, target if target and int(target) else unit


def key_of(value: str, unit: str) -> str:
    """What relations call an annotation: its number, or the unit of its only row."""
    number = NUMBER.search(value)
    return number[1] if number else unit


def type_in(value: str) -> str:
    """The type that a value says, without the number of the annotation or a note behind it; "" for none."""
    value = NUMBER.sub("", value)
    if value.startswith(NOTE):
        return UNDECIDED
    return "" if value == "*" else re.sub(r"\\(.)", r"\1", value)
