"""Strings are looked up in the text of the key."""

import json

import pytest

from referee import MismatchError, RefereeWarning, read, score
from referee.formats.shared.source import Source
from tests.answers.test_tagged import DATA, KEY, WANTED, dog, in_kit
from tests.support.answers import differs_from_conll, nesting, quoted, recoverable, texts


def quotes(text, how="ordered"):
    """The mentions, what was repaired, and the F of LEA."""
    found = score(dog(*WANTED), read(Source("a.json", text.encode()), format="quotes"), quotes=how)
    response = found.pair.unfiltered.response
    return (
        sorted(zip(response.start.tolist(), response.end.tolist(), strict=True)),
        dict(found.pair.repairs),
        found["lea"].value,
    )


FORMS = [
    '[["Tom", "his", "He"], ["his dog", "it"]]',
    '{"Tom": ["Tom", "his", "He"], "dog": ["his dog", "it"]}',
    '{"doc_id": "d", "clusters": [["Tom", "his", "He"], ["his dog", "it"]]}',
    '{"d": [["Tom", "his", "He"], ["his dog", "it"]]}',
    '[[["Tom", 0], ["his", 0], ["He", 1]], [["his dog", 0], ["it", 1]]]',
    '[[["Tom", 1], ["his", 1], ["He", 2]], [["his dog", 1], ["it", 2]]]',
    '{"entities": [{"name": "Tom", "mentions": [{"text": "Tom"}, "his", "He"]}, {"id": 2, "mentions": ["his dog", "it"]}]}',
    "Tom: [Tom, his, He]\n- dog: ['his dog', \"it\"]",
]


@pytest.mark.parametrize("text", FORMS)
def test_each_form_says_the_same(text):
    assert quotes(text) == ([(0, 1), (2, 3), (2, 4), (5, 6), (10, 11)], {}, 1.0)


def test_occurrences():
    text = '[["Tom", "Tom", "he"], ["nobody"]]'
    spurious = {"strings that the text does not have, or not so often, counted as spurious": 1}
    case = {"strings found in another case or with other quotes": 1}
    with pytest.warns(RefereeWarning, match="1 string found in another case"):
        assert quotes(text)[:2] == ([(0, 1), (5, 6), (7, 8), (12, 13)], case | spurious)
    with pytest.warns(RefereeWarning, match="repaired"):
        assert quotes(text, "all")[0] == [(0, 1), (5, 6), (7, 8), (12, 13)]
        assert quotes(text, "first")[0] == [(0, 1), (5, 6), (12, 13)]


@in_kit
@pytest.mark.parametrize("name", ["gum", "litbank"])
def test_scores_are_those_of_conll(name):
    """Of all mentions that the lists can tell apart; ``benchmarks/answers.py`` has all documents."""
    corpus = read(DATA / name / f"{name}.key.conll.gz")
    for document in range(0, len(corpus.doc_ids), 40):
        key = corpus.select_documents([document])
        for sentences in ((), key.text.words[0].sentences):
            text = recoverable(texts(key)[0], sentences)
            assert differs_from_conll(key, text, quoted(text, sentences=sentences), "quotes") is None


def test_whole_words_go_before_parts_of_words():
    key = read(Source("key.json", b'{"sentences": [["law-copyists", "and", "copyists", "."]], "clusters": [[[2, 2]]]}'))
    assert score(key, read(Source("a.json", b'[["copyists"]]'), format="quotes"))["mentions"].value == 1.0
    with pytest.warns(RefereeWarning, match="1 string found inside of words"):
        found = score(key, read(Source("a.json", b'[["copyists", "copyists"]]'), format="quotes"))
    assert found.pair.unfiltered.response.start.tolist() == [0, 2]


@pytest.mark.filterwarnings("ignore:.*could stand in several places")
def test_strings_of_tokens_are_told_apart_by_blanks():
    key = read(Source("key.json", b'{"sentences": [["U.", "S.", "or", "U.S."]], "clusters": [[[2, 2], [3, 3]], [[0, 1]]]}'))
    assert score(key, read(Source("a.json", b'[["or", "U.S."], ["U. S."]]'), format="quotes"))["b_cubed"].value == 1.0
    with pytest.warns(RefereeWarning, match="counted as spurious"):
        found = score(key, read(Source("a.json", b'[["U.S.", "and/or"]]'), format="quotes"))
    assert found.pair.unfiltered.response.start.tolist() == [0, 4]


def test_a_list_that_ends_too_early_and_a_fence():
    with pytest.warns(RefereeWarning, match="1 code fence removed and 2 brackets without an end closed"):
        spans, _, _ = quotes('```json\n[["Tom", "his", "He"], ["his dog", "it')
    assert len(spans) == 5


def test_sentences_that_do_not_have_a_string():
    with pytest.warns(RefereeWarning, match="1 string found in another sentence"):
        assert quotes('[[["Tom", 0], ["He", 0]], [["it", 1]]]')[0] == [(0, 1), (5, 6), (10, 11)]


def test_nothing_of_the_text_is_an_error():
    with pytest.raises(MismatchError, match="none of its 2 strings is in the text"):
        quotes('[["Ann", "Bob"]]')


def test_sentence_numbers_give_the_scores_of_conll(tmp_path):
    key = read(KEY)
    path = tmp_path / "answer.json"
    by_sentence = {
        text.name: json.loads(quoted(nesting(text), sentences=list(words.sentences)))
        for text, words in zip(texts(key), key.text.words, strict=True)
    }
    path.write_text(json.dumps(by_sentence))
    assert score(KEY, path, response_format="quotes")["conll"].value > 0.9


@pytest.mark.filterwarnings("ignore:.*could stand in several places")
def test_names_are_not_compared_with_spans(tmp_path):
    path = tmp_path / "answer.json"
    path.write_text('{"documents": {"lighthouse": [["Anna", "She", "her"]], "orchard": [["it"]]}}')
    with pytest.warns(RefereeWarning, match="looked up in the text"):
        assert score(KEY, path)["mentions"].precision == 1.0


@pytest.mark.filterwarnings("ignore:.*left out")
@pytest.mark.parametrize(
    "text",
    [
        f"Sure! Here are the entities:\n\n{FORMS[0]}",
        f"Here they are:\n```json\n{FORMS[0]}\n```\nI hope that this helps!",
        f"Here is the answer.\n{FORMS[1]}\nHave a nice day, and ask again.",
        f"Here is the answer:\n{FORMS[4]}\nHave a nice day.",
    ],
)
def test_what_models_say_before_and_behind_the_lists_is_no_mention(text):
    assert read(Source("a.txt", text.encode())).format == "quotes"
    mentions, repairs, lea = quotes(text)
    assert mentions == [(0, 1), (2, 3), (2, 4), (5, 6), (10, 11)]
    passages = {"passages beside the answer left out": 1 + ("Have a" in text or "I hope" in text)}
    assert repairs == ({"code fences removed": 2} if "```" in text else {}) | passages
    assert lea == 1.0
