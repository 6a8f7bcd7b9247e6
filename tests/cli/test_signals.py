"""Signals end the command at once, and leave nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import referee
from tests.resolver.test_models import TRAIN
from tests.support.command import COMMAND

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals and the pipes of POSIX")

KEY = "#begin document (a)\nAnn\t(1)\nsaw\t-\nher\t(1)\n#end document\n"
SIGNALS = [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)]
DEADLINE = 120
"""Seconds after which a test fails that waits for something."""
START = f"""
import os, signal, sys
for number in {[*map(int, SIGNALS)]}:
    signal.signal(number, signal.SIG_IGN if sys.argv[1] == str(number) else signal.SIG_DFL)
os.execv(sys.argv[2], sys.argv[2:])
"""


def begun(*arguments, here, ignored=0):
    """The command in a process of its own, which ignores one signal at most, however the tests were started."""
    command = [sys.executable, "-c", START, str(int(ignored)), *COMMAND, *arguments]
    return subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def told(process):
    """What the system tells of a process; nothing where it tells nothing."""
    status = Path(f"/proc/{process.pid}/status")
    return dict(line.split(":", 1) for line in status.read_text().splitlines()) if status.exists() else {}


def waits(process):
    """Wait until the command has its handlers, of which Python by itself has none for SIGTERM, and sleeps in one place."""
    before = {}
    deadline = time.monotonic() + DEADLINE
    while time.monotonic() < deadline:
        now = told(process)
        if not now:  # as on macOS
            time.sleep(1)
            return
        handles = int(now["SigCgt"], 16) >> (signal.SIGTERM - 1) & 1
        if handles and "sleeping" in now["State"] and now["voluntary_ctxt_switches"] == before.get("voluntary_ctxt_switches"):
            return
        before = now
        time.sleep(0.02)
    raise AssertionError(f"the command does not wait: {before}")


def ended(process, number):
    """Send a signal to a process, which ends and says nothing."""
    process.send_signal(number)
    _, errors = process.communicate(timeout=DEADLINE)
    assert (process.returncode, errors) == (128 + number, b"")


@pytest.mark.parametrize("number", SIGNALS)
def test_no_unfinished_file_is_left(number, tmp_path):
    (tmp_path / "old.jsonlines").write_text("old")
    (tmp_path / "key.conll").write_text("".join(KEY.replace("(a)", f"(a{n})") for n in range(15_000)))
    process = begun("convert", "key.conll", "old.jsonlines", here=tmp_path)
    deadline = time.monotonic() + DEADLINE
    while not list(tmp_path.glob(".*")):
        assert time.monotonic() < deadline, "nothing was written"
        time.sleep(0.01)
    ended(process, number)
    assert sorted(os.listdir(tmp_path)) == ["key.conll", "old.jsonlines"]
    assert (tmp_path / "old.jsonlines").read_text() == "old"


@pytest.mark.parametrize("files", [("pipe", "other"), ("key.conll", "pipe"), ("pipe", "key.conll")])
def test_what_waits_for_a_pipe_ends(files, tmp_path):
    (tmp_path / "key.conll").write_text(KEY)
    for name in {"pipe", "other"} & {*files}:
        os.mkfifo(tmp_path / name)
    process = begun("score", *files, here=tmp_path)
    waits(process)
    assert process.poll() is None
    ended(process, signal.SIGINT)


def test_a_signal_that_is_ignored_stays_ignored(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "key.conll").write_text(KEY)
    process = begun("score", "key.conll", "pipe", "-q", "-m", "b_cubed", here=tmp_path, ignored=signal.SIGHUP)  # as nohup does
    waits(process)
    process.send_signal(signal.SIGHUP)
    (tmp_path / "pipe").write_text(KEY)
    assert process.communicate(timeout=DEADLINE)[0] == b"100.00\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)])
def test_processes_of_a_command_end_with_it(number, tmp_path):
    (tmp_path / "train.conllu").write_text(TRAIN + TRAIN.replace("one", "three").replace("two", "four"))
    process = begun("resolve", "tune", "train.conllu", "--folds", "2", "--jobs", "2", "-o", "r.toml", here=tmp_path)
    deadline = time.monotonic() + DEADLINE
    while len(scored := (tmp_path / "r.toml.journal").read_text() if (tmp_path / "r.toml.journal").exists() else "") < 400:
        assert time.monotonic() < deadline, scored
        time.sleep(0.02)
    process.send_signal(number)
    process.communicate(timeout=DEADLINE)  # which waits for all who could still write to the pipes


def test_ctrl_c_while_modules_are_imported(tmp_path):
    code = """
import os, signal, sys
class Importer:
    def find_spec(self, name, path=None, target=None):
        if name == "referee.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Importer())
from referee.__main__ import command
command()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_little_is_imported_before_ctrl_c_is_caught():
    """What Python would show a traceback of."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import referee.__main__; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-S", "-c", code, str(Path(referee.__file__).parents[1])], capture_output=True, text=True, check=True
    )
    imported = {name for name in run.stdout.split() if name.startswith("referee")}
    assert imported == {"referee", "referee.__main__", "referee.basics", "referee.basics.version"}
    assert "typing" not in run.stdout.split()
