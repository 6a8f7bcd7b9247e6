"""Parsers fitted to small treebanks, their files, and what they make of words."""

import json
import os
import subprocess
import sys
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import FormatError
from referee.parsing.fitting import fit
from referee.parsing.model import MAGIC, check_exact, load, save
from referee.parsing.network import EXACT, Widths, largest_sums
from referee.parsing.tagging import LONGEST, tag_and_parse
from referee.parsing.words import PlacedWords
from tests.parsing.treebanks import GUM_DEV, row, sentences, written
from tests.support.examples import examples
from tests.support.paths import ROOT

SMALL = Widths(word=8, prefix=4, suffix=4, ending=4, shape=4, near=16, wide=16, detail=4, state=24)
SHIPPED = ROOT / "src" / "referee" / "parsing" / "models" / "english.model"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    return written(tmp_path_factory.mktemp("treebank") / "tiny.conllu", 16 * sentences())


@pytest.fixture(scope="module")
def model(treebank):
    return fit([treebank], language="en", rounds=25, size=SMALL)


def placed(lists):
    """Sentences of words, of one document."""
    form = [word for words in lists for word in words]
    size = np.array([len(word) + 1 for word in form], dtype=np.int64)
    end = np.cumsum(size) - 1
    first = np.cumsum([0, *map(len, lists)])
    nothing = np.zeros(len(lists), dtype=np.int64)
    return PlacedWords(["a"], [" ".join(form)], form, end - size + 1, end, first, nothing, nothing > 0, [""] * len(lists))


def check_trees(parsed):
    """One root a sentence, no circle, a relation, a tag, a lemma and features for each word."""
    words = parsed.words
    columns = (parsed.upos, parsed.xpos, parsed.feats, parsed.lemma, parsed.deprel)
    assert all(len(column) == len(words.form) and all(column) for column in columns)
    for a, b in pairwise(words.first.tolist()):
        head = parsed.head[a:b]
        assert (head == 0).sum() == 1
        assert head.min() >= 0 and head.max() <= b - a
        above = head.copy()  # after as many steps as are needed, all are at the root
        for _ in range((b - a).bit_length()):
            above = np.where(above > 0, np.concatenate([[0], above])[above], 0)
        assert not above.any()


def test_an_easy_language_is_learnt(model):
    parsed = tag_and_parse(placed([["Emma", "knows", "the", "cars", "."], ["Bob", "finds", "the", "cats", "."]]), model)
    assert list(parsed.upos) == 2 * ["PROPN", "VERB", "DET", "NOUN", "PUNCT"]
    assert list(parsed.xpos) == 2 * ["NNP", "VBZ", "DT", "NNS", "."]
    assert list(parsed.feats) == 2 * ["Number=Sing", "Person=3", "Definite=Def", "Number=Plur", "_"]
    assert list(parsed.lemma) == ["Emma", "know", "the", "car", ".", "Bob", "find", "the", "cat", "."]
    assert parsed.head.tolist() == 2 * [2, 0, 4, 2, 2]
    assert list(parsed.deprel) == 2 * ["nsubj", "root", "det", "obj", "punct"]


@examples(0.5)
@given(
    st.lists(
        st.lists(st.sampled_from(["Ann", "sees", "the", "dogs", ".", "é", "x1", "&", "\u202e", "“"]), min_size=1), max_size=9
    )
)
def test_any_words_have_trees(lists):
    check_trees(tag_and_parse(placed(lists), _model()))


@cache
def _model():
    """The shipped one: hypothesis has no fixtures of modules."""
    return load()


def test_the_order_of_sentences_and_their_neighbours_do_not_matter(model):
    lists = [[w.split("\t")[1] for w in s][:n] for n, s in zip([1, 5, 3, 2, 4] * 6, sentences(), strict=True)]
    whole = tag_and_parse(placed(lists), model)
    for (a, b), words in zip(pairwise(whole.words.first.tolist()), lists, strict=True):
        alone = tag_and_parse(placed([words]), model)
        assert (alone.head == whole.head[a:b]).all()
        assert list(alone.deprel) == list(whole.deprel[a:b])


