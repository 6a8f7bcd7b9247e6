"""Texts in another language than that of the model are refused, others are not."""

import warnings

import pytest

from referee.basics.exceptions import FormatError, RefereeWarning
from referee.parsing.language import check_language
from referee.parsing.splitting.learnt import Splitting
from referee.parsing.splitting.trees import read_trees
from tests.parsing.splittings import english, french, kit
from tests.parsing.test_splitting import raw_text
from tests.support.cases import cases

OTHERS = {case.text: case.expected[0] for case in cases("languages")}
ENGLISH_TEXT = (
    "Once upon a time there was a little girl who lived in a house near the wood. She had a dog and two cats, and every day "
    "she went out to play with them, and she came home when it was dark."
)
FRENCH_TEXT = (
    "Il était une fois une petite fille qui vivait dans une maison près de la forêt. Elle avait un chien et deux chats, et "
    "tous les jours elle sortait pour jouer avec eux, parce que sa mère était malade."
)


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_is_refused(language):
    for splitting in (english(), french()):
        with pytest.raises(FormatError, match=r"^a\.txt: seems to be no text in (English|French) "):
            check_language([OTHERS[language]], ["a.txt"], splitting)


def test_english_is_no_french_and_french_no_english():
    check_language([ENGLISH_TEXT, FRENCH_TEXT[:0]], ["a.txt", "b.txt"], english())
    check_language([FRENCH_TEXT], ["a.txt"], french())
    with pytest.raises(FormatError, match=r"b\.txt: seems to be no text in English"):
        check_language([ENGLISH_TEXT, FRENCH_TEXT], ["a.txt", "b.txt"], english())
    with pytest.raises(FormatError, match="seems to be no text in French"):
        check_language([ENGLISH_TEXT], ["a.txt"], french())


def test_the_message_has_the_remedy_in_one_line():
    with pytest.raises(FormatError) as caught:
        check_language([OTHERS["German"]], ["story.txt"], english())
    message = str(caught.value)
    assert message.startswith("story.txt: seems to be no text in English (")
    assert "of its words are among the frequent ones of that language; expected about" in message
    assert message.endswith("or resolve what Stanza or spaCy parsed, with --model rules")
    assert "\n" not in message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ja.",
        "Bonjour tout le monde",
        "Alice Smith, Bob Jones, Carol White, Dan Brown, Eve Black, Frank Green, Grace Hill, Henry Ford, Ivan Petrov, Jane Doe",
        "Tyger Tyger, burning bright, In the forests of the night; What immortal hand or eye, Could frame thy symmetry?",
        "THE OLD MAN WENT DOWN TO THE RIVER AND SAT BY THE WATER. HE WAS TIRED AND HIS FEET WERE COLD, BUT HE DID NOT GO.",
        "hey u there? lol yeah wassup. nm just chillin wbu. gonna go 2 the store l8r wanna come. idk maybe if i finish. k cya",
        "Tbe old rnan w cnt dovvn to tlie rivcr ancl sat bv the watcr. Hc was tircd and liis feet werc cold, bnt he did not.",
        "So I told her, mira, no puedo ir, and then she said that it was fine, que no pasa nada, and we went to the movies.",
        "2 cups flour, 1 tsp salt, 3 eggs, 1 cup sugar, butter, vanilla extract, baking powder, walnuts, milk, chocolate chips",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
    ],
)
def test_odd_english_passes(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_language([text], ["a.txt"], english())


@pytest.mark.parametrize("end", ["\n\n", "\n"], ids=["blank lines", "a paragraph a line"])
def test_a_mixed_text_passes_with_a_count(end):
    text = end.join([ENGLISH_TEXT] * 3 + [f"{OTHERS['German']} {OTHERS['German']}"])
    with pytest.warns(RefereeWarning, match="a.txt: 1 of 4 longer paragraphs seem to be in another language than English"):
        check_language([text], ["a.txt"], english())


def test_a_model_that_knows_no_frequent_words_refuses_nothing():
    check_language([OTHERS["German"]], ["a.txt"], Splitting())


def test_no_text_of_the_kit_is_refused():
    documents = read_trees(kit("parse/gum-raw.dev.conllu.gz")).documents
    texts = [raw_text(document)[0] for document in documents]
    check_language(texts, [str(number) for number in range(len(texts))], english())


def test_another_script_within_a_text_is_said():
    text = "Ann met Bob in the garden, and she gave him the key to the old house. 他在花园里遇见了鲍勃。 He thanked her."
    letters = sum(map(str.isalpha, text))
    with pytest.warns(RefereeWarning, match=f"^a: 10 of {letters} letters are of another script"):
        check_language([text], ["a"], english())
