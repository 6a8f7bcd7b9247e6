"""The programs on a page of the documentation, by the headings above them."""

import re
from typing import NamedTuple

from tests.support.paths import ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^    (?:>>>|\.\.\.) ", re.MULTILINE)


class Page(NamedTuple):
    """The text below each heading, and the programs."""

    sections: dict[str, str]
    programs: dict[str, str]

    def lines(self, name):
        """The lines of a how-to: of its program, or those with a prompt."""
        return len(self.programs[name].splitlines()) if name in self.programs else len(PROMPT.findall(self.sections[name]))


def page(name):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", text, re.MULTILINE))
    return Page(sections, {title: code for title, below in sections.items() for code in BLOCK.findall(below)})
