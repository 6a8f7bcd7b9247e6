"""Chromium and Firefox. Each test runs in both; where one is absent its tests are skipped."""

import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Any

import pytest

COMMANDS = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}
CAUGHT = """() => {
    window.saved = [];
    const made = new Map();
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
        const address = make(blob);
        made.set(address, blob);
        return address;
    };
    HTMLAnchorElement.prototype.click = async function () {
        const bytes = new Uint8Array(await made.get(this.href).arrayBuffer());
        window.saved.push([this.download, Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")]);
    };
}"""
"""What a page would save is kept where the test finds it: in `window.saved`."""

FIREFOX = 143
"""The first one that knows all that Playwright sends."""


@dataclass
class Browser:
    """A browser of this machine, driven by Playwright: Chromium by its own protocol, Firefox as released by WebDriver BiDi."""

    playwright: Any
    name: str
    command: str
    running: dict[tuple[str, str], Any] = field(default_factory=dict)

    def context(self, *, color_scheme="light", forced_colors="none", **options):
        """A window of its own. BiDi cannot set colours, so Firefox is started with them."""
        options = {"viewport": {"width": 1280, "height": 860}, **options}
        if self.name == "chromium":
            options |= {"color_scheme": color_scheme, "forced_colors": forced_colors}
            return self.started("", "").new_context(**options)
        return self.started(color_scheme, forced_colors).new_context(**options)

    def started(self, color_scheme, forced_colors):
        if (color_scheme, forced_colors) not in self.running:
            self.running[color_scheme, forced_colors] = self.start(color_scheme, forced_colors)
        return self.running[color_scheme, forced_colors]

    def start(self, color_scheme, forced_colors):
        if self.name == "chromium":
            return self.playwright.chromium.launch(executable_path=self.command, args=["--no-sandbox"])
        preferences = {
            "layout.css.prefers-color-scheme.content-override": int(color_scheme == "light"),
            "browser.display.document_color_use": 2 if forced_colors == "active" else 1,
        }
        return self.playwright.firefox.launch(
            channel="moz-firefox", executable_path=self.command, firefox_user_prefs=preferences
        )

    def close(self):
        for running in self.running.values():
            running.close()


@pytest.fixture(scope="session")
def playwright():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is absent: pip install playwright")
    with api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session", params=COMMANDS)
def browser(request, playwright):
    command = next(filter(None, map(shutil.which, COMMANDS[request.param])), None)
    if command is None:
        pytest.skip(f"{request.param} is absent: apt-get install {COMMANDS[request.param][0]}")
    if request.param == "firefox" and version(command) < FIREFOX:
        pytest.skip(f"Firefox {FIREFOX} or later is absent, {command} is older: apt-get update, apt-get install {command}")
    found = Browser(playwright, request.param, command)
    yield found
    found.close()


def version(command):
    """The 153 of `Mozilla Firefox 153.7.0esr`."""
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    return int(told.split()[-1].partition(".")[0])


def once_is_enough(browser, again):
    """Skip a test in Firefox, unless it is to run there again: both browsers do the same here, and each test takes seconds."""
    if browser.name == "firefox" and not again:
        pytest.skip("is tried in Chromium")
