"""Pairs with probabilities at thresholds: what `score` says of the pairs above each, and pairs counted one by one."""

import math
import random
import re
import shlex
from functools import partial
from itertools import combinations

import pytest

import referee
from referee.basics import exceptions
from referee.basics.exceptions import FormatError, MismatchError, OptionError
from referee.scoring.thresholds import thresholds
from tests.support.cases import cases
from tests.support.command import draws, referee as run
from tests.support.paths import SHARED

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* alone there:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* more than once. each counts once:referee.RefereeWarning"),
]

LIMITS = [0.0, 0.2, 0.5, 0.8, 1.0]
METRICS = "muc,b_cubed,ceaf_e,lea,links,exact,exclusive_core_mr,v_measure"


def drawn(seed):
    chance = random.Random(seed)
    names = [f"r{n}" for n in range(chance.randint(2, 14))]
    key = {}
    for name in names[: chance.randint(1, len(names))]:
        key.setdefault(chance.choice("abcd"), set()).add(name)
    pairs = [tuple(chance.choices(names, k=2)) for _ in range(chance.randint(1, 20))]
    return key, [(a, b, chance.choice([0.0, 0.1, 0.2, 0.5, 0.79, 0.8, 1.0])) for a, b in pairs]


def written(path, given):
    path.write_text("unique_id_l,unique_id_r,match_probability\n" + "".join(f"{a},{b},{p}\n" for a, b, p in given))
    return path


@pytest.mark.filterwarnings("ignore:.* twice, as a link and as none:referee.RefereeWarning")
@pytest.mark.parametrize("seed", range(40))
def test_each_threshold_is_the_score_of_the_pairs_above_it(seed, tmp_path):
    key, given = drawn(seed)
    found = thresholds(list(key.values()), written(tmp_path / "p.csv", given), thresholds=LIMITS, metrics=METRICS)
    for place, limit in enumerate(LIMITS):
        decided = [(a, b, float(p >= limit)) for a, b, p in given]
        response = referee.read(written(tmp_path / "d.csv", decided), format="pairs")
        expected = referee.score(list(key.values()), response, metrics=METRICS)
        assert {m: repr(found.scores[m][place]) for m in expected} == {m: repr(s) for m, s in expected.items()}
        assert found.entities[place] == len(expected.response.entity_ids)


@pytest.mark.parametrize("seed", range(40))
def test_pairs_as_given_are_counted_one_by_one(seed, tmp_path):
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


def test_the_same_from_parquet_and_from_the_command(tmp_path):
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


