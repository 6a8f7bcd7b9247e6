"""The evaluators of the field: their numbers on LitBank, which their own programs printed, and their methods."""

import numpy as np
import pytest

import referee
from referee.training import ClusterChecker, CorefEvaluator, MentionEvaluator
from tests.support.paths import SHARED

KIT = SHARED / "conformance" / "litbank"
in_kit = pytest.mark.skipif(not KIT.is_dir(), reason="needs the conformance kit, ../shared/conformance")

# Precision, recall and F1 of muc, b_cubed, ceafe and their mean. Printed by maverick/common/metrics.py of
# SapienzaNLP/maverick-coref at 0dc6554, on the documents of the kit.
MAVERICK = {
    "mild": {
        "muc": (0.9343013568198049, 0.9267567057045712, 0.9305137384130296),
        "b_cubed": (0.9128067476371671, 0.8861346506671167, 0.8992729715448251),
        "ceafe": (0.8821776656332213, 0.8925274225278711, 0.8873223651318034),
        "conll2012": (0.9097619233633978, 0.9018062596331863, 0.905703025029886),
    },
    "medium": {"conll2012": (0.7385292510200947, 0.7127096808033352, 0.7245989958104376)},
    "severe": {"conll2012": (0.49891716536917124, 0.3648695649740259, 0.4166412602548717)},
}

# The same three of the mean, printed by metrics.py of kentonl/e2e-coref at 9d1ee19 (with scipy's assignment), on these
# documents without singletons on both sides.
E2E = {
    "mild": (0.8492737846256017, 0.8998798285162851, 0.870936525801492),
    "medium": (0.6575459838260346, 0.7076314982877737, 0.6700352616227242),
    "severe": (0.40119850273074337, 0.4221977959045313, 0.39464951654880503),
}

# F1, precision and recall, printed by coref/cluster_checker.py of vdobrovolskii/wl-coref at 4af0aa0.
WL_COREF = {
    "mild": (0.8724980031777371, 0.8846326031476761, 0.8606918990332891),
    "medium": (0.6414408925741084, 0.6904618121407649, 0.598919334045016),
    "severe": (0.30911003256558384, 0.37894922535521924, 0.26100726659895596),
}

# The three numbers of mbc, and bakeoff; the latter without singletons on both sides. Printed by
# stanza/models/coref/cluster_checker.py of Stanza 1.15.0.
STANZA = {
    "mild": (0.9280535535942025, 0.8990457635834752, 0.879355986801842, 0.9021517679931733, 0.8676526870458717),
    "medium": (0.7852173073790798, 0.706342552547103, 0.6669189581168984, 0.7194929393476936, 0.668915324676511),
    "severe": (0.5173383589846927, 0.3823173656855466, 0.34888526184388535, 0.4161803288380415, 0.39297082444724646),
}

# Precision, recall and F1 of the evaluator of mentions of maverick.
MENTIONS = {
    "mild": (0.9568303186907838, 0.9542658832422775, 0.9555463804018718),
    "severe": (0.7126605658634876, 0.5833419235130399, 0.6415493623051489),
}


def entities(name):
    corpus = referee.read(KIT / f"litbank.{name}.conll.gz")
    return [[tuple((m.start, m.end) for m in e.mentions) for e in d.entities] for d in corpus.documents.values()]


@pytest.fixture(scope="module")
def litbank():
    key = entities("key")
    return lambda name: list(zip(key, entities(name), strict=True))


def by_mention(clusters):
    return {mention: cluster for cluster in clusters for mention in cluster}


@in_kit
@pytest.mark.parametrize("name", MAVERICK)
def test_with_singletons_the_numbers_are_those_of_maverick(litbank, name):
    evaluator = CorefEvaluator()
    for gold, predicted in litbank(name):
        evaluator.update(predicted, gold, by_mention(predicted), by_mention(gold))
    for metric, expected in MAVERICK[name].items():
        assert evaluator.get_prf(metric) == pytest.approx(expected, abs=1e-12), metric
    assert evaluator.get_prf() == evaluator.get_prf("conll2012")


@in_kit
@pytest.mark.parametrize("name", E2E)
def test_without_singletons_the_numbers_are_those_of_e2e(litbank, name):
    evaluator = CorefEvaluator(singletons="drop")
    for gold, predicted in litbank(name):
        evaluator.update(predicted, gold)
    assert evaluator.get_prf() == pytest.approx(E2E[name], abs=1e-12)


