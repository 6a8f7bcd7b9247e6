"""The session of Spark that is used, or started here: with its files in one folder, and a Java that ends with the program."""

from __future__ import annotations

import atexit
import os
import re
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import current_thread, main_thread

from referee.basics.exceptions import EngineError, OptionError, shortened
from referee.basics.extras import spark, spark_sql
from referee.basics.files import processes
from referee.basics.options.engines import EngineSettings
from referee.basics.spill import new_folder, remove_folder
from referee.basics.version import VERSION
from referee.formats.shared.shapes import Foreign
from referee.inputs.sources import SparkFrame
from referee.tables.engine import Side
from referee.tables.spark_jobs import reason

JAVA = 17
"""The oldest Java that Spark runs on."""


def session_of(sides: tuple[Side, Side], settings: EngineSettings) -> tuple[spark_sql.SparkSession, bool]:
    """Return the session of a frame, or the active one, or a new one; and whether it is new."""
    for side in sides:
        if isinstance(side.source, SparkFrame):
            return side.source.frame.sparkSession, False
    sessions, context = spark_sql.SparkSession, spark.SparkContext
    active = sessions.getActiveSession()
    if active is None and context._active_spark_context is not None:  # noqa: SLF001  # of another thread
        active = sessions.builder.getOrCreate()
    if active is not None:
        if settings.master not in (None, master := active.conf.get("spark.master", None)):
            problem = f"a session of Spark with the master {master} is active: stop it, or give no master"
            raise OptionError(f"found --master {settings.master}; {problem}")
        return active, False
    check_java()
    folder = _folder(os.path.abspath(settings.folder))
    try:
        with _of_this_program(folder):
            context.getOrCreate(_configuration(settings)).setLogLevel("ERROR")
        return sessions.builder.getOrCreate(), True
    except Exception as error:  # whatever Java says
        raise EngineError(f"Spark cannot start: {reason(error)}") from error


def _configuration(settings: EngineSettings) -> spark.SparkConf:
    """The configuration of a new session; spark-submit has its own master."""
    configuration = spark.SparkConf().setAppName("referee").set("spark.ui.showConsoleProgress", "false")
    master = settings.master or ("" if "PYSPARK_GATEWAY_PORT" in os.environ else "local[*]")
    if master:
        configuration.setMaster(master)
    if master.startswith("local"):
        configuration.set("spark.pyspark.python", sys.executable)
    return configuration.setAll(list(settings.configuration.items()))


@contextmanager
def _of_this_program(folder: str) -> Iterator[None]:
    """Let Java, if it is started, end with the program, and leave files only in a folder; signals go where they went before."""
    gateway: Foreign = import_module("pyspark.java_gateway")  # itself, as it is changed
    popen, of_files, process = gateway.Popen, tempfile.tempdir, None

    def noted(*command: Foreign, env: dict[str, str], **how: Foreign) -> Foreign:
        options = f"{env.get('SPARK_SUBMIT_OPTS', '')} -Djava.io.tmpdir={folder}"
        nonlocal process
        with _signals_wait():
            process = popen(*command, env={"SPARK_LOCAL_DIRS": folder, **env, "SPARK_SUBMIT_OPTS": options}, **how)
            processes.add(process.pid)
            atexit.register(_ended, process)
        return process

    handler = signal.getsignal(signal.SIGINT)
    gateway.Popen, tempfile.tempdir = noted, folder
    try:
        yield
    except BaseException:
        if process is not None and spark.SparkContext._gateway is None:  # noqa: SLF001
            process.kill()  # an interrupt came too early for Java to see it
        raise
    finally:
        gateway.Popen, tempfile.tempdir = popen, of_files
        if current_thread() is main_thread():  # Spark has put its own there
            signal.signal(signal.SIGINT, handler)


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Let Java end: it does so when its input ends, and removes its files."""
    process.communicate(timeout=60)


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Handle signals when the block is over, so that a process that it starts is known."""
    if current_thread() is not main_thread():
        yield
        return
    came: list[int] = []
    handlers = {s: signal.signal(s, lambda number, _: came.append(number)) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for s, handler in handlers.items():
            signal.signal(s, handler)
        for number in came:
            signal.raise_signal(number)


@cache
def _folder(parent: str) -> str:
    """A folder that is there until the program ends."""
    folder = new_folder(parent)
    atexit.register(remove_folder, folder)
    return folder


@cache
def archive() -> str:
    """Return a zip file of the package: workers fetch it when they start."""
    folder = Path(_folder(tempfile.gettempdir()))
    root, path = Path(__file__).parents[1], folder / f"referee-{VERSION}-{folder.name}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(root.rglob("*.py")):
            archive.write(file, Path("referee") / file.relative_to(root))
    return str(path)


def check_java() -> None:
    """Raise EngineError if Java is missing or too old for Spark."""
    remedy = f"expected Java {JAVA} or newer: apt-get install openjdk-{JAVA}-jre-headless"
    try:
        text = subprocess.run(["java", "-version"], capture_output=True, text=True, timeout=60, check=True).stderr  # noqa: S607
    except (OSError, subprocess.SubprocessError):
        raise EngineError(f"Spark needs Java: found none; {remedy}") from None
    version = re.search(r'version "(?:1\.)?(\d+)', text)
    if not version or int(version[1]) < JAVA:
        raise EngineError(f"Spark needs Java: found {version[1] if version else shortened(text)}; {remedy}")
