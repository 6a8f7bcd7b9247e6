"""Pairs of records, linked or not: the one form that all tables of pairs are read into."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, arange, argsort, inverse, starts_of_runs, tally
from referee.algorithms.components import joined
from referee.basics.exceptions import SOME, FormatError, OptionError, counted, shortened, some
from referee.basics.extras import arrow
from referee.basics.options.options import check_threshold
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.layers import DecidedPairs, Links, PairFrame
from referee.corpus.origin import Origin
from referee.corpus.strings import Names, ranks, sorted_names
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError
from referee.tabular.labels import BETWEEN, numbered, report_gaps, shown_gap, slash
from referee.tabular.missing import any_missing, is_missing
from referee.tabular.roles import PROBABILITIES_SHOWN, TableSchema, number_of
from referee.tabular.text import TextTable

THRESHOLD = 0.5
SIDES = ("left", "right")
EXPECTED = "two records in every row, and a decision if there is a column for it"


class PairTable(NamedTuple):
    """Pairs of records in numbers.

    Parameters
    ----------
    name : str
        What messages call the table.
    names : sequence of str, or Arrow array
        The records, ascending; with documents those of one after the other.
    documents : the same, or None
        The document of each record.
    first, second : integers, shape (pairs,)
        The numbers of the records of each pair.
    probability : float64, shape (pairs,)
        1 where a table has no decisions.
    decision : str
        What they are: "probability"; "score", of any size; "decision"; or "" where each pair is a link.
    two : bool or None
        Whether the two records are of two tables; None if nothing says it.
    format : str
        Of the file.
    sources : bool
        Whether records are called by their source and their id.
    origin : Origin or None
        Which column decides about the pairs, and which were not read.
    """

    name: str
    names: Sequence[str] | arrow.Array
    documents: Sequence[str] | arrow.Array | None
    first: Ints
    second: Ints
    probability: Floats
    decision: str
    two: bool | None = None
    format: str = ""
    sources: bool = False
    origin: Origin | None = None

    @property
    def kind(self) -> str:
        """As of any input."""
        return "pairs"

    def limit(self, threshold: float | None) -> float:
        """Return the threshold; if none is given, one half, and a warning where pairs have other probabilities than 0 and 1.

        Raises
        ------
        OptionError
            If it is no probability; or none is given, and pairs have other numbers.
        """
        if self.decision != "score":
            if threshold is not None:
                check_threshold(threshold)
        elif threshold is None:
            raise OptionError(f"{self.name} has numbers that are no probabilities; expected --threshold with one of them")
        if threshold is None and ((self.probability > 0) & (self.probability < 1)).any():
            number = len(self.probability)
            another = "where a response is scored, or converted, --threshold (threshold=) takes another number"
            warn_file(self.name, f"a probability of at least {THRESHOLD} is a link; {another} (found {{}})", "pair", number)
        return THRESHOLD if threshold is None else threshold

    def entities(self, limit: float) -> tuple[Ints, Bools]:
        """Return the first record of the entity of each record, and whether each pair is a link."""
        linked: Bools = self.probability >= limit
        return joined(arange(len(self.names)), self.first[linked], self.second[linked]), linked

    def decided(self, limit: float, *, quiet: bool = False) -> tuple[DecidedPairs, PairFrame]:
        """Return what is decided about each pair, and which pairs these are; warn of rows that say it again, unless `quiet`."""
        each = different(self)
        linked: Bools = each.highest >= limit
        contradictory = int((linked & (each.lowest < limit)).sum())
        for text, number in (
            ("has {} twice, as a link and as none: each counts as a link", contradictory),
            ("lists {} more than once: each counts once", each.repeated - contradictory),
        ):
            warn_file(self.name, text, "pair", 0 if quiet else number)
        return DecidedPairs(each.first, each.second, linked, each.highest), PairFrame(bool(linked.all()), self.two is True)

    def check_probable(self) -> None:
        """Raise FormatError if what decides are no probabilities."""
        if self.decision not in ("probability", "score"):
            decided = "yes or no" if self.decision else "nothing"
            expected = f"a column with probabilities: {PROBABILITIES_SHOWN}, or probability=NAME in --response-columns"
            raise FormatError(self.name, None, f"has {decided} for each pair that may be a link; expected {expected}")

    def texts(self) -> PairTable:
        """The same with texts for the names of records and documents, in the order of texts."""
        if isinstance(self.names, (list, Names)):
            return self
        columns = cast("tuple[arrow.Array, arrow.Array | None]", (self.names, self.documents))
        names, documents = (None if column is None else list(map(_text, column.to_pylist())) for column in columns)
        assert names is not None
        order = sorted(range(len(names)), key=lambda n: (documents[n] if documents else "", names[n]))
        place = inverse(np.array(order, dtype=np.int64))
        return self._replace(
            names=[names[n] for n in order],
            documents=documents and [documents[n] for n in order],
            first=place[self.first],
            second=place[self.second],
        )

    def corpus(self, threshold: float | None = None) -> Corpus:
        """Return the corpus whose entities are what links connect, called by the first of their records."""
        if not isinstance(self.names, (list, Names)):
            return self.texts().corpus(threshold)
        if not len(self.names) and self.documents is None:  # as of any table without rows
            builder = CorpusBuilder(self.name)
            builder.document("")
            decided, frame = self.decided(THRESHOLD)
            return replace(builder.corpus(), kind="pairs", format=self.format, decided_pairs=decided, pair_frame=frame)
        record = np.arange(len(self.names), dtype=self.first.dtype)
        limit = self.limit(threshold)
        root, linked = self.entities(limit)
        linked &= self.first != self.second
        entity = (np.cumsum(root == record, dtype=record.dtype) - 1)[root]
        ends = np.stack([self.first, self.second], axis=1).ravel()  # both ends of a pair, then those of the next
        place = np.empty(len(record), dtype=np.int64)
        place[ends[::-1]] = arange(len(ends))[::-1]  # the last of several is kept
        first = np.full(int(entity.max(initial=-1)) + 1, len(ends))
        np.minimum.at(first, entity, place)
        documents = cast("Sequence[str] | None", self.documents)
        of_documents = ("#1",) if documents is None else tuple(documents[n] for n in _firsts(documents, place))
        number = {document: n for n, document in enumerate(of_documents)}
        decided, frame = self.decided(limit)
        document = np.zeros_like(record) if documents is None else np.array([number[d] for d in documents])
        corpus = Corpus(
            of_documents,
            document,
            record,
            record + 1,
            entity,
            _take(self.names, ends[first]),
            entity_document=document[ends[first]] if len(first) else np.zeros(0, dtype=np.int32),
            file_order=inverse(argsort(first)).astype(np.int32),
            items=self.names,
            links=Links(np.zeros(int(linked.sum()), dtype=np.int32), self.first[linked], self.second[linked]),
            decided_pairs=decided,
            pair_frame=frame,
            source=self.name,
            format=self.format,
            kind="pairs",
            origin=self.origin,
        )
        return corpus if documents is None else corpus.in_reading_order()


class DifferentPairs(NamedTuple):
    """Each pair of two records once: their numbers, the lower first, and the highest and lowest of its probabilities.

    `repeated` says how many pairs have several rows.
    """

    first: Ints
    second: Ints
    highest: Floats
    lowest: Floats
    repeated: int


def different(pairs: PairTable) -> DifferentPairs:
    """Return the different pairs of a table, in the order of their records."""
    records = max(len(pairs.names), 1)
    low, high = (f(pairs.first, pairs.second).astype(np.int64) for f in (np.minimum, np.maximum))
    two = low != high
    code, probability = (low * records + high)[two], pairs.probability[two]
    order = argsort(code)
    code, probability = code[order], probability[order]
    start = np.flatnonzero(starts_of_runs(code))
    first, second = np.divmod(code[start], records)
    if len(start) == len(code):
        return DifferentPairs(first, second, probability, probability, 0)
    highest, lowest = (f.reduceat(probability, start) for f in (np.maximum, np.minimum))
    return DifferentPairs(first, second, highest, lowest, int((np.diff(start, append=len(code)) > 1).sum()))


def _text(name: object) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


def _take(names: Sequence[str], rows: Ints) -> Sequence[str]:
    return names.take(rows) if isinstance(names, Names) else [names[n] for n in rows.tolist()]


def _firsts(documents: Sequence[str], place: Ints) -> list[int]:
    """A record of each document, in the order in which documents are first named."""
    first_of = dict[str, int]()
    for n in np.argsort(place).tolist():
        first_of.setdefault(documents[n], n)
    return list(first_of.values())


def pairs_of(table: TextTable, on_error: OnError, nulls: str) -> PairTable:
    """Return the pairs of a table."""
    schema = table.schema
    pairs = None if table.column is None else _of_columns(table.column, table, nulls)
    if pairs is None:
        pairs = of_rows(table.name, schema, _complete(table, on_error, nulls))
    check_sides(pairs, schema)
    return pairs


class RecordPair(NamedTuple):
    """The records of a pair, with the sources and tables that they belong to; how probable it is; and its document."""

    left: str
    right: str
    probability: float
    document: str


def of_rows(name: str, schema: TableSchema, pairs: Sequence[RecordPair]) -> PairTable:
    """Return pairs that are given one by one."""
    records = sorted({(pair.document, end) for pair in pairs for end in (pair.left, pair.right)})
    number = {record: n for n, record in enumerate(records)}
    first, second = (
        np.array([number[pair.document, end] for pair, end in zip(pairs, ends, strict=True)], dtype=np.int64)
        for ends in ([pair.left for pair in pairs], [pair.right for pair in pairs])
    )
    documents = [document for document, _ in records] if "document" in schema.places else None
    probability = np.array([pair.probability for pair in pairs], dtype=np.float64)
    return PairTable(
        name, [record for _, record in records], documents, first, second, probability, schema.decision, schema.two
    )


def check_sides(pairs: PairTable, schema: TableSchema) -> None:
    """Warn if ids stand on both sides of pairs, and nothing says whether their sides are of one table.

    Raises
    ------
    FormatError
        If an id is in a pair with itself, and in other pairs, too, or if there are only such pairs: nobody can tell.
    """
    if schema.two is not None:
        return
    left, right = (tally(side, minlength=len(pairs.names)) for side in (pairs.first, pairs.second))
    both, same = np.flatnonzero((left > 0) & (right > 0)), pairs.first == pairs.second
    twice = tally(pairs.first[same], minlength=len(pairs.names))
    if same.any() and (same.all() or (left + right > 2 * twice)[twice > 0].any()):
        ids = some([pairs.names[number] for number in np.flatnonzero(twice)[: SOME + 1].tolist()])
        problem = f"has {counted(int(same.sum()), 'pair')} of an id with itself ({ids})"
        raise FormatError(pairs.name, None, f"{problem}: ids of one table, or of two? Say --tables one, or two (tables=)")
    if len(both):
        also = f"; {counted(int(same.sum()), 'pair')} of an id with itself" if same.any() else ""
        ids = some([pairs.names[number] for number in both[: SOME + 1].tolist()])
        taken_for = (
            "taken for records of one table; --tables two if they are of two, --tables one to say so (tables= in Python)"
        )
        warn_file(
            pairs.name, f"has {{}} on both sides of its pairs ({{names}}): {taken_for}", "id", {f"{ids}{also}": len(both)}
        )


def _of_columns(column: Callable[[int], Names | None], table: TextTable, nulls: str) -> PairTable | None:
    """The pairs of a table, read as columns; None if it may have an error, or records are not called as they are."""
    schema = table.schema
    if schema.two or "left_source" in schema.places or "document" in schema.places:
        return None
    ends = [column(schema.places[side]) for side in SIDES]
    first, second = ends
    if first is None or second is None or (nulls != "keep" and (any_missing(first) or any_missing(second))):
        return None
    probability = np.ones(len(first))
    if schema.decision:
        decided = _probabilities(column(schema.places[schema.decision]), schema.decision)
        if decided is None:
            return None
        probability = decided
    names, (a, b) = sorted_names(first, second)
    return PairTable(table.name, names, None, a, b, probability, schema.decision, schema.two)


def _probabilities(cells: Names | None, role: str) -> Floats | None:
    """The probability of each pair; None if a field is none."""
    if cells is None:
        return None
    number, first = numbered(ranks(cells)[0])
    probabilities = [probability_of(cell, role) for cell in cells.take(first)]
    numbers = [probability for probability in probabilities if probability is not None]
    return None if len(numbers) < len(probabilities) else np.array(numbers)[number]


def _complete(table: TextTable, on_error: OnError, nulls: str) -> list[RecordPair]:
    """The pairs in which nothing is missing; the others are faults, or left out."""
    schema, width = table.schema, len(table.names)
    complete: list[RecordPair] = []
    gaps: list[tuple[int, str]] = []
    named = list(schema.places)
    left, right = schema.places["left"], schema.places["right"]
    for line, row in table.rows():
        if schema.alone and len(row) == width and is_missing(row[right], nulls):
            row[right] = row[left]
        if len(row) != width:
            on_error(line, f"found {counted(len(row), 'field')}; expected {width}, as in the header")
        elif any(is_missing(row[schema.places[role]], nulls) for role in named):
            gaps.append((line, shown_gap(row, {role: schema.places[role] for role in named})))
        elif isinstance(pair := _pair(row, schema), str):
            on_error(line, pair)
        else:
            complete.append(pair)
    report_gaps(table.name, gaps, on_error, nulls, EXPECTED)
    return complete


def _pair(row: Sequence[str], schema: TableSchema) -> RecordPair | str:
    """The pair of a row, or what is wrong with it."""
    places, probability = schema.places, 1.0
    if schema.decision:
        decided = probability_of(row[places[schema.decision]], schema.decision)
        if decided is None:
            value = shortened(row[places[schema.decision]].strip().lower())
            return f"found {value!r}; expected {expected_number(value, schema.decision)}"
        probability = decided
    ends = []
    for side in SIDES:
        end = row[places[side]]
        if "left_source" in places:
            source = row[places[f"{side}_source"]]
            if problem := slash(source):
                return problem
            end = f"{source}{BETWEEN}{end}"
        ends.append(f"{side}{BETWEEN}{end}" if schema.two else end)
    return RecordPair(ends[0], ends[1], probability, row[places["document"]] if "document" in places else "")


def expected_number(value: str, role: str) -> str:
    """What is expected of a column that decides, where it has something else."""
    if role == "score":
        return "a number"
    is_number = role == "probability" and probability_of(value, "score") is not None
    scale = "; if numbers have another scale, score=NAME in --columns, and --threshold NUMBER" * is_number
    return f"a number from 0 to 1, or yes or no, to say if the pair is a link{scale}"


def probability_of(cell: str, role: str = "probability") -> float | None:
    """The probability that a cell says, 1 for yes and 0 for no; of the role "score" any number. None if it says none.

    >>> probability_of("Non-Match"), probability_of("90 %"), probability_of("90"), probability_of("90", "score")
    (0.0, 0.9, None, 90.0)
    """
    word = cell.strip().lower()
    number = number_of(word.removesuffix("%").rstrip())
    if number is not None and word.endswith("%"):
        number /= 100
    if number is None or not math.isfinite(number):
        return None
    return number if role == "score" or 0 <= number <= 1 else None