def test_the_best_scores_are_said_and_marked(tmp_path):
    # Key: {a, b} and {c}. From 0.7 on, only a and b are linked: all is right. Below, all three are: 1 of 3 links is right.
    path = written(tmp_path / "p.csv", [("a", "b", 0.9), ("b", "c", 0.6)])
    found = thresholds([{"a", "b"}, {"c"}], path, thresholds=[0.5, 0.7, 0.8, 0.95], metrics="links")
    lead, _, head, *rows = found.report().splitlines()
    assert lead == "best F1 of 4 thresholds: links 100.00 at threshold 0.8; pairs 100.00 at 0.8"
    assert head.split() == ["threshold", "pairs", "entities", *["recall", "precision", "F1"] * 2]
    assert [row.split()[0] for row in rows if row.endswith("100.00*")] == ["0.8"]  # not 0.7, which is as good
    assert rows[-6] == "* best of its metric; of equal ones, that of the highest threshold"
    assert rows[-5] == "pairs: as they were decided, one by one; other metrics: the entities that they make"
    assert rows[-4] == "pairs at 0.8: TP 1, FP 0, FN 0, TN 2"
    distance = thresholds([{"a", "b"}, {"c"}], path, thresholds=[0.5, 0.7], metrics="vi,links")
    assert distance.best("vi") == 0.7  # 0 bits: less is better
    assert distance.report().startswith(
        "best of 2 thresholds: vi 0 bits at threshold 0.7; links F1 100.00 at 0.7; pairs F1 100.00 at"
    )
    nothing = thresholds([{"a"}, {"c"}], path, thresholds=[0.95], metrics="muc")  # neither side has a link
    assert math.isnan(nothing.best("muc")) and nothing.lead == "best F1 of 1 threshold: muc undefined; pairs undefined"


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_the_best_is_that_of_all_values_that_occur(seed, few, tmp_path, monkeypatch):
    if not few:  # programs get some rows
        monkeypatch.setattr("referee.scoring.thresholds.MOST_VALUES", 3)
        monkeypatch.setattr("referee.scoring.thresholds.ROWS", 4)
    key, given = drawn(seed)
    chance = random.Random(seed)
    given = [(a, b, round(chance.random(), 3)) for a, b in dict.fromkeys(tuple(sorted(pair[:2])) for pair in given) if a != b]
    if not {end for pair in given for end in pair[:2]} & {record for entity in key.values() for record in entity}:
        return
    found = thresholds(list(key.values()), written(tmp_path / "p.csv", given))
    scores = {p: referee.score(list(key.values()), tmp_path / "p.csv", threshold=p) for _, _, p in given}
    for metric in ("pairs", "links", "b_cubed", "exact"):
        values = [score[metric].value for score in scores.values()]
        if all(map(math.isnan, values)):
            assert math.isnan(found.best(metric))
            continue
        best = found.best(metric)
        value = found.scores[metric][found.thresholds.index(best)].value
        assert value == max(value for value in values if not math.isnan(value))
        higher = [score[metric].value for p, score in scores.items() if p > best and p - best > 1e-9]
        assert sum(other == value for other in higher) <= 1  # of equal ones the highest; `best` may have fewer digits
    assert [row["threshold"] for row in found.to_rows()] == [*found.thresholds]
    assert len(found.thresholds) == len({p for _, _, p in given}) or not few


def test_of_many_values_the_best_is_found_and_some_are_shown(tmp_path):
    """Of a7-b7 the probability is 0.007, and 494 pairs have as much or more."""
    path = written(tmp_path / "p.csv", [(f"a{n}", f"b{n}", n / 1000) for n in range(501)])
    with pytest.warns(UserWarning, match="<key> has 2 of 1002 records of .* referee estimate estimates the scores of all"):
        found = thresholds([{"a7", "b7"}], path, metrics="links")
    assert len(found.thresholds) == 12
    assert found.lead == "best F1: links 0.40 at threshold 0.007; pairs 0.40 at 0.007"
    assert found.scores["pairs"][found.thresholds.index(0.007)].precision == 1 / 494
    assert found.pairs[::-1][:2] == (1, 51)  # 50 pairs are between two rows


def test_thresholds_of_splink_that_crowd_near_one():
    """The README of the folder: 88.73 at 0.98398 is the best of 398 values. The precision is counted here once more."""
    grid = SHARED / "field/pairs/grid"
    if not grid.is_dir():
        pytest.skip("../shared/field is absent")
    found = thresholds(grid / "key.csv", grid / "pairs.csv")
    assert (round(100 * found.scores["links"][found.thresholds.index(0.98398)].value, 2), found.best("links")) == (
        88.73,
        0.98398,
    )
    asked = thresholds(grid / "key.csv", grid / "pairs.csv", thresholds=[0.5, 0.9, 0.95])
    assert "the best is at the edge of what was asked for: a threshold above 0.95 may be better" in asked.notes
    rows = [line.split(",") for line in (grid / "pairs.csv").read_text().split()[1:]]
    truth = {tuple(line.split(",")[:2]): line.endswith(",1") for line in (grid / "key.csv").read_text().split()[1:]}
    lowest, right = None, 0
    for number, (a, b, p) in enumerate(sorted(rows, key=lambda row: -float(row[2])), start=1):
        right += truth[a, b]
        if right / number < 0.99:
            break
        lowest = float(p)
    precise = thresholds(grid / "key.csv", grid / "pairs.csv", min_precision=99)
    assert (
        referee.score(grid / "key.csv", grid / "pairs.csv", threshold=precise.threshold)["pairs"]
        == (referee.score(grid / "key.csv", grid / "pairs.csv", threshold=lowest)["pairs"])
    )
    none = thresholds(grid / "key.csv", grid / "pairs.csv", min_precision=99, thresholds=[0.3, 0.5])
    assert math.isnan(none.threshold) and none.notes == (
        "no threshold has a precision of pairs of at least 99 at it and above",
    )
    with pytest.raises(OptionError, match=r"limits are in percent: expected pairs.precision=99"):
        thresholds(grid / "key.csv", grid / "pairs.csv", min_precision=0.99)
    with pytest.raises(OptionError, match="a precision of muc is not known at each threshold; expected --best pairs or links"):
        thresholds(grid / "key.csv", grid / "pairs.csv", min_precision=99, best="muc", metrics="muc")


