"""`referee.compat.nervaluate` counts what nervaluate 1.2.1 counts."""

import random
from dataclasses import asdict

import numpy as np
import pytest

from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning, UnknownNameError
from referee.compat.nervaluate import Evaluator, as_0_1, as_0_2

TAGS = ["PER", "LOC", "ORG"]


def tags(chance, length):
    """Tags of IOB, some of which begin with I."""
    found = []
    while len(found) < length:
        label = chance.choice([*TAGS, "MISC", ""])
        inside = [f"I-{label}"] * chance.randint(0, 3)
        found += [f"{chance.choice('BBI')}-{label}", *inside] if label else ["O"]
    return found[:length]


def documents(seed, loader):
    """A key and a response, of which some entities are the same, and some overlap."""
    chance = random.Random(seed)
    lengths = [chance.randint(1, 25) for _ in range(1 + seed % 4)]
    if loader == "dict":
        key = [[entity(chance, length) for _ in range(chance.randint(0, 6))] for length in lengths]
        response = [
            [dict(one) if chance.random() < 0.4 else entity(chance, length) for one in document]
            for document, length in zip(key, lengths, strict=True)
        ]
        return key, response
    key = [tags(chance, length) for length in lengths]
    response = [[tag if chance.random() < 0.8 else "O" for tag in document] for document in key]
    response = [r if chance.random() < 0.7 else tags(chance, len(r)) for r in response]
    if loader == "conll":
        return tuple("\n\n".join("\n".join(f"w\t{t}" for t in d) for d in side) + "\n" for side in (key, response))
    return key, response


def entity(chance, length):
    start = chance.randrange(length)
    return {"label": chance.choice([*TAGS, "MISC"]), "start": start, "end": start + chance.randrange(4), "token_start": 0}


def plain(results):
    """Results as dictionaries."""
    return {name: plain(value) if isinstance(value, dict) else asdict(value) for name, value in results.items()}


@pytest.mark.filterwarnings("ignore:found no entity of the tags")
@pytest.mark.parametrize("loader", ["list", "conll", "dict"])
def test_the_counts_are_those_of_nervaluate(loader):
    theirs = pytest.importorskip("nervaluate", reason="needs nervaluate")
    for seed in range(60):
        key, response = documents(seed, loader)
        overlap = (1.0, 50.0, 100.0)[seed % 3]
        given = {"tags": TAGS, "loader": loader, "min_overlap_percentage": overlap}
        real, ours = theirs.Evaluator(key, response, **given), Evaluator(key, response, **given)
        assert plain(ours.evaluate()) == plain(real.evaluate()), seed
        for mode, scenario in (("overall", "strict"), ("entities", "partial")):
            assert ours.summary_report(mode, scenario) == real.summary_report(mode, scenario)


def test_the_counts_follow_from_the_definitions():
    # By the scenarios' definitions: one entity with the right label and half its words, one with the wrong label.
    key = [["O", "O", "B-PER", "I-PER", "O", "O", "O", "B-ORG", "I-ORG"]]
    response = [["O", "O", "B-PER", "O", "O", "O", "O", "B-LOC", "I-LOC"]]
    found = Evaluator(key, response, TAGS).evaluate()["overall"]
    counts = {name: (r.correct, r.incorrect, r.partial, r.missed, r.spurious) for name, r in found.items()}
    expected = {"strict": (0, 2, 0, 0, 0), "exact": (1, 1, 0, 0, 0), "partial": (1, 0, 1, 0, 0), "ent_type": (1, 1, 0, 0, 0)}
    assert counts == expected
    assert found["partial"].precision == found["partial"].recall == 0.75
    assert (found["partial"].possible, found["partial"].actual) == (2, 2)


