"""Files of tags in columns: which lines are words, and which column is read."""

import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import FormatError, RefereeWarning
from referee.formats.shared.source import Source
from referee.formats.shared.tags import are_tags
from referee.phrases.annotation import Chunks
from referee.phrases.formats.reading import detect, read
from referee.phrases.formats.registry import PhraseOptions
from tests.support.command import referee
from tests.support.examples import examples


def of(text, **options):
    found = read(Source("file", text.encode()), options=PhraseOptions(**options))
    assert isinstance(found, Chunks)
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [" ", "\t"])
@pytest.mark.parametrize("between", ["", "\ufeff", "\u200b", " ", "-DOCSTART-"])
def test_sentences_end_at_blank_lines_and_marks(between, separator, end):
    lines = [f"Ann{separator}B-PER", f"sang{separator}O", between, f"Bob{separator}B-PER", ""]
    assert of(end.join(lines)).sentences.words == [["Ann", "sang"], ["Bob"]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# id 1 domain=en\na _ _ O\n", [["a"]]),
        ("# a comment of another width\na _ _ O\n\n# text = Oh no\nb _ _ B-X\n", [["a"], ["b"]]),
        ("#begin document (a);\na _ O\n\n#end document\n", [["a"]]),
        ("# NN O\na NN B-X\n", [["#", "a"]]),
        ("a NN B-X\n# NN O\n", [["a", "#"]]),
        ("a NN B-X\n\n# NN I-X\n", [["a"], ["#"]]),
        ("#owls NN B-X\na NN O\n", [["#owls", "a"]]),
    ],
)
def test_a_comment_stands_before_a_sentence_and_has_no_tag(text, words):
    assert of(text).sentences.words == words


GERMEVAL = "1\tNew\tB-LOC\tO\n2\tYork\tI-LOC\tB-LOC\n\n1\tOwls\tO\tO\n"


def test_the_outer_tags_of_germeval_are_read_and_the_inner_counted():
    with pytest.warns(RefereeWarning, match="^file:2: left out 1 tag of the inner level in column 4; --key-column 4"):
        found = of(GERMEVAL)
    assert (found.sentences.words, found.triples()) == ([["New", "York"], ["Owls"]], [[("LOC", 0, 2)], []])
    assert found.read_as == "column 3 (IOB2)"
    assert of(GERMEVAL, column=4).triples() == [[("LOC", 1, 2)], []]


