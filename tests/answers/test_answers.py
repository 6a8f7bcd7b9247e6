"""Answers of language models in the forms in which they come: the right score, or a refusal, and never another number."""

# ruff: noqa: E501  -- answers as they are written
from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import Answer, CorpusBuilder, RefereeError, RefereeWarning, score
from referee.answers.choosing import DRAFTS, WITHOUT
from referee.answers.finding import CUT_OFF, PROSE
from referee.answers.thoughts import THOUGHTS
from referee.formats.shared.source import Source
from referee.scoring.evaluation import Evaluation
from tests.support.mutations import limited
from tests.support.paths import SHARED
from tests.support.warned import silenced

FIELD = SHARED / "field" / "answers"
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
RECORDS = [
    {"mention": mention, "cluster": number}
    for mention, number in zip(
        ("Anna", "a new car", "She", "it", "the car", "Her", "Her brother Tom", "it"), (0, 1, 0, 1, 1, 0, 2, 1), strict=True
    )
]
LINES = "\n".join(f"{name}: {', '.join(mentions)}" for name, mentions in NAMED.items())

PERFECT = {
    "mapping": JSON,
    "list of lists": json.dumps(LISTS),
    "double encoded": json.dumps(JSON),
    "entities": json.dumps(
        {"entities": [{"id": n, "name": name, "mentions": of} for n, (name, of) in enumerate(NAMED.items())]}
    ),
    "clusters of objects": json.dumps(
        {"clusters": [{"entity": n, "mentions": [{"text": m} for m in of]} for n, of in NAMED.items()]}
    ),
    "mention objects": json.dumps(RECORDS),
    "mention lines": "\n".join(map(json.dumps, RECORDS)),
    "mentions with ids": json.dumps({"mentions": [{"text": r["mention"], "entity_id": f"e{r['cluster']}"} for r in RECORDS]}),
    "pairs of a mention and an id": json.dumps([[r["mention"], r["cluster"]] for r in RECORDS]),
    "antecedents": json.dumps(
        [
            {"mention": "Anna", "antecedent": None},
            {"mention": "a new car", "antecedent": None},
            {"mention": "She", "antecedent": "Anna"},
            {"mention": "it", "antecedent": "a new car"},
            {"mention": "the car", "antecedent": "it"},
            {"mention": "Her", "antecedent": "She"},
            {"mention": "Her brother Tom", "antecedent": None},
            {"mention": "it", "antecedent": "the car"},
        ]
    ),
    "an entity a line": "\n".join(json.dumps({"entity": n, "mentions": of}) for n, of in NAMED.items()),
    "lists a line": "\n".join(map(json.dumps, LISTS)),
    "strings with commas": json.dumps({name: ", ".join(of) for name, of in NAMED.items()}),
    "with a document": json.dumps({"doc_key": "d1", "prediction": LISTS}),
    "singletons apart": json.dumps({"clusters": LISTS[:2], "singletons": LISTS[2]}),
    "empty entity": json.dumps({"clusters": [*LISTS, []]}),
    "sentences": json.dumps(
        [
            [["Anna", 1], ["She", 2], ["Her", 3]],
            [["a new car", 1], ["it", 2], ["the car", 2], ["it", 3]],
            [["Her brother Tom", 3]],
        ]
    ),
    "words": json.dumps(
        [
            [["Anna", 0], ["She", 6], ["Her", 15]],
            [["a new car", 2], ["it", 8], ["the car", 10], ["it", 19]],
            [["Her brother Tom", 15]],
        ]
    ),
    "python": str(NAMED),
    "sets": "{Anna, She, Her}, {a new car, it, the car, it}, {Her brother Tom}",
    "curly quotes": "{“Anna”: [“Anna”, “She”, “Her”], “car”: [“a new car”, “it”, “the car”, “it”], “Tom”: [“Her brother Tom”]}",
    "comments and commas": '{\n "Anna": ["Anna", "She", "Her",], // a person\n "car": ["a new car", "it", "the car", "it",],\n "Tom": ["Her brother Tom"],\n}',
    "fence": f"```json\n{JSON}\n```",
    "names and lines": LINES,
    "numbered": "1. Anna: Anna, She, Her\n2. car: a new car, it, the car, it\n3. Tom: Her brother Tom",
    "numbered and quoted": '1. "Anna", "She", "Her"\n2. "a new car", "it", "the car", "it"\n3. "Her brother Tom"',
    "bullets": "**Entity 1 (Anna):**\n- Anna\n- She\n- Her\n\n**Entity 2:**\n- a new car\n- it\n- the car\n- it\n\n**Entity 3:**\n- Her brother Tom",
    "nested": '1. **Anna**\n   - "Anna" (sentence 1)\n   - "She" (sentence 2)\n   - "Her" (sentence 3)\n2. **Car**\n   - "a new car"\n   - "it"\n   - "the car"\n   - "it"\n3. **Tom**\n   - "Her brother Tom"',
    "headings": "## Anna\n- Anna\n- She\n- Her\n## The car\n- a new car\n- it\n- the car\n- it\n## Tom\n- Her brother Tom\n",
    "yaml": "clusters:\n  - name: Anna\n    mentions:\n      - Anna\n      - She\n      - Her\n  - name: car\n    mentions:\n      - a new car\n      - it\n      - the car\n      - it\n  - name: Tom\n    mentions:\n      - Her brother Tom\n",
    "arrows": "Anna → She → Her\na new car → it → the car → it\nHer brother Tom",
    "words in brackets": "Anna (0), She (6), Her (15)\na new car (2-4), it (8), the car (10-11), it (19)\nHer brother Tom (15-17)",
    "lines to ids": "\n".join(f"{r['mention']}: E{r['cluster']}" for r in RECORDS),
    "table": "| Mention | Entity |\n|---|---|\n" + "\n".join(f"| {r['mention']} | {r['cluster']} |" for r in RECORDS),
    "table of entities": "| Entity | Mentions |\n|---|---|\n"
    + "\n".join(f"| {n} | {', '.join(of)} |" for n, of in NAMED.items()),
    "csv": "mention,entity\n" + "\n".join(f"{r['mention']},{r['cluster']}" for r in RECORDS),
    "links": "[Anna](1) bought [a new car](2). [She](1) likes [it](2) because [the car](2) is fast. [[Her](1) brother Tom](3) drives [it](2) too.",
    "elements": "<e1>Anna</e1> bought <e2>a new car</e2>. <e1>She</e1> likes <e2>it</e2> because <e2>the car</e2> is fast. <e3><e1>Her</e1> brother Tom</e3> drives <e2>it</e2> too.",
}

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
    "marks": f"Draft: nothing.\n\n```\n{PERFECT['links']}\n```\nDone.",
}  # fmt: skip

