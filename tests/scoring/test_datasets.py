"""Datasets: the files of a key, or its folders, each scored on its own, and the mean over them."""

import csv
import io
import json
import re
from fractions import Fraction
from itertools import product

import pytest

import referee
from referee import MismatchError, OptionError
from tests.support import crac
from tests.support.command import told
from tests.support.corefud_kit import needed
from tests.support.warned import silenced

A = {"doc_key": "1", "sentences": [list("abcdefgh")], "clusters": [[[0, 0], [1, 1], [2, 2]], [[4, 4], [5, 5]]]}
SPLIT = [[[0, 0], [1, 1]], [[2, 2], [3, 3]], [[4, 4], [5, 5]]]
"""MUC: of the key 2 of 3 links, and 2 of 3 of its own."""


def task(path, **systems):
    """Write a key of three files whose documents have one name, and systems: file -> clusters."""
    for system, files in {"key": dict.fromkeys(("x", "y", "z"), A["clusters"]), **systems}.items():
        for name, clusters in files.items():
            target = path / system / f"{name}.jsonlines"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps({**A, "clusters": clusters}) + "\n")
    return [path / name for name in ("key", *systems)]


@pytest.fixture
def systems(tmp_path):
    """All right; one file as `SPLIT`; without one file."""
    right = dict.fromkeys(("x", "y", "z"), A["clusters"])
    return task(tmp_path, right=right, split={**right, "y": SPLIT}, lacking={"x": A["clusters"], "z": SPLIT})


def test_the_mean_is_over_files_and_a_file_that_a_system_lacks_counts_as_0(systems):
    key, *responses = systems
    with silenced():
        compared = referee.compare(key, *responses, by="file", metrics="muc")
        scores = [referee.score(key, response, metrics="muc") for response in responses]
    assert [part.name for part in compared.parts] == ["x", "y", "z", "micro", "macro"]
    want = {"right": Fraction(1), "split": Fraction(8, 9), "lacking": Fraction(1, 3) * (1 + Fraction(2, 3))}
    micro = {"right": Fraction(1), "split": Fraction(8, 9), "lacking": 2 * Fraction(5, 9) * Fraction(5, 6) / Fraction(25, 18)}
    for e, name in zip(scores, want, strict=True):
        rows = {row["average"]: row for row in e.to_rows(by="file")}
        assert rows["macro"]["f1"] == compared.parts[-1].cells[name]["muc"].score.value == pytest.approx(float(want[name]))
        assert rows["micro"]["f1"] == compared.parts[-2].cells[name]["muc"].score.value == pytest.approx(float(micro[name]))
        assert json.loads(e.report("json", by="file"))["systems"][0]["mean_of_files"]["muc"]["f1"] == rows["macro"]["f1"]
    assert compared.parts[1].cells["lacking"]["muc"].score.value == 0
    note = "lacking lacks 1 of 3 files of the key (y): all their mentions count as missed"
    assert note in compared.notes
    assert note in scores[2].report(by="file")


def test_the_command_has_the_same_rows(systems):
    key, *responses = map(str, systems)
    scored = told("score", key, *responses, "--by", "file", "-m", "muc")
    assert [line[9:34].strip() for line in scored.out.splitlines()[2:7]] == [
        "x", "y", "z", "micro (all documents)", "macro (mean of 3 files)",
    ]  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(told("score", key, *responses, "--by", "file", "-m", "muc", "-r", "csv").out)))
    with silenced():
        again = [row for r in responses for row in referee.score(key, r, metrics="muc").to_rows(by="file")]
    assert [(row["file"], float(row["f1"])) for row in rows] == [(row["file"], row["f1"]) for row in again]
    compared = told("compare", key, *responses, "--by", "file", "-m", "muc")
    assert "macro (mean of 3 files)  lacking" in compared.out
    for metrics, others in (("muc", False), ("muc,b_cubed", True)):
        table = told("compare", key, *responses, "--by", "file", "-m", metrics, "--table", "datasets").out
        assert ("muc alone: -m b_cubed gives the table of another metric" in table) == others
    for done in (scored, compared):
        warning = "referee: warning: lacking lacks 1 of 3 files of the key (y): all their mentions count as missed"
        assert done.errors.count(warning) == 1


