"""Groups of one unit each, against the general way, which takes them one by one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.options.options import Options
from referee.comparison.comparing import compare, score_all
from referee.comparison.parts import part_of, sampled
from referee.comparison.single_units import parts_of_units
from referee.scoring.units import units_of
from referee.stats.settings import TESTS, Resampling
from tests.support.examples import examples
from tests.support.partitions import random_documents


def units(seed, systems, documents):
    """Documents of random systems; one system lacks a document."""
    rng = np.random.default_rng(seed)
    sides = [random_documents(rng, documents, 6) for _ in range(systems)]
    key = {f"d{n}": of[0] for n, of in enumerate(sides[0])}
    responses = {f"s{s}": {f"d{n}": of[1] for n, of in enumerate(side) if s == 0 or n} for s, side in enumerate(sides)}
    return units_of(score_all(key, responses, metrics="all"), "document")


@pytest.mark.filterwarnings("ignore")
@examples(0.5)
@given(
    st.integers(0, 1000), st.integers(1, 4), st.sampled_from(TESTS), st.sampled_from([float("nan"), 0.0, 1.0]),
    st.sampled_from(["percentile", "bca"]),
)  # fmt: skip
def test_all_at_once_are_the_same_as_one_by_one(seed, systems, test, zero_division, method):
    together = units(seed, systems, 5)
    r, o = Resampling(resamples=200, test=test, method=method), replace(Options(), zero_division=zero_division)
    slow = []
    for row, name in enumerate(together.document):
        unit = together.rows([row])
        samples = sampled(name, unit, "s0", r, zero_division=o.zero_division, beta=o.beta, random=False)
        slow.append(part_of(name, unit, samples, "s0", r))
    assert repr(parts_of_units(together.document, together, "s0", o)) == repr(slow)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("systems", [1, 3])
@pytest.mark.parametrize("zero_division", [float("nan"), 1.0])
def test_a_table_has_score_mark_and_best_of_each_cell(systems, zero_division):
    key = {f"d{n}": [{1, 2}, {3, 4}] for n in range(4)} | {"e": [{1}]}
    responses = [key, {**key, "d1": [{1, 2, 3, 4}]}, {"d0": [], "e": [{5, 6}]}][:systems]
    found = compare(key, responses, by=str, resampling=Resampling(level=0.5, resamples=9), zero_division=zero_division)
    wanted = [
        [(cell.score.value, cell.interval, cell.mark, cell.best and systems > 1, None) for cell in of.values()]
        for part in found.parts
        for of in part.cells.values()
    ]
    assert repr([[tuple(cell) for cell in row[2:]] for row in found.listing().rows]) == repr(wanted)
    assert any(mark for row in wanted for _, _, mark, *_ in row) == (systems > 1)
