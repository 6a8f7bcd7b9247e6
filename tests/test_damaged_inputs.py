"""Damaged inputs of every kind are used or refused in one line, and never give a number that contradicts itself."""

from random import Random

import pytest

from tests.support.damaged_inputs import KINDS, trouble_with_input

NEEDS = {"counts": "pyarrow", "tables": "duckdb"}
NUMBER = {"tables": 8, "page": 15, "score": 40, "resolver-model": 25, "phrase-model": 40}


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_input_is_used_or_refused(kind, tmp_path):
    if kind in NEEDS:
        pytest.importorskip("pyarrow")
        pytest.importorskip(NEEDS[kind])
    for number in range(NUMBER.get(kind, 80)):
        sample = KINDS[kind].make(Random(f"every {kind} {number}"))
        trouble = trouble_with_input(sample, kind, tmp_path)
        assert trouble is None, (number, trouble, sample)
