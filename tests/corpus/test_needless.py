"""What entities say anyway: links from each mention to the one before it or to the first, and the type of decided mentions."""

import warnings
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from referee import FormatError, RefereeWarning, convert, inputs
from referee.corpus import CorpusBuilder
from referee.corpus.needless import telling_links, types_follow
from referee.corpus.undecided import UNDECIDED, count_undecided
from tests.support.paths import EXAMPLES


def linked(entities, pairs):
    """A document of one mention a token, in these entities, with links."""
    builder = CorpusBuilder("x")
    builder.document("d", [f"w{n}" for n in range(len(entities))], [0])
    for n, entity in enumerate(entities):
        builder.mention(n, n + 1, str(entity))
    builder.links = []
    for a, b in pairs:
        builder.link(a, b)
    return builder.corpus()


def telling(entities, pairs):
    """By the definition: links of entities whose set of links is neither that of neighbours nor of all pairs with the first."""
    found = 0
    for entity in set(entities):
        mentions = [n for n, other in enumerate(entities) if other == entity]
        here = [frozenset(pair) for pair in pairs if {*pair} & {*mentions}]
        if {*here} not in ({frozenset(p) for p in pairwise(mentions)}, {frozenset((mentions[0], n)) for n in mentions[1:]}):
            found += len(here)
    return found


@st.composite
def linked_entities(draw):
    """Entities of six mentions at most, with links that often are those that say no more."""
    entities = draw(st.lists(st.integers(0, 2), max_size=6))
    pairs = []
    for entity in set(entities):
        mentions = [n for n, other in enumerate(entities) if other == entity]
        chain, star = [*pairwise(mentions)], [(mentions[0], n) for n in mentions[1:]]
        all_pairs = [(a, b) for a in mentions for b in mentions if a < b]
        some = st.lists(st.sampled_from(all_pairs), max_size=4) if all_pairs else st.just([])
        pairs += draw(st.sampled_from([chain, chain, star, [*chain, *chain]]) | some)
    return entities, [pair[::-1] if draw(st.booleans()) else pair for pair in draw(st.permutations(pairs))]


@given(linked_entities())
def test_links_say_no_more_than_entities_by_the_definition(case):
    assert telling_links(linked(*case)) == telling(*case)


def test_other_links_say_more():
    def count(entities, *pairs):
        return telling_links(linked(entities, [*pairs]))

    assert count([0, 0, 0, 0], (1, 0), (2, 1), (3, 2)) == count([0, 0, 0], (1, 0), (2, 0)) == 0
    assert count([0, 0, 0, 0], (1, 0), (2, 1), (3, 1)) == 3  # the last one names neither
    assert count([0, 0, 0], (1, 0), (2, 1), (2, 0)) == 3  # all pairs: more than any entity has
    assert count([0, 0, 0], (1, 0)) == 1  # the third was not linked
    assert count([0, 0, 0, 0, 1, 1, 1], (1, 0), (2, 1), (3, 1), (5, 4), (6, 5)) == 3  # of the other entity nothing is lost


@pytest.mark.parametrize("tool", ["brat", "labelstudio"])
def test_a_key_comes_back_from_a_tool_without_a_word(tool, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        convert(EXAMPLES / "key.conll", tmp_path / "there", to=tool)
        convert(tmp_path / "there", tmp_path / "back.conll")
        assert inputs.read(tmp_path / "back.conll") == inputs.read(EXAMPLES / "key.conll")


def test_links_that_say_more_are_left_out_with_their_number(tmp_path):
    corpus = linked([0, 0, 0, 0], [(1, 0), (2, 1), (3, 1)])
    with pytest.warns(RefereeWarning, match="x: left out what conll cannot hold: 3 links besides their entities$"):
        inputs.write(corpus, tmp_path / "a.conll")
    assert inputs.read(tmp_path / "a.conll").entity.tolist() == [0] * 4


def typed(*mentions):
    """A document of mentions, each with its entity and the type that the tool has for it."""
    builder = CorpusBuilder("x")
    builder.document("d", [entity for entity, _ in mentions], [0])
    for n, (entity, entity_type) in enumerate(mentions):
        builder.mention(n, n + 1, entity, entity_type)
    return builder.corpus()


def test_a_mention_of_the_type_undecided_is_decided_when_it_is_joined():
    corpus = typed(("a", UNDECIDED), ("a", "person"), ("b", "place"), ("b", UNDECIDED), ("c", UNDECIDED), ("d", "person"))
    assert count_undecided(corpus) == 1
    assert dict(zip(corpus.entity_ids, corpus.entity_types or (), strict=True)) == {
        "a": "person", "b": "place", "c": UNDECIDED, "d": "person",
    }  # fmt: skip
    assert count_undecided(typed(("a", UNDECIDED), ("a", UNDECIDED))) == 0


def test_the_type_of_undecided_mentions_is_no_loss_when_all_are_decided(tmp_path):
    decided = typed(("a", UNDECIDED), ("a", UNDECIDED), ("b", ""))
    inputs.write(decided, tmp_path / "a.conll")
    assert inputs.read(tmp_path / "a.conll") == decided
    for other in (typed(("a", UNDECIDED), ("b", "")), typed(("a", UNDECIDED), ("a", UNDECIDED), ("b", "person"))):
        assert not types_follow(other)
        with pytest.raises(FormatError, match="has entity types, which conll cannot hold"):
            inputs.write(other, tmp_path / "b.conll")
