"""Models by the command, and the numbers that are known of two corpora (the phrase kit)."""

import json
import math
import re
from dataclasses import dataclass, replace
from functools import cache
from zipfile import ZipFile

import numpy as np
import pytest

from referee.formats.shared.source import Source
from referee.phrases.annotation.spans import Chunks
from referee.phrases.chunking.iob import decode
from referee.phrases.formats.reading import read
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.models import reproduction
from referee.phrases.models.baselines import by_length
from referee.phrases.models.by_name import MODELS, fit
from referee.phrases.models.corpora import read_corpus, split, with_single_words
from referee.phrases.models.parses import best_parses, marginals, parse_bits
from referee.phrases.models.reproduction import reproduce
from referee.phrases.models.rules import RuleModel
from referee.phrases.models.tagger import HMM
from referee.phrases.scores import intervals
from referee.phrases.scoring import score
from referee.phrases.sums import CandidateSums
from tests.support.command import referee
from tests.support.phrases import EXPECTED, KIT, in_kit, own_entropy, partition_cost, treebank

RUNS = ("conll", "conll-swap", "treebank", "treebank-K28", "treebank-flat")


def quick(*runs):
    """All runs; those that are not named take seconds, and are slow tests."""
    return [pytest.param(run, marks=[pytest.mark.slow] * (run not in runs)) for run in RUNS]


@cache
def conll():
    """CoNLL-2000: two halves of the training set, and the test set."""
    with ZipFile(KIT / "conll2000.zip") as archive:
        train, test = (
            read(Source(f"{name}.txt", archive.read(f"conll2000/{name}.txt")), options=PhraseOptions(outside="Null"))
            for name in ("train", "test")
        )
    assert isinstance(train, Chunks)
    assert isinstance(test, Chunks)
    corpora = [*split(train, [4468]), test]
    categories = sorted({name for corpus in corpora for name in corpus.categories})
    return [corpus.with_categories(categories) for corpus in corpora]


@cache
def corpora(run):
    """The corpora of a run of the kit: as they are, with the first two exchanged, or with 28 categories, as in the paper."""
    if run.startswith("conll"):
        train, second, test = conll()
        return [second, train, test] if run == "conll-swap" else [train, second, test]
    of_mode = split(treebank("flat" if run.endswith("flat") else "abney"), [1706, 659])
    return (
        [corpus.with_categories(EXPECTED["runs"][run]["categories"]) for corpus in of_mode]
        if run == "treebank-K28"
        else of_mode
    )


@dataclass(frozen=True, eq=False)
class OneLatticeEach(HMM):
    """A tagger that remembers the lattices it made, as every model of every run asks for the same ones."""

    @cache  # noqa: B019
    def lattice(self, sentences):
        return super().lattice(sentences)


@cache
def tagger_of(sentences):
    return OneLatticeEach.train(sentences)


FITTED = {}
"""Run and model -> the model that was fitted for the table of the run."""


@cache
def table(run, *, hmm=False):
    train, second, test = corpora(run)
    if hmm:
        return reproduce(train, second, test, tagger=tagger_of(train.sentences))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reproduction, "fit", lambda name, *both, tagger: FITTED.setdefault((run, name), fit(name, *both)))
        return reproduce(train, second, test)


@cache
def predicted(name, run):
    table(run)
    return FITTED[run, name].predict(corpora(run)[2].sentences)


@cache
def scored(name, run):
    return score(corpora(run)[2], predicted(name, run))


def scored_marginals(kind, candidates, test, size=100):
    """The sums over all candidates, from parts of the corpus: the marginals of all sentences are millions of numbers."""
    by_length = np.argsort(test.sentences.length, kind="stable")
    parts = [np.sort(by_length[first : first + size]) for first in range(0, len(by_length), size)]
    totals = [score(test.select(part), marginals(kind, candidates.select(part))).total for part in parts]
    return CandidateSums(
        {name: np.sum([total[name] for total in totals], axis=0) for name in totals[0].columns}, len(test.sentences)
    )


