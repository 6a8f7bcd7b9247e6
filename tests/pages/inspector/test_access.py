"""Views, sizes and colours without violations of WCAG 2.2 AA that axe-core finds; the parts of the page moved by keys."""

import json

import pytest

from referee import inspect
from tests.pages.inspector.test_alone import story  # noqa: F401 -- a fixture
from tests.pages.inspector.test_concordance import three  # noqa: F401 -- a fixture
from tests.pages.inspector.test_records import KEY, RESPONSE, TABLE
from tests.support.annotators import of_annotators
from tests.support.browsers import once_is_enough
from tests.support.paths import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"

VIEWS = ["", "#view=errors", "#doc=orchard&only=errors&q=the", "#doc=lighthouse&entity=K2&mention=2"]
VIEWS += [f"#doc=lighthouse&entity=R2&view={view}" for view in ("errors", "text", "changes", "scores")]

COLOURS = [(390, "light"), (390, "forced"), (800, "dark"), (1280, "light"), (1280, "dark")]

RUN = """async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run(document, { runOnly: tags, preload: false, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, any }) => [html, any[0]?.message])]);
}"""


def violations(p):
    return [json.dumps(found) for found in p.page.evaluate(RUN)]


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is absent: npm install")
@pytest.mark.parametrize(("width", "colours"), COLOURS)
def test_axe_finds_no_violation(open_page, browser, two, width, colours):
    once_is_enough(browser, (width, colours) in ((390, "light"), (1280, "dark")))
    context = {"forced_colors": "active"} if colours == "forced" else {"color_scheme": colours}
    p = open_page(two, "", viewport={"width": width, "height": 800}, reduced_motion="reduce", **context)
    found = seen(p, VIEWS)
    for key in ("?", "s"):
        p.page.evaluate("document.activeElement.blur()")
        p.page.keyboard.press(key)
        p.page.wait_for_selector("dialog[open]")
        found += [f"{key}: {violation}" for violation in violations(p)]
        p.page.keyboard.press("Escape")
    found += edited(p)
    assert not found, "\n".join(found)


def edited(p):
    """What axe finds where something is corrected, and asked for, and in the list of corrections."""
    p.page.evaluate("location.hash = '#doc=lighthouse'")
    p.page.wait_for_timeout(150)
    found = []
    for keys in ("env", "g"):
        for key in keys:
            p.page.keyboard.press(key)
            p.page.wait_for_timeout(50)
        found += [f"{keys}: {violation}" for violation in violations(p)]
    p.page.keyboard.press("Escape")
    p.page.click("[data-view=corrections]")
    assert p.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    return found + [f"corrections: {violation}" for violation in violations(p)]


def seen(p, views):
    """What axe finds in each of these views."""
    p.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = []
    for view in views:
        p.page.evaluate(f"location.hash = '{view}'")
        p.page.wait_for_timeout(150)
        found += [f"{view}: {violation}" for violation in violations(p)]
        assert p.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, view
    return found


OTHERS = {
    "alone": ["", "#doc=one&entity=E3&show=heads+relations", "#doc=one&entity=E5&view=text&show=heads+relations"],
    "records": ["", "#entity=K1", "#view=entities", "#view=merges&entity=R2", "#view=text&entity=K1"],
    "annotators": ["", "#overview=&response=1", "#view=annotators", "#view=annotators&entity=B1", "#first=2&entity=C1"],
    "corpus": ["", "#view=errors&size=2-2"],
}


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is absent: npm install")
@pytest.mark.parametrize(("width", "colours"), [(390, "dark"), (800, "light"), (1280, "forced")])
@pytest.mark.parametrize("page", OTHERS)
def test_axe_finds_no_violation_in_other_pages(open_page, browser, tmp_path, request, page, colours, width):
    once_is_enough(browser, colours == "forced")
    (tmp_path / "records.csv").write_text(TABLE, encoding="utf-8")
    inspection = {
        "alone": lambda: request.getfixturevalue("story"),
        "records": lambda: inspect(KEY, RESPONSE, records=tmp_path / "records.csv"),
        "annotators": lambda: of_annotators(KEY, RESPONSE, KEY, names=("ann", "bob", "eve")),
        "corpus": lambda: request.getfixturevalue("three"),
    }[page]()
    context = {"forced_colors": "active"} if colours == "forced" else {"color_scheme": colours}
    p = open_page(inspection, "", viewport={"width": width, "height": 800}, reduced_motion="reduce", **context)
    found = seen(p, OTHERS[page])
    assert not found, "\n".join(found)


def test_the_bar_between_the_panes_is_moved(open_page, two):
    p = open_page(two, "#doc=lighthouse")
    width = "document.querySelector('.left').getBoundingClientRect().width"
    before = p.page.evaluate(width)
    p.page.focus(".splitter")
    p.page.keyboard.press("ArrowLeft")
    p.page.keyboard.press("ArrowLeft")
    assert p.page.evaluate(width) == pytest.approx(before - 0.04 * 1280, abs=2)
    box = p.page.locator(".splitter").bounding_box()
    p.page.mouse.move(box["x"] + 4, 500)
    p.page.mouse.down()
    p.page.mouse.move(800, 500)
    p.page.mouse.up()
    assert p.page.evaluate(width) == pytest.approx(800, abs=2)
    p.page.wait_for_timeout(600)
    p.page.dblclick(".splitter", position={"x": 4, "y": 300})
    assert p.page.evaluate(width) == pytest.approx(before, abs=1)


