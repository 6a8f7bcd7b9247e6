"""The models against their definitions, candidate by candidate, on small corpora."""

import io
import json
import math
import random
from collections import defaultdict

import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import FormatError, OptionError, UnknownNameError
from referee.formats.shared.source import Source
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.models.by_name import FROM_TWO, MODELS, fit
from referee.phrases.models.files import load, save
from referee.phrases.models.parses import SentenceModel
from referee.phrases.models.tagger import HMM
from referee.phrases.scoring import score
from tests.support.examples import examples
from tests.support.phrases import columns as build_columns, independent_lattice

NAMES = ("A", "B", "C")
TAGS = ("t", "u", "v")

# An oracle has P of every candidate: {(sentence, start, end, category): P}.


def corpus(words, tags, found):
    """found : sentence, start, end, category"""
    sentences = Sentences.numbered([len(row) for row in tags], words, tags)
    return Chunks.build(sentences, NAMES, **build_columns(found))


@st.composite
def corpora(draw):
    """Sentences with tags that are also their words; chunks may nest and overlap."""
    tags = draw(st.lists(st.lists(st.sampled_from(TAGS), min_size=1, max_size=5), min_size=1, max_size=4))
    every = [
        (s, i, j, x)
        for s, row in enumerate(tags)
        for i in range(len(row))
        for j in range(i + 1, len(row) + 1)
        for x in range(3)
    ]
    found = draw(st.lists(st.sampled_from(every), min_size=1, max_size=8, unique=True))
    return corpus([[f"w{tag}" for tag in row] for row in tags], tags, found)


class Doubtful:
    """A tagger that takes a word for its own tag or for the next one, each word alone."""

    tags = TAGS

    def lattice(self, sentences):
        return independent_lattice(sentences, TAGS, [[self.of(word) for word in row] for row in sentences.words or ()])

    @staticmethod
    def of(word):
        t = TAGS.index(word[1:])
        return {TAGS[t]: 0.7, TAGS[(t + 1) % 3]: 0.3}  # 0.3 to the fifth is above what is left out


def sequences(sentences, s, i, j, doubtful):
    """The tags of the words i to j with those that follow (one more, or </s>), and their probabilities."""
    found = {(): 1.0}
    for word in sentences.words[s][i : j + 1]:
        choices = Doubtful.of(word) if doubtful else {word[1:]: 1.0}
        found = {(*tags, tag): p * q for tags, p in found.items() for tag, q in choices.items()}
    return found if j < len(sentences.words[s]) else {(*tags, "</s>"): p for tags, p in found.items()}


def spans(sentences):
    return [(s, i, j) for s, n in enumerate(sentences.length.tolist()) for i in range(n) for j in range(i + 1, n + 1)]


def true_of(chunks):
    return set(zip(*(c.tolist() for c in (chunks.sentence, chunks.start, chunks.end, chunks.category)), strict=True))


def oracle(name, train, second, test, *, doubtful=False):
    """The models from their definitions, with dictionaries, every candidate on its own."""
    truth, every = true_of(train), spans(train.sentences)
    p1 = len(truth) / (len(every) * len(NAMES))
    c = defaultdict(float)
    t = defaultdict(float)
    for s, i, j in every:
        for x in range(len(NAMES)):
            c[x, j - i] += 1
            t[x, j - i] += (s, i, j, x) in truth

    def xk(x, k):
        return (t[x, k] + p1) / (c[x, k] + 1)

    rules = {(x, tags[:-1]) for s, i, j, x in truth for tags in sequences(train.sentences, s, i, j, doubtful)}
    truth2 = true_of(second)
    gc = defaultdict(float)
    gt = defaultdict(float)
    uc = defaultdict(float)
    ut = defaultdict(float)
    for s, i, j in spans(second.sentences):
        for tags, p in sequences(second.sentences, s, i, j, doubtful).items():
            for x in range(len(NAMES)):
                y = (s, i, j, x) in truth2
                for key in ((x, tags[:-1], "any"), (x, tags[:-1], tags[-1])):
                    gc[key] += p
                    gt[key] += p * y
                if (x, tags[:-1]) not in rules:
                    uc[x, j - i] += p
                    ut[x, j - i] += p * y

    def of(x, tags):
        k = len(tags) - 1
        if (x, tags[:-1]) not in rules:
            return (ut[x, k] + p1) / (uc[x, k] + 1)
        p = (gt[x, tags[:-1], "any"] + xk(x, k)) / (gc[x, tags[:-1], "any"] + 1)
        return p if name == "G" else (gt[x, tags[:-1], tags[-1]] + 2 * p) / (gc[x, tags[:-1], tags[-1]] + 2)

    if name in FROM_TWO:
        return {
            (s, i, j, x): sum(p * of(x, tags) for tags, p in sequences(test, s, i, j, doubtful).items())
            for s, i, j in spans(test) for x in range(len(NAMES))
        }  # fmt: skip
    value = {"0": lambda x, k: 0.5, "1": lambda x, k: p1, "XK": xk}[name]
    return {(s, i, j, x): value(x, j - i) for s, i, j in spans(test) for x in range(len(NAMES))}


