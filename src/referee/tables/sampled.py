"""A key that is a sample of entities, and the response entities that it touches: all that estimates need of a large table."""

from __future__ import annotations

from importlib import import_module

from referee import progress
from referee.exceptions import EngineError, FormatError, MismatchError, shortened
from referee.formats.shared.untyped import Untyped
from referee.metrics.table import Table
from referee.tables.blocks import block_of
from referee.tables.columns import columns_of
from referee.tables.counting import Tables, check
from referee.tables.rows import Rows, seen_of
from referee.tables.sources import Source


def sampled(tables: Tables) -> tuple[Table, list[str]]:
    """Return how sampled entities overlap with the response, and their ids.

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
    arrow = import_module("pyarrow")
    key, response = (Rows(*side, tables.rules.nulls) for side in (tables.key, tables.response))
    sample = key.table().sort_by("item")
    touched = _those(response, "item", sample.column("item"), "looking for sampled records").column("entity").unique()
    whole = _those(response, "entity", touched, "reading their entities")
    block = block_of(sample, whole, tables.rules)
    again = _those(response, "item", whole.column("item"), "looking for records in two entities")
    seen = block.seen.plus(seen_of(key, response))
    check(tables, seen)
    if len(again) != len(whole):
        outside = again.filter(import_module("pyarrow.compute").invert(_is_in(again.column("entity"), touched)))
        example = shortened(str(outside.column("item")[0].as_py())) if len(outside) else "rows were lost"
        raise FormatError(tables.names[1], None, f"has items in two entities ({example}); expected one entity an item")
    for source in (tables.key.source, tables.response.source):
        source.check_unchanged()
    if not len(whole):
        found, expected = (", ".join(map(repr, rows.tally.items)) for rows in (response, key))
        raise MismatchError(f"{tables.names[1]} has no item of {tables.names[0]}: found {found}; expected {expected}")
    ids = sample.column("entity").unique()
    if len(ids) != len(block.table.key_size):
        raise EngineError(f"found {len(block.table.key_size)} of {len(ids)} entities of {tables.names[0]}; nothing is reported")
    return block.table, list(map(str, arrow.chunked_array(ids.chunks if hasattr(ids, "chunks") else [ids]).to_pylist()))


def weights_of(key: Source, column: str, entity: str | None) -> dict[str, float]:
    """Return the weight of each entity of a table, which a column has.

    Raises
    ------
    FormatError
        If there is no such column, or a row has no number there.
    MismatchError
        If an entity has two weights.
    """
    names = [field.name for field in key.fields]
    if column not in names:
        problem = f"has no column {shortened(column)!r} with weights; found {shortened(', '.join(names), 100)}"
        raise FormatError(key.name, None, problem)
    name = columns_of(key.name, key.fields, {"entity": entity} if entity else {}).names["entity"]
    weights: dict[str, float] = {}
    for batch in key.batches(list(dict.fromkeys([name, column]))):
        for of, weight in zip(batch.column(name).to_pylist(), batch.column(column).to_pylist(), strict=True):
            add_weight(weights, str(of), weight, key.name)
    return weights


def add_weight(weights: dict[str, float], entity: str, weight: object, name: str) -> None:
    """Add the weight of a row to those of entities; it must be a number, and that of the entity's other rows."""
    try:
        number = float(weight)  # type: ignore[arg-type]  # or else it raises
    except (TypeError, ValueError):
        raise FormatError(name, None, f"has {weight!r} as weight of entity {shortened(entity)}; expected a number") from None
    if weights.setdefault(entity, number) != number:
        found = f"has the weights {weights[entity]:g} and {number:g} for entity {shortened(entity)}"
        raise MismatchError(f"{name} {found}; expected one for all rows of an entity")


def _those(rows: Rows, role: str, values: Untyped, step: str) -> Untyped:
    """The rows that have one of some values."""
    arrow, read = import_module("pyarrow"), 0
    kept = []
    for batch in rows.batches():
        progress.step(step, read, rows.source.rows or 0)
        read += len(batch)
        kept.append(batch.filter(_is_in(batch.column(role), values)))
    if rows.source.rows not in (None, read + rows.tally.missing):
        raise EngineError(f"read {read} of {rows.source.rows} rows of {rows.source.name}; nothing is reported: try again")
    return arrow.Table.from_batches([batch for batch in kept if len(batch)], rows.schema)


def _is_in(column: Untyped, values: Untyped) -> Untyped:
    values = values.combine_chunks() if hasattr(values, "combine_chunks") else values
    return import_module("pyarrow.compute").is_in(column, value_set=values)