@pytest.mark.filterwarnings("ignore:.* on both sides of its pairs:referee.RefereeWarning")
@pytest.mark.parametrize("column", ["match_weight", "score", "Confidence Score"])
def test_numbers_that_are_no_probabilities_are_taken_at_a_threshold(column, tmp_path):
    (tmp_path / "k.csv").write_text("id,entity\na,1\nb,1\nc,2\nd,3\n")
    (tmp_path / "p.csv").write_text(f"id_l;id_r;{column}\na;b;12,5\nb;c;-3,5\nc;d;-7\n")
    found = thresholds(tmp_path / "k.csv", tmp_path / "p.csv")
    assert found.best("pairs") == 12.5
    assert referee.score(tmp_path / "k.csv", tmp_path / "p.csv", threshold=-4)["pairs"].precision == 1 / 2
    assert run("score", "k.csv", "p.csv", "--threshold", "-4", "-q", "-m", "pairs", cwd=tmp_path).out == "66.67\n"
    assert "--threshold NUMBER if a higher one is more probable" in run("score", "k.csv", "p.csv", cwd=tmp_path).err
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"id_l": ["a", "b", "c"], "id_r": ["b", "c", "d"], column: [12.5, -3.5, -7]})
    assert thresholds(tmp_path / "k.csv", table).to_rows() == found.to_rows()


def test_the_last_line_writes_the_best_entities_and_the_table_is_not_too_wide(tmp_path):
    # From 0.6 on, {a, b, c} is right; below, d joins it.
    (tmp_path / "k.csv").write_text("id,entity\na,1\nb,1\nc,1\nd,2\ne,3\n")
    (tmp_path / "my pairs.csv").write_text("id_l,id_r,score\na,b,0.91\nb,c,0.62\nc,d,0.58\nd,e,0.02\n")
    how = ("thresholds", "k.csv", "my pairs.csv", "--response-columns", "probability=score", "--best", "b_cubed")
    done = run(*how, cwd=tmp_path)
    command = "referee convert 'my pairs.csv' clusters.csv --columns probability=score --threshold 0.6"
    assert done.out.splitlines()[-1] == command
    assert max(map(len, done.out.splitlines()[:-1])) <= 120
    written_by = run(*shlex.split(command)[1:], cwd=tmp_path)
    assert written_by.status == 0
    assert "left out 4 pairs and their probabilities; wrote 3 entities of 5 records" in written_by.err
    assert (tmp_path / "clusters.csv").read_text().split() == ["item,entity", "a,a", "b,a", "c,a", "d,d", "e,e"]
    assert run("score", "k.csv", "clusters.csv", "-q", "-m", "b_cubed", cwd=tmp_path).out == "100.00\n"
    (tmp_path / "clusters-2.csv").touch()
    done = run(*how, cwd=tmp_path)
    assert done.out.splitlines()[-1] == command.replace("clusters", "clusters-3")  # no file that is there is replaced


