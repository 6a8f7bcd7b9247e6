"""The scorers for spaCy, in pipelines and configs. ``python -m tests.training.test_spacy`` stores what spacy-experimental
0.6.4 returns, where it is installed.

Needs spaCy, and Referee installed: spaCy finds scorers by their entry points.
"""

import gzip
import json
import pickle
import random
from importlib import import_module
from pathlib import Path

import pytest

import referee
from referee.basics.exceptions import MismatchError, UnknownNameError
from referee.training import spacy as ours
from tests.support.frameworks import spacy_with_scorers

STORED = Path(__file__).parent / "stored" / "spacy_experimental.json.gz"
WORDS = [f"w{n}" for n in range(30)]
CONFIG = """
[nlp]
lang = "en"
pipeline = ["first_two"]
[components]
[components.first_two]
factory = "first_two"
[components.first_two.scorer]
@scorers = "referee.coref.v1"
metrics = ["muc", "conll"]
"""


def entities(seed):
    chance = random.Random(seed)
    clusters = {}
    for start in chance.sample(range(28), chance.randint(0, 14)):
        clusters.setdefault(chance.randrange(5), []).append((start, start + chance.randint(1, 2)))
    return list(clusters.values())


def documents(seed):
    """Key and response of two documents, related or not."""
    return [(entities(2 * seed + n), entities(2 * seed + n)[n:] if seed % 2 else entities(-seed - n)) for n in range(2)]


def example(key, response, prefix="coref_clusters"):
    """Two documents, with spans of another key, too, which are no coreference."""
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.vocab import Vocab

    docs, vocab = [], Vocab()
    for side in (response, key):
        doc = Doc(vocab, words=WORDS)
        doc.spans["sc"] = [doc[0:1]]
        for number, entity in enumerate(side, start=1):
            doc.spans[f"{prefix}_{number}"] = [doc[start:end] for start, end in entity]
        docs.append(doc)
    return Example(*docs)


def test_lea_is_that_of_spacy_experimental():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    score = ours.make_coref_scorer()
    cases = json.loads(gzip.decompress(STORED.read_bytes()))
    for seed, returned in enumerate(cases):
        found = score([example(*pair) for pair in documents(seed)])
        assert {side: found[side] for side in returned} == pytest.approx(returned, rel=1e-12)
    assert len(cases) == 100


def test_other_metrics_are_those_of_score():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    pairs = documents(3)
    found = ours.make_coref_scorer("chains", ["muc", "b3", "conll"])([example(*pair, prefix="chains") for pair in pairs])
    expected = referee.score([key for key, _ in pairs], [response for _, response in pairs])
    assert found["coref_muc_f"] == expected["muc"].f1
    assert found["coref_b_cubed_p"] == expected["b_cubed"].precision
    assert found["coref_conll_f"] == expected["conll"].value
    with pytest.raises(UnknownNameError, match="no metric named 'mucc'"):
        ours.make_coref_scorer(metrics=["mucc"])([])


def test_other_tokens_of_one_text_are_cut_alike():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.vocab import Vocab

    reference = Doc(Vocab(), words=["New", "-", "York", "loves", "its", "zoo"], spaces=[False, False, True, True, True, False])
    predicted = Doc(Vocab(), words=["New-York", "loves", "its", "zoo"], spaces=[True, True, True, False])
    reference.spans["coref_clusters_1"] = [reference[0:3], reference[4:5]]
    predicted.spans["coref_clusters_1"] = [predicted[0:1], predicted[2:3]]
    assert ours.make_coref_scorer()([Example(predicted, reference)])["coref_f"] == 1.0


def test_nothing_at_all_is_0_and_no_warning():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    assert set(ours.make_coref_scorer()([]).values()) == {0.0}
    assert set(ours.make_coref_scorer()([example([], [])]).values()) == {0.0}
    assert set(ours.make_spans_scorer()([]).values()) == {None}


def spans_examples(seed):
    """With labels; some references have no spans of the key, some predictions neither; some have spans twice."""
    chance = random.Random(seed)
    examples = [example([], []) for _ in range(3)]
    for number, pair in enumerate(examples):
        for doc in (pair.reference, pair.predicted):
            spans = [(chance.randrange(9), chance.randint(1, 3), chance.choice("XYZ")) for _ in range(6)]
            group = [import_module("spacy.tokens").Span(doc, start, start + size, label=label) for start, size, label in spans]
            doc.spans["sc"] = group
        if number == 2:
            del (pair.reference if seed % 2 else pair.predicted).spans["sc"]
    return examples


