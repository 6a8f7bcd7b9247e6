"""The tables, csv and tsv, which differ in one character."""

import csv
import io
import random

import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.corpus.corpus import Corpus
from referee.formats.shared.source import Source
from referee.tabular import text as text_tables
from referee.tabular.missing import MISSING
from tests.support.reading import entities_of, faults_of, links_of, read_again, read_text, source_of, written
from tests.support.strategies import corpora, item_corpora

tables = pytest.mark.parametrize(("format", "tab"), [("csv", ","), ("tsv", "\t")])
EVERY_NAME = (
    st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=6).map(str.strip).filter(bool)
)


@tables
@given(corpus=item_corpora(names=EVERY_NAME, empty=False))
def test_what_is_written_reads_the_same(format, tab, corpus):
    again = read_again(corpus, format)
    assert again == corpus
    assert list(again.entity_ids) == list(corpus.entity_ids)


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_quotes_around_fields_mean_nothing(quoting):
    r = random.Random(5)
    for n in range(200):
        marks = 'a,\n "' if n % 2 else "ab, \n"
        items = sorted({"x" + "".join(r.choices(marks, k=r.randrange(6))) + "x" for _ in range(r.randrange(1, 9))})
        entities = [f"e{r.randrange(3)}{r.choice(',;')}" for _ in items]
        rows = [["item", "entity", "city, country"], *([i, e, "x, y"] for i, e in zip(items, entities, strict=True))]
        text = io.StringIO()
        csv.writer(text, quoting=quoting, lineterminator="\n").writerows(rows)
        found = read_text(text.getvalue(), "csv")
        names = [found.entity_ids[e] for e in found.entity.tolist()]
        assert dict(zip(found.items or (), names, strict=True)) == dict(zip(items, entities, strict=True))


@tables
@given(corpus=corpora())
def test_spans_become_items(format, tab, corpus):
    names = sorted(f"{start}-{end}" for start, end in zip(corpus.start, corpus.end, strict=True))
    assert sorted(read_again(corpus, format).items or ()) == names


@tables
@pytest.mark.parametrize("header", ["", "item,entity\n", "record_id,cluster_id\n", "Mention , LABEL\n"])
def test_the_header_is_optional(format, tab, header):
    text = f"{header}r1,17\nr2,17\n\nr3,4\n".replace(",", tab)
    assert inputs.detect(source_of(text)) == format
    assert entities_of(read_text(text)) == {"#1": {"17": ["r1", "r2"], "4": ["r3"]}}


# Text -> its entities.
TEXTS = {
    # As in Splink's output.
    "cluster_id,unique_id,first_name\nc1,7,Ann\nc1,8,Anne\n": {"#1": {"c1": ["7", "8"]}},
    # Rows of documents need not be sorted.
    "doc_id,item,entity\nd1,a,1\nd2,a,1\nd1,b,1\n": {"d1": {"1": ["a", "b"]}, "d2": {"1": ["a"]}},
    "item,entity\n": {"#1": {}},
    "item,entity\na,1\n": {"#1": {"1": ["a"]}},
    # Ends of lines of Windows are no part of a name.
    "a,1\r\nb,1\r\n": {"#1": {"1": ["a", "b"]}},
}


@tables
@pytest.mark.parametrize("text", TEXTS)
def test_a_table_of_labels(format, tab, text):
    cells = text.replace(",", tab)
    assert inputs.detect(source_of(cells)) == format
    assert entities_of(read_text(cells)) == TEXTS[text]


@tables
@pytest.mark.parametrize("header", ["cluster_id,name,unique_id", "name,Cluster_id,id", "name,entity,name_of_it"])
def test_a_name_is_an_item_where_nothing_else_is(format, tab, header):
    item = "id" if "id" in header.split(",") else "unique_id" if "unique_id" in header else "name"
    cells = {"cluster_id": "7", "Cluster_id": "7", "entity": "7", item: "r1"}
    row = ",".join(cells.get(name, "Ann") for name in header.split(","))
    assert entities_of(read_text(f"{header}\n{row}\n".replace(",", tab), format)) == {"#1": {"7": ["r1"]}}


