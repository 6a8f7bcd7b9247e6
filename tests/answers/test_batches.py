"""What comes back from a batch of prompts: answers, failed requests, refusals, numbers for names."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import referee
from referee.basics.exceptions import FormatError, MismatchError, OptionError, RefereeWarning
from tests.support.command import referee as run, told

KEY = "examples/key.conll"
PARTS = {
    part.partition("\n")[0].strip(): part.partition("\n")[2].strip()
    for part in Path("examples/answer.txt").read_text().split("### ")[1:]
}
SORRY = "I'm sorry, but I can't help with that."
NAMES = ("lighthouse", "orchard")


def answered(name, content, **message):
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": {"total_tokens": 9}}
    return {"id": "b", "custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}


def failed(name, problem, status=None):
    if status is None:
        return {"id": "b", "custom_id": name, "response": None, "error": {"code": "x", "message": problem}}
    return {
        "id": "b",
        "custom_id": name,
        "response": {"status_code": status, "body": {"error": {"message": problem}}},
        "error": None,
    }


@pytest.fixture
def batch(tmp_path):
    def write(*lines):
        path = tmp_path / "output.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return write


ALL = [answered(name, PARTS[name]) for name in NAMES]
ONE = referee.score(KEY, referee.Answer({"lighthouse": PARTS["lighthouse"], "orchard": "[]"}), metrics="conll")["conll"].value


@pytest.mark.parametrize("ids", [NAMES, ("0", "1"), ("1", "2")])
def test_the_output_of_a_batch_is_scored_as_its_answers_are(batch, ids):
    lines = [answered(number, PARTS[name]) for number, name in zip(ids, NAMES, strict=True)]
    for order in (lines, lines[::-1]):
        evaluation = referee.score(KEY, batch(*order), metrics="conll")
        assert evaluation["conll"] == referee.score(KEY, referee.Answer(PARTS), metrics="conll")["conll"]
        assert "repaired" not in evaluation.signature


def test_some_numbers_from_0_are_documents_too(batch):
    with pytest.warns(RefereeWarning, match=r"1 of 2 documents .* orchard"):
        evaluation = referee.score(KEY, batch(answered("0", PARTS["lighthouse"])), metrics="conll")
    assert evaluation["conll"].value == ONE


@pytest.mark.parametrize("ids", [["1"], ["2"], ["3", "4"], ["request-0", "request-1"], ["0", "00"]])
def test_numbers_that_may_be_others_are_refused(batch, ids):
    with pytest.raises(MismatchError, match="as `referee prompts` names them, or numbered from 0 in the order of the key"):
        referee.score(KEY, batch(*(answered(number, PARTS[name]) for number, name in zip(ids, NAMES, strict=False))))


@pytest.mark.parametrize(
    ("line", "state", "said", "text"),
    [
        (
            failed("orchard", "expired"),
            "failed",
            "1 request that failed taken for an answer without entities (in orchard: expired)",
            "expired",
        ),
        (failed("orchard", "too long", 400), "failed", "(in orchard: too long)", "too long"),
        (answered("orchard", SORRY), "no entities", f"(in orchard: {SORRY})", SORRY),
        (answered("orchard", None, refusal=SORRY), "no entities", f"(in orchard: {SORRY})", SORRY),
        (answered("orchard", ""), "no entities", "1 answer without entities (in orchard", ""),
    ],
)
def test_what_failed_or_was_refused_has_no_entities_and_is_told(batch, line, state, said, text):
    path = batch(ALL[0], line)
    done = run("score", KEY, path, "-m", "conll", "-q")
    assert (done.status, done.out) == (0, f"{100 * ONE:.2f}\n")
    assert said in done.err
    with pytest.warns(RefereeWarning):
        evaluation = referee.score(KEY, path)
    assert "tokens:same | repaired:1" in evaluation.signature
    rows = list(csv.DictReader(io.StringIO(run("errors", KEY, path, "--by", "answer", "-r", "csv").out)))
    assert [(row["document"], row["state"], row["answer"]) for row in rows] == [
        ("lighthouse", "read", PARTS["lighthouse"]),
        ("orchard", state, text),
    ]
    assert rows == [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in evaluation.errors().to_rows("answer")
    ]


def test_a_text_without_marks_that_is_that_of_the_key_is_an_answer_without_mentions(batch):
    plain = re.sub(r"\[|\]\(#\d+\)", "", PARTS["orchard"])
    evaluation = referee.score(KEY, batch(ALL[0], answered("orchard", plain)), metrics="conll")
    assert evaluation["conll"].value == ONE
    assert "repaired" not in evaluation.signature


def test_nothing_but_failed_requests_is_an_error(batch):
    problem = r"has no answer to its 2 requests; the first \(lighthouse\): too long"
    with pytest.raises(FormatError, match=problem):
        referee.score(KEY, batch(*(failed(name, "too long", 400) for name in NAMES)))
    sent = batch(
        *({"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": {"messages": []}} for name in NAMES)
    )
    with pytest.raises(FormatError, match="a line of the batch that was sent, which has no answer"):
        referee.score(KEY, sent)


def test_a_request_that_was_made_again_did_not_fail(batch):
    with pytest.warns(RefereeWarning) as caught:
        evaluation = referee.score(KEY, batch(failed("orchard", "expired"), *ALL), metrics="conll")
    assert "failed" not in str(caught[0].message)
    assert evaluation["conll"] == referee.score(KEY, referee.Answer(PARTS), metrics="conll")["conll"]


def test_a_document_that_was_not_answered_is_missing(batch):
    done = run("errors", KEY, batch(ALL[0]), "--by", "answer")
    assert done.out.startswith("answers: 1 missing, 1 read\n")
    assert done.out.splitlines()[3].split() == ["orchard", "missing", "0", "0", "0.00"]
    done = run("errors", KEY, "examples/response.conll", "--by", "answer")
    assert (done.status, len(done.errors)) == (2, 1)


def test_repairs_are_those_of_the_documents_that_are_selected(batch):
    path = batch(answered("lighthouse", f"<think>So.</think>{PARTS['lighthouse']}"), answered("orchard", SORRY))
    done = told("score", KEY, path, "--documents", "orchard", "-m", "conll")
    assert "repaired:1 " in done.out
    assert "thought" not in done.err
    done = told("score", KEY, path, "--documents", "lighthouse", "-m", "conll")
    assert "1 thought left out" in done.err
    assert SORRY not in done.err


def test_the_page_has_the_answer_of_each_document(batch):
    from tests.pages.inspector.test_reasons import documents

    with pytest.warns(RefereeWarning):
        page = referee.inspect(KEY, batch(ALL[0], answered("orchard", SORRY)))
    answers = [document["responses"][0]["answer"] for document in documents(page.html())]
    assert answers == [
        {"state": "read", "repaired": "", "text": PARTS["lighthouse"]},
        {"state": "no entities", "repaired": "1 answer without entities", "text": SORRY},
    ]


@pytest.mark.parametrize(
    "answers",
    [
        PARTS,
        [*PARTS.values()],
        tuple(PARTS.values()),
        referee.Answer(PARTS),
        [referee.Answer(text) for text in PARTS.values()],
        {name: referee.Answer(text) for name, text in PARTS.items()},
        referee.Answer([referee.Answer(text) for text in PARTS.values()]),
        referee.Answer(Path("examples/answer.txt")),
        Path("examples/answer.txt"),
        Path("examples/answer.txt").read_text(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_answers_are_values_of_python(answers):
    expected = referee.score(KEY, "examples/answer.txt", metrics="conll")["conll"]
    assert referee.score(KEY, answers, metrics="conll")["conll"] == expected


def chat(text):
    said = [] if text is None else [{"role": "assistant", "content": text}]
    return [{"role": "user", "content": "Who is who?"}, *said]


def test_conversations_by_document_are_answers(tmp_path):
    expected = referee.score(KEY, "examples/answer.txt", metrics="conll")["conll"]
    path = tmp_path / "messages.json"
    chats = {name: chat(text) for name, text in PARTS.items()}
    path.write_text(json.dumps(chats))
    assert referee.score(KEY, path, metrics="conll")["conll"] == referee.score(KEY, chats, metrics="conll")["conll"] == expected
    run("prompts", KEY, "-o", path)
    with pytest.raises(FormatError, match="has no answer to its 2 requests"):
        referee.score(KEY, path)


def test_what_other_interfaces_say_of_a_request_that_failed(batch):
    error = {"type": "errored", "error": {"type": "error", "error": {"type": "invalid_request", "message": "too long"}}}
    message = {"role": "assistant", "content": [{"type": "text", "text": PARTS["lighthouse"]}]}
    lines = [
        {"custom_id": "lighthouse", "result": {"type": "succeeded", "message": message}},
        {"custom_id": "orchard", "result": error},
    ]
    for order in (lines, lines[::-1]):
        with pytest.warns(RefereeWarning, match=r"\(in orchard: too long\)"):
            evaluation = referee.score(KEY, batch(*order), metrics="conll")
        assert evaluation["conll"].value == ONE
        assert "formats:conll/tagged" in evaluation.signature


def test_none_is_an_answer_that_failed():
    with pytest.warns(RefereeWarning, match=r"1 answer without entities \(in orchard"):
        assert referee.score(KEY, {**PARTS, "orchard": None}, metrics="conll")["conll"].value == ONE


def test_a_text_with_marks_or_json_is_an_answer():
    key = referee.read(KEY).select("lighthouse")
    expected = referee.score(KEY, referee.Answer(PARTS), documents="lighthouse", metrics="conll")["conll"]
    assert referee.score(key, PARTS["lighthouse"], metrics="conll")["conll"] == expected

    assert referee.score(key, '{"Anna": ["Anna", "her"]}', metrics="muc")["muc"].precision == 1.0
    assert referee.score("[Anna](#1) called [her](#1).", "[Anna](#1) called [her](#1).", metrics="lea")["lea"].value == 1.0


def test_the_name_of_a_file_is_no_answer(tmp_path):
    with pytest.raises(OptionError, match=r"found the file examples/answer\.txt; expected a text: Answer\(Path\('examples"):
        referee.Answer("examples/answer.txt")
    with pytest.raises(FileNotFoundError):
        referee.score(KEY, referee.Answer(tmp_path / "none.jsonl"))
    with pytest.raises(OptionError, match=r"expected a text, a value of JSON, or a pathlib\.Path"):
        referee.Answer(3)


NO_FORM = "They are two persons."


@pytest.mark.parametrize("ids", [NAMES, ("0", "1"), ("1", "2")])
@pytest.mark.parametrize(("said", "what"), [(SORRY, "1 answer without entities"), (NO_FORM, "neither lists nor marks")])
def test_an_answer_without_entities_is_told_as_that_under_any_id(batch, ids, said, what):
    path = batch(answered(ids[0], PARTS["lighthouse"]), answered(ids[1], said))
    rows = list(csv.DictReader(io.StringIO(run("errors", KEY, path, "--by", "answer", "-r", "csv").out)))
    assert [(row["document"], row["state"], row["repairs"]) for row in rows] == [
        ("lighthouse", "read", "0"),
        ("orchard", "no entities", "1"),
    ]
    assert what in rows[1]["repaired"]


@pytest.mark.parametrize("nothing", [SORRY, ""])
def test_one_of_a_list_of_answers_may_be_a_refusal(nothing):
    with pytest.warns(RefereeWarning, match="1 answer without entities"):
        evaluation = referee.score(KEY, referee.Answer([PARTS["lighthouse"], nothing]), metrics="conll")
    assert evaluation["conll"].value == ONE
