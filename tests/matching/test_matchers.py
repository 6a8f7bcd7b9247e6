"""Every matcher against its definition, on sets of positions, with all one-to-one matchings tried."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import score
from referee.corpus.builder import CorpusBuilder
from referee.corpus.corpus import Corpus
from referee.exceptions import MismatchError, RefereeWarning, UnknownNameError
from referee.matching.matchers import MATCHERS, match
from tests.support.strategies import checked

Positions = frozenset[tuple[int, ...]]


@st.composite
def sides(draw: st.DrawFn, *, nodes: bool = True) -> tuple[Corpus, Corpus]:
    """Key and response over the same words, each with mentions, heads, least spans and empty nodes of its own."""
    documents = [draw(st.integers(1, 6)) for _ in range(draw(st.integers(1, 2)))]
    return draw(side(documents, nodes=nodes)), draw(side(documents, nodes=nodes))


@st.composite
def side(draw: st.DrawFn, documents: list[int], *, nodes: bool) -> Corpus:
    builder = CorpusBuilder("side")
    for number, words in enumerate(documents):
        gaps = sorted(draw(st.sets(st.tuples(st.integers(0, words), st.integers(1, 2)), max_size=3 if nodes else 0)))
        tokens = sorted([(gap, 0, minor) for gap, minor in gaps] + [(w, 1, 0) for w in range(words)])
        builder.document(f"d{number}", [f"w{w}" if overt else "_" for w, overt, _ in tokens])
        for place, (_, overt, minor) in enumerate(tokens):
            if not overt:
                builder.empty_node(place, minor, 0, draw(st.sampled_from(["", "1:a", "1:b", "2:a|1:b"])))
        taken = set()
        for _ in range(draw(st.integers(0, 5))):
            chosen = sorted(draw(st.sets(st.integers(0, len(tokens) - 1), min_size=1, max_size=4)))
            if draw(st.booleans()):
                chosen = list(range(chosen[0], chosen[-1] + 1))
            if tuple(chosen) in taken:
                continue
            taken.add(tuple(chosen))
            first = draw(st.integers(0, len(chosen) - 1))
            builder.mention(
                0, 0, str(draw(st.integers(0, 2))), spans=[(c, c + 1) for c in chosen], head=draw(st.sampled_from(chosen)),
                minimum_span=(chosen[first], chosen[first] + 1) if draw(st.booleans()) else None,
            )  # fmt: skip
    return builder.corpus()


def place_of(corpus: Corpus, document: int, token: int) -> tuple[int, ...]:
    """A token as it is known on either side: a word by its number, an empty node by the words before it and its own."""
    nodes = {}
    if corpus.empty_nodes is not None:
        here = corpus.empty_nodes.document == document
        nodes = dict(zip(corpus.empty_nodes.node[here].tolist(), corpus.empty_nodes.minor[here].tolist(), strict=True))
    before = token - sum(n < token for n in nodes)
    return (document, before, nodes[token]) if token in nodes else (document, before)


def positions(corpus: Corpus, mention: int) -> Positions:
    document = int(corpus.document[mention])
    return frozenset(place_of(corpus, document, t) for a, b in corpus.spans(mention) for t in range(a, b))


def head_of(corpus: Corpus, mention: int) -> tuple[int, ...]:
    assert corpus.head is not None
    return place_of(corpus, int(corpus.document[mention]), int(corpus.head[mention]))


def exact(key: Corpus, k: int, response: Corpus, r: int) -> Fraction:
    return Fraction(0)


def head(key: Corpus, k: int, response: Corpus, r: int) -> Fraction:
    ours, theirs = positions(key, k), positions(response, r)
    return Fraction(len(ours & theirs), len(ours)) if head_of(key, k) == head_of(response, r) else Fraction(0)


def partial(key: Corpus, k: int, response: Corpus, r: int) -> Fraction:
    ours, theirs = positions(key, k), positions(response, r)
    return Fraction(len(theirs), len(ours)) if head_of(key, k) in theirs and theirs <= ours else Fraction(0)


def least(key: Corpus, k: int, response: Corpus, r: int) -> Fraction:
    ours, theirs = positions(key, k), positions(response, r)
    if key.minimum_span is None or key.minimum_span[k, 0] < 0:
        return Fraction(0)
    start, end = key.minimum_span[k].tolist()
    minimum = {place_of(key, int(key.document[k]), t) for t in range(start, end)}
    return Fraction(len(theirs), len(ours)) if minimum <= theirs <= ours else Fraction(0)


def overlap(key: Corpus, k: int, response: Corpus, r: int) -> Fraction:
    ours, theirs = positions(key, k), positions(response, r)
    share = Fraction(len(ours & theirs), len(ours | theirs))
    return share if share >= Fraction(1, 2) else Fraction(0)


DEFINITIONS: dict[str, Callable[[Corpus, int, Corpus, int], Fraction]] = {
    "exact": exact,
    "head": head,
    "partial": partial,
    "min": least,
    "overlap": overlap,
}


def in_order(corpus: Corpus, mentions: list[int]) -> list[int]:
    """By first position, then last; empty nodes are where they stand."""

    def key(m: int) -> tuple[Any, ...]:
        # A word comes after the empty nodes in the gap before it.
        spread = sorted((d, w, *(rest or (99,))) for d, w, *rest in positions(corpus, m))
        return spread[0], spread[-1], m

    return sorted(mentions, key=key)


def matchings(weight: dict[tuple[int, int], Fraction], keys: list[int], responses: list[int]) -> Iterator[dict[int, int]]:
    """All one-to-one matchings, those that give earlier key mentions earlier partners first."""
    if not keys:
        yield {}
        return
    for r in responses:
        if weight.get((keys[0], r), 0) > 0:
            for rest in matchings(weight, keys[1:], [other for other in responses if other != r]):
                yield {keys[0]: r, **rest}
    yield from matchings(weight, keys[1:], responses)


def expected(key: Corpus, response: Corpus, name: str) -> dict[int, int]:
    def same(k: int, r: int) -> bool:
        heads = name != "head" or head_of(key, k) == head_of(response, r)
        return positions(key, k) == positions(response, r) and heads

    found = {k: r for k in range(len(key.document)) for r in range(len(response.document)) if same(k, r)}
    keys = in_order(key, [k for k in range(len(key.document)) if k not in found])
    responses = in_order(response, [r for r in range(len(response.document)) if r not in found.values()])
    weight = {(k, r): DEFINITIONS[name](key, k, response, r) for k in keys for r in responses}
    best = max(matchings(weight, keys, responses), key=lambda m: sum(weight[pair] for pair in m.items()))
    return {**found, **best}


@pytest.mark.parametrize("name", DEFINITIONS)
@checked
@given(pair=sides())
def test_a_matcher_finds_the_best_matching_and_settles_ties_by_reading_order(name: str, pair: tuple[Corpus, Corpus]) -> None:
    key, response = pair
    if any(len(s.document) == 0 or (name == "min" and s.minimum_span is None) for s in pair):
        return
    found = match(key, response, matcher=name, zeros="linear")
    assert dict(zip(found.key_mention.tolist(), found.response_mention.tolist(), strict=True)) == expected(key, response, name)


def test_every_matcher_has_its_definition_here() -> None:
    assert set(MATCHERS) - {"craft"} == set(DEFINITIONS)  # which is one only by the order of the text


@pytest.mark.parametrize("name", MATCHERS)
@checked
@given(pair=sides())
def test_matching_is_one_to_one(name: str, pair: tuple[Corpus, Corpus]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefereeWarning)
        found = match(*pair, matcher=name)
    assert len(set(found.key_mention.tolist())) == len(found.key_mention)
    assert len(set(found.response_mention.tolist())) == len(found.response_mention)


@checked
@given(pair=sides(nodes=False))
def test_the_order_of_mentions_in_a_file_does_not_matter(pair: tuple[Corpus, Corpus]) -> None:
    found = match(*pair, matcher="head") if all(len(s.document) for s in pair) else match(*pair)
    back = found.T
    assert np.array_equal(back.key_mention, found.response_mention)
    assert back.placed == found.placed[::-1]


def corpus(*mentions: tuple[int, int, int], words: int = 9, **more: Any) -> Corpus:
    """Spans with their heads, one entity each."""
    builder = CorpusBuilder("x")
    builder.document("d", [f"w{n}" for n in range(words)])
    for n, (start, end, head_) in enumerate(mentions):
        builder.mention(start, end, str(n), head=head_)
    return builder.corpus()


def pairs(key: Corpus, response: Corpus, **options: Any) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    found = match(key, response, **options)
    return {
        ((int(key.start[k]), int(key.end[k])), (int(response.start[r]), int(response.end[r])))
        for k, r in zip(found.key_mention, found.response_mention, strict=True)
    }


def test_head_matching_takes_any_extent_around_the_head() -> None:
    assert pairs(corpus((3, 6, 4)), corpus((0, 9, 4)), matcher="head") == {((3, 6), (0, 9))}
    assert pairs(corpus((3, 6, 4)), corpus((3, 6, 5)), matcher="head") == set()


def test_partial_matching_takes_less_than_the_key_with_its_head() -> None:
    assert pairs(corpus((3, 6, 4)), corpus((4, 6, 5)), matcher="partial") == {((3, 6), (4, 6))}
    assert pairs(corpus((3, 6, 4)), corpus((5, 6, 5)), matcher="partial") == set()
    assert pairs(corpus((3, 6, 4)), corpus((3, 7, 4)), matcher="partial") == set()


def test_the_greatest_total_weight_is_not_the_greatest_number_of_pairs() -> None:
    # K1-S1 is 4/5 of K1, K1-S2 2/5, K2-S1 1/3 of K2: one pair of 4/5 is more than two of 11/15.
    key, response = corpus((0, 5, 2), (1, 7, 2)), corpus((1, 5, 2), (2, 4, 2))
    assert ((0, 5), (1, 5)) in pairs(key, response, matcher="partial")


def test_overlap_goes_by_share_or_by_number_of_words() -> None:
    key, response = corpus((0, 4, 0)), corpus((2, 6, 2))
    assert pairs(key, response, matcher="overlap") == set()  # 2 of 6 words
    assert pairs(key, response, matcher="overlap", threshold=0.3) == {((0, 4), (2, 6))}
    assert pairs(key, response, matcher="overlap", threshold=2) == {((0, 4), (2, 6))}
    assert pairs(key, response, matcher="overlap", threshold=3) == set()


@pytest.mark.parametrize(("name", "lacks"), [("head", "has no heads"), ("partial", "has no heads")])
def test_a_matcher_says_what_it_lacks(name: str, lacks: str) -> None:
    builder = CorpusBuilder("plain.jsonlines")
    builder.document("d", ["a", "b"])
    builder.mention(0, 2, "x")
    with pytest.raises(MismatchError, match=f"plain.jsonlines {lacks}"):
        match(builder.corpus(), builder.corpus().select(np.array([True])).select(np.array([False])), matcher=name)


def test_min_matching_without_any_min_is_exact_and_says_so() -> None:
    with pytest.warns(RefereeWarning, match="x has no MIN"):
        key, response = corpus((0, 2, 0), (4, 6, 5)), corpus((0, 2, 0), (4, 5, 4))
        assert pairs(key, response, matcher="min") == {((0, 2), (0, 2))}


def test_an_unknown_matcher_is_told() -> None:
    with pytest.raises(UnknownNameError, match="did you mean head"):
        match(corpus(), corpus(), matcher="haed")


def test_large_groups_of_mentions_around_one_head_are_matched_too() -> None:
    key = corpus(*((n, 200 - n, 100) for n in range(99)), words=200)
    response = corpus(*((n, 201 - n, 100) for n in range(1, 100)), words=201)
    assert len(match(key, response, matcher="head").key_mention) == 99


def test_names_are_only_matched_exactly() -> None:
    for matcher in MATCHERS:
        e = score({"d": {"a": "1", "b": "1"}}, {"d": {"a": "1", "c": "1"}}, match=matcher, metrics=["mentions"])
        assert e["mentions"].recall == 0.5


@pytest.mark.parametrize(("shared", "either"), [(7, 25), (11, 20), (14, 25), (17, 25), (7, 100)])
def test_a_share_that_equals_the_threshold_is_enough(shared: int, either: int) -> None:
    key, response = corpus((0, either, 0), words=either), corpus((0, shared, 0), words=either)
    assert len(match(key, response, matcher="overlap", threshold=shared / either).key_mention) == 1


def test_the_only_token_of_a_mention_is_its_head() -> None:
    builder = CorpusBuilder("x")
    builder.document("d", [f"w{n}" for n in range(9)])
    builder.mention(4, 5, "1")
    assert pairs(corpus((3, 6, 4)), builder.corpus(), matcher="head") == {((3, 6), (4, 5))}


def test_heads_are_asked_for_even_where_everything_is_matched_without() -> None:
    builder = CorpusBuilder("plain.jsonlines")
    builder.document("d", ["a", "b"])
    builder.mention(0, 2, "x")
    with pytest.raises(MismatchError, match=r"plain\.jsonlines has no heads"):
        match(builder.corpus(), builder.corpus(), matcher="head")


def test_zeros_of_one_sentence_that_share_no_parent_are_not_compared() -> None:
    builder = CorpusBuilder("x")
    builder.document("d", ["_"] * 30_000)
    for n in range(30_000):
        builder.empty_node(n, n + 1, 0, f"{n}:nsubj")
        builder.mention(n, n + 1, "1")
    many = builder.corpus()
    assert len(match(many, many).key_mention) == 30_000  # all pairs would take minutes


def test_copies_of_a_mention_are_matched_one_to_one() -> None:
    found = match(corpus((0, 1, 0), (0, 1, 0)), corpus((0, 1, 0), (0, 1, 0), (0, 1, 0)))
    assert sorted(found.key_mention.tolist()) == [0, 1]
