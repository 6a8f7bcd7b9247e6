"""`EngineSettings`: with which engine label tables are counted, and with what memory."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.basics.exceptions import OptionError, check_name, shortened
from referee.basics.files import size_in_bytes
from referee.basics.registry import Registry

ENGINES: Registry[Callable[..., Any]] = Registry(
    "engine", {name: f"referee.tables.{name}:engine" for name in ("memory", "duckdb", "spark")}
)
"""The engines, with the functions that make them, which are imported when they are used."""

MOST_THREADS = 1024
"""All of which would be started, however few cores there are."""


@dataclass(frozen=True)
class EngineSettings:
    """With which engine label tables are counted. It changes no digit.

    Parameters
    ----------
    engine : str or None
        One of `ENGINES`; None to choose by the number of rows.
    memory : int, str or None
        Bytes, or text such as "8GB", for everything together; None for 60 % of what is free.
    spill : str or None
        The folder for temporary files; None for that of the system.
    threads : int or None
        Threads of the engine; None for the number of cores.
    master : str or None
        The cluster of Spark, such as "spark://host:7077"; None for the session that there is, or that spark-submit configures.
    spark_conf : str, mapping or None
        Configuration of a new session of Spark, or text such as "spark.executor.memory=8g,spark.executor.cores=4".

    Raises
    ------
    UnknownNameError, OptionError
        If a value is not one of those above.
    """

    engine: str | None = None
    memory: int | str | None = None
    spill: str | None = None
    threads: int | None = None
    master: str | None = None
    spark_conf: str | Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if self.engine is not None:
            check_name("engine", self.engine, ENGINES)
        if self.threads is not None and not (isinstance(self.threads, int) and 1 <= self.threads <= MOST_THREADS):
            raise OptionError(f"--threads is from 1 to {MOST_THREADS}; found {shortened(str(self.threads))}")
        if self.spill is not None and not os.path.isdir(self.spill):
            raise OptionError(f"--spill {self.spill} is no folder; expected one with free space")
        if (self.master or self.spark_conf) and self.engine != "spark":
            raise OptionError("--master and --spark-conf are for Spark: add --engine spark (engine='spark')")
        _ = self.bytes, self.configuration

    @property
    def bytes(self) -> int:
        """The memory for everything together."""
        if self.memory is None:
            return int(0.6 * free_memory())
        return size_in_bytes(str(self.memory), "--memory")

    @property
    def configuration(self) -> dict[str, str]:
        """The configuration of a new session of Spark."""
        if isinstance(self.spark_conf, Mapping):
            return {str(name): str(value) for name, value in self.spark_conf.items()}
        pairs = [text.partition("=") for text in (self.spark_conf or "").split(",") if text]
        if wrong := [name for name, equals, _ in pairs if not equals]:
            raise OptionError(f"--spark-conf takes NAME=VALUE,...; found {shortened(repr(wrong[0]))}")
        return {name.strip(): value.strip() for name, _, value in pairs}

    @property
    def folder(self) -> str:
        """The folder for temporary files."""
        return self.spill or tempfile.gettempdir()


def free_memory() -> int:
    """The memory that this process may still use, in bytes: free memory, and what is left within the limit of its cgroup."""
    free = [1 << 33]
    meminfo = _text("/proc/meminfo")
    if available := re.search(r"MemAvailable:\s+(\d+) kB", meminfo):
        free = [int(available[1]) << 10]
    limit, used = _text("/sys/fs/cgroup/memory.max").strip(), _text("/sys/fs/cgroup/memory.current").strip()
    if limit.isdigit() and used.isdigit():
        free.append(max(int(limit) - int(used), 1 << 26))
    return min(free)


def _text(path: str) -> str:
    try:
        with open(path, encoding="ascii") as file:
            return file.read()
    except OSError:
        return ""