EMPTY = ["[]", "{}", '{"entities": []}', '{"clusters": null}', "[[]]"]
WORDS = [
    "I'm sorry, but I can't help with that.",
    "There are no coreferent mentions in this text.",
    "None.",
    "null",
    "**Answer:** No coreference clusters were found.",
]
REFUSED = {
    "the text": "Anna bought a new car. She likes it because the car is fast. Her brother Tom drives it too.",
    "the text in lines": "Anna bought a new car .\nShe likes it because the car is fast .\nHer brother Tom drives it too .",
    "prose": "She refers to Anna, and it refers to the car. Tom is her brother.",
    "names": '{"entities": ["Anna", "car", "Tom"]}',
    "objects without mentions": '{"entities": [{"id": 1, "name": "Anna", "type": "PERSON"}]}',
    "a request": '{"custom_id": "d1", "body": {"messages": [{"role": "user", "content": "[[\\"Anna\\", \\"She\\"]]"}]}}',
    "a message of an error": '{"error": {"message": "Rate limit reached", "type": "requests"}}',
    "a list of other things": "- eggs\n- milk, bread\n- 3 apples",
    "code": "def f(x):\n    return [x, 'y', \"it\"]\n",
    "numbers": "[3, 4, 5]",
}


def scored(text: str, path: Path) -> Evaluation:
    path.write_text(text, encoding="utf-8")
    return score(Source("key.json", json.dumps(KEY).encode()), path)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("name", PERFECT)
