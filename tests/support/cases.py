"""Cases that are rows of text: files in `tests/cases`."""

import re
from typing import NamedTuple

from tests.support.paths import ROOT


class Case(NamedTuple):
    """What stands in brackets above a row; its lines that begin with |, and its others; and what is indented below them."""

    section: str
    content: list[str]
    lines: list[str]
    expected: list[str]

    @property
    def text(self):
        """The lines, in which \\n is the end of one."""
        return "\n".join(self.lines).replace("\\n", "\n")

    def __str__(self):
        return " ".join([self.section, *self.lines, *(self.content if not self.lines else ())])


def cases(name, only=None):
    """The rows of a file, or those of one section. Lines that begin with a hash and a blank are comments."""
    rows, section = [], ""
    for line in (ROOT / "tests" / "cases" / f"{name}.txt").read_text(encoding="utf-8").split("\n"):
        if not line.strip() or line.startswith("# "):
            continue
        if re.fullmatch(r"\[.*\]", line):
            section = line[1:-1]
        elif line.startswith("    "):
            rows[-1].expected.append(line[4:])
        else:
            if not rows or rows[-1].expected:
                rows.append(Case(section, [], [], []))
            (rows[-1].content if line.startswith("|") else rows[-1].lines).append(line.removeprefix("| "))
    return [row for row in rows if only in (None, row.section)]
