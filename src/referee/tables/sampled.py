"""A key that is a sample of entities, and the response entities that it touches: all that estimates need of a large table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.basics import progress
from referee.basics.exceptions import EngineError, FormatError, MismatchError, shortened
from referee.basics.extras import arrow, pc
from referee.inputs.labels import LabelTable
from referee.metrics.common_records import nothing_in_common
from referee.metrics.table import Table
from referee.tables.blocks import block_of
from referee.tables.columns import columns_of
from referee.tables.counting import RepeatedItemsError, TwoTables, check
from referee.tables.items import key_items
from referee.tables.rows import Rows, seen_of
from referee.tabular.arrow import ids, plain


class SampledTable(NamedTuple):
    """How sampled entities overlap with the response.

    Parameters
    ----------
    table : Table
        The overlap.
    ids : list of str
        The sampled entities.
    lacking : sequence of str
        The sampled records that the response does not have.
    """

    table: Table
    ids: list[str]
    lacking: Sequence[str]


def sampled(tables: TwoTables) -> SampledTable:
    """Return how sampled entities overlap with the response.

    The response is streamed: only the rows of entities that have an item of the key are kept in memory.

    Raises
    ------
    FormatError
        If rows are incomplete, or an item is in two entities.
    MismatchError
        If the two have nothing in common.
    EngineError
        If the response changed while it was read.
    """
    key, response = (Rows(*side, tables.rules.nulls) for side in (tables.key, tables.response))
    sample = key.table().sort_by("item")
    touched = _those(response, "item", sample.column("item"), "looking for sampled records").column("entity").unique()
    whole = _those(response, "entity", touched, "reading their entities")
    block = block_of(key_items(sample), whole, tables.rules)
    again = _those(response, "item", whole.column("item"), "looking for records in two entities")
    seen = block.seen.plus(seen_of(key, response))
    check(tables, seen)
    if len(again) != len(whole):
        outside = again.filter(pc.invert(_is_in(again.column("entity"), touched)))
        example = shortened(str(outside.column("item")[0].as_py())) if len(outside) else "rows were lost"
        raise RepeatedItemsError(tables.names[1], None, f"has items in two entities ({example}); expected one entity an item")
    for source in (tables.key.source, tables.response.source):
        source.check_unchanged()
    if not len(whole):
        examples, expected = (", ".join(map(repr, rows.tally.items)) for rows in (response, key))
        raise MismatchError(f"{tables.names[1]} has no item of {tables.names[0]}: found {examples}; expected {expected}")
    ids = sample.column("entity").unique()
    if len(ids) != len(block.table.key_size):
        raise EngineError(f"found {len(block.table.key_size)} of {len(ids)} entities of {tables.names[0]}; nothing is reported")
    lacking = sample.column("item").filter(pc.invert(_is_in(sample.column("item"), whole.column("item"))))
    return SampledTable(block.table, *(list(map(str, names.to_pylist())) for names in (ids, lacking)))


def entities_of_items(table: LabelTable, items: Sequence[str]) -> dict[str, object]:
    """Return the entity of some items of a table without documents, which is streamed; items that it lacks are left out.

    Raises
    ------
    MismatchError
        If the table has documents, or none of the items.
    """
    if "document" in table.schema.places:
        raise MismatchError(f"{table.name} has documents; expected records of one document for labelled pairs")
    columns, _ = columns_of(table, table)
    rows, wanted = Rows(table.source, columns, table.options.nulls), arrow.array(list(items), arrow.large_string())
    entity_of: dict[str, object] = {}
    for batch in rows.batches():
        item = batch.column("item").cast(arrow.large_string())
        named = pc.is_in(item, value_set=wanted)
        for name, entity in zip(item.filter(named).to_pylist(), batch.column("entity").filter(named).to_pylist(), strict=True):
            entity_of.setdefault(name, entity)
    if not entity_of:
        nothing_in_common(
            "the labelled pairs", table.name, [items[n] for n in range(min(4, len(items)))], rows.tally.items, len(items)
        )
    return entity_of


def weights_of(key: LabelTable, column: str) -> dict[str, float]:
    """Return the weight of each entity of a table, which a column has.

    Raises
    ------
    FormatError
        If there is no such column, or a row has no number there.
    MismatchError
        If an entity has two weights.
    """
    names = [field.name for field in key.source.fields]
    if column not in names:
        problem = f"has no column {shortened(column)!r} with weights; found {shortened(', '.join(names), 100)}"
        raise FormatError(key.name, None, problem)
    name = key.field("entity").name
    weights: dict[str, float] = {}
    for batch in key.source.batches(list(dict.fromkeys([name, column]))):
        entities = ids(plain(batch.column(name)), name, key.name)
        for entity, weight in zip(entities.to_pylist(), batch.column(column).to_pylist(), strict=True):
            add_weight(weights, str(entity), weight, key.name)
    return weights


def add_weight(weights: dict[str, float], entity: str, weight: object, name: str) -> None:
    """Add the weight of a row to those of entities; it must be a number, and that of the entity's other rows."""
    try:
        number = float(weight)  # type: ignore[arg-type]  # or else it raises
    except (TypeError, ValueError):
        raise FormatError(name, None, f"has {weight!r} as weight of entity {shortened(entity)}; expected a number") from None
    if weights.setdefault(entity, number) != number:
        problem = f"has the weights {weights[entity]:g} and {number:g} for entity {shortened(entity)}"
        raise MismatchError(f"{name} {problem}; expected one for all rows of an entity")


def _those(rows: Rows, role: str, values: arrow.Array, step: str) -> arrow.Table:
    """The rows that have one of some values."""
    read = 0
    kept = []
    for batch in rows.batches():
        progress.step(step, read, rows.source.rows or 0)
        read += len(batch)
        kept.append(batch.filter(_is_in(batch.column(role), values)))
    if rows.source.rows not in (None, read + rows.tally.missing):
        raise EngineError(f"read {read} of {rows.source.rows} rows of {rows.source.name}; nothing is reported: try again")
    return arrow.Table.from_batches([batch for batch in kept if len(batch)], rows.schema)


def _is_in(column: arrow.Array, values: arrow.Array) -> arrow.Array:
    values = values.combine_chunks() if hasattr(values, "combine_chunks") else values
    return pc.is_in(column, value_set=values)
