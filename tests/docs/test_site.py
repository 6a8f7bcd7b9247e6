"""The documentation site: its colours are those of the pages, and what a search is led to exists."""

import re
from importlib.resources import files

from referee.reports.colours import colours
from tests.support.paths import ROOT


def test_searches_lead_to_pages_that_exist():
    pages = re.findall(r': "([\w/-]+)"', (ROOT / "site" / "search.js").read_text(encoding="utf-8"))
    assert len(pages) >= 4
    assert [page for page in pages if not (ROOT / "docs" / f"{page}.md").exists()] == []


def test_every_colour_has_a_light_and_a_dark_one():
    shell = (files("referee.reports") / "shell.css").read_text(encoding="utf-8")
    named = set(re.findall(r"--([\w-]+): light-dark\(#", shell))  # shades are no colours
    assert {"accent", "bad", "good", "ink", "soft", "line", "paper"} <= named
    assert named == set(colours()) == set(colours("dark"))
    assert all(colours()[name] != colours("dark")[name] for name in named)


def test_the_site_takes_its_colours_from_the_pages():
    own = (ROOT / "site" / "static" / "referee.css").read_text(encoding="utf-8") + (ROOT / "site" / "conf.py").read_text(
        encoding="utf-8"
    )
    assert re.findall(r"#[0-9a-fA-F]{3,6}\b", own) == []