# LitBank's entities/tsv: each line ends with a tab.
LITBANK = (
    "The\tB-PER\tO\tO\tO\t\nheroine\tI-PER\tO\tO\tO\t\nof\tI-PER\tO\tO\tO\t\nYork\tI-PER\tB-GPE\tO\tO\t\n\n"
    "Mary\tB-PER\tO\tO\tO\t\nwoke\tO\tO\tO\tO\t\nat\tO\tO\tO\tO\t\nhome\tB-FAC\tB-PER\tB-GPE\tO\t\n\n"
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_first_level_of_litbank_is_read_and_the_others_counted(end):
    text = LITBANK.replace("\n", end)
    assert detect(Source("file", text.encode())) == "columns"
    said = "^file:4: left out 3 tags of the inner levels in columns 3 to 5; --key-column 3 and --response-column 3 read these"
    with pytest.warns(RefereeWarning, match=said):
        found = of(text)
    assert found.sentences.words == [["The", "heroine", "of", "York"], ["Mary", "woke", "at", "home"]]
    assert found.sentences.tags is None
    assert found.triples() == [[("PER", 0, 4)], [("PER", 0, 1), ("FAC", 3, 4)]]
    assert found.read_as == "column 2 (IOB2)"
    assert of(text, column=3).triples() == [[("GPE", 3, 4)], [("PER", 3, 4)]]


def test_columns_of_other_categories_are_no_levels():
    with pytest.warns(
        RefereeWarning, match="^file: took the tags of column 4, and column 3 has .*: --key-column 3 reads these"
    ):
        found = of("a\tB-NP\tB-PER\tB-PER\nb\tI-NP\tO\tO\n")
    assert found.read_as == "column 4 (IOB2)"
    with pytest.warns(RefereeWarning, match="left out 1 tag of the inner levels in columns 3 to 4"):
        assert of("a\tB-PER\tB-PER\tO\nb\tI-PER\tO\tO\n").read_as == "column 2 (IOB2)"


@pytest.mark.parametrize("cells", ["\t", "\t\t", "\t ", " \t"])
@pytest.mark.parametrize("lines", [(2,), (1, 2, 3)])
def test_empty_cells_at_the_end_of_a_line_are_no_columns(lines, cells):
    rows = ["# doc\tx", "1\tAnn\tB-PER\tO", "2\tslept\tO\tO", "3\t.\tO\tO", ""]
    found = of("\n".join(row + cells if n in lines else row for n, row in enumerate(rows)))
    assert (found.sentences.words, found.triples()) == ([["Ann", "slept", "."]], [[("PER", 0, 1)]])


def test_an_empty_cell_that_is_not_the_last_is_a_column():
    assert of("a\tNN\tO\nb\t\tB-X\n").triples() == [[("X", 1, 2)]]
    with pytest.raises(FormatError, match=r"^file:2: found 2 columns; expected 3"):
        of("a\tNN\tO\nb\tNN\t\n")


def test_numbers_of_words_are_no_words():
    assert of("1 New B-LOC\n2 York I-LOC\n\n1 Owls O\n").sentences.words == [["New", "York"], ["Owls"]]


@pytest.mark.parametrize("text", ["a x\nb O\nc O\n", "Ann person-artist\nsang O\nin O\nRome location-GPE\n. O\n"])
def test_tags_without_prefixes_are_read_as_io(text):
    assert detect(Source("file", text.encode())) == "columns"
    assert of(text).read_as == "column 2 (IO)"
    assert of(text, decode="IO").triples() == of(text).triples()


@pytest.mark.parametrize(("key", "response"), [("NP", "NP"), ("NP", ""), ("", "NP")])
def test_a_file_of_key_and_response_is_scored_as_conlleval_does(key, response, tmp_path):
    tags = [f"B-{category}" if category else "O" for category in (key, response)]
    (tmp_path / "out.txt").write_text(f"a DT {' '.join(tags)}\nb NN O O\n")
    done = referee("phrases", "score", "out.txt", "out.txt", cwd=tmp_path)
    assert "key:column 3" in done.out
    assert "response:column 4" in done.out


def test_other_layers_in_the_last_two_columns_are_no_key_and_response(tmp_path):
    (tmp_path / "out.txt").write_text("a DT B-NP B-PER\nb NN I-NP O\n")
    done = referee("phrases", "score", "out.txt", "out.txt", "-q", "--key-column", "3", cwd=tmp_path)
    assert done.out == "0.00\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a B-X\nb O\n", True),
        ("a\tNN\tB-X\nb\tNN\tO\n", True),
        ("1\tAnn\tB-PER\n2\tsang\tO\n\n", True),
        ("item,entity\na,b\n", False),
        ("a\tB-1\nb\tB-2\n", False),  # entities of that name
        ("a\tO\nb\tO\n", False),
        ("Tell me O\nnow\n", False),
        ("doc 0 0 Ann NNP - (0)\ndoc 0 1 sang VBD - -\n", False),
    ],
)
def test_only_what_is_surely_tags_is_no_annotation(text, expected):
    assert are_tags(text) == expected


@given(st.text(alphabet="aO#B-X1 \t\n\ufeff", max_size=60))
@examples(2)
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        found = read(Source("file", text.encode()), format="columns")
    except FormatError as error:
        assert "\n" not in str(error)
    else:
        words = [columns for line in text.split("\n") if (columns := line.split()) and columns != ["\ufeff"]]
        assert int(found.sentences.length.sum()) <= len(words)
