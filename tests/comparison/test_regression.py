"""A build fails if a system is worse, and holds the level of its test where none is."""

import random

import pytest

from referee import OptionError, compare
from referee.comparison import Resampling
from referee.comparison.regression import worse
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE, SECOND = (EXAMPLES / name for name in ("key.conll", "response.conll", "second.jsonlines"))


def test_the_command_fails_by_points_and_by_the_test():
    done = referee("compare", KEY, SECOND, RESPONSE, "-m", "conll,lea", "--fail-if-worse", "--tolerance", "1")
    assert done.status == 1
    assert "conll is worse than that of" in done.err
    assert referee("compare", KEY, SECOND, RESPONSE, "--fail-if-worse", "--tolerance", "90").status == 0
    assert referee("compare", KEY, RESPONSE, SECOND, "--fail-if-worse", "--tolerance", "0").status == 0
    untold = referee("compare", KEY, SECOND, RESPONSE, "--fail-if-worse")
    assert untold.status == 2
    assert untold.err == (
        "referee: error: no difference can be significant with 2 documents: the least p is 0.5; "
        "expected more, or --tolerance POINTS (tolerance=), which makes no test\n"
    )
    assert referee("compare", KEY, RESPONSE, SECOND, "--fail-if-worse").status == 2  # nor can one that is better be told
    assert referee("compare", KEY, SECOND, RESPONSE, "--tolerance", "1").status == 2
    assert referee("compare", KEY, SECOND, RESPONSE, "-m", "muc", "--fail-if-worse=lea").status == 2


def test_a_metric_that_was_not_compared():
    found = compare(str(KEY), [str(SECOND), str(RESPONSE)], metrics=["muc"])
    with pytest.raises(
        OptionError, match="found no scores by lea; expected it among the metrics of all systems, also of counts"
    ):
        worse(found, ["lea"])


def test_one_document_has_no_test_and_no_build_passes_for_that(tmp_path):
    for name, rows in (("key", "a,1 b,1 c,2 d,2"), ("before", "a,1 b,1 c,2 d,2"), ("after", "a,1 b,2 c,2 d,1")):
        (tmp_path / f"{name}.csv").write_text("id,entity\n" + rows.replace(" ", "\n") + "\n", encoding="utf-8")
    files = ("key.csv", "before.csv", "after.csv", "--fail-if-worse")
    refused = referee("compare", *files, cwd=tmp_path)
    assert refused.status == 2
    assert "so no difference can be tested; expected --tolerance POINTS (tolerance=)\n" in refused.err
    assert referee("compare", *files, "--tolerance", "1", cwd=tmp_path).status == 1


@pytest.mark.parametrize(("documents", "systems", "metrics", "refused"), [(5, 2, 1, True), (6, 2, 1, False), (6, 2, 2, True),
    (6, 3, 1, True), (7, 3, 1, False), (7, 3, 2, True)])  # fmt: skip
def test_too_few_documents_for_any_p_are_refused(documents, systems, metrics, refused):
    """The least p of n documents is 2 / 2^n: 0.0625 of five, 0.03125 of six, 0.0156 of seven, times the tests."""
    key = {str(n): [{1, 2}, {3, 4}] for n in range(documents)}
    worst = {str(n): [{1, 3}, {2, 4}] for n in range(documents)}
    found = compare(key, {"key": key} | {f"s{n}": worst for n in range(1, systems)}, metrics=["links", "b_cubed"])
    assert worse(found, tolerance=1.0)  # asks for no test
    if refused:
        with pytest.raises(OptionError, match=f"no difference can be significant with {documents} documents"):
            worse(found, ["links", "b_cubed"][:metrics])
    else:
        assert worse(found, ["links", "b_cubed"][:metrics])


def test_quiet_prints_the_differences_alone():
    done = referee("compare", KEY, SECOND, RESPONSE, "-q", "-m", "conll")
    assert done.out.startswith("response − second: conll −21.84 [")
    assert len(done.out.splitlines()) == 1
    assert referee("compare", KEY, SECOND, RESPONSE, SECOND, "-q", "--names", "a,b,c").out.count("conll") == 2
    alone = referee("compare", KEY, SECOND, "-q")
    assert (alone.status, alone.out) == (2, "")
    assert "expected two responses, or no --quiet" in alone.err


def test_help_shows_both_options_of_the_gate():
    shown = referee("compare", "--help").out
    assert "--fail-if-worse" in shown
    assert "--tolerance POINTS" in shown


def fails(rng, documents, harm):
    """Whether a build fails whose response loses a mention more often, by `harm`, than the one before."""
    key = {}
    responses = [{}, {}]
    for d in range(documents):
        key[str(d)] = [list(range(n * 10, n * 10 + 4)) for n in range(5)]
        for response, loss in zip(responses, (0.3, 0.3 + harm), strict=True):
            response[str(d)] = [[m for m in entity if rng.random() > loss] or entity[:1] for entity in key[str(d)]]
    sides = [{d: [*map(set, entities)] for d, entities in side.items()} for side in (key, *responses)]
    found = compare(
        sides[0], {"before": sides[1], "after": sides[2]}, metrics=["b_cubed"], resampling=Resampling(resamples=200)
    )
    return bool(worse(found))


def test_the_level_is_held_where_nothing_is_worse():
    """Two-sided at 5 %, so 2.5 % of 120 builds are 3; more than 9 have a probability of 0.1 %."""
    rng = random.Random(3)
    assert sum(fails(rng, 12, 0.0) for _ in range(120)) <= 9


def test_what_is_worse_is_found():
    rng = random.Random(4)
    assert sum(fails(rng, 12, 0.2) for _ in range(10)) >= 9
