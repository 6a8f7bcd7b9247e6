"""The command for programs that start it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the command `referee` runs these sources."""
    command = tmp_path / "bin" / "referee"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m referee "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}
