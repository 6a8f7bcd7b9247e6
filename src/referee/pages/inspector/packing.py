"""Compressed JSON of pieces, so that what many pages have in common is compressed once.

Each piece is a run of DEFLATE blocks that ends at a byte and refers to no other piece (RFC 1951). Pieces one after the other,
with a header and a checksum, are one member of gzip (RFC 1952), which every browser reads.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

Json: TypeAlias = "str | bytes | int | float | Sequence[Json] | Mapping[str, Json] | None"
"""Bytes are JSON that is already written."""

Record: TypeAlias = dict[str, Json]
"""What `assets/payload.d.ts` calls by a name."""

LEVEL = 2
"""Of compression: level 4 makes pages 7 to 10 % smaller, and takes half as long again."""
HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
LAST = b"\x03\0"
"""An empty last block."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a text."""

    text: bytes

    @cached_property
    def packed(self) -> bytes:
        """The part compressed alone."""
        deflate = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
        return deflate.compress(self.text) + deflate.flush(zlib.Z_FULL_FLUSH)


@cache
def between(text: str) -> Piece:
    """The piece of what stands between others."""
    return Piece(text.encode())


def json_of(value: Json) -> bytes:
    """Write a value as JSON; what is written already may be a value of an object, but not of a list."""
    if isinstance(value, bytes):
        return value
    return b"{%b}" % members(value) if isinstance(value, dict) else _encoded(value).encode()


_encoded = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@cache
def named(name: str) -> bytes:
    """What JSON has before a value of an object."""
    return b"%b:" % json_of(name)


def written(value: Json) -> Piece:
    """The piece of a value as JSON."""
    return Piece(json_of(value))


def members(record: Record) -> bytes:
    """What JSON has between the braces of an object."""
    return b",".join([named(name) + json_of(value) for name, value in record.items()])


def listed(pieces: Iterable[Piece]) -> list[Piece]:
    """Put commas between values."""
    return [each for piece in pieces for each in (between(","), piece)][1:]


def gzipped(pieces: Iterable[Piece]) -> bytes:
    """Compress pieces together, which is smaller."""
    return joined([Piece(b"".join(piece.text for piece in pieces))])


def joined(pieces: Iterable[Piece]) -> bytes:
    """Compress pieces alone, each once for all pages that have it."""
    size = crc = 0
    packed = [HEADER]
    for piece in pieces:
        size, crc = size + len(piece.text), zlib.crc32(piece.text, crc)
        packed.append(piece.packed)
    return b"".join((*packed, LAST, struct.pack("<LL", crc, size % (1 << 32))))


class Shared:
    """Pieces that several pages have in common, made once."""

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[object, Piece]] = {}

    def once(self, place: Hashable, source: object, make: Callable[[], Piece]) -> Piece:
        """Return the piece of a place, which is made again where it is to be made of something else."""
        if place not in self._made or self._made[place][0] != source:
            self._made[place] = source, make()
        return self._made[place][1]
