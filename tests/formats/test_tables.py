"""The tables, csv and tsv, which differ in one character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import formats
from referee.corpus.corpus import Corpus
from referee.exceptions import FormatError
from referee.formats import csv, pairs
from tests.support.reading import entities_of, faults_of, links_of, read_again, read_text, source_of, written
from tests.support.strategies import corpora, item_corpora

tables = pytest.mark.parametrize(("format", "tab"), [("csv", ","), ("tsv", "\t")])
EVERY_NAME = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=6)


@tables
@given(corpus=item_corpora(names=EVERY_NAME, empty=False))
def test_what_is_written_reads_the_same(format: str, tab: str, corpus: Corpus) -> None:
    again = read_again(corpus, format)
    assert again == corpus
    assert list(again.entity_ids) == list(corpus.entity_ids)


@tables
@given(corpus=corpora())
def test_spans_become_items(format: str, tab: str, corpus: Corpus) -> None:
    names = sorted(f"{start}-{end}" for start, end in zip(corpus.start, corpus.end, strict=True))
    assert sorted(read_again(corpus, format).items or ()) == names


@tables
@pytest.mark.parametrize("header", ["", "item,entity\n", "record_id,cluster_id\n", "Mention , LABEL\n"])
def test_the_header_is_optional(format: str, tab: str, header: str) -> None:
    text = f"{header}r1,17\nr2,17\n\nr3,4\n".replace(",", tab)
    assert formats.detect(source_of(text)) == format
    assert entities_of(read_text(text)) == {"#1": {"17": ["r1", "r2"], "4": ["r3"]}}


@tables
def test_columns_are_found_by_name_as_in_splinks_output(format: str, tab: str) -> None:
    text = "cluster_id,unique_id,first_name\nc1,7,Ann\nc1,8,Anne\n".replace(",", tab)
    assert formats.detect(source_of(text)) == format
    assert entities_of(read_text(text)) == {"#1": {"c1": ["7", "8"]}}


@tables
@pytest.mark.parametrize("header", ["cluster_id,name,unique_id", "name,Cluster_id,id", "name,entity,name_of_it"])
def test_a_name_is_an_item_where_nothing_else_is(format: str, tab: str, header: str) -> None:
    item = "id" if "id" in header.split(",") else "unique_id" if "unique_id" in header else "name"
    cells = {"cluster_id": "7", "Cluster_id": "7", "entity": "7", item: "r1"}
    row = ",".join(cells.get(name, "Ann") for name in header.split(","))
    assert entities_of(read_text(f"{header}\n{row}\n".replace(",", tab), format)) == {"#1": {"7": ["r1"]}}


@tables
@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("item,entity,Cluster", "found the columns entity and Cluster for the entity; expected one: rename the others"),
        ("item,entity,entity", "found the columns entity and entity for the entity"),
        ("id,entity,record_id", "found the columns id and record_id for the item"),
        ("doc,item,entity,doc_id", "found the columns doc and doc_id for the document"),
    ],
)
def test_two_columns_for_one_role_are_a_fault(format: str, tab: str, header: str, problem: str) -> None:
    text = header + "\n" + "a,b,c,d"[: 2 * header.count(",") + 1] + "\n"
    (fault,) = faults_of(text.replace(",", tab), format)
    assert fault.startswith(f"x:1: {problem}")


@tables
def test_rows_of_documents_need_not_be_sorted(format: str, tab: str) -> None:
    text = "doc_id,item,entity\nd1,a,1\nd2,a,1\nd1,b,1\n".replace(",", tab)
    assert entities_of(read_text(text)) == {"d1": {"1": ["a", "b"]}, "d2": {"1": ["a"]}}


def test_quotes_are_undone() -> None:
    assert entities_of(read_text('"Smith, J.","said ""x"""\n"two\nlines",1\n')) == {
        "#1": {'said "x"': ["Smith, J."], "1": ["two\nlines"]}
    }


