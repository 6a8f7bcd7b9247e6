"""The rows of WebAnno TSV: tokens, and the annotations that stand in them. The format is that of `webanno`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from referee.basics.exceptions import counted, one_line, shortened
from referee.formats.shared.characters import utf16_offsets
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.source import OnError
from referee.formats.webanno.layers import Key, WebannoLayer, WebannoRelation, relations_of

MENTION_TAGS = frozenset(("pr", "pro", "pron", "nam", "name", "nom", "nominal", "cl", "zero"))
UNIT = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(\.[0-9]{1,9})?")
OFFSETS = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
STACKED = re.compile(r"(?:^|\|)((?:\\.|[^|])*)")
NUMBER = re.compile(r"\[([0-9]{1,9})\]$")
LINK = re.compile(r".*->([0-9]{1,9}-[0-9]{1,9})")

Place: TypeAlias = tuple[int, int, int, int]
"""Where the piece of a mention begins and ends: a token and a character in it, a token and a character in it."""


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
    chosen : ChosenRelations
        Which relations are coreference.
    on_error : OnError
        Takes errors.

    Attributes
    ----------
    units, starts, ends, tokens
        What each token is called, its offsets, and the token.
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
    """

    def __init__(self, chosen: ChosenRelations, on_error: OnError) -> None:
        self.chosen = chosen
        self.on_error = on_error
        self.columns = 3
        self.layers: list[WebannoLayer] = []
        self.tokens: list[str] = []
        self.units: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.sentences: list[int] = []
        self.mentions: list[WebannoMention] = []
        self.number: dict[str, dict[str, int]] = {}
        self.relations: list[WebannoRelation] = []
        self.left_out: Counter[str] = Counter()
        self._coreference: list[WebannoLayer] = []  # with the spans that its relations are between, which come first
        self._others: list[WebannoLayer] = []
        self._counted: set[Key] = set()
        self._sentence = ""

    def header(self, kind: str, name: str, features: str) -> None:
        """Add a layer."""
        is_coreference = kind == "CH" or (kind == "RL" and self.chosen.matches(name.rpartition(".")[2]))
        layer = WebannoLayer(kind, name, features.split("|"), self.columns, is_coreference)
        self.columns += len(layer.features)
        self.layers.append(layer)
        related = {layer.base for layer in self.layers if layer.is_coreference and layer.kind == "RL"}
        spans = [layer for layer in self.layers if layer.kind == "SP" and layer.name in related]
        self._coreference = [*spans, *(layer for layer in self.layers if layer.is_coreference)]
        self._others = [layer for layer in self.layers if layer not in self._coreference and not layer.is_of_words]

    def add(self, line: int, text: str) -> None:
        """Add a row. What stands before an error in it is read, and what stands behind it is not."""
        cells = text.removesuffix("\t").split("\t")
        try:
            self._check(cells)
            place = self._add_token(cells)
            for layer in self._coreference:
                if layer.kind == "SP":
                    self._add_spans(layer, cells, place)
                elif layer.kind == "CH":
                    self._add_links(layer, cells, place)
                else:
                    self._add_relations(layer, line, cells)
        except ValueError as error:
            self.on_error(line, str(error))
            return
        for layer in self._others:
            if layer.kind == "RL":
                self.chosen.ignored[layer.short] += len(stacked(cells[layer.column + len(layer.features) - 1]))
            elif cells[layer.column] != "_":
                self.left_out[layer.short] += self._count(layer, stacked(cells[layer.column]))

    def _check(self, cells: Sequence[str]) -> None:
        """Raise ValueError if it is no row of this file."""
        if not (len(cells) > 2 and UNIT.fullmatch(cells[0]) and OFFSETS.fullmatch(cells[1])):
            found = shortened(" ".join(cells))
            raise ValueError(f"found {found!r}; expected sentence-token, begin-end and token between tabs")
        if len(cells) < self.columns or set(cells[self.columns :]) - {"_"}:
            expected = f"expected {self.columns}: 3, and those of the header's layers"
            raise ValueError(f"found {counted(len(cells), 'column')}; {expected}")

    def _add_token(self, cells: Sequence[str]) -> Place:
        """Add the token of a row; gives its place, or that of a part of the token before. ValueError if it is no such part."""
        unit, offsets, token = cells[:3]
        start, end = map(int, offsets.split("-"))
        if "." in unit:
            return self._part(unit, start, end, offsets)
        if (sentence := unit.partition("-")[0]) != self._sentence:
            self._sentence = sentence
            self.sentences.append(len(self.tokens))
        self.units.append(unit)
        self.starts.append(start)
        self.ends.append(end)
        self.tokens.append(token.replace("\\\\", "\\"))
        return len(self.tokens) - 1, 0, len(self.tokens), 0

    def _part(self, unit: str, start: int, end: int, offsets: str) -> Place:
        """The place of a part of the last token."""
        if self.units and unit.partition(".")[0] == self.units[-1]:
            last, characters = len(self.tokens) - 1, utf16_offsets(self.tokens[-1])
            begin, after = start - self.starts[-1], end - self.starts[-1]
            if 0 <= begin <= after < len(characters):
                is_end = characters[after] == len(self.tokens[-1])
                return (last, characters[begin], *((last + 1, 0) if is_end else (last, characters[after])))
        raise ValueError(f"found {unit} at {offsets}; expected a part of the token before it")

    def _count(self, layer: WebannoLayer, values: Sequence[str]) -> int:
        """How many annotations of a layer stand in a row and in none before."""
        keys = [(layer.name, number[1]) if (number := NUMBER.search(value)) else None for value in values]
        new = {key for key in keys if key is not None} - self._counted
        self._counted |= new
        return len(new) + keys.count(None)

    def _add_spans(self, layer: WebannoLayer, cells: Sequence[str], place: Place) -> None:
        """Add the mentions that stand in a layer of spans."""
        for value in stacked(cells[layer.column]):
            number = NUMBER.search(value)
            key = number[1] if number else cells[0]
            self._add_mention(layer, key, key, _type(NUMBER.sub("", value)), place)

    def _add_links(self, layer: WebannoLayer, cells: Sequence[str], place: Place) -> None:
        """Add the mentions that stand in chains."""
        last = layer.column + len(layer.features) - 1
        links = stacked(cells[layer.column_of("referenceRelation", last)])
        tags = stacked(cells[layer.column_of("referenceType", last)]) if "referenceType" in layer.features else []
        for n, value in enumerate(links):
            link = LINK.fullmatch(value)
            if link is None:
                found = one_line(f"{shortened(value)!r} in {shortened(layer.short)}")
                raise ValueError(f"found {found}; expected a link of a chain, such as *->1-1")
            entity_type = _type(NUMBER.sub("", tags[n])) if n < len(tags) else ""
            chain = link[1].partition("-")[0]
            self._add_mention(layer, link[1], chain, "" if entity_type.lower() in MENTION_TAGS else entity_type, place)

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
        features = cells[layer.column : layer.column + len(layer.features)]
        if features[0] != "_" or features[-1] != "_":
            for relation in relations_of(layer, line, cells[0], [*map(stacked, features)]):
                self.relations.append(relation)

    def scattered(self) -> int:
        """How many mentions have pieces in several sentences that do not touch."""
        sentence = _running(self.sentences, len(self.tokens))
        return sum(
            any(b[0] > a[2] and sentence[b[0]] > sentence[a[0]] for a, b in zip(m.pieces, m.pieces[1:], strict=False))
            for m in self.mentions
        )


def _running(starts: Sequence[int], length: int) -> list[int]:
    """How many starts are up to each place."""
    numbers = [0] * length
    for start in starts:
        numbers[start] = 1
    total = 0
    for place, number in enumerate(numbers):
        total += number
        numbers[place] = total
    return numbers


def stacked(cell: str) -> list[str]:
    """The annotations in a cell."""
    if "\\" in cell:
        return STACKED.findall(cell)
    return [] if cell == "_" else cell.split("|")


def _type(value: str) -> str:
    return "" if value == "*" else re.sub(r"\\(.)", r"\1", value)
