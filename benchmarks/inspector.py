"""What the pages of `referee inspect` weigh, how long making them takes, and how fast they are in a browser.

    python benchmarks/inspector.py FOLDER

FOLDER has `gum/gum.key.conll.gz`, `gum/gum.medium.conll.gz`, `litbank/...` and `long/...`, as the other benchmarks use them.
Needs Playwright for Python and Chromium. Times are medians of three runs; a click counts until the next frame is drawn.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PAGES = {
    "gum": ("gum.key.conll.gz", "gum.medium.conll.gz"),
    "gum, two responses": ("gum.key.conll.gz", "gum.medium.conll.gz", "gum.mild.conll.gz"),
    "litbank": ("litbank.key.conll.gz", "litbank.medium.conll.gz"),
    "long": ("long.key.conll.gz", "long.medium.conll.gz"),
}

DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Frames of a scroll through the text, in milliseconds: the median, and the longest.
SCROLL = """async () => {
    const text = document.querySelector(".text");
    const frames = [];
    let last = performance.now();
    for (let frame = 0; frame < 90; frame++) {
        text.scrollTop += 120;
        await new Promise(requestAnimationFrame);
        frames.push(performance.now() - last);
        last = performance.now();
    }
    frames.sort((a, b) => a - b);
    return [frames[45], frames.at(-1)];
}"""


def main(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    print(f"{'page':20} {'made':>7} {'size':>8} {'opens':>7} {'document':>9} {'click':>7} {'search':>7} {'frame':>12}")
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, files in PAGES.items():
            page = Path(work) / f"{name}.html"
            sources = [str(folder / file.partition(".")[0] / file) for file in files]
            command = [sys.executable, "-m", "referee", "inspect", *sources, "-o", str(page)]
            made = median(lambda c=command: timed(lambda: subprocess.run(c, check=True, capture_output=True)))
            runs = [measured(browser, page) for _ in range(3)]
            opens, document, click, search, frame, longest = map(statistics.median, zip(*runs, strict=True))
            size = page.stat().st_size / 1e6
            print(
                f"{name:20} {made:6.2f}s {size:5.1f} MB {opens * 1e3:4.0f} ms {document * 1e3:6.0f} ms {click * 1e3:4.0f} ms "
                f"{search * 1e3:4.0f} ms {frame:3.0f} ({longest:3.0f}) ms"
            )
        browser.close()


def measured(browser: Any, page: Path) -> tuple[float, ...]:
    """Seconds until the page is drawn, its first document is, a click on an entity is, a search is; and frames of a scroll."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    tab = context.new_page()

    def opened() -> None:
        tab.goto(page.as_uri())
        tab.wait_for_selector("#app main")
        tab.evaluate(DRAWN)

    opens = timed(opened)
    document = 0.0
    if tab.is_visible(".overview"):
        document = timed(lambda: (tab.evaluate("document.querySelector('[data-document]').click()"), shown(tab, ".piece")))
    click = statistics.median(timed_in_page(tab, n) for n in range(5))
    frame, longest = tab.evaluate(SCROLL)
    tab.fill(".search input", "the")
    search = timed(lambda: (tab.keyboard.press("Enter"), shown(tab, ".hit")))
    context.close()
    return opens, document, click, search, frame, longest


def timed_in_page(tab: Any, place: int) -> float:
    """Seconds from a click on an entity to the frame that shows it selected."""
    found: float = tab.evaluate(
        """async (place) => {
            const row = document.querySelectorAll(".entities.K .entity")[place];
            const { name } = row.dataset;
            const start = performance.now();
            row.click();
            while (!document.querySelector(`.entity.selected[data-name=${name}]`)) await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            return (performance.now() - start) / 1e3;
        }""",
        place,
    )
    return found


def shown(tab: Any, selector: str) -> None:
    tab.wait_for_selector(selector)
    tab.evaluate(DRAWN)


def timed(act: Callable[[], Any]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def median(act: Callable[[], float]) -> float:
    return statistics.median(act() for _ in range(3))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
