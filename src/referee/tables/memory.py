"""The engine that keeps rows in memory, as columns of NumPy. Documents of ordered files are streamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.basics.extras import arrow
from referee.basics.options.engines import EngineSettings
from referee.inputs.sources import BATCH
from referee.tables.blocks import block_of, counted_in_blocks
from referee.tables.cells import cells_of
from referee.tables.engine import BlockCounts, Cells, CountingRules, Kernel, Side
from referee.tables.items import key_items
from referee.tables.rows import Rows, seen_of


def engine(key: Side, response: Side, settings: EngineSettings, rules: CountingRules) -> MemoryEngine:
    """Return the engine for two sides."""
    return MemoryEngine(Rows(*key, rules.nulls), Rows(*response, rules.nulls), settings, rules)


class MemoryEngine:
    """Brings together the rows of two sides in memory."""

    def __init__(self, key: Rows, response: Rows, settings: EngineSettings, rules: CountingRules) -> None:
        self.sides, self.settings, self.rules = (key, response), settings, rules

    def cells(self) -> Cells:
        """Return how the entities overlap."""
        key, response = self.sides
        items = key.once("items", lambda: key_items(key.table()))
        block = block_of(items, response.table(), self.rules._replace(singletons=True))
        return cells_of(block.table, block.seen.plus(seen_of(*self.sides)))

    def documents(self, kernel: Kernel) -> Iterator[BlockCounts]:
        """Count the documents, in their order."""
        key, response = self.sides
        names = key.source.name, response.source.name
        yield from counted_in_blocks(_ordered(key), _ordered(response), kernel, names, self.settings.bytes)
        yield BlockCounts([], {}, seen_of(*self.sides), ([], []))

    def facts(self) -> Mapping[str, object]:
        """Return the name of the engine."""
        return {"engine": "memory"}

    def close(self) -> None:
        """Do nothing."""


def _ordered(rows: Rows) -> Iterator[arrow.RecordBatch]:
    """The rows in the order of their documents; only those that are not ordered are kept in memory."""
    yield rows.none
    if rows.is_ordered:
        yield from rows.batches()
    else:
        table = rows.once("in order", lambda: rows.table().sort_by("document"))
        yield from table.to_batches(max_chunksize=BATCH)
