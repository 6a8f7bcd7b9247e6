"""A leaderboard in the browsers: nothing that axe-core finds, nothing that is loaded, every number that of a comparison."""

import re

import numpy as np
import pytest

from referee import compare
from referee.comparison.difference_lines import format_p
from referee.pages.board.site import write_board
from referee.reports.numbers import cost, minus, number
from referee.stats.settings import Resampling
from tests.support.browsers import once_is_enough
from tests.support.partitions import random_documents
from tests.support.paths import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SYSTEMS = ["<b>first</b>", "second & third", *"cdefgh"]
FEW = Resampling(resamples=200)

RUN = """async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run(document, { runOnly: tags, preload: false, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html}`));
}"""


@pytest.fixture(scope="module")
def documents():
    """A key of a hundred documents, and eight responses that lose more and more of it."""
    rng = np.random.default_rng(1)
    key = {f"d{n}": entities for n, (entities, _) in enumerate(random_documents(rng, 100, 30))}
    responses = {
        system: {
            name: [{m for m in entity if rng.random() > 0.04 * place} or entity for entity in of] for name, of in key.items()
        }
        for place, system in enumerate(SYSTEMS)
    }
    return key, responses


@pytest.fixture(scope="module")
def site(documents, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    key, responses = documents
    write_board(key, responses, folder, resampling=FEW, metrics="conll,lea,mentions")
    return folder


def test_every_number_of_the_page_is_that_of_a_comparison(site, documents):
    key, responses = documents
    page = (site / "index.html").read_text(encoding="utf-8")
    compared = {
        name: compare(key, responses, baseline=name, metrics="conll,lea,mentions", resampling=FEW) for name in responses
    }
    first = compared[SYSTEMS[0]]
    ranked = sorted(responses, key=lambda name: -first[name, "conll"].score.value)
    scores, pairs = page.split("<tbody>")[1:]
    shown = re.findall(r'<b class="score">([^<]*)</b><span class="interval"> ±([^<]*)</span>', scores)
    cells = [compared[ranked[0]][system, metric] for system in ranked for metric in first.metrics]
    assert shown == [(number(c.score.value), number(c.interval.margin)) for c in cells if c.interval]
    differences = re.findall(r'<td>(<b>)?([+−.\d]+)(?:</b>)?<span class="interval"> (p [^<]*)</span>', pairs)
    expected = [
        (d.significant, minus(cost(d.value)), format_p(d, compared[better].resampling).replace("<", "&lt;"))
        for place, worse in enumerate(ranked[1:], start=1)
        for better in ranked[:place]
        if (d := compared[better][worse, "conll"].difference)
    ]
    assert [(bool(bold), value, p) for bold, value, p in differences] == expected
    assert len(expected) == 28


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is absent: npm install")
@pytest.mark.parametrize("colours", ["light", "dark", "forced"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_no_violation(site, browser, colours, width):
    once_is_enough(browser, (width, colours) in ((390, "light"), (1440, "dark")))
    how = {"forced_colors": "active"} if colours == "forced" else {"color_scheme": colours}
    context = browser.context(viewport={"width": width, "height": 860}, **how)
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    page.goto((site / "index.html").as_uri())
    assert "<b>first</b>" in page.inner_text("table")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert said == []
    context.close()


def test_pages_lead_back_and_a_theme_holds_for_all(tmp_path, browser):
    key = {"d": [["a", "b"]], "e": [["c", "d"]]}
    write_board(key, {"x": key}, tmp_path, resampling=FEW, title="Task <1>", with_texts=True)
    context = browser.context(viewport={"width": 1000, "height": 860}, color_scheme="light")
    page = context.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 23, 26)"
    page.click("text=x")
    assert page.get_attribute("a.board", "title") == "Task <1>"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 23, 26)"
    page.click("text=Leaderboard")
    assert page.inner_text("h1") == "Task <1>"
    context.close()
