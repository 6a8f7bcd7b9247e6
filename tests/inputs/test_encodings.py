"""Encodings of texts: a mark tells, or `--encoding`; what is UTF-8 is always read as such."""

import gzip

import pytest

import referee
from referee.basics.exceptions import FormatError, OptionError
from referee.formats.shared.source import Source
from tests.support.command import referee as run

TABLE = "id,cluster\nMüller,1\nMeier,1\n"
CONLL = "#begin document (d)\nMüller\t(1)\nsie\t(1)\n#end document\n"


@pytest.mark.parametrize("text", [TABLE, CONLL])
@pytest.mark.parametrize(
    "encoding, option",
    [("utf-16", None), ("utf-32", None), ("utf-8-sig", None), ("cp1252", "cp1252"), ("utf-16-le", "utf-16-le"),
     ("utf-8", "cp1252"), ("utf-8-sig", "cp1252"), ("utf-16", "cp1252")],
)  # fmt: skip
def test_a_mark_tells_the_encoding_or_the_option_says_it_of_what_is_not_utf_8(text, encoding, option, tmp_path):
    want = referee.read(Source("x", text.encode()))
    for name, data in (("plain", text.encode(encoding)), ("packed.gz", gzip.compress(text.encode(encoding)))):
        (tmp_path / name).write_bytes(data)
        corpus = referee.read(tmp_path / name, encoding=option)
        assert corpus == want
        assert list(corpus.items or ()) == list(want.items or ())


def test_both_sides_may_have_encodings_of_their_own(tmp_path):
    (tmp_path / "key.csv").write_text(TABLE, "utf-8")
    (tmp_path / "response.csv").write_text(TABLE, "cp1252")
    assert referee.score(tmp_path / "key.csv", tmp_path / "response.csv", encoding="cp1252")["mentions"].f1 == 1
    paths = (tmp_path / "key.csv", tmp_path / "response.csv")
    done = run("score", *paths)
    remedy = "--encoding cp1252"
    assert (done.status, f"found the byte 0xfc; expected UTF-8: say {remedy} if Windows" in done.err) == (2, True)
    assert run("score", *paths, "-q", *remedy.split()).out == "100.00\n"
    assert run("validate", paths[1], *remedy.split()).out.endswith("2 rows)\n")
    assert run("errors", *paths, *remedy.split()).status == 0


def test_files_beside_and_in_folders_have_the_encoding(tmp_path):
    (tmp_path / "d.txt").write_text("Ann grüßt sich.\n", "cp1252")
    (tmp_path / "d.ann").write_text("T1\tX 0 3\tAnn\nT2\tX 4 9\tgrüßt\n*\tCoref T1 T2\n", "cp1252")
    for path in (tmp_path, tmp_path / "d.ann"):
        assert referee.read(path, encoding="cp1252").text.words[0].tokens[1] == "grüßt"
    with pytest.raises(FormatError, match="say --encoding cp1252 if Windows or Excel wrote it"):
        _ = referee.read(tmp_path / "d.ann").text.words


@pytest.mark.parametrize("name", ["cp99", "base64", "", 7, "a\0b"])
def test_an_encoding_has_a_name(name):
    with pytest.raises(OptionError, match="--encoding takes the name of an encoding; found"):
        referee.score({"a": 1}, {"a": 1}, encoding=name)


def test_bytes_of_another_encoding_are_said_with_their_line(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"id,cluster\na,1\nM\x81,1\n")
    with pytest.raises(FormatError, match=r"x\.csv:3: found the byte 0x81; expected UTF-8: say --encoding NAME$"):
        referee.read(tmp_path / "x.csv")
    with pytest.raises(FormatError, match=r"x\.csv:3: found the byte 0x81; expected cp1252: name another encoding with"):
        referee.read(tmp_path / "x.csv", encoding="cp1252")
