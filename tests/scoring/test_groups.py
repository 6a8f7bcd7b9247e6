"""Scores of groups of documents are those that `compare` has."""

import csv
import io
import json

import numpy as np
import pytest

from referee import OptionError, compare, score
from tests.support.command import referee
from tests.support.metrics import ENTITY_METRICS
from tests.support.partitions import random_documents

NAMES = [f"{genre}/{number}" for genre in ("news", "talk", "web") for number in range(4)]


def genre(name):
    return name.partition("/")[0]


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_groups_have_the_scores_of_compare(average):
    rng = np.random.default_rng(5)
    documents = dict(zip(NAMES, random_documents(rng, len(NAMES), 9), strict=True))
    key, response = ({name: both[side] for name, both in documents.items()} for side in (0, 1))
    metrics = list(ENTITY_METRICS)
    rows = score(key, response, metrics=metrics, average=average).to_rows(by=genre)
    expected = compare(key, {"a": response}, by=genre, metrics=metrics, average=average)
    assert [row["group"] for row in rows[:: len(metrics)]] == ["news", "talk", "web", "all", "all"]
    for row in rows:
        part = next(p for p in expected.parts if p.name == (row["average"] if row["group"] == "all" else row["group"]))
        cell = part.cells["a"][str(row["metric"])].score
        for side in ("recall", "precision", "value"):
            value = getattr(cell, side)
            assert row[side] == (None if value is None or np.isnan(value) else pytest.approx(value, abs=1e-12))


def test_the_command(tmp_path):
    lines = [
        json.dumps({"doc_key": name, "sentences": [list("abcd")], "clusters": [[[0, 0], [1, 1]], [[2, 2]]]}) for name in NAMES
    ]
    (tmp_path / "key.jsonlines").write_text("\n".join(lines))
    (tmp_path / "a.jsonlines").write_text("\n".join(lines).replace("[1, 1]", "[3, 3]", 5))
    (tmp_path / "meta.tsv").write_text("document\tgenre\n" + "".join(f"{name}\t{genre(name)}\n" for name in NAMES))
    files = ("key.jsonlines", "a.jsonlines", "-m", "muc,b_cubed")
    by_field = referee("score", *files, "--by", "genre", "--metadata", "meta.tsv", cwd=tmp_path)
    by_prefix = referee("score", *files, "--by", "prefix", "--separator", "/", cwd=tmp_path)
    assert by_field.status == 0, by_field.err
    assert by_field.out == by_prefix.out
    assert [line.split()[0] for line in by_field.out.splitlines()[1:7]] == ["group", "news", "talk", "web", "micro", "macro"]
    compared = referee("compare", *files, "--by", "genre", "--metadata", "meta.tsv", "-r", "csv", cwd=tmp_path)
    scored = referee("score", *files, "--by", "genre", "--metadata", "meta.tsv", "-r", "csv", cwd=tmp_path)
    values = [[(row["metric"], row["value"]) for row in csv.DictReader(io.StringIO(done.out))] for done in (scored, compared)]
    assert values[0] == values[1]
    report = json.loads(referee("score", *files, "--by", "prefix", "-r", "json", cwd=tmp_path).out)
    assert list(report["systems"][0]["by_group"]) == ["news", "talk", "web"]


def test_the_fields_may_be_those_of_the_key(tmp_path):
    lines = "1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1)\n\n"
    documents = [f"# newdoc id = d{n}\n# meta::genre = {genre}\n# sent_id = {n}\n{lines}" for n, genre in enumerate("aab")]
    path = tmp_path / "key.conllu"
    path.write_text(f"# global.Entity = eid-etype-head\n{''.join(documents)}", encoding="utf-8")
    done = referee("score", path, path, "--by", "genre", "-m", "mentions", "-r", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["group"], row["value"]) for row in rows if row["group"] != "all"] == [("a", "1.0"), ("b", "1.0")]
    wrong = referee("score", path, path, "--by", "gender")
    assert "no field named 'gender'; did you mean genre?" in wrong.err


def test_groups_without_a_score_are_left_out_of_the_mean():
    found = score({"a/1": [{1, 2}], "b/1": [{3}]}, {"a/1": [{1, 2}], "b/1": [{3}]}, metrics=["muc"])
    assert "means over the groups with a defined score, of 2: muc 1" in found.report(by=genre)


def test_mistakes(tmp_path):
    files = ("examples/key.conll", "examples/response.conll")
    for options, expected in (
        (["--by", "genre"], "expected document, file, folder, prefix (of names), or a field of --metadata FILE"),
        (["--metadata", "x"], "expected --by FIELD"),
        (["--by", "document", "--depth", "2"], "are for --by prefix"),
        (["--by", "prefix"], "no name of a document has '/'"),
        (["--by", "genre", "--metadata", str(tmp_path / "none.tsv")], "cannot be opened"),
    ):
        done = referee("score", *files, *options)
        assert (done.status, len(done.errors)) == (2, 1)
        assert expected in done.err
    with pytest.raises(OptionError, match="called 'micro'"):
        score({"x": [{1, 2}]}, {"x": [{1, 2}]}).report(by=lambda _: "micro")
