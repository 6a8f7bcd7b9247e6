"""Key and response with different tokens, aligned by characters."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import score
from referee.basics.exceptions import MismatchError, RefereeWarning
from referee.corpus.builder import CorpusBuilder
from referee.matching.characters import LONGEST, align_characters
from referee.matching.positions import character_alignments

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no mention in common"),
    pytest.mark.filterwarnings("ignore:.*repeated mention"),
]


def corpus(text, *mentions, source="x", empty=None):
    """A document of the words of a text; mentions are (first word, word after the last, entity)."""
    builder = CorpusBuilder(source)
    words = text.split()
    builder.document("d", words)
    if empty is not None:
        builder.empty_node(empty, 1, 0)
    for start, end, label in mentions:
        builder.mention(start, end, label)
    return builder.corpus()


def aligned(key, response, **options):
    with pytest.warns(RefereeWarning, match="aligned by characters"):
        return score(key, response, tokens="align", **options)


def test_words_cut_in_another_way_are_the_same_mention():
    key = corpus("a New York-based firm (IBM)", (0, 4, "firm"), (4, 5, "firm"))
    response = corpus("a New York - based firm -LRB- IBM -RRB-", (0, 6, "1"), (6, 9, "1"))
    e = aligned(key, response, metrics=["mentions", "muc"])
    assert (e["mentions"].recall, e["mentions"].precision, e["muc"].f1) == (1, 1, 1)
    assert "tokens:aligned-but-0.00%" in e.signature


def test_without_being_asked_different_tokens_are_refused_with_that_remedy():
    with pytest.raises(MismatchError, match="--tokens align"):
        score(corpus("can not"), corpus("cannot"))


def test_a_mention_that_ends_in_another_place_is_another_mention():
    key, response = corpus("New York-based", (0, 2, "1")), corpus("New York - based", (0, 2, "1"))
    assert aligned(key, response, metrics=["mentions"])["mentions"].recall == 0
    assert aligned(key, response, metrics=["mentions"], match="overlap", min_overlap=0.5)["mentions"].recall == 1  # 7 of 13


def test_what_only_one_text_has_is_counted_and_hinders_no_match():
    key = corpus("Ann saw uh Bob", (0, 1, "a"), (3, 4, "b"), (0, 4, "all"))
    response = corpus("Ann saw Bob", (0, 1, "a"), (2, 3, "b"), (0, 3, "all"))
    e = aligned(key, response, metrics=["mentions"])
    assert e["mentions"].f1 == 1
    assert e.pair.words == "aligned-but-14.29%"  # 1 of 4 + 3 tokens


def test_a_mention_of_nothing_but_foreign_words_matches_nothing():
    key, response = corpus("Ann saw uh Bob", (2, 3, "a")), corpus("Ann saw er Bob", (2, 3, "a"))
    assert aligned(key, response, metrics=["mentions"])["mentions"].recall == 0
    key, response = corpus("? I", (0, 1, "a")), corpus("I", (0, 1, "a"))
    assert aligned(key, response, metrics=["mentions"])["mentions"].recall == 0


def test_unicode_forms_of_one_character_are_the_same():
    key, response = corpus("café ﬁne", (0, 2, "a")), corpus("cafe\u0301 fi ne", (0, 3, "a"))
    assert aligned(key, response, metrics=["mentions"])["mentions"].f1 == 1


def test_empty_nodes_keep_their_places_among_characters():
    key = corpus("I cannot _ swim", (2, 3, "z"), (0, 1, "z"), empty=2)
    response = corpus("I can not _ swim", (3, 4, "z"), (0, 1, "z"), empty=3)
    e = aligned(key, response, metrics=["mentions", "zero_anaphora"])
    assert (e["mentions"].f1, e["zero_anaphora"].f1) == (1, 1)


def test_documents_with_the_same_words_are_left_alone():
    key, response = corpus("a b c", (0, 1, "1")), corpus("a b c", (0, 1, "1"))
    assert character_alignments(key, response) == ([None], 0)
    assert score(key, response, tokens="align").pair.words == "same"


@given(text=st.text("abc", min_size=1, max_size=12), data=st.data())
def test_two_cuts_of_one_text_agree_in_every_span_of_characters(text, data):
    def cut():
        places = sorted({0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=4))})
        return [text[a:b] for a, b in pairwise(places)], places

    (key, key_places), (response, response_places) = cut(), cut()
    k, r = align_characters(key, response)
    assert k.start.tolist() == key_places[:-1]
    assert k.end.tolist() == key_places[1:]
    assert r.start.tolist() == response_places[:-1]
    assert (k.unaligned, r.unaligned) == (0, 0)


@given(
    key=st.lists(st.text("ab", min_size=1, max_size=3), max_size=6),
    response=st.lists(st.text("ab", min_size=1, max_size=3), max_size=6),
)
def test_alignment_is_monotone_and_counts_what_it_leaves_out(key, response):
    k, r = align_characters(key, response)
    for side, tokens in ((k, key), (r, response)):
        assert (np.diff(side.start) >= 0).all()
        assert (side.start[1:] == side.end[:-1]).all()
        lengths = np.array([len(token) for token in tokens], dtype=np.int64)
        assert side.unaligned == int((side.end - side.start < lengths).sum())
    assert (k.end[-1] if len(key) else 0) == (r.end[-1] if len(response) else 0)


def test_mentions_that_become_one_are_still_matched_one_to_one():
    key = corpus("A x B", (0, 2, "1"), (2, 3, "2"))
    response = corpus("A y B", (0, 1, "1"), (0, 2, "3"), (2, 3, "2"))
    e = aligned(key, response)
    assert (e["mentions"].recall, e["mentions"].precision) == (1, pytest.approx(2 / 3))


def test_other_layers_are_aligned_as_well():
    def side(text, firm, it):
        builder = CorpusBuilder("x")
        builder.document("d", text.split())
        first = builder.mention(0, firm, "firm")
        builder.bridge(builder.mention(firm, firm + 1, "it"), first)
        builder.mention(it, it + 1, "idle", referring=False)
        return builder.corpus()

    key, response = side("New York-based firm it fell", 3, 4), side("New York - based firm it fell", 5, 6)
    e = aligned(key, response, metrics=["mentions", "bridging_mentions", "non_referring"])
    assert [e[name].f1 for name in e] == [1, 1, 1]


def test_copies_are_found_in_aligned_text_as_well():
    key, response = (
        corpus("New York-based firm", (0, 3, "a"), (0, 1, "a")),
        corpus("New York - based firm", (0, 5, "a"), (0, 1, "a"), (0, 1, "b")),
    )
    e = aligned(key, response, metrics=["muc", "mentions"], repeated_mentions="ua")
    assert e["mentions"].recall == 1
    assert (e["muc"].recall, e["muc"].precision) == (0, 1)  # looked up from the key, the word is in b
    assert aligned(key, response, metrics=["muc"], repeated_mentions="conll")["muc"].recall == 1


def test_frequent_characters_of_a_long_word_are_aligned_as_well():
    key, response = align_characters(["b" + "a" * 250], ["c" + "a" * 250])
    assert (key.end.tolist(), response.end.tolist()) == ([250], [250])
    assert (key.unaligned, response.unaligned) == (1, 1)


def test_words_without_a_common_one_are_compared_by_characters_up_to_a_length():
    for length, common in ((LONGEST, LONGEST - 1), (LONGEST + 1, 0)):
        key, _ = align_characters(["a" * (length - 1) + "b"], ["a" * (length - 1) + "c"])
        assert key.end.tolist() == [common]


def test_short_words_late_in_a_long_text_are_compared_by_characters():
    common = ["word"] * LONGEST
    key, response = align_characters([*common, "ab"], [*common, "ac"])
    assert key.end[-1] == response.end[-1] == 4 * LONGEST + 1


@pytest.mark.parametrize(("key", "response"), [(LONGEST, LONGEST + 1), (LONGEST + 1, LONGEST)])
def test_a_long_word_is_not_compared_with_one_that_is_short_enough(key, response):
    sides = align_characters(["a" * key], ["a" * response])
    assert [side.end.tolist() for side in sides] == [[0], [0]]


def test_a_text_that_is_cut_in_another_way_is_aligned_however_long_it_is():
    key, response = align_characters(["a" * (LONGEST + 1), "and", "b"], ["a" * LONGEST, "a", "and", "c"])
    assert key.end.tolist() == [LONGEST + 1, LONGEST + 4, LONGEST + 4]
    assert response.end.tolist() == [LONGEST, LONGEST + 1, LONGEST + 4, LONGEST + 4]
