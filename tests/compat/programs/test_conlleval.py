"""`referee as conlleval` prints what the Perl script prints, and with --python what conlleval.py prints."""

import pytest

from referee.basics.exceptions import FormatError, OptionError
from tests.support.programs import REAL, Case, ours, real, stored

PROGRAMS = ("conlleval", "conlleval --python")


@pytest.mark.parametrize("program", PROGRAMS)
def test_prints_what_the_program_printed(program, tmp_path, monkeypatch):
    for case in stored(program):
        assert ours(program, case, tmp_path, monkeypatch) == case.printed


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_prints_what_the_program_prints_for_random_tags(program, tmp_path, monkeypatch):
    for seed in range(1000, 1200):
        case = REAL[program][1](seed)
        assert ours(program, case, tmp_path, monkeypatch) == real(program, case, tmp_path), seed


ODD = [
    "w B B\nw I I\n\nw B-0 B-0\n",
    "-X- O O\nw B-NP B-NP\n-X- O O\nw I-NP I-NP\n",
    "w .-NP .-NP\nw . B-NP\n",
    "B-NP B-NP\n\nO O\n",
    "w B-Größe B-Größe\n",
    "w B-NP B-NP\nw w B-NP B-NP\n",
    "\n",
    "",
]


@pytest.mark.parametrize("text", ODD)
def test_odd_tags_are_those_of_the_script(text, tmp_path, monkeypatch):
    case = Case([], {}, text)
    assert ours("conlleval", case, tmp_path, monkeypatch) == real("conlleval", case, tmp_path)


def test_wrong_options_and_tags_are_named(tmp_path, monkeypatch):
    with pytest.raises(OptionError, match="conlleval: unrecognized arguments: -x"):
        ours("conlleval", Case(["-x"], {}), tmp_path, monkeypatch)
    with pytest.raises(FormatError, match="found the tag 'NP'"):
        ours("conlleval --python", Case([], {}, "w NP NP\n"), tmp_path, monkeypatch)
    with pytest.raises(FormatError, match="found no chunk in the key"):
        ours("conlleval --python", Case([], {}, "w O O\n"), tmp_path, monkeypatch)
