"""Errors in the words of the text: one text, and a response with an error of each kind."""

from __future__ import annotations

import pytest

from referee import Corpus, score
from referee.corpus.builder import CorpusBuilder
from referee.error_analysis.describing import Describing
from referee.error_analysis.differences import KINDS

TEXT = "She said that Ann met Bob and his dog by the sea , and he saw her there ."
WORDS = TEXT.split()
SHE, ANN, BOB, HIS, HIS_DOG, THE_SEA, HE, HER = (0, 1), (3, 4), (5, 6), (7, 8), (7, 9), (10, 12), (14, 15), (16, 17)

KEY = [[SHE, ANN, HER], [BOB, HIS, HE], [HIS_DOG]]


def of(*entities: list[tuple[int, int]]) -> Corpus:
    builder = CorpusBuilder("text")
    builder.document("d", WORDS, [0])
    for number, mentions in enumerate(entities):
        for start, end in mentions:
            builder.mention(start, end, str(number))
    return builder.corpus()


ANN_KNOWN, BOB_KNOWN = "“Ann” (entity 0, found as response 0)", "“Bob” (entity 1, found as response 1)"


@pytest.mark.parametrize(
    ("response", "kind", "text", "what"),
    [
        ([[SHE, ANN], [BOB, HIS, HE], [HIS_DOG]], "missed", "her", f"of {ANN_KNOWN}"),
        ([[SHE, ANN, HER], [BOB, HIS, HE]], "missed_entity", "his dog", "all of entity 2"),
        ([[SHE, ANN, HER, THE_SEA], *KEY[1:]], "spurious", "the sea", "in “Ann” (response 0, found for entity 0)"),
        ([*KEY, [THE_SEA]], "spurious_entity", "the sea", "all of response 3"),
        ([[SHE, ANN], KEY[1], KEY[2], [HER]], "split", "her", f"of {ANN_KNOWN}, apart in response 3"),
        ([[SHE, ANN, HER], [BOB, HIS, HE, HIS_DOG]], "merged", "his dog",
         "of entity 2 (found as response 1), with “Bob” (entity 1) in response 1"),
        ([[SHE, ANN], [BOB, HIS, HE, HER], KEY[2]], "misplaced", "her", f"of {ANN_KNOWN}, with “Bob” (entity 1) in response 1"),
        ([KEY[0], [BOB, HIS, HE], [(7, 10)]], "span", "his dog",
         "of entity 2 (found as response 2), found as “his dog by” in response 2"),
    ],
)  # fmt: skip
def test_each_kind_says_which_entities_it_is_about(
    response: list[list[tuple[int, int]]], kind: str, text: str, what: str
) -> None:
    d = score(of(*KEY), of(*response)).errors().differences
    saying = Describing(d)
    assert [KINDS[k] for k in d.kind] == [kind]
    assert (saying.mention(0).text, saying.what(0)) == (text, what)


def test_an_entity_says_how_many_of_its_mentions_are_where() -> None:
    response = [[ANN], [BOB, HIS, HE], [HIS_DOG], [SHE], [HER]]
    d = score(of(*KEY), of(*response)).errors().differences
    ids = {d.pair.response.entity_ids[r] for r in d.response_entity}
    said = Describing(d).of_entity(range(len(d)))
    assert said.startswith("2 split: apart in ")
    assert all(f"(response {id_})" in said for id_ in ids)


def test_without_words_entities_are_called_by_their_places() -> None:
    d = score([{(0, 1), (3, 4), (6, 7)}], [{(0, 1), (3, 4)}]).errors().differences
    assert Describing(d).what(0) == "of “0:1” (entity 0, found as response 0)"


def test_items_are_called_by_their_names() -> None:
    d = score([{"Ann", "she", "her"}, {"boat", "it"}], [{"Ann", "she"}, {"boat", "it", "her"}]).errors().differences
    assert Describing(d).what(0) == "of “Ann” (entity 0, found as response 0), with “boat” (entity 1) in response 1"