def test_an_entity_is_taken_once():
    key = [[{"label": "PER", "start": 0, "end": 5}]]
    response = [[{"label": "PER", "start": 0, "end": 1}, {"label": "PER", "start": 0, "end": 5}]]
    strict = Evaluator(key, response, TAGS).evaluate()["overall"]["strict"]
    assert (strict.correct, strict.incorrect, strict.spurious) == (0, 1, 1)  # the first takes it, though the second is right
    swapped = Evaluator(key, [response[0][::-1]], TAGS).evaluate()["overall"]["strict"]
    assert (swapped.correct, swapped.incorrect, swapped.spurious) == (1, 0, 1)


def test_the_forms_of_older_versions():
    key, response = [["B-PER", "O"], ["B-LOC", "O"]], [["B-PER", "O"], ["O", "B-LOC"]]
    found = Evaluator(key, response, ["PER", "LOC"], loader="list").evaluate()
    results, by_tag = as_0_1(found)
    assert results["strict"]["correct"] == by_tag["PER"]["strict"]["correct"] == by_tag["LOC"]["exact"]["missed"] == 1
    assert {*results["strict"]} == {
        "correct", "incorrect", "partial", "missed", "spurious", "possible", "actual", "precision", "recall", "f1",
    }  # fmt: skip
    *same, indices, indices_by_tag = as_0_2(found)
    assert same == [results, by_tag]
    assert (indices["strict"]["spurious_indices"], indices_by_tag["LOC"]["strict"]["missed_indices"]) == ([(1, 0)], [(1, 0)])


@pytest.mark.parametrize("kind", [tuple, np.array])
def test_tags_may_be_any_sequence(kind):
    document = kind(["B-PER", "I-PER"])
    assert Evaluator([document], (document,), ["PER"]).evaluate()["overall"]["strict"].f1 == 1.0


def test_nothing_has_counts_of_0():
    for empty in ([], [[]], [["O"]]):
        found = Evaluator(empty, empty, ["PER"]).evaluate()
        assert found["overall"]["strict"].f1 == found["overall"]["partial"].possible == 0
        assert found["entities"] == {}


WRONG = [
    ([["O"]], [["O", "O"]], {}, MismatchError, "document 0: found 2 tags in pred; expected 1, as in true"),
    ([["O"]], [], {}, MismatchError, "found 0 documents in pred; expected 1, as in true"),
    ([[3, 0]], [[3, 0]], {}, OptionError, "found the tag 3; expected names of tags, as B-PER: map ids to names"),
    ([["S-PER"]], [["O"]], {}, OptionError, "found the tag 'S-PER' at the beginning of an entity; expected B or I"),
    ([["PER"]], [["O"]], {}, OptionError, "found the tag 'PER' at the beginning of an entity"),
    (["O", "B-PER"], ["O", "B-PER"], {}, OptionError, "found 'O'; expected a list of documents, each a list of tags or of"),
    ([[{"label": "A"}]], [[]], {}, OptionError, "found {'label': 'A'}; expected an entity as {'label': 'PER', 'start': 0"),
    ([[{"label": "A", "start": 2, "end": 1}]], [[]], {}, OptionError, "which ends before it starts"),
    ("a b", "a b", {}, OptionError, "found the line 'a b'; expected a word, a tab and a tag"),
    ([], [], {"loader": "json"}, UnknownNameError, "no loader named 'json'"),
    ([], [], {"min_overlap_percentage": 0}, OptionError, "found min_overlap_percentage=0; expected 1 to 100"),
]  # fmt: skip


@pytest.mark.parametrize(("true", "pred", "options", "error", "message"), WRONG)
def test_mistakes_are_named(true, pred, options, error, message):
    with pytest.raises(error) as raised:
        Evaluator(true, pred, ["A"], **options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_tags_that_no_entity_has_are_warned_of():
    with pytest.warns(RefereeWarning, match="found no entity of the tags B-PER, I-PER; there are PER: give labels, as PER"):
        Evaluator([["B-PER"]], [["B-PER"]], tags=["B-PER", "I-PER"])
