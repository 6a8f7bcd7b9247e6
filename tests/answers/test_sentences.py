"""Where the sentences of marked text begin: a key, the prompt that numbers its sentences and an answer with numbers agree."""

import json
from itertools import pairwise

import pytest

from referee import Answer, score
from referee.answers.sentences import sentence_starts
from referee.compat.prompts import prompts

ONE_LINE = (
    '[Anna Ruiz](#1) met [Dr. Lee](#2) at J. Smith\'s. "[She](#1) is late!" said [he](#2). "Come in." [It](#3) was 5.30 p.m.'
)


def key_of(text):
    return Answer(text).corpus("tagged")


def sentences(text):
    """The sentences of a marked text, with blanks between the tokens."""
    corpus = key_of(text)
    words = corpus.text.words[0]
    edges = [*words.sentences, len(words.tokens)]
    return [" ".join(words.tokens[a:b]) for a, b in pairwise(edges)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Ann](#1) left. [She](#1) ran.", ["Ann left .", "She ran ."]),
        ("[Ann](#1) left\n\n[she](#1) ran\n", ["Ann left", "she ran"]),
        ("[Ann](#1) left. [she](#1) ran.", ["Ann left . she ran ."]),
        ("[Ann. The nurse](#1) left. [She](#1) ran.", ["Ann . The nurse left .", "She ran ."]),
        ("[Ann,\nthe nurse](#1) left.\n[She](#1) ran.", ["Ann , the nurse left .", "She ran ."]),
        ("1. [Ann](#1) left.\n2. [She](#1) ran.", ["1 . Ann left .", "2 . She ran ."]),
        ("Mr. [Lee](#1) left... Who? [He](#1)!", ["Mr . Lee left . . .", "Who ?", "He !"]),
        ('He said: "[Ann](#1) left." [She](#1) ran.', ['He said : " Ann left . "', "She ran ."]),
        ('[Ann](#1) left. "[She](#1) ran."', ["Ann left .", '" She ran . "']),
        ("[Ann](#1) left. (“[She](#1) ran.”) No.", ["Ann left .", "( “ She ran . ” )", "No ."]),
        ("Ann|[1] left . She|[1] ran .", ["Ann left .", "She ran ."]),
        ('<e id="1">Ann</e> left. <e id="1">She</e> ran.', ["Ann left .", "She ran ."]),
        ("[安娜](#1)走了。[她](#1)跑了。", ["安 娜 走 了 。", "她 跑 了 。"]),
    ],
)
def test_sentences_begin_with_lines_and_behind_full_stops(text, expected):
    assert sentences(text) == expected


def test_one_line():
    first, *others = sentences(ONE_LINE)
    assert first == "Anna Ruiz met Dr . Lee at J . Smith ' s ."
    assert others == ['" She is late ! " said he .', '" Come in . "', "It was 5 . 30 p . m ."]


@pytest.mark.parametrize("tokens", [[], ["."], [".", "."], ['"', ".", '"'], ["A"], [")", "A"]])
def test_degenerate_texts_have_at_most_one_sentence(tokens):
    assert sentence_starts(tokens, [0, len(tokens)]) == [0][: len(tokens)]


def test_every_quote_takes_the_same_time():
    """A quote that is never closed, and many stops: each token is looked at a few times."""
    looked = 0

    class Counting(list[str]):
        def __getitem__(self, place):
            nonlocal looked
            looked += 1
            return super().__getitem__(place)

    sentence_starts(Counting(['"', "A", "."] * 4000), [0])
    assert looked < 10 * 12000


@pytest.mark.parametrize("text", [ONE_LINE, ONE_LINE.replace('. "', '.\n"')])
def test_numbers_of_the_prompt_are_those_of_the_key(text):
    key = key_of(text)
    numbered = prompts(key, "quotes")["#1"].rpartition("Text:\n")[2].split("\n")
    assert numbered[1].startswith('2: "She is late')
    assert numbered[3].startswith("4: It")
    answer = [[["Anna Ruiz", 1], ["She", 2]], [["Dr. Lee", 1], ["he", 2]], [["It", 4]]]
    found = score(key, Answer(json.dumps(answer)))
    assert found["conll"].value == 1
    assert "repaired" not in found.signature
