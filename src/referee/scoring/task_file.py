"""`TaskFile`: what a shared task asks for, as its file of TOML says it.

::

    name = "CRAC 2026, unconstrained"
    key = "gold/"                 # left out by participants, who name theirs
    profile = "corefud-1.2"
    metrics = ["conll", "muc", "b_cubed", "ceaf_e"]
    by = "document"               # and separator, depth, metadata, as the options of these names

    [options]                     # those of referee.score
    singletons = "drop-annotated"

    [limits]                      # percentages, as --fail-under takes them
    conll = 40
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from referee.basics.exceptions import FormatError, OptionError, RefereeError, UnknownNameError, shortened
from referee.basics.names import check_call
from referee.basics.options.options import RECORDS
from referee.basics.options.reading import READ_OPTIONS
from referee.basics.toml import read_toml
from referee.metrics.registry import ALL, metrics_named
from referee.scoring.limits import read_limits
from referee.scoring.score import parse_options

GROUPING = {"by": str, "separator": str, "depth": int, "metadata": str}
"""What documents are grouped by -> its type."""

KEYS: dict[str, Any] = {
    "name": str,
    "key": str,
    "profile": str,
    "metrics": (str, list),
    **GROUPING,
    "options": dict,
    "limits": dict,
}
"""What the file may say -> its type."""

OPTIONS = {*RECORDS, *READ_OPTIONS, "key_format", "response_format", "threshold"} - {"profile", "metadata"}
"""What its options may be."""

WORDS: dict[Any, str] = {str: "a text", int: "a whole number", dict: "a table", (str, list): "names, as a text or a list"}


@dataclass(frozen=True)
class TaskFile:
    """What a shared task asks for.

    Parameters
    ----------
    name : str
        What it is called; empty if the file does not say it.
    key : str or None
        The path of the key; None where participants name theirs.
    options : mapping
        The profile, metrics and options, as arguments of `referee.score`.
    grouping : mapping
        What documents are grouped by: `by`, and `separator`, `depth` and `metadata` that go with it.
    limits : mapping
        Metrics, as `lea` or `lea.precision`, and the percentages that scores may not be below.
    """

    name: str = ""
    key: str | None = None
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    grouping: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    limits: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@check_call()
def read_task(path: str | os.PathLike[str]) -> TaskFile:
    """Read the file of a task; paths in it are relative to its folder.

    Raises
    ------
    FormatError
        If it is no such file, or has a key or a value that there is not.
    MissingExtraError
        If Python has no reader of TOML.

    Examples
    --------
    >>> task = read_task("examples/task.toml")
    >>> task.name, task.options["metrics"], task.limits
    ('Lighthouses', ['conll', 'muc', 'b_cubed', 'ceaf_e'], {'conll': 60.0})

    ``referee.score(task.key, response, **task.options)`` scores as it says.
    """
    source = os.fspath(path)
    table = read_toml(source)
    try:
        return _task(table, os.path.dirname(source))
    except RefereeError as error:
        raise FormatError(source, None, str(error)) from None


def _task(table: Mapping[str, Any], folder: str) -> TaskFile:
    if misplaced := [name for name in table if name in OPTIONS]:
        raise OptionError(f"found {misplaced[0]} among the keys of the task; expected it below [options]")
    _check_names("key of a task", table, KEYS)
    for name, value in table.items():
        if not isinstance(value, KEYS[name]) or isinstance(value, bool):
            raise FormatError(name, None, f"found {shortened(repr(value))}; expected {WORDS[KEYS[name]]}")
    options = dict(table.get("options", {}))
    _check_names("option of a task", options, OPTIONS)
    metrics = table.get("metrics")
    if metrics is not None and metrics != ALL:
        metrics = list(metrics_named(metrics))
    how = {**({"profile": table["profile"]} if "profile" in table else {}), **options}
    paths = {name: os.path.join(folder, table[name]) for name in ("key", "metadata") if name in table}
    if "where" in how and "metadata" in paths:
        how["metadata"] = paths["metadata"]
    threshold = how.pop("threshold", None)
    parse_options(**how)
    grouping = {name: paths.get(name, table[name]) for name in GROUPING if name in table}
    limits = dict(_limits(table.get("limits", {})))
    read_limits(limits, {}, "limits")
    named = {"metrics": metrics, "threshold": threshold}
    settings = how | {name: value for name, value in named.items() if value is not None}
    return TaskFile(table.get("name", ""), paths.get("key"), settings, grouping, limits)


def _check_names(kind: str, names: Mapping[str, Any], names_of_kind: Any) -> None:  # noqa: ANN401  # names of any kind
    for name in names:
        if name not in names_of_kind:
            raise UnknownNameError(kind, name, names_of_kind)


def _limits(table: Mapping[str, Any], metric: str = "") -> Iterator[tuple[str, float]]:
    """The limits of metrics; those of their sides, as muc.recall, are tables in TOML."""
    for name, value in table.items():
        if isinstance(value, dict) and not metric:
            yield from _limits(value, f"{name}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield f"{metric}{name}", float(value)
        else:
            raise FormatError(f"limits.{metric}{name}", None, f"found {shortened(repr(value))}; expected a percentage, as 40")