@in_kit
@pytest.mark.parametrize("run", quick("conll", "treebank", "treebank-K28", "treebank-flat"))
def test_counts_are_those_that_are_known(run):
    known = EXPECTED["runs"][run]
    assert list(table(run).categories) == known["categories"]
    for part, found in zip(("train", "second", "test"), table(run).corpora, strict=True):
        assert found == (known["sentences"][part], known[part]["chunks"], known[part]["candidates"])


@in_kit
@pytest.mark.parametrize("run", quick("conll", "treebank", "treebank-K28", "treebank-flat"))
@pytest.mark.parametrize("name", MODELS)
def test_every_model_gives_the_bits_that_are_known(name, run):
    known = EXPECTED["runs"][run]["models"][name]
    row = next(row for row in table(run).rows if row.model == name)
    assert row.bits_per_sentence == pytest.approx(known["bits_per_sent"], rel=1e-6)
    assert row.log10_perplexity == pytest.approx(known["log10_PP"], rel=1e-6)
    if "viterbi_all" in known:
        best = known["viterbi_all"]
        assert (row.recall, row.precision, row.f1) == pytest.approx((best["R"], best["P"], best["F"]), abs=1e-4)
    else:
        assert row.bits_per_candidate == pytest.approx(known["H"], rel=1e-6)
        assert (row.recall, row.precision) == pytest.approx((known["exp_R"], known["exp_P"]), rel=1e-6)


@in_kit
@pytest.mark.parametrize("run", quick("conll", "treebank", "treebank-K28", "treebank-flat"))
def test_coverage_is_what_is_known(run):
    known = EXPECTED["runs"][run]["models"]["G"]["coverage"]
    found = table(run).uncovered
    assert (found.true_chunks, found.candidates, found.bits) == pytest.approx(
        (known["true_uncovered"], known["cand_uncovered"], known["bits_share_uncovered"]), rel=1e-6
    )


@in_kit
@pytest.mark.slow
@pytest.mark.parametrize("run", [run for run in RUNS if run != "treebank-K28"])
@pytest.mark.parametrize("name", ["G", "C"])
def test_parses_and_marginals_are_those_that_are_known(name, run):
    test, candidates = corpora(run)[2], predicted(name, run)
    known = EXPECTED["runs"][run]["models"]
    for kind in "SZ":
        here = known[f"{kind}({name})"]
        best = best_parses(kind, candidates)
        right = len({*map(tuple, rows(best))} & {*map(tuple, rows(test))})
        assert (right, len(best)) == pytest.approx((here["viterbi_all"]["tp"], here["viterbi_all"]["pred"]), abs=3)
        total = scored_marginals(kind, candidates, test)
        assert float(total.bits_per_sentence) == pytest.approx(here["marginals"]["bits_per_sent"], rel=1e-6)
        assert float(total.precision) == pytest.approx(here["marginals"]["exp_P"], rel=1e-6)
        assert float(total.recall) == pytest.approx(here["marginals"]["exp_R"], rel=1e-6)
        assert float(total.brier) == pytest.approx(here["marginals"]["brier"], rel=1e-6)
    assert own_entropy("S", candidates).mean() == pytest.approx(known[f"S({name})"]["own_entropy_per_sent"], rel=1e-6)
    cost = partition_cost(candidates)
    assert cost.mean() == pytest.approx(known[f"Z({name})"]["partition_cost_bits_per_sent"], rel=1e-6)
    z = parse_bits("Z", candidates, test)
    assert (z + cost).tolist() == pytest.approx(scored(name, run).by_sentence.cross_entropy.tolist(), rel=1e-9)


