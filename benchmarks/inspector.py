"""What the pages of `referee inspect` weigh, how long making them takes, and how fast they are in a browser.

    python benchmarks/inspector.py FOLDER [--print]

FOLDER has `gum/gum.key.conll.gz`, `gum/gum.medium.conll.gz`, `litbank/...` and `long/...`, as the other benchmarks use them.
A page of 100,000 records is made of records of its own, once with attributes and once without. Needs Playwright for Python,
Chromium and Firefox ESR. Times are medians of three runs; that of making a page is processor time; a click and a hover count
until the next frame is drawn. Memory is what the browser holds with the page open, less what it holds with an empty one.
`--print` prints the long document, too.
"""

from __future__ import annotations

import contextlib
import os
import re
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
    "records": ("records.key.csv", "records.response.csv"),
    "records, attributes": ("records.key.csv", "records.response.csv"),
}
RECORDS = 100_000

DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Milliseconds from pointing to a mention to the frame that shows the tooltip.
HOVER = """async () => {
    const piece = document.querySelector(".piece[role]");
    const start = performance.now();
    const { left, top, height } = piece.getBoundingClientRect();
    const place = { bubbles: true, clientX: left + 2, clientY: top + height / 2 };
    piece.dispatchEvent(new MouseEvent("mousemove", place));
    await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""

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


def chromium(playwright: Any) -> Any:
    return playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])


def firefox(playwright: Any) -> Any:
    return playwright.firefox.launch(channel="moz-firefox", executable_path=shutil.which("firefox-esr"))


BROWSERS = {"chromium": chromium, "firefox": firefox}

PAPER = {"chromium": {"width": "8.5in", "height": "11in"}, "firefox": {"width": "21.59in", "height": "27.94in"}}
"""Letter: Playwright tells Firefox inches, where it reads centimetres."""


def below() -> set[int]:
    """The processes below this one."""
    found, parents = {os.getpid()}, {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def held() -> float:
    """Megabytes that the processes below this one hold, memory that they share counted once."""
    total = 0
    for pid in below():
        with contextlib.suppress(OSError):
            total += int(re.search(r"^Pss: +([0-9]+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)[1])  # type: ignore[index]
    return total / 1e3


def worked() -> float:
    """Seconds of processor time that the processes below this one have taken."""
    total = 0
    for pid in below():
        with contextlib.suppress(OSError):
            total += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


def memory_of(browser: Any, page: Path, before: float) -> float:
    """Megabytes more than without the page."""
    tab = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    tab.goto(page.as_uri())
    tab.wait_for_selector("#app main")
    tab.wait_for_timeout(1000)
    return held() - before


def printed(browser: Any, page: Path, paper: dict[str, str]) -> tuple[float, float]:
    """Seconds until all pages of the document are printed to a file."""
    tab = browser.new_context().new_page()
    tab.set_default_timeout(600_000)
    tab.goto(page.as_uri())
    shown(tab, ".piece")
    before = worked()
    return timed(lambda: tab.pdf(**paper)), worked() - before


def main(folder: Path, *, printing: bool) -> None:
    from playwright.sync_api import sync_playwright

    heads = ("opens", "document", "click", "hover", "search", "frame", "memory")
    print(f"{'page':20} {'browser':9} {'made':>7} {'size':>8} {' '.join(f'{head:>10}' for head in heads)}")
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        write_records(Path(work))
        for name, files in PAGES.items():
            page = Path(work) / f"{name}.html"
            sources = [
                str((Path(work) if file.startswith("records") else folder / file.partition(".")[0]) / file) for file in files
            ]
            command = [sys.executable, "-m", "referee", "inspect", *sources, "-o", str(page)]
            if name.endswith("attributes"):
                command += ["--records", str(Path(work) / "records.csv")]
            made = median(lambda c=command: processor_time(c))
            size = page.stat().st_size / 1e6
            for browser_name, start in BROWSERS.items():
                browser = start(playwright)
                before = held()
                runs = [measured(browser, page) for _ in range(3)]
                *times, frame = map(statistics.median, zip(*runs, strict=True))
                shown_times = " ".join(f"{seconds * 1e3:7.0f} ms" for seconds in times)
                memory = memory_of(browser, page, before)
                print(f"{name:20} {browser_name:9} {made:6.2f}s {size:5.1f} MB {shown_times} {frame:7.0f} ms {memory:7.0f} MB")
                if printing and name == "long":
                    seconds, processor = printed(browser, page, PAPER[browser_name])
                    print(f"{name:20} {browser_name:9} printed in {seconds:.1f} s, {processor:.1f} s of processor time")
                browser.close()


def write_records(folder: Path) -> None:
    """Records in entities of three, of which the response misplaces one in ten; and their attributes."""
    entities = {"key": lambda n: n // 3, "response": lambda n: n // 3 if n % 10 else n % 1000}
    for side, entity in entities.items():
        rows = (f"r{n},{entity(n)}\n" for n in range(RECORDS))
        (folder / f"records.{side}.csv").write_text("record_id,cluster_id\n" + "".join(rows))
    rows = (f"r{n},Name {n // 3},Street {n % 977},{1950 + n // 3 % 60}\n" for n in range(RECORDS))
    (folder / "records.csv").write_text("record_id,name,street,born\n" + "".join(rows))


def processor_time(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def measured(browser: Any, page: Path) -> tuple[float, ...]:
    """Seconds until the page, its first document, a click on an entity, a hover and a search are drawn; frames of a scroll."""
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
    hover = tab.evaluate(HOVER) / 1e3
    frame, _ = tab.evaluate(SCROLL)
    tab.fill(".search input", "r1" if page.name.startswith("records") else "the")
    search = timed(lambda: (tab.keyboard.press("Enter"), shown(tab, ".hit")))
    context.close()
    return opens, document, click, hover, search, frame


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
    folders = [argument for argument in sys.argv[1:] if argument != "--print"]
    if len(folders) != 1:
        sys.exit(__doc__)
    main(Path(folders[0]), printing="--print" in sys.argv)