def test_entities_of_pairs_are_written_at_a_threshold(tmp_path):
    path = written(tmp_path / "p.csv", [("a", "b", 0.9), ("c", "d", 0.3)])
    with pytest.warns(referee.RefereeWarning, match="left out the probabilities of 2 pairs; wrote 3 entities of 4 records"):
        referee.convert(path, tmp_path / "e.links", threshold=0.5)  # has links, and all records
    assert referee.score([{"a", "b"}, {"c"}, {"d"}], tmp_path / "e.links")["mentions"].f1 == 1
    for threshold, text, message in (
        (2, None, "threshold is a number from 0 to 1; found 2"),
        (0.5, path, "a threshold is for pairs of records, which have no text"),
    ):
        with pytest.raises(OptionError, match=message):
            referee.convert(path, tmp_path / "e.csv", threshold=threshold, text=text)
    (tmp_path / "k.csv").write_text("item,entity\na,1\nb,1\n")
    with pytest.raises(OptionError, match=r"--threshold is for pairs with probabilities; found .*k\.csv, which has labels$"):
        referee.convert(tmp_path / "k.csv", tmp_path / "e.csv", threshold=0.5)
    with pytest.raises(FormatError, match="has items, which conll cannot hold"):
        referee.convert(path, tmp_path / "e.conll", threshold=0.5)
    assert not (tmp_path / "e.csv").exists()


@draws
def test_a_plot_is_drawn(tmp_path):
    key, given = drawn(3)
    found = thresholds(list(key.values()), written(tmp_path / "p.csv", given))
    found.plot(str(tmp_path / "p.svg"))
    assert (tmp_path / "p.svg").read_text().count("<svg") == 1


@draws
def test_markers_at_the_edge_are_whole(monkeypatch, tmp_path):
    figures = []
    monkeypatch.setattr("referee.scoring.thresholds.save", lambda figure, _: figures.append(figure))
    found = thresholds([{"a", "b"}, {"c"}], written(tmp_path / "p.csv", [("a", "b", 0.9), ("b", "c", 0.2)]))
    found.plot("x.svg")
    lines = [line for axis in figures[0].axes for line in axis.lines]
    assert any(1 in line.get_ydata() for line in lines)
    assert not any(line.get_clip_on() for line in lines)


@pytest.mark.parametrize(
    ("key", "table", "options", "error", "message"),
    [
        ([{"a", "b"}], "id_l,id_r,label\na,b,1\n", {}, FormatError, "expected a column with probabilities: match"),
        ([{"a", "b"}], "id_l,id_r,p\na,b,0.5\n", {"thresholds": [2]}, OptionError, "numbers from 0 to 1; found"),
        ([{"a", "b"}], "id_l,id_r,p\na,b,0.5\n", {"metrics": "bridging_anaphora"}, OptionError, "looks at more than items"),
        ([{(0, 1), (2, 3)}], "id_l,id_r,p\na,b,0.5\n", {}, MismatchError, "has spans; expected items"),
    ],
)
def test_what_has_no_thresholds_is_refused(key, table, options, error, message, tmp_path):
    (tmp_path / "p.csv").write_text(table)
    with pytest.raises(error, match=message):
        thresholds(key, tmp_path / "p.csv", **options)
    assert "--thresholds takes A,B" in run("thresholds", "k.csv", "p.csv", "--thresholds", "1:0:x").err


