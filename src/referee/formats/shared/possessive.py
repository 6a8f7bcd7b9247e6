"""Patterns with possessive quantifiers (``*+``), which Python has from 3.11 on."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import AnyStr

QUANTIFIER = r"(?<!\\)([+*?])\+"


@cache
def compiled(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Compile a pattern that matches the same with and without possessive quantifiers.

    They only save time on damaged input, and not much: a pattern must have one way at most to match a text.
    """
    return re.compile(pattern if sys.version_info >= (3, 11) else greedy(pattern), flags)


def greedy(pattern: AnyStr) -> AnyStr:
    r"""The same pattern without possessive quantifiers.

    >>> greedy(r"a++\+b*+"), greedy(rb"(?:\)?+)++")
    ('a+\\+b*', b'(?:\\)?)+')
    """
    if isinstance(pattern, str):
        return re.sub(QUANTIFIER, r"\1", pattern)
    return re.sub(QUANTIFIER.encode(), rb"\1", pattern)