@pytest.mark.parametrize("size", [LONGEST, LONGEST + 1, 5 * LONGEST + 7])
def test_a_long_sentence_is_one_tree(model, size):
    form = ["Ann", "sees", "the", "dogs", "."] * size
    parsed = tag_and_parse(placed([["Bob"], form[:size], ["cats", "."]]), model)
    check_trees(parsed)
    assert (parsed.head == 0).sum() == 3


def test_nothing_has_no_trees(model):
    assert len(tag_and_parse(placed([]), model).head) == 0


def test_a_model_is_read_as_it_was_written(model, tmp_path):
    path = str(tmp_path / "a.model")
    save(model, path)
    again = load(path)
    assert again._replace(weights={}) == model._replace(weights={})
    assert all(np.array_equal(again.weights[name], array) for name, array in model.weights.items())
    assert again.digest == model.digest
    assert [source["words"] for source in again.sources] == [16 * 5 * len(sentences())]


def changed(raw, **values):
    """A model with other values in its header, and the digest that belongs to it."""
    from referee.algorithms.digest import blake2b

    payload = raw[len(MAGIC) + 16 :]
    behind = 8 + int.from_bytes(payload[:8], "little")
    text = json.dumps({**json.loads(payload[8:behind]), **values}).encode()
    payload = len(text).to_bytes(8, "little") + text + payload[behind:]
    return MAGIC + blake2b(payload, digest_size=16).digest() + payload


