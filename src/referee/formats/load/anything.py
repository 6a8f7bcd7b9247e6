"""A corpus from whatever people hold: paths, corpora, objects of other libraries, plain values."""

from __future__ import annotations

import os
import threading

from referee import progress
from referee.corpus import Corpus
from referee.exceptions import OptionError
from referee.formats.reading import read
from referee.formats.shared.source import Source


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

    thread = threading.Thread(target=read_response, daemon=True)  # Ctrl-C does not wait for it
    try:
        thread.start()
    except RuntimeError:  # there are no threads, as in a browser
        return read_corpus(key, key_format, "key"), read_corpus(response, response_format, "response")
    try:
        k = read_corpus(key, key_format, "key")
    except Exception:
        thread.join()
        raise
    thread.join()
    if isinstance(found[0], Exception):
        raise found[0]
    return k, found[0]


def read_corpus(value: object, format: str | None = None, role: str = "key") -> Corpus:
    """A corpus from whatever `score` accepts."""
    if isinstance(value, Corpus):
        return value
    if isinstance(value, (str, os.PathLike, Source)):
        progress.step(f"reading {value if isinstance(value, str) else role}")
        return read(value, format=format, role=role)
    from referee.formats.load.values import corpus_of_value  # many formats, of use only here

    return corpus_of_value(value, f"<{role}>", role)
