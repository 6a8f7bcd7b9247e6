"""The two columns of 1998: every mention of every row, what is shared, and where each mention went."""

import re

import pytest

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from tests.pages.inspector.conftest import KEY, RESPONSE
from tests.support.paths import EXAMPLES


def rows(p):
    return {row.split()[0]: row for row in p.texts(".entity")}


def corpus(words, *entities):
    builder = CorpusBuilder()
    tokens = words.split()
    builder.document("d", tokens, [0])
    for number, entity in enumerate(entities):
        for start in entity:
            builder.mention(start, start + 1, f"{number}", "person")
    return builder.corpus()


def test_every_expression_is_in_its_row_and_a_lit_row_marks_what_is_shared(open_page, table_1):
    p = open_page(table_1)
    shown = {
        name: " ".join(row.split()) for name, row in zip(p.texts(".entity .name"), p.texts(".entity .mentions"), strict=True)
    }
    assert shown == {f"K{n}": " · ".join(entity) for n, entity in enumerate(KEY, 1)} | {
        f"R{n}": " · ".join(entity) for n, entity in enumerate(RESPONSE, 1)
    }
    p.page.dblclick("[data-name=K3]")
    p.page.wait_for_selector("[data-name=K3].selected")
    assert p.texts("[data-name=R2] .shared") == ["11", "12"]
    assert p.texts("[data-name=R1] .shared") == ["6", "7", "8", "9", "10"]
    assert p.texts("[data-name=R2] .unshared") == ["3", "4", "5", "13", "14", "15", "16"]
    mentions = p.page.inner_text("[data-name=K3] .mentions").replace("\u202f", "")
    assert mentions == "6→R1 · 7 · 8 · 9 · 10 · 11→R2 · 12"
    p.page.wait_for_timeout(600)  # otherwise these would be four clicks in a row
    p.page.dblclick("[data-name=K3]")
    p.page.wait_for_selector(".entity.selected", state="detached")
    assert not p.page.is_visible(".card")


def test_repeated_expressions_are_counted_in_order(open_page):
    side = corpus("I I I me I I it", list(range(6)), [6])
    p = open_page(inspect(side, side))
    p.page.wait_for_selector(".entities.K .mentions")
    assert p.texts(".entities.K .mentions")[0].replace("\u202f", " ") == "I ×3 · me · I ×2"


def test_only_what_is_shared_is_lit(open_page):
    # R1 has the one mention of K2, and 40 of K1: their lines are faint, and its row begins with what is shared.
    words = [*(f"word{n}" for n in range(40)), "zoe"]
    p = open_page(inspect([words[:40], ["zoe"]], [words]))
    p.page.click(".entities.K .entity:has-text('zoe')")
    p.page.wait_for_selector(".entity.selected")
    assert p.texts(".entities.R .shared") == ["zoe"]
    assert p.texts(".entities.R .unshared") == []
    assert p.texts(".entities.R .size") == ["1 of 41"]
    assert p.page.is_visible(".entities.R .shared")
    row, part = (p.page.locator(f".entities.R {name}").bounding_box() for name in (".entity", ".part"))
    assert part["width"] == pytest.approx(row["width"] / 41, abs=2)
    faint = "all => all.filter((e) => e.style.backgroundImage.includes('--faded')).map((e) => e.textContent.trim())"
    assert set(p.page.eval_on_selector_all(".text .piece", faint)) == set(words[:40])
    assert p.texts(".piece.lit") == ["zoe"]  # the mouse is still on the row


def test_missed_mentions_are_said_to_be(open_page):
    p = open_page(inspect(corpus("Ann her she", [0, 1, 2]), corpus("Ann her she", [0, 2])), "#entity=K1")
    p.page.wait_for_selector("[data-name=K1].selected")
    assert p.page.inner_text("[data-name=K1] .mentions").replace("\u202f", "") == "Ann→R1 · her→missed · she→R1"


@pytest.mark.parametrize("by", ["click", "key"])
def test_a_long_row_opens_and_moves_the_rows_below(open_page, by):
    words = [f"word{n}" for n in range(60)]
    side = corpus(" ".join(words), list(range(50)), list(range(50, 60)))
    p = open_page(inspect(side, side), "#entity=K1", viewport={"width": 1280, "height": 1600})
    p.page.wait_for_selector("[data-name=K1].selected")
    assert len(p.texts("[data-name=K1] .mentions bdi")) < 50
    if by == "click":
        p.page.click("[data-name=K1] .open")
    else:
        p.page.keyboard.press("1")
        p.page.keyboard.press("m")
    p.page.wait_for_selector("[data-name=K1].opened")
    assert p.texts("[data-name=K1] .mentions bdi") == words[:50]
    boxes = [p.page.locator(f"[data-name={name}]").bounding_box() for name in ("K1", "K2")]
    assert boxes[0]["height"] > 60
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
    p.page.click("[data-name=K1] .open", position={"x": 8, "y": 10})
    p.page.wait_for_selector("[data-name=K1]:not(.opened)")


def test_what_is_pointed_to_is_lit_and_described(open_page):
    key = corpus("Ann met Eve ; she smiled", [0, 4], [2])
    p = open_page(inspect(key, corpus("Ann met Eve ; she smiled", [0], [2, 4])), "#doc=d")
    p.page.hover("[data-name=K1]")
    p.page.wait_for_selector(".tooltip")
    assert p.named("lit") == {"K1", "R1", "R2"}
    assert p.texts(".tooltip div")[:2] == ["K1 · person · 2 mentions", "→ R1 (1), R2 (1)"]
    p.page.hover('.piece >> text="she"')
    p.until("document.querySelector('.tooltip').textContent.startsWith('“she”')")
    assert p.texts(".tooltip div")[1] == "K1 → R2 · misplaced"
    assert p.texts(".tooltip div")[2].endswith(" CoNLL")
    assert set(p.texts(".piece.lit")) == {"Ann", "she"}  # R2 has Eve, too, but does not share it with K1
    p.page.keyboard.press("Escape")
    p.page.wait_for_selector(".tooltip", state="hidden")
    assert p.named("lit") == set()


def test_names_of_the_annotation_are_shown(open_page, tmp_path):
    lines = (EXAMPLES / "key.conll").read_text().splitlines()
    named = [re.sub(r"[0-9]+(?=[^\t]*$)", r"n\g<0>", line) if "\t" in line else line for line in lines]
    (tmp_path / "key.conll").write_text("\n".join(named) + "\n")
    p = open_page(inspect(tmp_path / "key.conll", EXAMPLES / "response.conll"), "#doc=lighthouse")
    assert p.page.inner_text("[data-name=K1] .id") == "id n1"
    assert p.texts(".entities.R .id") == []  # numbers
