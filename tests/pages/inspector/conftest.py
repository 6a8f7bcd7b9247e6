"""Pages of the inspector, opened in the browsers."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from referee import inspect
from tests.support.paths import EXAMPLES

# Table 1 of Popescu-Belis and Robba (1998).
KEY = [["1", "2"], ["3", "4", "5"], ["6", "7", "8", "9", "10", "11", "12"], ["13", "14", "15", "16", "17"]]
RESPONSE = [["1", "2", "6", "7", "8", "9", "10"], ["3", "4", "5", "11", "12", "13", "14", "15", "16"], ["17"]]


@pytest.fixture(scope="session")
def table_1():
    return inspect(KEY, RESPONSE)


@pytest.fixture(scope="session")
def one():
    return inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll")


@pytest.fixture(scope="session")
def two():
    return inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll", EXAMPLES / "second.jsonlines")


@dataclass
class Opened:
    """An inspector page in the browser: what it printed, and what it asked for besides itself."""

    page: Any
    browser: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def named(self, which):
        """The names of the entities in sight that have a class."""
        return set(self.page.eval_on_selector_all(f".entity.{which}", "rows => rows.map(row => row.dataset.name)"))

    @property
    def hash(self):
        return self.page.evaluate("location.hash")

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()

    def until(self, holds):
        """Waits for an expression to hold. (The page forbids `eval`, by which playwright would wait for it.)"""
        for _ in range(600):
            if self.page.evaluate(holds):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"after thirty seconds: {holds}")

    def ready(self):
        self.page.wait_for_selector("#app main")


@pytest.fixture
def open_page(browser, tmp_path):
    """Writes a page and opens it. At the end of the test: nothing was said on the console, nothing was asked for."""
    opened = []
    contexts = []

    def open_(inspection, place="", **context):
        path = tmp_path / f"page{len(opened)}.html"
        inspection.save(path)
        contexts.append(browser.context(**context))
        found = Opened(contexts[-1].new_page(), browser.name)
        found.page.set_default_timeout(5000)
        found.page.on("console", lambda m: found.errors.append(m.text) if m.type in ("error", "warning") else None)
        found.page.on("pageerror", lambda e: found.errors.append(str(e)))
        found.page.on("dialog", lambda d: (found.errors.append(f"dialog: {d.message}"), d.dismiss()))
        found.page.on("request", lambda r: found.requests.append(r.url))
        found.page.goto(path.as_uri() + place)
        found.ready()
        opened.append(found)
        return found

    yield open_
    for page in opened:
        assert page.errors == []
        assert [url for url in page.requests if not url.startswith(("file:", "data:"))] == []
        loads = 1 + page.page.evaluate("window.reloads ?? 0")
        assert len([url for url in page.requests if url.startswith("file:")]) <= loads  # Firefox does not list them
    for context in contexts:
        context.close()
