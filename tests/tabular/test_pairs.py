import re
import warnings

import pytest
from hypothesis import given, strategies as st

import referee
from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from tests.support.reading import entities_of, faults_of, links_of, read_text, source_of
from tests.support.strategies import item_corpora

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* is a link:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* more than once. each counts once:referee.RefereeWarning"),
]

# In the form of Splink's predictions.
SPLINK = (
    "match_weight,match_probability,unique_id_l,unique_id_r,name_l,name_r\n3.7,0.93,r1,r2,Ann,Anne\n-3,0.12,r2,r7,Anne,Bo\n"
)


def test_pairs_of_a_half_or_more_are_links_and_entities_are_their_components():
    corpus = read_text(SPLINK)
    assert inputs.detect(source_of(SPLINK)) == "pairs"
    assert entities_of(corpus) == {"#1": {"r1": ["r1", "r2"], "r7": ["r7"]}}
    assert links_of(corpus) == [("r1", "r2")]


def test_a_half_that_nobody_chose_is_said():
    with pytest.warns(
        RefereeWarning,
        match=r"a probability of at least 0\.5 is a link; where a response is scored, or converted, --threshold ",
    ):
        read_text(SPLINK)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_text("id1,id2,label\na,b,1\nc,d,false\n")


def test_pairs_are_converted_to_a_table_of_their_entities_if_links_may_be_lost(tmp_path):
    (tmp_path / "p.csv").write_text("left,right,probability\na,b,1\nc,d,0\n")
    message = "has links, which csv cannot hold besides their entities; expected another format, such as links, or --lossy"
    with pytest.raises(FormatError, match=message):
        referee.convert(tmp_path / "p.csv", tmp_path / "e.csv")
    with pytest.warns(RefereeWarning, match="left out what csv cannot hold: links"):
        referee.convert(tmp_path / "p.csv", tmp_path / "e.csv", lossy=True)
    assert (tmp_path / "e.csv").read_text().split() == ["item,entity", "a,a", "b,a", "c,c", "d,d"]
    referee.convert(tmp_path / "p.csv", tmp_path / "p.links")
    assert "a-b" in (tmp_path / "p.links").read_text()


HEADERS = (
    *("unique_id_l,unique_id_r", "id1,id2", "ID_1, ID_2", "id_l,id_r"),
    *("record_id_1,record_id_2", "left_id,right_id", "item1,item2"),
)  # fmt: skip


@pytest.mark.parametrize("tab", [",", "\t"])
@pytest.mark.parametrize("header", HEADERS)
def test_ends_are_found_by_name_and_without_a_decision_every_pair_is_a_link(header, tab):
    text = f"{header}\na,b\nd,c\nb,c\n\ne,e\n".replace(",", tab)
    assert inputs.detect(source_of(text)) == "pairs"
    corpus = read_text(text, tables="one")
    assert entities_of(corpus) == {"#1": {"a": ["a", "b", "c", "d"], "e": ["e"]}}
    assert links_of(corpus) == [("a", "b"), ("d", "c"), ("b", "c")]


# Text -> its entities.
TABLES = {
    # The form of DeepMatcher's data sets: 0 and 0 are two records.
    "ltable_id,rtable_id,label\n0,0,1\n1,0,0\n": {"#1": {"left/0": ["left/0", "right/0"], "left/1": ["left/1"]}},
    # The columns of Splink's fake_1000_labels.csv: ids belong to their dataset.
    "unique_id_l,source_dataset_l,unique_id_r,source_dataset_r,clerical_match_score\n0,a,1,b,1.0\n1,a,1,b,0.0\n": {
        "#1": {"a/0": ["a/0", "b/1"], "a/1": ["a/1"]}
    },
    # Rows of documents need not be sorted.
    "doc_id,id1,id2\nd1,a,b\nd2,a,c\nd1,b,c\n": {"d1": {"a": ["a", "b", "c"]}, "d2": {"a": ["a", "c"]}},
    "id1,id2\n": {"#1": {}},
}


