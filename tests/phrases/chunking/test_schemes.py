"""Which scheme tags follow, and which tags a strict scheme leaves out."""

import warnings

import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import OptionError, RefereeWarning
from referee.phrases.chunking.iob import RULES, decode, encode
from referee.phrases.chunking.schemes import are_plain, scheme_of
from tests.phrases.chunking.test_iob import SCHEMES, flat
from tests.support.examples import examples


@pytest.mark.parametrize("scheme", SCHEMES)
@given(chunks=flat())
def test_tags_of_a_scheme_follow_it_or_one_with_fewer_prefixes(scheme, chunks):
    tags = encode(chunks, scheme)
    found = scheme_of(tags)
    if found in RULES:
        assert decode(tags, found, count_unused=False).triples() == chunks.triples()
    else:
        assert scheme in ("IOB1", "IOE1") if found else not len(chunks)


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("B-X I-X O", "IOB2"),
        ("I-X B-X O", "IOB1"),
        ("I-X I-X O", "IO"),
        ("X X O Y", "IO"),
        ("I-X E-X E-X", "IOE2"),
        ("I-X E-X I-X O", "IOE1"),
        ("B-X E-X S-X", "IOBES"),
        ("B-X L-X U-X", "BILOU"),
        ("B-X M-X E-X W-X", "BMEWO"),
        ("B-X I-Y O", "mixed"),
        ("B-X L-X S-X", "mixed"),
        ("O O", ""),
    ],
)
def test_the_scheme_is_told(tags, scheme):
    assert scheme_of([tags.split()]) == scheme


def test_words_are_no_categories():
    assert not are_plain(["O", *map(str, range(1000))])
    assert not are_plain(["NP", "VP"])


@given(st.lists(st.lists(st.sampled_from(["O", *(f"{p}-{x}" for p in "BI" for x in "XY")]), max_size=8), max_size=4))
@examples(1)
def test_each_tag_is_in_a_chunk_or_counted(tags):
    """Counted by hand in IOB2: an I whose tag before is neither B nor I of its category, or is itself left out."""
    left_out = 0
    for sentence in tags:
        before = "O"
        for tag in sentence:
            wrong = tag[0] == "I" and before[2:] != tag[2:]
            left_out += wrong
            before = "O" if wrong else tag
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        chunks = decode(tags, "IOB2")
    assert int(chunks.length.sum()) + left_out == sum(tag != "O" for sentence in tags for tag in sentence)
    told = [str(each.message) for each in caught]
    assert [text.split("left out ")[1].split()[0] for text in told] == ([str(left_out)] if left_out else [])


def test_the_first_tag_left_out_is_named():
    expected = "a.txt:7: left out 2 tags not legal in IOB2 in their places (I-X)"
    with pytest.warns(RefereeWarning) as caught:
        decode([["B-X", "O"], ["I-X", "I-X"]], "IOB2", source="a.txt", lines=[3, 4, 7, 8])
    assert [str(each.message).partition(";")[0] for each in caught] == [expected]
    with pytest.warns(RefereeWarning, match="the first at word 1 of sentence 2"):
        decode([["B-X", "O"], ["I-X", "I-X"]], "IOB2")


def test_io_has_no_prefix_but_i():
    assert decode([["PER", "PER", "O", "LOC", "PER"]], "IO").triples() == [[("PER", 0, 2), ("LOC", 3, 4), ("PER", 4, 5)]]
    assert decode([["I-PER", "I-PER", "O", "O"]], "IO").triples() == [[("PER", 0, 2)]]
    assert decode([["art-film", "O"]], "IO").triples() == [[("art-film", 0, 1)]]
    with pytest.raises(OptionError, match="found the tag 'B-PER'; expected O, or a category, as in PER or I-PER"):
        decode([["PER", "B-PER"]], "IO")
    with pytest.raises(OptionError, match="found X after X at word 1; expected none in tags of IO"):
        encode(decode([["B-X", "B-X"]]), "IO")
