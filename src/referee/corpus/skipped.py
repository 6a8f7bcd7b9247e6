"""`SkippedFiles`: what is not in a corpus because files of its folder cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple


class UnreadFile(NamedTuple):
    """A file that cannot be read.

    Parameters
    ----------
    name : str
        Its path in the folder, without the ending: what a document in it without a name would be called.
    documents : frozenset of str
        Its documents, as far as their names can be read.
    """

    name: str
    documents: frozenset[str]


@dataclass(frozen=True, slots=True)
class SkippedFiles:
    """What is not in a corpus because files cannot be read, of its own folder or of that which it is scored with.

    Parameters
    ----------
    files : tuple of UnreadFile
        The files of its own folder that cannot be read.
    left_out : mapping
        Documents that were left out as the other side has them in a file that cannot be read -> the name of that file.
    """

    files: tuple[UnreadFile, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