def test_perfect_answers_are_told_without_an_option(name: str, tmp_path: Path) -> None:
    assert scored(PERFECT[name], tmp_path / "answer.txt")["lea"].f1 == 1.0
    assert score(KEY, Answer(PERFECT[name]))["lea"].f1 == 1.0


@pytest.mark.parametrize("name", TALK)
def test_the_last_complete_answer_counts(name: str, tmp_path: Path) -> None:
    with pytest.warns(RefereeWarning, match="left out"):
        found = scored(TALK[name], tmp_path / "answer.txt")
    assert found["lea"].f1 == 1.0
    assert {PROSE, DRAFTS, THOUGHTS, CUT_OFF}.intersection(found.pair.repairs) or "before" in str(found.pair.repairs)
    assert "repaired:" in found.signature


@pytest.mark.filterwarnings("ignore:.*no mentions")
@pytest.mark.parametrize("text", EMPTY)
def test_answers_without_entities(text: str, tmp_path: Path) -> None:
    found = scored(text, tmp_path / "answer.json")
    assert len(found.pair.response.document) == 0


@pytest.mark.filterwarnings("ignore:.*no mentions")
@pytest.mark.parametrize("text", WORDS)
def test_refusals_in_words_are_counted(text: str, tmp_path: Path) -> None:
    with pytest.warns(RefereeWarning, match="1 answer without entities"):
        found = scored(text, tmp_path / "answer.txt")
    assert len(found.pair.response.document) == 0
    assert found.pair.repairs == {WITHOUT: 1}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_answer_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(RefereeError) as caught:
        scored(REFUSED[name], tmp_path / "answer.txt")
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not FIELD.exists(), reason="needs ../shared/field")
@pytest.mark.parametrize("folder", ["forms", "quotes-hint", "quotes-prose", "quotes-silent-lists", "tagged-bar-zero"])
def test_inputs_that_failed(folder: str) -> None:
    wrong = []
    files = [path for path in sorted((FIELD / folder).glob("*.txt")) if path.name != "README.txt"]
    for path in files:
        if path.name == "a_jsonl_docid_clusters.txt":  # of two documents
            continue
        with silenced(Warning):
            try:
                value = score(FIELD / folder / "key.jsonlines", path)["lea"].f1
            except RefereeError:
                value = None
        if value not in (None, 1.0) or (value is None and path.name != "10_token_offsets_incl.txt"):
            wrong.append((path.name, value))
    assert files
    assert not wrong


@pytest.mark.skipif(not FIELD.exists(), reason="needs ../shared/field")
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_a_colon_in_a_sentence_changes_nothing() -> None:
    for name in ("h5.txt", "h6.txt"):
        assert score(FIELD / "quotes-colon" / "key2.jsonlines", FIELD / "quotes-colon" / name)["lea"].f1 == 1.0


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
    answers = [NAMED, LISTS, {"d1": LISTS}, {"d1": JSON, "d2": "[]"}, PERFECT["links"], f"<think>{LINES}</think>{JSON}"]
    for said in answers:
        with silenced(Warning):
            assert score(KEY, Answer(said))["lea"].f1 == 1.0  # type: ignore[arg-type]
    assert score(KEY, JSON, response_format="quotes")["lea"].f1 == 1.0
    assert score(KEY, NAMED, response_format="quotes")["lea"].f1 == 1.0
    assert score(KEY, PERFECT["links"], response_format="tagged")["lea"].f1 == 1.0
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
    (folder / "d2.txt").write_text(PERFECT["links"], encoding="utf-8")
    assert score(keys, folder)["lea"].f1 == 1.0
    (folder / "d2.txt").write_text("I'm sorry, I cannot do this.", encoding="utf-8")
    with pytest.warns(RefereeWarning, match="1 answer without entities"):
        assert score(keys, folder)["lea"].recall == 0.5
