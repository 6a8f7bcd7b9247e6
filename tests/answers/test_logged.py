"""Logs of interfaces and harnesses: the text of the answer is taken out, and the id names the document."""

from __future__ import annotations

import json

import pytest

from referee import RefereeError, RefereeWarning, score
from referee.answers.logs import FAILED, SAMPLES
from referee.formats.shared.source import Source
from referee.scoring.evaluation import Evaluation
from tests.answers.test_answers import JSON, KEY, LISTS, PERFECT
from tests.support.warned import silenced

QUESTION = {"role": "user", "content": 'Example: [["Bob", "He"], ["it"]]. List the entities of: Anna bought a new car.'}
OTHER = json.dumps([["Anna", "it"], ["She", "the car"]])


def openai(text: str | None, **others: object) -> dict[str, object]:
    message = {"role": "assistant", "content": text, **others}
    return {"id": "chatcmpl-1", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}


def anthropic(text: str) -> dict[str, object]:
    content = [{"type": "thinking", "thinking": OTHER}, {"type": "text", "text": text}]
    return {"type": "message", "role": "assistant", "content": content}


LOGS = {
    "chat": openai(JSON),
    "chat with marks": openai(PERFECT["links"]),
    "reasoning": openai(JSON, reasoning_content=OTHER),
    "tool call": openai(None, tool_calls=[{"function": {"name": "submit", "arguments": json.dumps({"clusters": LISTS})}}]),
    "responses": {
        "object": "response",
        "output": [
            {"type": "reasoning", "summary": []},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": JSON}]},
        ],
    },
    "batch": {"id": "b1", "custom_id": "d1", "response": {"status_code": 200, "body": openai(JSON)}, "error": None},
    "anthropic": anthropic(JSON),
    "anthropic batch": {"custom_id": "d1", "result": {"type": "succeeded", "message": anthropic(JSON)}},
    "tool use": {"role": "assistant", "content": [{"type": "tool_use", "name": "submit", "input": {"clusters": LISTS}}]},
    "gemini": {"candidates": [{"content": {"role": "model", "parts": [{"text": OTHER, "thought": True}, {"text": JSON}]}}]},
    "messages": {"messages": [QUESTION, {"role": "assistant", "content": JSON}]},
    "a conversation": [QUESTION, {"role": "assistant", "content": OTHER}, QUESTION, {"role": "assistant", "content": JSON}],
    "sharegpt": {"conversations": [{"from": "human", "value": QUESTION["content"]}, {"from": "gpt", "value": JSON}]},
    "lm-eval": {"doc_id": 0, "doc": {"doc_key": "d1"}, "target": OTHER, "resps": [[JSON]], "filtered_resps": [JSON]},
    "inspect": {"samples": [{"id": "d1", "target": OTHER, "output": {"completion": JSON, "choices": []}}]},
    "ollama": {"model": "m", "created_at": "now", "message": {"role": "assistant", "content": JSON}, "done": True},
    "generated": [{"generated_text": JSON}],
    "a file of one's own": {"id": "d1", "prompt": QUESTION["content"], "gold": LISTS[:1], "response": JSON},
    "rows of a table": {"columns": ["doc_id", "response"], "data": [["d1", JSON]]},
}


def scored(text: str, key: object = KEY) -> Evaluation:
    keys = key if isinstance(key, list) else [key]
    return score(Source("key.jsonl", "\n".join(map(json.dumps, keys)).encode()), Source("log.json", text.encode()))


@pytest.mark.parametrize("name", LOGS)
def test_logs_are_read(name: str) -> None:
    with silenced(Warning):
        assert scored(json.dumps(LOGS[name]))["lea"].f1 == 1.0


def test_ids_name_the_documents() -> None:
    keys = [KEY, {**KEY, "doc_key": "d2", "clusters": KEY["clusters"][:1]}]  # type: ignore[index]
    lines = [
        {"custom_id": "d2", "response": {"body": openai(json.dumps(LISTS[:1]))}},
        {"custom_id": "d1", "response": {"body": openai(JSON)}},
    ]
    with silenced(Warning):
        assert scored("\n".join(map(json.dumps, lines)), keys)["lea"].f1 == 1.0
        rows = [["doc_id", "response"], ["d2", json.dumps(LISTS[:1])], ["d1", JSON]]
        table = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
        assert scored(table, keys)["lea"].f1 == 1.0


def test_the_first_of_several_samples_counts() -> None:
    log = openai(JSON)
    log["choices"] = [*log["choices"], *openai(OTHER)["choices"]]  # type: ignore[misc]
    with pytest.warns(RefereeWarning, match="1 other samples"):
        found = scored(json.dumps(log))
    assert found["lea"].f1 == 1.0
    assert found.pair.repairs[SAMPLES] == 1


def test_what_failed_is_counted_and_what_is_gold_is_not_read() -> None:
    keys = [KEY, {**KEY, "doc_key": "d2"}]
    failed = {"custom_id": "d2", "result": {"type": "errored", "error": {"type": "overloaded_error", "message": "Overloaded"}}}
    lines = [{"custom_id": "d1", "result": {"type": "succeeded", "message": anthropic(JSON)}}, failed]
    with pytest.warns(RefereeWarning, match="1 request that failed"):
        found = scored("\n".join(map(json.dumps, lines)), keys)
    assert found["lea"].recall == 0.5
    assert found.pair.repairs[FAILED] == 1
    with pytest.raises(RefereeError):
        scored(json.dumps({"id": "d1", "gold": LISTS, "prompt": JSON}))


def test_pieces_of_a_stream_are_one_answer() -> None:
    pieces = [JSON[n : n + 20] for n in range(0, len(JSON), 20)]
    lines = [
        f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [{'delta': {'content': of}}]})}" for of in pieces
    ]
    with silenced(Warning):
        assert scored("\n\n".join([*lines, "data: [DONE]"]))["lea"].f1 == 1.0
