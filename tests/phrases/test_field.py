"""Files as people have them: what is read, what is said, and what is refused."""

import shutil

import pytest

from referee.phrases.formats.reading import read
from tests.support.command import referee
from tests.support.paths import SHARED

FIELD = SHARED / "field" / "phrases"
pytestmark = pytest.mark.skipif(not FIELD.is_dir(), reason=f"needs {FIELD}")


def scored(here, *arguments):
    """The rows of the report, its signature, and the warnings."""
    done = referee("phrases", "score", *arguments, cwd=here)
    assert done.status == 0, done.err
    rows = {line.split("  ")[0]: line.split()[1:] for line in done.out.splitlines() if line}
    return rows, done.out.splitlines()[-1], [line.removeprefix("referee: warning: ") for line in done.errors]


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("bom_separator.conll", "column 2 (IOB2)"),
        ("germeval.tsv", "column 3 (IOB2)"),
        ("io.tsv", "column 2 (IO)"),
        ("multiconer.conll", "column 4 (IOB2)"),
    ],
)
def test_a_file_against_its_copy_and_itself_is_perfect(name, columns):
    here = FIELD / "comments-io-bom"
    column = columns.split()[1]
    for arguments in (f"copy_{name}",), (name, "--key-column", column, "--response-column", column):
        rows, signature, warnings = scored(here, name, *arguments)
        assert rows["exact_match"] == ["100.00"] * 3
        assert f"key:{columns} | response:{columns}" in signature
        assert warnings == []


def test_comments_and_marks_are_no_words():
    here = FIELD / "comments-io-bom"
    for name, words in {
        "bom_separator.conll": [["Owls", "fly"], ["Elks", "run"]],
        "germeval.tsv": [["Owls", "sing"]],
        "io.tsv": [["Anna", "Bird", "sings", "."], ["Owls", "fly", "."]],
        "multiconer.conll": [["Anna", "sings"], ["Owls", "fly"]],
    }.items():
        assert read(here / name).sentences.words == words


def test_files_without_phrases_have_no_scores_and_say_so():
    rows, _, warnings = scored(FIELD / "no-phrases", "key.txt", "response.txt")
    assert rows["micro average"] == ["average", "-", "-", "-", "0"]
    said = [f"{name}: has no phrases; what is divided by their number is undefined" for name in ("key.txt", "response.txt")]
    assert warnings == said


def test_spans_without_any_have_no_scores(tmp_path):
    (tmp_path / "key.jsonl").write_text('{"tokens":["a"],"spans":[]}\n')
    rows, _, warnings = scored(tmp_path, "key.jsonl", "key.jsonl")
    assert rows["exact_match"] == ["-", "-", "-"]
    assert "has no phrases" in warnings[0]


@pytest.mark.parametrize(("name", "column"), [("conll2003.txt", 4), ("three.txt", 3), ("two.txt", 2)])
def test_the_last_column_of_both_is_taken_and_said(name, column, tmp_path):
    for copy in (name, "copy.txt"):
        shutil.copy(FIELD / "one-file" / name, tmp_path / copy)
    for arguments in ("copy.txt",), (name, "--key-column", column, "--response-column", column):
        rows, signature, warnings = scored(tmp_path, name, *arguments)
        assert rows["exact_match"] == ["100.00"] * 3
        assert f"key:column {column} (IOB2) | response:column {column} (IOB2)" in signature
        assert warnings == []


def test_tags_that_are_not_legal_are_counted_in_key_and_response():
    here = FIELD / "tags-dropped"
    _, _, warnings = scored(here, "iob1.txt", "iob1b.txt", "--decode", "IOB2")
    said = "left out 3 tags not legal in IOB2 in their places (I-P, I-Q); decode conlleval is lenient, and reads them"
    assert [text for text in warnings if "legal" in text] == [f"iob1.txt:1: {said}", f"iob1b.txt:1: {said}"]
    rows, _, warnings = scored(here, "bilou_key.txt", "bilou_response.txt", "--decode", "BILOU")
    assert [text.partition(";")[0] for text in warnings if "legal" in text] == [
        "bilou_key.txt:4: left out 1 tag not legal in BILOU in their places (B-MISC)",
        "bilou_response.txt:1: left out 3 tags not legal in BILOU in their places (I-PER, L-PER, B-MISC)",
    ]
    assert rows["PER"][-1] == "1"


@pytest.mark.parametrize("name", ["tags-dropped/iob1.txt", "one-file/conll2003.txt", "comments-io-bom/bom_separator.conll"])
def test_referee_score_names_the_command_for_tags(name):
    done = referee("score", FIELD / name, FIELD / name)
    assert done.status == 2
    assert done.errors[0].endswith("referee phrases score KEY RESPONSE, or errors, compare, validate")
