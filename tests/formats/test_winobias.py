import pytest

from referee import inputs, score
from referee.basics.exceptions import RefereeWarning
from referee.formats import winobias
from tests.support.mutations import limited
from tests.support.reading import entities_of, faults_of, read_text, source_of

# Lines like those of anti_stereotyped_type1.txt.dev and type2, with what is odd there: three phrases, a blank, a clitic.
TEXT = """\
[The developer] argued with the designer because [she] did not like the design.
The janitor cleaned [the librarian] 's room and told [her] it is ready.
[The cleaner] called the guard because [he] forgot to bring [his] key.
The teacher asked the [ physician] about it and believed [him].
"""
NUMBERED = "".join(f"{n} {line}\n" for n, line in enumerate(TEXT.splitlines(), start=1))
ENTITIES = [[(0, 2), (7, 8)], [(3, 5), (10, 11)], [(0, 2), (6, 7), (10, 11)], [(4, 5), (9, 10)]]


@pytest.mark.parametrize("text", [TEXT, NUMBERED, TEXT.replace("\n", "\r\n"), TEXT.rstrip("\n")])
def test_a_line_is_a_document_of_one_entity(text):
    assert inputs.detect(source_of(text)) == "winobias"
    corpus = read_text(text)
    assert entities_of(corpus) == {f"#{n}": {"0": spans} for n, spans in enumerate(ENTITIES, start=1)}
    first = corpus.documents["#1"]
    assert [mention.text for mention in first.mentions] == ["The developer", "she"]
    assert list(first.tokens)[:4] == ["The", "developer", "argued", "with"]


def test_a_number_that_is_not_that_of_the_line_is_a_word():
    corpus = read_text("7 of [the nurses] thought that [they] slept.", "winobias")
    assert list(corpus.documents["#1"].tokens)[:2] == ["7", "of"]


@pytest.mark.parametrize(
    "text",
    [
        "[Tom](#1) saw [him](#1).\n", "[Tom]_1 saw [him]_1.\n", "[Tom: e1] saw [him: e1].\n", "[1 Tom] saw [1 him].\n",
        "[ Tom ] saw [ [ his | Tom ] dog ] .\n", "Read [the page] and [the notes].\n", "[[1, 2], [3]]\n", "[he]\n",
    ],
)  # fmt: skip
def test_other_brackets_are_not_taken_for_it(text):
    assert not winobias.sniff(text)


def test_a_line_with_one_phrase_is_warned_of():
    lines = TEXT * 5 + "The physician owed the cashier money because [he] paid.\n"
    assert inputs.detect(source_of(lines)) == "winobias"
    with pytest.warns(RefereeWarning, match="^x:21: found 1 sentence with fewer than two phrases in square brackets"):
        assert entities_of(read_text(lines))["#21"] == {"0": [(7, 8)]}


@pytest.mark.parametrize(
    "line", ["[The cook] met [the nurse] and [he] left.", "The [[cook] met [him].", "[] met [him].", "[a] b]"]
)
def test_brackets_that_are_no_entity_are_a_fault(line):
    assert [fault[:4] for fault in faults_of(TEXT + line + "\n", "winobias")] == ["x:5:"]


def test_it_is_scored_against_a_system_that_read_the_same_words():
    with pytest.warns(RefereeWarning, match="2 sentences"):
        response = read_text(TEXT.replace("[she]", "she").replace("[her]", "her"), "winobias")
    found = score(read_text(TEXT), response)["muc"]
    assert (found.recall, found.precision) == (3 / 5, 1)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("text", ["[" * 20000, "[a] " * 20000, "1 " * 20000, "[a " * 20000])
def test_no_text_takes_long(text):
    with limited(2):
        winobias.sniff(text)
        faults_of(text, "winobias")
