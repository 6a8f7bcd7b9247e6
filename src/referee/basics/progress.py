"""Progress: one line on standard error about work that takes longer than two seconds.

Only the command opens a line, and only on a terminal. Without one, every function here does nothing. A timer of the system
redraws the line, so long calls need no thread and loops need not look at the clock. Standard error is written to directly,
as a signal may come while a stream is in use.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from referee.basics.exceptions import one_line, terminal_width

AFTER, EVERY = 2.0, 0.5
"""Seconds before the line appears, and between its changes."""

CLEAR = "\r\033[K"

Thing = TypeVar("Thing")


class _ProgressLine:
    """What is done now: a task, a step of it, and how much of the step is done."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.task = ""
        self.step: tuple[str, float, float] = ("", 0, 0)
        self.drawn = False

    def start(self) -> None:
        """Let the timer draw; without one, as on Windows, nothing is shown."""
        import signal  # a slow import, of use only on a terminal

        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self.draw)
            signal.setitimer(signal.ITIMER_REAL, AFTER, EVERY)

    def stop(self) -> None:
        """Stop the timer and clear the line."""
        import signal

        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        self.clear()

    def changed(self) -> None:
        """Another step, or more of it, is done."""

    @property
    def what(self) -> str:
        """The task, and the step of it."""
        return ": ".join(filter(None, (self.task, self.step[0])))

    def draw(self, *_signal: object) -> None:
        _, done, total = self.step
        share = f" {min(done / total, 1):.0%}" if total else ""
        text = self.what + share
        seconds = int(time.monotonic() - self.started)
        clock = f"  {seconds // 60}:{seconds % 60:02}"
        room = terminal_width(sys.stderr) - len(clock) - 1
        self.write(f"{CLEAR}{text if len(text) <= room else text[: room - 1] + '…'}{clock}")
        self.drawn = True

    def clear(self) -> None:
        if self.drawn:
            self.write(CLEAR)
            self.drawn = False

    def write(self, text: str) -> None:
        with suppress(OSError):  # the terminal is gone
            os.write(sys.stderr.fileno(), text.encode(errors="replace"))


class _CalledProgress(_ProgressLine):
    """Tells a function, such as that of a page, instead of a terminal."""

    def __init__(self, show: Callable[[str, float], None]) -> None:
        super().__init__()
        self.show = show
        self.last = 0.0

    def stop(self) -> None:
        """Nothing is to be cleared."""

    def changed(self) -> None:
        _, done, total = self.step
        if not done or time.monotonic() > self.last + EVERY / 4:
            self.last = time.monotonic()
            self.show(self.what, done / total if total else 0)


_line: _ProgressLine | None = None


@contextmanager
def use_progress(show: Callable[[str, float], None]) -> Iterator[None]:
    """Tell each step to a function while the block runs: its name, and the share that is done (0 where nobody knows)."""
    global _line  # noqa: PLW0603
    _line = _CalledProgress(show)
    try:
        yield
    finally:
        _line = None


@contextmanager
def line() -> Iterator[None]:
    """Show progress while the block runs, if standard error is a terminal."""
    global _line  # noqa: PLW0603  # there is one terminal
    if sys.stderr is not None and sys.stderr.isatty():
        _line = _ProgressLine()
        _line.start()
    try:
        yield
    finally:
        end()


def task(name: str) -> None:
    """Name the task that begins, such as one response of several."""
    if _line is not None:
        _line.task, _line.step = one_line(name), ("", 0, 0)
        _line.changed()


def step(what: str, done: float = 0, total: float = 0) -> None:
    """Name the step that begins, or say how much of it is done; `total` is 0 where nobody knows."""
    if _line is not None:
        _line.step = (what, done, total)
        _line.changed()


@contextmanager
def watched(look: Callable[[], None]) -> Iterator[None]:
    """Call a function again and again, in a thread, while the block waits for others and progress is shown: it says a step."""
    if _line is None:
        yield
        return
    from threading import Event, Thread  # slow imports, of use only on a terminal

    over = Event()

    def watch() -> None:
        while not over.wait(EVERY):
            look()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def tracked(things: Collection[Thing], what: str) -> Iterable[Thing]:
    """Return the things; as they are taken, the line shows how many of them are done."""
    return things if _line is None else _counted(things, what)


def _counted(things: Collection[Thing], what: str) -> Iterator[Thing]:
    for done, thing in enumerate(things):
        step(what, done, len(things))
        yield thing


def clear() -> None:
    """Clear the line for something else that is printed; it comes back."""
    if _line is not None:
        _line.clear()


def end() -> None:
    """Clear the line for good: before the result is printed."""
    global _line
    if _line is not None:
        ended, _line = _line, None
        ended.stop()
