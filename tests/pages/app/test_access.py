"""Whether people reach and read everything: axe-core finds nothing wrong, and nothing is wider than the window."""

import pytest

from tests.pages.app.conftest import Workbench
from tests.support.paths import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def open_to_axe(browser, site):
    """The page without its policy, which keeps axe-core out, too."""
    if browser.name != "chromium":
        pytest.skip("only Chromium lets scripts of tests past a policy")
    if not AXE.exists():
        pytest.skip("axe-core is absent: npm install")
    opened = Workbench(browser.context(bypass_csp=True).new_page(), site, browser.name)
    opened.page.goto(site.address)
    opened.says("Ready")
    opened.page.add_script_tag(path=AXE)
    opened.page.click("text=Try an example")
    return opened


def violations(page):
    return page.evaluate(
        """() => axe.run(document, { iframes: false }).then(
          ({ violations }) => violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html}`)))"""
    )


@pytest.mark.parametrize("verb", ["score", "compare", "errors", "inspect", "agree", "convert", "validate"])
def test_nobody_is_shut_out(open_to_axe, verb):
    page = open_to_axe.page
    open_to_axe.choose(verb)
    if verb == "convert":
        page.select_option("[name='--to']", "conll")
    assert open_to_axe.run().startswith("Done")
    for details in page.locator("summary").all():
        details.click()
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 860})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for how in ({"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}):
            page.emulate_media(**how)
            assert violations(page) == []
        page.emulate_media(forced_colors="none")
