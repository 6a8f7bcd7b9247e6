"""The numbers of foreign programs on the same files, to 1e-9.

Perl is the CoNLL reference scorer v8.01, LEA is coval's, BLANC of Luo et al. (2014) the Universal Anaphora scorer's; the kit
says of each number which program gave it, and how. It is not part of the repository (its texts have licences of their own):
without it these tests are skipped.
"""

import gzip
import json
import warnings
from functools import cache

import pytest

from referee import score
from referee.basics.exceptions import RefereeWarning
from referee.reports.numbers import number
from tests.support.paths import SHARED

KIT = SHARED / "conformance"
pytestmark = pytest.mark.skipif(not KIT.is_dir(), reason="needs the conformance kit, ../shared/conformance")

# Name in the kit -> ours, and where that program's rules differ from the papers'.
BY_PERL = {"mentions": "mentions", "muc": "muc", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e", "blanc": "blanc"}
BY_PAPER = {"lea": "lea", "ceaf_phi1": "exact", "ceaf_phi2": "ceaf_phi2", "blanc_luo2014": "blanc"}
SIDES = ("recall", "precision")


def read_json(name):
    path = KIT / name
    return json.loads(path.read_text()) if path.is_file() else {}


EXPECTED = {k: v for k, v in read_json("expected.json").items() if k[0] != "_"}
PAIRS = [(group, pair) for group, pairs in EXPECTED.items() for pair in pairs if group != "gum10"]
TC = [pair for group, pair in PAIRS if group == "reference-tests"]
CORPORA = [(group, pair) for group, pair in PAIRS if group != "reference-tests"]


def files(group, pair):
    if group == "reference-tests":
        return KIT / group / EXPECTED[group][pair]["_key"], KIT / group / pair
    return KIT / group / f"{group}.key.conll.gz", KIT / group / f"{pair}.gz"


@cache
def evaluation(group, pair, profile):
    with warnings.catch_warnings():  # of repeated mentions in TC-A-7 to TC-A-9, and of words: TC-* are not all the same text
        warnings.simplefilter("ignore", RefereeWarning)
        return score(*files(group, pair), metrics="all", profile=profile, tokens="warn")


def agrees(found, expected):
    assert (found.recall, found.precision, found.f1) == pytest.approx(
        (expected["recall"], expected["precision"], expected["f1"]), abs=1e-9, rel=0
    )


def counts_agree(counts, expected):
    """Numerators and denominators, however they are called in the kit."""
    ours = {name: column[0].item() for name, column in counts.total().columns.items()}
    theirs = {
        f"{side}_{ours_}": expected[f"{side}_{theirs_}"]
        for side in SIDES
        for ours_, theirs_ in (("numerator", "num"), ("denominator", "den"))
        if f"{side}_{theirs_}" in expected
    }
    kinds = (("coreference", "coref"), ("other", "noncoref"))
    theirs |= {
        f"{a}_{c}": expected[f"{b}_{d}"]
        for a, b in kinds
        for c, d in (("found", "num"), ("key", "key"), ("response", "response"))
        if f"{b}_{d}" in expected
    }
    assert theirs
    for name, value in theirs.items():
        assert ours[name] == pytest.approx(value, rel=1e-12, abs=1e-9), name
        if isinstance(value, int):
            assert ours[name] == value, name


def test_the_kit_is_whole():
    assert (len(TC), len(CORPORA)) == (36, 10)
    for group, pair in PAIRS:
        assert set(BY_PERL) | set(BY_PAPER) == {m for m in EXPECTED[group][pair] if m[0] != "_"}
        assert all(path.is_file() for path in files(group, pair))


@pytest.mark.parametrize(("group", "pair"), PAIRS)
@pytest.mark.parametrize("metric", BY_PERL)
def test_profile_conll_gives_the_numbers_of_the_reference_scorer(group, pair, metric):
    expected = EXPECTED[group][pair][metric]
    e = evaluation(group, pair, "conll-8.01")
    agrees(e[BY_PERL[metric]], expected)
    counts_agree(e.counts[BY_PERL[metric]], expected)


@pytest.mark.parametrize(("group", "pair"), PAIRS)
@pytest.mark.parametrize("metric", BY_PAPER)
def test_the_default_profile_gives_the_numbers_of_the_papers(group, pair, metric):
    expected = EXPECTED[group][pair][metric]
    e = evaluation(group, pair, "default")
    found = e[BY_PAPER[metric]]
    agrees(found, expected)
    counts_agree(e.counts[BY_PAPER[metric]], expected)


@pytest.mark.parametrize(("group", "pair"), CORPORA)
@pytest.mark.parametrize("metric", BY_PERL)
def test_on_corpora_both_profiles_agree(group, pair, metric):
    # Documents, words and spans are the same on both sides and every denominator is there: nothing is left to policy.
    agrees(evaluation(group, pair, "default")[BY_PERL[metric]], EXPECTED[group][pair][metric])


@pytest.mark.parametrize(("group", "pair"), PAIRS)
def test_the_average_is_that_of_the_three(group, pair):
    found = evaluation(group, pair, "conll-8.01")["conll"].value
    assert found == pytest.approx(EXPECTED[group][pair]["_conll_f1"], abs=1e-9, rel=0)


@pytest.mark.parametrize("pair", TC)
def test_the_reference_scorers_own_tests_pass(pair):
    # As CorefMetricTestConfig.pm lists them: |dR| + |dP| + |dF| <= 1e-4, its test.pl's EPSILON.
    definition = read_json("reference-tests/expected.json")[pair.removesuffix(".response")]["definition"]
    e = evaluation("reference-tests", pair, "conll-8.01")
    for metric, triple in definition.items():
        found = e[BY_PERL[metric]]
        difference = sum(abs(getattr(found, part) - triple[part]) for part in ("recall", "precision", "f1"))
        assert difference <= 1e-4, (metric, triple["as_written"])


def test_there_are_91_of_them():
    assert (
        sum(len(case["definition"]) for name, case in read_json("reference-tests/expected.json").items() if name[0] != "_")
        == 91
    )


COVAL = {"mentions": "mentions", "muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf_e", "lea": "lea"}


@pytest.mark.parametrize(("group", "pair"), CORPORA)
def test_without_singletons_the_numbers_are_those_of_coval(group, pair):
    peer = read_json("peer_results.json")[pair.removesuffix(".conll")].get("coval_remove_singletons")
    if peer is None:
        pytest.skip("coval was not run with remove_singletons on this pair")
    e = score(*files(group, pair), singletons="drop", metrics=list(COVAL.values()))
    compared = [metric for metric in COVAL if metric in peer]
    assert len(compared) >= 4
    for metric in compared:
        agrees(e[COVAL[metric]], peer[metric])


PRINTED = [
    (name, metric, numbers["printed"], numbers)
    for name, peers in read_json("peer_results.json").items()
    if name[0] != "_"
    for metric, numbers in (
        [(k, v) for k, v in peers.get("perl", {}).items() if k in BY_PERL]
        + [
            (k.removeprefix("perl_"), v)
            for k, v in peers.items()
            if k.startswith("perl_") and k.removeprefix("perl_") in BY_PERL
        ]
    )
    if isinstance(numbers, dict) and "printed" in numbers
]


def test_two_decimals_are_cut_as_the_reference_scorer_cuts_them():
    assert len(PRINTED) > 200
    for name, metric, printed, exact in PRINTED:
        group, _, case = name.partition("/")
        pair = f"TC-{case[0]}-{case[1:]}.response" if case else f"{name}.conll"
        found = evaluation("reference-tests" if case else group.partition(".")[0], pair, "conll-8.01")[BY_PERL[metric]]
        for side, theirs in zip(("recall", "precision", "f1"), printed, strict=True):
            ours, parts = float(number(getattr(found, side), truncate=True)), exact[side] * 10_000
            whole = abs(parts - round(parts)) < 1e-6  # then its own sums decide: 14 / 25 is printed as 55.99
            assert abs(ours - theirs) < (0.011 if whole else 0.001), (name, metric, side)


def test_cutting_is_not_rounding():
    recall = evaluation("gum", "gum.mild.conll", "conll-8.01")["muc"].recall  # 0.909766..., Perl prints 90.97
    assert (number(recall, truncate=True), number(recall)) == ("90.97", "90.98")


@pytest.mark.slow
def test_ten_times_gum_scores_what_gum_scores_from_ten_times_the_counts(tmp_path):
    # The kit's own gum10 cannot be made from its files: its response was disturbed anew, so its counts are no multiples of 10.
    key, response = (tenfold(KIT / "gum" / f"gum.{side}.conll.gz", tmp_path) for side in ("key", "medium"))
    e = score(key, response, metrics=[*BY_PERL.values(), "lea"])
    assert len(e.documents) == 2630
    for metric, expected in EXPECTED["gum"]["gum.medium.conll"].items():
        if metric in BY_PERL or metric == "lea":
            agrees(e[(BY_PERL | BY_PAPER)[metric]], expected)
            ten = {name: value * 10 for name, value in expected.items() if isinstance(value, int | float)}
            counts_agree(e.counts[(BY_PERL | BY_PAPER)[metric]], ten)


def tenfold(path, folder):
    """Ten copies of the documents, NAME_copy0 to NAME_copy9."""
    text = gzip.decompress(path.read_bytes())
    target = folder / path.name.removesuffix(".gz")
    with target.open("wb") as out:
        for copy in range(10):
            out.write(text.replace(b"); part", b"_copy%d); part" % copy))
    return target
