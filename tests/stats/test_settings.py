"""The limits of settings of intervals and tests, and what is said of few units."""

import pytest

from referee.basics.exceptions import OptionError
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


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ({"level": 0.49}, "level is a number from 0.5 to below 1; found 0.49"),
        ({"level": 1.0}, "level is a number from 0.5 to below 1; found 1.0"),
        ({"level": 0.5, "resamples": 3}, "resamples is a number from 4 to 1000000 for a level of 0.5; found 3"),
        ({"level": 0.7, "resamples": 6}, "resamples is a number from 7 to"),
        ({"level": 0.9, "resamples": 19}, "resamples is a number from 20 to"),
        ({"level": 0.99, "resamples": 199}, "resamples is a number from 200 to"),
        ({"resamples": MOST + 1}, "found 1000001"),
        ({"level": 0.9999999}, "a level of 0.9999999 needs 20000000 resamples; expected a lower level: 1000000 are the most"),
        ({"seed": -1}, "seed is 0 or more; found -1"),
    ],
)
def test_settings_beyond_their_limits_are_refused(refused, message):
    with pytest.raises(OptionError, match=message):
        Resampling(**refused)


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
