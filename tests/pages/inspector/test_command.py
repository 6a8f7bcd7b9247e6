"""`referee inspect` as people run it."""

from tests.support.command import referee, told
from tests.support.paths import EXAMPLES

KEY, RESPONSE, SECOND = (EXAMPLES / name for name in ("key.conll", "response.conll", "second.jsonlines"))


def test_a_page_is_made_under_a_name_that_help_tells(tmp_path):
    done = told("inspect", KEY, RESPONSE, cwd=tmp_path)
    assert (done.status, done.out, done.errors) == (0, "", ["referee: wrote referee.html"])
    assert (tmp_path / "referee.html").read_text().startswith("<!doctype html>")
    assert "default: referee.html" in referee("inspect", "--help", COLUMNS="200").out


def test_the_page_goes_where_it_is_wanted(tmp_path):
    done = referee("inspect", KEY, RESPONSE, "-o", "-")
    assert done.out.startswith("<!doctype html>")
    assert done.errors == []
    referee("inspect", KEY, RESPONSE, "-o", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == done.out


def test_options_are_those_of_score():
    for option, *value in (("--profile", "conll-8.01"), ("--singletons", "drop"), ("--match", "overlap"), ("-m", "lea,vi")):
        assert referee("inspect", KEY, RESPONSE, option, *value, "-o", "-").status == 0


def test_the_title_names_key_and_responses_by_one_rule(tmp_path):
    for name in ("gum.key.conll", "gum.mild.conll"):
        (tmp_path / name).write_bytes(KEY.read_bytes())
    for files, title in ((("gum.key.conll", "gum.mild.conll"), "gum.mild · gum.key"), (("gum.key.conll",), "gum.key")):
        done = referee("inspect", *(tmp_path / name for name in files), "-o", "-")
        assert f"<title>{title}</title>" in done.out
