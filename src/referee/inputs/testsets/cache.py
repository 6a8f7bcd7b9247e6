"""Where test sets are kept, and whether they are what they should be."""

from __future__ import annotations

import os
import sys
from hashlib import sha256

from referee.basics.exceptions import DownloadError, check_name
from referee.inputs.testsets.registry import ENTRIES, Entry

PREFIX = "testset:"
"""What a name of a test set begins with, in place of a file."""


def folder() -> str:
    """Return the folder of all test sets: ``REFEREE_CACHE``, or the cache of the user."""
    home = os.environ.get("REFEREE_CACHE")
    if home:
        return os.path.join(home, "testsets")
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    elif sys.platform == "darwin":
        caches = os.path.join(os.path.expanduser("~"), "Library", "Caches")
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "referee", "testsets")


def path(name: str) -> str:
    """Return the path of a test set that was downloaded: a file, or a folder of files. It opens no connection.

    Parameters
    ----------
    name : str
        One of `ENTRIES`.

    Raises
    ------
    UnknownNameError
        For another name.
    DownloadError
        If it was not downloaded, or was changed since.
    """
    check_name("test set", name, ENTRIES)
    place = _place(name)
    remedy = f"expected it to be downloaded: referee testsets {name} --download"
    if not os.path.exists(place):
        raise DownloadError(f"{PREFIX}{name} is not on this machine; {remedy}")
    if digest(place) != ENTRIES[name].digest:
        raise DownloadError(f"{place} is not what was downloaded; {remedy} again")
    return place


def is_here(name: str) -> bool:
    """Whether a test set was downloaded."""
    return os.path.exists(_place(name))


def resolved(text: str) -> str:
    """Return the path of a test set where its name is given in place of a file, as ``testset:gap-test``; else the text."""
    return path(text.removeprefix(PREFIX)) if text.startswith(PREFIX) else text


def _place(name: str) -> str:
    return os.path.join(folder(), name, file_name(ENTRIES[name]))


def file_name(entry: Entry) -> str:
    """What the file, or the folder, of a test set is called."""
    return (entry.members or entry.url).rpartition("/")[2]


def digest(place: str) -> str:
    """Return the digest of a file, or of the files of a folder."""
    if not os.path.isdir(place):
        with open(place, "rb") as file:
            return sha256(file.read()).hexdigest()
    names = sorted(os.listdir(place), key=os.fsencode)
    lines = (f"{digest(os.path.join(place, name))}  {name}\n" for name in names)
    return sha256("".join(lines).encode()).hexdigest()
