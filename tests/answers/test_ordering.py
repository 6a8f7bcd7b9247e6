"""Strings that several entities list: the order within each list is that of the text, and nothing else counts."""

import json
import random
from itertools import permutations, product

import pytest
from hypothesis import given, strategies as st

from referee import RefereeWarning, read, score
from referee.answers.ordering import in_order
from referee.formats.shared.source import Source
from tests.answers.test_tagged import DATA, in_kit
from tests.support.answers import quoted, texts
from tests.support.examples import examples
from tests.support.warned import silenced

TEXTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=24)
"""For each place of a text, the string that stands there and the entity that it is of; of the last entity, none."""


def perfect(text):
    """The lists of the entities, the places of each string, and the places of the mentions of each entity."""
    lists = [[], [], [], []]
    places = [[], [], [], []]
    occurrences = [[], [], [], []]
    for place, (string, entity) in enumerate(text):
        occurrences[string].append(place)
        if entity < 4:
            lists[entity].append(string)
            places[entity].append(place)
    return lists, occurrences, places


@examples(1)
@given(TEXTS, st.permutations(range(4)))
def test_the_order_of_entities_does_not_count(text, order):
    lists, occurrences, _ = perfect(text)
    one, two = in_order(lists, occurrences), in_order([lists[n] for n in order], occurrences)
    assert one.doubtful == two.doubtful
    assert sorted(zip(lists, one.places, strict=True)) == sorted(zip([lists[n] for n in order], two.places, strict=True))


@examples(1)
@given(TEXTS)
def test_every_string_has_an_occurrence_of_its_own(text):
    lists, occurrences, _ = perfect(text)
    found = [
        (string, place)
        for of, at in zip(lists, in_order(lists, occurrences).places, strict=True)
        for string, place in zip(of, at, strict=True)
    ]
    assert all(place in occurrences[string] for string, place in found)
    assert len({place for _, place in found}) == len(found)


@examples(1)
@given(st.lists(st.integers(0, 3), max_size=24))
def test_strings_of_one_entity_each_are_where_they_stand(entities):
    text = [(entity, entity) for entity in entities]
    lists, occurrences, places = perfect(text)
    found = in_order(lists, occurrences)
    assert (found.places, found.doubtful) == (places, 0)


@examples(1)
@given(st.lists(st.lists(st.integers(0, 2), max_size=5), max_size=4), st.lists(st.integers(0, 2), max_size=12))
def test_lists_in_any_order_lose_no_string(lists, text):
    occurrences = [[place for place, of in enumerate(text) if of == string] for string in range(3)]
    found = in_order(lists, occurrences)
    for string in range(3):
        at = [p for of, places in zip(lists, found.places, strict=True) for s, p in zip(of, places, strict=True) if s == string]
        placed = [place for place in at if place >= 0]
        assert len(placed) == min(len(at), len(occurrences[string]))
        assert len(set(placed)) == len(placed)


def test_the_order_of_a_list_tells_pronouns_apart():
    words = ["Tom", "came", ".", "He", "sat", ".", "Bob", "came", ".", "He", "sat", ".", "He", "ate", "."]
    key = {"sentences": [words], "clusters": [[[0, 0], [3, 3]], [[6, 6], [9, 9], [12, 12]]]}
    for said in ({"Tom": ["Tom", "He"], "Bob": ["Bob", "He", "He"]}, {"Bob": ["Bob", "He", "He"], "Tom": ["Tom", "He"]}):
        with pytest.warns(RefereeWarning, match="of its 5 strings could stand in several places"):
            found = score(Source("key.json", json.dumps(key).encode()), Source("a.json", json.dumps(said).encode()))
        assert found["lea"].f1 == 1.0
        assert "ambiguous" in found.signature


def in_all_orders(lists, occurrences):
    """All ways in which each string has an occurrence of its own and each list ascends."""
    slots = [[(n, k) for n, of in enumerate(lists) for k, s in enumerate(of) if s == string] for string in range(4)]
    ways = []
    for choice in product(*(permutations(of, len(slot)) for of, slot in zip(occurrences, slots, strict=True))):
        places = [[-1] * len(of) for of in lists]
        for (n, k), place in (
            (slot, place) for of, at in zip(slots, choice, strict=True) for slot, place in zip(of, at, strict=True)
        ):
            places[n][k] = place
        if all(of == sorted(of) for of in places):
            ways.append(places)
    return ways


@examples(4)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(2, 4)), max_size=6))
def test_what_is_without_doubt_is_the_only_way_to_keep_all_orders(text):
    lists, occurrences, places = perfect(text)
    found, ways = in_order(lists, occurrences), in_all_orders(lists, occurrences)
    assert places in ways
    if found.doubtful == 0:
        assert found.places == places
        assert len({tuple(sorted(map(tuple, way))) for way in ways}) == 1


@in_kit
@pytest.mark.parametrize("name", ["gum", "litbank"])
def test_shuffled_entities_of_each_document_have_the_same_scores(name):
    corpus = read(DATA / name / f"{name}.key.conll.gz")
    for document in range(3, len(corpus.doc_ids), 25):
        key, scores = corpus.select_documents([document]), []
        [text] = texts(key)
        for shuffled in (None, random.Random(1), random.Random(2)):
            answer = Source("a.json", quoted(text, shuffled=shuffled).encode())
            with silenced():
                found = score(key, answer, response_format="quotes", metrics=["muc", "b_cubed", "lea"])
            scores.append([found[metric].f1 for metric in ("muc", "b_cubed", "lea")])
        assert scores[0] == scores[1] == scores[2]


@in_kit
@pytest.mark.parametrize(("name", "least"), [("litbank", (0.957, 0.942)), ("gum", (0.924, 0.896))])
def test_a_key_written_as_lists_in_any_order_meets_its_floor(name, least):
    key = read(DATA / name / f"{name}.key.conll.gz")
    rng, answers = random.Random(1), []
    for text in texts(key):
        entities = {}
        for start, end, entity in sorted(text.mentions):
            entities.setdefault(entity, []).append(" ".join(text.tokens[start:end]))
        lists = list(entities.values())
        rng.shuffle(lists)
        answers.append(json.dumps({"doc_id": text.name, "clusters": lists}))
    with silenced(Warning):
        found = score(key, Source("a.jsonl", "\n".join(answers).encode()), response_format="quotes")
    assert found["conll"].value >= least[0]
    assert found["lea"].f1 >= least[1]