def test_the_card_is_folded(open_page, two):
    p = open_page(two, "#doc=lighthouse&entity=K1")
    p.page.wait_for_selector(".members")
    p.page.click(".card .fold")
    p.page.wait_for_selector(".members", state="hidden")
    p.page.click("[data-name=K2]")
    p.page.wait_for_selector("[data-name=K2].selected")
    assert not p.page.is_visible(".members")
    assert p.page.locator(".card").bounding_box()["height"] < 120
    p.page.click(".card .fold")
    p.page.wait_for_selector(".members")


@pytest.mark.parametrize(("width", "panes"), [(720, 2), (719, 1)])
def test_there_are_two_panes_down_to_720_pixels(open_page, two, width, panes):
    p = open_page(two, "#doc=lighthouse&view=entities", viewport={"width": width, "height": 700})
    p.page.wait_for_selector("[data-name=K1]")
    assert p.page.is_visible(".text .piece") == (panes == 2)
    assert p.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [400, 720, 1000])
def test_names_and_scores_are_not_cut_where_there_is_little_room(open_page, two, width):
    p = open_page(two, "#doc=lighthouse&entity=K1&view=entities", viewport={"width": width, "height": 700})
    p.page.wait_for_selector(".members", state="attached")
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth).length"
    parts = ".responses button, .strip-place .strip, .heads h2, .tabs, .filters"
    assert p.page.eval_on_selector_all(parts, cut) == 0


def test_rows_of_lists_have_room_for_their_lines(open_page, two):
    p = open_page(two, "#doc=orchard&view=errors", viewport={"width": 400, "height": 800})
    p.page.wait_for_selector(".errors .error")
    rows = "all => all.map((e) => [e.offsetTop, e.offsetHeight, e.firstElementChild.nextElementSibling.scrollHeight])"
    for _ in range(2):
        found = p.page.eval_on_selector_all(".errors .error", rows)
        assert all(top == n * found[0][1] for n, (top, _, _) in enumerate(found))  # as far apart as they are high
        assert all(lines + 4 <= height for _, height, lines in found)
        p.page.set_viewport_size({"width": 1000, "height": 800})
        p.until("document.querySelector('.errors .error').offsetHeight < 60")


def test_a_telephone_prints_the_whole_entity(open_page, two):
    p = open_page(two, "#doc=lighthouse&entity=K1", viewport={"width": 390, "height": 844})
    p.page.wait_for_selector(".card h2")
    assert not p.page.is_visible(".members")
    if p.browser == "chromium":  # BiDi cannot show a page as printed
        p.page.emulate_media(media="print")
        assert p.page.is_visible(".members")


def test_long_names_of_annotators_do_not_widen_the_page(open_page):
    names = tuple(f"{'folder/' * 12}{name}" for name in "abc")
    p = open_page(of_annotators(KEY, RESPONSE, KEY, names=names), "#entity=A1", viewport={"width": 1280, "height": 700})
    p.page.wait_for_selector(".members")
    assert p.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("width", [400, 768, 900, 1280, 1920, 2560])
def test_long_names_leave_every_control_in_its_place(open_page, width):
    long = "long_name_of_sixty_characters_" * 2
    sides = [{f"{long}{d}": side for d in "xyz"} for side in (KEY, RESPONSE, KEY)]
    page = of_annotators(*sides, names=tuple(f"{long}{name}" for name in "abc"))
    p = open_page(page, f"#doc={long}y&entity=A1", viewport={"width": width, "height": 700})
    p.page.wait_for_selector(".where select")
    boxes = [control.bounding_box() for control in p.page.locator(".top :is(button, select, input)").all()]
    boxes = [box for box in boxes if box]
    assert len(boxes) == 11
    for n, a in enumerate(boxes):
        assert 0 <= a["x"] <= width - a["width"]
        for b in boxes[:n]:
            apart = [
                min(a[at] + a[long], b[at] + b[long]) - max(a[at], b[at]) for at, long in (("x", "width"), ("y", "height"))
            ]
            assert min(apart) < 1
    p.page.get_by_label("Next document").click()
    p.until("new URLSearchParams(location.hash.slice(1)).get('doc').endsWith('z')")


