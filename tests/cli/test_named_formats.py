"""Formats as the command takes them: in any case, by what tools are called, and never against the ending of a file."""

import pytest

from referee import read, write
from referee.basics.exceptions import OptionError
from referee.basics.options.choices import ENDINGS, WRITABLE
from referee.inputs.registry import FORMATS, load_format
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY = EXAMPLES / "key.conll"
THREE = (KEY, EXAMPLES / "response.conll", EXAMPLES / "second.jsonlines")


def test_formats_that_can_be_written_have_a_writer():
    assert list(WRITABLE) == [name for name in FORMATS if load_format(name).write]
    assert {ending: name for name in FORMATS for ending in load_format(name).endings} == ENDINGS


def test_capitals_do_not_matter(tmp_path):
    assert referee("convert", KEY, "out", "--to", "JSONLines", "--from", "CoNLL", "--lossy", cwd=tmp_path).status == 0
    assert referee("score", KEY, KEY, "--format", "CONLL", "-q").out == "100.00\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("convert", KEY, "x", "--to", "inception"), "--to: no format 'inception'; did you mean webanno?"),
        (("convert", KEY, "x", "--to", "Label-Studio"), "did you mean labelstudio?"),
        (("score", KEY, KEY, "--format", "conl"), "--format: no format 'conl'; did you mean conll?"),
        (("score", KEY, KEY, "--key-format", "xyzzy"), "no format 'xyzzy'; `referee formats` lists all"),
        (("convert", KEY, "x", "--to", "docbin"), "docbin is only read; expected one that is written, too: conll, "),
    ],
)
def test_of_another_name_the_format_is_named_that_is_meant(arguments, said, tmp_path):
    done = referee(*arguments, cwd=tmp_path)
    assert (done.status, len(done.errors)) == (2, 1)
    assert said in done.err and "choose from" not in done.err


@pytest.mark.parametrize(
    ("name", "to"), [("x.conll", "jsonlines"), ("x.csv", "links"), ("x.conllu", "conll"), ("x.tsv", "brat"), ("x.ann", "conll")]
)
def test_a_format_and_an_ending_that_names_another_are_refused(name, to, tmp_path):
    done = referee("convert", KEY, name, "--to", to, "--lossy", cwd=tmp_path)
    assert (done.status, len(done.errors), list(tmp_path.iterdir())) == (2, 1, [])
    assert f"{name}: found {to} for a file whose ending names " in done.err
    with pytest.raises(OptionError, match="whose ending names"):
        write(read(KEY), tmp_path / name, format=to, lossy=True)


@pytest.mark.parametrize(
    ("name", "to"),
    [("x.conll", "conll:names"), ("x.json", "labelstudio"), ("x.txt", "sacr"), ("x", "jsonlines"), ("x.tsv", "webanno")],
)
def test_an_ending_of_several_formats_names_none(name, to, tmp_path):
    assert referee("convert", KEY, name, "--to", to, "--lossy", cwd=tmp_path).status == 0
    assert (tmp_path / name).exists()


def test_of_two_outputs_the_format_is_for_that_without_an_ending(tmp_path):
    done = referee("agree", *THREE, "--merged", "m.conll", "--adjudicate", "todo", "--to", "webanno", "-q", cwd=tmp_path)
    assert done.status == 0
    assert (tmp_path / "m.conll").read_text().startswith("#begin document")
    assert {path.suffix for path in (tmp_path / "todo").iterdir()} == {".tsv"}


def test_nothing_is_written_if_one_of_the_outputs_cannot_be(tmp_path):
    for adjudicate in ("todo/", "todo.xyz", "todo.conll"):  # CoNLL holds no entity types
        done = referee("agree", *THREE, "--merged", "m.conll", "--adjudicate", adjudicate, "--page", "p.html", cwd=tmp_path)
        assert (done.status, done.out, len(done.errors), list(tmp_path.iterdir())) == (2, "", 1, [])
