"""The commands that pages show can be called so: each verb and option is there, and examples of the README run as printed."""

import re
import shlex
from argparse import _SubParsersAction
from functools import cache

import pytest

from referee.cli.main import VERBS, parser
from tests.support.command import referee
from tests.support.paths import ROOT

DOCS = ROOT / "docs"
ADDED = ("add-a-verb.md", "add-an-option.md")
"""The pages whose verb and option there are only when somebody has followed them."""

PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *(page for page in sorted(DOCS.rglob("*.md")) if page.name not in ADDED and page.parent.name != "reference"),
]


def lines(markdown):
    """The commands in blocks, which begin their lines, without what the shell makes of their output, and remarks."""
    found = re.findall(r"^(?: {4}|\$ |- run: | +run: )?referee ([a-z].*)$", markdown, re.MULTILINE)
    return [re.split(r" (?:[|<>#]|>>) ?", line)[0] for line in found]


def in_prose(markdown):
    """The commands between backticks."""
    return [" ".join(command.split()) for command in re.findall(r"`referee ([a-z][^`]*)`", markdown)]


@cache
def verb(name):
    """The parser of a verb."""
    return next(subparsers(parser(name))).choices[name]


def subparsers(of):
    return (action for action in of._actions if isinstance(action, _SubParsersAction))


def called(words):
    """The parser that a command ends at, and the words behind its verbs."""
    name = " ".join(words[:2]) if " ".join(words[:2]) in VERBS else words[0]
    assert name in VERBS, f"no verb {name}"
    found, rest = verb(name), words[len(name.split()) :]
    for action in subparsers(found):
        if rest and not rest[0].startswith("-"):
            assert rest[0] in action.choices, f"no verb {rest[0]} of {name}"
            return action.choices[rest[0]], rest[1:]
    return found, rest


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_verbs_and_options_are_there(page):
    markdown = page.read_text(encoding="utf-8")
    for command in (*lines(markdown), *in_prose(markdown)):
        words = [word for word in shlex.split(command) if word not in ("...", "…")]
        if words[0] in ("as", "help"):  # its options are those of another program
            continue
        of, rest = called(words)
        options = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        assert options <= {*of._option_string_actions}, f"referee {command}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_blocks_are_whole(page, capsys):
    for command in lines(page.read_text(encoding="utf-8")):
        of, rest = called(shlex.split(command))
        try:
            of.parse_args(rest)
        except SystemExit as end:
            assert end.code == 0, f"referee {command}: {capsys.readouterr().err}"


def test_first_commands_run_as_printed():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [command for command in in_prose(text) if "examples/" in command]
    assert len(commands) == 5
    for command in commands:
        done = referee(*shlex.split(command), cwd=ROOT)
        assert (done.status, "referee: error" in done.err) == (0, False), f"referee {command}\n{done.err}"
