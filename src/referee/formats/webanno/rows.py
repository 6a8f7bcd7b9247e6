"""The rows of WebAnno TSV: tokens, and the annotations that stand in them. The format is that of `webanno`.

Most rows are alike, so all of a file are looked at together. One by one are looked at those that are parts of a token or have
an error, and cells with relations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from referee.algorithms.arrays import Ints, argsort, inverse, starts_of_runs, tally
from referee.basics.exceptions import counted, one_line, shortened
from referee.formats.shared.characters import utf16_offsets
from referee.formats.shared.relations import ChosenRelations
from referee.formats.webanno.cells import OFFSETS, UNIT, WebannoCells, flat, number_pairs, plain_columns, stacked
from referee.formats.webanno.layers import Key, WebannoLayer, WebannoRelation, relations_of
from referee.formats.webanno.pieces import WebannoPieces

Cell = TypeVar("Cell")

MENTION_TAGS = frozenset(("pr", "pro", "pron", "nam", "name", "nom", "nominal", "cl", "zero"))
NUMBER = re.compile(r"\[([0-9]{1,9})\]$", re.MULTILINE)
LINK = re.compile(r"^.*->([0-9]{1,9}-[0-9]{1,9})$", re.MULTILINE)


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
        Layer -> the number, or the place of the only token, of an annotation -> the number of the mention.
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
        self.number: dict[str, dict[str, int]] = {}
        self._first: list[int] = []  # the row of each mention
        self._counted: set[Key] = set()
        self._sentence = ""
        self._places: list[Ints] = []  # of the rows below each header, shape (rows, 4)
        self._pieces: list[Ints] = []  # mentions with their rows, shape (2, pieces)

    @property
    def coreference(self) -> list[WebannoLayer]:
        """The layers of coreference."""
        return [layer for layer in self.layers if layer.is_coreference]

    def on_error(self, line: int | None, problem: str) -> None:
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
        found = plain_columns(texts, self.columns)
        if found is None:
            rows = [text.removesuffix("\t").split("\t") for text in texts]
            problems = {n: problem for n, cells in enumerate(rows) if (problem := self._problem(cells))}
            self.faults += [(lines[n], problem) for n, problem in problems.items()]
            lines = [line for n, line in enumerate(lines) if n not in problems]
            given = [cells[: self.columns] for n, cells in enumerate(rows) if n not in problems]
            columns = [[cells[column] for cells in given] for column in range(self.columns)]
            whole = number_pairs([unit for unit in columns[0] if "." not in unit])
            offsets = number_pairs(columns[1])
            assert whole is not None  # as they have no problem
            assert offsets is not None
        else:
            columns, whole, offsets = found
        first = sum(map(len, self._places))
        places, wrong = self._add_tokens(lines, columns, whole, offsets)
        self._places.append(places)
        cells_of = WebannoCells(first, lines, columns, places, wrong)
        self._add_annotations(cells_of)
        self.faults += [(lines[n], problem) for n, problem in cells_of.problems.items()]

    def _problem(self, cells: Sequence[str]) -> str | None:
        """Why it is no row of this file, if it is none."""
        if not (len(cells) > 2 and UNIT.fullmatch(cells[0]) and OFFSETS.fullmatch(cells[1])):
            return f"found {shortened(' '.join(cells))!r}; expected sentence-token, begin-end and token between tabs"
        if len(cells) < self.columns or set(cells[self.columns :]) - {"_"}:
            return f"found {counted(len(cells), 'column')}; expected {self.columns}: 3, and those of the header's layers"
        return None

    def _add_tokens(
        self, lines: Sequence[int], columns: Sequence[Sequence[str]], numbers: Ints, places_of: Ints
    ) -> tuple[Ints, dict[int, str]]:
        """Add the tokens of rows; gives the place of each row in them, and the problems of those that have none.

        Parameters
        ----------
        lines, columns
            Of the rows.
        numbers : int64, shape (tokens, 2)
            The sentence and the number of each token.
        places_of : int64, shape (rows, 2)
            The offsets of each row.
        """
        units, offsets, tokens = columns[:3]
        starts, ends = places_of.T.tolist()
        parts = [n for n, unit in enumerate(units) if "." in unit]
        if "\\" in "\t".join(tokens):
            tokens = [token.replace("\\\\", "\\") for token in tokens]
        before = len(self.tokens)
        is_whole = np.ones(len(units), dtype=bool)
        is_whole[parts] = False
        whole = np.flatnonzero(is_whole).tolist() if parts else None
        self._add_sentences(_of_rows(units, whole), numbers[:, 0])
        self.lines += _of_rows(lines, whole)
        self.units += _of_rows(units, whole)
        self.starts += _of_rows(starts, whole)
        self.ends += _of_rows(ends, whole)
        self.tokens += _of_rows(tokens, whole)
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

    def _add_sentences(self, units: Sequence[str], sentence: Ints) -> None:
        """Add the sentences that begin with some of the tokens that are called so, each in the sentence of a number."""
        if "\n0" in "\n".join(["", *units]):  # 01 is another name than 1
            _, sentence = np.unique([unit.partition("-")[0] for unit in units], return_inverse=True)
        begins = starts_of_runs(sentence)
        if units:
            begins[0] = units[0].partition("-")[0] != self._sentence
            self._sentence = units[-1].partition("-")[0]
        self.sentences += (len(self.tokens) + np.flatnonzero(begins)).tolist()

    def _add_annotations(self, rows: WebannoCells) -> None:
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
            if layer in spans or layer.is_coreference or layer.is_of_words:
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

    def _add_spans(self, layer: WebannoLayer, rows: WebannoCells) -> None:
        """Add the mentions that stand in a layer of spans."""
        here = rows.filled(layer.column)
        values, row_of = rows.annotations(here, layer.column)
        if rows.is_empty.any():
            stacks = rows.stacks(here, layer.column)
            rows.stop(here, stacks, lambda _: None)
            values, row_of = flat(here, stacks)
        found = {value: NUMBER.search(value) for value in dict.fromkeys(values)}
        numbered = {value: number[1] if number else "" for value, number in found.items()}
        keys = [numbered[value] or rows.columns[0][n] for value, n in zip(values, row_of, strict=True)]
        new = self._add_mentions(layer, rows.first, keys, row_of)
        self.labels += [keys[n] for n in new]
        self.types += [_type(NUMBER.sub("", values[n])) for n in new]

    def _add_chains(self, layer: WebannoLayer, rows: WebannoCells) -> None:
        """Add the mentions that stand in chains."""
        columns = {feature: layer.column + n for n, feature in reversed([*enumerate(layer.features)])}
        column = columns.get("referenceRelation", layer.column + len(layer.features) - 1)
        here = rows.filled(column)
        values, row_of = rows.annotations(here, column)
        names = LINK.findall("\n".join(values))
        if len(names) < len(values) or rows.is_empty.any():
            stacks = rows.stacks(here, column)
            rows.stop(here, stacks, lambda value: None if LINK.fullmatch(value) else _no_link(value, layer))
            values, row_of = flat(here, stacks)
            names = LINK.findall("\n".join(values))
        new = self._add_mentions(layer, rows.first, names, row_of)
        self.labels += [names[n].partition("-")[0] for n in new]
        tags = ["*"] * len(values)
        if (typed := columns.get("referenceType", column)) != column:
            tags = _beside(rows, here, typed, row_of)
        bare = NUMBER.sub("", "\n".join(tags[n] for n in new)).split("\n") if new else []
        types = {tag: _type_of_chain(tag) for tag in dict.fromkeys(bare)}
        self.types += map(types.__getitem__, bare)

    def _add_mentions(self, layer: WebannoLayer, before: int, keys: Sequence[str], row_of: Sequence[int]) -> list[int]:
        """Add annotations, each a piece of a mention; gives the first of each mention that is new."""
        known, count = self.number.setdefault(layer.name, {}), len(self._first)
        fresh = [key for key in dict.fromkeys(keys) if key not in known]
        known.update(zip(fresh, range(count, count + len(fresh)), strict=True))
        mention = np.fromiter(map(known.__getitem__, keys), np.int64, len(keys))
        highest = np.maximum.accumulate(np.append(count - 1, mention))  # those that are new are numbered as they come
        new: list[int] = np.flatnonzero(mention > highest[:-1]).tolist()
        row = before + np.array(row_of, dtype=np.int64)
        self._first += row[new].tolist()
        self._pieces.append(np.stack((mention, row)))
        return new

    def _add_relations(self, layer: WebannoLayer, rows: WebannoCells) -> None:
        """Add the relations that end in rows."""
        columns = rows.columns[layer.column : layer.column + len(layer.features)]
        for n in sorted({*rows.filled(layer.column), *rows.filled(layer.column + len(columns) - 1)}):
            try:
                for relation in relations_of(layer, rows.lines[n], rows.columns[0][n], [stacked(of[n]) for of in columns]):
                    self.relations.append(relation)
            except ValueError as error:
                rows.problems[n] = str(error)

    def pieces(self) -> WebannoPieces:
        """Number the mentions in the order of their rows, and give their pieces."""
        order = argsort(np.array(self._first, dtype=np.int64))
        rank = inverse(order)
        if (order[1:] < order[:-1]).any():
            self.labels, self.types = ([side[n] for n in order.tolist()] for side in (self.labels, self.types))
            self.number = {layer: {key: int(rank[n]) for key, n in of.items()} for layer, of in self.number.items()}
        mention, row = np.concatenate([np.empty((2, 0), dtype=np.int64), *self._pieces], axis=1)
        by_mention = argsort(rank[mention], row)
        places = np.concatenate([np.empty((0, 4), dtype=np.int64), *self._places])
        return WebannoPieces(rank[mention][by_mention], places[row[by_mention]])


def _of_rows(column: Sequence[Cell], rows: Sequence[int] | None) -> Sequence[Cell]:
    """What a column has in some rows, or all of it."""
    return column if rows is None else [column[n] for n in rows]


def _beside(rows: WebannoCells, here: Sequence[int], column: int, row_of: Sequence[int]) -> list[str]:
    """The annotations in a column that stand beside others, each in such a row; a star where there are fewer."""
    if "_" not in map(rows.columns[column].__getitem__, here):
        found, found_in = rows.annotations(here, column)
        if found_in == row_of:
            return found
    sizes = tally(np.array(row_of, dtype=np.int64), minlength=len(rows.lines))
    stacks = rows.stacks(here, column)
    return [tag for n, of in zip(here, stacks, strict=True) for tag in (of + ["*"] * int(sizes[n]))[: int(sizes[n])]]


def _no_link(value: str, layer: WebannoLayer) -> str:
    found = one_line(f"{shortened(value)!r} in {shortened(layer.short)}")
    return f"found {found}; expected a link of a chain, such as *->1-1"


def _type_of_chain(tag: str) -> str:
    """The type that a link of a chain gives its entity, of its tag without a number."""
    entity_type = _type(tag)
    return "" if entity_type.lower() in MENTION_TAGS else entity_type


def _type(value: str) -> str:
    return "" if value == "*" else re.sub(r"\\(.)", r"\1", value)
