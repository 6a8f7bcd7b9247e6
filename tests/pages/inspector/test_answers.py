"""The page shows what a language model answered about a document, above its text."""

import pytest

from referee import Answer, inspect
from tests.support.paths import EXAMPLES

SAID = "Of course.\n[Orchard Press](#1) has bought <b>a novel</b>."


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_the_answer_stands_above_the_text_and_is_text_alone(open_page):
    page = inspect(EXAMPLES / "key.conll", Answer({"orchard": SAID, "lighthouse": "Sorry."}), EXAMPLES / "response.conll")
    p = open_page(page, "#doc=orchard")
    summary = p.page.locator(".answer summary")
    assert summary.inner_text().startswith("answer of the model: repaired (")
    assert not p.page.locator(".answer .said").is_visible()
    summary.click()
    assert p.texts(".answer .said p") == SAID.split("\n")
    assert p.page.locator(".answer b").count() == 0
    other = open_page(page, "#doc=lighthouse")
    assert other.texts(".answer summary") == ["answer of the model: no entities (1 answer without entities)"]
    assert not open_page(inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll"), "#doc=orchard").texts(".answer")