@pytest.mark.filterwarnings("ignore:.* on both sides of its pairs:referee.RefereeWarning")
@pytest.mark.parametrize("text", TABLES)
def test_links_make_entities(text):
    assert inputs.detect(source_of(text)) == "pairs"
    assert entities_of(read_text(text)) == TABLES[text]


def test_three_of_the_ids_on_both_sides_are_shown():
    text = "id1,id2\n" + "".join(f"r{n},r{n + 1}\n" for n in range(10, 20))
    with pytest.warns(RefereeWarning, match=r"^x: has 9 ids on both sides of its pairs \(r11, r12, r13, …\): taken for"):
        read_text(text)


@pytest.mark.parametrize("header", ["id1,id2", "left,right", "item1,item2", "left_id,right_id"])
def test_ids_on_both_sides_are_of_one_table_or_of_two_as_is_said(header):
    for text, entities in {
        f"{header}\n0,1\n4,4\n2,3\n": {"0": ["0", "1"], "2": ["2", "3"], "4": ["4"]},
        f"{header}\n0,1\n1,2\n": {"0": ["0", "1", "2"]},
    }.items():
        itself = "4; 1 pair of an id with itself" if "4" in text else "1"
        with pytest.warns(
            RefereeWarning,
            match=rf"^x: has 1 id on both sides of its pairs \({itself}\): taken for records of one table; "
            r"--tables two if they are of two, --tables one to say so \(tables= in Python\)$",
        ):
            assert entities_of(read_text(text)) == {"#1": entities}
    for text in (f"{header}\n1,1\n2,2\n", f"{header}\n0,1\n1,1\n2,3\n"):  # all with themselves; with itself and with another
        with pytest.raises(
            FormatError, match=r"of an id with itself \(1.*: ids of one table, or of two\? Say --tables one, or two"
        ):
            read_text(text)
    assert entities_of(read_text(text, tables="one")) == {"#1": {"0": ["0", "1"], "2": ["2", "3"]}}
    assert entities_of(read_text(text, tables="two")) == {
        "#1": {"left/0": ["left/0", "left/1", "right/1"], "left/2": ["left/2", "right/3"]}
    }
    read_text(f"{header}\n0,1\n2,3\n")  # nothing to say


def test_a_pair_that_is_a_link_and_none_is_a_link_and_said():
    text = "id1,id2,label\na,b,1\nb,a,0\nc,d,0\nd,c,0\n"
    with pytest.warns(RefereeWarning, match=r"^x: has 1 pair twice, as a link and as none: each counts as a link$"):
        assert entities_of(read_text(text, tables="one")) == {"#1": {"a": ["a", "b"], "c": ["c"], "d": ["d"]}}


def test_numbers_of_another_scale_are_read_as_the_message_says():
    text = "id1,id2,probability\na,b,90\nc,d,20\n"
    (fault, *_) = faults_of(text, "pairs")
    assert fault.endswith("; if numbers have another scale, score=NAME in --columns, and --threshold NUMBER")
    rows = [{"id1": "a", "id2": "b", "probability": 90}, {"id1": "c", "id2": "d", "probability": 20}]
    evaluation = referee.score([["a", "b"], ["c"], ["d"]], rows, response_columns="score=probability", threshold=50)
    assert evaluation["pairs"].f1 == 1


@pytest.mark.parametrize("ends", ["uid1,uid2", "Kundennr_L,Kundennr_R", "person left,person right"])
def test_two_columns_of_unknown_names_that_seem_to_be_ends_are_named_in_the_remedy(ends):
    (fault,) = faults_of(f"{ends},label,city\na,b,1,x\nc,d,0,y\n", "csv")
    left, right = ends.split(",")
    assert fault.endswith(f"item=NAME, or left={left},right={right} for pairs")
    assert links_of(read_text(f"{ends},label,city\na,b,1,x\nc,d,0,y\n", columns={"left": left, "right": right})) == [("a", "b")]


