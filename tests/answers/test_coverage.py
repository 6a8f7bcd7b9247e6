"""Answers that were misread: each is right now, refused with the remedy, or what is not read is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee import Answer, RefereeError, score
from tests.answers.test_answers import KEY
from tests.support.paths import SHARED
from tests.support.warned import recorded, silenced

COVERAGE = SHARED / "field" / "answers" / "coverage"
EXPECTED: dict[str, tuple[float, str]] = {
    "01-numbers-out-of-order": (100, ""),
    "03-bullets-unquoted-full-stop": (100, ""),
    "04-bullets-S1-colon-mention": (100, ""),
    "06-arrow-chain-of-8": (100, ""),
    "07-json-per-sentence-with-entity-field": (100, ""),
    "09-unknown-field-coreferences": (100, ""),
    "10-de-comma-in-text": (100, ""),
    "12-conll-lookalike-numbered-quoted": (100, ""),
    "15-base-model-goes-on-lists": (
        3.63,
        "1 other text behind an answer, of which the last answer counts, 1 earlier answer left out",
    ),
    "16-double-brackets-with-brackets-in-text": (100, ""),
    "18-hallucinated-unquoted-list-counted-once": (91.06, "3 strings that the text does not have"),
    "19-hallucination-in-marks-costs-nothing": (84.13, "2 mentions in added text counted as spurious"),
}


def said_of(key: object, response: object, **options: object) -> tuple[float, list[str]]:
    """CoNLL as reports print it, and the warnings."""
    with recorded() as caught:
        value = score(key, response, **options)["conll"].value  # type: ignore[arg-type]
    return round(100 * value, 2), [str(warning.message) for warning in caught]


@pytest.mark.skipif(not COVERAGE.is_dir(), reason="needs ../shared/field/answers/coverage")
@pytest.mark.parametrize("name", EXPECTED)
def test_answers_that_were_misread(name: str) -> None:
    folder = COVERAGE / name
    for said in (folder / "answer.txt", Answer((folder / "answer.txt").read_text(encoding="utf-8"))):
        value, warned = said_of(folder / "key.conll", said)
        assert (value, any("repaired" in text for text in warned)) == (EXPECTED[name][0], bool(EXPECTED[name][1]))
        assert EXPECTED[name][1] in " ".join(warned)


@pytest.mark.skipif(not COVERAGE.is_dir(), reason="needs ../shared/field/answers/coverage")
def test_mentions_of_added_words_may_be_ignored() -> None:
    folder = COVERAGE / "19-hallucination-in-marks-costs-nothing"
    value, warned = said_of(folder / "key.conll", folder / "answer.txt", added_mentions="ignore")
    assert value == 100 and "2 mentions in added text left out" in warned[0]


@pytest.mark.skipif(not COVERAGE.is_dir(), reason="needs ../shared/field/answers/coverage")
def test_epochs_are_told_apart() -> None:
    folder = COVERAGE / "13-inspect-log-two-epochs-marks"
    with pytest.raises(
        RefereeError, match=r"found 2 samples of GUM_academic_exposure; expected one: --sample 1, or a file for"
    ):
        said_of(folder / "key.conll", folder / "answer.json")
    assert [said_of(folder / "key.conll", folder / "answer.json", sample=n)[0] for n in (1, 2)] == [47.16, 100]
    with pytest.raises(RefereeError, match="has no sample 3; expected one of 1 and 2"):
        said_of(folder / "key.conll", folder / "answer.json", sample=3)


LISTED = "1. Anna, She, Her\n2. a new car, it\n3. the car\n4. brother\n5. Tom\n6. because"
UNREAD = {
    "a line": (f"{LISTED}\n7. I think that this one is about the weather, in general, and so on.\n8. Her", "1 of 8"),
    "a string": ('{"clusters": [["Anna", "She"], ["it", "it", "the car", "a new car"]], "more": ["Her"]}', "1 of 7"),
}
REFUSED = {
    "most lines": "1. Anna, She\n2. I think that it is the car that she has just bought there.\n3. Her",
    "objects": json.dumps([{"token": text, "entity": n} for text in ("Anna", "She", "it") for n in (1, 2)]),
    "numbers that could be of sentences or entities": '[["Anna", 1], ["She", 2], ["it", 2], ["Her", 3]]',
    "strings with two numbers": '[["Anna", 1, 1], ["She", 2, 1], ["it", 2, 2]]',
}


@pytest.mark.parametrize("form", UNREAD)
def test_what_is_not_read_is_counted(form: str) -> None:
    text, expected = UNREAD[form]
    _, warned = said_of(KEY, Answer(text))
    assert any(f"{expected} lines or strings of the answer are not read, the first in line" in warning for warning in warned), (
        warned
    )


@pytest.mark.parametrize("form", REFUSED)
def test_what_is_mostly_not_read_is_refused_or_no_answer(form: str, tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text(REFUSED[form], encoding="utf-8")
    with silenced(), pytest.raises(RefereeError) as caught:
        score(KEY, path)
    assert "\n" not in str(caught.value)


def test_a_request_that_was_made_again_counts_once() -> None:
    said = ("[Anna](#1) bought [a new car](#1).", "[Anna](#1) bought [a new car](#2).")
    records = [{"custom_id": "d1", "response": {"body": {"choices": [{"message": {"content": text}}]}}} for text in said]
    value, warned = said_of(KEY, Answer("\n".join(map(json.dumps, records))))
    assert any("1 earlier answer left out" in text for text in warned)
    assert value == said_of(KEY, Answer(said[1]))[0]


def test_broken_annotation_is_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonlines"
    for text in (json.dumps(KEY)[:280], json.dumps(KEY)[:200], json.dumps({**KEY, "clusters": [[[0, 99]]]})):
        path.write_text(text)
        with pytest.raises(RefereeError) as caught:
            score(KEY, path)
        assert "language model" not in str(caught.value)


MARKS = SHARED / "field" / "doors" / "combining-marks-cut"


@pytest.mark.skipif(not MARKS.is_dir(), reason="needs ../shared/field/doors/combining-marks-cut")
@pytest.mark.parametrize(("key", "response"), [("k", "r"), ("k.conll", "r.conll")])
def test_combining_marks_belong_to_their_words(key: str, response: str) -> None:
    with silenced():
        found = score(MARKS / key, MARKS / response, metrics=["mention_overlap"])
        overlapping = score(MARKS / key, MARKS / response, metrics=["mentions"], match="overlap", min_overlap=0.6)
    assert round(100 * found["mention_overlap"].value, 2) == 80
    assert overlapping["mentions"].value == 0.5


def test_the_prompt_that_a_refusal_names_works() -> None:
    """As the message says: lists with numbers, or marks."""
    for text in ('[[["Anna", 1], ["She", 2], ["Her", 3]]]', "[Anna](#1) bought [a new car](#2). [She](#1) likes [it](#2)"):
        assert said_of(KEY, Answer(text))[0] > 40
