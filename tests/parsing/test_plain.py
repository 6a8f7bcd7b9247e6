"""Bytes that are plain text, and bytes that are not."""

import gzip

import pytest

from referee.basics.exceptions import FormatError, RefereeWarning
from referee.formats.shared.source import Source
from referee.parsing.plain import annotation, decoded_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_texts_in_unicode_are_read(encoding):
    assert decoded_text("À bientôt.\n— Oui.\r\n".encode(encoding), "a.txt") == "À bientôt.\n— Oui.\r\n"


def test_files_are_read_and_gzip_undone(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("Été.".encode()))
    assert decoded_text(Source(path), "a.txt.gz") == "Été."


@pytest.mark.parametrize(
    ("raw", "line"), [("one\ntwo\ncafé\n".encode("latin-1"), 3), (b"one\ntwo\0", 2), (b"\xe9", 1), (b"a\r\nb\r\n\xe9", 3)]
)
def test_the_line_of_a_wrong_byte_is_told(raw, line):
    with pytest.raises(FormatError, match=f"^a.txt:{line}: "):
        decoded_text(raw, "a.txt")


@pytest.mark.parametrize(
    "text", ["ID3 is a tag.", "RIFF is short.", "BZh means nothing.", "<p>Some HTML.</p>", "# Markdown\n\n*so*", "{x}"]
)
def test_texts_that_begin_like_other_files_are_texts(text):
    assert decoded_text(text.encode(), "a.txt") == text


def test_control_characters_are_counted():
    with pytest.warns(RefereeWarning, match="a.txt: 3 control characters taken as white space"):
        assert decoded_text("a\x01b\x1b\x9f\x0c\t".encode(), "a.txt") == "a\x01b\x1b\x9f\x0c\t"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"# newdoc id = a\n1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\t_\n", "CoNLL-U"),
        (b"1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n", "CoNLL-U"),
        (b"#begin document (a);\n", "CoNLL"),
        (b"bc/cctv 0 0 In IN (TOP(S * - -\n", "CoNLL"),
        (b'<?xml version="1.0"?>', "XML"),
        (b'{"doc_key": 1}', "JSON"),
        (b'[["Ann"]]', "JSON"),
        (b"{Once} upon a time", ""),
        (b"[1] A note", ""),
        (b"Chapter 1 2 of the book", ""),
        (b"ANN: Hello.", ""),
        (b"", ""),
    ],
)
def test_annotation_is_told_from_text(raw, kind):
    assert annotation(raw) == kind
