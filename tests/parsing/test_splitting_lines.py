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


SHORT = PROSE + "It was dark.\n"
VERSE = (
    "The river runs beneath the hill\n  And sings the whole day long,\n"
    "The evening comes, the wind is still,\n  But no one hears its song."
)
PARAGRAPHS = {
    "lines of a hard-wrapped text": (PROSE + "\n" + PROSE, [flat(PROSE), flat(PROSE)]),
    "a long line": (f"The River\n{LONG}\n{LONG}", ["The River", flat(LONG), flat(LONG)]),
    "lines of a heading": ("CHAPTER I\nDown the Hole\n\n" + PROSE, ["CHAPTER I", "Down the Hole", flat(PROSE)]),
    "a contents list is no verse": (
        PROSE + "\n\nThe River\nThe Hill\nThe Old Man\n",
        [flat(PROSE), "The River", "The Hill", "The Old Man"],
    ),
    "a verse runs over lines": (VERSE, [flat(VERSE)]),
    "a verse in prose": (f"{PROSE}\n  {VERSE}\n\n{PROSE}", [flat(PROSE), flat(VERSE), flat(PROSE)]),
    "a sentence broken by hand": ("The cat sat\non the mat.", ["The cat sat on the mat ."]),
    "a list of words is no verse": ("Milk\nEggs\nBread", ["Milk", "Eggs", "Bread"]),
    "a chat in small letters is no verse": ("hey\nhow are you\nnot bad", ["hey", "how are you", "not bad"]),
    "dashes of a dialogue": ("— Come in,\n— she said.", ["— Come in ,", "— she said ."]),
    "an indented line after a short one": (f"  {SHORT}  {SHORT}", [flat(SHORT), flat(SHORT)]),
    "a page number and a form feed": (PROSE + "\n\x0c12\n\n" + PROSE, [flat(PROSE), "12", flat(PROSE)]),
    "a rule": (PROSE + "\n      *      *      *\n\n" + PROSE, [flat(PROSE), "* * *", flat(PROSE)]),
    "a number at the beginning of a full line is no item": (
        PROSE.replace("else to do", "12. else to do"),
        [" ".join(flat(PROSE).replace("nothing else", "nothing 12 . else").split())],
    ),
    "a hard-wrapped text in capitals": (PROSE.upper(), [flat(PROSE.upper())]),
    "two lines that someone wrapped": (
        "She walked to the market because her mother had\nasked for eggs and milk.",
        ["She walked to the market because her mother had asked for eggs and milk ."],
    ),
}


@pytest.mark.parametrize("name", PARAGRAPHS)
def test_lines_of_a_text_are_these_paragraphs(name):
    text, expected = PARAGRAPHS[name]
    assert paragraphs(text) == expected


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_ends_of_lines_of_any_system(newline):
    assert paragraphs((PROSE + "\n" + PROSE).replace("\n", newline)) == [flat(PROSE), flat(PROSE)]


@pytest.mark.parametrize(
    ("one", "other"), [("- milk", "- eggs,"), ("1. Milk,", "2. eggs,"), ("* Milk,", "* eggs"), ("# A", "## b")]
)
def test_items_are_paragraphs(one, other):
    assert [item.replace(" ", "") for item in paragraphs(f"{one}\n{other}\n")] == [one.replace(" ", ""), other.replace(" ", "")]


def test_long_headings_are_not_one_paragraph():
    text = "The Old Man and the River: a Story in Three Parts\nWith a Preface by the Author's Only Living Brother\nLondon 1890"
    assert len(paragraphs(text)) == 3
