"""A corpus from whatever people hold: paths, corpora, objects of other libraries, plain values."""

from __future__ import annotations

import os
import threading

from referee import progress
from referee.corpus import Corpus
from referee.exceptions import OptionError
from referee.formats.reading import read
from referee.formats.shared.source import Source

PARQUET = (".parquet", ".parq")
"""How the names of the Parquet files of a folder end."""


def read_both(
    key: object, response: object, key_format: str | None = None, response_format: str | None = None
) -> tuple[Corpus, Corpus]:
    """Read a key and a response, two files at the same time: NumPy does most of the reading and lets other threads run.

    Raises
    ------
    OptionError
        If both are standard input.
    FormatError
        If one cannot be read; that of the key if neither can.
    """
    if isinstance(key, str) and isinstance(response, str) and key == response == "-":
        raise OptionError("key and response cannot both be standard input; expected a file for one of them")
    found: list[Corpus | Exception] = []

    def read_response() -> None:
        try:
            found.append(read_corpus(response, response_format, "response"))
        except Exception as error:  # noqa: BLE001  # raised again below, in the thread that asked
            found.append(error)

    thread = threading.Thread(target=read_response)
    thread.start()
    try:
        k = read_corpus(key, key_format, "key")
    finally:
        thread.join()
    if isinstance(found[0], Exception):
        raise found[0]
    return k, found[0]


def may_be_tables(key: object, response: object, key_format: str | None = None, response_format: str | None = None) -> bool:
    """Whether both may be tables of columns: Parquet, or a value of a library; their columns have not been looked at."""
    return {key_format, response_format} <= {None, "parquet"} and _may_be_table(key) and _may_be_table(response)


def _may_be_table(value: object) -> bool:
    giving = ("__arrow_c_stream__", "to_table", "collect_schema", "with_format")
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


def read_corpus(value: object, format: str | None = None, role: str = "key") -> Corpus:
    """A corpus from whatever `score` accepts."""
    if isinstance(value, Corpus):
        return value
    if isinstance(value, (str, os.PathLike, Source)):
        progress.step(f"reading {value if isinstance(value, str) else role}")
        return read(value, format=format, role=role)
    from referee.formats.load.values import corpus_of_value  # many formats, of use only here

    return corpus_of_value(value, f"<{role}>", role)
