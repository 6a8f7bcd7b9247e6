"""Folders for rows that do not fit into memory: in the spill folder, and gone with the program, however it ends.

A program that is killed removes nothing. So each folder has a lock that ends with its program, and who makes the next folder
there removes those whose lock has ended.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress

from referee.basics.exceptions import EngineError
from referee.basics.files import temporary

NAME = re.compile(r"referee-[0-9a-f]{16}(?:\.gone)?")
LOCK = "in use"
NEW = 60.0
"""Seconds for which a folder may have no lock yet."""

_locks: dict[str, int] = {}
"""The open lock of each folder of this process."""


def new_folder(parent: str) -> str:
    """Return a new folder in the spill folder, which is removed when the program ends, however it does.

    Raises
    ------
    EngineError
        If none can be made there.
    """
    _remove_left_behind(parent)
    folder = os.path.join(parent, f"referee-{os.urandom(8).hex()}")
    temporary.add(folder)
    try:
        os.mkdir(folder, 0o700)
        _locks[folder] = os.open(os.path.join(folder, LOCK), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        remove_folder(folder)
        problem = f"no folder can be made in the spill folder {parent}: {(error.strerror or '').lower()}"
        raise EngineError(f"{problem}; expected one that can be written: use --spill") from None
    _locked(_locks[folder])
    return folder


def remove_folder(folder: str) -> None:
    """Remove a folder that was made here."""
    if (lock := _locks.pop(folder, None)) is not None:
        os.close(lock)
    shutil.rmtree(folder, ignore_errors=True)
    temporary.discard(folder)


def _remove_left_behind(parent: str) -> None:
    """Remove the folders of this user whose programs were killed."""
    with suppress(OSError):
        for entry in list(os.scandir(parent)):
            if NAME.fullmatch(entry.name) and entry.path not in temporary and _is_left_behind(entry):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left_behind(entry: os.DirEntry[str]) -> bool:
    """Whether a folder has a lock that no program holds, or has had none for a while."""
    try:
        about = entry.stat(follow_symlinks=False)
        if not entry.is_dir(follow_symlinks=False) or not hasattr(os, "getuid") or about.st_uid != os.getuid():
            return False
        if abs(time.time() - about.st_mtime) < NEW:
            return False
        lock = os.open(os.path.join(entry.path, LOCK), os.O_RDWR)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        return _locked(lock)
    finally:
        os.close(lock)


def _locked(file: int) -> bool:
    """Lock an open file, and return whether nobody else has; False where files cannot be locked."""
    if not hasattr(os, "lockf"):  # Windows
        return False
    try:
        os.lockf(file, os.F_TLOCK, 0)
    except OSError:
        return False
    return True
