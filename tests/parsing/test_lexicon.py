"""Lemmas and features by the longest ending that is known."""

from hypothesis import given, strategies as st

from referee.parsing.lexicon import learnt, lemma_by, lemma_rule, look_up

WORDS = st.text("abcXY12+^_é", min_size=1, max_size=9)


@given(WORDS, st.text("abcXY12+^é", min_size=1, max_size=9))
def test_a_rule_gives_the_lemma_that_it_was_made_of(word, lemma):
    assert lemma_by(lemma_rule(word, lemma), word) == lemma


@given(st.dictionaries(st.text("abc", min_size=1, max_size=6), st.sampled_from(["1", "2", "3"]), min_size=1))
def test_words_that_were_seen_have_the_value_they_had(values):
    found = learnt([("N", word, value) for word, value in values.items()])["N"]
    assert {word: look_up(found, word) for word in values} == values


def test_of_several_values_the_most_frequent_is_taken():
    seen = [("V", "read", "Past"), ("V", "read", "Pres"), ("V", "read", "Pres")]
    assert look_up(learnt(seen)["V"], "read") == "Pres"


def test_new_words_are_as_most_words_of_their_ending():
    plural = ["cars", "dogs", "birds", "stones", "rivers", "books"]
    one = ["car", "dog", "bird", "stone", "river", "book", "tree", "house", "child"]
    found = learnt([*(("N", word, "Plur") for word in plural), *(("N", word, "Sing") for word in one)])["N"]
    assert (look_up(found, "tables"), look_up(found, "table")) == ("Plur", "Sing")


def test_what_is_not_known_has_no_value():
    assert look_up({}, "word") is None
