"""Candidates where very many mentions overlap: what is chosen among them is what is chosen among all overlapping pairs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.corpus.corpus import Corpus
from referee.matching import many_overlaps as module
from referee.matching import one_to_one as choosing
from referee.matching.many_overlaps import needed_candidates
from referee.matching.matchers import match
from referee.matching.one_to_one import one_to_one
from referee.matching.overlap import overlap
from referee.matching.spans import Candidates
from tests.support.examples import examples
from tests.support.sides import spans

Span = tuple[int, int, int]
WORDS = 300


@contextmanager
def small() -> Iterator[None]:
    """Blocks of a few pairs, and groups that are large from three mentions a side on."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for of in (module, choosing):
            monkeypatch.setattr(of, "LARGEST", 2)
        monkeypatch.setattr(module, "MANY", 20)
        monkeypatch.setattr(module, "BEST", 2)
        yield


@st.composite
def mentions(draw: st.DrawFn) -> list[Span]:
    """Mentions one inside another, crossing, apart and repeated."""
    step = draw(st.sampled_from([1, 3, 8]))
    places = st.tuples(st.integers(0, 149 // step), st.integers(150 // step + 1, WORDS // step))
    nested = [(a * step, b * step, a * step) for a, b in draw(st.lists(places, max_size=12))]
    length = draw(st.integers(1, 40))
    crossing = [(a, a + length, a) for a in draw(st.lists(st.integers(0, WORDS - length), max_size=8))]
    again = draw(st.lists(st.sampled_from(nested), max_size=2)) if nested and draw(st.booleans()) else []
    return draw(st.permutations([*nested, *crossing, *again]))


def chosen(candidates: Candidates, key: Corpus, response: Corpus) -> list[tuple[int, int]]:
    return sorted(zip(*(side.tolist() for side in one_to_one(candidates, key, response)), strict=True))


@examples(4)
@given(mentions(), mentions(), st.sampled_from([0.1, 0.5, 0.8]))
def test_the_choice_is_that_among_all_pairs(of_key: list[Span], of_response: list[Span], least: float) -> None:
    key, response = (spans(*of, words=WORDS) for of in (of_key, of_response))
    find = partial(overlap, min_overlap=least)
    with small():
        expected = chosen(find(key, response), key, response)
        assert chosen(needed_candidates(key, response, find), key, response) == expected


@examples(3)
@given(mentions(), mentions(), st.sampled_from(["overlap", "partial", "head", "min", "craft"]), st.integers(1, 4))
def test_every_matcher_matches_as_if_all_pairs_were_listed(
    of_key: list[Span], of_response: list[Span], matcher: str, share: int
) -> None:
    sides = []
    for of in (of_key, of_response):
        side = spans(*of, words=WORDS)
        head = side.start + (side.end - side.start - 1) // share
        sides.append(replace(side, head=head, minimum_span=np.stack([head, head + 1], axis=1)))
    with small():
        expected = match(*sides, matcher=matcher, choose=one_to_one)
        found = match(*sides, matcher=matcher)
    pairs = [sorted(zip(m.key_mention.tolist(), m.response_mention.tolist(), strict=True)) for m in (found, expected)]
    assert pairs[0] == pairs[1]


def nested(n: int, after: int) -> Corpus:
    return spans(*((m, 2 * n + after - m, m) for m in range(n)), words=2 * n + after)


def test_of_a_large_group_with_one_best_matching_only_that_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    key, response = nested(300, 0), nested(300, 1)
    everything = overlap(key, response)
    monkeypatch.setattr(module, "MANY", 10_000)
    blocks: list[int] = []

    def find(key: Corpus, response: Corpus) -> Candidates:
        found = overlap(key, response)
        blocks.append(len(found.key))
        return found

    needed = needed_candidates(key, response, find)
    assert needed.key.tolist() == needed.response.tolist() == list(range(300))
    assert max(blocks) <= 10_000 + 300 < len(everything.key)


def test_a_group_with_several_best_matchings_keeps_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 10_000)
    key = spans(*((0, 400, m) for m in range(150)), words=400)
    assert len(needed_candidates(key, key, overlap).key) == 150**2


def test_mentions_without_a_candidate_are_not_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 10_000)
    key = spans(*((m, 2000 - m, m) for m in range(300)), words=2000)
    response = spans(*((900 + m, 901 + m, m) for m in range(200)), words=2000)
    compared: list[int] = []

    def find(key: Corpus, response: Corpus) -> Candidates:
        compared.append(len(key.document) * len(response.document))
        return overlap(key, response)

    assert len(needed_candidates(key, response, find).key) == 0
    assert max(compared) <= 10_000 + 200
    assert compared[-1] == 0


def test_a_few_pairs_are_found_at_once() -> None:
    calls: list[tuple[Corpus, Corpus]] = []
    key, response = nested(20, 0), nested(20, 1)

    def find(key: Corpus, response: Corpus) -> Candidates:
        calls.append((key, response))
        return overlap(key, response)

    needed_candidates(key, response, find)
    assert calls == [(key, response)]
    none = np.empty(0, dtype=np.int64)
    assert needed_candidates(spans(), spans(), lambda *_: Candidates(none, none, none, none)).key is none
