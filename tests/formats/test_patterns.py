"""No pattern takes time that grows with the square of a text, whatever the text."""

import re
from importlib import import_module
from itertools import permutations, product
from pkgutil import walk_packages

import pytest

import referee.formats
import referee.phrases.formats
from referee.basics.exceptions import FormatError, MissingExtraError
from referee.formats.shared.source import Source
from referee.inputs.reading import read
from referee.inputs.registry import FORMATS, load_format
from tests.support.mutations import limited

LENGTH = 8000
"""Characters: steps as many as its square take more than a tenth of a second, and those of the length a millisecond."""
SECONDS = 0.1
SIGNS = 'a1 \n\t"\\-:=,;{}()<>[]|#/*.T'
UNITS = [
    *SIGNS,
    *map("".join, permutations('a "\\=,{(|T', 2)),
    "(a|",
    "{a:b=",
    "a=b,",
    "<a b=",
    '"a":',
    '{"a":',
    "[{",
    "T1\t",
    "1 2;",
]


def patterns():
    """The compiled patterns of all readers."""
    for package in (referee.formats, referee.phrases.formats):
        for found in walk_packages(package.__path__, package.__name__ + "."):
            try:
                values = vars(import_module(found.name)).values()
            except (ImportError, MissingExtraError):
                continue
            yield from (value for value in values if isinstance(value, re.Pattern))


@pytest.mark.extras
def test_patterns_that_match_from_the_start():
    found = {(pattern.pattern, pattern.flags): pattern for pattern in patterns()}
    assert len(found) > 50
    for pattern in found.values():
        for unit, end in product(UNITS, ("", "\0")):
            text = unit * (LENGTH // len(unit)) + end
            with limited(SECONDS):
                pattern.match(text if isinstance(pattern.pattern, str) else text.encode())
                pattern.fullmatch(text if isinstance(pattern.pattern, str) else text.encode())


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("docbin", "parquet", "arrow")])
def test_formats_are_recognised_in_a_moment(name):
    sniff = load_format(name).sniff
    starts = ("", "#1\t\n", '{"', "{a ")
    for unit, start in product(UNITS, starts):
        with limited(SECONDS):
            sniff(start + unit * (LENGTH // len(unit)))


@pytest.mark.parametrize(
    ("name", "unit", "problem"),
    [
        *(("conll", unit, "found .* in the last column") for unit in ("(", ")", "a", "|", "(a|", "1)")),
        ("conll", "(a", "entity a is opened but never closed"),
        ("sacr", '{a:b="\\"', "found .*; expected a name and a blank behind the brace"),
    ],
)
def test_long_cells_are_refused_in_a_moment(name, unit, problem):
    text = f"#begin document (a)\na\t{unit * 60_000}x\n"
    with limited(5), pytest.raises(FormatError, match=f"^x:2: {problem}"):
        read(Source("x", text.encode()), format=name)


@pytest.mark.parametrize(
    ("name", "tag"), [("corenlp", "<root%s/>"), ("ecb", '<Document doc_name="x"%s/>'), ("uima", "<xmi:XMI xmlns:xmi='x'%s/>")]
)
def test_a_tag_of_100_000_attributes_is_closed_or_refused_in_a_moment(name, tag):
    text = (tag % "".join(f' a{n}="x"' for n in range(100_000))).encode()
    with limited(3):
        if name == "uima":
            with pytest.raises(FormatError, match="x: has no Sofa"):
                read(Source("x", text), format=name)
        else:
            assert not len(read(Source("x", text), format=name).document)
    with limited(3), pytest.raises(FormatError, match=r"x:1: .*(XML|end)"):
        read(Source("x", text.replace(b"/>", b">")), format=name)
