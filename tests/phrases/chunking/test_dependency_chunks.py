"""Chunks of trees of Universal Dependencies: examples by hand, and a partition of the words for every tree."""

import pytest
from hypothesis import given, strategies as st

from referee.formats.shared.source import Source
from referee.phrases.chunking.dependency_chunks import dependency_chunks
from referee.phrases.formats.reading import read
from tests.support.paths import SHARED

CATEGORIES = {"NP", "VP", "ADJP", "ADVP", "PP", "SBAR", "PRT", "INTJ", "Null"}

UPOS = ("NOUN", "PROPN", "PRON", "VERB", "AUX", "ADJ", "ADV", "DET", "ADP", "PART", "CCONJ", "SCONJ", "NUM", "PUNCT", "X", "_")
DEPRELS = (
    *("det", "amod", "compound", "compound:prt", "flat", "fixed", "nummod", "nmod:poss", "case", "mark", "cop", "aux", "cc"),
    *("advmod", "nsubj", "obj", "conj", "punct", "root", "nmod:desc", "_"),
)


def bracketed(text):
    """The chunks of a tree, written as word/UPOS/HEAD/DEPREL, in brackets."""
    words = [word.split("/") for word in text.split()]
    forms, upos, head, deprel = zip(*words, strict=True)
    found = dependency_chunks(upos, [int(h) for h in head], deprel)
    parts = [(c.category, " ".join(forms[c.start : c.end])) for c in found]
    return " ".join(words if category == "Null" else f"[{category} {words}]" for category, words in parts)


@pytest.mark.parametrize(
    ("tree", "chunks"),
    [
        (
            (
                "the/DET/2/det man/NOUN/5/nmod:poss 's/PART/2/case old/ADJ/5/amod book/NOUN/8/nsubj was/AUX/8/aux"
                " not/PART/8/advmod read/VERB/0/root ./PUNCT/8/punct"
            ),
            "[NP the man] [NP 's old book] [VP was not read] .",
        ),
        ("he/PRON/2/nsubj wants/VERB/0/root to/PART/4/mark go/VERB/2/xcomp", "[NP he] [VP wants] [VP to go]"),
        ("do/AUX/3/aux you/PRON/3/nsubj know/VERB/0/root", "[VP do] [NP you] [VP know]"),
        ("a/DET/5/det black/ADJ/5/amod and/CCONJ/4/cc white/ADJ/2/conj cat/NOUN/0/root", "[NP a black and white cat]"),
        ("the/DET/2/det plan/NOUN/5/nsubj is/AUX/5/cop to/PART/5/mark go/VERB/0/root", "[NP the plan] [VP is] [VP to go]"),
        ("she/PRON/4/nsubj was/AUX/4/cop very/ADV/4/advmod tall/ADJ/0/root", "[NP she] [VP was] [ADJP very tall]"),
        (
            "is/AUX/2/cop Ann/PROPN/0/root Lee/PROPN/2/flat from/ADP/5/case home/NOUN/2/nmod",
            "[VP is] [NP Ann Lee] [PP from] [NP home]",
        ),
        ("out/ADP/4/case of/ADP/4/case the/DET/4/det house/NOUN/0/root", "[PP out of] [NP the house]"),
        ("he/PRON/2/nsubj gave/VERB/0/root up/ADP/2/compound:prt", "[NP he] [VP gave] [PRT up]"),
        ("if/SCONJ/3/mark it/PRON/3/nsubj rains/VERB/0/root", "[SBAR if] [NP it] [VP rains]"),
        ("my/PRON/3/nmod:poss two/NUM/3/nummod dogs/NOUN/0/root", "[NP my two dogs]"),
        ("hands/NOUN/4/compound -/PUNCT/1/punct on/ADP/1/nmod training/NOUN/0/root", "[NP hands - on training]"),
    ],
)
def test_chunks_as_in_the_description(tree, chunks):
    assert bracketed(tree) == chunks


@st.composite
def trees(draw):
    n = draw(st.integers(1, 9))
    order = draw(st.permutations(range(n)))
    head = [0] * n
    for place, w in enumerate(order):  # each word hangs below one that was placed before it
        head[w] = order[draw(st.integers(0, place - 1))] + 1 if place else 0
    upos = draw(st.lists(st.sampled_from(UPOS), min_size=n, max_size=n))
    return upos, head, draw(st.lists(st.sampled_from(DEPRELS), min_size=n, max_size=n))


@given(trees())
def test_every_word_is_in_exactly_one_chunk(tree):
    chunks = dependency_chunks(*tree)
    assert [w for c in chunks for w in range(c.start, c.end)] == list(range(len(tree[0])))
    assert {c.category for c in chunks} <= CATEGORIES


def test_a_treebank_has_the_chunks_that_its_words_tell():
    path = SHARED / "parse" / "ewt.dev.conllu.gz"
    if not path.exists():
        pytest.skip("no treebank")
    found = read(Source(str(path)), format="dependencies")
    for words, tags, chunks in zip(found.sentences.words, found.sentences.tags, found.triples(), strict=True):
        assert sum(end - start for _, start, end in chunks) == len(words)
        for category, start, end in chunks:
            coarse = {tag.partition(".")[0] for tag in tags[start:end]}
            assert category != "Null" or end == start + 1
            assert category != "VP" or coarse & {"VERB", "AUX", "PART"}
            assert category != "PP" or not coarse & {"NOUN", "PROPN", "PRON"} or "ADP" in coarse
