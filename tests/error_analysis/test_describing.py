"""Errors in the words of the text: one text, and a response with an error of each kind."""

import pytest

import referee
from referee import RefereeWarning, errors, score
from referee.corpus.builder import CorpusBuilder
from referee.error_analysis.describing import Describing
from referee.error_analysis.differences import KINDS
from tests.support.paths import EXAMPLES

TEXT = "She said that Ann met Bob and his dog by the sea , and he saw her there ."
WORDS = TEXT.split()
SHE, ANN, BOB, HIS, HIS_DOG, THE_SEA, HE, HER = (0, 1), (3, 4), (5, 6), (7, 8), (7, 9), (10, 12), (14, 15), (16, 17)

KEY = [[SHE, ANN, HER], [BOB, HIS, HE], [HIS_DOG]]


def of(*entities):
    builder = CorpusBuilder("text")
    builder.document("d", WORDS, [0])
    for number, mentions in enumerate(entities):
        for start, end in mentions:
            builder.mention(start, end, str(number))
    return builder.corpus()


ANN_FOUND, BOB_FOUND = "K1 “Ann” ({} found as R1 “Ann”)", "K2 “Bob” ({} found as R2 “Bob”)"


@pytest.mark.parametrize(
    ("response", "kind", "text", "what"),
    [
        ([[SHE, ANN], [BOB, HIS, HE], [HIS_DOG]], "missed", "her", f"of {ANN_FOUND.format('2 mentions')}"),
        ([[SHE, ANN, HER], [BOB, HIS, HE]], "missed_entity", "his dog", "all of K3"),
        ([[SHE, ANN, HER, THE_SEA], *KEY[1:]], "spurious", "the sea", "in R1 “Ann” (found for K1 “Ann”)"),
        ([*KEY, [THE_SEA]], "spurious_entity", "the sea", "all of R4"),
        ([[SHE, ANN], KEY[1], KEY[2], [HER]], "split", "her", f"of {ANN_FOUND.format('2 mentions')}, apart in R4 “her”"),
        ([[SHE, ANN, HER], [BOB, HIS, HE, HIS_DOG]], "merged", "his dog",
         "of K3 “his dog”, in R2 “Bob” with 3 mentions of K2 “Bob”"),
        ([[SHE, ANN], [BOB, HIS, HE, HER], KEY[2]], "misplaced", "her",
         f"of {ANN_FOUND.format('2 mentions')}, in R2 “Bob” with 3 mentions of K2 “Bob”"),
        ([[SHE], [BOB, HIS, HE, HER], KEY[2]], "misplaced", "her",
         "of K1 “Ann” (1 mention found as R1 “She”), in R2 “Bob” with 3 mentions of K2 “Bob”"),
        ([KEY[0], [BOB, HIS, HE], [(7, 10)]], "span", "his dog",
         "of K3 “his dog”, found as “his dog by” in R3 “his dog by”"),
    ],
)  # fmt: skip
def test_each_kind_says_which_entities_it_is_about(response, kind, text, what):
    d = score(of(*KEY), of(*response)).errors().differences
    saying = Describing(d)
    error = [KINDS[k] for k in d.kind].index(kind)
    assert (saying.mention(error).text, saying.what(error)) == (text, what)


def test_an_entity_says_how_many_of_its_mentions_are_where():
    response = [[ANN], [BOB, HIS, HE], [HIS_DOG], [SHE], [HER]]
    d = score(of(*KEY), of(*response)).errors().differences
    assert Describing(d).of_entity(range(len(d))) == "2 split: apart in R2 “Ann”, apart in R5 “her”"


def test_without_words_entities_are_called_by_their_places():
    d = score([{(0, 1), (3, 4), (6, 7)}], [{(0, 1), (3, 4)}]).errors().differences
    assert Describing(d).what(0) == "of K1 0:1 (2 mentions found as R1 0:1)"


def test_items_are_called_by_their_names():
    d = score([{"Ann", "she", "her"}, {"boat", "it"}], [{"Ann", "she"}, {"boat", "it", "her"}]).errors().differences
    assert Describing(d).what(0) == "of K1 “Ann” (2 mentions found as R1 “Ann”), in R2 “boat” with 2 mentions of K2 “boat”"


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (("7", "20", "3"), ["K7", "K20", "K3"]),
        (("7", "e2", "3"), ["K7", "e2", "K3"]),  # the letter of the side stands before numbers
        (("7", "123456789", "3"), ["K7", "123456789", "K3"]),
    ],
)
@pytest.mark.filterwarnings("ignore:each of the 3 items")
def test_an_entity_of_records_is_called_by_its_id(ids, names):
    key = dict(zip(("a1", "a2", "a10"), ids, strict=True))
    saying = Describing(score(key, key).errors().differences)
    entities = saying.differences.pair.key.documents["#1"].entities
    shown = {entity.id: saying.short_name(entity.index, in_key=True) for entity in entities}
    assert [shown[id_] for id_ in ids] == names


def test_the_other_part_is_shown_by_a_name():
    split = Describing(score(of(*KEY), of([SHE, ANN], KEY[1], KEY[2], [HER])).errors().differences)
    merged = Describing(score(of(*KEY), of(KEY[0], [BOB, HIS, HE, HIS_DOG])).errors().differences)
    for saying, text, parts in ((split, "Ann", ("R4", "R1")), (merged, "Bob", ("K3", "K2"))):
        other = saying.other_part(0)
        assert (other.text, saying.parts(0)) == (text, parts)
    missed = Describing(score(of(*KEY), of([SHE, ANN], KEY[1], KEY[2])).errors().differences)
    assert missed.other_part(0) is None


ANSWER = "1. Tom: [Tom, the boat, Tom, Tom]\n2. Ann: [Ann, her]\n3. the sea: [the sea, a sea]\n"


def test_strings_that_the_text_does_not_have_are_told_apart(tmp_path):
    (tmp_path / "key.txt").write_text("[Ann](#1) met [Tom](#2) . [She](#1) saw [Tom](#2) at the sea .\n")
    (tmp_path / "answer.md").write_text(ANSWER)
    with pytest.warns(RefereeWarning, match="does not have"):
        found = errors(tmp_path / "key.txt", tmp_path / "answer.md")
    said = {row["text"]: str(row["what"]) for row in found if "spurious" in str(row["kind"])}
    assert said["the boat"].endswith(", not in the text")
    assert said["her"].endswith(", not in the text")
    assert said["Tom"].endswith(", in the text, but not so often")
    assert said["the sea"] == "all of R3, 1 of 2 not in the text"
    lines = found.report(by="error", context=5).splitlines()
    assert not any("[the boat]" in line or "boat" in line.partition("[")[2] for line in lines)
    (sea,) = (line for line in lines if "[the sea]" in line)
    assert sea.endswith("[the sea] .")


def test_a_context_without_a_number_is_that_of_the_command():
    found = referee.errors(EXAMPLES / "key.conll", EXAMPLES / "response.conll")
    rows = found.to_rows(context=True)
    assert rows == found.to_rows(context=10) != found.to_rows(context=1)
    assert {"before", "after"} <= rows[0].keys()
    assert found.to_rows(context=False) == found.to_rows()
