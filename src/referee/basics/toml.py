"""Files of TOML: `read_toml`."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from types import ModuleType

from referee.basics.exceptions import FormatError, MissingExtraError


def read_toml(path: str) -> dict[str, object]:
    """Return the content of a TOML file.

    Raises
    ------
    FormatError
        If it cannot be read, with the line.
    MissingExtraError
        If Python has no reader of TOML.
    """
    tomllib = _tomllib()
    try:
        with open(path, "rb") as file:
            return dict(tomllib.load(file))
    except OSError as error:
        raise FormatError(path, None, f"cannot be opened: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise FormatError(path, None, "is not UTF-8; expected TOML") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise FormatError(path, int(line[1]) if line else None, f"is no TOML: {error}") from None


def _tomllib() -> ModuleType:
    """The reader of TOML: Python's since 3.11, before that `tomli`."""
    for name in ("tomllib", "tomli"):
        with suppress(ModuleNotFoundError):
            return import_module(name)
    raise MissingExtraError("a TOML file on Python 3.10", "toml")
