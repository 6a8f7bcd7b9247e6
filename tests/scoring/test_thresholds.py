"""Pairs with probabilities at thresholds: what `score` says of the pairs above each, and pairs counted one by one."""

from __future__ import annotations

import math
import random
from itertools import combinations
from pathlib import Path

import pytest

import referee
from referee.exceptions import FormatError, MismatchError, OptionError
from referee.scoring.thresholds import thresholds
from tests.support.command import draws
from tests.support.command import referee as run

LIMITS = [0.0, 0.2, 0.5, 0.8, 1.0]
METRICS = "muc,b_cubed,ceaf_e,lea,links,exact,exclusive_core_mr,v_measure"

Given = list[tuple[str, str, float]]


def drawn(seed: int) -> tuple[dict[str, set[str]], Given]:
    chance = random.Random(seed)
    names = [f"r{n}" for n in range(chance.randint(2, 14))]
    key: dict[str, set[str]] = {}
    for name in names[: chance.randint(1, len(names))]:
        key.setdefault(chance.choice("abcd"), set()).add(name)
    pairs = [tuple(chance.choices(names, k=2)) for _ in range(chance.randint(1, 20))]
    return key, [(a, b, chance.choice([0.0, 0.1, 0.2, 0.5, 0.79, 0.8, 1.0])) for a, b in pairs]


def written(path: Path, given: Given) -> Path:
    path.write_text("unique_id_l,unique_id_r,match_probability\n" + "".join(f"{a},{b},{p}\n" for a, b, p in given))
    return path


@pytest.mark.parametrize("seed", range(40))
def test_each_threshold_is_the_score_of_the_pairs_above_it(seed: int, tmp_path: Path) -> None:
    key, given = drawn(seed)
    found = thresholds(list(key.values()), written(tmp_path / "p.csv", given), thresholds=LIMITS, metrics=METRICS)
    for place, limit in enumerate(LIMITS):
        decided = [(a, b, float(p >= limit)) for a, b, p in given]
        response = referee.read(written(tmp_path / "d.csv", decided), format="pairs")
        expected = referee.score(list(key.values()), response, metrics=METRICS)
        assert {m: repr(found.scores[m][place]) for m in expected} == {m: repr(s) for m, s in expected.items()}
        assert found.entities[place] == len(response.entity_ids)


@pytest.mark.parametrize("seed", range(40))
def test_pairs_as_given_are_counted_one_by_one(seed: int, tmp_path: Path) -> None:
    key, given = drawn(seed)
    found = thresholds(list(key.values()), written(tmp_path / "p.csv", given), thresholds=LIMITS)
    true = {frozenset(pair) for entity in key.values() for pair in combinations(entity, 2)}
    for place, limit in enumerate(LIMITS):
        above = {frozenset((a, b)) for a, b, p in given if p >= limit and a != b}
        score = found.scores["pairs"][place]
        assert found.pairs[place] == len(above)
        for share, of in ((score.recall, true), (score.precision, above)):
            assert share is not None
            assert share == len(above & true) / len(of) if of else math.isnan(share)


def test_the_same_from_parquet_and_from_the_command(tmp_path: Path) -> None:
    csv = pytest.importorskip("pyarrow.csv")
    key, given = drawn(3)
    path = written(tmp_path / "p.csv", given)
    keys = tmp_path / "k.csv"
    keys.write_text("item,entity\n" + "".join(f"{item},{e}\n" for e, items in key.items() for item in items))
    found = thresholds(keys, path, thresholds=[0.25, 0.5])
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(csv.read_csv(path), tmp_path / "p.parquet")
    assert thresholds(keys, tmp_path / "p.parquet", thresholds=[0.25, 0.5]).to_rows() == found.to_rows()
    for form in ("text", "markdown", "latex", "csv", "tsv", "json", "html"):
        done = run("thresholds", "k.csv", "p.csv", "--thresholds", "0.25:0.5:0.25", "-r", form, cwd=tmp_path)
        assert done.status == 0 and done.out
    assert run("thresholds", "k.csv", "p.csv", "--thresholds", "0.5,0.25", "-r", "csv", cwd=tmp_path).out == found.report("csv")
    assert "Thresholds of" in repr(found)


@draws
def test_a_plot_is_drawn(tmp_path: Path) -> None:
    key, given = drawn(3)
    found = thresholds(list(key.values()), written(tmp_path / "p.csv", given))
    found.plot(str(tmp_path / "p.svg"))
    assert (tmp_path / "p.svg").read_text().count("<svg") == 1


def test_what_has_no_thresholds_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", [("a", "b", 0.5)])
    (tmp_path / "l.csv").write_text("id_l,id_r,label\na,b,1\n")
    with pytest.raises(FormatError, match="expected one with probabilities: match_probability"):
        thresholds([{"a", "b"}], tmp_path / "l.csv")
    with pytest.raises(OptionError, match="numbers from 0 to 1"):
        thresholds([{"a", "b"}], path, thresholds=[2])
    with pytest.raises(OptionError, match="looks at more than items"):
        thresholds([{"a", "b"}], path, metrics="bridging_anaphora")
    with pytest.raises(MismatchError, match="has spans; expected items"):
        thresholds([{(0, 1), (2, 3)}], path)
    assert "--thresholds takes A,B" in run("thresholds", path, path, "--thresholds", "1:0:x").err
