"""Which occurrences lists of strings mean: properties of `in_order`, and shuffled entities of real documents."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import RefereeWarning, read, score
from referee.formats.answers.ordering import NOWHERE, in_order
from referee.formats.shared.source import Source
from tests.support.answers import quoted, texts
from tests.support.examples import examples
from tests.support.paths import SHARED

DATA = SHARED / "conformance"

Lists = list[list[int]]


@st.composite
def worlds(draw: st.DrawFn, places: int = 12, strings: int = 4, entities: int = 3) -> tuple[Lists, Lists, Lists]:
    """A text whose place `p` has a string, mentions of it by entity, and both as lists: occurrences, lists, places."""
    text = draw(st.lists(st.integers(0, strings - 1), min_size=1, max_size=places))
    owner = draw(st.lists(st.integers(-1, entities - 1), min_size=len(text), max_size=len(text)))
    occurrences = [[p for p, s in enumerate(text) if s == string] for string in range(strings)]
    meant = [[p for p, e in enumerate(owner) if e == entity] for entity in range(entities)]
    return occurrences, [[text[p] for p in of] for of in meant], meant


@st.composite
def listings(draw: st.DrawFn) -> tuple[Lists, Lists]:
    """Any lists, which need not fit any text, and occurrences."""
    strings = draw(st.integers(1, 4))
    owner = draw(st.lists(st.integers(0, strings - 1), max_size=12))
    occurrences = [[p for p, s in enumerate(owner) if s == string] for string in range(strings)]
    lists = draw(st.lists(st.lists(st.integers(0, strings - 1), max_size=5), max_size=4))
    return occurrences, lists


def each(lists: Lists, places: Lists) -> list[tuple[int, int]]:
    """Strings with their places."""
    return [pair for of, found in zip(lists, places, strict=True) for pair in zip(of, found, strict=True)]


@given(listings(), st.randoms(use_true_random=False))
@examples(4)
def test_the_order_of_entities_does_not_matter(given: tuple[Lists, Lists], rng: random.Random) -> None:
    occurrences, lists = given
    order = list(range(len(lists)))
    rng.shuffle(order)
    one, other = in_order(lists, occurrences), in_order([lists[n] for n in order], occurrences)
    assert one.doubtful == other.doubtful
    of_lists = sorted(zip(map(tuple, lists), map(tuple, one.places), strict=True))
    assert of_lists == sorted(zip((tuple(lists[n]) for n in order), map(tuple, other.places), strict=True))


@given(listings())
@examples(4)
def test_each_occurrence_is_used_once_and_as_many_as_can_be(given: tuple[Lists, Lists]) -> None:
    occurrences, lists = given
    found = each(lists, in_order(lists, occurrences).places)
    placed = [(string, place) for string, place in found if place != NOWHERE]
    assert all(place in occurrences[string] for string, place in placed)
    assert len({place for _, place in placed}) == len(placed)
    listed, used = Counter(string for string, _ in found), Counter(string for string, _ in placed)
    assert all(used[string] == min(times, len(occurrences[string])) for string, times in listed.items())


@given(st.lists(st.integers(-1, 3), max_size=15), st.randoms(use_true_random=False))
@examples(2)
def test_strings_that_stand_once_are_where_they_are(owner: list[int], rng: random.Random) -> None:
    """In whatever order they are listed."""
    lists = [[p for p, e in enumerate(owner) if e == entity] for entity in range(4)]
    for of in lists:
        rng.shuffle(of)
    found = in_order(lists, [[p] for p in range(len(owner))])
    assert found.places == lists
    assert found.doubtful == 0


@given(worlds())
@examples(4)
def test_a_list_that_alone_has_its_strings_is_in_order(world: tuple[Lists, Lists, Lists]) -> None:
    """If all occurrences are listed by one entity, nothing is left to doubt."""
    occurrences, _, _ = world
    whole = sorted(p for of in occurrences for p in of)
    string = {p: s for s, of in enumerate(occurrences) for p in of}
    found = in_order([[string[p] for p in whole]], occurrences)
    assert found.places == [whole]
    assert found.doubtful == 0


def in_all_orders(lists: Lists, occurrences: Lists) -> list[Lists]:
    """All ways in which each string has an occurrence of its own and each list ascends."""
    slots = [
        [(n, k) for n, of in enumerate(lists) for k, s in enumerate(of) if s == string] for string in range(len(occurrences))
    ]
    ways = []
    for choice in product(*(permutations(of, len(slot)) for of, slot in zip(occurrences, slots, strict=True))):
        places = [[NOWHERE] * len(of) for of in lists]
        for slot, of in zip(slots, choice, strict=True):
            for (n, k), place in zip(slot, of, strict=True):
                places[n][k] = place
        if all(of == sorted(of) for of in places):
            ways.append(places)
    return ways


@given(worlds(places=6, strings=3))
@examples(4)
def test_what_is_said_to_be_without_doubt_is_so(world: tuple[Lists, Lists, Lists]) -> None:
    """Of all ways that keep each list in order there is one only, and it is found."""
    occurrences, lists, meant = world
    found = in_order(lists, occurrences)
    ways = in_all_orders(lists, occurrences)
    assert meant in ways
    if found.doubtful == 0:
        assert found.places == meant
        assert ways == [meant] or len({tuple(map(tuple, sorted(way))) for way in ways}) == 1


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the conformance kit, ../shared/conformance")
@pytest.mark.parametrize("name", ["gum", "litbank"])
def test_shuffled_entities_have_the_same_scores(name: str) -> None:
    corpus = read(DATA / name / f"{name}.key.conll.gz").select_documents([3])
    [text] = texts(corpus)
    scores = []
    for seed in range(3):
        answer = quoted(text, shuffled=random.Random(seed) if seed else None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RefereeWarning)
            found = score(corpus, read(Source("a.json", answer.encode()), format="quotes"))
        scores.append([found[metric].value for metric in ("muc", "b_cubed", "ceaf_e", "lea", "mentions")])
    assert scores[0] == scores[1] == scores[2]
    assert scores[0][3] > 0.8
