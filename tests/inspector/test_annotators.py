"""`agree --page`: who put what where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee import inspect
from referee.inspector.inspection import Inspection

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def three() -> Inspection:
    """Ann and Eve agree but for d; Bob has not marked c, and has b elsewhere."""
    ann, bob, eve = [["a", "b", "c"], ["d"]], [["a"], ["b", "d"]], [["a", "b", "c", "d"]]
    page = inspect(ann, bob, eve, names=["bob", "eve"], items="union")
    return replace(page, annotators=("ann", "bob", "<b>eve"))


def test_every_mention_has_its_entity_of_each_annotator(open_page: Open, three: Inspection) -> None:
    p = open_page(three)
    p.page.click("[data-view=annotators]")
    p.page.wait_for_selector(".placements .error")
    assert p.texts(".placement.names > *") == ["Mention", "ann", "bob", "<b>eve"]
    p.page.click("[data-order=text]")
    cells = p.page.eval_on_selector_all(
        ".placements .error", "rows => rows.map((row) => [...row.children].map((cell) => cell.lastChild.textContent))"
    )
    assert cells == [["a", "A1", "B1", "C1"], ["b", "A1", "B2", "C1"], ["c", "A1", "–", "C1"], ["d", "A2", "B2", "C1"]]
    assert "4 mentions, 3 of them disputed" in p.page.inner_text(".placements .list-head")
    p.page.click(".placements .error >> nth=1")
    p.page.wait_for_selector(".members")
    assert p.page.inner_text(".card .about").startswith("ann: entity with 3 mentions")
    assert p.hash == "#doc=%231&entity=A1&mention=2&view=annotators"


def test_no_annotator_is_called_key(open_page: Open, three: Inspection) -> None:
    p = open_page(three, "#entity=B2")
    p.page.wait_for_selector(".heads .n")
    assert p.texts(".heads h2") == ["ann 2 entities", "bob 2 entities"]
    assert p.page.inner_text(".card .about").startswith("bob: entity with 2 mentions")
    assert "mentions of ann, lines below the words are mentions of bob." in p.page.inner_text(".legend")
    tabs = [tab.rstrip("0123456789 ") for tab in p.texts("[role=tab]:visible")]
    assert tabs == ["Entities", "Annotators", "Errors", "Merges and splits", "Scores"]
    p.page.keyboard.press("x")
    p.page.wait_for_selector(".heads >> text=<b>eve")
