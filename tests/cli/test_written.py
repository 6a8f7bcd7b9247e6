"""Of each file that a run writes the command says so, once; and the form of a report follows the ending of its file."""

import gzip
import json
import re

import pytest

from referee import read
from tests.support.command import referee, told
from tests.support.paths import EXAMPLES

PAIR = EXAMPLES / "key.conll", EXAMPLES / "response.conll"

CALLS = {
    ("score", *PAIR, "-o", "a.csv"): ["a.csv"],
    ("score", *PAIR, "-o", "-"): [],
    ("score", *PAIR, "-o", "/dev/null"): [],
    ("score", *PAIR, "-q", "-o", "a.txt"): [],
    ("agree", *PAIR, "-o", "a.md", "--merged", "m.conll", "--adjudicate", "todo.jsonl", "--page", "a.html"): [
        "a.html",
        "todo.jsonl",
        "m.conll",
        "a.md",
    ],
    ("sample", *PAIR, "--write", "next.jsonl", "-o", "a.txt"): ["next.jsonl", "a.txt"],
    ("convert", PAIR[0], "a.jsonl"): ["a.jsonl as jsonlines"],
    ("convert", PAIR[0], "a.jsonl", "--to", "jsonlines"): ["a.jsonl"],
    ("convert", PAIR[0], "-o", "a.conll"): ["a.conll"],
    ("convert", EXAMPLES / "records.key.csv", "a.json"): ["a.json as clusters"],
    ("convert", EXAMPLES / "records.key.csv", "--output", "a.TXT.gz"): ["a.TXT.gz as links"],
    ("resolve", EXAMPLES / "story.conllu", "-o", "a.jsonl"): ["a.jsonl as jsonlines"],
    ("parse", EXAMPLES / "ferry.txt", "-o", "a.txt"): ["a.txt"],
    ("convert", PAIR[0], "folder", "--to", "brat"): ["folder"],
    ("inspect", *PAIR, "-o", "-"): [],
    ("resolve", EXAMPLES / "story.conllu", "-o", "a.conllu", "--explain", "w.tsv", "--page", "a.html"): [
        "a.conllu",
        "w.tsv",
        "a.html",
    ],
    ("resolve show", "rules", "-o", "rules.txt"): ["rules.txt"],
    ("resolve fit", "--list", "-o", "none.json"): [],
    ("as", "--write-shim", "scorer.pl", "s.pl"): ["s.pl"],
    ("board", *PAIR, "-o", "site"): ["site: 1 system, response first"],
    ("board", *PAIR, PAIR[0], "-o", "site"): ["site: 2 systems, key first"],
}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[0]} {call[-1]}")
def test_what_is_written_is_said(call, tmp_path):
    done = told(*call, cwd=tmp_path)
    assert done.status == 0
    assert [line for line in done.errors if "wrote" in line] == [f"referee: wrote {name}" for name in CALLS[call]]
    for said in CALLS[call]:
        assert (tmp_path / re.split(": | as ", said)[0]).exists()


def test_a_site_that_is_there_is_said_too(tmp_path):
    call = ("board", *PAIR, "-o", "site")
    assert told(*call, cwd=tmp_path) == told(*call, cwd=tmp_path)


def test_nothing_is_said_of_what_was_not_written(tmp_path):
    done = told("score", *PAIR, "-o", tmp_path / "none" / "a.csv")
    assert done.status == 2 and "wrote" not in done.err


@pytest.mark.parametrize(
    ("name", "form"),
    {
        "a.tex": "latex", "a.md": "markdown", "a.csv": "csv", "a.tsv": "tsv", "a.json": "json", "a.html": "html",
        "a.txt": "text", "a.xml": "junit", "a.xyz": "text", "a": "text", "A.CSV": "csv", "a.csv.gz": "csv",
    }.items(),
)  # fmt: skip
def test_the_form_follows_the_ending(name, form, tmp_path):
    referee("score", *PAIR, "-o", name, cwd=tmp_path)
    content = (tmp_path / name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    assert text == referee("score", *PAIR, "--report", form).out


def test_the_report_that_is_named_goes_before_the_ending(tmp_path):
    referee("score", *PAIR, "-r", "json", "-o", tmp_path / "a.csv")
    assert json.loads((tmp_path / "a.csv").read_text())["referee"]
    assert referee("score", *PAIR, "-r", "tex").out == referee("score", *PAIR, "-r", "latex").out
    assert referee("errors", *PAIR, "-r", "md").out == referee("errors", *PAIR, "-r", "markdown").out


@pytest.mark.parametrize("name", ["a.log", "a.out", "a"])
def test_an_ending_that_says_nothing_is_of_text(name, tmp_path):
    assert referee("errors", *PAIR, "-o", tmp_path / name).status == 0
    assert (tmp_path / name).read_text() == referee("errors", *PAIR).out


def test_resolve_says_nothing_of_what_only_its_trees_give(tmp_path):
    for name in ("a.CONLLU", "a.CONLL"):
        assert referee("resolve", EXAMPLES / "story.conllu", "-o", name, cwd=tmp_path).errors == []
    assert (read(tmp_path / "a.CONLLU").head is None, read(tmp_path / "a.CONLL").head is None) == (False, True)


def test_what_a_report_has_follows_its_form(tmp_path):
    referee("errors", *PAIR, "--by", "error", "-o", tmp_path / "a.csv")  # all, for programs
    assert (tmp_path / "a.csv").read_text() == referee("errors", *PAIR, "--by", "error", "-r", "csv").out