@tables
@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("item,entity,Cluster", "has entity, Cluster for the entity; expected one: --columns entity=NAME"),
        ("item,entity,entity", "has entity, entity for the entity; expected one: --columns entity=NAME"),
        ("id,entity,record_id", "has id, record_id for the item; expected one: --columns item=NAME"),
        ("doc,item,entity,doc_id", "has doc, doc_id for the document; expected one: --columns document=NAME"),
    ],
)
def test_two_columns_for_one_role_are_a_fault(format, tab, header, problem):
    text = header + "\n" + "a,b,c,d"[: 2 * header.count(",") + 1] + "\n"
    (fault,) = faults_of(text.replace(",", tab), format)
    assert fault == f"x:1: {problem}"


def test_quotes_are_undone():
    assert entities_of(read_text('item,entity\n"Smith, J.","said ""x"""\n"two\nlines",1\n')) == {
        "#1": {'said "x"': ["Smith, J."], "1": ["two\nlines"]}
    }


def test_an_item_listed_twice_is_two_mentions():
    assert read_text("item,entity\na,1\na,1\na,2\n").entity.tolist() == [0, 0, 1]


@tables
def test_bytes_that_are_no_text_are_said_even_if_no_row_is_left(format, tab):
    """The head looks like rows, as what is damaged there is replaced; the table itself has none that can be read."""
    source = Source("x", data=f'"\r17\n{tab}17'.encode() + b"\xf8")
    with pytest.raises(FormatError, match="x:2: found the byte 0xf8; expected UTF-8: convert the file to UTF-8"):
        inputs.read(source, format=format)


@tables
def test_degenerate_tables(format, tab):
    assert read_text("", format).doc_ids == read_text(f"document{tab}item{tab}entity\n", format).doc_ids == ()


IS_IT = "is the first row ({0}, {1}) a header? If so say --columns item={0},entity={1}, or left={0},right={1} for pairs; "
IS_IT += "if it is data --columns item=1,entity=2, or left=1,right=2"
UNLIKELY = "has two columns and no header: has each row a record and its entity, or two records? "
UNLIKELY += "Say --columns item=1,entity=2, or left=1,right=2"
LACKING = (
    "has the columns rec, grp; expected one for the entity: --columns entity=grp, or left=rec,right=grp for pairs"
    "; --columns item=1,entity=2 if the first row is data"
)


@tables
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,1\n", IS_IT.format("a", 1)),
        ("doi,author\nr1,7\nr2,7\n", IS_IT.format("doi", "author")),
        ("rec,grp\nr1,7\nr2,7\n", LACKING),
        ("r1,17\nr2,18\nr3,19\n", UNLIKELY),
        ("r1,17\nr2,17\nr1,18\n", UNLIKELY),
    ],
)
def test_a_table_without_a_header_that_nobody_can_tell_is_a_fault(format, tab, text, problem):
    assert faults_of(text.replace(",", tab), format) == [f"x:1: {problem}"]


@tables
def test_what_the_columns_are_can_be_said(format, tab):
    text = "doi,author\nr1,7\nr2,7\nr3,8\n".replace(",", tab)
    labels = {"7": ["r1", "r2"], "8": ["r3"]}
    assert entities_of(read_text(text, format, columns={"item": "doi", "entity": "author"})) == {"#1": labels}
    data = text.removeprefix(f"doi{tab}author\n")
    assert entities_of(read_text(data, format, columns={"item": "1", "entity": "2"})) == {"#1": labels}
    assert entities_of(read_text(data, format, columns={"item": "2", "entity": "1"})) == {
        "#1": {"r1": ["7"], "r2": ["7"], "r3": ["8"]}
    }


@tables
@pytest.mark.parametrize("word", sorted(MISSING))
def test_a_word_for_none_is_a_fault_unless_it_is_kept(format, tab, word):
    text = f"item,entity\na,{word}\nb,{word}\nc,1\n".replace(",", tab)
    gap = f"has 2 rows without a value (item a, entity {word}); expected an item and an entity: --nulls drop leaves these rows "
    gap += "out, --nulls singleton makes an entity of each item without one, --nulls keep takes such words for names"
    assert faults_of(text, format) == [f"x:2: {gap}", f"x:3: {gap.replace('(item a', '(item b')}"]
    assert entities_of(read_text(text, format, nulls="keep")) == {"#1": {word: ["a", "b"], "1": ["c"]}}
    assert sorted(map(len, entities_of(read_text(text, format, nulls="singleton"))["#1"].values())) == [1, 1, 1]
    with pytest.warns(RefereeWarning, match=r"^x: has 2 rows without a value \(item a, entity .*\), left out: --nulls drop$"):
        assert entities_of(read_text(text, format, nulls="drop")) == {"#1": {"1": ["c"]}}


