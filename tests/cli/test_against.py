"""`score --against`: a build fails if a run is worse than the counts of another one, which were stored."""

import pytest

import referee
from referee.cli.main import main
from tests.support.paths import EXAMPLES

pytest.importorskip("pyarrow", reason="the extra referee[parquet] is not installed")

KEY, GOOD, BAD = (str(EXAMPLES / name) for name in ("key.conll", "second.jsonlines", "response.conll"))


@pytest.fixture
def last(tmp_path):
    path = tmp_path / "last.counts.parquet"
    referee.write_counts(referee.score(KEY, GOOD), path)
    return str(path)


def test_the_report_is_that_of_compare(last, capsys):
    assert main(["score", KEY, BAD, "--against", last, "--report", "json"]) == 0
    found = capsys.readouterr().out
    assert main(["compare", KEY, GOOD, BAD, "--names", "last.counts,response", "--report", "json"]) == 0
    assert found == capsys.readouterr().out


@pytest.mark.parametrize(
    ("run", "options", "status"),
    [
        (BAD, ["--fail-if-worse", "lea", "--tolerance", "1"], 1),
        (BAD, ["--fail-if-worse", "--tolerance", "1", "-q"], 1),
        (BAD, ["--fail-if-worse", "lea", "--tolerance", "1", "-q"], 1),
        (GOOD, ["--fail-if-worse", "lea", "--tolerance", "1"], 0),
        (BAD, [], 0),
        (GOOD, ["--fail-under", "lea=99"], 1),
        (BAD, ["--fail-if-worse", "lea"], 2),  # no difference can be significant with two documents
        (BAD, ["--fail-if-worse", "ari", "--tolerance", "1"], 2),
        (GOOD, ["--singletons", "drop"], 2),
        (GOOD, ["--tolerance", "1"], 2),
    ],
)
def test_the_exit_status_says_whether_it_is_worse(last, run, options, status, capsys):
    assert main(["score", KEY, run, "--against", last, *options]) == status
    shown = capsys.readouterr()
    if status == 1 and "--fail-if-worse" in options:
        assert "is worse than that of last.counts: −" in shown.err
    if "-q" in options:
        assert len(shown.out.splitlines()) == 1


def test_one_number_is_printed_and_the_counts_of_all_metrics_written(tmp_path, capsys):
    new = str(tmp_path / "new.counts.parquet")
    assert main(["score", KEY, GOOD, "-q", "--counts", new]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert list(referee.read_counts(new)) == list(referee.score(KEY, GOOD))


def test_counts_may_be_compared_and_written_at_once(last, tmp_path, capsys):
    new = str(tmp_path / "new.counts.parquet")
    assert main(["score", KEY, BAD, "--against", last, "--counts", new, "--fail-if-worse", "lea", "--tolerance", "1"]) == 1
    assert main(["score", new, "--against", last, "-m", "lea", "--fail-if-worse", "lea", "--tolerance", "1"]) == 1
    assert referee.read_counts(new) == referee.score(KEY, BAD)
    before = referee.read_counts(last)
    assert main(["score", KEY, BAD, "--against", last, "--counts", last]) == 2
    assert "would overwrite" in capsys.readouterr().err
    assert referee.read_counts(last) == before


def test_a_run_of_the_same_name_is_another_system(tmp_path, capsys):
    path = str(tmp_path / "response.parquet")
    referee.write_counts(referee.score(KEY, GOOD), path)
    assert main(["score", KEY, BAD, "--against", path, "-m", "conll", "--report", "csv"]) == 0
    assert {row.split(",")[2] for row in capsys.readouterr().out.splitlines()[1:]} == {path, "response"}


def test_worse_than_nothing_is_refused(capsys):
    assert main(["score", KEY, BAD, "--fail-if-worse", "lea"]) == 2
    assert "expected --against FILE" in capsys.readouterr().err
