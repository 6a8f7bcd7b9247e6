"""What all pages have in common: one shell, one policy, the same colours."""

import re
from html import unescape
from importlib.resources import files

import pytest

from referee import inspect, score
from referee.pages.app.site import write_site
from referee.pages.board import write_board
from referee.reports.shell import digest, page, style_of

KEY = [["a", "b"], ["c"]]


def inspector_page(_folder):
    return inspect(KEY, KEY).html()


def board_page(folder):
    write_board(KEY, {"x": KEY, "y": KEY}, folder)
    return (folder / "index.html").read_text(encoding="utf-8")


def app_page(folder):
    write_site(str(folder), {})
    return (folder / "index.html").read_text(encoding="utf-8")


def directives_of(html):
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', html)
    assert found
    return dict(directive.split(" ", 1) for directive in unescape(found[1]).split("; "))


def report_page(_folder):
    return score(KEY, KEY).report("html")


@pytest.mark.parametrize("made", [inspector_page, board_page, app_page, report_page])
def test_a_page_is_a_shell_with_its_own_style_and_runs_what_its_policy_names(made, tmp_path):
    html = made(tmp_path)
    policy = directives_of(html)
    assert policy["default-src"] == "'none'" and policy["img-src"] == "data:"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe-inline" not in str(policy) and "'unsafe-eval'" not in str(policy)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert digest(style) in policy["style-src"].split()
    assert style.startswith(style_of()) and len(style) > len(style_of())
    for script in re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL):
        assert digest(script) in policy["script-src"].split()
    assert " style=" not in html.replace(style, "").partition("<script")[0]


def test_a_page_that_runs_nothing_may_run_nothing():
    html = page("t", "<p>x</p>", style="p { color: red }")
    assert directives_of(html)["script-src"] == "'none'" and "<script" not in html


def test_a_title_is_text():
    html = page("</title><script>x()</script>\n\ud800", "", style="")
    assert "<title>&lt;/title&gt;&lt;script&gt;x()&lt;/script&gt;\\n\\ud800</title>" in html


def test_colours_are_named_once():
    pages, reports = files("referee.pages"), files("referee.reports")
    shared = dict(re.findall(r"(--\w[\w-]*): (light-dark\([^;]*\));", style_of()))
    own = [pages / "board" / "board.css", pages / "app" / "app.css", reports / "report.css"]
    own += (pages / "inspector" / "assets" / "styles").iterdir()
    assert len(shared) >= 10
    for sheet in own:
        text = sheet.read_text(encoding="utf-8")
        assert [name for name, value in shared.items() if f"{name}:" in text or value in text] == []
