"""Tuning and ablation: the same answer however it is computed, and never a worse one."""

import json

import pytest

import referee
from referee.basics.exceptions import FormatError, OptionError, UnknownNameError
from referee.resolver.bench import Objective
from referee.resolver.files import text_of
from referee.resolver.rules import FIRST_GUESS, GRID
from referee.resolver.tuning import best_so_far, tune
from referee.stats.settings import Resampling
from tests.resolver.test_models import TRAIN
from tests.support.command import referee as command
from tests.support.paths import EXAMPLES

FEW = {"folds": 2, "sweeps": 1, "objective": "lea", "quantifier": "any", "resampling": Resampling(resamples=100)}


@pytest.fixture(autouse=True)
def small_grid(monkeypatch):
    for name, grid in GRID.items():
        if name != "kappa":  # which is checked against its grid
            monkeypatch.setitem(GRID, name, {"head": (0.3, 0.9), "person_clash": (0.0, 1.0)}.get(name, grid[:1]))


@pytest.fixture
def train(tmp_path):
    path = tmp_path / "train.conllu"
    path.write_text(TRAIN + TRAIN.replace("one", "three").replace("two", "four"))
    return path


def test_tuning_does_not_make_the_score_worse_and_tells_the_held_out_gain(train):
    found = tune(train, **FEW)
    assert found.tuned >= found.untuned
    assert found.heldout.systems == ("untuned", "tuned")
    assert "lea" in found.heldout.metrics
    assert found.model.options["tuned for"] == "lea"


def test_jobs_and_journals_do_not_matter(train, tmp_path):
    journal = tmp_path / "journal"
    plain = text_of(tune(train, **FEW).model)
    assert text_of(tune(train, **FEW, journal=journal).model) == plain
    lines = journal.read_text().splitlines()
    assert text_of(tune(train, **FEW, journal=journal).model) == plain
    assert journal.read_text().splitlines() == lines  # nothing was computed again
    journal.write_text("\n".join(lines[: len(lines) // 2]) + '\n{"fold": 0, "numb')
    assert text_of(tune(train, **FEW, journal=journal).model) == plain
    assert sorted(journal.read_text().splitlines()) == sorted(lines)
    assert text_of(tune(train, **FEW, journal=tmp_path / "two", jobs=2).model) == plain
    assert sorted((tmp_path / "two").read_text().splitlines()) == sorted(lines)


def test_values_are_scored_side_by_side_without_folds(train, tmp_path):
    few = {**FEW, "folds": 0}
    plain = text_of(tune(train, **few, journal=tmp_path / "one").model)
    assert text_of(tune(train, **few, journal=tmp_path / "two", jobs=2).model) == plain
    assert (tmp_path / "two").read_text() == (tmp_path / "one").read_text()


def test_a_journal_of_other_options_is_refused(train, tmp_path):
    tune(train, **FEW, journal=tmp_path / "journal")
    with pytest.raises(FormatError, match="journal of other documents or options"):
        tune(train, **{**FEW, "objective": "muc"}, journal=tmp_path / "journal")


def test_the_best_so_far_is_that_of_the_journal(train, tmp_path):
    found = tune(train, **FEW, journal=tmp_path / "journal")
    best = best_so_far(tmp_path / "journal", FIRST_GUESS)
    assert max(
        e["all"] or 0 for e in map(json.loads, (tmp_path / "journal").read_text().splitlines()[1:]) if e["fold"] == -1
    ) == (pytest.approx(found.tuned))
    assert best.keys() == GRID.keys()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"folds": 5}, OptionError, "found 4 documents; expected at least 5, one a fold"),
        ({"documents": 9}, OptionError, "found 4 documents; expected at least 9"),
        ({"model": "tables"}, OptionError, "is no rules"),
        ({"objective": "mucc"}, UnknownNameError, "no metric named 'mucc'"),
        ({"objective": "muc.f"}, UnknownNameError, "no side named 'f'"),
        ({"sweeps": 0}, OptionError, "at least one sweep"),
    ],
)
def test_what_cannot_be_tuned_is_refused(train, options, error, message):
    with pytest.raises(error, match=message):
        tune(train, **{**FEW, **options})


def test_an_undefined_objective_is_0_without_a_warning():
    nothing = referee.read(EXAMPLES / "story.conllu").select_documents([])
    assert Objective("muc.recall").score(nothing, nothing) == 0


def test_ablation_leaves_out_each_rule_and_each_table(train):
    rules = referee.resolver.ablate(train, "rules")
    assert rules.baseline == "full"
    assert {"no exact", "no person_clash", "no activation", "memory 5", "quantifier mean"} <= set(rules.systems)
    values = [rules[name, "conll"].score.value for name in rules.systems[1:]]
    assert values == sorted(values)
    tables = referee.resolver.ablate(train, "tables", metrics="lea")
    assert {"no string", "no pronouns", "quantifier mean"} <= set(tables.systems)


@pytest.mark.filterwarnings("ignore:.*between mentions; expected 100 or more")
def test_tables_are_fitted_again_without_each(train, tmp_path):
    model = referee.resolver.fit(train, tables=["string", "typerole"], output=tmp_path / "m.json")
    found = referee.resolver.ablate(train, model, refit=train, metrics="lea")
    assert {"no string", "no typerole"} <= set(found.systems)
    with pytest.raises(OptionError, match="rules are not fitted"):
        referee.resolver.ablate(train, "rules", refit=train)


def test_the_command_tunes_and_ablates(train, tmp_path):
    done = command("resolve", "tune", train, "--folds", 2, "--sweeps", 1, "-o", tmp_path / "r.toml")
    assert done.status == 0
    assert done.out.splitlines()[1].startswith("system ")
    assert "untuned" in done.out
    assert referee.resolver.load(tmp_path / "r.toml").kind == "rules"
    ablated = command("resolve", "ablate", train, "--model", tmp_path / "r.toml", "--report", "csv", "-m", "conll")
    assert (ablated.status, ablated.err) == (0, "")
    assert "no exact" in ablated.out
    assert "expected one, beside which" in command("resolve", "tune", train, "-o", "-").err


def test_a_journal_that_is_damaged_or_none_is_an_error(train, tmp_path):
    few = {**FEW, "folds": 0}
    journal = tmp_path / "journal"
    tune(train, **few, journal=journal)
    first, *rest = journal.read_text().splitlines()
    journal.write_text("\n".join([first, "[1]", *rest]) + "\n")
    with pytest.raises(FormatError, match=r"journal:2: is damaged; expected a line of a journal"):
        tune(train, **few, journal=journal)
    journal.write_text("notes\nof another kind")
    with pytest.raises(FormatError, match=r"journal:1: is the journal of other documents"):
        tune(train, **few, journal=journal)
    assert journal.read_text() == "notes\nof another kind"
    with pytest.raises(OptionError, match=r"cannot write .*: is a directory"):
        tune(train, **few, journal=tmp_path)
