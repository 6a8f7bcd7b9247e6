import json

import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError
from referee.formats.shared.characters import tokenised, utf16_offsets
from tests.support.reading import entities_of, read_text, source_of

# The example of fastcoref's README, as predict(output_file=...) writes it.
ALICE = {
    "text": "We are so happy to see you using our coref package. This package is very fast!",
    "clusters": [[[0, 2], [33, 36]], [[33, 50], [52, 64]]],
    "clusters_strings": [["We", "our"], ["our coref package", "This package"]],
}


@pytest.mark.parametrize(
    "text", [json.dumps(ALICE), json.dumps(ALICE) + "\n", json.dumps(ALICE, indent=2), json.dumps([ALICE])]
)
def test_spans_of_characters_become_spans_of_tokens(text):
    assert inputs.detect(source_of(text)) == "fastcoref"
    corpus = read_text(text)
    assert entities_of(corpus) == {"#1": {"0": [(0, 1), (8, 9)], "1": [(8, 11), (12, 14)]}}
    assert [[m.text for m in e.mentions] for e in corpus.documents["#1"].entities] == ALICE["clusters_strings"]


def test_training_files_with_text_are_read_and_those_with_tokens_are_not_taken_for_them():
    text = json.dumps({"doc_key": "a", "text": "Ann waves", "clusters": [[[0, 3]]]})
    assert entities_of(read_text(text)) == {"a": {"0": [(0, 1)]}}
    assert inputs.detect(source_of('{"text": "Ann", "tokens": ["Ann"], "clusters": [[[0, 0]]]}')) == "jsonlines"


def test_a_long_text_is_recognised_before_its_clusters_are_seen():
    text = json.dumps({"text": 'Ann {waves} "[\\ ' * 6000, "clusters": [[[0, 3]]], "clusters_strings": [["Ann"]]})
    assert inputs.detect(source_of(text)) == "fastcoref"
    assert entities_of(read_text(text)) == {"#1": {"0": [(0, 1)]}}


def test_tokens_behind_a_long_text_are_seen_and_with_a_format_named_are_a_fault():
    text = json.dumps({"text": "Ann waves " * 9000, "tokens": ["Ann", "waves"] * 9000, "clusters": [[[0, 0]]]})
    assert inputs.detect(source_of(text)) == "jsonlines"
    with pytest.raises(FormatError, match=r"x:1: found `tokens` beside `text`.*read it as jsonlines"):
        read_text(text, "fastcoref")


def test_a_mention_that_begins_inside_a_word_cuts_it():
    corpus = read_text(json.dumps({"text": "unhappy\nmen", "clusters": [[[2, 7], [8, 11]]]}))
    document = corpus.documents["#1"]
    assert [m.text for m in document.mentions] == ["happy", "men"]
    assert list(document.sentences) == [0, 2]


def test_white_space_around_a_mention_does_not_count():
    assert entities_of(read_text(json.dumps({"text": "Ann saw her ", "clusters": [[[3, 8], [8, 12]]]}))) == {
        "#1": {"0": [(1, 2), (2, 3)]}
    }


def test_a_mention_without_a_place_is_left_out():
    # get_clusters(as_strings=False) of fastcoref gives None for spans of special tokens
    assert entities_of(read_text('{"text": "Ann", "clusters": [[[0, 3], null]]}')) == {"#1": {"0": [(0, 1)]}}


TEXTS = st.text(st.sampled_from("ab1_.,-'é中😀 \n\t\u00a0\u200b\u0301"), max_size=12)


@given(TEXTS, st.lists(st.integers(-2, 14)))
def test_tokens_are_the_text_without_white_space_and_know_their_places(text, boundaries):
    characters = tokenised(text, boundaries)
    assert "".join(characters.tokens) == "".join(text.split())
    places = list(zip(characters.starts, characters.ends, strict=True))
    assert [text[a:b] for a, b in places] == characters.tokens
    assert places == sorted(places)
    assert not any(a < cut < b for cut in boundaries for a, b in places)


@given(TEXTS, st.integers(-1, 13), st.integers(-1, 13))
def test_a_span_has_the_characters_that_are_no_white_space(text, start, end):
    characters = tokenised(text, (start, end))
    expected = "".join(text[start:end].split()) if 0 <= start < end <= len(text) else ""
    if expected:
        first, after = characters.span(start, end)
        assert "".join(characters.tokens[first:after]) == expected
    else:
        with pytest.raises(ValueError, match=r"^expected "):
            characters.span(start, end)


@given(TEXTS)
def test_utf16_units_are_counted_as_java_does(text):
    offsets = utf16_offsets(text)
    assert [offsets[len(text[:n].encode("utf-16-le")) // 2] for n in range(len(text) + 1)] == list(range(len(text) + 1))
    assert len(offsets) == len(text.encode("utf-16-le")) // 2 + 1


def test_every_line_with_a_token_is_a_sentence():
    assert list(tokenised("\n a b\n\n c\n").sentences) == [0, 2]
    assert list(tokenised(" \n").sentences) == []


def test_spans_that_count_words_are_a_fault():
    words = "Ann Lee saw the old dog . She fed it and it barked ."
    for clusters in ([[[0, 1], [7, 7]], [[3, 5], [9, 9]]], [[[0, 2], [7, 8]], [[3, 6], [9, 10]]]):
        with pytest.raises(FormatError, match="if they count words, give the words as `tokens`"):
            read_text(json.dumps({"text": words, "clusters": clusters}))
    read_text(json.dumps({"text": "他说他的狗跑了", "clusters": [[[0, 1], [2, 3]], [[2, 5]]]}))
