"""Pyodide, and the page, served and opened in the browsers."""

import http.server
import os
import threading
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.cli.app import offered
from referee.pages.app.site import write_site


@pytest.fixture(scope="session")
def pyodide():
    """A folder with Pyodide and its NumPy."""
    folder = os.environ.get("REFEREE_PYODIDE")
    if folder is None:
        pytest.skip("Pyodide is absent: REFEREE_PYODIDE is a folder with it, as .ci/run makes one")
    return Path(folder)


@dataclass
class Served:
    """The site on this machine, and what was asked for."""

    address: str
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def site(pyodide, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_site(str(folder), offered(), str(pyodide))
    served = Served("")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_args):
            served.requests.append(self.path)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        served.address = f"http://127.0.0.1:{server.server_port}/"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield served
        server.shutdown()
        thread.join()


@dataclass
class Workbench:
    """The page in a browser, ready to run."""

    page: Any
    site: Served
    browser: str
    errors: list[str] = field(default_factory=list)

    def says(self, *beginnings, seconds=120):
        """Waits until the state begins so. (The page forbids `eval`, by which playwright would wait for it.)"""
        for _ in range(seconds * 10):
            text = self.page.inner_text("[role=status]")
            if text.startswith(beginnings):
                return text
            self.page.wait_for_timeout(100)
        raise AssertionError(f"after {seconds} seconds: {text}")

    def choose(self, verb):
        self.page.click(f".verbs label:has(input[value={verb}])")

    def add(self, side, *files):
        self.page.set_input_files(f"[data-side={side}] input", list(files))

    def remove_all(self):
        while self.page.locator("[aria-label^=Remove]").count():
            self.page.locator("[aria-label^=Remove]").first.click()

    def run(self):
        """What the state says in the end."""
        self.page.click(".run button")
        return self.says("Done", "Not done", "This failed", "Add", "Please")

    def saved(self, button):
        """The name and the text of the file that a button saves."""
        if self.browser == "chromium":
            with self.page.expect_download() as download:
                self.page.click(button)
            return download.value.suggested_filename, Path(download.value.path()).read_text(encoding="utf-8")
        self.page.evaluate(
            """() => {  // BiDi does not tell of downloads
              const make = URL.createObjectURL;
              URL.createObjectURL = (blob) => { window.saved = blob; return make(blob); };
              HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
            }"""
        )
        self.page.evaluate("() => { delete window.savedAs; }")
        self.page.click(button)
        for _ in range(100):
            if name := self.page.evaluate("window.savedAs"):
                break
            self.page.wait_for_timeout(50)
        return name, self.page.evaluate("window.saved.text()")

    def rows(self):
        return self.page.eval_on_selector_all(
            ".results tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
        )


@pytest.fixture(scope="module")
def workbench(browser, site):
    """One page for all tests of a file, as it takes seconds to load. At the end: nothing was said on the console."""
    context = browser.context()
    opened = Workbench(context.new_page(), site, browser.name)
    opened.page.set_default_timeout(10_000)
    opened.page.on("console", lambda m: opened.errors.append(m.text) if m.type in ("error", "warning") else None)
    opened.page.on("pageerror", lambda e: opened.errors.append(str(e)))
    opened.page.goto(site.address)
    opened.says("Ready")
    yield opened
    assert opened.errors == []
    context.close()
