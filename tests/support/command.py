"""The command as people run it: what tests of doors share."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from referee.cli.main import main

INSTALLED = Path(sys.executable).with_name("referee")
MODULE = [sys.executable, "-m", "referee"]
COMMAND = [str(INSTALLED)] if INSTALLED.exists() else MODULE

WROTE = re.compile(
    r"^referee: (wrote |warning: .*( is key and response| have the same annotation| counted as (missed|spurious))).*\n",
    re.MULTILINE,
)
"""The lines that name the files that were written, or speak of one file on both sides, and of records of one side."""

draws = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is absent")
"""Of cases that go as far as to draw."""


class Done(NamedTuple):
    """What a run gives; `err` without the lines of `WROTE`, which `told` has."""

    status: int
    out: str
    err: str

    @property
    def errors(self):
        return self.err.splitlines()


def referee(*arguments, stdin=b"", cwd=None, **env):
    """Run the command in this process, which saves the start of Python and the imports."""
    done = told(*arguments, stdin=stdin, cwd=cwd, **env)
    return done._replace(err=WROTE.sub("", done.err))


def told(*arguments, stdin=b"", cwd=None, **env):
    """Run the command in this process, with all that it says."""
    streams = [TextIOWrapper(BytesIO(content), encoding="utf-8") for content in (stdin, b"", b"")]
    before = Path.cwd()
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, env))
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            stack.enter_context(patch.object(sys, name, stream))
        stack.callback(os.chdir, before)
        os.chdir(cwd or before)
        try:
            status = main([*map(str, arguments)])
        except SystemExit as end:  # of a mistake in the call, and of help
            status = int(end.code or 0)
    return Done(status, *(written(stream) for stream in streams[1:]))


def written(stream):
    """The content of a stream in memory."""
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, BytesIO)
    return buffer.getvalue().decode()


def process(*arguments, command=COMMAND, stdin=b"", cwd=None, **env):
    """Run the command, or another one, in a process of its own."""
    done = subprocess.run(
        [*command, *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, timeout=120, check=False,
        env={**os.environ, **env},
    )  # fmt: skip
    return Done(done.returncode, done.stdout.decode(), WROTE.sub("", done.stderr.decode()))
