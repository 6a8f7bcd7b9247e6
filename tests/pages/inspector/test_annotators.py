"""`agree --page`: who put what where."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import inspect, score
from referee.pages.inspector.inspection import Inspection
from tests.pages.inspector.test_export import exported

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
    assert p.texts(".placement.names > *") == ["Mention", "A ann", "B bob", "C <b>eve"]
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
    assert tabs == ["Entities", "Annotators", "Differences", "Merges and splits", "Scores"]
    p.page.keyboard.press("x")
    p.page.wait_for_selector(".heads >> text=<b>eve")


def test_what_differs_is_nobodys_error(open_page: Open) -> None:
    ann, bob = [["a", "b", "c"], ["d"], ["e", "f"], ["i", "j"]], [["a"], ["b", "d"], ["e", "f", "g"], ["h"]]
    page = replace(inspect(ann, bob, bob, names=["bob", "eve"], items="union"), annotators=("ann", "bob", "eve"))
    p = open_page(page, "#view=errors&response=2")
    p.page.wait_for_selector(".errors .error")
    assert set(p.texts(".error .kind")) == {
        "elsewhere in C", "mention of A only", "entity of A only", "mention of C only", "entity of C only",
    }  # fmt: skip
    assert "h: C4 is not in A" in p.texts(".error .what")
    seen = [p.page.inner_text("body")]
    for view in ("entities", "errors", "merges", "scores"):
        for entity in ("A1", "C3"):
            p.page.evaluate(f"location.hash = '#entity={entity}&response=2&view={view}'")
            p.page.wait_for_selector(f".card >> text={entity}")
            seen.append(p.page.inner_text("body"))
    p.page.hover(".text .piece >> nth=0")
    seen.append(p.page.inner_text(".tooltip"))
    p.page.keyboard.press("1")
    seen += p.page.eval_on_selector_all("[aria-label], .main [title]", "all => all.map((e) => `${e.ariaLabel} ${e.title}`)")
    for key in ("?", "o"):
        p.page.keyboard.press(key)
        seen.append(p.page.inner_text("body"))
        p.page.keyboard.press("Escape")
    words = re.compile(r"\b((?<!place of the )key|responses?|missed|spurious|(?<!d-)errors?|corrected|wrong)\b", re.IGNORECASE)
    assert [text[max(0, m.start() - 30) : m.end()] for text in seen for m in words.finditer(text)] == []


def of_annotators(*annotations: object, names: tuple[str, ...]) -> Inspection:
    """What `agree --page` writes."""
    first, *further = (inspect(*annotations[n:], names=names[n + 1 :], items="union") for n in range(len(annotations) - 1))
    return replace(first, annotators=names, pairs=tuple(page.evaluations for page in further))


def test_any_two_annotators_are_side_by_side(open_page: Open, tmp_path: Path) -> None:
    ann = {"a": [["a", "b", "c"], ["d"]], "b": [["x", "y"]]}
    bob = {"a": [["a"], ["b", "d"]], "b": [["x", "y"]]}
    eve = {"a": [["a", "b", "c", "d"]], "b": [["x"], ["y"]]}
    names = ("ann", "bob", "<b>eve")
    p = open_page(of_annotators(ann, bob, eve, names=names), "#doc=a&entity=A1")
    first = p.page.get_by_label("First annotator")
    assert first.locator("option").all_inner_texts() == ["A ann", "B bob"]
    first.select_option("B bob")
    p.page.wait_for_selector(".heads >> text=bob")
    assert p.texts(".heads h2") == ["bob 2 entities", "<b>eve 1 entity"]
    assert p.hash == "#doc=a&first=2"
    p.page.click(".entity[data-name=B1]")
    p.page.wait_for_selector(".card >> text=B1")
    assert p.hash == "#doc=a&first=2&entity=B1"
    pairwise = score(bob["a"], eve["a"], items="union")["links"].value
    assert f"{100 * pairwise:.2f}" in p.page.inner_text(".strip .score >> nth=0").split()
    p.page.keyboard.press("6")  # who put what where, all of them
    p.page.wait_for_selector(".placements .error")
    assert p.texts(".placement.names > *") == ["Mention", "A ann", "B bob", "C <b>eve"]
    p.page.go_back()
    p.page.wait_for_selector(".card >> text=B1")
    (tmp_path / "a.html").write_bytes(exported(p, "page")[1])
    p.page.goto((tmp_path / "a.html").as_uri() + p.hash)
    p.page.evaluate("window.reloads = 1")
    p.page.wait_for_selector(".card >> text=B1")
    assert p.texts(".heads h2") == ["bob 2 entities", "<b>eve 1 entity"]
    p.page.get_by_label("First annotator").select_option("A ann")
    p.page.wait_for_selector(".heads >> text=ann")
    p.page.keyboard.press("o")
    p.page.wait_for_selector(".lede")
    assert p.page.inner_text(".lede h1") == "bob and ann"
