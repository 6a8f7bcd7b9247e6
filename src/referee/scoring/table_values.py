"""Which values may be label tables: a look that costs nothing where they are not."""

from __future__ import annotations

import os

from referee.formats.shared.source import PARQUET


def may_be_tables(key: object, response: object, key_format: str | None = None, response_format: str | None = None) -> bool:
    """Whether both may be tables of columns: Parquet, or a value of a library; their columns have not been looked at."""
    return {key_format, response_format} <= {None, "parquet"} and may_be_table(key) and may_be_table(response)


def may_be_table(value: object) -> bool:
    """Whether one may be a table of columns."""
    giving = ("__arrow_c_stream__", "to_table", "collect_schema", "with_format", "to_pyarrow_dataset", "may_be_ordered")
    return parquet_paths(value) is not None or any(hasattr(value, name) for name in giving)


def parquet_paths(value: object) -> list[str] | None:
    """Return the paths or URLs that a value is, of Parquet files or folders of them; None if it is anything else."""
    if isinstance(value, (list, tuple)):
        paths = [os.fspath(path) for path in value if isinstance(path, (str, os.PathLike))]
        return paths if paths and len(paths) == len(value) and all(_is_url_or_ends(path) for path in paths) else None
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