@pytest.mark.parametrize("column", ["score", "similarity", "y_true_2", "weight", "class"])
def test_a_column_that_may_decide_must_be_named(column):
    text = f"id1,id2,{column}\na,b,1\nc,d,0\n"
    remedy = f"say --columns decision={column}, or probability={column} if it is from 0 to 1; decision= if each pair is a link"
    if column in ("score", "similarity"):
        remedy = remedy.replace("say ", "say --threshold NUMBER if a higher one is more probable; else ")
    problem = f"x:1: has a column {column}, which may decide about pairs, but nobody knows how: {remedy}"
    assert faults_of(text, "pairs") == [problem]
    for role in ("decision", "probability"):
        assert links_of(read_text(text, columns={role: column})) == [("a", "b")]
    assert links_of(read_text(text, columns={"decision": ""})) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize(
    "header",
    [
        "unique_id_l,source_dataset_l,unique_id_r,source_dataset_r",
        "unique_id_left,source_dataset_left,unique_id_right,source_dataset_right",
        "left_id,left_source,right_id,right_source",
        "ltable_id,ltable_source_dataset,rtable_id,rtable_source_dataset",
        "id_1,data_source_1,id_2,data_source_2",
    ],
)
def test_sources_are_read_unless_the_ids_are_of_one_table(header):
    text = f"{header}\n1,a,1,b\n2,a,3,b\n"
    two = header.startswith("ltable")
    assert entities_of(read_text(text)) == {"#1": {"a/1": ["a/1", "b/1"], "a/2": ["a/2", "b/3"]}}
    of_one = {"#1": {"1": ["1"], "2": ["2", "3"]}}
    assert entities_of(read_text(text, tables="one")) == of_one
    if not two:
        assert entities_of(read_text(text.replace("1,a,1,b\n", ""), columns={"source": ""})) == {"#1": {"2": ["2", "3"]}}
    labels = "source_dataset,unique_id,cluster_id\na,1,x\nb,2,x\n"
    assert entities_of(read_text(labels, "csv")) == {"#1": {"x": ["a/1", "b/2"]}}
    assert entities_of(read_text(labels, "csv", tables="one")) == {"#1": {"x": ["1", "2"]}}


@pytest.mark.parametrize(
    "key, remedy",
    [
        ("1,x\n3,x\n", "the response alone has a source or a table before its ids: --tables one compares the ids"),
        ("1,x\n2,x\n", "an id is in several of them: give the other side a column source_dataset, or such ids"),
    ],
)
def test_a_side_alone_with_sources_is_said_with_what_helps(key, remedy, tmp_path):
    response = "unique_id_l,source_dataset_l,unique_id_r,source_dataset_r\n1,a,3,b\n" + "2,a,2,b\n" * ("2" in key)
    for name, text in {"key.csv": "id,cluster\n" + key, "response.csv": response}.items():
        (tmp_path / name).write_text(text)
    with pytest.warns(RefereeWarning, match=re.escape(remedy)):
        referee.score(tmp_path / "key.csv", tmp_path / "response.csv")
    if "--tables one" in remedy:
        assert referee.score(tmp_path / "key.csv", tmp_path / "response.csv", tables="one")["links"].f1 == 1


def test_a_source_has_no_mark_that_stands_before_an_item():
    text = "unique_id_l,source_dataset_l,unique_id_r,source_dataset_r\n0,a/b,1,b\n"
    faults = faults_of(text, "pairs")
    assert faults == ["x:2: found the source 'a/b'; expected a name without /, which stands before the item: rename it"]


DECISIONS = {
    "1": True,
    "0.5": True,
    "5e-1": True,
    "TRUE": True,
    "Yes": True,
    "0": False,
    "90%": True,
    "50 %": True,
    "matched": True,
    "Linked": True,
    "pos": True,
    "0.499": False,
    "false": False,
    "n": False,
    "30%": False,
    "unmatched": False,
    "no match": False,
    "Non-Duplicate": False,
    "not a match": False,
    "mismatch": False,
}


@pytest.mark.parametrize(("decision", "linked"), DECISIONS.items())
def test_a_decision_is_a_number_or_a_word(decision, linked):
    for column in ("match", "label", "match_probability", "p"):
        assert links_of(read_text(f"id1,id2,{column}\na,b,{decision}\n")) == [("a", "b")] * linked


