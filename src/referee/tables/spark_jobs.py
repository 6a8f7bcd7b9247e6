"""Jobs of Spark while they run: how far they are, what ends them, and why they fail."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread, current_thread, main_thread

from referee.basics import progress
from referee.basics.exceptions import EngineError, RefereeError, counted, shortened
from referee.basics.extras import spark_sql

MEMORY = "raise spark.executor.memoryOverhead, or give each executor fewer cores"
"""What helps if a worker has too little memory."""

LOST = ("MemoryError", "OutOfMemoryError", "Python worker exited unexpectedly", "exceeding memory limits")
"""What Spark says of workers that may have had too little memory."""


@contextmanager
def answers(session: spark_sql.SparkSession, task: str) -> Iterator[None]:
    """Show how far the jobs of a task are; errors of Spark are one line; an interrupt ends these jobs, and no others."""
    tag = f"referee-{os.urandom(8).hex()}"
    context = getattr(session, "_sc", None)
    add, interrupt, remove = (
        (session.addTag, session.interruptTag, session.removeTag)  # of Spark Connect
        if context is None
        else (context.addJobTag, context.cancelJobsWithTag, context.removeJobTag)  # by any thread, as a session's tags are not
    )
    add(tag)
    try:
        with _interrupted(partial(interrupt, tag)), progress.watched(_watch(session, task)):
            yield
    except RefereeError:
        raise
    except Exception as error:  # whatever Spark, Java or a worker raises
        raise EngineError(f"Spark cannot {task}: {reason(error)}") from error
    finally:
        remove(tag)


@contextmanager
def _interrupted(end_jobs: Callable[[], object]) -> Iterator[None]:
    """Let an interrupt end the jobs, and raise KeyboardInterrupt when they have ended; a second one does not wait.

    The handlers of Python and of Spark would raise it while an answer of Java is read, and neither end the jobs nor leave the
    connection whole. Another handler, such as that of the command, stays.
    """
    handler = signal.getsignal(signal.SIGINT)
    spark = str(getattr(handler, "__module__", "")).startswith("pyspark.")
    if current_thread() is not main_thread() or not (spark or handler is signal.default_int_handler):
        yield
        return
    requested, over = Event(), Event()

    def cancel() -> None:
        while not over.is_set():  # a job that has not started yet is not ended
            end_jobs()
            over.wait(0.2)

    def interrupt(*_signal: object) -> None:
        if requested.is_set():
            raise KeyboardInterrupt
        requested.set()
        Thread(target=cancel, daemon=True).start()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except Exception:
        if not requested.is_set():
            raise
    finally:
        over.set()
        signal.signal(signal.SIGINT, handler)
    if requested.is_set():
        raise KeyboardInterrupt


def _watch(session: spark_sql.SparkSession, task: str) -> Callable[[], None]:
    """Return a function that says how many tasks are done, and how many had to be run again."""
    context = getattr(session, "_sc", None)
    again: dict[int, int] = {}

    def look() -> None:
        tracker = None if context is None else context.statusTracker()  # Spark Connect has none
        stages = [stage for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()) if stage] if tracker else []
        again.update({stage.stageId: stage.numFailedTasks for stage in stages})
        retried = f", {counted(sum(again.values()), 'task')} retried" if any(again.values()) else ""
        done, tasks = (sum(getattr(stage, name) for stage in stages) for name in ("numCompletedTasks", "numTasks"))
        progress.step(task + retried, done, tasks)

    return look


@contextmanager
def memory_errors(what: str) -> Iterator[None]:
    """Say what does not fit if a worker has too little memory."""
    try:
        yield
    except MemoryError:
        raise EngineError(f"{what} do not fit into the memory of a worker: {MEMORY}") from None


def reason(error: BaseException) -> str:
    """Return the line of an error message that best names the cause: one that names an error, else the first."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if "Error" in line or "Exception" in line]
    raised = [line for line in named if re.match(r"(Caused by: )?[\w.$]+(Error|Exception): ", line)]
    cause = [*(line for line in raised if "PythonException" not in line), *named, *lines, "no reason"][0]
    text = shortened(re.sub(r"^(Caused by: )?([\w$]+\.)+(EngineError: )?", "", cause), 200)
    return (
        f"{text}; if its memory was too small, {MEMORY}"
        if MEMORY not in text and any(lost in str(error) for lost in LOST)
        else text
    )
