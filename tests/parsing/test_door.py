"""From plain text to entities, as people do it: the command, and Python."""

import gzip
import json
import os
import pty
import re
import sys

import pytest

import referee
from referee.basics.exceptions import FormatError, OptionError, RefereeWarning
from tests.support.command import COMMAND, process, referee as run

STORY = """CHAPTER I

Ann Miller met Bob in the garden of the old house. She hadn’t seen him
for years, and he was glad to see her. “You haven’t changed,” said Bob.

Mr. Smith, the lawyer, came at noon. He gave Ann the key.
"""
ENTITIES = {("Ann Miller", "She", "her", "Ann"), ("Bob", "him", "he", "Bob"), ("Mr. Smith", "the lawyer", "He")}


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text(STORY)
    return path


def several(corpus):
    """The entities of several mentions, as the user's text has them."""
    found = set()
    for document, words in zip(corpus.documents.values(), corpus.text.words, strict=True):
        raw = words.raw
        for entity in document.entities:
            texts = (raw.text[raw.start[m.start] : raw.end[m.end - 1]] for m in entity.mentions)
            found |= {tuple(texts)} if len(entity) > 1 else set()
    return found


def rows(text):
    return [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]


def test_who_is_who_is_found(story):
    assert several(referee.resolve(story)) >= ENTITIES
    assert several(referee.resolve(STORY)) >= ENTITIES
    assert several(referee.resolve({"x": STORY})) >= ENTITIES
    assert several(referee.resolve(referee.parse(STORY))) >= ENTITIES
    assert referee.resolve([STORY, STORY]).doc_ids == ("1", "2")


def test_trees_have_the_places_of_words_in_the_text(story):
    done = run("parse", story)
    assert done.status == 0
    places = [dict(pair.split("=") for pair in row[9].split("|"))["TokenRange"] for row in rows(done.out)]
    words = [STORY[slice(*map(int, place.split(":")))] for place in places]
    assert words == [row[1] for row in rows(done.out)]
    assert "".join(words) == "".join(STORY.split())
    assert "# text = She hadn’t seen him for years, and he was glad to see her.\n" in done.out
    assert done.out.startswith("# generator = referee parse | parser:english ")


def test_trees_written_and_read_are_those_of_the_text(story, tmp_path):
    assert run("parse", story, "-o", tmp_path / "a.conllu").status == 0
    trees, text = referee.resolve(tmp_path / "a.conllu"), referee.resolve(story)
    assert [words.tokens for words in trees.text.words] == [words.tokens for words in text.text.words]
    assert trees == text


def test_annotation_is_written_on_the_text_of_the_user(story, tmp_path):
    done = run("resolve", story, "-o", tmp_path / "story.ann")
    assert (done.status, done.out, len(done.errors)) == (0, "", 0)  # heads and types of mentions are not the user's
    assert story.read_text() == STORY
    mentions = [line.split("\t") for line in (tmp_path / "story.ann").read_text().splitlines() if line[0] == "T"]
    for _, place, text in mentions:
        parts = place.partition(" ")[2].split(";")
        assert " ".join(STORY[slice(*map(int, part.split()))] for part in parts) == text
    assert "Ann Miller" in {text for *_, text in mentions}
    assert len(referee.read(tmp_path / "story.ann").document) == len(mentions)


def test_a_pipe_gets_annotation_and_a_terminal_who_is_who(story):
    piped = process("resolve", story)
    assert piped.status == 0
    assert "Entity=(e" in piped.out
    shown = run("resolve", story, "--show", "entities")
    first = ["Ann Miller: She, her, Ann · 4", "Bob ×2: him, he · 4", "Mr. Smith: the lawyer, He · 3"]
    assert shown.out.splitlines()[:3] == first
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["COLUMNS"] = "24"
        os.execv(COMMAND[0], [*COMMAND, "resolve", str(story)])
    output = b""
    try:
        while part := os.read(terminal, 4096):
            output += part
    except OSError:  # Linux's way to say that the terminal was closed
        pass
    assert os.waitpid(pid, 0)[1] == 0
    lines = output.decode().replace("\r", "").rpartition("\x1b[K")[2].splitlines()  # behind the progress, if it took long
    assert lines[0] == "Ann Miller: She, … · 4"
    assert all(len(line) <= 24 for line in lines[:3])


def test_the_text_is_shown_with_brackets(story):
    shown = run("resolve", story, "--show", "text").out
    assert "[Ann Miller]1 met [Bob]2 in [the garden" in shown
    assert "haven’t changed,” said [Bob]2.\n\n[Mr. Smith]3" in shown
    numbers = {int(number) for number in re.findall(r"\](\d+)", shown)}
    listed = run("resolve", story, "--show", "entities").out.splitlines()
    assert numbers == {*range(1, len(listed) + 1)}  # also entities of one mention, in the order of the list


def test_the_page_and_the_reasons(story, tmp_path):
    done = run("resolve", story, "--page", tmp_path / "a.html", "--explain", tmp_path / "why.tsv", "-o", tmp_path / "a.conllu")
    assert done == (0, "", "")
    assert (tmp_path / "a.html").read_text().startswith("<!doctype html>")
    assert referee.inspect(tmp_path / "a.conllu", explain=tmp_path / "why.tsv").html().startswith("<!doctype html>")


def test_folders_standard_input_and_gzip(tmp_path, story):
    (tmp_path / "more").mkdir()
    with gzip.open(tmp_path / "more" / "b.txt.gz", "wt") as out:
        out.write(STORY)
    done = run("resolve", tmp_path, "--to", "jsonlines")
    assert [json.loads(line)["doc_key"] for line in done.out.splitlines()] == ["story", "more/b"]
    done = run("resolve", "-", "--show", "entities", stdin=STORY.encode())
    assert done.out.startswith("Ann Miller: ")
    done = run("resolve", story, tmp_path / "more", "--show", "entities")
    assert done.out.startswith("story:\nAnn Miller: ")