def test_a_key_takes_labels_and_a_response_probabilities():
    text = "id1,id2,match_probability,clerical_match_score\na,b,0.9,0\nc,d,0.1,1\n"
    assert links_of(read_text(text)) == [("c", "d")]
    assert links_of(read_text(text, role="response")) == [("a", "b")]


def test_quotes_and_windows_line_ends_are_undone():
    assert links_of(read_text('id1,id2\r\n"Smith, J.","b ""c"""\r\n')) == [("Smith, J.", 'b "c"')]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("id,cluster_id\nr1,17\n", "csv"),
        ("a,b\nc,d\n", "csv"),
        ("unique_id,cluster_id,name_1,name_2\nr1,17,Ann,Anne\n", "csv"),
        ("item\tentity\na\t1\n", "tsv"),
    ],
)
def test_tables_of_items_and_entities_are_left_to_csv(text, format):
    assert inputs.detect(source_of(text)) == format


@given(
    corpus=item_corpora(
        max_documents=0, linked=True, names=st.text("abc,\"\t '", min_size=1, max_size=4).map(str.strip).filter(bool)
    )
)
def test_the_links_of_a_corpus_as_pairs_are_the_corpus(corpus):
    """Every record is in a pair with itself first, so none is lost."""
    names = corpus.items or ()
    rows = [(name, name) for name in names] + links_of(corpus)
    quoted = (",".join('"' + name.replace('"', '""') + '"' for name in row) for row in rows)
    again = read_text("id1,id2\n" + "".join(f"{row}\n" for row in quoted), "pairs", tables="one", nulls="keep")
    if corpus.doc_ids:
        assert again == corpus
        assert sorted(links_of(again)) == sorted(links_of(corpus))


def test_degenerate_tables():
    assert read_text("", "pairs").doc_ids == read_text("document,id1,id2\n").doc_ids == ()


RECORDS = "expected two records in every row, and a decision if there is a column for it: --nulls drop leaves these rows out"


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("a,b", "found 2 fields; expected 3, as in the header"),
        ("a", "found 1 field; expected 3"),
        ("a,,1", rf"has 1 row without a value \(left a, right empty, decision 1\); {RECORDS}$"),
        (
            "NA,b,1",
            rf"has 1 row without a value \(left NA, right b, decision 1\); {RECORDS}, --nulls keep takes such words for",
        ),
        ("a,b,", r"has 1 row without a value \(left a, right b, decision empty\); expected two records"),
        ("a,b,x", "found 'x'; expected a number from 0 to 1, or yes or no, to say if the pair is a link$"),
        ("a,b,1.01", "found '1.01'; expected a number from 0 to 1, or yes or no, to say if the pair is a link$"),
        ("a,b,-1", "found '-1'; expected"),
        ("a,b,nan", r"has 1 row without a value \(left a, right b, decision nan\); expected two records"),
        ("a,b,maybe", "found 'maybe'; expected"),
        ('"a"b,c,1', "is no table: "),
    ],
)
def test_a_fault_names_line_and_problem(bad, problem):
    text = f"id1,id2,match\n{bad}\nr1,r2,1\n"
    with pytest.raises(FormatError, match=f"^x:2: {problem}"):
        read_text(text)
    assert len(faults_of(text, "pairs")) == 1


def test_a_header_is_needed():
    with pytest.raises(
        FormatError, match=r"^x:1: is the first row \(r1, r2\) a header\? .* left=r1,right=r2 for pairs; if it is"
    ):
        read_text("r1,r2\nr2,r3\n", "pairs")
    with pytest.raises(FormatError, match=r"^x:1: found the columns item, entity; expected a header with both ends of a pair"):
        read_text("item,entity\na,1\n", "pairs")
    assert links_of(read_text("r5,r2\nr2,r3\n", "pairs", columns={"left": "1", "right": "2"}, tables="one")) == [
        ("r5", "r2"),
        ("r2", "r3"),
    ]
