"""`referee as scorer.pl` prints what scorer.pl v8.01 prints, and its callers understand it."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from referee.basics.exceptions import UnknownNameError
from referee.cli.main import main
from referee.compat.programs import PROGRAMS
from referee.compat.programs.scorer_pl import run
from tests.support.conll_pairs import write_pair
from tests.support.paths import SHARED
from tests.support.programs import Case, ours, real, scorer_pl, stored

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
DATA = SHARED / "conformance" / "reference-tests"
PERCENT = re.compile(r"(?<= )[0-9.]+(?=%)")


def same(here, theirs):
    """Check that the texts are the same, and count lines that differ.

    The path of the program differs, and a percentage by 0.01 where the sum of the program is a little less than the number that
    it prints.
    """
    lines, others = here.split("\n")[1:], theirs.split("\n")[1:]
    assert [PERCENT.sub("", line) for line in lines] == [PERCENT.sub("", line) for line in others]
    percentages = zip(PERCENT.findall(here), PERCENT.findall(theirs), strict=True)
    assert all(abs(float(a) - float(b)) < 0.0101 for a, b in percentages)
    return sum(a != b for a, b in zip(lines, others, strict=True))


@pytest.mark.parametrize("number", range(40))
def test_prints_what_the_program_printed(number, tmp_path, monkeypatch):
    case = stored("scorer.pl")[number]
    assert same(_in_order(ours("scorer.pl", case, tmp_path, monkeypatch)), _in_order(case.printed)) <= 2


def _in_order(text):
    """Lines about repeated mentions in order: those of several documents are printed in the order of a Perl hash."""
    first, *lines = text.split("\n")
    return "\n".join([first, *(sorted(lines) if "Repeated mention" in text else lines)])


@pytest.mark.slow
def test_prints_what_the_program_prints_for_random_pairs(tmp_path, monkeypatch):
    different = 0
    for seed in range(1000, 1200):
        case = scorer_pl(seed)
        found = ours("scorer.pl", case, tmp_path, monkeypatch)
        different += same(_in_order(found), _in_order(real("scorer.pl", case, tmp_path))) > 0
    assert different <= 4


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the conformance kit, ../shared/conformance")
@pytest.mark.parametrize("response", sorted(path.name for path in DATA.glob("*.response")))
@pytest.mark.parametrize("name", [[], ["none"]], ids=["listing", "none"])
def test_prints_what_the_program_prints_for_its_own_tests(response, name, tmp_path, monkeypatch):
    key = re.sub(r"-\d+\.response", ".key", response)
    files = {file: (DATA / file).read_text() for file in (key, response)}
    case = Case(["all", key, response, *name], files)
    assert same(ours("scorer.pl", case, tmp_path, monkeypatch), real("scorer.pl", case, tmp_path)) == 0


E2E = r".*Coreference: Recall: \([0-9.]+ / [0-9.]+\) ([0-9.]+)%\tPrecision: \([0-9.]+ / [0-9.]+\) ([0-9.]+)%\tF1: ([0-9.]+)%.*"


def test_the_callers_that_are_known_understand_it(tmp_path):
    key, _ = write_pair(13, tmp_path)
    out = run(["muc", key, key, "none"]).text
    assert re.match(E2E, out, re.DOTALL).groups() == ("100", "100", "100")
    assert re.search(r"F1:\s*([0-9.]+)%", out.splitlines()[-2])  # wl-coref
    assert re.search(r"F1: ([0-9.]+)%", out.split("\n")[-3])  # BookNLP
    assert re.findall("Coreference: Recall: [^\n]+F1: [^\n]+", out)  # xrenner
    blanc = run(["blanc", key, key, "none"]).text
    assert "BLANC: Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%" in blanc


@pytest.mark.parametrize("shell", [[], ["--shell"]], ids=["perl", "sh"])
def test_a_shim_takes_the_place_of_the_program(shell, tmp_path, installed):
    shim = tmp_path / "scorer.pl"
    assert main(["as", "--write-shim", *shell, "scorer.pl", str(shim)]) == 0
    key, response = write_pair(7, tmp_path)
    arguments = ["ceafe", key, response, "none"]
    for command in ([str(shim)], ["sh" if shell else "perl", str(shim)]):
        found = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True, env=installed)
        assert found.stdout == run(arguments).text


@pytest.mark.parametrize("python", [sys.executable, '/nowhere/it\'s \\ "a" $b{c}'], ids=["there", "gone"])
@pytest.mark.parametrize(("file", "start"), [("x.pl", "perl"), ("x.sh", "sh"), ("x.py", sys.executable)])
def test_a_shim_needs_no_path(python, file, start, tmp_path, monkeypatch):
    key, response = write_pair(7, tmp_path)
    arguments = ["ceafe", key, response, "none"]
    monkeypatch.setattr("sys.executable", python)
    assert main(["as", "--write-shim", *(["--shell"] if start == "sh" else []), "scorer.pl", str(tmp_path / file)]) == 0
    monkeypatch.undo()
    command = [shutil.which(start) or start, str(tmp_path / file), *arguments]
    environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "PATH": "/nowhere"}
    found = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if python == sys.executable:
        assert (found.returncode, found.stdout) == (0, run(arguments).text)
    else:
        again = "which had referee; write this file again: referee as --write-shim scorer.pl FILE"
        assert (found.returncode, found.stdout, found.stderr) == (2, "", f"scorer.pl: found no {python}, {again}\n")


def test_a_shim_for_windows_names_the_python(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", r"C:\100%\python.exe")
    assert main(["as", "--write-shim", "scorer.pl", str(tmp_path / "x.bat")]) == 0
    *_, last = (tmp_path / "x.bat").read_bytes().split(b"\r\n@")
    assert last == b'"C:\\100%%\\python.exe" -m referee as scorer.pl %*\r\n'


@pytest.mark.parametrize(("file", "start"), [("x.pl", "perl"), ("x.sh", "sh"), ("x.py", sys.executable)])
def test_a_shim_whose_python_is_gone_starts_the_command(file, start, tmp_path, monkeypatch, installed):
    key, response = write_pair(7, tmp_path)
    arguments = ["ceafe", key, response, "none"]
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert main(["as", "--write-shim", *(["--shell"] if start == "sh" else []), "scorer.pl", str(tmp_path / file)]) == 0
    monkeypatch.undo()
    command = [start, str(tmp_path / file), *arguments]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=installed)
    assert (found.stdout, found.stderr) == (run(arguments).text, "")


def test_a_shim_in_python_that_is_imported_has_the_functions(tmp_path):
    assert main(["as", "--write-shim", "conlleval", str(tmp_path / "conlleval.py")]) == 0
    code = {
        "import conlleval; print('still here')": "still here\n",
        "from conlleval import evaluate; print(evaluate(['B-X', 'O'], ['B-X', 'B-X'], verbose=False))": "(50.0, 100.0, 66.66",
        "from conlleval import *; print(evaluate(['B-X'], ['B-X'], verbose=False))": "(100.0, 100.0, 100.0)\n",
    }
    for line, printed in code.items():
        command = [sys.executable, "-c", line]
        found = subprocess.run(command, cwd=tmp_path, input="a B-X B-X\n", capture_output=True, text=True, check=False)
        assert (found.returncode, found.stderr) == (0, "")
        assert found.stdout.startswith(printed)
    without = "import sys; sys.modules['referee'] = None; import conlleval; conlleval.evaluate"
    found = subprocess.run([sys.executable, "-c", without], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.stderr.splitlines()[-1].startswith("ImportError: conlleval: this Python has no referee; start it with ")


def test_more_than_ten_repeated_mentions_are_refused(tmp_path):
    line = "d\t0\t{}\tw\t-\t(0)|(1)\n"
    text = "#begin document d\n" + "".join(line.format(n) for n in range(12)) + "#end document\n"
    path = tmp_path / "repeated.conll"
    path.write_text(text)
    refused = run(["muc", str(path), str(path), "none"])
    assert refused.status == 1
    assert refused.errors.startswith("Found too many repeated mentions (> 10) in the response, so refusing to score.")
    assert refused.text.count("Repeated mention in the response") == 11
    assert "TOTALS" not in refused.text
    assert "TOTALS" in run(["--no-refuse", "muc", str(path), str(path), "none"]).text


def test_none_has_the_lines_of_discontinuous_mentions_with_one_span_too(tmp_path):
    path = tmp_path / "parts.conllu"
    cells = ("(e1[1/2]-x-1-)(e2[1/2]-x-1-", "e2[1/2])", "(e1[2/2]-x-1-)(e2[2/2]-x-1-)")
    rows = "".join(f"{n}\tw\t_\t_\t_\t_\t0\troot\t_\tEntity={cell}\n" for n, cell in enumerate(cells, start=1))
    path.write_text(f"# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n{rows}\n")
    listed, totals = (
        [line for line in run(["muc", str(path), str(path), *name]).text.splitlines() if "Repeated" in line]
        for name in ([], ["none"])
    )
    assert len(listed) == 2
    assert totals == listed


def test_too_few_arguments_show_the_usage_and_a_wrong_metric_is_named():
    assert "\nuse: scorer.pl <metric> <keys_file> <response_file> [name]\n" in run([]).text
    assert run(["lea", "key", "response"]).text.endswith("\nInvalid metric\n")
    assert run(["mucx", "key", "response"]).status == 255


def test_note_shows_the_signature_on_standard_error(tmp_path, capsys):
    key, response = write_pair(7, tmp_path)
    assert main(["as", "--note", "scorer.pl", "muc", key, response, "none"]) == 0
    out, err = capsys.readouterr()
    assert out == run(["muc", key, response, "none"]).text
    assert "profile:conll-8.01" in err
    assert main(["as", "scorer.pl", "muc", key, response, "none", "--note"]) == 0
    assert capsys.readouterr() == (out, err)


def test_unknown_programs_and_documents_are_named(tmp_path):
    with pytest.raises(UnknownNameError, match=r"no program named 'scorer'"):
        PROGRAMS.load("scorer")
    key, response = write_pair(7, tmp_path)
    with pytest.raises(UnknownNameError, match=r"no document named 'x'"):
        run(["muc", key, response, "x"])