def in_numbers(path, seed):
    """A key and pairs as CSV with integers for records, and all ways to give them as columns."""
    key, given = drawn(seed)
    number = {
        name: int(name[1:]) * 7
        for name in {item for of in key.values() for item in of} | {r for a, b, _ in given for r in (a, b)}
    }
    pairs = written(path / "p.csv", [(str(number[a]), str(number[b]), p) for a, b, p in given])
    keys = path / "k.csv"
    keys.write_text("item,entity\n" + "".join(f"{number[i]},{e}\n" for e, of in key.items() for i in sorted(of)))
    for of in (keys, pairs):
        table = pytest.importorskip("pyarrow.csv").read_csv(of)
        pytest.importorskip("pyarrow.parquet").write_table(table, of.with_suffix(".parquet"))
    return keys, pairs, [str(keys.with_suffix(".parquet"))], [str(pairs.with_suffix(".parquet"))]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_columns_give_the_scores_of_text(seed, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    keys, pairs, key_columns, pair_columns = in_numbers(tmp_path, seed)
    metrics = "muc,b_cubed,ceaf_e,lea,links,exact,v_measure"
    key_columns += [parquet.read_table(key_columns[0])]
    pair_columns += [parquet.read_table(pair_columns[0])]
    for threshold in (None, 0.0, 0.5, 0.8, 1.0):
        want = referee.score(keys, pairs, metrics=metrics, threshold=threshold)
        assert ("threshold:" in want.signature) == (threshold is not None)
        for key, response in zip([keys, *key_columns], [pair_columns[0], *pair_columns], strict=True):
            found = referee.score(key, response, metrics=metrics, threshold=threshold)
            assert {m: repr(s) for m, s in found.items()} == {m: repr(s) for m, s in want.items()}
    rows = thresholds(keys, pairs, thresholds=LIMITS, metrics=metrics).to_rows()
    for key, response in zip([keys, *key_columns], [pair_columns[0], *pair_columns], strict=True):
        assert thresholds(key, response, thresholds=LIMITS, metrics=metrics).to_rows() == rows


def test_pairs_of_documents_and_of_data_sets_are_columns(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    ends = {"unique_id_l": [1, 1, 2], "unique_id_r": [2, 2, 1], "match_probability": [0.9, 0.2, 0.7]}
    in_documents = arrow.table(ends | {"document": ["x", "y", "x"]})
    key = arrow.table({"item": [1, 2, 1, 2], "entity": [1, 1, 1, 2], "document": ["x", "x", "y", "y"]})
    assert referee.score(key, in_documents, threshold=0.5)["b_cubed"].f1 == 1
    assert referee.score(key, in_documents, threshold=0.1)["b_cubed"].precision == 0.75
    of_sets = arrow.table(ends | {"source_dataset_l": ["a", "a", "b"], "source_dataset_r": ["b", "b", "a"]})
    named = arrow.table({"item": ["a/1", "b/2", "b/1"], "entity": [1, 1, 2]})
    large = named.cast(arrow.schema([("item", arrow.large_string()), ("entity", arrow.int64())]))
    problem = "<key> and <response> have no record in common: found '1', '2'; expected 'a/1', 'b/1', 'b/2': the key alone"
    with pytest.warns(referee.RefereeWarning, match=f"^{problem}"):
        assert thresholds(large, arrow.table(ends)).scores["links"][0].recall == 0
    texts = arrow.table(ends | {end: arrow.array([str(n) for n in ends[end]]) for end in ("unique_id_l", "unique_id_r")})
    numbers = arrow.table({"item": [1, 2, 3], "entity": [1, 1, 2]})
    assert thresholds(numbers, texts).to_rows() == thresholds(numbers, arrow.table(ends)).to_rows()
    found = thresholds(named, of_sets, thresholds=[0.5])
    assert [found.scores["links"][0].recall, found.entities[0], found.pairs[0]] == [1, 2, 1]  # b/1 is alone


@pytest.mark.parametrize("case", [case for case in cases("columns") if ":" in case.section], ids=str)
def test_columns_that_are_no_pairs_with_probabilities_are_refused(case):
    arrow = pytest.importorskip("pyarrow")
    key, pairs = arrow.table({"item": [1, 2, 3], "entity": [1, 1, 2]}), arrow.table(eval(*case.lines))
    for call in (partial(referee.score, threshold=0.5), thresholds):
        with pytest.raises(getattr(exceptions, case.section.removeprefix("pairs: ")), match=case.expected[0]):
            call(key, pairs)


def test_every_verb_that_scores_takes_a_threshold(tmp_path):
    """At 0.3 the three records are one entity, as in the key; at one half, c would be alone."""
    for name in ("p.csv", "q.csv"):
        path = written(tmp_path / name, [("a", "b", 0.7), ("b", "c", 0.4), ("a", "d", 0.1)])
    (tmp_path / "k.csv").write_text("item,entity\na,1\nb,1\nc,1\nd,2\n")
    for verb, *more in (("errors",), ("inspect", "-o", "x.html"), ("compare",), ("compare", "q.csv"), ("board", "-o", "site")):
        plain = run(verb, "k.csv", "p.csv", *more, cwd=tmp_path)
        assert (
            "where a response is scored, or converted, --threshold (threshold=) takes another number (found 3 pairs)"
            in plain.err
        )
        done = run(verb, "k.csv", "p.csv", *more, "--threshold", "0.3", cwd=tmp_path)
        assert (done.status, "takes another number" in done.err) == (0, False)
    assert len(referee.errors(str(tmp_path / "k.csv"), path, threshold=0.3)) == 0
    assert "| threshold:0.3" in run("errors", "k.csv", "p.csv", "--threshold", "0.3", cwd=tmp_path).out
    pages = referee.inspect(str(tmp_path / "k.csv"), path, str(tmp_path / "p.csv"), threshold=0.3)
    assert [e["links"].f1 for e in pages.evaluations] == [1, 1]
    with pytest.raises(OptionError, match="found threshold without a response"):
        referee.inspect(str(tmp_path / "k.csv"), threshold=0.3)


def test_a_threshold_needs_pairs(tmp_path):
    path = written(tmp_path / "p.csv", [("a", "b", 0.5), ("b", "c", 0.1)])
    (tmp_path / "k.csv").write_text("item,entity\na,1\nb,1\nc,2\n")
    done = run("score", "k.csv", "p.csv", "--threshold", "0.3", "-q", "-m", "links", cwd=tmp_path)
    assert (done.out, done.status) == ("100.00\n", 0)
    done = run("score", "k.csv", "k.csv", "--threshold", "0.3", cwd=tmp_path)
    assert done.errors == ["referee: error: --threshold is for pairs with probabilities; found k.csv, which has labels"]
    with pytest.raises(OptionError, match="threshold is a number from 0 to 1; found 2"):
        referee.score([{"a"}], path, threshold=2)
    (tmp_path / "r.conll").write_text("#begin document (d)\nd 0 0 Ann (1)\n#end document\n")
    for response, found in {
        str(tmp_path / "r.conll"): f"{tmp_path}/r.conll, which has mentions",
        str(tmp_path / "k.csv"): f"{tmp_path}/k.csv, which has labels",
    }.items():
        with pytest.raises(OptionError, match=f"^--threshold is for pairs with probabilities; found {re.escape(found)}$"):
            referee.score([{"a"}], response, threshold=0.5)
    with pytest.raises(
        OptionError, match=r"^--threshold is for pairs with probabilities; found <response>, which has mentions$"
    ):
        referee.score([{"a"}], [{"a"}], threshold=0.5)


def test_text_as_columns_and_row_by_row_are_the_same(tmp_path):
    rng = random.Random(1)
    pairs = [(rng.randrange(60), rng.randrange(60), round(rng.random(), 2)) for _ in range(200)]
    plain, quoted, key = tmp_path / "plain.csv", tmp_path / "quoted.csv", tmp_path / "key.csv"
    plain.write_text("p,id1,id2\n" + "".join(f"{p},é{a},é{b}\n" for a, b, p in pairs), encoding="utf-8")
    quoted.write_text("p,id1,id2\n" + "".join(f'{p},"é{a}",é{b}\n' for a, b, p in pairs), encoding="utf-8")
    key.write_text("id,cluster\n" + "".join(f"é{a},{a // 3}\n" for a in range(50)), encoding="utf-8")
    one, other = (thresholds(key, path, metrics="links,b_cubed,lea", tables="one") for path in (plain, quoted))
    assert one.scores == other.scores and (one.pairs, one.entities) == (other.pairs, other.entities)