def test_several_files_with_trees_are_several_documents(story, tmp_path):
    for name in ("a", "b"):
        text = run("parse", story).out.replace("# newdoc id = story\n", "# newdoc\n" if name == "a" else "")
        (tmp_path / f"{name}.conllu").write_text(text)
    done = run("resolve", tmp_path / "a.conllu", tmp_path / "b.conllu", "--to", "jsonlines")
    assert [json.loads(line)["doc_key"] for line in done.out.splitlines()] == ["a", "b"]
    done = run("resolve", story, tmp_path / "a.conllu")
    assert done.status == 2
    assert "expected one kind: resolve them one by one" in done.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty; expected text"),
        (b" \n\n", "is empty; expected text"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "is a PDF file; expected plain text"),
        (b"caf\xe9 au lait, said Ann.\n", "found the byte 0xe9; expected UTF-8"),
        (b'{"text": "Ann met Bob."}\n', "seems to be JSON and no plain text"),
        (b"#begin document (a); part 000\na 0 0 Ann (1)\n#end document\n", "seems to be CoNLL and no plain text"),
        ("他在花园里遇见了鲍勃。她很高兴见到他，因为他们已经很久没有见面了。".encode() * 9, "seems to be no text in English"),
        ("Der Garten gehörte jetzt ihr, und sie war froh, dass er ihn ihr gegeben hatte. ".encode() * 9, "English"),
        (b"<!DOCTYPE html><html><body>Ann</body></html>", "is an HTML page"),
    ],
)
def test_what_is_no_english_text_is_refused_in_one_line(content, message, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    for verb in ("parse", "resolve"):
        done = run(verb, path, "-o", tmp_path / "out.conllu")
        assert (done.status, len(done.errors)) == (2, 1), done.err
        assert message in done.err
        assert not (tmp_path / "out.conllu").exists()


def test_another_language_says_what_to_do(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Elle était heureuse de le revoir, car ils ne s’étaient pas vus depuis des années. " * 5)
    done = run("resolve", path)
    assert "take a model of its language with --parser FILE, or fit one: referee parse fit" in done.err


def test_options_that_do_not_go_together(story, tmp_path):
    for arguments in (
        ("--show", "text", "-o", "-"),
        ("--show", "text", "--to", "brat"),
        ("--page", "a", "--strategy", "heads"),
    ):
        done = run("resolve", story, *arguments, cwd=tmp_path)
        assert (done.status, len(done.errors)) == (2, 1)
    done = run("parse", "Ann met Bob.", cwd=tmp_path)
    assert (done.status, len(done.errors)) == (2, 1)
    assert "Ann met Bob.: cannot be opened: no such file" in done.err
    done = run("resolve", story, "--page", "same", "-o", "same", cwd=tmp_path)
    assert "would be written twice" in done.err
    with pytest.raises(OptionError, match="is CoNLL-U, which has words already"):
        path = tmp_path / "a.conllu"
        path.write_text(run("parse", story).out)
        referee.parse(path)
    done = run("resolve", tmp_path / "a.conllu", "--parser", "chunks")
    assert "found the parser chunks for" in done.err
    assert "which has trees; expected plain text, or no --parser" in done.err
    with pytest.raises(OptionError, match="found the parser chunks for <parsed>, which has trees"):
        referee.resolve(referee.parse(STORY), parser="chunks")
    with pytest.raises(FormatError, match="no such file"):
        referee.parse("my story.txt")


def test_chunks_are_the_shallow_road(story, tmp_path):
    done = run("resolve", story, "--parser", "chunks", "--show", "entities")
    assert done.out.splitlines()[1] == "Bob ×2: him, he · 4"
    run("resolve", story, "-o", tmp_path / "key.conllu")
    arguments = ("resolve", story, "--parser", "chunks", "-o", tmp_path / "a.conllu", "--candidates", tmp_path / "a.jsonl")
    assert run(*arguments).status == 0
    done = run("phrases", "score", tmp_path / "key.conllu", tmp_path / "a.jsonl", "--untyped", "-m", "expected")
    assert done.status == 0
    assert "expected" in done.out
    assert "parser:chunks" in (tmp_path / "a.conllu").read_text()


def test_speakers_and_what_is_left_out_are_said(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("ANN: I saw you there.\nBOB: You saw me?\nANN: I did, and I was glad.\nBOB: I was not.\n")
    with pytest.warns(RefereeWarning, match="4 labels of speakers are no words of the text"):
        found = referee.resolve(path)
    assert several(found) >= {("I", "You", "I", "I"), ("you", "me", "I")}


@pytest.mark.parametrize("threads", ["1", "2"])
def test_trees_do_not_depend_on_threads(story, threads):
    script = "import referee; print(referee.parsing.conllu(referee.parse(open(__import__('sys').argv[1]).read())))"
    done = process("-c", script, story, command=[sys.executable], OPENBLAS_NUM_THREADS=threads)
    assert done.out.rstrip("\n") == run("parse", story).out.replace("story", "text").rstrip("\n")


def test_a_long_line_and_odd_texts_end(tmp_path):
    for number, text in enumerate(("a " * 10_000, "x" * 200_000, "!?" * 20_000, "He saw her. " * 600, "(" * 10_000)):
        path = tmp_path / f"{number}.txt"
        path.write_text(text)
        done = run("resolve", path, "-o", tmp_path / "out.conllu")
        assert done.status == 0 or len(done.errors) == 1
