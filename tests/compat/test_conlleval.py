"""`referee.compat.conlleval` returns and prints what the two scripts of that name do."""

import io
import re
import types
from argparse import Namespace

import numpy as np
import pytest

from referee.basics.exceptions import FormatError, MismatchError, OptionError
from referee.compat import conlleval
from tests.support.programs import FOLDER, REAL, stored

PERL = [case for case in stored("conlleval") if not {"-r", "-l"} & {*case.arguments} and not re.search(r"\b[ES]-", case.stdin)]
"""Calls whose tags mean the same in the Perl script and its port."""


def columns(case):
    """The tags of key and response, with O for an empty line, as conlleval.py reads them."""
    rows = [line.split() or ["", "O", "O"] for line in case.stdin.splitlines()]
    return [row[-2] for row in rows], [row[-1] for row in rows]


def real(path):
    """A script of others as a module; `keys() + keys()` is of Python 2."""
    if not (FOLDER / path).is_file():
        pytest.skip(f"needs {FOLDER / path}: name its folder as REFEREE_PROGRAMS")
    source = (FOLDER / path).read_text(encoding="utf-8")
    source = source.replace("c.t_found_correct.keys() + c.t_found_guessed.keys()", "[*c.t_found_correct, *c.t_found_guessed]")
    module = types.ModuleType("conlleval")
    exec(compile(source, path, "exec"), module.__dict__)
    return module


def test_tags_are_reported_as_conlleval_py_reported_them(capsys):
    for case in stored("conlleval --python"):
        key, response = columns(case)
        sides = conlleval.evaluate(key, response)
        printed = capsys.readouterr().out
        assert printed == case.printed
        assert re.findall(r"\d+\.\d+", printed.splitlines()[2])[1:] == [f"{side:.2f}" for side in sides]
        assert conlleval.evaluate(key, response, verbose=False) == sides
        assert conlleval.evaluate_conll_file(case.stdin.splitlines()) == sides
        assert capsys.readouterr().out == case.printed


def test_lines_are_reported_as_the_perl_script_reported_them(capsys, tmp_path):
    for case in PERL:
        options = Namespace(delimiter="\t", boundary="-X-") if "-d" in case.arguments else None
        lines = case.stdin.splitlines(keepends=True)
        conlleval.report(conlleval.evaluate(lines, options))
        assert capsys.readouterr().out == case.printed
        (tmp_path / "tags.txt").write_text(case.stdin, encoding="utf-8")
        assert "".join(conlleval.return_report(str(tmp_path / "tags.txt"))) == case.printed
    assert len(PERL) > 10


@pytest.mark.slow
def test_both_scripts_give_the_same_for_random_tags():
    tags, lines = real("conlleval/conlleval.py"), real("conlleval.py/conlleval.py")
    for seed in range(1000, 1200):
        case = REAL["conlleval --python"][1](seed)
        key, response = columns(case)
        assert conlleval.evaluate(key, response, verbose=False) == pytest.approx(tags.evaluate(key, response, verbose=False))
        ours, theirs = conlleval.evaluate(case.stdin.splitlines()), lines.evaluate(case.stdin.splitlines())
        assert {name: getattr(ours, name) for name in vars(theirs)} == {
            name: {c: n for c, n in v.items() if n} if isinstance(v, dict) else v for name, v in vars(theirs).items()
        }
        assert conlleval.metrics(ours) == (lines.metrics(theirs)[0], lines.metrics(theirs)[1])
        out, other = io.StringIO(), io.StringIO()
        conlleval.report(ours, out)
        lines.report(theirs, other)
        assert out.getvalue() == other.getvalue()


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_sentences_are_not_joined(kind, capsys):
    key, response = [["B-PER", "I-PER"], ["I-PER", "O"]], [["B-PER", "I-PER"], ["B-PER", "O"]]
    assert conlleval.evaluate(kind(key), kind(response)) == (100.0, 100.0, 100.0)  # I begins a chunk after O
    assert capsys.readouterr().out.startswith("processed 4 tokens with 2 phrases; found: 2 phrases; correct: 2.\n")
    joined = [tag for tags in key for tag in tags], [tag for tags in response for tag in tags]
    assert conlleval.evaluate(*map(kind, joined), verbose=False) == (0.0, 0.0, 0.0)  # 1 chunk of three words; 2 chunks


def test_mistakes_are_named():
    with pytest.raises(MismatchError, match="found 2 tags in pred_seqs; expected 3, as in true_seqs"):
        conlleval.evaluate(["O", "O", "O"], ["O", "O"])
    with pytest.raises(MismatchError, match=r"found \[2, 1\] tags in pred_seqs; expected \[1, 2\]"):
        conlleval.evaluate([["O"], ["O", "O"]], [["O", "O"], ["O"]])
    with pytest.raises(OptionError, match="found the tag 3; expected names of tags, as B-PER: map ids to names"):
        conlleval.evaluate([3, 0], [3, 0])
    with pytest.raises(FormatError, match="found the tag 'PER'; expected O, or a prefix and a category"):
        conlleval.evaluate(["PER"], ["PER"])
    with pytest.raises(FormatError, match="found no chunk in the key"):
        conlleval.evaluate(["O"], ["O"])
    with pytest.raises(FormatError, match="<lines>:2: found 2 columns; expected 3, as in the lines before"):
        conlleval.evaluate(["a O O", "a O"])
    with pytest.raises(FormatError, match="<lines>:1: found 2 columns; expected three or more"):
        conlleval.evaluate(["a O"])
