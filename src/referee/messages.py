"""Words and lengths in messages: numbers with their nouns, lists, names cut to a length."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TextIO

LONGEST = 300
"""Characters of a message, beyond which its middle is left out: a file may bring along names of any length."""


def columns(out: TextIO) -> int:
    """The width of a terminal in characters, at least 20; 80 where it states none, and where there is no terminal."""
    try:
        width = int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(out.fileno()).columns
    except (OSError, ValueError):
        width = 0
    return max(width, 20) if width > 0 else 80


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "document"), counted(2, "document"), counted(0, "entity")
    ('1 document', '2 documents', '0 entities')
    """
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun}"


def listed(things: Sequence[str]) -> str:
    """Things in a sentence.

    >>> listed(["heads"]), listed(["heads", "types", "words"])
    ('heads', 'heads, types and words')
    """
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


def shortened(text: str, length: int = 40) -> str:
    """The beginning of a text, for messages.

    >>> shortened("abcdef", 3)
    'abc…'
    """
    return text if len(text) <= length else text[:length] + "…"


def one_line(text: object) -> str:
    r"""The text without the line breaks and control characters that a file name, a document name or a token may bring along.

    >>> print(one_line("two\nlines"))
    two\nlines
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))
