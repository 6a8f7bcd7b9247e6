#!/usr/bin/env python
"""Look at the pages of the built site in browsers: axe-core finds nothing serious, nothing is cut, each picture is there.

python scripts/look.py build/site [--browser NAME] [--scheme light|dark] [--width PIXELS] [--screenshots FOLDER]

Each option may be repeated. Needs Playwright for Python, `npm install`, and the browsers.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from tests.support.browsers import COMMANDS, Browser  # noqa: E402

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
TALLEST = 4000

LOOK = """async () => {
    const shown = node => `${node.tagName} ${node.outerHTML.slice(0, 150)}`;
    const cut = [...document.querySelectorAll(".content *")].filter(node => {
        const { overflowX } = getComputedStyle(node);
        return ["hidden", "clip"].includes(overflowX) && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1;
    });
    const outside = [...document.querySelectorAll(".content *")].filter(node =>
        node.getBoundingClientRect().right > innerWidth + 1 && !node.closest("pre, table, .math, .highlight"));
    const broken = [...document.images].filter(image => image.complete && !image.naturalWidth);
    const { violations } = await axe.run(document, { preload: false, resultTypes: ["violations"] });
    return [
        ...violations.map(({ id, impact, nodes }) => ({ impact, id, place: nodes[0].html.slice(0, 150), more: nodes.length })),
        ...(document.documentElement.scrollWidth > innerWidth ? [{ impact: "serious", id: "wider than the window" }] : []),
        ...cut.map(node => ({ impact: "serious", id: "cut", place: shown(node) })),
        ...outside.map(node => ({ impact: "serious", id: "outside the window", place: shown(node) })),
        ...broken.map(node => ({ impact: "serious", id: "no picture", place: shown(node) })),
        ...(document.querySelectorAll("h1").length === 1 ? [] : [{ impact: "serious", id: "not one h1" }]),
    ];
}"""


def look(context: Any, page: Path, screenshot: Path | None) -> Iterator[dict[str, str]]:
    """What is wrong with a page; a screenshot of it."""
    tab = context.new_page()
    tab.goto(page.resolve().as_uri())
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    yield from tab.evaluate(LOOK)
    if screenshot:
        height = min(tab.evaluate("document.documentElement.scrollHeight"), TALLEST)
        size = {"width": tab.viewport_size["width"], "height": height}
        tab.set_viewport_size(size)
        tab.screenshot(path=screenshot)
    tab.close()


def main(options: argparse.Namespace) -> int:
    """Number of serious findings; all findings are printed."""
    pages = [page for page in sorted(options.site.rglob("*.html")) if page.parent.name != "examples"]
    serious = 0
    with sync_playwright() as playwright:
        for name in options.browser or COMMANDS:
            command = next(filter(None, map(shutil.which, COMMANDS[name])))
            browser = Browser(playwright, name, command)
            for scheme in options.scheme or ("light", "dark"):
                for width in options.width or (390, 1440):
                    context = browser.context(color_scheme=scheme, viewport={"width": width, "height": 900})
                    for page in pages:
                        title = str(page.relative_to(options.site))
                        shot = f"{name}-{scheme}-{width}-{title.replace('/', '-')}.png"
                        for found in look(context, page, options.screenshots and options.screenshots / shot):
                            serious += found["impact"] in {"serious", "critical"}
                            print(name, scheme, width, title, json.dumps(found), flush=True)
                    context.close()
            browser.close()
    return serious


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("site", type=Path)
    parser.add_argument("--browser", action="append", choices=COMMANDS)
    parser.add_argument("--scheme", action="append", choices=("light", "dark"))
    parser.add_argument("--width", action="append", type=int)
    parser.add_argument("--screenshots", type=Path)
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    sys.exit(main(arguments) > 0)
