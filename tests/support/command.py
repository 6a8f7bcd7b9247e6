"""The command as people run it: what tests of doors share."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

INSTALLED = Path(sys.executable).with_name("referee")
MODULE = [sys.executable, "-m", "referee"]
COMMAND = [str(INSTALLED)] if INSTALLED.exists() else MODULE

draws = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is absent")
"""Of cases that go as far as to draw."""


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        return self.err.splitlines()


def referee(
    *arguments: object, stdin: bytes | None = None, cwd: Path | None = None, command: list[str] | None = None, **env: str
) -> Done:
    """Run the command in a process of its own."""
    done = subprocess.run(
        [*(command or COMMAND), *map(str, arguments)],
        input=b"" if stdin is None else stdin,
        capture_output=True,
        cwd=cwd,
        timeout=120,
        check=False,
        env={**os.environ, **env},
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
