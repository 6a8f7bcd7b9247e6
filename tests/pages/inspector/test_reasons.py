"""The page shows why a resolver decided as it did."""

import base64
import gzip
import json
import re
import subprocess
import sys

import pytest

import referee
from referee.basics.exceptions import FormatError, MismatchError
from referee.resolver.resolving import resolution
from tests.support.trees import ANN, conllu


@pytest.fixture
def resolved(tmp_path):
    """A key, its response and the explanation of that."""
    key, response, why = (tmp_path / name for name in ("key.conllu", "response.conllu", "why.tsv"))
    key.write_text(conllu(ANN))
    found = resolution(key, "rules", explain=True)
    found.write(response)
    with why.open("w") as out:
        found.explanation.write(out)
    return key, response, why


def documents(html):
    blocks = re.findall(r'id="documents-\d+"[^>]*>([^<]*)<', html)
    return [document for block in blocks for document in json.loads(gzip.decompress(base64.b64decode(block)))]


def test_each_mention_of_the_response_has_its_reason(resolved):
    key, response, why = resolved
    (document,) = documents(referee.inspect(key, response, explain=why).html())
    annotation = document["responses"][0]["annotation"]
    assert len(annotation["reasons"]) == len(annotation["start"]) == 7
    assert annotation["reasons"][0] == "new entity\n0.85"
    assert annotation["reasons"][2].startswith("attached by “Ann”\n0.6 (against: new entity 0.3): pronoun_name=0.6, ")
    assert "reasons" not in document["key"]
    assert "reasons" not in documents(referee.inspect(key, response).html())[0]["responses"][0]["annotation"]


def test_one_annotation_has_the_reasons_of_its_resolver(resolved, tmp_path):
    _, response, why = resolved
    (document,) = documents(referee.inspect(response, explain=why).html())
    assert document["key"]["reasons"][0] == "new entity\n0.85"
    assert len(document["key"]["reasons"]) == 7
    page = tmp_path / "page.html"
    command = [sys.executable, "-m", "referee", "inspect", response, "--explain", why, "-o", page]
    subprocess.run(command, check=True, capture_output=True)
    assert documents(page.read_text()) == [document]


def test_words_that_a_spreadsheet_would_compute_are_guarded_in_the_file_and_shown_as_they_are(tmp_path):
    """An apostrophe before them, as in all tables; names of documents are found again."""
    text = conllu(ANN.replace("Ann", "=HYPERLINK(1)"), "=cmd|calc")
    (response := tmp_path / "response.conllu").write_text(text)
    found = resolution(response, "rules", explain=True)
    found.write(response)
    with (why := tmp_path / "why.tsv").open("w") as out:
        found.explanation.write(out)
    rows = [line.split("\t") for line in why.read_text().splitlines()[1:]]
    assert {row[0] for row in rows} == {"'=cmd|calc"}
    assert rows[0][3] == "'=HYPERLINK(1)"
    assert not [cell for row in rows for cell in row if cell[:1] in set("=+@")]
    (document,) = documents(referee.inspect(response, explain=why).html())
    assert any("by “=HYPERLINK(1)”" in reason for reason in document["key"]["reasons"])


def test_the_page_of_one_annotation_shows_the_reason_of_the_selected_mention(resolved, open_page):
    _, response, why = resolved
    p = open_page(referee.inspect(response, explain=why), "#entity=E1&mention=2")
    p.page.wait_for_selector(".card .reason")
    assert p.texts(".card .reason")[0] == "She: attached by “Ann”"
    assert not p.page.is_visible(".card .in-figures bdi")
    p.page.click(".card .in-figures summary")
    assert p.page.inner_text(".card .in-figures bdi").startswith("0.6 (against: new entity 0.3): ")


def test_the_command_takes_the_explanation(resolved, tmp_path):
    key, response, why = resolved
    page = tmp_path / "page.html"
    command = [sys.executable, "-m", "referee", "inspect", key, response, "--explain", why, "-o", page]
    subprocess.run(command, check=True, capture_output=True)
    assert documents(page.read_text())[0]["responses"][0]["annotation"]["reasons"]


def test_an_explanation_of_something_else_is_refused(resolved):
    key, response, why = resolved
    lines = why.read_text().splitlines()
    why.write_text("\n".join([*lines[:2], *lines[3:]]))
    with pytest.raises(MismatchError, match="no decision about the mention of tokens 2 to 2; expected the explanation of"):
        referee.inspect(key, response, explain=why).html()
    for text, message in (
        ("a\tb\n1\t2\n", "1: has no column document"),
        (lines[0] + "\nd\tx\n", "2: is no decision"),
        (lines[0] + "\n" + lines[1].replace("\t0\t", "\t-1\t") + "\n", "2: is no decision"),
    ):
        why.write_text(text)
        with pytest.raises(FormatError, match=message):
            referee.inspect(key, response, explain=why)
