"""Rows of CoNLL that few files have: ranges such as 2-3, empty nodes, empty cells between tabs."""

import warnings

import pytest
from hypothesis import given, strategies as st

from referee import inputs, score
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.formats.conll import scan
from referee.formats.conll.columns import without_empty_cells
from referee.formats.conll.reading import token_lines
from tests.support.examples import examples
from tests.support.reading import entities_of, faults_of, read_text, source_of

RANGE = "2-3\tau\t_\t_\t_"
ROWS = (
    "1\tAnn\tAnn\tPROPN\t(1)",
    RANGE,
    "2\tà\tà\tADP\t_",
    "3\tle\tle\tDET\t(2",
    "4\tbal\tbal\tNOUN\t2)",
    "5\telle\telle\tPRON\t(1)",
)
WITHOUT = tuple(row for row in ROWS if row != RANGE)


def of(*rows, name="x"):
    return f"#begin document ({name}); part 000\n" + "\n".join(rows) + "\n\n#end document\n"


def tokens(corpus):
    return [token for document in corpus.documents.values() for token in document.tokens]


# Ranges.


@pytest.mark.parametrize("separator", ["\t", "  "])
@pytest.mark.parametrize("cells", [3, 5])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_of_a_range_is_no_token(separator, cells, end):
    rows = ["\t".join(row.split("\t")[:cells]) if row == RANGE else row for row in ROWS]
    text, without = (of(*lines).replace("\t", separator).replace("\n", end) for lines in (rows, WITHOUT))
    corpus = read_text(text)
    assert entities_of(corpus) == {"x_0": {"1": [(0, 1), (4, 5)], "2": [(2, 4)]}}
    assert tokens(corpus) == ["Ann", "à", "le", "bal", "elle"]
    assert corpus == read_text(without)
    assert score(source_of(text), source_of(without, "y"))["conll"].f1 == 1
    assert token_lines(source_of(text)) == {"x_0": [2, 4, 5, 6, 7]}


@pytest.mark.parametrize("block", [16, 40, 200])
def test_a_range_is_found_in_any_block(monkeypatch, block):
    monkeypatch.setattr(scan, "BLOCK", block)
    many = ["\t".join([str(n), "w", "w", "X", "_"]) for n in range(6, 300)]
    assert tokens(read_text(of(*ROWS, *many))) == ["Ann", "à", "le", "bal", "elle", *["w"] * 294]
    last = read_text(of(*many, "300-1301\tau\t_\t_\t_", "300\tà\tà\tADP\t(1)"))
    assert entities_of(last) == {"x_0": {"1": [(294, 295)]}}


def test_a_range_with_a_bracket_is_an_error_by_its_name():
    text = of(*(row.replace("_\t_\t_", "_\t_\t(3)") if row == RANGE else row for row in ROWS))
    assert faults_of(text, "conll") == ["x:3: found '(3)' at the range 2-3; expected brackets at its words"]
    with pytest.raises(FormatError, match=r"^x:3: found '\(3\)' at the range 2-3; expected brackets at its words$"):
        read_text(text)


def test_other_errors_keep_their_lines():
    text = of(*ROWS, "6\t.\t.\tPUNCT\t9)")
    assert faults_of(text, "conll") == ["x:8: entity 9 is closed but was never opened; expected (9 before it"]


@pytest.mark.parametrize(
    "rows",
    [
        ("1\tin\tin\tADP\t-", "2\t1990-1995\t_\tNUM\t(1)", "3\tor\tor\tC\t-"),
        ("1990-12\t0\t0\tAnn\tNNP\t-", "1990-12\t0\t1\tsang\tVBD\t(1)"),
        ("2-3\t-", "2\t(1)", "Ann\t-"),
    ],
)
def test_numbers_with_a_dash_elsewhere_are_tokens(rows):
    corpus = read_text(of(*rows), "conll")
    assert len(tokens(corpus)) == len(rows)
    assert entities_of(corpus) == {"x_0": {"1": [(1, 2)]}}


def test_ranges_are_none_where_columns_are_named_and_in_folders(tmp_path):
    moved = of(*("\t".join([*row.split("\t"), "x"]) for row in ROWS))
    corpus = read_text(moved, "conll", columns={"word": "3", "entity": "-2"})
    assert tokens(corpus) == ["Ann", "à", "le", "bal", "elle"]
    assert entities_of(corpus) == {"x_0": {"1": [(0, 1), (4, 5)], "2": [(2, 4)]}}
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_text(of(*ROWS, name=name), encoding="utf-8")
    folder = inputs.read(str(tmp_path))
    assert tokens(folder) == 2 * ["Ann", "à", "le", "bal", "elle"]
    assert {len(spans["1"]) for spans in entities_of(folder).values()} == {2}


def test_an_empty_node_is_a_token_with_its_word_where_the_others_have_theirs():
    corpus = read_text(of(*WITHOUT, "5.1\tpro\tpro\tPRON\t(1)", "6\tva\tva\tVERB\t_"))
    assert tokens(corpus)[5:] == ["pro", "va"]
    assert entities_of(corpus)["x_0"]["1"] == [(0, 1), (4, 5), (5, 6)]


# Empty cells.


@pytest.mark.parametrize("cell", ["", " ", "  "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_empty_word_is_never_the_next_column(cell, end):
    rows = ("x\t0\t0\tAnn\tNNP\t-\t(1)", f"x\t0\t1\t{cell}\tVBD\t-\t-", "x\t0\t2\tshe\tPRP\t-\t(1)")
    text = of(*rows).replace("\n", end)
    corpus = read_text(text)
    with pytest.warns(RefereeWarning, match="^x: read 1 word as _: a cell between tabs that is empty$"):
        assert tokens(corpus) == ["Ann", "_", "she"]
    assert entities_of(corpus) == {"x_0": {"1": [(0, 1), (2, 3)]}}


def test_an_empty_cell_in_front_of_the_word_does_not_move_it():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for row in ("\t0\t1\tsaw\tVBD\t-\t-", "x\t\t1\tsaw\tVBD\t-\t-", "x\t0\t \tsaw\tVBD\t-\t-"):
            rows = ("x\t0\t0\tAnn\tNNP\t-\t(1)", row, "x\t0\t2\tshe\tPRP\t-\t(1)")
            assert tokens(read_text(of(*rows))) == ["Ann", "saw", "she"]


def test_an_empty_word_between_a_number_and_brackets_is_read_as_one():
    corpus = read_text(of("1\tAnn\t(1)", "2\t\t-", "3\tshe\t(1)"))
    with pytest.warns(RefereeWarning, match="^x: read 1 word as _"):
        assert tokens(corpus) == ["Ann", "_", "she"]


def test_several_tabs_between_columns_of_an_aligned_table_are_one():
    rows = ("NE\t\tAnn\t(1)", "adverb\toddly\t-", "PRP\t\tshe\t(1)")
    assert tokens(read_text(of(*rows))) == ["Ann", "oddly", "she"]
    always = ("x\t0\t0\tAnn\t\t-\t(1)", "x\t0\t1\tsaw\t\t-\t-")
    assert tokens(read_text(of(*always))) == ["Ann", "saw"]


@given(st.lists(st.lists(st.sampled_from(["\t", "\t\t", "\t\t\t"]), min_size=4, max_size=4), max_size=8))
@examples(2)
def test_tabs_alone_never_make_cells_where_all_rows_have_as_many(separators):
    lines = ["a{}b{}c{}d{}-".format(*row) for row in separators]
    assert without_empty_cells(lines, None) == (lines, 0)
