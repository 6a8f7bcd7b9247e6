"""The scripts and styles of the page."""

from __future__ import annotations

from referee import inspect


def test_gradients_with_stops_name_their_colour_space() -> None:
    # Firefox 153 draws nearly nothing of one with hard stops whose colours are oklch, unless it is interpolated in sRGB.
    page = inspect([["a"]], [["a"]]).html()
    assert page.count("repeating-linear-gradient(") == page.count("repeating-linear-gradient(90deg in srgb, ") > 0
