"""What a path is, as far as it must be known before it is opened: Parquet files are read as columns, counts files as counts."""

from __future__ import annotations

import os
from typing import NamedTuple

from referee.formats.shared.source import PARQUET

KEY = "referee.counts"
"""Under which the metadata of a counts file stand."""

ENDING = ".parquet"


class Stored(NamedTuple):
    """A counts file, which stands for the scores of a key and a response; `referee.read_counts` reads it."""

    path: str

    @property
    def kind(self) -> str:
        """As of any input."""
        return "counts"


def is_counts_file(path: object) -> bool:
    """Whether a path is that of a counts file; decided without pyarrow, by the end of the file."""
    if not (isinstance(path, (str, os.PathLike)) and os.fspath(path).endswith(ENDING) and os.path.isfile(path)):
        return False
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 8))
        length = int.from_bytes(file.read(4), "little")
        file.seek(max(0, end - 8 - length))
        return KEY.encode() in file.read(length)


def parquet_paths(value: object) -> list[str] | None:
    """Return the paths or URLs that a value is, of Parquet files or folders of them; None if it is anything else."""
    if isinstance(value, (list, tuple)):
        are_paths = value and all(isinstance(path, (str, os.PathLike)) and _is_url_or_ends(os.fspath(path)) for path in value)
        return list(map(os.fspath, value)) if are_paths else None
    if not isinstance(value, (str, os.PathLike)):
        return None
    path = os.fspath(value)
    if os.path.isdir(path):
        names = (name for _, _, names in os.walk(path) for name in names)
        return [path] if any(name.endswith(PARQUET) for name in names) else None
    return [path] if "://" in path or (os.path.isfile(path) and _begins_as_parquet(path)) else None


def _is_url_or_ends(path: str) -> bool:
    return path.endswith(PARQUET) or "://" in path


def _begins_as_parquet(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False
