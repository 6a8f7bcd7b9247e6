"""A leaderboard has the numbers of a comparison, and shows hostile names as text."""

import base64
import json
import re
import shutil
import zlib

import pytest

from referee import compare, score
from referee.comparison.comparing import score_all
from referee.pages.board import write_board
from referee.pages.board.ranking import _letters
from referee.pages.inspector.page import page_of
from referee.pages.inspector.response import ScoredResponse
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY = EXAMPLES / "key.conll"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("board")
    (folder / "systems").mkdir()
    shutil.copy(EXAMPLES / "response.conll", folder / "systems" / "first.conll")
    shutil.copy(EXAMPLES / "second.jsonlines", folder / "systems" / f"{HOSTILE}.jsonlines")
    shutil.copy(EXAMPLES / "response.conll", folder / "systems" / "same.conll")
    done = referee("board", KEY, folder / "systems", "-o", folder / "site", "--resamples", 200)
    assert done.status == 0, done.err
    return folder / "site"


def test_every_number_is_that_of_compare(site):
    systems = {"first": EXAMPLES / "response.conll", HOSTILE: EXAMPLES / "second.jsonlines"}
    board = json.loads((site / "board.json").read_text())
    assert [row["system"] for row in board["ranking"]] == [HOSTILE, "first", "same"]
    assert [row["groups"] for row in board["ranking"]] == [["A"], ["A"], ["A"]]  # two documents tell nothing apart
    expected = compare(str(KEY), {name: str(path) for name, path in systems.items()})
    page = (site / "index.html").read_text()
    rows = dict(zip((row["system"] for row in board["ranking"]), re.findall(r"<tr><td>\d+</td>.*", page), strict=True))
    for system in systems:
        shown = re.findall(r'<b class="score">([^<]*)</b>', rows[system])
        assert shown == [f"{100 * expected[system, metric].score.value:.2f}" for metric in ("conll", *expected.metrics[:-1])]
    found = next(pair for pair in board["pairs"] if pair["system"] == "first")
    other = compare(str(KEY), {name: str(path) for name, path in systems.items()}, baseline=HOSTILE)[
        "first", "conll"
    ].difference
    assert found["difference"] == other.value


def test_each_system_and_each_pair_has_a_page(site):
    links = set(re.findall(r'href="(pages/[^"]+)"', (site / "index.html").read_text()))
    assert links == {f"pages/{name}.html" for name in ("1", "2", "3", "2-1", "3-1", "3-2")}
    assert all("<title>" in (site / link).read_text() for link in links)


def test_pages_have_what_the_command_inspect_shows(site):
    systems = {
        "first": EXAMPLES / "response.conll",
        HOSTILE: EXAMPLES / "second.jsonlines",
        "same": EXAMPLES / "response.conll",
    }
    for page, names in (("1", [HOSTILE]), ("2-1", ["first", HOSTILE]), ("3-2", ["same", "first"])):
        evaluations = score_all(str(KEY), {name: str(systems[name]) for name in names})
        assert unpacked((site / f"pages/{page}.html").read_text()) == unpacked(
            page_of([*map(ScoredResponse, evaluations.values())])
        )


def unpacked(page):
    """The data of a page; each is one member of gzip, as browsers read no others."""
    data = {}
    for name, packed in re.findall(r'<script type="text/plain" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>', page):
        member = zlib.decompressobj(wbits=31)
        data[name] = json.loads(member.decompress(base64.b64decode(packed)))
        assert (member.eof, member.unused_data) == (True, b"")
    return data


def test_hostile_names_are_text(site):
    page = (site / "index.html").read_text()
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert page.count("<script") == 1 and "script-src 'sha256-" in page


def test_pages_link_back_to_the_board(site):
    assert 'data-board="key"' in (site / "pages" / "2-1.html").read_text()
    assert "data-board" not in page_of([ScoredResponse(score(KEY, EXAMPLES / "response.conll"))]).partition("<script")[0]


def test_a_headline_is_text(tmp_path):
    write_board([["a", "b"]], {"x": [["a", "b"]]}, tmp_path, title=f'"{HOSTILE}')
    page = (tmp_path / "pages" / "1.html").read_text().partition("<script")[0]
    assert 'data-board="&quot;&lt;img' in page and HOSTILE not in page


def test_mistakes(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "has no files" in referee("board", KEY, tmp_path / "empty", "-o", tmp_path / "site").err
    assert "cannot be opened" in referee("board", KEY, tmp_path / "none", "-o", tmp_path / "site").err
    done = referee("board", KEY, EXAMPLES, "-o", tmp_path / "site", "--rank-by", "lea", "-m", "muc")
    assert (done.status, len(done.errors)) == (2, 1)


def test_letters():
    assert [_letters(n) for n in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
