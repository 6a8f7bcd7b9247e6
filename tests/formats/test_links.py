import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError
from referee.corpus.builder import CorpusBuilder
from tests.support.reading import entities_of, faults_of, links_of, read_again, read_text, source_of, written
from tests.support.strategies import corpora, item_corpora

BRACE_NAMES = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="{}<>"), min_size=1, max_size=6).filter(
    lambda name: not name.startswith("#")
)
LINK_NAMES = BRACE_NAMES.filter(lambda name: "--" not in name and name.strip("-") == name)


@given(item_corpora(names=BRACE_NAMES))
def test_entities_written_read_the_same(corpus):
    assert read_again(corpus, "links") == corpus


@given(item_corpora(names=LINK_NAMES, linked=True))
def test_links_written_read_the_same(corpus):
    again = read_again(corpus, "links")
    assert again == corpus
    assert links_of(again) == links_of(corpus)


@given(corpora())
def test_spans_become_items(corpus):
    names = sorted(f"{start}-{end}" for start, end in zip(corpus.start, corpus.end, strict=True))
    assert sorted(read_again(corpus, "links").items or ()) == names


# Vilain et al. (1995), the examples of section "Computing model-theoretic recall" and after.
@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("<A-B B-C B-D>", [["A", "B", "C", "D"]]),
        ("<A-B C-D>", [["A", "B"], ["C", "D"]]),
        ("B-C C-D D-E E-G G-H H-J", [["B", "C", "D", "E", "G", "H", "J"]]),
        ("<A-B B-C D-E E-F G-H H-I >", [["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]]),
        ("{A B} {C} and-so", [["A", "B"], ["C"], ["and", "so"]]),
        ("{A B C D}", [["A", "B", "C", "D"]]),
        ("A-B\nB-C # and so on\n\n# a comment\n{D}", [["A", "B", "C"], ["D"]]),
        ("{A B} A-C", [["A", "B", "C"]]),
        ("A-C\n{A B}", [["A", "B", "C"]]),
        ("{A B} {C D} B-C", [["A", "B", "C", "D"]]),
        ("{A}", [["A"]]),
        ("{a#1 b}", [["a#1", "b"]]),
        ("well-known--it", [["it", "well-known"]]),
        ("well-known--it it-x", [["it", "well-known", "x"]]),
    ],
)
def test_links_and_braces_are_told_and_read(text, entities):
    assert inputs.detect(source_of(text)) == "links"
    assert sorted(entities_of(read_text(text))["#1"].values()) == sorted(entities)


def test_links_are_kept_as_listed():
    assert links_of(read_text("B-A C-B\n{D}\nB-A")) == [("B", "A"), ("C", "B"), ("B", "A")]
    assert read_text("{A B}").links is None


def test_a_name_twice_in_braces_is_two_mentions_and_a_link_means_the_first():
    assert read_text("{A B} {A C}").entity.tolist() == [0, 1, 0, 1]
    assert sorted(entities_of(read_text("{A B} {A C} A-D"))["#1"].values()) == [["A", "B", "D"], ["A", "C"]]


def test_documents_begin_with_their_headings():
    text = "A-B\n# document one two\nA-C\n# document empty\n"
    assert entities_of(read_text(text)) == {"#1": {"0": ["A", "B"]}, "one two": {"0": ["A", "C"]}, "empty": {}}


def test_entities_are_written_in_braces_and_listed_links_as_links():
    assert written(read_text("{B A} {C}"), "links") == "{A B} {C}\n"
    assert written(read_text("B-A\n{C}\nx-y--A"), "links") == "{C}\nB-A x-y--A\n"
    assert written(read_text("# document d\nB-A"), "links") == "# document d\nB-A\n"


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n"])
def test_no_documents_make_an_empty_corpus(text):
    assert read_text(text, "links").doc_ids == ()


def test_validation_lists_all_faults():
    assert [fault[:4] for fault in faults_of("A-B-C\n{D\nE-F\n}\n", "links")] == ["x:1:", "x:2:", "x:4:"]


@pytest.mark.parametrize(
    ("items", "linked", "document", "problem"),
    [
        (["a b"], False, "", "1 name of mentions .*'a b'"),
        (["{"], False, "", "1 name of mentions .*'{'"),
        (["#a"], False, "", "1 name of mentions .*'#a'"),
        (["a-", "b"], True, "", "1 link .*'a-' of entity 0"),
        (["a", "b", "a"], True, "", "1 link .*'a' of entity 0"),
        (["a"], False, "a ", "1 name of a document .*'a '"),
        (["a"], False, "a\nb", "1 name of a document"),
    ],
)
def test_names_that_the_format_cannot_hold_are_not_written(items, linked, document, problem):
    builder = CorpusBuilder("c")
    builder.document(document)
    numbers = [builder.item(item, "0") for item in items]
    if linked:
        builder.link(numbers[0], numbers[1])
    with pytest.raises(FormatError, match=f"^c: has {problem}.*, which links cannot hold"):
        written(builder.corpus(), "links")


def test_a_web_page_is_not_taken_for_links():
    with pytest.raises(FormatError, match="looks like none of the"):
        inputs.detect(source_of("<html><body>(1)</body></html>\n"))
    assert inputs.detect(source_of("<A-B B-C>\n")) == "links"