def test_windows_line_ends_are_no_part_of_a_name() -> None:
    assert entities_of(read_text("a,1\r\nb,1\r\n")) == {"#1": {"1": ["a", "b"]}}


def test_an_item_listed_twice_is_two_mentions() -> None:
    assert read_text("a,1\na,1\na,2\n").entity.tolist() == [0, 0, 1]


@tables
def test_degenerate_tables(format: str, tab: str) -> None:
    assert read_text("", format).doc_ids == ()
    assert read_text(f"document{tab}item{tab}entity\n", format).doc_ids == ()
    assert entities_of(read_text(f"item{tab}entity\n", format)) == {"#1": {}}
    assert entities_of(read_text(f"a{tab}1\n", format)) == {"#1": {"1": ["a"]}}


def test_the_document_is_written_only_if_it_has_a_name() -> None:
    assert written(read_text("a,1\nb,1\n"), "csv") == "item,entity\na,1\nb,1\n"
    assert written(read_text("doc,item,entity\nd,a,1\n"), "csv") == "document,item,entity\nd,a,1\n"


@tables
@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("a", "found 1 field; expected 2"),
        ("a,b,c", "found 3 fields; expected 2"),
        ("a,", "found the item 'a' without an entity"),
        (",1", "found no item"),
        ('"a"b,1', "is no table: "),
    ],
)
def test_a_fault_names_line_and_problem(format: str, tab: str, bad: str, problem: str) -> None:
    text = f"r1,1\n{bad}\nr2,1\n".replace(",", tab)
    with pytest.raises(FormatError, match=f"^x:2: {problem}"):
        read_text(text, format)
    assert len(faults_of(text, format)) == 1


def test_a_quote_that_never_ends_is_a_fault_and_does_not_swallow_the_rest() -> None:
    with pytest.raises(FormatError, match=r"^x:3: is no table: unexpected end of data"):
        read_text('a,1\n"b,1\nc,1\n')


def test_three_columns_need_a_header() -> None:
    with pytest.raises(FormatError, match=r"^x:1: found 3 fields; expected 2"):
        read_text("d,a,1\n", "csv")


def test_validation_lists_all_faults() -> None:
    assert [fault[:4] for fault in faults_of('a,\nb\nc,1\n"x"y,1\nd,1,1\n', "csv")] == ["x:1:", "x:2:", "x:4:", "x:5:"]


CELLS = st.sampled_from(["a", "b", "abcdefgh", "abcdefghi", "é", " a", "", '"a"', "0.5", "0.4", "true"])
COLUMNS = st.sampled_from(["item", "entity", "id", "doc", "x", "p", "id1", "id2", "ltable_id", "rtable_id"])
HEADERS = st.sampled_from([[], ["item", "entity"], ["id1", "id2"]]) | st.lists(COLUMNS, min_size=2, max_size=3, unique=True)


@given(st.data(), HEADERS, st.sampled_from([",", "\t"]), st.sampled_from(["\n", "\n", "\n\n", "\r\n"]))
def test_columns_are_read_like_rows(data: st.DataObject, header: list[str], tab: str, newline: str) -> None:
    width = len(header) or 2
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width + data.draw(st.sampled_from([0, 0, 1])))))
    text = newline.join(tab.join(row) for row in [header, *rows] if row) + newline * data.draw(st.booleans())

    def read(format: str) -> Corpus | str:
        try:
            return read_text(text, format)
        except FormatError as error:
            return str(error)

    for name in ("csv" if tab == "," else "tsv", "pairs"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv, "IN_CACHE", 3)
            quick = read(name)
            patch.setattr(csv, "plain_table", lambda *_: None)
            patch.setattr(pairs, "plain_table", lambda *_: None)
            slow = read(name)
        assert quick == slow
        if isinstance(quick, Corpus) and isinstance(slow, Corpus):
            assert entities_of(quick) == entities_of(slow)
            assert links_of(quick) == links_of(slow)
