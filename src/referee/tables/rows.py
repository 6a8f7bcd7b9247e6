"""The rows of a side that are counted, as columns of one type: what all engines work on.

The columns are ``document`` (if there is one), ``item`` and ``entity``, in this order: int64 for integers of any width, and
large_string or large_binary for the rest. An item that a source and an item name together is one text. None of them is NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from referee.basics.exceptions import FormatError, counted
from referee.basics.extras import arrow, pc
from referee.inputs.sources import Made, RowSource
from referee.tables.blocks import is_ascending
from referee.tables.columns import TableColumns
from referee.tables.engine import EXAMPLES, RowStatistics, SideTotals
from referee.tabular.arrow import BINARY, INTEGER, TEXT, ids, plain
from referee.tabular.labels import BETWEEN, has_words, remedy_of_gaps, slash
from referee.tabular.missing import absent, noise_of

NAMED, ALONE = "e", "i"
"""What an entity begins with where entities without a name are singletons: one with a name, or the item of one without."""


class Rows:
    """The rows of one side, read again at each call.

    Parameters
    ----------
    source : Source
        Where they come from.
    columns : Columns
        Which columns are read.
    nulls : str
        What is done with rows that lack something, see `CountingRules`.
    """

    def __init__(self, source: RowSource, columns: TableColumns, nulls: str) -> None:
        self.source, self.columns, self.nulls = source, columns, nulls
        self.tally = SideTotals()
        self.failure: Exception | None = None

    @property
    def schema(self) -> arrow.Schema:
        """The Arrow schema of the rows."""
        return self._schema(self.columns.roles)

    def _schema(self, roles: Sequence[str]) -> arrow.Schema:
        types = {INTEGER: arrow.int64(), TEXT: arrow.large_string(), BINARY: arrow.large_binary()}
        kinds = {role: self.columns.kind(role) for role in roles}
        if self.nulls == "singleton":
            kinds["entity"] = TEXT
        return arrow.schema([(role, types[kind]) for role, kind in kinds.items()])

    @property
    def none(self) -> arrow.RecordBatch:
        """A record batch without rows, which tells the types."""
        return arrow.RecordBatch.from_pylist([], self.schema)

    def batches(self) -> Iterator[arrow.RecordBatch]:
        """Record batches of rows that are complete; `tally` has what was seen when they are through."""
        self.tally = SideTotals()
        for batch in self._batches():
            rows, gaps = _complete(batch, self.nulls)
            if gaps:
                missing = batch.num_rows - rows.num_rows
                self.tally = self.tally.plus(SideTotals(missing, missing, gaps=gaps))
                if self.nulls != "drop":
                    check_gaps(self.source.name, self._all_gaps(), self.nulls)
            if noise := noise_of(rows.column("entity")):
                self.tally = self.tally.plus(SideTotals(noise=noise))
            if not self.tally.items and rows.num_rows:
                self.tally = self.tally._replace(items=tuple(map(str, rows.column("item")[:3].to_pylist())))
            yield rows

    def _all_gaps(self) -> SideTotals:
        """What the whole source lacks."""
        tally = SideTotals()
        for rows in self._batches():
            complete, gaps = _complete(rows, self.nulls)
            tally = tally.plus(SideTotals(0, rows.num_rows - complete.num_rows, gaps=gaps))
        return tally

    def _batches(self) -> Iterator[arrow.RecordBatch]:
        """Record batches with one type a column; values may be missing."""
        schema = self.schema
        for batch in self.source.batches(list(dict.fromkeys(self.columns.names.values()))):
            if batch.num_rows:
                raw = {role: batch.column(name) for role, name in self.columns.names.items()}
                columns = [self._column(role, raw, schema.field(role).type) for role in schema.names]
                yield arrow.RecordBatch.from_arrays(columns, schema=schema)

    @property
    def is_ordered(self) -> bool:
        """Whether the documents are in order: the column is read once to see it."""
        name = self.columns.names["document"]
        if name not in self.source.ordered:
            self.source.ordered[name] = self._is_ordered(name)
        return self.source.ordered[name]

    def _is_ordered(self, name: str) -> bool:
        last = None
        if not self.source.may_be_ordered(name):
            return False
        type_of = self._schema(["document"]).field("document").type
        for batch in self.source.batches([name]):
            document = self._column("document", {"document": batch.column(0)}, type_of).drop_null()
            if len(document):
                if (last is not None and last > document[0].as_py()) or not is_ascending(document):
                    return False
                last = document[-1].as_py()
        return True

    def reader(self) -> arrow.RecordBatchReader:
        """A stream of Arrow of the rows."""
        return arrow.RecordBatchReader.from_batches(self.schema, self._kept())

    def _kept(self) -> Iterator[arrow.RecordBatch]:
        """The rows. An error is kept in `failure`, because the reader of the stream may raise a different one instead."""
        try:
            yield from self.batches()
        except Exception as error:
            self.failure = error
            raise

    def table(self) -> arrow.Table:
        """A table of all rows, in memory."""
        return arrow.Table.from_batches(self.batches(), self.schema)

    def once(self, what: str, make: Callable[[], Made]) -> Made:
        """What is made of all rows, with the tally of them: made once if the source is shared."""
        how = what, *self.columns.names.items(), *self.columns.kinds.items(), self.nulls
        made, self.tally = self.source.prepared(how, lambda: (make(), self.tally))
        return made

    def _column(self, role: str, raw: dict[str, arrow.Array], type: arrow.DataType) -> arrow.Array:
        column = self._cast(role, raw[role], type)
        if role == "item" and "source" in raw:
            source = self._named(self._cast("source", raw["source"], type))
            if problem := next(filter(None, map(slash, source.drop_null().unique().to_pylist())), ""):
                raise FormatError(self.source.name, None, problem)
            return pc.binary_join_element_wise(source, self._named(column), _text(BETWEEN))
        if role == "entity" and self.nulls == "singleton":
            item, column = self._column("item", raw, type), self._named(column)
            named = pc.binary_join_element_wise(_text(NAMED), column, _text(""))
            return pc.coalesce(named, pc.binary_join_element_wise(_text(ALONE), item, _text("")))
        return column

    def _named(self, column: arrow.Array) -> arrow.Array:
        """A column whose words for nothing are NULL."""
        gap = absent(column, self.nulls)
        return pc.if_else(arrow.array(gap), None, column) if gap.any() else column

    def _cast(self, role: str, column: arrow.Array, type: arrow.DataType) -> arrow.Array:
        name = self.columns.names[role]
        column = ids(plain(column), name, self.source.name)
        if self.columns.kinds[role] == TEXT and not arrow.types.is_integer(column.type):
            self._check_text(name, column)
        if column.type == type:
            return column
        try:
            return column.cast(type)
        except arrow.ArrowInvalid:
            problem = f"column {name} has values that are no {type}; expected integers of 64 bits, or text"
            raise FormatError(self.source.name, None, problem) from None

    def _check_text(self, name: str, column: arrow.Array) -> None:
        try:
            column.validate(full=True)
        except arrow.ArrowInvalid:
            raise FormatError(self.source.name, None, f"column {name} has text that is no UTF-8; expected UTF-8") from None


def seen_of(key: Rows, response: Rows) -> RowStatistics:
    """What was seen of the rows of both sides that are not complete."""
    return RowStatistics(key.tally, response.tally)


def check_gaps(name: str, tally: SideTotals, nulls: str) -> None:
    """Raise FormatError if rows lack something, and `nulls` does not say what to do with them."""
    if tally.missing and nulls != "drop":
        rows = counted(tally.missing, "row")
        examples = "; ".join(tally.gaps[:3])
        expected = "an item and an entity"
        remedy = remedy_of_gaps(nulls, expected, words=has_words(examples))
        raise FormatError(name, None, f"has {rows} without a value ({examples}); expected {expected}: {remedy}")


def _text(text: str) -> arrow.Scalar:
    return arrow.scalar(text, arrow.large_string())


def _complete(rows: arrow.RecordBatch, nulls: str) -> tuple[arrow.RecordBatch, tuple[str, ...]]:
    """The rows in which nothing is missing, and examples of the others."""
    gap = absent(rows.column(0), nulls)
    for column in rows.columns[1:]:
        gap |= absent(column, nulls)
    if not gap.any():
        return rows, ()
    mask = arrow.array(gap)
    examples = [
        ", ".join(f"{role} {value or 'empty'}" for role, value in row.items())
        for row in rows.filter(mask).slice(0, EXAMPLES).to_pylist()
    ]
    return rows.filter(pc.invert(mask)), tuple(examples)
