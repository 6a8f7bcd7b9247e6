"""Check the pages of the built site: links lead to files and places that exist, and nothing is loaded from elsewhere.

python site/check.py build/site
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The places of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what the tag has."""
        of = {name: value or "" for name, value in attributes}
        self.places.add(of.get("id", ""))
        if tag == "a" and "href" in of:
            self.links.append(of["href"])
        if tag in LOADED and LOADED[tag] in of and of.get("rel") != "canonical":
            self.loaded.append(of[LOADED[tag]])


def errors(folder: Path) -> list[str]:
    """Each link that leads nowhere, and each file that is loaded from elsewhere."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        found += [f"{name}: loads {address}" for address in page.loaded if urlsplit(address).netloc]
        for address in {*page.links, *page.loaded}:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or name.parts[0] == "examples":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{name}: {address} leads to no file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                found.append(f"{name}: {address} leads to no place")
    return found


if __name__ == "__main__":
    problems = errors(Path(sys.argv[1]))
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(bool(problems))
