"""The limits of settings of intervals and tests, and what is said of few units."""

import pytest

from referee.stats.choices import MANY, MOST
from referee.stats.settings import RELIABLE, Resampling


@pytest.mark.parametrize(
    "allowed",
    [
        {"level": 0.5},
        {"level": 0.5, "resamples": 4},  # 2 / (1 - level)
        {"level": 0.7, "resamples": 7},  # 2 / (1 - level) = 6 2/3
        {"level": 0.9, "resamples": 20},
        {"level": 0.95, "resamples": 40},
        {"level": 0.99, "resamples": 200},
        {"resamples": MOST},
        {"level": 1 - 2 / MOST, "resamples": MOST},
        {"seed": 0},
    ],
)
def test_settings_reach_to_their_limits(allowed):
    made = Resampling(**allowed)
    assert {name: getattr(made, name) for name in allowed} == allowed


def test_the_method_goes_by_the_number_of_units_unless_it_is_named():
    assert [Resampling().for_units(units).method for units in (1, MANY, MANY + 1)] == ["percentile", "percentile", "linear"]
    assert Resampling("bca").for_units(MANY + 1).method == "bca"


def test_few_units_are_spoken_of():
    documents, sentences = Resampling(), Resampling(unit="sentence")
    assert documents.caution(1) == "no interval can be given: there is 1 document, and at least two are needed"
    assert sentences.caution(2).startswith("the intervals are too narrow to be relied on: there are 2 sentences")
    assert documents.caution(RELIABLE - 1).endswith(f"there are {RELIABLE - 1} documents; expected at least {RELIABLE}")
    assert documents.caution(RELIABLE) == ""


def test_the_signature_names_all_that_decides_the_digits():
    assert Resampling().signature == "intervals:percentile | level:0.95 | resamples:10000 | seed:0 | unit:document"
    assert Resampling("linear", level=0.9).signature == "intervals:linear | level:0.9 | unit:document"
