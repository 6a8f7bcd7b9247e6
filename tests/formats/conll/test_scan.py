"""The parts of the fast reader of CoNLL, each against the same in plain Python."""

import io
import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.formats import conll
from referee.formats.conll import scan as conll_scan
from referee.formats.conll.lines import header
from referee.formats.conll.scan import (
    MARGIN,
    NEW_FILE,
    SPARE,
    Scan,
    UnusualError,
    _last_column as last_column,
    _line_digests as line_digests,
    _texts as texts_of_ids,
    blocks,
    documents_of_files,
    is_stray_header,
    is_utf8,
    words_at,
)
from referee.formats.shared.brackets import pair
from referee.formats.shared.source import Source
from tests.support.warned import recorded


def _refuse(line, problem):
    raise AssertionError((line, problem))


@pytest.mark.parametrize(
    "text",
    [
        *("w 1)\n", "w x\n", "w (1\n", "1 a -\n2-3 b -\n", "w (1)\n#begin document (a)\nw (1)\n", "w (1)\x0b(2)\n"),
        "d 0 0 Ann NN (1)\n# 0 0 Ann NN (1)\n",
    ],
)
def test_what_is_wrong_or_odd_is_read_line_by_line(text):
    with pytest.raises(UnusualError):
        Scan(header).read(io.BytesIO(text.encode()))


LENGTHS = [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 130, 200, 255, 256, 257, 258, 263, 264, 265, 300]


def placed(lines):
    """Lines in a block as `blocks` gives it, and where each begins and ends."""
    data = b"\n" * MARGIN + b"".join(line + b"\n" for line in lines) + b"x" * SPARE
    end = MARGIN + np.cumsum([len(line) + 1 for line in lines]) - 1
    return np.frombuffer(data, dtype=np.uint8), end - [len(line) for line in lines], end


@pytest.mark.parametrize("blank", [b" ", b"\t"])
@pytest.mark.parametrize("length", LENGTHS)
def test_the_last_column_is_what_is_behind_the_last_blank(length, blank):
    lines = [b"a" * length, b"ab" + blank + b"x" * length, b"\xff!" + blank + b"(" * length, blank + b"~" * length]
    lines += [b"w" + blank + b"\x80" * n + b"!" * (length - n) for n in range(min(length, 9))]
    data, start, end = placed(lines)
    found = [data[c:e].tobytes() for c, e in zip(last_column(data, start, end), end, strict=True)]
    assert found == [line.rsplit(blank)[-1] for line in lines]


@pytest.mark.parametrize("length", LENGTHS)
def test_lines_that_differ_in_a_byte_or_in_their_length_have_other_digests(length):
    line = bytes(random.Random(length).choices(range(1, 256), k=length)).replace(b"\n", b"x")
    others = {line[:n] + bytes([line[n] ^ 128 or 1]) + line[n + 1 :] for n in range(length)} | {line[:-1], line + b"\x01"}
    others |= {line[1:] + line[:1]} - {line}
    lines = [line, *others, line]
    data, start, end = placed(lines)
    digests = line_digests(data, start, end).tolist()
    assert digests[0] == digests[-1]  # whatever stands around it
    assert len({*digests}) == len({*lines})
    assert line_digests(data, start[:1], end[:1]).tolist() == digests[:1]  # whatever other lines are digested


@given(
    st.lists(
        st.sampled_from(
            [b"a", b"\n", b"\xc3\xa9", b"\xc3", b"\xa9", b"\xe2\x82\xac", b"\xe2\x82", b"\xff", b"\xf0\x9f\x8d\x90"]
        )
    )
)
def test_bytes_are_utf8_if_they_can_be_decoded(parts):
    data = b"".join(parts)
    try:
        data.decode()
    except UnicodeDecodeError:
        assert not is_utf8(np.frombuffer(data, dtype=np.uint8))
    else:
        assert is_utf8(np.frombuffer(data, dtype=np.uint8))


@pytest.mark.parametrize("data", [b"\xc3a\xa9", b"ab\xc3a\xa9", b"\xe2a\x82\xac", b"\xc3\n", b"\xe2\x82", b"a\xa9"])
def test_pieces_of_a_letter_around_another_one_are_no_utf8(data):
    assert not is_utf8(np.frombuffer(data, dtype=np.uint8))


class Slow(io.BytesIO):
    """Gives as few bytes as asked for, like a pipe."""

    def __init__(self, data, most):
        super().__init__(data)
        self.most = most

    def readinto(self, buffer):
        return super().readinto(buffer[: self.most])


@pytest.mark.parametrize("most", [1, 7, 1 << 20])
@pytest.mark.parametrize("block", [1, 13, 40, 100, 1000])
def test_blocks_are_whole_lines_one_after_another(block, most, monkeypatch):
    monkeypatch.setattr(conll_scan, "BLOCK", block + SPARE + 1)
    draw = random.Random(block)
    for number in range(12):
        lines = [b"x" * draw.choice([0, 1, 3, 12, 13, 14, 39, 40, 41, 250]) for _ in range(number)]
        text = b"\n".join(lines)
        read = []
        for data in blocks(Slow(text, most)):
            whole = data.tobytes()
            assert whole[:MARGIN] == b"\n" * MARGIN
            assert whole[-SPARE - 1 : -SPARE] == b"\n"
            read.append(whole[MARGIN:-SPARE])
        assert b"".join(read) == text + (b"" if text.endswith(b"\n") or not text else b"\n")


