"""One clustering counted in parts gives the bits of the whole, and bounds where a component does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import score
from referee.basics.exceptions import EngineError, OptionError, RefereeWarning
from referee.metrics import common_records
from referee.metrics.registry import METRICS
from referee.stats.counts import single
from referee.tables import parts
from referee.tables.memory import MemoryEngine
from referee.tables.rest import RestInMemory
from tests.support.examples import examples
from tests.support.tables import ENGINES, Row, arrow_table, bits, shuffled

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
each_engine = pytest.mark.parametrize("engine", ENGINES)
MEMORY = 100_000_000
side = st.dictionaries(st.integers(0, 40), st.integers(0, 12), min_size=1, max_size=40)


@pytest.fixture(scope="module", autouse=True)
def _nothing_in_common_is_no_mistake() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_records, "MANY", 1 << 30)
        yield


def scored(tables: Any, cells: int, aligned: int = 1 << 30, bounded: int = 1 << 30, **options: Any) -> Any:
    """Scores where so many cells fit into memory, are aligned, or are aligned within bounds."""
    with pytest.MonkeyPatch.context() as patch:
        for name, fitting in (("BYTES", cells), ("BYTES_ALIGNED", aligned), ("BYTES_BOUNDED", bounded)):
            patch.setattr(parts, name, max(int(parts.SHARE * MEMORY) // fitting, 0))
        return score(*tables, memory=MEMORY, **options)


def moved(records: int, share: float, seed: int = 1) -> list[Any]:
    """Entities of three records, of which a share is in any other entity of the response, which lacks the last record."""
    rng = np.random.default_rng(seed)
    other = np.where(rng.random(records) < share, rng.integers(0, records // 3, records), np.arange(records) // 3)
    rows = [[Row(0, item, int(entity)) for item, entity in enumerate(of)] for of in (np.arange(records) // 3, other[:-1])]
    return [arrow_table(shuffled(of, seed), False) for of in rows]


@each_engine
@examples(0.3)
@given(key=side, response=side, cells=st.sampled_from([13, 20, 30]), text=st.booleans(), keep=st.booleans())
def test_parts_give_the_bits_of_the_whole(
    engine: str, key: dict[int, int], response: dict[int, int], cells: int, text: bool, keep: bool
) -> None:
    tables = [arrow_table([Row(0, i, e) for i, e in of.items()], False, text=text) for of in (key, response)]
    options = {"metrics": "all", "singletons": "keep" if keep else "drop"}
    whole = score(*tables, engine="memory", **options)
    try:
        found = scored(tables, cells, engine=engine, **options)
    except EngineError as error:
        assert not keep and "overlap one with another" in str(error)
        return
    assert bits(found.counts) == bits(whole.counts)


@each_engine
@pytest.mark.parametrize("share", [0.05, 0.5])
def test_a_component_that_is_larger_than_a_part(engine: str, share: float) -> None:
    tables = moved(600, share)
    whole, found = score(*tables, metrics="all", engine="memory"), scored(tables, 25, metrics="all", engine=engine)
    assert bits(found.counts) == bits(whole.counts)
    assert found.run["rest_parts"] > 3


@each_engine
def test_a_component_that_cannot_be_aligned_has_bounds(engine: str) -> None:
    tables = moved(600, 0.5)
    whole = score(*tables, metrics="all", engine="memory")
    with pytest.warns(RefereeWarning, match=r"ceaf_m, ceaf_e, conll, ceaf_phi2 are lower bounds, certified .*--memory"):
        found = scored(tables, 25, aligned=30, metrics="all", engine=engine)
    assert found.run["components_with_bounds"][0] > 200
    loose = {name for name, s in found.items() if s.upper is not None}
    assert loose == {"ceaf_m", "ceaf_e", "conll", "ceaf_phi2"}
    for name in METRICS.keys() & found.keys():
        if name in loose:
            assert found[name].value < whole[name].value < found[name].upper.value
        else:
            assert found[name] == whole[name] or found[name].value != found[name].value
    assert "at most" in str(found)


@each_engine
def test_what_fits_nowhere_is_refused(engine: str) -> None:
    tables = moved(600, 0.5)
    with pytest.raises(EngineError, match=r"^\d+ cells overlap .* more than fit into memory; nothing is reported: raise --mem"):
        scored(tables, 25, bounded=30, engine=engine)
    one = [tables[0], arrow_table([Row(0, item, 0) for item in range(600)], False)]
    with pytest.raises(EngineError, match=r"an entity overlaps with 200 entities .* more than the 25 that fit into memory"):
        scored(one, 25, engine=engine)


def test_a_metric_of_the_caller_needs_all_cells() -> None:
    with pytest.raises(OptionError, match=r"^mine is a function of your own, which gets all \d+ cells .*: raise --memory"):
        scored(moved(600, 0.5), 25, metrics={"mine": lambda t: single(t.common, t.key_mentions)})


def test_a_part_that_is_lost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def lossy(self: MemoryEngine) -> Any:
        cells = whole(self)
        return cells._replace(rest=RestInMemory(cells.rest.table().slice(1)))

    whole = MemoryEngine.cells
    monkeypatch.setattr(MemoryEngine, "cells", lossy)
    with pytest.raises(EngineError, match=r"nothing is reported|items in common"):
        scored(moved(600, 0.3), 25)
