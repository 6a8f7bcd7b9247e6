#!/usr/bin/env python
"""Makes the pictures of docs/inspect.md, docs/tour.md, docs/app.md and of the README, in docs/pictures.

    python scripts/screenshots.py [FOLDER [PYODIDE]]

FOLDER has `gum/gum.key.conll.gz` and `gum/gum.medium.conll.gz`, as the benchmarks use them; PYODIDE is the folder that
`referee app --offline` takes. Without them the pictures of a large corpus and of the app stay as they are. Needs Playwright for
Python and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from referee import compare, inspect
from referee.cli.app import offered
from referee.pages.app.site import write_site
from referee.pages.board import write_board
from referee.pages.inspector.inspection import Inspection

ROOT = Path(__file__).parents[1]
EXAMPLES, PICTURES = ROOT / "examples", ROOT / "docs" / "pictures"

# Table 1 of Popescu-Belis and Robba (1998).
KEY = [range(1, 3), range(3, 6), range(6, 13), range(13, 18)]
RESPONSE = [[1, 2, *range(6, 11)], [3, 4, 5, *range(11, 17)], [17]]


class Shot(NamedTuple):
    name: str
    page: Inspection
    place: str
    width: int
    height: int
    scheme: str = "light"


def shots(folder: Path | None) -> list[Shot]:
    key, first, second = (EXAMPLES / name for name in ("key.conll", "response.conll", "second.jsonlines"))
    two = inspect(key, first, second)
    table_1 = inspect(*([[str(m) for m in entity] for entity in side] for side in (KEY, RESPONSE)))
    found = [
        Shot("inspect-document", inspect(key, first), "#doc=lighthouse&entity=K1", 1280, 800),
        Shot("inspect-table-1", table_1, "#entity=K3", 1280, 700),
        Shot("inspect-changes", two, "#doc=lighthouse&view=changes", 1280, 680, "dark"),
        Shot("inspect-errors", inspect(key, first), "#doc=lighthouse&view=errors", 1280, 680),
        Shot("inspect-phone", two, "#doc=lighthouse&entity=K1&mention=4", 390, 780, "dark"),
    ]
    if folder:
        gum = inspect(folder / "gum/gum.key.conll.gz", folder / "gum/gum.medium.conll.gz")
        found.append(Shot("inspect-corpus", gum, "", 1280, 900))
    return found


def main(folder: Path | None = None, pyodide: Path | None = None) -> None:
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for shot in shots(folder):
            page = Path(work) / f"{shot.name}.html"
            shot.page.save(page)
            address = page.as_uri() + shot.place
            take(browser, address, "#app main", shot.name, shot.width, shot.height, shot.scheme)
        systems = {"first": EXAMPLES / "response.conll", "second": EXAMPLES / "second.jsonlines"}
        write_board(EXAMPLES / "key.conll", systems, Path(work) / "board", title="Examples", pages=False)
        take(browser, (Path(work) / "board" / "index.html").as_uri(), "main", "board", 1120, 560)
        if pyodide:
            take_app(browser, pyodide, Path(work) / "app")
        browser.close()
    if folder:
        systems = {name: folder / f"gum/gum.{name}.conll.gz" for name in ("severe", "medium", "mild")}
        compare(folder / "gum/gum.key.conll.gz", systems, metrics="conll").plot(str(PICTURES / "compare.png"))


def take_app(browser: Any, pyodide: Path, folder: Path) -> None:
    """The app after it has scored its example."""
    write_site(str(folder), offered(), str(pyodide))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tab = browser.new_page(viewport={"width": 1200, "height": 1130})
        tab.goto(f"http://127.0.0.1:{server.server_port}/")
        tab.click("text=Try an example")
        tab.click(".run button")
        tab.wait_for_selector(".results table", timeout=120_000)
        tab.screenshot(path=PICTURES / "app.png")
        server.shutdown()


def take(browser: Any, address: str, ready: str, name: str, width: int, height: int, scheme: str = "light") -> None:
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=1.5, reduced_motion="reduce",
    )  # fmt: skip
    tab = context.new_page()
    tab.goto(address)
    tab.wait_for_selector(ready)
    tab.wait_for_timeout(300)
    tab.screenshot(path=PICTURES / f"{name}.png")
    context.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