@in_kit
@pytest.mark.parametrize("run", quick("conll", "treebank", "treebank-K28", "treebank-flat"))
@pytest.mark.parametrize("name", ["0", "1", "XK", "G", "C"])
def test_cross_entropy_breakdown_and_calibration_are_those_that_are_known(name, run):
    test, scores = corpora(run)[2], scored(name, run)
    known = EXPECTED["runs"][run]["models"][name]
    total = scores.total
    assert total.zero_probability_events == known["zero_prob_events"]
    found = {
        "bits_true": total["cross_entropy_true"] / len(test.sentences),
        "bits_false": total["cross_entropy_false"] / len(test.sentences),
        "exp_yes": total["expected_chunks"],
        "exp_hit": total["expected_correct"],
        "brier": total.brier,
        "ece_10_p>=.01": scores.calibration.error,
    }
    for measured, value in found.items():
        if known.get(measured) is not None:  # of 28 categories the kit has some numbers only
            assert float(value) == approx(known[measured]), measured
    for group in ("category", "length"):
        if f"blame_{group}" not in known:
            continue
        here = scores.breakdown(group)
        groups = {row["group"].replace(">=10", "10+"): row for row in known[f"blame_{group}"]}
        assert set(groups) == set(here.names)
        for k, of in enumerate(here.names):
            row, sums = groups[of], here.sums.at(k)
            assert (sums["candidates"], sums["true_chunks"]) == (row["candidates"], row["true"])
            numbers = {
                "bits_per_sent": sums.bits_per_sentence, "bits_per_true": sums.bits_per_chunk, "share": here.share[k],
                "excess": here.excess[k], "exp_P": sums.precision, "exp_R": sums.recall,
            }  # fmt: skip
            for measured, value in numbers.items():
                assert float(value) == approx(row[measured]), (group, of, measured)
    if bins := known.get("reliability(lo,hi,n,mean_p,true_rate)"):
        for row, expected in zip(scores.calibration.bins(), (row for row in bins if row[2]), strict=True):
            assert row[:3] == tuple(expected[:3])
            assert row[3:] == (approx(expected[3]), approx(expected[4]))


@in_kit
@pytest.mark.parametrize("run", ["conll", "treebank"])
@pytest.mark.parametrize("name", ["1", "XK", "G", "C"])
def test_intervals_are_near_those_of_other_resamples(name, run):
    """The kit's are other draws of the same sentences: an end is known to a tenth of the width."""
    found = intervals(scored(name, run).by_sentence, ["bits_per_sentence"])["bits_per_sentence"]
    _, _, low, high = EXPECTED["runs"][run]["bootstrap_bits_per_sent"][name]
    assert found[:2] == pytest.approx((low, high), abs=(high - low) / 10)


def approx(known):
    """To 1e-6, where the kit has all digits (it has eight); null stands for nan."""
    return pytest.approx(math.nan if known is None else known, rel=1e-6, abs=2e-8, nan_ok=True)


def rows(chunks):
    return list(zip(*(c.tolist() for c in (chunks.sentence, chunks.start, chunks.end, chunks.category)), strict=True))


@in_kit
@pytest.mark.parametrize(
    ("corpus", "run"), [pytest.param("conll", "conll-hmm", marks=pytest.mark.slow), ("treebank", "treebank-hmm")]
)
def test_with_our_tagger_every_model_is_near_what_is_known_with_another(corpus, run):
    known = EXPECTED["runs"][run]["models"]
    for row in table(corpus, hmm=True).rows:
        assert row.bits_per_sentence == pytest.approx(known[row.model]["bits_per_sent"], rel=0.01)


@in_kit
@pytest.mark.parametrize("run", quick("conll", "treebank", "treebank-K28", "treebank-flat"))
def test_each_model_of_the_paper_is_better_than_the_one_before(run):
    assert_each_is_better(table(run))


@in_kit
@pytest.mark.parametrize("run", quick("treebank"))
def test_each_model_of_the_paper_is_better_than_the_one_before_with_our_tagger(run):
    assert_each_is_better(table(run, hmm=True))


