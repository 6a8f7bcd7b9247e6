"""The commands of tutorials and how-tos print what the pages say; `...` stands for what is left out."""

import re
import shlex
import shutil

import pytest

from tests.support.command import told
from tests.support.paths import EXAMPLES, ROOT

DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.name != "programs.md" and "```console" in page.read_text("utf-8")]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ referee (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_commands_print_what_the_page_says(page, tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for command, expected in COMMAND.findall(block):
            done = told(*shlex.split(command.partition(" | ")[0]), cwd=tmp_path)
            pattern = ".*".join(map(re.escape, re.split(r"\.\.\.|…", expected)))
            lines = "".join(f"{line.rstrip()}\n" for line in (done.out + done.err).splitlines())
            how = re.search if " | " in command else re.fullmatch
            assert how(pattern, lines, re.DOTALL), f"{command}\n{lines}"