def test_lines_without_an_end_are_read(monkeypatch):
    monkeypatch.setattr(conll_scan, "BLOCK", 10)
    (block,) = blocks(io.BytesIO(b"x" * 1000))
    assert block[MARGIN:-SPARE].tobytes() == b"x" * 1000 + b"\n"


@pytest.mark.parametrize("blanks", [0, 1, 16, 17, 40])
def test_blanks_at_the_end_of_a_line_are_not_of_its_last_column(blanks):
    found = Scan(header).read(io.BytesIO(b"w (!" + b" " * blanks + b"\nw !)\n"))
    assert list(found.labels) == ["!"]
    assert (found.start.tolist(), found.end.tolist()) == ([0], [2])


def test_entities_go_by_their_first_brackets_and_at_one_token_those_of_one_token_are_the_first():
    found = Scan(header).read(io.BytesIO(b"w (1|(2)|(3\nw (4)|1)|3)\n"))
    assert list(found.labels) == ["2", "1", "3", "4"]
    assert list(Scan(header).read(io.BytesIO(b"w (5)\nw (6)\nw (5)\n")).labels) == ["5", "6"]


@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        (b"d 0 cat NN (2)\n# 0 Ann NN (1)\n", [2]),
        (b"w -\n# 0 Ann NN (1)\nd 0 cat NN (2)\n", [2]),
        (b"w -\n# 0 Ann NN (1)\n# 0 Bob NN (2)\nw -\n", []),
        (b"w -\n# 0 Ann NN (1)\n", []),
    ],
    ids=["behind the first line", "before the last line", "beside a comment", "at the end"],
)
def test_a_comment_may_be_a_token_if_one_beside_it_has_as_many_columns(text, unsure):
    with recorded() as caught:
        conll.read(Source("x", data=text), _refuse)
    assert [str(warning.message).partition(" left")[0] for warning in caught] == [f"x:{line}:" for line in unsure]


def test_a_bracket_that_closes_what_another_document_opened_is_alone():
    opens = np.array([True, True, True, False])
    assert pair(np.array([0, 0, 0, 1]), np.zeros(4, dtype=np.int64), opens, ~opens)[2].tolist() == [0, 1, 2, 3]


def test_a_bracket_that_closes_before_one_opens_is_alone():
    ones = np.array([1, 1])
    found = pair(ones, ones, np.array([False, True]), np.array([True, False]))
    assert [numbers.tolist() for numbers in found] == [[], [], [0, 1]]


@pytest.mark.parametrize("place", [0, 1, 5, -1])
def test_a_nul_byte_is_not_read(place):
    text = bytearray(b"one line\nanother\n")
    text[place] = 0
    with pytest.raises(UnusualError):
        list(blocks(io.BytesIO(bytes(text))))


def test_a_stretch_is_a_document_if_a_header_or_a_file_without_headers_begins_it():
    names = [NEW_FILE, "a", None, NEW_FILE, NEW_FILE, "b"]
    file, documents = documents_of_files([None, "x", None, "y"])
    assert (file.tolist(), documents) == ([0, 0, 0, 0], [None, "x", None, "y"])
    file, documents = documents_of_files([None, *names])
    assert file.tolist() == [0, 1, 1, 1, 2, 3, 3]
    assert documents == ["", None, "a", None, "", None, "b"]
    assert documents_of_files([None])[1] == [""]


@pytest.mark.parametrize(
    ("names", "expected"), [([None], True), (["a"], False), ([None, "a"], False), ([None, "a", NEW_FILE], True)]
)
def test_an_end_outside_of_documents_is_stray_header(names, expected):
    assert is_stray_header(None, names) == expected
    assert not is_stray_header("b", names)


def test_ids_of_up_to_eight_bytes_are_numbers_and_longer_ones_are_looked_up():
    texts = [b"1", b"12345678", "é".encode(), b"\xff" * 8, b"\x80"]
    ids = [int.from_bytes(text, "little") for text in texts] + [(1 << 63), (1 << 63) + 1]
    labels = texts_of_ids(np.array(ids, dtype=np.uint64), [b"long name", b"longer name"])
    assert labels == [text.decode(errors="replace") for text in texts] + ["long name", "longer name"]
    assert texts_of_ids(np.array([], dtype=np.uint64), []) == []


@given(st.binary(min_size=8, max_size=30))
def test_a_word_is_eight_bytes_the_first_lowest(data):
    places = np.arange(len(data) - 7)
    expected = [int.from_bytes(data[n : n + 8], "little") for n in range(len(data) - 7)]
    assert words_at(np.frombuffer(data, dtype=np.uint8), places).tolist() == expected