def assert_each_is_better(found):
    bits = {row.model: row.bits_per_sentence for row in found.rows}
    paper = [bits[name] for name in ("0", "1", "XK", "G", "C", "S(G)")]
    assert paper == sorted(paper, reverse=True)


@in_kit
@pytest.mark.parametrize("run", ["conll", "treebank"])
@pytest.mark.parametrize("name", ["G", "C"])
def test_proportions_of_candidates_with_rules_cost_more_where_there_is_none(name, run):
    """The other reading of the paper's back-off: XK's own table."""
    train, _, test = corpora(run)
    table(run)
    fitted = FITTED[run, name]
    assert isinstance(fitted, RuleModel)
    literal = replace(fitted, uncovered=by_length(train.with_categories(fitted.categories)).table)
    known = EXPECTED["runs"][f"{run}-literal"]["models"]
    candidates = literal.predict(test.sentences)
    assert float(score(test, candidates).total.bits_per_sentence) == approx(known[name]["bits_per_sent"])
    for kind in "SZ":
        assert parse_bits(kind, candidates, test).mean() == approx(known[f"{kind}({name})"]["bits_per_sent"])


@in_kit
def test_without_a_second_corpus_rules_are_believed_too_much():
    """All 8936 sentences for both steps: 31.46 bits instead of 29.20."""
    first, second, test = conll()
    both = decode(
        [*encoded(first), *encoded(second)], outside="Null",
        sentences=first.sentences.numbered(
            [*first.sentences.length, *second.sentences.length],
            [*(first.sentences.words or ()), *(second.sentences.words or ())],
            [*(first.sentences.tags or ()), *(second.sentences.tags or ())],
        ),
    ).with_categories(first.categories)  # fmt: skip
    bits = float(score(test, fit("G", both, both).predict(test.sentences)).total.bits_per_sentence)
    assert bits == pytest.approx(EXPECTED["runs"]["conll-insample"]["models"]["G"]["bits_per_sent"], rel=1e-6)


def encoded(corpus):
    tags = [["O"] * n for n in corpus.sentences.length.tolist()]
    for s, i, j, x in rows(corpus):
        if corpus.categories[x] != "Null":
            tags[s][i:j] = [f"B-{corpus.categories[x]}", *[f"I-{corpus.categories[x]}"] * (j - i - 1)]
    return tags


COLUMNS = """\
The DT B-NP
cat NN I-NP
sleeps VBZ B-VP
. . O

Tom NNP B-NP
sees VBZ B-VP
the DT B-NP
old JJ I-NP
cat NN I-NP
. . O

"""
PLAIN = "The DT\ndog NN\nsees VBZ\nTom NNP\n. .\n"


@pytest.fixture
def train(tmp_path):
    path = tmp_path / "train.txt"
    path.write_text(COLUMNS * 3)
    (tmp_path / "plain.txt").write_text(PLAIN)
    return path


def test_a_model_is_fitted_saved_and_predicts(train):
    folder = train.parent
    assert referee("phrases", "fit", "--model", "C", train, "--second", train, "-o", folder / "c.json") == (0, "", "")
    assert referee("phrases", "predict", folder / "c.json", folder / "plain.txt", "-o", folder / "c.jsonl") == (0, "", "")
    found = read(folder / "c.jsonl")
    assert found.sentences.words == [["The", "dog", "sees", "Tom", "."]]
    assert found.default is not None
    best = max(zip(found.probability.tolist(), found.start.tolist(), found.end.tolist(), strict=True))
    assert best[0] > 0.5


@pytest.mark.parametrize("tagger", ["corpus", "hmm"])
def test_the_best_parse_is_written_as_columns(train, tagger):
    folder = train.parent
    done = referee("phrases", "fit", "-m", "S(C)", train, "--second", train, "--tagger", tagger, "-o", folder / "s.json")
    assert done == (0, "", "")
    done = referee("phrases", "predict", folder / "s.json", folder / "plain.txt", "--parse")
    assert done.out == "The DT B-NP\ndog NN I-NP\nsees VBZ B-VP\nTom NNP B-NP\n. . O\n\n"