def every_p(c):
    """The probability of every candidate, listed or not."""
    table = c.default.complete_table(len(c.categories))
    p = {
        (s, i, j, x): float(table[x, min(j - i, table.shape[1]) - 1])
        for s, i, j in spans(c.sentences)
        for x in range(len(NAMES))
    }
    columns = zip(*(column.tolist() for column in (c.sentence, c.start, c.end, c.category, c.probability)), strict=True)
    return p | {(s, i, j, x): value for s, i, j, x, value in columns}


@pytest.mark.parametrize("name", ["0", "1", "XK", "G", "C"])
@given(train=corpora(), second=corpora(), test=corpora())
def test_a_model_gives_what_its_definition_gives(name, train, second, test):
    found = fit(name, train, second).predict(test.sentences)
    assert every_p(found) == pytest.approx(oracle(name, train, second, test.sentences), abs=1e-12)


@pytest.mark.parametrize("name", FROM_TWO)
@given(train=corpora(), second=corpora(), test=corpora())
def test_with_a_stochastic_tagger_tag_sequences_count_as_they_are_probable(name, train, second, test):
    found = fit(name, train, second, tagger=Doubtful()).predict(test.sentences)
    exact = oracle(name, train, second, test.sentences, doubtful=True)
    assert every_p(found) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("name", ["0", "1", "XK", "G", "C"])
@given(train=corpora(), second=corpora(), test=corpora())
def test_sparse_equals_dense(name, train, second, test):
    found = fit(name, train, second).predict(test.sentences)
    truth = true_of(test)
    right = {key: p if key in truth else 1 - p for key, p in every_p(found).items()}
    dense = math.fsum(-math.log2(p) if p > 0 else math.inf for p in right.values())
    assert float(score(test, found).total.cross_entropy) == pytest.approx(dense, rel=1e-10)


def test_models_0_and_1_and_xk_by_hand():
    # Three words have six spans, two words three: 9 spans x 3 categories = 27 candidates, of which 3 are true.
    train = corpus([["a"] * 3, ["a"] * 2], [["t"] * 3, ["t"] * 2], [(0, 0, 2, 0), (0, 2, 3, 1), (1, 0, 1, 0)])
    other = Sentences.numbered([4])
    p1 = 3 / 27
    assert every_p(fit("0", train).predict(other))[0, 0, 4, 2] == 0.5
    assert every_p(fit("1", train).predict(other))[0, 0, 4, 2] == p1
    xk = every_p(fit("XK", train).predict(other))
    assert xk[0, 0, 2, 0] == (1 + p1) / (3 + 1)  # spans of two words: 2 + 1; one is an A
    assert xk[0, 0, 1, 1] == (1 + p1) / (5 + 1)
    assert xk[0, 0, 3, 1] == p1 / (1 + 1)
    assert xk[0, 0, 4, 0] == pytest.approx(p1)  # no span was so long


def test_what_no_rule_covers_is_not_listed():
    train = corpus([["wt", "wu"]], [["t", "u"]], [(0, 0, 1, 0), (0, 1, 2, 1)])
    found = fit("G", train, train).predict(Sentences.numbered([3], tags=[["t", "u", "never seen"]]))
    columns = zip(found.start.tolist(), found.end.tolist(), found.category.tolist(), strict=True)
    assert list(columns) == [(0, 1, 0), (1, 2, 1)]
    assert found.covered.all()


def test_categories_of_either_corpus_are_known():
    sentences = Sentences.numbered([1], tags=[["t"]])
    first = Chunks.build(sentences, ["A"], sentence=[0], start=[0], end=[1], category=[0])
    second = Chunks.build(sentences, ["B"], sentence=[0], start=[0], end=[1], category=[0])
    assert fit("G", first, second).categories == ("A", "B")


@examples(0.4)
@given(train=corpora(), second=corpora(), test=corpora(), name=st.sampled_from(MODELS), with_hmm=st.booleans())
def test_a_model_that_was_saved_predicts_the_same(train, second, test, name, with_hmm):
    model = fit(name, train, second, tagger=HMM.train(train.sentences) if with_hmm else None)
    again = load(Source("m.json", saved(model)))
    assert again.name == model.name
    assert again.categories == model.categories
    assert every_p(again.predict(test.sentences)) == every_p(model.predict(test.sentences))


def saved(model):
    out = io.StringIO()
    save(model, out)
    return out.getvalue().encode()


TRAIN = corpus([["wt", "wu"], ["wv"]], [["t", "u"], ["v"]], [(0, 0, 2, 0), (0, 1, 2, 1), (1, 0, 1, 2)])