def test_limits_and_the_one_number_are_of_the_mean(tmp_path, systems):
    """That of `lacking` is 5/9; all its documents together have 2/3."""
    task_file = tmp_path / "task.toml"
    task_file.write_text('key = "key"\nmetrics = ["muc"]\nby = "file"\n[limits]\nmuc = 60\n')
    by_options = told("score", *systems, "--by", "file", "-m", "muc", "--fail-under", "muc=60", "-q")
    by_task = told("score", "--task", task_file, *systems[1:], "-q")
    for done in (by_options, by_task):
        assert (done.status, done.out.split()) == (1, ["100.00", "88.89", "55.56"])
        assert "lacking: muc (macro) is 55.56, below 60" in done.err
    of_server = told("score", "--task", task_file, systems[-1], "-r", "codalab")
    assert (of_server.status, of_server.out.splitlines()[0]) == (1, "muc: 55.56")
    refused = told("score", *systems, "--by", "document", "-r", "junit")
    assert "--by is for tables; found it with --report junit: expected one of them" in refused.err
    assert told("score", *systems, "--by", "document", "-m", "muc", "-q").out.split() == ["100.00", "88.89", "66.67"]


def test_folders_in_the_key_are_datasets_too(tmp_path):
    files = dict.fromkeys(("en/x", "en/y", "de/x"), A["clusters"])
    for system, clusters in {"key": files, "a": {**files, "de/x": SPLIT}}.items():
        for name, of_file in clusters.items():
            target = tmp_path / system / f"{name}.jsonlines"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps({**A, "doc_key": name, "clusters": of_file}) + "\n")
    rows = referee.score(tmp_path / "key", tmp_path / "a", metrics="muc").to_rows(by="folder")
    assert [(row["folder"], row["f1"]) for row in rows] == [
        ("de", pytest.approx(2 / 3)), ("en", 1), ("all", pytest.approx(8 / 9)), ("all", pytest.approx(5 / 6)),
    ]  # fmt: skip


def test_mistakes(tmp_path, systems):
    key, right, *_ = systems
    with silenced():
        alone = referee.score(key / "x.jsonlines", right / "x.jsonlines")
        with pytest.raises(OptionError, match=r"--by file is for a key that is a folder of files; found .*x.jsonlines"):
            alone.report(by="file")
        with pytest.raises(OptionError, match=r"--by folder is for a key with folders in it; found none in .*"):
            referee.score(key, right).report(by="folder")
        with pytest.raises(OptionError, match="found --by file with --cross-document"):
            referee.score(key, right, cross_document="corpus").report(by="file")
        more = task(tmp_path / "more", more=dict.fromkeys("xyzw", SPLIT))[1]
        with pytest.raises(MismatchError, match=r"1 document of .*more, first 'w', in no file of .*key; expected --extra-docu"):
            referee.compare(key, more, by="file")
        assert len(referee.compare(key, more, by="file", extra_documents="ignore").parts) == 5
    done = told("score", str(key), str(right), "--by", "genre")
    assert done.status == 2
    assert "no breakdown named 'genre'; expected document, file, folder, prefix" in done.err


@pytest.fixture(scope="module")
def shared_task(tmp_path_factory):
    """The folders of a key and five systems."""
    return crac.write(tmp_path_factory.mktemp("crac"))


@needed
@pytest.mark.parametrize(("match", "singletons"), [("head", "drop-annotated"), ("exact", "drop-annotated"), ("head", "keep")])
def test_five_systems_on_22_datasets_have_the_numbers_of_the_corefud_scorer(match, singletons, shared_task):
    key, *responses = shared_task
    want = crac.expected(match, singletons == "keep")
    with silenced():
        how = {"by": "file", "profile": "corefud-1.2", "match": match, "singletons": singletons, "metrics": "conll"}
        compared = referee.compare(key, *responses, **how, resampling=referee.Resampling(resamples=40))
    assert [part.name for part in compared.parts] == [*want["first"], "micro", "macro"]
    for system, cells in want.items():
        for part in compared.parts[:-2]:
            assert part.cells[system]["conll"].score.value == pytest.approx(cells[part.name], abs=1e-12)
        assert compared[system, "conll"].score.value == pytest.approx(sum(cells.values()) / 22, abs=1e-12)
    assert any(note.startswith("partial lacks 3 of 22 files of the key") for note in compared.notes)


