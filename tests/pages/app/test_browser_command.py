"""The command as the page runs it, here without a browser."""

import json

import pytest

from referee.cli import browser
from referee.cli.verbs import VERBS
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")


@pytest.fixture(autouse=True)
def little_is_collected(monkeypatch):
    """As in a browser: the garbage of all tests before takes a second to look through."""
    monkeypatch.setattr("gc.collect", lambda: 0)


def run(*argv):
    steps = []
    return json.loads(browser.run(argv, lambda text, share: steps.append((text, share)))), steps


def test_a_result_is_given_as_tables_and_in_every_form():
    outcome, steps = run("score", KEY, RESPONSE)
    assert (outcome["status"], outcome["text"], outcome["messages"]) == (0, "", [])
    (table,) = outcome["tables"]
    assert table["columns"][0] == ["Metric", True] and table["rows"][0][0] == ["Mentions", False]
    for form in ("csv", "latex", "json"):
        assert browser.report(form) == referee("score", KEY, RESPONSE, "-r", form).out
    assert any(text.startswith("reading") for text, _ in steps)


def test_mistakes_are_messages():
    assert run("score", KEY)[0]["status"] == 2
    outcome, _ = run("score", KEY, RESPONSE, "--metrics", "mucc")
    assert outcome["status"] == 2 and outcome["messages"] == ["referee: error: no metric named 'mucc'; did you mean muc?"]
    outcome, _ = run("score", KEY, RESPONSE, "--match", "fuzzy")
    assert outcome["status"] == 2 and "invalid choice" in outcome["messages"][0]


def test_what_is_printed_is_text():
    outcome, _ = run("validate", KEY)
    assert ": no errors (texts: conll; " in outcome["text"] and outcome["tables"] == []
    assert "app" in VERBS
