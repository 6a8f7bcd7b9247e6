"""One clustering counted in parts gives the bits of the whole; a component that does not fit is refused."""

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import score
from referee.basics.exceptions import EngineError, OptionError
from referee.metrics import common_records
from referee.stats.counts import single
from referee.tables import cells
from referee.tables.memory import MemoryEngine
from tests.support.examples import examples
from tests.support.tables import ENGINES, Row, arrow_table, bits, shuffled, without_an_entity

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
each_engine = pytest.mark.parametrize("engine", ENGINES)
MEMORY = 100_000_000
side = st.dictionaries(st.integers(0, 40), st.integers(0, 12), min_size=1, max_size=40)


@pytest.fixture(scope="module", autouse=True)
def _nothing_in_common_is_no_mistake():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_records, "MANY", 1 << 30)
        yield


def scored(tables, fitting, **options):
    """Scores where so many cells fit into memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "BYTES", int(cells.SHARE * MEMORY) // fitting)
        return score(*tables, **{"memory": MEMORY, **options})


def moved(records, share, seed=1):
    """Entities of three records, of which a share is in any other entity of the response, which lacks the last record."""
    rng = np.random.default_rng(seed)
    other = np.where(rng.random(records) < share, rng.integers(0, records // 3, records), np.arange(records) // 3)
    rows = [[Row(0, item, int(entity)) for item, entity in enumerate(of)] for of in (np.arange(records) // 3, other[:-1])]
    return [arrow_table(shuffled(of, seed), False) for of in rows]


@each_engine
@examples(0.3)
@given(key=side, response=side, fitting=st.sampled_from([13, 20, 30]), text=st.booleans(), keep=st.booleans())
def test_parts_give_the_bits_of_the_whole(engine, key, response, fitting, text, keep):
    tables = [arrow_table([Row(0, i, e) for i, e in of.items()], False, text=text) for of in (key, response)]
    options = {"metrics": "all", "singletons": "keep" if keep else "drop"}
    whole = score(*tables, engine="memory", **options)
    try:
        found = scored(tables, fitting, engine=engine, **options)
    except EngineError as error:
        assert "overlap one with another" in str(error)
        return
    assert bits(found.counts) == bits(whole.counts)


@each_engine
def test_parts_have_whole_components(engine):
    tables = moved(600, 0.05)
    whole, found = score(*tables, metrics="all", engine="memory"), scored(tables, 25, metrics="all", engine=engine)
    assert bits(found.counts) == bits(whole.counts)
    assert found.run["rest_parts"] > 3


@each_engine
def test_a_component_that_does_not_fit_is_refused_with_the_memory_that_is_enough(engine):
    tables = moved(600, 0.5)
    with pytest.raises(
        EngineError, match=r"^\d+ cells overlap .* more than fit into memory; nothing is reported: raise --mem"
    ) as found:
        scored(tables, 25, engine=engine)
    remedy = re.search(r"raise --memory to (\S+) or more", str(found.value))
    assert remedy
    whole = score(*tables, metrics="all", engine="memory")
    assert bits(scored(tables, 25, metrics="all", engine=engine, memory=remedy[1]).counts) == bits(whole.counts)


def test_a_metric_of_the_caller_needs_all_cells():
    with pytest.raises(OptionError, match=r"^mine is a function of your own, which gets all \d+ cells .*: raise --memory"):
        scored(moved(600, 0.5), 25, metrics={"mine": lambda t: single(t.common, t.key_mentions)})


def test_a_part_that_is_lost_is_noticed(monkeypatch):
    def lossy(self):
        return without_an_entity(whole(self))

    whole = MemoryEngine.cells
    monkeypatch.setattr(MemoryEngine, "cells", lossy)
    with pytest.raises(EngineError, match=r"nothing is reported|items in common"):
        scored(moved(600, 0.3), 25)