def test_a_phrase_model_can_be_told_how_to_parse(train):
    folder = train.parent
    assert referee("phrases", "fit", "-m", "G", train, "--second", train, "-o", folder / "g.json").status == 0
    done = referee("phrases", "predict", folder / "g.json", folder / "plain.txt", "--parse", "Z")
    assert done.out.startswith("The DT B-NP\ndog NN I-NP\n")
    done = referee("phrases", "predict", folder / "g.json", folder / "plain.txt", "--parse")
    assert done.status == 2
    assert done.errors == ["referee: error: model G cannot parse by itself; expected --parse S or --parse Z"]


def test_the_table_has_every_model(train):
    done = referee("phrases", "reproduce", train, train)
    assert done.status == 0
    assert done.err == ""
    assert re.findall(r"^(\S+) .* \d+\.\d\d$", done.out, re.MULTILINE) == [*MODELS]
    assert "tags:corpus | trees:abney" in done.out
    value = json.loads(referee("phrases", "reproduce", train, train, train, "--report", "json").out)
    assert [row["model"] for row in value["rows"]][:3] == ["0", "1", "XK"]
    assert value["rows"][0]["bits_per_candidate"] == 1
    lines = referee("phrases", "reproduce", train, "--split", "2,2", "--report", "csv").out.splitlines()
    assert lines[0].startswith("model,bits_per_candidate,bits_per_sentence")
    assert len(lines) == 10


def test_trees_are_read_as_well(tmp_path):
    tree = "( (S (NP (DT The) (NN cat)) (VP (VBZ sleeps)) (. .)))\n"
    (tmp_path / "a.mrg").write_text(tree * 6)
    done = referee("phrases", "reproduce", tmp_path, "--split", "2,2", "--trees", "flat")
    assert done.status == 0
    assert "trees:flat" in done.out
    assert read_corpus(str(tmp_path / "a.mrg")).triples()[0] == [("NP", 0, 2), ("VP", 2, 3), ("Null", 3, 4)]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["fit", "--model", "C", "TRAIN"], "model C needs a second corpus"),
        (["fit", "--model", "Q", "TRAIN"], "no model named 'Q'"),
        (["predict", "TRAIN", "TRAIN"], "is not JSON"),
        (["predict", "-", "-"], "- is standard input, which can be read only once"),
        (["predict", "TRAIN", "TRAIN", "--min-probability", "2"], "--min-probability takes a probability; found 2"),
        (["reproduce", "TRAIN"], "--split is for a single corpus"),
        (["reproduce", "TRAIN", "TRAIN", "--split", "1,1"], "--split is for a single corpus"),
        (["reproduce", "TRAIN", "--split", "1"], "--split takes two numbers of sentences"),
        (["reproduce", "TRAIN", "--split", "4,2"], "has 6 sentences; expected more than 4+2"),
        (["reproduce", "TRAIN", "--split", "0,2"], "has 6 sentences; expected more than 0+2"),
        (["reproduce", *["TRAIN"] * 4], "found 4 corpora; expected one, two or three"),
    ],
)
def test_a_mistake_is_told_in_one_line(train, arguments, problem):
    done = referee("phrases", *(str(train) if a == "TRAIN" else a for a in arguments))
    assert done.status == 2
    assert len(done.errors) == 1
    assert problem in done.err


def test_words_of_a_long_outside_chunk_stand_alone_in_tags():
    found = decode([["B-Null", "I-Null", "B-NP", "I-NP"]])
    assert with_single_words(found).triples() == [[("Null", 0, 1), ("Null", 1, 2), ("NP", 2, 4)]]
    assert with_single_words(decode([["B-NP", "I-NP"]])).triples() == [[("NP", 0, 2)]]