@in_kit
@pytest.mark.parametrize("name", WL_COREF)
def test_the_cluster_checker_has_the_numbers_of_wl_coref(litbank, name):
    checker = ClusterChecker()
    for gold, predicted in litbank(name):
        f1, precision, recall = checker.add_predictions(gold, predicted)
        assert 0 <= min(precision, recall) <= f1 <= max(precision, recall) <= 1
    assert checker.total_lea == pytest.approx(WL_COREF[name], abs=2e-7)  # wl-coref adds 1e-7 to denominators


@in_kit
@pytest.mark.parametrize("name", STANZA)
def test_the_cluster_checker_has_the_numbers_of_stanza(litbank, name):
    checker, without = ClusterChecker(), ClusterChecker()
    for gold, predicted in litbank(name):
        checker.add_predictions(gold, predicted)
        without.add_predictions(*([cluster for cluster in side if len(cluster) > 1] for side in (gold, predicted)))
    assert [*checker.mbc, checker.bakeoff, without.bakeoff] == pytest.approx(STANZA[name], abs=2e-7)


@in_kit
@pytest.mark.parametrize("name", MENTIONS)
def test_the_mention_evaluator_has_the_numbers_of_maverick(litbank, name):
    evaluator = MentionEvaluator()
    for gold, predicted in litbank(name):
        evaluator.update([m for e in predicted for m in e], [m for e in gold for m in e])
    assert evaluator.get_prf() == pytest.approx(MENTIONS[name], abs=1e-15)


def test_each_metric_has_the_methods_of_the_field():
    evaluator = CorefEvaluator()
    evaluator.update([[(0, 1), (4, 5)], [(7, 8)]], [[(0, 1), (4, 5), (7, 8)]])
    muc, b_cubed, ceafe = evaluator.evaluators
    assert muc.get_counts() == (1, 1, 1, 2)
    assert b_cubed.get_counts() == pytest.approx((3, 3, 5 / 3, 3))
    assert ceafe.get_counts() == pytest.approx((0.8, 2, 0.8, 1))
    assert muc.get_prf() == (1.0, 0.5, 2 / 3)
    assert (muc.get_precision(), muc.get_recall(), muc.get_f1()) == evaluator.get_prf("muc")
    assert evaluator.get_f1() == pytest.approx((muc.get_f1() + b_cubed.get_f1() + ceafe.get_f1()) / 3)


def test_nothing_scores_0_as_in_the_field():
    evaluator, mentions, checker = CorefEvaluator(), MentionEvaluator(), ClusterChecker()
    assert evaluator.get_prf() == mentions.get_prf() == checker.total_lea == (0.0, 0.0, 0.0)
    evaluator.update([], [[(0, 1), (4, 5)]], {}, {(0, 1): ((0, 1), (4, 5)), (4, 5): ((0, 1), (4, 5))})
    mentions.update([], [(0, 1)])
    assert checker.bakeoff == 0.0
    assert checker.add_predictions([[(0, 1), (4, 5)]], []) == (0.0, 0.0, 0.0)
    assert evaluator.get_prf() == mentions.get_prf() == checker.total_lea == (0.0, 0.0, 0.0)
    assert evaluator.evaluators[0].get_counts() == (0, 0, 0, 1)


def test_mentions_may_be_of_any_kind_and_repeat():
    evaluator = MentionEvaluator()
    evaluator.update(["a", "b", "b"], ["b", "c"])
    evaluator.update([(0, 3, 1)], [(0, 3, 1)])
    assert evaluator.get_prf() == (2 / 3, 2 / 3, 2 / 3)


@pytest.mark.parametrize("of", [list, np.array, lambda mentions: list(map(list, mentions)), iter])
def test_mentions_are_lists_and_arrays_too(of):
    evaluator = MentionEvaluator()
    evaluator.update(of([(0, 1), (4, 5), (4, 5)]), of([(0, 1), (7, 9), (4, 5)]))
    assert evaluator.get_prf() == pytest.approx((1.0, 2 / 3, 0.8))
    with pytest.raises(referee.OptionError, match="among mentions; expected spans, not clusters of them"):
        evaluator.update([[(0, 1), (4, 5)]], [[(0, 1)]])


def test_an_unknown_metric_is_named():
    with pytest.raises(referee.UnknownNameError, match="no metric named 'blanc'; known: b_cubed, ceafe, conll2012, muc"):
        CorefEvaluator().get_f1("blanc")


def test_the_line_of_fast_coref():
    evaluator = CorefEvaluator()
    evaluator.update([[(0, 1), (4, 5)]], [[(0, 1), (4, 5), (7, 9)]])
    # Of MUC, one link of one is right, and one of two is found.
    assert evaluator.evaluators[0].get_prf_str() == "Recall: 50.0, Precision: 100.0, F-score:  66.7\n"
