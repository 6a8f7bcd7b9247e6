"""`referee as ua-scorer` and `ua-scorer-1` print what the two versions of the Universal Anaphora scorer print."""

from importlib.util import find_spec

import pytest

from referee import score
from referee.basics.exceptions import OptionError
from referee.compat.programs import ua_scorer, ua_scorer_1, universal_anaphora
from referee.scoring.other_scorers import ua_layers as layers
from tests.support.programs import REAL, Case, ours, real, stored, ua
from tests.support.ua_pairs import Kind, ua_pair

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
PROGRAMS = ("ua-scorer", "ua-scorer-1")


@pytest.mark.parametrize("program", PROGRAMS)
def test_prints_what_the_program_printed(program, tmp_path, monkeypatch):
    for case in stored(program):
        assert ours(program, case, tmp_path, monkeypatch) == case.printed, case.arguments


@pytest.mark.slow
@pytest.mark.skipif(not (find_spec("scipy") and find_spec("udapi")), reason="the programs need SciPy and udapi")
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("program", PROGRAMS)
def test_prints_what_the_program_prints_for_random_pairs(program, tmp_path, monkeypatch):
    for seed in range(1000, 1200):
        case = REAL[program][1](seed)
        assert ours(program, case, tmp_path, monkeypatch) == real(program, case, tmp_path), seed


TASKS = {
    "conll12": ["-f", "conll"],
    "crac18": ["-s", "-m", "muc", "bcub", "ceafe", "non-referring"],
    "craft19": ["-s", "-a", "partial-craft"],
    "codicrac22ar": ["-s", "-l"],
    "codicrac22br": ["-s", "-m", "bridging"],
    "codicrac22dd": ["-d"],
}


@pytest.mark.parametrize("task", TASKS)
def test_a_shared_task_stands_for_its_options(task, tmp_path, monkeypatch):
    case = REAL["coval"][1](2) if task == "conll12" else ua(3)
    by_task, by_options = (
        ours("ua-scorer", Case([*case.files, *options], case.files), tmp_path, monkeypatch)
        for options in (["-t", task], TASKS[task])
    )
    assert by_task == by_options


def test_the_corefud_scorer_is_the_same_program(tmp_path, monkeypatch):
    case = REAL["corefud-scorer"][1](0)
    printed = ours("corefud-scorer", Case([*case.files, "-a", "head"], case.files), tmp_path, monkeypatch)
    options = ["-f", "corefud", "-a", "head", "-z", "--zero-match-method", "dependent", "-m", "all"]
    assert ours("ua-scorer", Case([*case.files, *options], case.files), tmp_path, monkeypatch) == printed


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["-f", "conll", "--np-only"], "np_only, which is not possible for the format conll"),
        (["-f", "corefud", "-d"], "evaluate_discourse_deixis, which is not possible for the format corefud"),
        (["-m", "zero"], "zero, which is not possible for the format ua"),
        (["-a", "head"], "head, which is not possible"),
        (["-z", "--zero-match-method", "dependent"], "dependent, which is not possible"),
        (["-m", "mor"], "invalid choice: 'mor'"),
    ],
)
def test_what_is_not_possible_is_named(options, wrong):
    with pytest.raises(OptionError, match=wrong):
        ua_scorer.run(["key", "response", *options])


def test_split_antecedents_need_singletons(tmp_path, monkeypatch):
    files = ua_pair(3, 3, Kind(split=True))
    for program, option in (("ua-scorer", "-l"), ("ua-scorer-1", "remove_singletons")):
        with pytest.raises(OptionError, match="found split antecedents; expected to keep singletons, too"):
            ours(program, Case([*files, option], files), tmp_path, monkeypatch)


def test_version_1_needs_two_files():
    with pytest.raises(OptionError, match="ua-scorer-1: found 1 arguments"):
        ua_scorer_1.run(["key"])


@pytest.mark.parametrize("match", ["exact", "min", "craft"])
@pytest.mark.parametrize("singletons", ["keep", "drop-annotated"])
def test_the_profile_counts_as_the_program(match, singletons, tmp_path):
    metrics = ["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", *layers.AS_PROGRAM]
    by_name = {ours: theirs for theirs, ours in universal_anaphora.METRICS.items()}
    matches = {ours: theirs for theirs, ours in universal_anaphora.MATCH["ua"].items()}
    names = (*(by_name[name] for name in metrics[:6]), *layers.LAYERS)
    settings = universal_anaphora.UaSettings(names, "ua", matches[match], singletons == "keep")
    for seed in (5, 11, 25, 49, 57, 83):
        paths = []
        for name, text in ua_pair(seed, 1 + seed % 3, Kind(discontinuous=True, minimum=match == "min")).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
            paths.append(str(tmp_path / name))
        corpora = [universal_anaphora.annotation(path, "key", settings) for path in paths]
        expected = universal_anaphora.evaluated(*corpora, settings, universal_anaphora.OWN)
        found = score(*corpora, metrics=metrics, profile="ua-2.0", match=match, singletons=singletons)
        for name in metrics:
            assert found[name] == expected[name], (seed, name)
