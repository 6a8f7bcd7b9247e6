"""Reports as pages, in the browsers: nothing that axe-core finds, nothing that is loaded, no window too narrow."""

import pytest

from referee import agree, compare, errors, score
from tests.pages.board.test_pages import AXE, RUN
from tests.support.browsers import once_is_enough

KEY = {f"d{n}": [["a", "b", "c"], ["d", "e"]] for n in range(8)}
OTHER = {f"d{n}": [["a", "b"], ["c", "d", "e"], ["f", "g"]] for n in range(8)}
LONG = f"a/{'long-name-of-a-system-' * 5}.conll"

RESULTS = {
    "score": lambda: score(KEY, OTHER),
    "compare": lambda: compare(KEY, {"x": OTHER, LONG: KEY}),
    "errors": lambda: errors(KEY, OTHER),
    "agree": lambda: agree({"ann": KEY, "bob": OTHER, "<eve>": OTHER}),
}


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is absent: npm install")
@pytest.mark.parametrize("verb", RESULTS)
@pytest.mark.parametrize(("width", "colours"), [(400, "light"), (1440, "dark")])
def test_a_report_is_a_page_for_everybody(verb, width, colours, tmp_path, browser):
    once_is_enough(browser, (verb, width) in (("compare", 400), ("errors", 1440)))
    result = RESULTS[verb]()
    (tmp_path / "report.html").write_text(result.report("html"), encoding="utf-8")
    context = browser.context(viewport={"width": width, "height": 860}, color_scheme=colours)
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto((tmp_path / "report.html").as_uri())
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert said == []
    context.close()
