"""Every measure has its page, and the overview leads to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from markable.metrics import METRICS

PAGES = Path(__file__).parents[2] / "docs" / "measures"
OVERVIEW = "README.md"


def links(page: Path) -> set[str]:
    """The targets of a page's links, without places within a page."""
    return {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("name", METRICS)
def test_each_measure_has_a_page_with_its_name_in_the_title(name: str) -> None:
    page = PAGES / f"{name}.md"
    assert page.is_file(), f"expected {page}"
    assert f"`{name}`" in page.read_text(encoding="utf-8").split("\n\n## ")[0]


@pytest.mark.parametrize("name", METRICS)
def test_each_page_is_linked_from_the_overview(name: str) -> None:
    assert f"| [`{name}`]({name}.md) |" in (PAGES / OVERVIEW).read_text(encoding="utf-8")


def test_no_page_is_about_a_measure_that_is_gone() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} - {Path(OVERVIEW).stem} == set(METRICS)


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.md")))
def test_links_between_pages_lead_somewhere(page: str) -> None:
    missing = {target for target in links(PAGES / page) if target and "://" not in target and not (PAGES / target).exists()}
    assert not missing


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.md")))
def test_each_page_shows_numbers_that_are_checked(page: str) -> None:
    assert ">>> " in (PAGES / page).read_text(encoding="utf-8")
