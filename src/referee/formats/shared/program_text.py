"""Whether a text is a program: brackets and bars have other meanings there than in notations of mentions."""

from __future__ import annotations

import re

FIRST = re.compile(r"\s*(#!|<\?php|#\s*global\.columns\b|#include\b)")
LINE = re.compile(
    r'(?:[;{}\\]|\*/)$|\t[^\t]*\t|^\s*(?://|/\*|\*/|\* |dnl |\.\\"|#\w+ ?<|""")'
    r"|^\s*(?:def|class|import|from|if|for|return|elif) (?:.*[:)\w])?$"
)
"""How lines of programs begin or end, and rows of tables with several columns."""


def is_code(text: str) -> bool:
    r"""Whether a text is a program, or a table of several columns: so a quarter of its lines are, or its first says so.

    >>> is_code("#!/bin/sh"), is_code("int a;\nint b;\nreturn a;"), is_code("Ann left; Bo stayed.")
    (True, True, False)
    """
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    return FIRST.match(text) is not None or 4 * sum(map(bool, map(LINE.search, lines))) > len(lines) > 2
