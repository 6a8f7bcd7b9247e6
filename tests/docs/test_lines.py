"""Lines of Markdown are short enough to read them as they are, in an editor or in a diff."""

import re

import pytest

from tests.support.paths import ROOT

LONGEST = 128

FOLDERS = ("benchmarks", "docs", "examples", "integrations", "scripts", "src", "tests")

PAGES = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]


def too_long(markdown):
    """The long lines of a page, except for code, rows of tables, and lines that end in a link or an address."""
    without_code = re.sub(r"^( *)```.*?^\1```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return [
        line
        for line in without_code.splitlines()
        if len(line) > LONGEST and not line.startswith("    ") and not line.lstrip().startswith("|") and not _ends_in_link(line)
    ]


def _ends_in_link(line):
    """The part of a line that is too long is one word, and a link or an address."""
    word = line.rsplit(maxsplit=1)[-1]
    return len(line) - len(word) <= LONGEST and ("](" in word or "://" in word)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_have_at_most_128_characters(page):
    assert too_long(page.read_text(encoding="utf-8")) == []


def test_only_code_tables_and_links_may_be_longer():
    long, link = "word " * 30, f"See [this]({'a' * LONGEST})"
    page = f"{long}\n- {long}\n```\n{long}\n```\n    {long}\n| {long} |\n{link}\n{link} {long}"
    assert too_long(page) == [long, f"- {long}", f"{link} {long}"]
