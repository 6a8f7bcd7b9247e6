"""What is a text, what is a path, and what the documents are called."""

import os
from pathlib import Path

import pytest

from referee.basics.exceptions import FormatError, MissingFileError, OptionError, RefereeWarning
from referee.parsing.texts import are_texts, is_path, list_texts

STORY = "Ann met Bob.\n"


def names(value):
    return [one.name for one in list_texts(value)]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("story.txt", True),
        ("my story.txt", True),
        ("my story.conllu.gz", True),
        ("Story", True),
        ("-", True),
        (Path("a b"), True),
        ("Ann met Bob.", False),
        ("Ann\n", False),
        ("story.txt\n", False),
        ("She works at Acme.com now.", False),
        ("", True),
    ],
)
def test_a_string_is_a_text_or_a_path(value, path):
    assert is_path(value) == path


def test_a_string_with_a_space_is_the_file_of_that_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not is_path("a story")
    (tmp_path / "a story").write_text(STORY)
    assert is_path("a story")
    assert list_texts("a story")[0].source.raw() == STORY.encode()


def test_values_of_other_kinds_are_left_to_others():
    assert are_texts("x") and are_texts([Path("x"), "a b"]) and are_texts({"n": "a b"})
    assert not are_texts(object()) and not are_texts([]) and not are_texts([object()]) and not are_texts({"n": object()})


def test_documents_are_called_like_their_files(tmp_path):
    (tmp_path / "b").mkdir()
    for name in ("one.txt", "two.text", "b/three.txt", "left.csv", ".hidden.txt"):
        (tmp_path / name).write_text(STORY)
    with pytest.warns(RefereeWarning, match=r"left out 1 file, as those that end in \.txt and \.text and \.md are read"):
        assert names(str(tmp_path)) == ["one", "two", "b/three"]
    assert names([str(tmp_path / "one.txt"), tmp_path / "two.text"]) == ["one", "two"]
    assert names(STORY) == ["text"]
    assert names([STORY, STORY]) == ["1", "2"]
    assert names({"x": STORY, "y": tmp_path / "one.txt"}) == ["x", "y"]


def test_two_documents_of_one_name_are_refused(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.txt").write_text(STORY)
    with pytest.raises(OptionError, match=r"found the name 'one' for .*a/one.txt and .*b/one.txt; expected one"):
        list_texts([tmp_path / "a" / "one.txt", tmp_path / "b" / "one.txt"])
    assert names(tmp_path) == ["a/one", "b/one"]


def test_folders_with_texts_and_trees_or_neither_are_refused(tmp_path):
    with pytest.raises(FormatError, match=r"has no file that ends in \.txt, \.text, \.md or \.conllu"):
        list_texts(tmp_path)
    (tmp_path / "a.txt").write_text(STORY)
    (tmp_path / "a.conllu").write_text("")
    with pytest.raises(FormatError, match="has 1 text and 1 file with trees; expected one kind: name the files"):
        list_texts(tmp_path)


def test_what_is_neither_text_nor_file_says_what_a_text_is():
    with pytest.raises(MissingFileError, match="cannot be opened: no such file or directory; a text has a space"):
        list_texts("Hello!")
    with pytest.raises(MissingFileError, match=r"no such file or directory$"):
        list_texts(Path("Hello!"))
    with pytest.raises(OptionError, match="found a value of the type int; expected a text, or the path of one"):
        list_texts([1])
    with pytest.raises(OptionError, match="found an empty string; expected a text, or the path of one"):
        list_texts("")


def test_names_that_are_not_utf8_are_escaped(tmp_path):
    path = os.fsencode(tmp_path) + b"/a\xff.txt"
    with open(path, "wb") as file:
        file.write(STORY.encode())
    assert names(Path(os.fsdecode(path))) == ["a\\xff"]
