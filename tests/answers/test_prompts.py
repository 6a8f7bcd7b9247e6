"""Prompts on the command line, and what comes back."""

import json
from itertools import pairwise

import pytest

import referee
from referee.compat.prompts import batch, prompts
from referee.corpus.detokenising import as_written
from tests.support.answers import nesting, texts
from tests.support.command import referee as run

KEY = "examples/key.conll"


def perfect(key):
    """The key itself as a model would answer the prompt: its text as people read it, with marks."""
    answers = {}
    for number, text in enumerate(map(nesting, texts(key))):
        lines = []
        for first, after in pairwise([*key.text.words[number].sentences, len(text.tokens)]):
            raw = as_written(text.tokens[first:after])
            marks = []
            for start, end, entity in text.mentions:
                if first <= start < after:
                    marks.append((int(raw.start[start - first]), 1, start - end, "["))
                    marks.append((int(raw.end[end - first - 1]), 0, end - start, f"](#{entity})"))
            line = raw.text
            for place, _, _, mark in sorted(marks, reverse=True):
                line = line[:place] + mark + line[place:]
            lines.append(line)
        answers[text.name] = "\n".join(lines)
    return answers


@pytest.mark.parametrize("path", [KEY, "examples/response.conll", "examples/second.jsonlines"])
def test_a_perfect_answer_to_a_text_as_people_read_it_is_perfect(path):
    key = referee.read(path)
    answers = perfect(key)
    for name, prompt in prompts(key).items():
        plain = prompt.rpartition("Text:\n")[2].removesuffix("\n\nAnswer:\n")
        assert " ." not in plain
        assert answers[name].replace("[", "").split("](#")[0].split()[0] in plain
    for metric in ("conll", "lea", "mentions"):
        assert referee.score(key, referee.Answer(answers), metrics=metric)[metric].value == 1.0


def test_a_batch_has_a_line_a_document(tmp_path):
    path = tmp_path / "batch.jsonl"
    done = run("prompts", KEY, "-o", path, "--model", "m")
    assert (done.status, done.out, done.err) == (0, "", "")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["custom_id"] for line in lines] == ["lighthouse", "orchard"]
    assert {(line["method"], line["url"], line["body"]["model"]) for line in lines} == {("POST", "/v1/chat/completions", "m")}
    made = prompts(referee.read(KEY))
    assert [line["body"]["messages"][0]["content"] for line in lines] == list(made.values())
    assert lines == batch(made, "m")


def test_prompts_are_text_messages_or_a_folder(tmp_path):
    made = prompts(referee.read(KEY), "quotes")
    assert run("prompts", KEY, "--form", "quotes", "--documents", "orchard").out == made["orchard"]
    assert run("prompts", KEY, "--form", "quotes").out.startswith("### lighthouse\n\n" + made["lighthouse"])
    chats = tmp_path / "messages.json"
    run("prompts", KEY, "--form", "quotes", "-o", chats)
    assert json.loads(chats.read_text()) == {name: [{"role": "user", "content": text}] for name, text in made.items()}
    run("prompts", KEY, "--form", "quotes", "-o", f"{tmp_path}/prompts")
    assert {path.name: path.read_text() for path in (tmp_path / "prompts").iterdir()} == {
        f"{name}.txt": text for name, text in made.items()
    }


def test_a_text_of_the_user_stays_as_it_is_and_a_prompt_may_be_too(tmp_path):
    text = "Ann  left .\n\nShe ran ."
    (tmp_path / "story.txt").write_text(text)
    (tmp_path / "own.txt").write_text("Who is who?\n{text}\n")
    done = run("prompts", tmp_path / "story.txt", "--prompt", tmp_path / "own.txt")
    assert done.out == f"Who is who?\n{text}\n"
    (tmp_path / "own.txt").write_text("Who is who?")
    done = run("prompts", tmp_path / "story.txt", "--prompt", tmp_path / "own.txt")
    assert (done.status, done.err) == (2, "referee: error: the prompt has no {text}; expected that where the text stands\n")
