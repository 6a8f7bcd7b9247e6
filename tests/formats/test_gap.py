import pytest

from referee import inputs
from tests.support.reading import entities_of, faults_of, links_of, read_text, source_of

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
# The example of the README's table, shortened, and two made up.
KEY = (
    HEADER
    + "development-1\tZoe Telford -- played the police officer girlfriend of Simon, Maggie. Dumped by Simon in the final "
    "episode of series 1, after he slept with Jenny, and is not seen again. Phoebe Thomas played Cheryl Cassidy, Pauline's "
    "friend and also a year 11 pupil in Simon's class. Dumped her boyfriend\ther\t274\tCheryl Cassidy\t191\tTRUE\tPauline\t"
    "207\tFALSE\thttp://en.wikipedia.org/wiki/List_of_Teachers_(UK_TV_series)_characters\n"
    'd-2\t"He" met Bo, Al\tHe\t1\tBo\t9\tFALSE\tAl\t13\tFALSE\tu\n'
    "d-3\tBo, Al, them\tthem\t8\tBo\t0\ttrue\tAl\t4\ttrue\tu\n"
)


def test_each_row_is_a_document_of_a_pronoun_and_two_names():
    corpus = read_text(KEY)
    assert inputs.detect(source_of(KEY)) == "gap"
    assert entities_of(corpus) == {
        "development-1": {"pronoun": ["A", "pronoun"], "B": ["B"]},
        "d-2": {"A": ["A"], "B": ["B"], "pronoun": ["pronoun"]},
        "d-3": {"pronoun": ["A", "B", "pronoun"]},
    }
    assert links_of(corpus) == [("pronoun", "A"), ("pronoun", "A"), ("pronoun", "B")]


def test_the_type_of_the_pronouns_entity_is_its_gender():
    corpus = read_text(KEY)
    types = {corpus.documents[name].name: "" for name in corpus.doc_ids}
    for e, label in enumerate(corpus.entity_ids):
        if label == "pronoun":
            types[corpus.doc_ids[corpus.entity_document[e]]] = (corpus.entity_types or [])[e]
    assert types == {"development-1": "feminine", "d-2": "masculine", "d-3": ""}


@pytest.mark.parametrize("header", ["", "ID\tA-coref\tB-coref\n", "id\ta-coref\tb-coref\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_system_gives_decisions_in_either_case_with_or_without_a_header(header, end):
    text = (header + "d-1\tTRUE\tFALSE\n\nd-2\tfalse\tTrue\n").replace("\n", end)
    corpus = read_text(text)
    assert inputs.detect(source_of(text)) == "gap"
    assert entities_of(corpus) == {
        "d-1": {"pronoun": ["A", "pronoun"], "B": ["B"]},
        "d-2": {"A": ["A"], "pronoun": ["B", "pronoun"]},
    }
    assert corpus.entity_types is None


@pytest.mark.filterwarnings("ignore:.*ignored 1 column that GAP")
def test_columns_are_found_by_their_names():
    assert entities_of(read_text("B-coref\tx\tID\tA-coref\nTRUE\t?\td\tFALSE\n")) == {
        "d": {"A": ["A"], "pronoun": ["B", "pronoun"]}
    }


def test_a_file_without_any_link_lists_none():
    assert links_of(read_text("d\tFALSE\tFALSE\n")) == []
    assert "links" in read_text("d\tFALSE\tFALSE\n").features


def test_degenerate_tables():
    assert read_text("", "gap").doc_ids == ()
    assert read_text(HEADER).doc_ids == ()


def test_validation_lists_all_faults():
    assert [fault[:4] for fault in faults_of("d\tTRUE\tno\nd\tTRUE\n\tTRUE\tTRUE\nd\tTRUE\tTRUE\n", "gap")] == [
        "x:1:",
        "x:2:",
        "x:3:",
    ]
