"""Chromium and Firefox, and pages opened in them. Each test runs in both; where one is absent its tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from referee.inspector.inspection import Inspection

COMMANDS = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}


@dataclass
class Opened:
    """An inspector page in the browser: what it printed, and what it asked for besides itself."""

    page: Any
    browser: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def named(self, which: str) -> set[str]:
        """The names of the entities in sight that have a class."""
        return set(self.page.eval_on_selector_all(f".entity.{which}", "rows => rows.map(row => row.dataset.name)"))

    @property
    def hash(self) -> str:
        found: str = self.page.evaluate("location.hash")
        return found

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.page.locator(selector).all_inner_texts()
        return found

    def until(self, holds: str) -> None:
        """Waits for an expression to hold. (The page forbids `eval`, by which playwright would wait for it.)"""
        for _ in range(100):
            if self.page.evaluate(holds):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"after five seconds: {holds}")

    def ready(self) -> None:
        self.page.wait_for_selector("#app main")


@dataclass
class Browser:
    """A browser of this machine, driven by Playwright: Chromium by its own protocol, Firefox as released by WebDriver BiDi."""

    playwright: Any
    name: str
    command: str
    running: dict[tuple[str, str], Any] = field(default_factory=dict)

    def context(self, *, color_scheme: str = "light", forced_colors: str = "none", **options: Any) -> Any:
        """A window of its own. BiDi cannot set colours, so Firefox is started with them."""
        options = {"viewport": {"width": 1280, "height": 860}, **options}
        if self.name == "chromium":
            options |= {"color_scheme": color_scheme, "forced_colors": forced_colors}
            return self.started("", "").new_context(**options)
        return self.started(color_scheme, forced_colors).new_context(**options)

    def started(self, color_scheme: str, forced_colors: str) -> Any:
        if (color_scheme, forced_colors) not in self.running:
            self.running[color_scheme, forced_colors] = self.start(color_scheme, forced_colors)
        return self.running[color_scheme, forced_colors]

    def start(self, color_scheme: str, forced_colors: str) -> Any:
        if self.name == "chromium":
            return self.playwright.chromium.launch(executable_path=self.command, args=["--no-sandbox"])
        preferences = {
            "layout.css.prefers-color-scheme.content-override": int(color_scheme == "light"),
            "browser.display.document_color_use": 2 if forced_colors == "active" else 1,
        }
        return self.playwright.firefox.launch(
            channel="moz-firefox", executable_path=self.command, firefox_user_prefs=preferences
        )

    def close(self) -> None:
        for running in self.running.values():
            running.close()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is absent: pip install playwright")
    with api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session", params=COMMANDS)
def browser(request: pytest.FixtureRequest, playwright: Any) -> Iterator[Browser]:
    command = next(filter(None, map(shutil.which, COMMANDS[request.param])), None)
    if command is None:
        pytest.skip(f"{request.param} is absent: apt-get install {COMMANDS[request.param][0]}")
    found = Browser(playwright, request.param, command)
    yield found
    found.close()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Writes a page and opens it. At the end of the test: nothing was said on the console, nothing was asked for."""
    opened: list[Opened] = []
    contexts = []

    def open_(inspection: Inspection, place: str = "", **context: Any) -> Opened:
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
