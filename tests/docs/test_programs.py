"""The commands of docs/programs.md print what the page says, and no how-to has more than twenty lines."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from referee.compat.programs import PROGRAMS
from tests.support.paths import EXAMPLES, ROOT

PAGE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
HOW_TO = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("commands", HOW_TO, ids=lambda text: text.partition("\n")[0])
def test_commands_print_what_the_page_says(commands, tmp_path):
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    referee = tmp_path / "referee"
    referee.write_text(f'#!/bin/sh\nexec {sys.executable} -m referee "$@"\n')
    referee.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    printed = ""
    for command in re.findall(r"^\$ (.*)$", commands, re.MULTILINE):
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=True)
        printed += f"$ {command}\n{done.stdout}"
    assert printed == commands
    assert commands.count("\n") <= 20


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_has_a_how_to(program):
    assert any(f"referee as {program} " in commands or f"--write-shim {program} " in commands for commands in HOW_TO)
