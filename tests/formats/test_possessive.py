"""Patterns with possessive quantifiers match the same without them, as Python 3.10 needs it."""

import itertools
import re
import sys

import pytest

from referee.formats import muc
from referee.formats.conll import lines as conll_lines
from referee.formats.corefud import entity as corefud_entity
from referee.formats.shared import json_values
from referee.formats.shared.possessive import greedy
from tests.support.paths import ROOT

PATTERNS = {
    "cell": (conll_lines.CELL, 0, "(1)|-"),
    "value": (corefud_entity.VALUE.pattern, 0, "(a)b"),
    "piece": (json_values.PIECE.pattern, json_values.PIECE.flags, '"\\a:{'),
    "tag": (muc.TAG.pattern, muc.TAG.flags, '<a "/>'),
    "attribute": (muc.ATTRIBUTE.pattern, 0, ' a="1'),
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no possessive quantifiers")
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_the_same_without_possessive_quantifiers(name):
    text, flags, letters = PATTERNS[name]
    possessive, without = re.compile(text, flags), re.compile(greedy(text), flags)
    assert without.pattern != text
    for length in range(7):
        for tried in map("".join, itertools.product(letters, repeat=length)):
            assert bool(possessive.fullmatch(tried)) == bool(without.fullmatch(tried)), tried


@pytest.mark.parametrize("name", ["cell", "value"])
def test_a_long_cell_is_refused_at_once_also_without_possessive_quantifiers(name):
    cells = re.compile(greedy(PATTERNS[name][0]))
    assert cells.fullmatch("".join(f"({n})" for n in range(20_000)))
    assert not cells.fullmatch("".join(f"({n})" for n in range(20_000)) + "x")
    assert not cells.fullmatch("(" + "9" * 100_000 + "x(")


def test_only_compiled_takes_possessive_quantifiers():
    wrong = re.compile(r"(re\.\w+|search|match|fullmatch)\(r?b?f?['\"].*(?<!\\)[*+?]\+")
    for path in (ROOT / "src").rglob("*.py"):
        assert not wrong.search(path.read_text(encoding="utf-8")), path
