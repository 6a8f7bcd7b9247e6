"""The short way through the decoder decides as the decoder does."""

import numpy as np
import pytest
from hypothesis import given as draws, strategies as st

from referee.resolver import pruning
from referee.resolver.constraints import task_of
from referee.resolver.files import load
from referee.resolver.fitting import vocabularies
from referee.resolver.kinds import with_kinds
from referee.resolver.lexicon import lexicon_of
from referee.resolver.memory import decode
from referee.resolver.pruning import can_prune, decode_pruned
from referee.resolver.relations import Relations
from referee.resolver.tables import TABLES, Tables, shape_of
from referee.resolver.text import annotated_mentions, read_input
from tests.support.examples import examples
from tests.support.trees import KIT, SYNONYMS, documents, given, random_constraints

SIZES = ("size", "bestsize")


def both_ways(model, relations, constraints):
    judge = model.judge(relations)
    assert can_prune(judge)
    long = decode(relations.mentions.document, relations.blocks, judge, constraints)
    return decode_pruned(relations, judge, constraints).tolist(), long.tolist()


@examples(0.8)
@draws(st.data(), st.integers(0, 1000), st.sampled_from([(1, 1, 1), (7, 40, 1), (4096, 1 << 17, 500)]))
def test_pairs_that_cannot_win_are_not_missed(data, seed, limits):
    text = "".join(data.draw(documents(name=f"d{n}")) for n in range(data.draw(st.integers(1, 4))))
    relations = Relations(given(text)[1].mentions, data.draw(st.sampled_from([1, 3, 300])), data.draw(SYNONYMS))
    names = [name for name in TABLES if name not in SIZES]
    words = vocabularies(relations.mentions, names)
    random = np.random.default_rng(seed)
    weights = {}
    for name in names:
        scale = 60 if TABLES[name].kind == "new" else 20
        values = random.integers(-scale, scale, shape_of(TABLES[name], words))
        weights[name] = np.where(random.random(values.shape) < 0.5, 0, values).astype(np.int32)
    model = Tables(weights, words, "any", memory=data.draw(st.sampled_from([0, 1, 4])))
    constraints = random_constraints(relations.mentions, random)
    before = pruning.CHUNK, pruning.CELLS, pruning.WIDE
    try:
        pruning.CHUNK, pruning.CELLS, pruning.WIDE = limits
        short, long = both_ways(model, relations, constraints)
    finally:
        pruning.CHUNK, pruning.CELLS, pruning.WIDE = before
    assert short == long


@pytest.mark.skipif(not KIT.is_dir(), reason="the resolver kit is absent")
@pytest.mark.filterwarnings("ignore:.*expected one type for each entity")
@pytest.mark.parametrize("lexicon", [None, lexicon_of("english")])
def test_the_texts_of_gum_are_decided_alike(lexicon):
    read = read_input(KIT / "gum.dev.conllu.gz")
    mentions = with_kinds(read.syntax, annotated_mentions(read.syntax, read.corpus).mentions, lexicon)
    task = task_of(read.syntax, mentions, lexicon, one_gender=True)
    short, long = both_ways(load("tables").decoder, Relations(task.mentions), task.constraints)
    assert short == long


def test_other_quantifiers_and_sizes_of_mrs_need_all_pairs():
    relations = Relations(given("# newdoc id = d\n1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n\n")[1].mentions)
    size = {"size": np.zeros(shape_of(TABLES["size"], {}), dtype=np.int32)}
    assert can_prune(Tables({}, {}).judge(relations))
    assert not can_prune(Tables({}, {}, "mean").judge(relations))
    assert not can_prune(Tables(size, {}).judge(relations))