@pytest.mark.parametrize("width", [1280, 1920, 2560])
def test_the_text_fills_its_pane(open_page, width):
    words = [f"word{n}" for n in range(400)]
    side = [{"doc_key": "d", "sentences": [words], "clusters": [[[0, 0], [1, 1]]]}]
    p = open_page(inspect(side, side), "#doc=d&entity=K1", viewport={"width": width, "height": 700})
    p.page.wait_for_selector(".members")
    pane, text, card = (p.page.locator(part).bounding_box() for part in (".left", ".text p >> nth=0", ".card"))
    assert text["width"] > 0.85 * pane["width"]
    assert text["width"] < 80 * 9  # about as many characters
    assert (card["y"] < 300) == (width > 1700)  # beside the columns, not below them


def test_the_legend_is_one_line_on_a_telephone(open_page, two):
    p = open_page(two, "#doc=lighthouse", viewport={"width": 400, "height": 800})
    p.page.wait_for_selector(".text .piece")
    assert p.page.locator(".legend").bounding_box()["height"] < 50
    assert not p.page.is_visible(".legend .samples")
    p.page.click("text=What the lines mean")
    assert p.page.is_visible(".legend .samples")
    assert p.page.get_attribute(".legend .explain", "aria-expanded") == "true"
    p.page.click("text=What the lines mean")
    assert not p.page.is_visible(".legend .samples")


def test_a_low_page_keeps_its_header_in_sight(open_page, two):
    p = open_page(two, "#doc=lighthouse&entity=K7&mention=1", viewport={"width": 900, "height": 420})
    p.page.wait_for_selector(".members", state="attached")
    p.page.wait_for_timeout(300)
    assert p.page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0


def test_an_overview_has_one_scrollbar(open_page):
    key, response = ({str(n): side for n in range(60)} for side in (KEY, RESPONSE))
    for page in (inspect(key, response), inspect(key), of_annotators(key, response, key, names=("a", "b", "c"))):
        p = open_page(page, viewport={"width": 400, "height": 800})
        for width in (400, 1280, 1920):
            p.page.set_viewport_size({"width": width, "height": 800})
            p.page.wait_for_timeout(100)
            assert p.page.evaluate("document.querySelector('.overview').scrollHeight") > 800
            assert p.page.evaluate("document.scrollingElement.scrollHeight") <= 800


@pytest.mark.parametrize("width", [400, 1280, 1920, 2560])
def test_long_names_make_no_overview_scroll_sideways(open_page, browser, width):
    once_is_enough(browser, width == 400)
    name = "a_name_of_sixty_characters_without_any_blank_where_it_may_break"
    annotations = [{f"{name}_{n}": key for n, key in enumerate((KEY, RESPONSE, KEY))}] * 6
    page = of_annotators(*annotations, names=tuple(f"{name}_{letter}" for letter in "abcdef"))
    p = open_page(page, viewport={"width": width, "height": 800})
    wider = "document.querySelector('.overview').scrollWidth - document.querySelector('.overview').clientWidth"
    for view in ("", "#response=2"):
        p.page.evaluate(f"location.hash = '{view}'")
        p.page.wait_for_timeout(150)
        assert p.page.evaluate(wider) <= 0
        assert p.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(("width", "columns"), [(400, 1), (1280, 1), (1920, 2), (2560, 3)])
def test_a_wide_window_has_the_parts_of_the_overview_side_by_side(open_page, browser, two, width, columns):
    once_is_enough(browser, width == 1920)
    p = open_page(two, viewport={"width": width, "height": 800})
    lefts = "(all) => all.map((e) => Math.round(e.getBoundingClientRect().left))"
    parts = p.page.eval_on_selector_all(".charts, .overview > .documents, .all-metrics", lefts)
    assert len(set(parts)) == columns


AXES = [
    ((0.05, 0.5, 1), ["20", "40", "60", "80", "100"]),
    ((0, 0.5, 1), ["0", "20", "40", "60", "80", "100"]),
    ((0.8, 0.9, 0.98), ["80", "85", "90", "95"]),
    ((0.99, 0.995, 1), ["95", "96", "97", "98", "99", "100"]),
]


@pytest.mark.parametrize(("scores", "labels"), AXES)
def test_the_axis_of_the_dots_has_labels_for_narrow_and_wide_ranges(open_page, browser, scores, labels):
    once_is_enough(browser, labels[0] == "80")
    found = {n: round(200 * score) for n, score in enumerate(scores)}  # of 200 mentions; the rest of the response is spurious
    key = {f"d{n}": [[f"m{i}" for i in range(200)]] for n in found}
    response = {f"d{n}": [[f"m{i}" for i in range(k)] + [f"s{i}" for i in range(200 - k)]] for n, k in found.items()}
    p = open_page(inspect(key, response, metrics=["mentions"], items="union"))
    assert p.texts(".ticks span") == labels


def test_a_heading_ends_where_its_numbers_end(open_page, two):
    p = open_page(two)
    ends = """rows => rows.slice(0, 2).map((row) => [...row.children].slice(1).map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector("button")?.firstChild ?? cell);
        return Math.round(range.getBoundingClientRect().right);
    }))"""
    heads, numbers = p.page.eval_on_selector_all(".documents tr", ends)
    assert [abs(head - number) <= 1 for head, number in zip(heads, numbers, strict=True)] == [True] * len(heads)
