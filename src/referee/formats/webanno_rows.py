"""The rows of WebAnno TSV as columns: tokens, and the annotations that stand in them. The format is that of `webanno`.

Most rows are alike, so all of a file are looked at together. One by one are looked at those that are parts of a token or have
an error, and cells with relations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import ne
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, numbers, order_by, repeat
from referee.basics.exceptions import counted, one_line, shortened
from referee.formats.shared.characters import utf16_offsets
from referee.formats.shared.relations import ChosenRelations
from referee.formats.webanno_pieces import WebannoPieces

MENTION_TAGS = frozenset(("pr", "pro", "pron", "nam", "name", "nom", "nominal", "cl", "zero"))
SYNTAX = "Dependency"
OF_WORDS = re.compile(r"\.api\.(lexmorph|segmentation|syntax|transform)\.")
UNIT = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(\.[0-9]{1,9})?")
OFFSETS = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
NO_PAIR = re.compile(rf"^(?!{OFFSETS.pattern}$)", re.MULTILINE)
"""A line that has no two numbers, which units of whole tokens and offsets have."""
STACKED = re.compile(r"(?:^|\|)((?:\\.|[^|])*)")
NUMBER = re.compile(r"\[([0-9]{1,9})\]$", re.MULTILINE)
LINK = re.compile(r".*->([0-9]{1,9})-([0-9]{1,9})")
ORIGIN = re.compile(r"([0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?)(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")

Key = tuple[str, str]
"""An annotation: its layer, and its number or the place of its only token."""

OF_NO_CHARACTER = "found an annotation of no character; expected mentions of at least one"


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


@dataclass(frozen=True)
class WebannoRelation:
    """A relation of two annotations, and its line."""

    line: int
    value: str
    source: Key
    target: Key

    @property
    def bridges(self) -> bool:
        """Whether it is bridging, or one of several split antecedents."""
        return self.value == "bridge" or self.value.startswith("bridge:")


class _RowsOfHeader(NamedTuple):
    """Rows below one header.

    Parameters
    ----------
    first : int
        The number of the first of them in the file.
    lines
        Of each row.
    columns
        The cells.
    places : int64, shape (rows, 4)
        Where each row begins and ends: a token, and a character in it.
    problems : dict
        What is wrong in some rows. What stands before a problem in its row is read, and what stands behind it is not.
    """

    first: int
    lines: Sequence[int]
    columns: Sequence[Sequence[str]]
    places: Ints
    problems: dict[int, str]

    @property
    def is_empty(self) -> Bools:
        """Which rows have no character."""
        is_empty: Bools = (self.places[:, :2] == self.places[:, 2:]).all(axis=1)
        return is_empty

    def filled(self, column: int) -> list[int]:
        """The rows with an annotation in a column."""
        rows = [n for n, cell in enumerate(self.columns[column]) if cell != "_"]
        return [n for n in rows if n not in self.problems] if self.problems else rows

    def stacks(self, rows: Sequence[int], column: int) -> list[list[str]]:
        """The annotations in a column of some rows."""
        cells = self.columns[column]
        return [_stacked(cells[n]) for n in rows]

    def stop(self, rows: Sequence[int], stacks: Sequence[list[str]], problem_of: Callable[[str], str | None]) -> None:
        """Take annotations that have a problem out of stacks, with those behind them."""
        is_empty = self.is_empty
        for n, stack in zip(rows, stacks, strict=True):
            for place, value in enumerate(stack):
                problem = problem_of(value) or (OF_NO_CHARACTER if is_empty[n] else None)
                if problem:
                    self.problems[n] = problem
                    del stack[place:]
                    break


class WebannoRows:
    """Collects tokens, mentions and relations of rows.

    Parameters
    ----------
    chosen : ChosenRelations
        Which relations are coreference.

    Attributes
    ----------
    units, starts, ends, tokens, lines
        What each token is called, its offsets, the token, and the line it stands in.
    sentences : list of int
        The tokens at which sentences begin.
    relations : list
        Relations that are coreference or bridging.
    left_out : Counter
        How many annotations of other layers there are.
    faults : list of pairs
        Lines, and what is wrong in them.
    labels, types
        What the entity of each mention is called, and the type that it has, by the number of the mention.
    number : dict
        The number of each mention.
    """

    def __init__(self, chosen: ChosenRelations) -> None:
        self.chosen = chosen
        self.columns = 3
        self.layers: list[WebannoLayer] = []
        self.tokens: list[str] = []
        self.units: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.lines: list[int] = []
        self.sentences: list[int] = []
        self.relations: list[WebannoRelation] = []
        self.left_out: Counter[str] = Counter()
        self.faults: list[tuple[int, str]] = []
        self.labels: list[str] = []
        self.types: list[str] = []
        self.number: dict[Key, int] = {}
        self._first: list[int] = []  # the row of each mention
        self._counted: set[Key] = set()
        self._sentence = ""
        self._places: list[Ints] = []  # of the rows below each header, shape (rows, 4)
        self._pieces: list[Ints] = []  # mentions with their rows, shape (2, pieces)

    @property
    def coreference(self) -> list[WebannoLayer]:
        """The layers of coreference."""
        return [layer for layer in self.layers if layer.is_coreference]

    def fault(self, line: int | None, problem: str) -> None:
        """Keep what is wrong in a line, until all lines are read."""
        self.faults.append((line or 0, problem))

    def header(self, kind: str, name: str, features: str) -> None:
        """Add a layer."""
        meant = kind == "CH" or (kind == "RL" and self.chosen.matches(name.rpartition(".")[2]))
        layer = WebannoLayer(kind, name, features.split("|"), self.columns, meant)
        self.columns += len(layer.features)
        self.layers.append(layer)

    def add(self, lines: Sequence[int], texts: Sequence[str]) -> None:
        """Add the rows below a header, each with its line."""
        columns = self._columns(texts)
        if columns is None:
            rows = [text.removesuffix("\t").split("\t") for text in texts]
            problems = {n: problem for n, cells in enumerate(rows) if (problem := self._problem(cells))}
            self.faults += [(lines[n], problem) for n, problem in problems.items()]
            lines = [line for n, line in enumerate(lines) if n not in problems]
            given = [cells[: self.columns] for n, cells in enumerate(rows) if n not in problems]
            columns = [[cells[column] for cells in given] for column in range(self.columns)]
        first = sum(map(len, self._places))
        places, wrong = self._add_tokens(lines, columns)
        self._places.append(places)
        found = _RowsOfHeader(first, lines, columns, places, wrong)
        self._add_annotations(found)
        self.faults += [(lines[n], problem) for n, problem in found.problems.items()]

    def _columns(self, texts: Sequence[str]) -> list[list[str]] | None:
        """The columns of rows that are all as they should be and no parts of tokens; None if some are not."""
        widths = {text.count("\t") + 1 for text in texts}
        width = widths.pop()
        if widths or width < self.columns:
            return None
        cells = "\t".join(texts).split("\t")
        columns = [cells[n::width] for n in range(width)]
        more = columns[self.columns :]
        are_empty = {"_"}.issuperset(chain(*more[:-1])) and {"_", ""}.issuperset(chain(*more[-1:]))
        if not are_empty or (not more and "" in columns[-1]) or any(NO_PAIR.search("\n".join(of)) for of in columns[:2]):
            return None
        return columns[: self.columns]

    def _problem(self, cells: Sequence[str]) -> str | None:
        """Why it is no row of this file, if it is none."""
        if not (len(cells) > 2 and UNIT.fullmatch(cells[0]) and OFFSETS.fullmatch(cells[1])):
            return f"found {shortened(' '.join(cells))!r}; expected sentence-token, begin-end and token between tabs"
        if len(cells) < self.columns or set(cells[self.columns :]) - {"_"}:
            return f"found {counted(len(cells), 'column')}; expected {self.columns}: 3, and those of the header's layers"
        return None

    def _add_tokens(self, lines: Sequence[int], columns: Sequence[Sequence[str]]) -> tuple[Ints, dict[int, str]]:
        """Add the tokens of rows; gives the place of each row in them, and the problems of those that have none."""
        units, offsets, tokens = columns[:3]
        starts, ends = np.fromstring(" ".join(offsets).replace("-", " "), dtype=np.int64, sep=" ").reshape(-1, 2).T.tolist()
        parts = [n for n, unit in enumerate(units) if "." in unit]
        is_whole = np.ones(len(units), dtype=bool)
        is_whole[parts] = False
        whole = np.flatnonzero(is_whole).tolist() if parts else range(len(units))
        before = len(self.tokens)
        sentences = [units[n].partition("-")[0] for n in whole]
        begins = map(ne, sentences, [self._sentence, *sentences])
        self.sentences += [before + n for n, begin in enumerate(begins) if begin]
        self._sentence = sentences[-1] if sentences else self._sentence
        if any("\\" in token for token in tokens):
            tokens = [token.replace("\\\\", "\\") for token in tokens]
        self.lines += [lines[n] for n in whole]
        self.units += [units[n] for n in whole]
        self.starts += [starts[n] for n in whole]
        self.ends += [ends[n] for n in whole]
        self.tokens += [tokens[n] for n in whole]
        token = before + np.cumsum(is_whole) - 1
        nothing = np.zeros_like(token)
        places = np.stack((token, nothing, token + 1, nothing), axis=1)
        problems: dict[int, str] = {}
        known, characters = -1, utf16_offsets("")
        for n in parts:
            here = int(token[n])
            if here >= 0 and units[n].partition(".")[0] == self.units[here]:
                if here != known:
                    known, characters = here, utf16_offsets(self.tokens[here])
                begin, end = starts[n] - self.starts[here], ends[n] - self.starts[here]
                if 0 <= begin <= end < len(characters):
                    after = characters[end]
                    is_last = after == len(self.tokens[here])
                    places[n] = (here, characters[begin], here + 1, 0) if is_last else (here, characters[begin], here, after)
                    continue
            problems[n] = f"found {units[n]} at {offsets[n]}; expected a part of the token before it"
        return places, problems

    def _add_annotations(self, rows: _RowsOfHeader) -> None:
        """Add the mentions and relations of rows, and count what is left out."""
        first = len(self.relations)
        related = {layer.base for layer in self.coreference if layer.kind == "RL"}
        spans = [layer for layer in self.layers if layer.kind == "SP" and layer.name in related]
        for layer in spans:
            self._add_spans(layer, rows)
        for layer in self.coreference:
            if layer.kind == "CH":
                self._add_chains(layer, rows)
            else:
                self._add_relations(layer, rows)
        self.relations[first:] = sorted(self.relations[first:], key=lambda relation: relation.line)
        found: list[tuple[int, str, int]] = []
        for layer in self.layers:
            if layer in spans or layer.is_coreference or layer.short == SYNTAX or OF_WORDS.search(layer.name):
                continue
            if layer.kind == "RL" and len(rows.problems) < len(rows.lines):
                last = layer.column + len(layer.features) - 1
                self.chosen.ignored[layer.short] += sum(map(len, rows.stacks(rows.filled(last), last)))
            elif layer.kind != "RL" and (here := rows.filled(layer.column)):
                found.append((here[0], layer.short, sum(self._count(layer, of) for of in rows.stacks(here, layer.column))))
        for _, short, number in sorted(found, key=lambda row: row[0]):
            self.left_out[short] += number

    def _count(self, layer: WebannoLayer, values: Sequence[str]) -> int:
        """How many annotations of a layer stand in a row and in none before."""
        keys = [(layer.name, number[1]) if (number := NUMBER.search(value)) else None for value in values]
        new = [key for key in dict.fromkeys(keys) if key is not None and key not in self._counted]
        self._counted.update(new)
        return len(new) + keys.count(None)

    def _add_spans(self, layer: WebannoLayer, rows: _RowsOfHeader) -> None:
        """Add the mentions that stand in a layer of spans."""
        here = rows.filled(layer.column)
        stacks = rows.stacks(here, layer.column)
        if rows.is_empty.any():
            rows.stop(here, stacks, lambda _: None)
        values, row_of = _flat(here, stacks)
        found = {value: NUMBER.search(value) for value in dict.fromkeys(values)}
        numbered = {value: number[1] if number else "" for value, number in found.items()}
        keys = [numbered[value] or rows.columns[0][n] for value, n in zip(values, row_of, strict=True)]
        new = self._add_mentions(layer, rows.first, keys, row_of)
        self.labels += [keys[n] for n in new]
        self.types += [_type(NUMBER.sub("", values[n])) for n in new]

    def _add_chains(self, layer: WebannoLayer, rows: _RowsOfHeader) -> None:
        """Add the mentions that stand in chains."""
        columns = {feature: layer.column + n for n, feature in reversed([*enumerate(layer.features)])}
        column = columns.get("referenceRelation", layer.column + len(layer.features) - 1)
        here = rows.filled(column)
        stacks = rows.stacks(here, column)
        links = {value: LINK.fullmatch(value) for value in dict.fromkeys(chain.from_iterable(stacks))}
        if rows.is_empty.any() or not all(links.values()):
            rows.stop(here, stacks, lambda value: None if links[value] else _no_link(value, layer))
        values, row_of = _flat(here, stacks)
        names = {value: "-".join(link.groups()) for value, link in links.items() if link}
        new = self._add_mentions(layer, rows.first, [*map(names.__getitem__, values)], row_of)
        self.labels += [names[values[n]].partition("-")[0] for n in new]
        tags = ["*"] * len(values)
        if columns.get("referenceType", column) != column:
            given = rows.stacks(here, columns["referenceType"])
            if [*map(len, given)] != [*map(len, stacks)]:
                given = [(of + ["*"] * len(stack))[: len(stack)] for of, stack in zip(given, stacks, strict=True)]
            tags = list(chain.from_iterable(given))
        bare = NUMBER.sub("", "\n".join(tags[n] for n in new)).split("\n") if new else []
        types = {tag: _type_of_chain(tag) for tag in dict.fromkeys(bare)}
        self.types += map(types.__getitem__, bare)

    def _add_mentions(self, layer: WebannoLayer, before: int, keys: Sequence[str], row_of: Sequence[int]) -> list[int]:
        """Add annotations, each a piece of a mention; gives the first of each mention that is new."""
        first = dict(zip(reversed(keys), reversed(range(len(keys))), strict=True))
        new = [first[key] for key in dict.fromkeys(keys) if (layer.name, key) not in self.number]
        for n in new:
            self.number[layer.name, keys[n]] = len(self.number)
            self._first.append(before + row_of[n])
        number = {key: self.number[layer.name, key] for key in first}
        pieces = np.array([[*map(number.__getitem__, keys)], row_of], dtype=np.int64)
        pieces[1] += before
        self._pieces.append(pieces)
        return new

    def _add_relations(self, layer: WebannoLayer, rows: _RowsOfHeader) -> None:
        """Add the relations that end in rows."""
        columns = rows.columns[layer.column : layer.column + len(layer.features)]
        for n in sorted({*rows.filled(layer.column), *rows.filled(layer.column + len(columns) - 1)}):
            try:
                for relation in _relations(layer, rows.lines[n], rows.columns[0][n], [_stacked(of[n]) for of in columns]):
                    self.relations.append(relation)
            except ValueError as error:
                rows.problems[n] = str(error)

    def pieces(self) -> WebannoPieces:
        """Number the mentions in the order of their rows, and give their pieces."""
        order = order_by(np.array(self._first, dtype=np.int64))
        rank = np.empty_like(order)
        rank[order] = numbers(len(order))
        self.labels, self.types = ([side[n] for n in order.tolist()] for side in (self.labels, self.types))
        self.number = {key: n for n, key in zip(rank.tolist(), self.number, strict=True)}
        mention, row = np.concatenate([np.empty((2, 0), dtype=np.int64), *self._pieces], axis=1)
        by_mention = order_by(rank[mention], row)
        places = np.concatenate([np.empty((0, 4), dtype=np.int64), *self._places])
        return WebannoPieces(rank[mention][by_mention], places[row[by_mention]])


def _flat(rows: Sequence[int], stacks: Sequence[Sequence[str]]) -> tuple[list[str], list[int]]:
    """The annotations of stacks one after another, and the row of each."""
    of = repeat(np.array(rows, dtype=np.int64), np.array([*map(len, stacks)], dtype=np.int64))
    return list(chain.from_iterable(stacks)), of.tolist()


def _no_link(value: str, layer: WebannoLayer) -> str:
    found = one_line(f"{shortened(value)!r} in {shortened(layer.short)}")
    return f"found {found}; expected a link of a chain, such as *->1-1"


def _relations(layer: WebannoLayer, line: int, unit: str, features: Sequence[list[str]]) -> Iterator[WebannoRelation]:
    """The relations that end in a row. ValueError if they are none."""
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
        end = target if target and int(target) else unit
        yield WebannoRelation(line, value if len(features) > 1 else "", (layer.base, start), (layer.base, end))


def _stacked(cell: str) -> list[str]:
    """The annotations in a cell."""
    if "\\" in cell:
        return STACKED.findall(cell)
    return [] if cell == "_" else cell.split("|")


def _type_of_chain(tag: str) -> str:
    """The type that a link of a chain gives its entity, of its tag without a number."""
    entity_type = _type(tag)
    return "" if entity_type.lower() in MENTION_TAGS else entity_type


def _type(value: str) -> str:
    return "" if value == "*" else re.sub(r"\\(.)", r"\1", value)