def test_labelled_spans_are_scored_as_spacy_scores_them():
    score = pickle.loads(pickle.dumps(spacy_with_scorers().registry.scorers.get("referee.spans.v1")()))
    theirs = import_module("spacy.pipeline.spancat").make_spancat_scorer()
    for seed in range(60):
        examples = spans_examples(seed)
        expected = theirs(examples, spans_key="sc")
        found = score(examples, spans_key="sc", threshold=0.5)  # spaCy passes the config of the component
        per_type, expected_per_type = found.pop("spans_sc_per_type"), expected.pop("spans_sc_per_type")
        assert {name: found[name] for name in expected} == pytest.approx(expected)
        assert per_type == {label: pytest.approx(sides) for label, sides in expected_per_type.items()}
        assert found["spans_sc_partial_f"] >= found["spans_sc_span_f"] >= found["spans_sc_f"]
        assert found["spans_sc_category_f"] >= found["spans_sc_f"]


def two_docs(reference, gold, predicted, guess):
    """An example of one text with two tokenisations: `|` is between tokens, and a blank after it belongs to the one before."""
    tokens = import_module("spacy.tokens")
    docs, vocab = [], import_module("spacy.vocab").Vocab()
    for text, spans in ((predicted, guess), (reference, gold)):
        words = text.split("|")
        doc = tokens.Doc(
            vocab, words=[w.removesuffix(" ") or " " for w in words], spaces=[len(w) > 1 and w[-1] == " " for w in words]
        )
        doc.spans["sc"] = [tokens.Span(doc, start, end, label) for start, end, label in spans]
        docs.append(doc)
    return import_module("spacy.training").Example(*docs)


CUT = [  # predicted, right ones, those that spaCy sees
    ([(0, 2, "LOC"), (3, 4, "LOC")], 1, 1),  # the second ends within "parks"
    ([(0, 2, "LOC"), (3, 4, "LOC"), (4, 5, "LOC")], 1, 1),
    ([(0, 2, "LOC"), (3, 4, "ORG"), (3, 4, "LOC"), (2, 4, "LOC")], 1, 1),
    ([(0, 2, "LOC"), (3, 5, "LOC")], 1, 2),
    ([(4, 5, "LOC")], 0, 0),
]


@pytest.mark.parametrize(("guess", "right", "whole"), CUT)
def test_a_predicted_span_that_cuts_a_token_of_the_reference_is_wrong(guess, right, whole):
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    pair = two_docs("New |York |has |parks", [(0, 2, "LOC")], "New |York |has |par|ks", guess)
    found = ours.make_spans_scorer()([pair])
    assert (found["spans_sc_p"], found["spans_sc_r"]) == (right / len(guess), right)
    assert found["spans_sc_span_p"] == found["spans_sc_partial_p"] == right / len(guess)
    of_label = [label for *_, label in guess].count("LOC")
    assert found["spans_sc_per_type"]["LOC"]["p"] == right / of_label
    theirs = import_module("spacy.pipeline.spancat").make_spancat_scorer()([pair], spans_key="sc")
    for side in "prf":
        assert found[f"spans_sc_spacy_{side}"] == pytest.approx(theirs[f"spans_sc_{side}"])
    assert found["spans_sc_spacy_p"] == (right / whole if whole else 0)


def test_a_cut_span_shares_a_word_with_the_span_that_it_cuts():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    pair = two_docs("New |York |has |parks", [(3, 4, "LOC")], "New |York |has |par|ks", [(3, 4, "LOC")])
    found = ours.make_spans_scorer()([pair])
    assert [found[f"spans_sc{way}_f"] for way in ("", "_span", "_category", "_partial")] == [0.0, 0.0, 1.0, 0.5]


def with_ents(pair, missing=()):
    """The same example, whose labelled spans are entities; of some tokens of the reference nothing is known."""
    for doc in (pair.predicted, pair.reference):
        left = import_module("spacy.util").filter_spans(doc.spans["sc"])
        doc.set_ents(left, missing=[doc[n : n + 1] for n in missing if doc is pair.reference], default="outside")
    return pair


def test_entities_are_scored_as_spacy_scores_them_where_tokens_are_the_same():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    chance = random.Random(3)
    for _ in range(60):
        sides = [
            [(n, n + chance.randint(1, 2), chance.choice("XY")) for n in range(0, 7, 2) if chance.random() < 0.6] for _ in "ab"
        ]
        words = "a |b |c |d |e |f |g |h |i"
        pair = with_ents(two_docs(words, sides[0], words, sides[1]), missing=(8,) if chance.random() < 0.3 else ())
        expected = import_module("spacy.scorer").get_ner_prf([pair])
        found = ours.make_ents_scorer()([pair], threshold=0.5)
        for side in "prf":
            assert found[f"ents_{side}"] == found[f"ents_spacy_{side}"] == pytest.approx(expected[f"ents_{side}"])
        assert {k: v for k, v in found["ents_per_type"].items() if any(v.values())} == {
            label: pytest.approx(sides) for label, sides in expected["ents_per_type"].items() if any(sides.values())
        }


