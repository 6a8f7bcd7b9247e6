"""NumPy numbers rows with fewer bits on small machines, such as browsers: no product of such numbers may wrap around."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest

import referee
from referee import Resampling, agree, score
from referee.algorithms import arrays

NUMBERING = ("arange", "flatnonzero", "nonzero", "argsort", "lexsort", "searchsorted", "argwhere")
"""Functions that give numbers of rows."""

DERIVED = ("cumsum", "diff", "append")
"""Functions that give such numbers if they get them, or Python's."""


def narrow(found):
    """Whole numbers as a machine has them whose addresses have 16 bits, where they fit."""
    if isinstance(found, tuple):
        return tuple(map(narrow, found))
    if isinstance(found, np.ndarray) and found.dtype == np.int64 and np.abs(found).max(initial=0) < 1 << 15:
        return found.astype(np.int16)
    return found


def narrowed(function):
    @functools.wraps(function)
    def call(*values, **how):
        found = function(*values, **how)
        return found if "dtype" in how else narrow(found)

    return call


def derived(function):
    @functools.wraps(function)
    def call(values, *others, **how):
        found = function(values, *others, **how)
        return found if np.asarray(values).dtype.itemsize == 8 else narrow(found)

    return call


@pytest.fixture
def small_addresses(monkeypatch):
    def install():
        for name in NUMBERING:
            monkeypatch.setattr(np, name, narrowed(getattr(np, name)))
        for name in DERIVED:
            monkeypatch.setattr(np, name, derived(getattr(np, name)))
        monkeypatch.setattr("referee.matching.pair.BLOCK", 1 << 14)

    return install


@pytest.mark.filterwarnings("ignore:.*has 1000 items with the label 0")
@pytest.mark.parametrize(
    ("key", "response"),
    [
        ([0] * 2000, [n % 2 for n in range(2000)]),
        ([n // 2 for n in range(2000)], [n % 45 for n in range(2000)]),
        ([n % 1000 for n in range(2000)], [0] * 1000 + list(range(1, 1001))),
    ],
)
def test_every_number_is_the_same_with_small_addresses(key, response, small_addresses):
    def results():
        evaluation = score(key, response, metrics="all")
        agreement = agree({"A": key, "B": response}, resampling=Resampling(resamples=100))
        return [evaluation.to_dict(), evaluation.errors().to_dict(), agreement.to_dict()]

    before = results()
    small_addresses()
    assert np.arange(3).dtype == np.int16
    assert repr(results()) == repr(before)


def test_tally_and_repeat_take_and_give_64_bits(monkeypatch):
    values = np.array([3, 0, 3], dtype=np.int64)
    monkeypatch.setattr(arrays, "NARROW", True)
    assert arrays.tally(values, minlength=5).tolist() == [1, 0, 0, 2, 0]
    assert arrays.tally(values).dtype == np.int64
    assert arrays.tally(values, np.array([0.5, 1, 2])).tolist() == [1.0, 0, 0, 2.5]
    assert arrays.repeat(np.array([7, 8]), values[:2]).tolist() == [7, 7, 7]


def test_nothing_is_tallied_or_repeated_without_them():
    for path in Path(referee.__file__).parent.rglob("*.py"):
        if path.name != "arrays.py":
            direct = re.findall(r"np\.bincount\(|np\.repeat\((?!.*axis=)", path.read_text(encoding="utf-8"))
            assert not direct, f"{path}: use tally and repeat of algorithms/arrays.py"