def test_a_tagger_of_ones_own_is_given_again():
    data = saved(fit("C", TRAIN, TRAIN, tagger=Doubtful()))
    with pytest.raises(
        FormatError, match=r"m\.json: was made with a tagger that is not in the file; expected it to be given again"
    ):
        load(Source("m.json", data))
    again = load(Source("m.json", data), tagger=Doubtful())
    assert every_p(again.predict(TRAIN.sentences)) == every_p(
        fit("C", TRAIN, TRAIN, tagger=Doubtful()).predict(TRAIN.sentences)
    )


def test_s_and_z_start_from_a_phrase_model():
    model = fit("S", TRAIN, TRAIN)
    assert isinstance(model, SentenceModel)
    assert model.name == "S(G)"
    key = corpus([["wt", "wu"]], [["t", "u"]], [(0, 0, 2, 0)])
    assert model.parse(key.sentences).triples() == [[("A", 0, 2)]]
    assert fit("Z(XK)", TRAIN).name == "Z(XK)"


def test_what_cannot_be_fitted_is_refused():
    with pytest.raises(OptionError, match="model G needs a second corpus"):
        fit("G", TRAIN)
    with pytest.raises(UnknownNameError, match="no model named 'XL'; known: 0, 1, C, G, S"):
        fit("XL", TRAIN)
    with pytest.raises(OptionError, match="has no chunks; expected some to learn from"):
        fit("1", corpus([["wt"]], [["t"]], []))
    without = Chunks.build(Sentences.numbered([1]), NAMES, sentence=[0], start=[0], end=[1], category=[0])
    with pytest.raises(OptionError, match="has no tags; expected a tag for each word"):
        fit("G", TRAIN, without)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "other"}, 'found no model; expected an object with "format": "phrase-model"'),
        ({"version": 2}, "found version 2; expected 1"),
        ({"model": "Q"}, "no model named 'Q'"),
        ({"model": None}, "is no right model (AttributeError); expected what `referee phrases fit` writes: fit it anew"),
        ({"model": "S(S(G))"}, "is no right model (KeyError)"),
        ({"categories": ["A", "A"]}, 'found ["A", "A"]; expected different names'),
        ({"tags": {}}, "expected tags of the model"),
        ({"tags": 3}, "is no right model (TypeError)"),
        ({"tags": [3]}, "found [3]; expected different names"),
        ({"rules": [["A", ["t"], 0.5]]}, "is no right model (ValueError)"),
        ({"rules": [["A", ["t"], 1.5, {}]]}, "rules: found the probability 1.5; expected a number from 0 to 1"),
        ({"rules": [["A", ["t"], 0.5, {"u": -0.5}]]}, "rules: found the probability -0.5; expected a number from 0 to 1"),
        ({"rules": [["A", [], 0.5, {}]]}, "found the tags [] in a rule of A; expected tags of the model"),
        ({"rules": [["Q", ["t"], 0.5, {}]]}, "found a rule of the category 'Q'; expected one of A, B, C"),
        ({"rules": [["A", ["q"], 0.5, {}]]}, 'found the tags ["q"] in a rule of A; expected tags of the model'),
        ({"rules": [["A", ["</s>"], 0.5, {}]]}, 'found the tags ["</s>"] in a rule of A; expected tags of the model'),
        ({"rules": [["A", ["t"], 0.5, {}]] * 2}, "found a rule twice; expected each once"),
        ({"uncovered": None}, "is no right model (TypeError)"),
        ({"uncovered": {"table": [[0.5], [0.5, 0.5], [0.5]], "beyond": 0}}, "is no right model (ValueError)"),
        ({"uncovered": {"table": [[0.5]], "beyond": 0}}, "found a table of 1 categories; expected 3"),
        ({"uncovered": {"table": [[2], [0], [0]], "beyond": 0}}, "found the probability 2"),
        ({"uncovered": {"table": [["a"], [0], [0]], "beyond": 0}}, "is no right model (ValueError)"),
        ({"tagger": 3}, "is no right model (TypeError)"),
        ({"tagger": {"tags": ["t"], "transitions": [[1]], "words": {}}}, "found transitions that are not counts"),
    ],
)
def test_a_file_that_is_no_model_is_refused_with_a_reason(change, problem):
    value = json.loads(saved(fit("C", TRAIN, TRAIN))) | change
    with pytest.raises(FormatError) as error:
        load(Source("m.json", json.dumps(value).encode()))
    assert str(error.value).startswith("m.json: ")
    assert problem in str(error.value)


def test_damaged_models_are_refused_or_read_but_nothing_else_happens():
    data = saved(fit("S(C)", TRAIN, TRAIN, tagger=HMM.train(TRAIN.sentences)))
    chance = random.Random(0)
    for _ in range(400):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(damaged))
            damaged[at : at + chance.randint(0, 3)] = chance.choice(
                [b"", b"0", b"-1", b"[", b"]", b"{}", b'"', b"null", b"1e999", b"9" * 30]
            )
        try:
            model = load(Source("m.json", bytes(damaged)))
        except FormatError:
            continue
        model.predict(TRAIN.sentences)
