"""A document that is counted in parts gives the bits of the document that is counted at once."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.metrics.parts import count_parts
from referee.metrics.registry import METRICS
from tests.support.partitions import documents, entities_of, table_of

PARTITION = {name: m for name, m in METRICS.items() if m.of_entities}


def counted(parts, *mentions):
    """The counts of a document from parts, each with the number of those that are like it."""
    tables = [(table_of([document]), np.array([times])) for document, times in parts]
    key, response, common = (np.array([n]) for n in mentions)
    return count_parts(tables, (key, response, common), PARTITION)


@given(st.lists(st.tuples(documents(), st.integers(1, 3)), min_size=1, max_size=4))
def test_the_last_of_some_parts_has_the_counts_of_all(parts):
    sides = ([], [])
    for number, document in enumerate(document for document, times in parts for _ in range(times)):
        for side, entities in zip(sides, document, strict=True):
            side += [{mention + 100 * number for mention in entity} for entity in entities]
    key, response = (set().union(*side) for side in sides)
    counts = counted(parts, len(key), len(response), len(key & response))
    for name, metric in PARTITION.items():
        for column, values in metric.count(table_of([sides])).columns.items():
            assert counts[name].columns[column].tobytes() == values.tobytes(), (name, column)


@pytest.mark.parametrize("place", [0, 1])
def test_what_one_part_may_have_missed_is_kept_beside_a_part_that_is_certain(place, monkeypatch):
    monkeypatch.setattr("referee.algorithms.assignment.BUDGET", 0)
    key, response = (entities_of(side) for side in np.random.default_rng(8).integers(12, size=(2, 600)).tolist())
    parts = [(([{0, 1}], [{0, 1}]), 1)]
    parts.insert(place, ((key, response), 1))
    loose = METRICS["ceaf_e"].count(table_of([(key, response)])).columns["slack"]
    assert counted(parts, 602, 602, 602)["ceaf_e"].columns["slack"] == pytest.approx(loose)
