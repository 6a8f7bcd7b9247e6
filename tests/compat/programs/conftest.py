"""The command for programs that start it."""

import os
import sys

import pytest


@pytest.fixture
def installed(tmp_path):
    """An environment in which the command `referee` runs these sources."""
    command = tmp_path / "bin" / "referee"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m referee "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}
