"""Of each file that a run writes the command says so, once; and the form of a report follows the ending of its file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

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
        "m.conll",
        "todo.jsonl",
        "a.md",
    ],
    ("sample", *PAIR, "--write", "next.jsonl", "-o", "a.txt"): ["next.jsonl", "a.txt"],
    ("convert", PAIR[0], "a.jsonl"): ["a.jsonl"],
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
    ("board", *PAIR, "-o", "site", "--no-pages"): ["site: 1 system, response first"],
    ("board", *PAIR, PAIR[0], "-o", "site", "--no-pages"): ["site: 2 systems, key first"],
}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[0]} {call[-1]}")
def test_what_is_written_is_said(call: tuple[object, ...], tmp_path: Path) -> None:
    done = told(*call, cwd=tmp_path)
    assert done.status == 0
    assert [line for line in done.errors if "wrote" in line] == [f"referee: wrote {name}" for name in CALLS[call]]
    for said in CALLS[call]:
        assert (tmp_path / said.partition(":")[0]).exists()


def test_a_site_that_is_there_is_said_too(tmp_path: Path) -> None:
    call = ("board", *PAIR, "-o", "site", "--no-pages")
    assert told(*call, cwd=tmp_path) == told(*call, cwd=tmp_path)


def test_nothing_is_said_of_what_was_not_written(tmp_path: Path) -> None:
    done = told("score", *PAIR, "-o", tmp_path / "none" / "a.csv")
    assert done.status == 2 and "wrote" not in done.err


@pytest.mark.parametrize(
    ("name", "form"),
    {
        "a.tex": "latex", "a.md": "markdown", "a.csv": "csv", "a.tsv": "tsv", "a.json": "json", "a.html": "html",
        "a.txt": "text", "a.xml": "junit", "a.xyz": "text", "a": "text", "A.CSV": "csv", "a.csv.gz": "csv",
    }.items(),
)  # fmt: skip
def test_the_form_follows_the_ending(name: str, form: str, tmp_path: Path) -> None:
    referee("score", *PAIR, "-o", name, cwd=tmp_path)
    content = (tmp_path / name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    assert text == referee("score", *PAIR, "--report", form).out


def test_the_report_that_is_named_goes_before_the_ending(tmp_path: Path) -> None:
    referee("score", *PAIR, "-r", "json", "-o", tmp_path / "a.csv")
    assert json.loads((tmp_path / "a.csv").read_text())["referee"]
    assert referee("score", *PAIR, "-r", "tex").out == referee("score", *PAIR, "-r", "latex").out
    assert referee("errors", *PAIR, "-r", "md").out == referee("errors", *PAIR, "-r", "markdown").out


def test_a_verb_without_a_form_for_builds_writes_text(tmp_path: Path) -> None:
    assert referee("errors", *PAIR, "-o", tmp_path / "a.xml").status == 0
    assert (tmp_path / "a.xml").read_text() == referee("errors", *PAIR).out


def test_what_a_report_has_follows_its_form(tmp_path: Path) -> None:
    referee("errors", *PAIR, "--by", "error", "-o", tmp_path / "a.csv")  # all, for programs
    assert (tmp_path / "a.csv").read_text() == referee("errors", *PAIR, "--by", "error", "-r", "csv").out