WRONG = {
    "version": 99, "size": {"word": 8}, "seen": {}, "tags": [["NOUN"]], "labels": [], "splitting": {},
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_refused_in_one_line(model, tmp_path, name):
    path = tmp_path / "a.model"
    save(model, str(path))
    path.write_bytes(changed(path.read_bytes(), **{name: WRONG[name]}))
    with pytest.raises(FormatError, match=r"a\.model: is no right model \(.*fit it anew$") as error:
        load(str(path))
    assert "\n" not in str(error.value)


def test_a_damaged_file_is_refused_in_one_line(model, tmp_path):
    path = tmp_path / "a.model"
    save(model, str(path))
    raw = path.read_bytes()
    source = np.random.default_rng(5)
    places = source.integers(0, len(raw), 60).tolist()
    broken = [raw[:n] for n in places] + [raw[:n] + bytes([raw[n] ^ 1]) + raw[n + 1 :] for n in places] + [b"", raw + b"x"]
    for content in broken:
        path.write_bytes(content)
        with pytest.raises(FormatError, match=r"a\.model: .*expected ") as error:
            load(str(path))
        assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_or_none_of_ours(tmp_path):
    with pytest.raises(FormatError, match=r"x\.model: cannot be opened: no such file; a model is english, or a file of "):
        load(str(tmp_path / "x.model"))
    with pytest.raises(FormatError, match="cannot be opened"):
        load(str(tmp_path))


def test_sums_that_may_not_be_exact_are_refused(model):
    assert max(largest_sums(model.weights).values()) < EXACT
    wide = {**model.weights, "near": np.full((2000, 16), 127, dtype=np.float32)}
    with pytest.raises(ValueError, match="sums of the layer near reach"):
        check_exact(wide)


def test_the_bound_of_sums_is_reached_by_the_words_that_reach_it(model):
    """An oracle: units at their largest value where a weight is positive, at 0 elsewhere, and the other way round."""
    weight, bias = model.weights["wide"].astype(np.int64), model.weights["wide bias"].astype(np.int64)
    most = (np.where(weight > 0, 127, -127) * weight).sum(axis=0) + np.abs(bias)
    assert largest_sums(model.weights)["wide"] == most.max()


THREADS = """
import sys
from referee.parsing.fitting import fit
from tests.parsing.test_fitting import SMALL
print(fit([sys.argv[1]], language="en", rounds=2, size=SMALL._replace(near=64, wide=64, state=96)).digest)
"""


def test_the_same_model_is_fitted_with_any_number_of_threads(treebank):
    def digest(threads):
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
        env = {**os.environ, **dict.fromkeys(names, threads), "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
        command = [sys.executable, "-c", THREADS, str(treebank)]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    one, three = digest("1"), digest("3")
    assert len(one.strip()) == 32
    assert one == three


BAD = {
    "no parts of speech": (row(1, "Ann", "Ann", "_", "_", 0, "root"), "found no UPOS; expected one of each word"),
    "no trees": (row(1, "Ann", "Ann", "PROPN NNP", "_", 0, "root").replace("\t0\t", "\t_\t"), "found the HEAD '_'; expected 0"),
    "no relations": (row(1, "Ann", "Ann", "PROPN NNP", "_", 0, "_"), "found no DEPREL; expected one of each word"),
    "no root": (row(1, "Ann", "Ann", "PROPN NNP", "_", 1, "dep"), "found 0 roots in the sentence; expected one"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_without_trees_is_refused_with_its_line(tmp_path, kind):
    line, problem = BAD[kind]
    path = written(tmp_path / "bad.conllu", [*sentences(), [line]])
    number = 1 + path.read_text(encoding="utf-8").split("\n").index(line)
    with pytest.raises(FormatError) as error:
        fit([path], language="en")
    assert str(error.value).startswith(f"{path}:{number}: {problem}")


def test_heads_that_run_in_a_circle_are_refused(tmp_path):
    heads = ((1, 0), (2, 3), (3, 2))
    path = written(tmp_path / "bad.conllu", [[row(n, "a", "a", "X X", "_", head, "dep") for n, head in heads]])
    with pytest.raises(FormatError, match="HEADs that run in a circle"):
        fit([path], language="en")


def test_files_that_are_none_are_refused(tmp_path):
    (tmp_path / "empty.conllu").write_text("")
    (tmp_path / "text.txt").write_text("A text.\n")
    for name in ("empty.conllu", "text.txt"):
        with pytest.raises(FormatError, match=name):
            fit([tmp_path / name], language="en")


def test_features_are_those_of_the_files_named_for_them(treebank, tmp_path):
    other = [[line.replace("Number=Plur", "Number=Ptan") for line in sentence] for sentence in sentences()]
    features = written(tmp_path / "features.conllu", other)
    found = fit([treebank], features=[features], language="en", rounds=25, size=SMALL)
    parsed = tag_and_parse(placed([["Ann", "sees", "the", "dogs", "."]]), found)
    assert parsed.feats[3] == "Number=Ptan"


def test_tokens_of_several_words_and_empty_nodes_are_left_out(tmp_path):
    rows = [[row(1, "a", "a", "X X", "_", 0, "root"), row(2, "b", "b", "X X", "_", 1, "dep")] for _ in range(9)]
    more = [["1-2\tab" + 8 * "\t_", a, b, "2.1\tc" + 6 * "\t_" + "\t1:dep\t_"] for a, b in rows]
    sizes = [fit([written(tmp_path / f"{n}.conllu", given)], language="en", rounds=1, size=SMALL).sources[0]["words"]
             for n, given in enumerate((rows, more))]  # fmt: skip
    assert sizes == [18, 18]


def test_the_shipped_model_says_what_it_was_made_of():
    model = load("english")
    assert model.language == "en"
    assert model.licence == "CC BY-SA 4.0"
    assert [source["file"] for source in model.sources] == [*2 * ["gum-by.train.conllu.gz"], "ewt.train.conllu.gz"]
    assert max(largest_sums(model.weights).values()) < EXACT


@pytest.mark.skipif(not GUM_DEV.exists(), reason="the kit of treebanks is not beside the project")
def test_the_shipped_model_reaches_its_floor():
    """The floor of the whole of gum.dev is a LAS of 78.5; of its first 400 sentences, here, 78."""
    from referee.parsing.treebank import read_treebank

    key = read_treebank(GUM_DEV)
    after = int(key.first[400])
    lists = [key.form[a:b] for a, b in pairwise(key.first[:401].tolist())]
    parsed = tag_and_parse(placed(lists), load())
    check_trees(parsed)
    same = parsed.head == key.head[:after]
    las = np.mean([one and a == b for one, a, b in zip(same.tolist(), parsed.deprel, key.deprel, strict=False)])
    upos = np.mean([a == b for a, b in zip(parsed.upos, key.upos, strict=False)])
    assert las >= 0.78
    assert upos >= 0.95
