"""The page on paper."""

from referee import inspect
from tests.support.paths import EXAMPLES

# Rules for paper are made those of the screen: not every browser can be told that its window is paper.
ON_PAPER = """() => {
    for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])) {
        if (rule.media?.mediaText === "print") rule.media.mediaText = "all";
        else if (rule.media?.mediaText.startsWith("screen")) rule.media.mediaText = "print";
    }
    dispatchEvent(new Event("beforeprint"));
}"""


def test_all_of_the_text_is_printed(open_page, one):
    p = open_page(one, "#doc=lighthouse", viewport={"width": 700, "height": 300})
    p.page.evaluate(ON_PAPER)
    assert p.page.is_visible(".text")
    assert not p.page.is_visible(".search")
    height = p.page.evaluate("document.querySelector('.text').scrollHeight - document.querySelector('.text').clientHeight")
    assert height == 0  # nothing of it is cut off


def test_on_paper_nothing_asks_for_a_click_and_lines_are_solid_dashed_and_dotted(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    assert "Click" in p.page.inner_text(".legend")
    p.page.evaluate(ON_PAPER)
    assert "Click" not in p.page.inner_text(".legend")
    style = "all => [...new Set(all.map(e => getComputedStyle(e).borderTopStyle))].sort()"
    assert {"dashed", "dotted", "solid"} <= set(p.page.eval_on_selector_all(".piece.printed", style))
    p.page.evaluate("dispatchEvent(new Event('afterprint'))")
    p.page.wait_for_selector(".piece.printed", state="detached")
    p.page.wait_for_selector(".piece[role=button]")


def test_the_response_of_a_printed_page_is_named(open_page):
    two = inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll", EXAMPLES / "second.jsonlines")
    p = open_page(two, "#doc=lighthouse&response=2")
    p.page.evaluate(ON_PAPER)
    assert p.texts(".responses button:visible") == ["B\nsecond"]
    assert not p.page.is_visible("text=metrics")  # which leads elsewhere


def test_what_is_not_selected_is_not_faded_on_paper(open_page, one):
    p = open_page(one, "#doc=lighthouse&entity=K1")
    p.page.wait_for_selector(".piece.highlighted")
    faded = "[...document.querySelectorAll('.piece')].filter(e => getComputedStyle(e).backgroundImage.includes('0.28')).length"
    assert p.page.evaluate(faded) > 0
    p.page.evaluate(ON_PAPER)
    assert p.page.evaluate(faded) == 0
