"""What one run of a tool costs: wall clock, processor time, peak memory; and the source trees that may be such a tool.

A tool is a list of steps, each a whole command; some tools convert their input first. Times of the steps add up, the peak
is that of the largest process of any step. Every command is started through `launcher.py`, which says why.
"""

from __future__ import annotations

import compileall
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launcher.py")
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes; getrusage counts in kilobytes except on macOS
ERROR_LINES = 3
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Step:
    """A command, the file that takes what it prints (None: the log of the tool), a folder to import modules from."""

    command: tuple[str, ...]
    output: Path | None = None
    python_path: Path | None = None
    accepted: tuple[int, ...] = (0,)
    """Exit codes of a run that has done its work."""


@dataclass(frozen=True, slots=True)
class Run:
    wall: float  # seconds
    user: float  # seconds of the processor for the command and all it waited for
    system: float  # seconds that the system took for them, such as for clearing memory
    peak: float  # MB (10^6 bytes), resident, of the largest process

    @property
    def cpu(self) -> float:
        return self.user + self.system

    def __add__(self, other: Run) -> Run:
        peak = max(self.peak, other.peak)
        return Run(self.wall + other.wall, self.user + other.user, self.system + other.system, peak)


class NotMeasuredError(Exception):
    """A tool that failed or ran out of time has no cost; the message goes into the table in its place."""


def measure(steps: Sequence[Step], *, log: Path, timeout: float) -> Run:
    """The cost of `steps` in turn; what they print goes to `log`, their messages beside it.

    Raises NotMeasuredError for an exit code that is not accepted, and when all steps together take longer than `timeout`
    seconds.
    """
    total = Run(0.0, 0.0, 0.0, 0.0)
    for step in steps:
        left = timeout - total.wall
        total += _measure_step(step, output=step.output or log, errors=log.with_suffix(".err"), timeout=left)
    return total


def _measure_step(step: Step, *, output: Path, errors: Path, timeout: float) -> Run:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if step.python_path:
        environment["PYTHONPATH"] = str(step.python_path)
    with tempfile.TemporaryFile("w+") as report:
        launcher = subprocess.Popen(
            [sys.executable, "-I", "-S", str(LAUNCHER), str(output), str(errors), *step.command],
            stdin=subprocess.DEVNULL,
            stdout=report,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # a group of its own, so that a timeout ends the launcher, the command and its children
        )
        try:
            launcher.wait(max(timeout, 0.0))
        except subprocess.TimeoutExpired:
            raise NotMeasuredError("out of time") from None
        finally:
            _end(launcher)
        if launcher.returncode != 0:
            raise NotMeasuredError(f"cannot run {Path(step.command[0]).name}")
        report.seek(0)
        wall, user, system, peak, exit_code = report.read().split()
    if int(exit_code) not in step.accepted:
        last_words = errors.read_text(errors="replace").splitlines()[-ERROR_LINES:]
        raise NotMeasuredError(" / ".join([f"exit code {exit_code}", *last_words]))
    return Run(float(wall), float(user), float(system), int(peak) * PEAK_UNIT / 1e6)


def _end(launcher: subprocess.Popen[bytes]) -> None:
    """Ends what still runs: after a timeout, and after Ctrl-C, which a group of its own does not hear of."""
    if launcher.poll() is None:
        os.killpg(launcher.pid, signal.SIGKILL)
        launcher.wait()


def sources(work: Path, revision: str | None = None) -> Path:
    """Return the folder of the packages of a revision, taken from git into WORK/trees; of None, those of this tree."""
    folder = ROOT / "src"
    if revision is not None:
        command = ("git", "-C", str(ROOT), "rev-parse", "--verify", f"{revision}^{{commit}}")
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        folder = (work / "trees" / commit / "src").resolve()
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit, "src"], capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", str(folder.parent)], input=archive, check=True)
    compileall.compile_dir(folder, quiet=2)
    return folder


def step(referee: Path, *arguments: str) -> Step:
    """Return the command `referee ARGUMENT ...` of a source tree, or of an executable; `validate` exits with 1 for errors."""
    accepted = (0, 1) if arguments[0] == "validate" else (0,)
    if referee.is_dir():
        return Step((sys.executable, "-m", "referee", *arguments), python_path=referee, accepted=accepted)
    return Step((str(referee), *arguments), accepted=accepted)