def test_an_entity_that_cuts_a_token_is_wrong():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    guess = [(0, 2, "LOC"), (3, 4, "LOC")]
    pair = with_ents(two_docs("New |York |has |parks", [(0, 2, "LOC"), (3, 4, "LOC")], "New |York |has |par|ks", guess))
    found = ours.score_docs([pair.reference], [pair.predicted])
    assert (found["ents_p"], found["ents_r"], found["ents_partial_f"]) == (0.5, 0.5, 0.75)
    assert (found["ents_spacy_p"], found["ents_spacy_r"]) == (1.0, 1.0)  # as if "par" were "parks"


def test_documents_without_annotation_are_left_out():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    tokens, vocab = import_module("spacy.tokens"), import_module("spacy.vocab").Vocab()
    bare = tokens.Doc(vocab, words=["a", "b"])
    assert {*ours.score_docs([bare], [bare]).values()} == {None}
    # Nothing is known of the second token, so what is predicted there is neither right nor wrong.
    pair = with_ents(two_docs("a |b |c", [(0, 1, "X")], "a |b |c", [(0, 1, "X"), (1, 2, "X")]), missing=(1,))
    assert ours.score_docs([pair.reference], [pair.predicted])["ents_p"] == 1.0


def test_one_document_needs_no_list():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    doc = with_ents(two_docs("Anna |left", [(0, 1, "PER")], "Anna |left", [])).reference
    assert ours.score_docs(doc, doc) == ours.score_docs([doc], [doc])
    with pytest.raises(referee.OptionError, match="found 'Anna left Rome'; expected a Doc"):
        ours.score_docs(["Anna left Rome"], [doc])


def test_a_metric_that_there_is_not_is_refused_where_it_is_configured():
    with pytest.raises(referee.UnknownNameError, match="did you mean muc"):
        ours.make_coref_scorer(metrics=["mucc"])


def test_documents_that_do_not_belong_together_are_named():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    one, other = (two_docs(text, [], text, []).reference for text in ("a |b", "a |c"))
    with pytest.raises(MismatchError, match="found 0 predicted documents; expected 1, as of the reference"):
        ours.score_docs([one], [])
    with pytest.raises(MismatchError, match="document 0: found 'a c'; expected 'a b', as in the reference"):
        ours.score_docs([one], [other])


def test_blanks_may_be_tokens():
    pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    found = ours.make_spans_scorer()(
        [two_docs("a |b|\n|c", [(1, 3, "X")], "a |b|\n|c", [(1, 3, "X"), (1, 2, "X"), (2, 3, "X")])]
    )
    assert (found["spans_sc_p"], found["spans_sc_spacy_p"]) == (1 / 3, pytest.approx(1 / 3))
    found = ours.make_spans_scorer()([two_docs("a |b", [(1, 2, "X")], "a|\n|b", [(2, 3, "X"), (1, 2, "X")])])
    assert (found["spans_sc_p"], found["spans_sc_spacy_p"]) == (1 / 2, pytest.approx(1))


def test_a_config_names_the_scorer_and_nlp_evaluate_calls_it():
    language, util = spacy_with_scorers().language.Language, spacy_with_scorers().util

    @language.factory("first_two", default_config={"scorer": {"@scorers": "referee.coref.v1"}})
    class FirstTwo:
        def __init__(self, nlp, name, scorer):
            self.scorer = scorer

        def __call__(self, doc):
            doc.spans["coref_clusters_1"] = [doc[0:1], doc[1:2]]
            return doc

        def score(self, examples, **config):
            return self.scorer(examples, **config)

    nlp = util.load_model_from_config(import_module("thinc.api").Config().from_str(CONFIG), auto_fill=True)
    pair = example([[(0, 1), (1, 2), (4, 5)]], [])
    found = nlp.evaluate([pair])
    assert (found["coref_p"], found["coref_f"], found["coref_muc_r"]) == (1.0, 0.5, 0.5)
    assert found["coref_conll_f"] == pytest.approx(referee.score([{0, 1, 4}], [{0, 1}])["conll"].value)


if __name__ == "__main__":
    theirs = import_module("spacy_experimental.coref.coref_scorer").score_coref_clusters
    pairs = [[example(*pair) for pair in documents(seed)] for seed in range(100)]
    results = [theirs(examples, span_cluster_prefix="coref_clusters") for examples in pairs]
    STORED.write_bytes(gzip.compress(json.dumps(results).encode(), mtime=0))
