"""Lines as paragraphs, verses, headings and items."""

import pytest

from tests.parsing.splittings import paragraphs

PROSE = """The old man walked down to the river with his dog, as he had nothing
else to do, and sat down on a stone by the water. The dog lay down, too,
and slept until the evening came and the sun went down behind the hill.
"""
LONG = "The old man walked down to the river with his dog, as he had nothing else to do, and he sat there. " * 3


def flat(text):
    for mark in ".,!?:;":
        text = text.replace(mark, f" {mark}")
    return " ".join(text.split())


def test_lines_of_a_hard_wrapped_text_are_one_paragraph():
    assert paragraphs(PROSE + "\n" + PROSE) == [flat(PROSE), flat(PROSE)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_ends_of_lines_of_any_system(newline):
    assert paragraphs((PROSE + "\n" + PROSE).replace("\n", newline)) == [flat(PROSE), flat(PROSE)]


def test_a_long_line_is_a_paragraph():
    assert paragraphs(f"The River\n{LONG}\n{LONG}") == ["The River", flat(LONG), flat(LONG)]


def test_lines_of_a_heading_are_paragraphs():
    heading = "CHAPTER I\nDown the Hole\n\n"
    assert paragraphs(heading + PROSE) == ["CHAPTER I", "Down the Hole", flat(PROSE)]


def test_a_contents_list_is_no_verse():
    contents = "\n\nThe River\nThe Hill\nThe Old Man\n"
    assert paragraphs(PROSE + contents) == [flat(PROSE), "The River", "The Hill", "The Old Man"]


def test_verses_run_over_lines():
    verse = (
        "The river runs beneath the hill\n  And sings the whole day long,\n"
        "The evening comes, the wind is still,\n  But no one hears its song."
    )
    assert paragraphs(verse) == [flat(verse)]
    assert paragraphs(f"{PROSE}\n  {verse}\n\n{PROSE}") == [flat(PROSE), flat(verse), flat(PROSE)]


def test_a_sentence_broken_by_hand():
    assert paragraphs("The cat sat\non the mat.") == ["The cat sat on the mat ."]


def test_a_list_of_words_is_no_verse():
    assert paragraphs("Milk\nEggs\nBread") == ["Milk", "Eggs", "Bread"]


def test_a_chat_in_small_letters_is_no_verse():
    assert paragraphs("hey\nhow are you\nnot bad") == ["hey", "how are you", "not bad"]


@pytest.mark.parametrize(
    ("one", "other"), [("- milk", "- eggs,"), ("1. Milk,", "2. eggs,"), ("* Milk,", "* eggs"), ("# A", "## b")]
)
def test_items_are_paragraphs(one, other):
    assert [item.replace(" ", "") for item in paragraphs(f"{one}\n{other}\n")] == [one.replace(" ", ""), other.replace(" ", "")]


def test_dialogue_dashes_begin_paragraphs():
    assert paragraphs("— Come in,\n— she said.") == ["— Come in ,", "— she said ."]


def test_an_indented_line_after_a_short_one_begins_a_paragraph():
    short = PROSE + "It was dark.\n"
    assert paragraphs("  " + short + "  " + short) == [flat(short), flat(short)]


def test_a_page_number_and_a_form_feed():
    assert paragraphs(PROSE + "\n\x0c12\n\n" + PROSE) == [flat(PROSE), "12", flat(PROSE)]


def test_rules_are_paragraphs():
    assert paragraphs(PROSE + "\n      *      *      *\n\n" + PROSE) == [flat(PROSE), "* * *", flat(PROSE)]


def test_a_number_at_the_beginning_of_a_full_line_is_no_item():
    text = PROSE.replace("else to do", "12. else to do")
    assert paragraphs(text) == [" ".join(flat(PROSE).replace("nothing else", "nothing 12 . else").split())]


def test_long_headings_are_not_one_paragraph():
    text = "The Old Man and the River: a Story in Three Parts\nWith a Preface by the Author's Only Living Brother\nLondon 1890"
    assert len(paragraphs(text)) == 3


def test_a_hard_wrapped_text_in_capitals():
    assert paragraphs(PROSE.upper()) == [flat(PROSE.upper())]


def test_two_lines_that_someone_wrapped():
    assert paragraphs("She walked to the market because her mother had\nasked for eggs and milk.") == [
        "She walked to the market because her mother had asked for eggs and milk ."
    ]
