"""Which files are compared on which corpora: from the command line, or a TOML file.

::

    baseline = "mild"                # the first, if it is left out

    [corpora.litbank]
    key = "litbank.key.conll"        # beside the TOML file
    responses = {mild = "litbank.mild.conll", severe = "litbank.severe.conll"}
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from referee.comparison.comparing import named
from referee.exceptions import FormatError, MissingExtraError, OptionError
from referee.messages import counted, shortened


class Files(NamedTuple):
    """A key, and the response of each system."""

    key: str
    responses: Mapping[str, str]


def corpora_of(texts: Sequence[str], names: str | None = None) -> dict[str, Files]:
    """Corpora given as NAME=KEY,RESPONSE,... OptionError.

    names : what the systems are called, with commas between them; None for "system 1", "system 2", ...
    """
    found: dict[str, Files] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        key, *responses = rest.split(",")
        if not (name and equals and key and responses and all(responses)):
            raise OptionError(f"--corpus takes NAME=KEY,RESPONSE,...; found {shortened(text, 100)!r}")
        if name in found:
            raise OptionError(f"found corpus {shortened(name)!r} twice; expected different names")
        systems = ",".join(f"system {n}" for n in range(1, len(responses) + 1)) if names is None else names
        found[name] = Files(key, named(responses, systems))
        first = next(iter(found.values()))
        if set(found[name].responses) != set(first.responses):
            expected = counted(len(first.responses), "response")
            raise OptionError(f"corpus {shortened(name)!r} has {len(responses)}; expected {expected}, one a system")
    return found


def read_corpora(path: str) -> tuple[dict[str, Files], str | None]:
    """The corpora of a TOML file, and its baseline if it names one; paths are beside it. FormatError with the place."""
    tomllib = _tomllib()
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise FormatError(path, None, f"cannot be opened: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise FormatError(path, None, "is not UTF-8; expected TOML") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise FormatError(path, int(line[1]) if line else None, f"is no TOML: {error}") from None
    found = {}
    unknown = set(table) - {"baseline", "corpora"}
    if unknown:
        raise FormatError(path, None, f"found {min(unknown)!r}; expected baseline and corpora")
    for name, value in _table(path, "corpora", table.get("corpora")).items():
        place = f"corpora.{name}"
        corpus = _table(path, place, value)
        if set(corpus) != {"key", "responses"}:
            raise FormatError(path, None, f"{place}: found {', '.join(corpus) or 'nothing'}; expected key and responses")
        responses = _table(path, f"{place}.responses", corpus["responses"])
        files = {"key": corpus["key"], **{f"responses.{system}": file for system, file in responses.items()}}
        for what, file in files.items():
            if not isinstance(file, str) or not file:
                raise FormatError(path, None, f"{place}.{what}: found {shortened(repr(file))}; expected the name of a file")
        found[name] = Files(_beside(path, corpus["key"]), {s: _beside(path, file) for s, file in responses.items()})
        first = next(iter(found.values()))
        if set(responses) != set(first.responses):
            systems = ", ".join(first.responses)
            raise FormatError(path, None, f"{place}.responses: found {', '.join(responses)}; expected {systems}, as before")
    baseline = table.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise FormatError(path, None, f"baseline: found {shortened(repr(baseline))}; expected the name of a system")
    return found, baseline


def _tomllib() -> Any:
    """The reader of TOML: Python's since 3.11, before that `tomli`."""
    for name in ("tomllib", "tomli"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise MissingExtraError("a TOML file on Python 3.10", "toml")


def _beside(path: str, file: str) -> str:
    """The path of a file that the TOML file names; - is standard input."""
    return file if file == "-" else os.path.join(os.path.dirname(path), file)


def _table(path: str, place: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        found = "nothing" if not value else shortened(repr(value))
        raise FormatError(path, None, f"{place}: found {found}; expected a table with at least one entry")
    return value
