"""The line of progress: on a terminal only, after two seconds, cleared before anything else is printed."""

import os
import pty
import select
import subprocess
import sys
import time

import pytest

from referee.basics import progress
from tests.support.command import referee
from tests.support.paths import EXAMPLES

SLOW = "import time; from referee.basics import progress; progress.AFTER = progress.EVERY = {after}\n"


def terminal(code, *, columns=60):
    """What a program prints to standard output, and what it shows on a terminal that is its standard error."""
    main, sub = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns)}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=sub, env=environment)
    os.close(sub)
    shown = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([main], [], [], 0.1)[0]:
            try:
                shown += os.read(main, 4096)
            except OSError:  # the end, on Linux
                break
        elif process.poll() is not None:
            break
    out = process.communicate(timeout=60)[0]
    os.close(main)
    return out.decode(), shown.decode()


def test_work_that_takes_long_shows_a_line_that_is_cleared():
    code = SLOW.format(after=0.05) + (
        "with progress.line():\n"
        "    progress.task('2/3 b.conll')\n"
        "    for _ in progress.tracked('abcd', 'reading folder'): time.sleep(0.1)\n"
    )
    _, shown = terminal(code)
    drawn = shown.split(progress.CLEAR)
    assert "2/3 b.conll: reading folder 50%  0:00" in drawn
    assert drawn[-1] == "" and "\n" not in shown


def test_work_of_less_than_two_seconds_shows_nothing():
    assert terminal(SLOW.format(after=2) + "with progress.line(): progress.step('reading'); time.sleep(0.2)")[1] == ""


def test_a_line_is_not_longer_than_the_terminal():
    code = SLOW.format(after=0.05) + "with progress.line(): progress.step('reading ' + 'x' * 200); time.sleep(0.2)"
    lines = [text for text in terminal(code, columns=30)[1].split(progress.CLEAR) if text]
    assert lines and all(len(text) < 30 and "…" in text for text in lines)


def test_nothing_is_drawn_after_the_result():
    code = SLOW.format(after=0.05) + (
        "import sys\nfrom referee.basics.files import output\n"
        "with progress.line():\n"
        "    time.sleep(0.2)\n"
        "    with output('-') as out: print('result', file=sys.stderr); time.sleep(0.2)\n"
    )
    assert terminal(code)[1].endswith(f"{progress.CLEAR}result\r\n")


def test_no_line_where_standard_error_is_no_terminal(monkeypatch):
    monkeypatch.setattr(progress, "AFTER", 0.001)
    done = referee("score", EXAMPLES / "key.conll", EXAMPLES / "response.conll", "--intervals")
    assert done.status == 0 and progress.CLEAR not in done.err


@pytest.mark.slow
def test_the_command_shows_progress():
    arguments = ["compare", *(str(EXAMPLES / f) for f in ("key.conll", "response.conll", "response.conll")), "--names", "a,b"]
    code = (
        "from referee.basics import progress; progress.AFTER = progress.EVERY = 0.02\n"
        f"import sys; from referee.cli.main import main; sys.exit(main({[*arguments, '--resamples', '300000']}))"
    )
    out, shown = terminal(code, columns=100)
    assert "system" in out and "resampling" in shown and shown.endswith(progress.CLEAR)
