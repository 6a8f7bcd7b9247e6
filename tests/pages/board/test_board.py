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
    pairs = ("--pair", f"first,{HOSTILE}", "--pair", "first,same")
    done = referee("board", KEY, folder / "systems", "-o", folder / "site", "--resamples", 200, "--with-texts", *pairs)
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


def test_each_system_and_each_pair_that_was_asked_for_has_a_page(site):
    links = set(re.findall(r'href="(pages/[^"]+)"', (site / "index.html").read_text()))
    assert links == {f"pages/{name}.html" for name in ("1", "2", "3", "2-1", "3-2")}
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
    write_board([["a", "b"]], {"x": [["a", "b"]]}, tmp_path, title=f'"{HOSTILE}', with_texts=True)
    page = (tmp_path / "pages" / "1.html").read_text().partition("<script")[0]
    assert 'data-board="&quot;&lt;img' in page and HOSTILE not in page


def test_mistakes(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "has no files" in referee("board", KEY, tmp_path / "empty", "-o", tmp_path / "site").err
    assert "cannot be opened" in referee("board", KEY, tmp_path / "none", "-o", tmp_path / "site").err
    done = referee("board", KEY, EXAMPLES, "-o", tmp_path / "site", "--rank-by", "lea", "-m", "muc")
    assert (done.status, len(done.errors)) == (2, 1)


LINE = {"doc_key": "d1", "sentences": [["Qwyjibo", "saw", "a", "Xyzzy", "."]], "clusters": [[[0, 0], [2, 3]]]}
SUBMITTED = {
    "good": [LINE, {**LINE, "doc_key": "d2"}],
    "part": [LINE],
    "twice": [{**LINE, "clusters": [[[0, 0], [2, 3]], [[2, 3], [4, 4]]]}, {**LINE, "doc_key": "d2"}],
    "words": [{**LINE, "sentences": [["Qwyjibo", "saw", "a", "Plugh", "."]]}],
    "empty": [],
}


@pytest.fixture
def task(tmp_path):
    """A key, and submissions of which two cannot be scored."""
    for name, lines in {"key": SUBMITTED["good"], **{f"sub/{name}": lines for name, lines in SUBMITTED.items()}}.items():
        path = tmp_path / f"{name}.jsonlines"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def test_a_bad_submission_is_listed_with_the_reason_and_words_of_the_key_are_nowhere(task):
    done = referee("board", "key.jsonlines", "sub", "-o", "site", "--resamples", 200, cwd=task)
    assert done.status == 0, done.err
    assert "words is not on the board: document 'd1', token 3: found 'Plugh'" in done.err
    board, page = json.loads((task / "site/board.json").read_text()), (task / "site/index.html").read_text()
    assert [row["system"] for row in board["ranking"]] == ["good", "twice", "part"]
    assert sorted(board["rejected"]) == ["empty", "words"]
    assert "is empty" in board["rejected"]["empty"]
    assert board["rejected"]["words"].startswith("document 'd1', token 3: found … ")
    assert "1 of 2 documents of key.jsonlines are not in" in board["warnings"]["part"][0]
    assert "1 repeated mention" in board["warnings"]["twice"][0]
    assert "1 of 2 documents of key.jsonlines are not in" in page and "1 repeated mention" in page
    assert re.search(r'<th scope="row">words</th><td class="reason">document \S+d1\S+ token 3: found …', page)
    for file in (task / "site").iterdir():
        assert file.is_file() and not re.search("Qwyjibo|Xyzzy|Plugh", file.read_text())


def test_equal_systems_share_a_place(task):
    (task / "same.jsonlines").write_text((task / "sub/good.jsonlines").read_text())
    files = [f"{name}.jsonlines" for name in ("sub/part", "same", "sub/good")]
    assert referee("board", "key.jsonlines", *files, "-o", "site", "--resamples", 200, cwd=task).status == 0
    ranking = json.loads((task / "site/board.json").read_text())["ranking"]
    assert [(row["rank"], row["system"]) for row in ranking] == [(1, "same"), (1, "good"), (3, "part")]
    assert re.findall(r"<tr><td>(\d)</td>", (task / "site/index.html").read_text()) == ["1", "1", "3"]


def test_texts_come_with_pages_and_pairs_only_with_texts(task):
    files = ("board", "key.jsonlines", "sub/good.jsonlines", "sub/part.jsonlines", "-o", "site", "--resamples", 200)
    assert "expected --with-texts" in referee(*files, "--pair", "good,part", cwd=task).err
    assert "no system named 'bad'" in referee(*files, "--with-texts", "--pair", "good,bad", cwd=task).err
    assert referee(*files, "--with-texts", cwd=task).status == 0
    assert sorted(path.name for path in (task / "site/pages").iterdir()) == ["1.html", "2.html"]


def test_a_board_by_files_is_ranked_by_their_mean(task):
    for side, files in (("gold", "ab"), ("run/one", "ab"), ("run/two", "a")):
        for name in files:
            (task / side).mkdir(exist_ok=True, parents=True)
            (task / side / f"{name}.jsonlines").write_text((task / "sub/good.jsonlines").read_text())
    done = referee(
        "board", "gold", "run/two", "run/one", "-o", "site", "--resamples", 200, "--by", "file", "-m", "muc", cwd=task
    )
    assert done.status == 0, done.err
    board = json.loads((task / "site/board.json").read_text())
    assert [row["system"] for row in board["ranking"]] == ["one", "two"]
    assert board["pairs"][0]["difference"] == -0.5
    page = (task / "site/index.html").read_text()
    assert re.findall(r"<td>(?:<b>)?([\d.]+)(?:</b>)?</td>", page.partition("of each part")[2].partition("</table>")[0]) == [
        "100.00", "100.00", "100.00", "100.00", "50.00", "100.00", "0.00", "66.67",
    ]  # fmt: skip


def test_nothing_is_written_if_no_submission_can_be_scored(task):
    done = referee("board", "key.jsonlines", "sub/words.jsonlines", "sub/empty.jsonlines", "-o", "site", cwd=task)
    assert done.status == 2
    assert "no submission of 2 can be scored, the first: document 'd1', token 3" in done.err
    assert not (task / "site").exists()


def test_letters():
    assert [_letters(n) for n in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
