"""Answers of language models in the forms in which they come: the right score, or a refusal, and never another number."""

# ruff: noqa: E501  -- answers as they are written
from __future__ import annotations

import contextlib
import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import Answer, CorpusBuilder, RefereeError, RefereeWarning, score
from referee.answers.documents import DRAFTS
from referee.answers.lists import CUT_OFF, PROSE
from referee.answers.thoughts import THOUGHTS
from referee.formats.shared.source import Source
from referee.scoring.evaluation import Evaluation
from tests.support.mutations import limited

KEY = {
    "doc_key": "d1",
    "sentences": [
        ["Anna", "bought", "a", "new", "car", "."],
        ["She", "likes", "it", "because", "the", "car", "is", "fast", "."],
        ["Her", "brother", "Tom", "drives", "it", "too", "."],
    ],
    "clusters": [[[0, 0], [6, 6], [15, 15]], [[2, 4], [8, 8], [10, 11], [19, 19]], [[15, 17]]],
}
LISTS = [["Anna", "She", "Her"], ["a new car", "it", "the car", "it"], ["Her brother Tom"]]
NAMED = dict(zip(("Anna", "car", "Tom"), LISTS, strict=True))
JSON = json.dumps(NAMED)
LINES = "\n".join(f"{name}: {', '.join(mentions)}" for name, mentions in NAMED.items())

LINKS = "[Anna](1) bought [a new car](2). [She](1) likes [it](2) because [the car](2) is fast. [[Her](1) brother Tom](3) drives [it](2) too."

TALK = {
    "before": f'I found that "She" and "Her" refer to "Anna".\n\n{JSON}',
    "around": f'Sure! Here are the clusters:\n\n{JSON}\n\nNote that "it" refers to the car.',
    "fence": f'Let me think. Candidates: ["She", "Anna"].\n\n```json\n{JSON}\n```\n**Explanation:**\n- "She" refers to Anna.\n- "it" [sentence 2] is the car.',
    "draft": f'First draft:\n[["Anna", "She"], ["a new car", "it"]]\n\nWait, I missed some. Final answer:\n{json.dumps(LISTS)}',
    "twice": f"{JSON}\n{JSON}",
    "thoughts": f'<think>\n[Anna, She] are the same. {{"x": ["the car"]}} maybe.\n</think>\n{JSON}',
    "thoughts without a beginning": f'So ["Anna", "it"]?\n</think>\n\n{JSON}',
    "element": f'I think of ["it", "She"].\n<answer>{JSON}</answer>',
    "cut off again": f"{JSON}\n\nOr perhaps better:\n\n{JSON[:60]}",
    "marks": f"Draft: nothing.\n\n```\n{LINKS}\n```\nDone.",
}  # fmt: skip


def scored(text: str, path: Path) -> Evaluation:
    path.write_text(text, encoding="utf-8")
    return score(Source("key.json", json.dumps(KEY).encode()), path)


@pytest.mark.parametrize("name", TALK)
def test_the_last_complete_answer_counts(name: str, tmp_path: Path) -> None:
    with pytest.warns(RefereeWarning, match="left out"):
        found = scored(TALK[name], tmp_path / "answer.txt")
    assert found["lea"].f1 == 1.0
    assert {PROSE, DRAFTS, THOUGHTS, CUT_OFF}.intersection(found.pair.repairs) or "before" in str(found.pair.repairs)
    assert "repaired:" in found.signature


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize(
    "outer",
    [
        lambda of: {"results": of, "data": of},
        lambda of: {"clusters": of, "entities": of},
        lambda of: {"id": 1, "x": of},
        lambda of: {"samples": [of]},
        lambda of: [of, of],
    ],
)
def test_values_in_values_take_no_time_that_doubles_with_each(outer: Callable[[object], object]) -> None:
    value: object = [["Anna"], ["She"]]
    for _ in range(9):
        value = outer(value)
    with limited(2), contextlib.suppress(RefereeError):
        score(KEY, Answer(value))  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:.*no mentions")
def test_ids_that_are_all_different_say_nothing() -> None:
    with pytest.warns(RefereeWarning, match="answer in which neither lists nor marks were found"):
        found = score(KEY, Answer('{"Anna": 3, "car": 4, "Tom": 1}'))
    assert len(found.pair.response.document) == 0


def test_names_that_are_not_listed_are_said(tmp_path: Path) -> None:
    with pytest.warns(RefereeWarning, match="2 names of entities that stand in the text left out"):
        scored('{"Anna": ["She", "Her"], "a new car": ["it", "the car", "it"]}', tmp_path / "answer.json")


def test_values_of_python() -> None:
    answers = [NAMED, LISTS, {"d1": LISTS}, {"d1": JSON, "d2": "[]"}, LINKS, f"<think>{LINES}</think>{JSON}"]
    for said in answers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert score(KEY, Answer(said))["lea"].f1 == 1.0  # type: ignore[arg-type]
    assert score(KEY, JSON, response_format="quotes")["lea"].f1 == 1.0
    assert score(KEY, NAMED, response_format="quotes")["lea"].f1 == 1.0
    assert score(KEY, LINKS, response_format="tagged")["lea"].f1 == 1.0
    with pytest.warns(RefereeWarning) as caught:
        score(KEY, Answer("Tom is a man, and so on."))
    assert [str(one.message).partition(" ")[2] for one in caught] == [
        "repaired: 1 answer in which neither lists nor marks were found",
        "has no mentions",
    ]
    with pytest.raises(RefereeError, match="expected a text"):
        Answer(3)  # type: ignore[arg-type]
    with pytest.raises(RefereeError, match="found no value of JSON; expected one: Object of type set"):
        score(KEY, Answer([{"Tom", "his"}]))


def test_what_json_does_not_have_is_no_answer_to_a_key_with_words() -> None:
    with pytest.raises(RefereeError, match="expected the same kind: annotate both with spans"):
        score(KEY, [{"Tom", "his"}])
    with pytest.raises(RefereeError, match="found a list of tables or corpora; expected one; compare"):
        score(KEY, [CorpusBuilder().corpus()] * 2)


def test_documents_in_several_forms(tmp_path: Path) -> None:
    other = {**KEY, "doc_key": "d2"}
    keys = tmp_path / "key.jsonl"
    keys.write_text(f"{json.dumps(KEY)}\n{json.dumps(other)}\n", encoding="utf-8")
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "d1.txt").write_text(JSON, encoding="utf-8")
    (folder / "d2.txt").write_text(LINKS, encoding="utf-8")
    assert score(keys, folder)["lea"].f1 == 1.0
    (folder / "d2.txt").write_text("I'm sorry, I cannot do this.", encoding="utf-8")
    with pytest.warns(RefereeWarning, match="1 answer without entities"):
        assert score(keys, folder)["lea"].recall == 0.5
