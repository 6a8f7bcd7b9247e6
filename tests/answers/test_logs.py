"""Logs of interfaces and harnesses: what the model said is read; questions, thoughts, keys and other samples are not."""

# ruff: noqa: E501  -- logs as they are written
import csv
import io
import json

import pytest

from referee import Answer, RefereeError, read, score
from referee.formats.shared.source import Source
from tests.support.warned import silenced

DOCUMENTS = {
    "d1": (["Ann", "saw", "a", "dog", ".", "She", "fed", "it", "."], [[[0, 0], [5, 5]], [[2, 3], [7, 7]]]),
    "d2": (["Tom", "lost", "his", "key", ".", "He", "found", "it", "."], [[[0, 0], [2, 2], [5, 5]], [[2, 3], [7, 7]]]),
}
SAID = {
    "d1": '[["Ann", "She"], ["a dog", "it"]]',
    "d2": 'Here it is:\n```json\n{"Tom": ["Tom", "his", "He"], "key": ["his key", "it"]}\n```',
}
WRONG = '[["Ann", "it"], ["a dog", "She"]]'
"""What must not be read: it would be scored otherwise."""
TASK = f"Who is who? For example: {WRONG}"


def key(*names):
    records = [{"doc_key": name, "sentences": [DOCUMENTS[name][0]], "clusters": DOCUMENTS[name][1]} for name in names]
    return Source("key.jsonlines", "\n".join(map(json.dumps, records)).encode())


ONE, BOTH = read(key("d1")), read(key("d1", "d2"))


def scored(said, whole=False):
    with silenced():
        return score(BOTH if whole else ONE, said)


def written(folder, text, name="log.json"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def message(said, **others):
    return {"role": "assistant", "content": said, **others}


def chat(*said, **others):
    """A chat completion of OpenAI, as many other interfaces have it."""
    choices = [{"index": n, "message": message(text, refusal=None), "finish_reason": "stop"} for n, text in enumerate(said)]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "gpt",
        "choices": choices,
        "usage": {"total_tokens": 9},
        **others,
    }


def turns(said):
    return [{"role": "system", "content": TASK}, {"role": "user", "content": TASK}, message(said)]


ONES = {
    "OpenAI": chat,
    "OpenAI, with reasoning": lambda said: {"choices": [{"message": message(said, reasoning_content=WRONG)}]},
    "OpenAI, a function": lambda said: {
        "choices": [
            {
                "message": message(
                    None,
                    tool_calls=[
                        {
                            "function": {
                                "name": "f",
                                "arguments": json.dumps(
                                    {"clusters": json.loads(said)} if said[0] == "[" == said[1] else {"text": said}
                                ),
                            }
                        }
                    ],
                )
            }
        ]
    },
    "Responses": lambda said: {
        "object": "response",
        "instructions": TASK,
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": WRONG}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]},
        ],
    },
    "Anthropic": lambda said: {"type": "message", "role": "assistant", "content": [{"type": "text", "text": said}]},
    "Anthropic, a tool": lambda said: {
        "role": "assistant",
        "content": [
            {
                "type": "tool_use",
                "name": "submit",
                "input": {"clusters": json.loads(said)} if said[:2] == "[[" else {"text": said},
            }
        ],
    },
    "Anthropic, with thoughts": lambda said: {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": WRONG, "signature": "x"}, {"type": "text", "text": said}],
    },
    "Gemini": lambda said: {"candidates": [{"content": {"parts": [{"text": said}], "role": "model"}, "finishReason": "STOP"}]},
    "Gemini, with thoughts": lambda said: {
        "candidates": [{"content": {"parts": [{"text": WRONG, "thought": True}, {"text": said}], "role": "model"}}]
    },
    "messages": turns,
    "messages in an object": lambda said: {"messages": turns(said)},
    "an earlier turn": lambda said: [*turns(WRONG), {"role": "user", "content": "Look again."}, message(said)],
    "ShareGPT": lambda said: {"conversations": [{"from": "human", "value": TASK}, {"from": "gpt", "value": said}]},
    "Ollama, chat": lambda said: {"model": "llama", "message": message(said), "done": True},
    "Ollama, generate": lambda said: {"model": "llama", "response": said, "done": True, "context": [1, 2, 3]},
    "prompt and completion": lambda said: {"prompt": TASK, "completion": said},
    "question and answer": lambda said: {"question": TASK, "answer": said},
    "generated text": lambda said: [{"generated_text": said}],
    "Alpaca": lambda said: {"instruction": TASK, "input": "Ann saw a dog. She fed it.", "output": said},
}


