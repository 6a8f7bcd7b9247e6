"""How a number is written: the one place where reports round."""

from __future__ import annotations

import math
from collections.abc import Iterable

MOST_DECIMALS = 6
"""Of small costs."""

LEAST_P = 0.0001


def number(value: float | None, unit: str = "", truncate: bool = False, decimals: int = 2) -> str:
    """A percentage, or a plain number with at most four decimals if it has a unit.

    Parameters
    ----------
    value
        A fraction of 1 unless it has a unit; nan is `-`, None is nothing.
    unit
        What the number is measured in; not written.
    truncate
        Leave the digits after the second decimal of a percentage off instead of rounding; a sum of binary fractions that is
        off by less than 10⁻¹² loses none. Rounding is to the nearest, and a number exactly between two goes to the even digit.
    decimals
        Of a percentage that is rounded.

    Returns
    -------
    str

    Examples
    --------
    >>> number(0.66668), number(0.66668, truncate=True), number(float("nan")), number(None), number(5.0, "operations")
    ('66.67', '66.66', '-', '', '5')
    >>> number(25 / 32)
    '78.12'
    """
    if value is None:
        return ""
    if math.isnan(value):
        return "-"
    if unit:
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return f"{int(round(value * 10000, 8)) / 100 if truncate else value * 100:.{decimals}f}"


def cost(value: float | None, unit: str = "", truncate: bool = False, decimals: int = 2) -> str:
    """A difference of scores as a `number`, with a + if it is one; one that is written as 0 has no sign.

    >>> cost(0.0123), cost(-0.0123), cost(0.00001), cost(-0.00001)
    ('+1.23', '-1.23', '0.00', '0.00')
    """
    text = number(value, unit, truncate, decimals)
    if value is None or math.isnan(value):
        return text
    if set(text) <= set("-0."):
        return text.removeprefix("-")
    return f"+{text}" if value > 0 else text


def minus(text: str) -> str:
    """A number as people read it, with a minus sign, not a hyphen; what is undefined is a hyphen still.

    >>> minus("-1.23"), minus("+1.23"), minus("-")
    ('−1.23', '+1.23', '-')
    """
    return f"−{text[1:]}" if text.startswith("-") and text != "-" else text


def cost_decimals(costs: Iterable[float]) -> int:
    """How many decimals, at least two, give half of the costs that are not 0 two digits or more.

    >>> cost_decimals([0.05, 0.01, 0.0]), cost_decimals([0.01, 0.00002, 0.00001])
    (2, 4)
    """
    sizes = sorted(abs(value) * 100 for value in costs if value and math.isfinite(value))
    if not sizes:
        return 2
    return min(max(2, 1 - math.floor(math.log10(sizes[len(sizes) // 2]))), MOST_DECIMALS)


def formatted(value: float, form: str) -> str:
    """A number in a given format, `-` if it is undefined.

    >>> formatted(0.33512, ".3f"), formatted(1.5, "g"), formatted(float("nan"), "g")
    ('0.335', '1.5', '-')
    """
    return "-" if math.isnan(value) else format(value, form)


def probability(value: float) -> str:
    """A p with four decimals, or a bound where they cannot say it.

    >>> probability(0.04), probability(0.00001), probability(float("nan"))
    ('0.0400', '≤0.0001', '-')
    """
    return f"≤{LEAST_P}" if value < LEAST_P else formatted(value, ".4f")
