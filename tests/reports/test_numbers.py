"""How numbers are written."""

import math

import pytest
from hypothesis import given, strategies as st

from referee.reports.numbers import cost, cost_decimals, formatted, number, probability


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.00"), (1.0, "100.00"), (25 / 32, "78.12"), (2 / 3, "66.67"), (-0.0678, "-6.78"), (math.nan, "-"), (None, "")],
)
def test_percentages_have_two_decimals_and_halves_go_to_the_even_digit(value, text):
    assert number(value) == text


def test_truncated_percentages_lose_digits():
    assert (number(0.99999, truncate=True), number(0.99999)) == ("99.99", "100.00")
    assert number(-0.99999, truncate=True) == "-99.99"


def test_a_sum_that_is_off_by_a_rounding_error_loses_no_digit():
    assert (number(0.4 - 2**-53, truncate=True), number(0.4 - 1e-9, truncate=True)) == ("40.00", "39.99")
    assert number(1 - 2**-53, truncate=True) == "100.00"


def test_numbers_with_a_unit_have_at_most_four_decimals():
    assert [number(x, "bits") for x in (0.0, 0.311, 1.04424, 10.0)] == ["0", "0.311", "1.0442", "10"]
    assert number(1.04424, "bits", truncate=True) == "1.0442"


def test_costs_have_a_sign_unless_they_are_written_as_zero():
    assert [cost(x) for x in (0.05, -0.05, 0.0, 1e-9, -1e-9, math.nan)] == ["+5.00", "-5.00", "0.00", "0.00", "0.00", "-"]


@given(st.lists(st.floats(-1, 1, allow_nan=False)))
def test_half_of_the_costs_can_be_read(costs):
    decimals = cost_decimals(costs)
    shown = [cost(x, decimals=decimals) for x in costs if abs(x) >= 1e-7]
    assert 2 <= decimals <= 6
    assert sum(set(text) <= set("0.") for text in shown) * 2 <= len(costs)


def test_small_costs_have_more_decimals():
    assert cost_decimals([]) == cost_decimals([0.0, math.nan]) == cost_decimals([0.2, 0.1]) == 2
    assert cost_decimals([0.2, 0.00012, 0.00011]) == 3


def test_other_numbers_are_written_as_their_column_says():
    assert (formatted(1 / 3, ".3f"), formatted(2.0, "g"), formatted(math.nan, "g")) == ("0.333", "2", "-")
    assert (probability(0.05), probability(0.00009), probability(1.0)) == ("0.0500", "≤0.0001", "1.0000")