@pytest.mark.parametrize("kind", ONES)
@pytest.mark.parametrize("said", [SAID["d1"], "[Ann](#1) saw [a dog](#2). [She](#1) fed [it](#2)."], ids=["lists", "marks"])
def test_what_the_model_said_is_read(kind, said, tmp_path):
    log = ONES[kind](said)
    assert isinstance(log, list | dict)
    for found in (scored(written(tmp_path, json.dumps(log))), scored(Answer(log)), scored(Answer(json.dumps(log)))):
        assert found["lea"].value == 1.0


@pytest.mark.parametrize("kind", ONES)
def test_it_is_read_though_it_is_wrong(kind, tmp_path):
    found = scored(written(tmp_path, json.dumps(ONES[kind](WRONG))))
    assert found["mentions"].value == 1.0
    assert found["lea"].value == 0.0


BATCHES = {
    "OpenAI": lambda name, said: {"custom_id": name, "response": {"status_code": 200, "body": chat(said)}, "error": None},
    "Anthropic": lambda name, said: {
        "custom_id": name,
        "result": {
            "type": "succeeded",
            "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": WRONG}, {"type": "text", "text": said}]},
        },
    },
    "Gemini": lambda name, said: {"key": name, "response": {"candidates": [{"content": {"parts": [{"text": said}]}}]}},
    "records": lambda name, said: {"doc_id": name, "prompt": TASK, "response": said},
    "records with keys": lambda name, said: {"id": name, "gold": WRONG, "prediction": said, "reference": WRONG},
    "records with targets": lambda name, said: {"doc_id": name, "target": WRONG, "model_output": said, "label": WRONG},
    "lm-eval": lambda name, said: {
        "doc_id": name, "doc": {"text": TASK}, "target": WRONG, "arguments": {"gen_args_0": {"arg_0": TASK}},
        "resps": [[f" {said}"]], "filtered_resps": [said], "filter": "none", "exact_match": 0.0,
    },
    "lm-eval with numbers": lambda name, said: {
        "doc_id": 7, "doc": {"id": name, "question": TASK}, "target": WRONG, "resps": [[said]], "filtered_resps": [said],
    },
    "a number beside": lambda name, said: {"doc_id": name, "name": "run", "output": said},
    "a document in the record": lambda name, said: {"doc_id": 0, "doc": {"doc_key": name}, "target": WRONG, "resps": [[said]]},
    "ShareGPT": lambda name, said: {"id": name, "conversations": [{"from": "human", "value": TASK}, {"from": "gpt", "value": said}]},
}  # fmt: skip


@pytest.mark.parametrize("kind", BATCHES)
@pytest.mark.parametrize("order", [["d1", "d2"], ["d2", "d1"]], ids="".join)
def test_ids_name_the_documents_in_any_order(kind, order, tmp_path):
    log = "\n".join(json.dumps(BATCHES[kind](name, SAID[name])) for name in order)
    found = scored(written(tmp_path, log, "log.jsonl"), whole=True)
    assert found["lea"].value == 1.0


def test_each_text_has_marks_of_its_own(tmp_path):
    said = {
        "d1": "[Ann](#1) saw [a dog](#2). [She](#1) fed [it](#2).",
        "d2": "[Tom]_1 lost [[his]_1 key]_2. [He]_1 found [it]_2.",
    }
    log = "\n".join(json.dumps(BATCHES["records"](name, said[name])) for name in said)
    found = scored(written(tmp_path, log, "log.jsonl"), whole=True)
    assert found["lea"].value == 1.0 and not found.pair.repairs


