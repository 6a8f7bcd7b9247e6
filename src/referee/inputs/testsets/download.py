"""A test set, fetched from where its authors publish it. The one place that opens a connection."""

from __future__ import annotations

import http.client
import os
import shutil
import tarfile
import urllib.error
import urllib.request
from io import BytesIO
from tempfile import mkdtemp

from referee.basics import progress
from referee.basics.exceptions import DownloadError, check_name, one_line
from referee.basics.files import reported, temporary
from referee.inputs.testsets.cache import digest, file_name, folder
from referee.inputs.testsets.registry import ENTRIES, Entry

SECONDS = 60
"""That a server may keep silent."""

MOST = 4
"""Times the size of a download, which it may not exceed; unpacked ten times that."""


def download(name: str, *, url: str | None = None) -> str:
    """Download a test set into the cache, and return its path: a file, or a folder of files.

    Parameters
    ----------
    name : str
        One of `ENTRIES`.
    url : str or None
        A mirror; None for where its authors publish it. The content must be the same.

    Raises
    ------
    UnknownNameError
        For another name.
    DownloadError
        If it cannot be had, or is not what it should be. Then nothing is kept.
    OptionError
        If the cache cannot be written.
    """
    check_name("test set", name, ENTRIES)
    entry, target = ENTRIES[name], os.path.join(folder(), name)
    source = url or entry.url
    content = _fetched(source, MOST * entry.size)
    with reported(folder()):
        os.makedirs(folder(), exist_ok=True)
        partial = mkdtemp(prefix=".partial-", dir=folder())
        temporary.add(partial)
        try:
            _write(entry, content, partial, source)
            if (got := digest(os.path.join(partial, file_name(entry)))) != entry.digest:
                raise DownloadError(f"{one_line(source)}: found content with SHA-256 {got}; expected {entry.digest}")
            if os.path.exists(target):
                shutil.rmtree(target)
            os.replace(partial, target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
            temporary.discard(partial)
    return os.path.join(target, file_name(entry))


def _fetched(url: str, most: int) -> bytes:
    """The content of an address; not more than `most` bytes."""
    if not url.startswith(("https://", "http://")):
        raise DownloadError(f"{one_line(url)}: expected an address that begins with https:// or http://")
    progress.step(f"downloading {url}")
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:  # noqa: S310  # checked above
            content: bytes = answer.read(most + 1)
    except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it is an answer, too
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise DownloadError(f"{one_line(url)} cannot be downloaded: {one_line(reason)}") from None
    if len(content) > most:
        raise DownloadError(f"{one_line(url)}: found more than {most:,} bytes; expected fewer")
    return content


def _write(entry: Entry, content: bytes, place: str, source: str) -> None:
    """Write the file, or those files of the archive that belong to the test set."""
    target = os.path.join(place, file_name(entry))
    if not entry.members:
        with open(target, "wb") as file:
            file.write(content)
        return
    os.mkdir(target)
    left = 10 * MOST * entry.size
    try:
        with tarfile.open(fileobj=BytesIO(content), mode="r:gz") as archive:
            for member in archive:
                left -= member.size
                if left < 0:
                    raise DownloadError(f"{one_line(source)}: found an archive that unpacks to too much")
                if member.isfile() and _is_wanted(member.name, entry.members):
                    stream = archive.extractfile(member)
                    assert stream is not None  # it is a file
                    with open(os.path.join(target, member.name.rpartition("/")[2]), "wb") as file:
                        shutil.copyfileobj(stream, file)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise DownloadError(f"{one_line(source)}: found no archive that can be unpacked: {one_line(error)}") from None


def _is_wanted(member: str, folder: str) -> bool:
    """Whether a member stands directly in a folder, below the first folder of its archive; its name is a plain one."""
    inner, _, name = member.partition("/")[2].rpartition("/")
    return inner == folder and name not in ("", ".", "..") and "\\" not in name and ":" not in name