@tables
def test_a_word_for_none_is_written_with_a_warning(format, tab):
    corpus = read_text("item,entity\nNA,1\nb,1\n", nulls="keep")
    with pytest.warns(RefereeWarning, match="^x has the name NA, which stands for none in a table: read it with --nulls keep$"):
        text = written(corpus, format)
    assert read_text(text, format, nulls="keep") == corpus


def test_the_document_is_written_only_if_it_has_a_name():
    assert written(read_text("a,1\nb,1\n"), "csv") == "item,entity\na,1\nb,1\n"
    assert written(read_text("doc,item,entity\nd,a,1\n"), "csv") == "document,item,entity\nd,a,1\n"


@tables
@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("a", "found 1 field; expected 2"),
        ("a,b,c", "found 3 fields; expected 2"),
        (
            "a,",
            (
                r"has 1 row without a value \(item a, entity empty\); expected an item and an entity: --nulls drop leaves "
                "these rows out, --nulls singleton makes an entity of each item without one$"
            ),
        ),
        (",1", r"has 1 row without a value \(item empty, entity 1\); expected an item and an entity: --nulls drop"),
        ('"a"b,1', "is no table: "),
    ],
)
def test_a_fault_names_line_and_problem(format, tab, bad, problem):
    text = f"r1,1\n{bad}\nr2,1\n".replace(",", tab)
    with pytest.raises(FormatError, match=f"^x:2: {problem}"):
        read_text(text, format)
    assert len(faults_of(text, format)) == 1


def test_a_quote_that_never_ends_is_a_fault_and_does_not_swallow_the_rest():
    with pytest.raises(FormatError, match=r"^x:4: is no table: unexpected end of data"):
        read_text('item,entity\na,1\n"b,1\nc,1\n')


def test_three_columns_need_a_header():
    problem = "has the columns d, a, 1, of which none is known: say --columns item=d,entity=a (or others), or "
    assert faults_of("d,a,1\n", "csv") == [f"x:1: {problem}item=1,entity=2 without a header; left=, right= for pairs"]
    columns = {"document": "1", "item": "2", "entity": "3"}
    assert entities_of(read_text("d,a,1\n", "csv", columns=columns)) == {"d": {"1": ["a"]}}


def test_validation_lists_all_faults():
    faults = faults_of('item,entity\na,\nb\nc,1\n"x"y,1\nd,1,1\n', "csv")
    assert [fault[:4] for fault in faults] == ["x:2:", "x:3:", "x:5:", "x:6:"]


CELLS = st.sampled_from(["a", "b", "abcdefgh", "abcdefghi", "é", " a", "", '"a"', "0.5", "0.4", "true", "NA", "r1", "r2", "1"])
COLUMNS = st.sampled_from(["item", "entity", "id", "doc", "source_dataset", "x", "p", "id1", "id2", "ltable_id", "rtable_id"])
USUAL = [[], ["item", "entity"], ["id1", "id2"], ["id1", "id2", "p"]]
HEADERS = st.sampled_from(USUAL) | st.lists(COLUMNS, min_size=2, max_size=3, unique=True)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@given(st.data(), HEADERS, st.sampled_from([",", "\t"]), st.sampled_from(["\n", "\n", "\n\n", "\r\n"]))
def test_columns_are_read_like_rows(data, header, tab, newline):
    width = len(header) or 2
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width + data.draw(st.sampled_from([0, 0, 1])))))
    text = newline.join(tab.join(row) for row in [header, *rows] if row) + newline * data.draw(st.booleans())

    def read(format):
        try:
            return read_text(text, format)
        except FormatError as error:
            return str(error)

    for name in ("csv" if tab == "," else "tsv", "pairs"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(text_tables, "IN_CACHE", 3)
            quick = read(name)
            patch.setattr(text_tables, "plain_table", lambda *_, **_options: None)
            slow = read(name)
        assert quick == slow
        if isinstance(quick, Corpus) and isinstance(slow, Corpus):
            assert entities_of(quick) == entities_of(slow)
            assert links_of(quick) == links_of(slow)