@needed
def test_the_tables_of_crac_have_the_means_of_the_corefud_scorer(shared_task):
    key, *responses = shared_task
    with silenced():
        how = {"by": "file", "profile": "corefud-1.2", "metrics": "conll", "resampling": referee.Resampling(resamples=40)}
        compared = referee.compare(key, *responses, **how)
        rows, latex = compared.to_rows(table="crac"), compared.report("latex", table="datasets")
    zeros = crac.expected(metrics=("zero",))
    columns = {
        "primary": crac.expected(), "partial": crac.expected("partial"), "exact": crac.expected("exact"),
        "singletons": crac.expected(singletons=True),
        "zeros": {s: {name: f for name, f in cells.items() if "zeros" in name} for s, cells in zeros.items()},
    }  # fmt: skip
    means = {name: {s: sum(cells.values()) / len(cells) for s, cells in e.items()} for name, e in columns.items()}
    order = sorted(crac.SYSTEMS, key=lambda system: -means["primary"][system])
    assert [(row["system"], row["rank"]) for row in rows] == [(system, n) for n, system in enumerate(order, start=1)]
    for row in rows:
        assert [row[name] for name in means] == pytest.approx([means[name][row["system"]] for name in means], abs=1e-12)
    assert latex.count("\\begin{tabular}") == 1
    printed = [line.split(" & ") for line in latex.splitlines() if line.split(" & ")[0] in crac.SYSTEMS]
    for system, rank, mean, *cells in printed:
        shown = [float(re.search(r"\d+\.\d\d", cell)[0]) for cell in (mean, *cells)]
        want = [means["primary"][system], *columns["primary"][system].values()]
        assert int(rank) == order.index(system) + 1
        assert shown == pytest.approx([100 * value for value in want], abs=0.00501)
    best = {system: [r"\textbf" in cell for cell in row] for system, *row in printed}
    for n, dataset in enumerate(columns["primary"]["first"]):
        top = max(columns["primary"][system][dataset] for system in order)
        assert {s for s in order if best[s][n + 2]} == {s for s in order if columns["primary"][s][dataset] > top - 1e-12}


COUNTS = {
    "x": [((3, 4, 4), (2, 4, 3)), ((1, 5, 2), (3, 5, 4)), ((2, 2, 3), (1, 2, 2))],
    "y": [((4, 6, 5), (1, 6, 4)), ((2, 3, 3), (1, 3, 1)), ((3, 7, 4), (2, 7, 6))],
}
"""Dataset -> documents -> of each of two systems: links that are right, of the key, of the response."""


def mean_f(documents):
    """The mean over datasets of F1 = 2 right / (key + response), from the counts of each one's documents."""
    sums = [[sum(column) for column in zip(*counts, strict=True)] for counts in documents]
    return sum(Fraction(2 * right, key + response) for right, key, response in sums) / len(sums)


def test_the_interval_and_the_test_of_the_mean_are_those_of_all_resamples_and_all_exchanges(tmp_path):
    def entities(right, key, response):
        """Chains with so many links, the right ones in common."""
        of_key = [list(range(key + 1))]
        of_response = [[*range(right + 1)], [100 + n for n in range(response - right + 1)]]
        return [[[n, n] for n in entity] for entity in of_key], [[[n, n] for n in entity] for entity in of_response]

    for dataset, documents in COUNTS.items():
        for n, of_systems in enumerate(documents):
            sides = {"key": entities(*of_systems[0])[0]} | {s: entities(*of_systems[k])[1] for k, s in enumerate("ab")}
            for side, clusters in sides.items():
                (tmp_path / side).mkdir(exist_ok=True)
                with (tmp_path / side / f"{dataset}.jsonlines").open("a") as file:
                    line = {"doc_key": f"{dataset}{n}", "sentences": [["w"] * 200], "clusters": clusters}
                    file.write(json.dumps(line) + "\n")
    with silenced():
        compared = referee.compare(*(tmp_path / side for side in ("key", "a", "b")), by="file", metrics="muc")
    cells = [compared[system, "muc"] for system in "ab"]
    own = {s: [[of_systems[k] for of_systems in documents] for documents in COUNTS.values()] for k, s in enumerate("ab")}
    assert [cell.score.value for cell in cells] == pytest.approx([float(mean_f(own[s])) for s in "ab"], abs=1e-12)

    places = list(product(range(3), repeat=3))
    for cell, system in zip(cells, "ab", strict=True):
        drawn = sorted(
            float(mean_f([[documents[n] for n in chosen] for documents, chosen in zip(own[system], both, strict=True)]))
            for both in product(places, repeat=2)
        )
        low, high = cell.intervals["value"][:2]
        assert drawn[int(0.02 * len(drawn))] - 1e-9 <= low <= drawn[int(0.03 * len(drawn))] + 1e-9
        assert drawn[int(0.97 * len(drawn))] - 1e-9 <= high <= drawn[int(0.98 * len(drawn))] + 1e-9

    observed, exchanges = abs(mean_f(own["b"]) - mean_f(own["a"])), []
    for tosses in product((0, 1), repeat=6):
        sides = [
            [[of_systems[k ^ toss] for of_systems, toss in zip(documents, tosses[3 * n :], strict=False)]
             for n, documents in enumerate(COUNTS.values())]
            for k in (0, 1)
        ]  # fmt: skip
        exchanges.append(abs(mean_f(sides[1]) - mean_f(sides[0])) >= observed)
    exact = sum(exchanges) / len(exchanges)
    assert cells[1].difference.randomization == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 10_000) ** 0.5)