@pytest.mark.parametrize("kind", ["OpenAI", "Anthropic", "records"])
def test_documents_are_not_confused(kind, tmp_path):
    """Answers under the names of others are refused, or are wrong."""
    log = "\n".join(json.dumps(BATCHES[kind](name, SAID[other])) for name, other in (("d1", "d2"), ("d2", "d1")))
    try:
        found = scored(written(tmp_path, log, "log.jsonl"), whole=True)
    except RefereeError as error:
        assert "\n" not in str(error)
    else:
        assert found["lea"].value < 0.5
        assert found.pair.repairs


def test_samples_of_inspect(tmp_path):
    samples = [
        {
            "id": name,
            "input": TASK,
            "target": WRONG,
            "messages": turns(SAID[name]),
            "output": {"choices": [{"message": message(SAID[name])}], "completion": SAID[name]},
        }
        for name in ("d2", "d1")
    ]
    log = json.dumps({"version": 2, "status": "success", "eval": {"task": "coref"}, "samples": samples})
    assert scored(written(tmp_path, log), whole=True)["lea"].value == 1.0


def test_rows_of_a_table(tmp_path):
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["doc_id", "prompt", "gold", "response"])
    table.writerows([name, TASK, WRONG, SAID[name]] for name in ("d2", "d1"))
    assert scored(written(tmp_path, text.getvalue(), "log.csv"), whole=True)["lea"].value == 1.0
    rows = json.dumps({"columns": ["doc_id", "response"], "data": [[name, SAID[name]] for name in ("d2", "d1")]})
    assert scored(written(tmp_path, rows), whole=True)["lea"].value == 1.0


def test_the_first_of_several_samples_counts(tmp_path):
    found = scored(written(tmp_path, json.dumps(chat(SAID["d1"], WRONG, WRONG))))
    assert found["lea"].value == 1.0
    assert found.pair.repairs["other samples of the same question left out"] == 2


@pytest.mark.parametrize(
    "failed",
    [
        {"custom_id": "d2", "response": {"status_code": 500, "body": {"error": {"message": "overloaded"}}}, "error": None},
        {"custom_id": "d2", "response": None, "error": {"code": "batch_expired", "message": "expired"}},
        {"custom_id": "d2", "result": {"type": "errored", "error": {"type": "invalid_request_error", "message": "too long"}}},
        {"custom_id": "d2", "result": {"type": "expired"}},
    ],
)
def test_requests_that_failed_are_counted(failed, tmp_path):
    kind = "OpenAI" if "response" in json.dumps(failed) else "Anthropic"
    log = f"{json.dumps(failed)}\n{json.dumps(BATCHES[kind]('d1', SAID['d1']))}"
    found = scored(written(tmp_path, log, "log.jsonl"), whole=True)
    assert found["mentions"].precision == 1.0
    assert found["mentions"].recall == pytest.approx(4 / 9)
    assert found.pair.repairs["requests that failed taken for answers without entities"] == 1


@pytest.mark.parametrize(
    "log",
    [
        {"error": {"message": "Rate limit reached", "type": "tokens", "code": "rate_limit_exceeded"}},
        {"custom_id": "d1", "method": "POST", "url": "/v1/chat", "body": {"messages": [{"role": "user", "content": TASK}]}},
        [{"role": "system", "content": TASK}, {"role": "user", "content": TASK}],
        {"id": "d1", "gold": json.loads(SAID["d1"]), "prompt": SAID["d1"]},
    ],
)
def test_logs_without_an_answer_are_refused(log, tmp_path):
    with pytest.raises(RefereeError) as caught:
        scored(written(tmp_path, json.dumps(log)))
    assert "\n" not in str(caught.value)


def test_pieces_of_a_stream_are_one_answer(tmp_path):
    pieces = [SAID["d1"][n : n + 10] for n in range(0, len(SAID["d1"]), 10)]
    chunks = [{"object": "chat.completion.chunk", "choices": [{"delta": {"content": piece}}]} for piece in pieces]
    log = "\n\n".join([*(f"data: {json.dumps(chunk)}" for chunk in chunks), "data: [DONE]"])
    assert scored(written(tmp_path, log))["lea"].value == 1.0
