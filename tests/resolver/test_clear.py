"""Trees of ClearNLP as trees of UD: sentences whose UD trees follow from its guidelines, and what holds for any tree."""

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

import referee
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.formats.shared.source import Source
from referee.resolver.clear import CLEAR, NAME, LabelledTrees, to_universal
from referee.resolver.resolving import resolution
from referee.resolver.schemes import RELATIONS
from tests.support.cases import cases
from tests.support.trees import ANN, APPOSITION, conllu


def columns(sentence):
    """The trees of ClearNLP, and the heads and relations of UD."""
    words = [cell.split() for cell in sentence.split("|")]
    forms, tags, heads, relations, ud_heads, ud_relations = map(list, zip(*words, strict=True))
    head = np.array([int(text) - 1 for text in heads])
    relations = ["root" if text == "ROOT" else text for text in relations]
    return LabelledTrees(head, relations, tags, ["_"] * len(forms), forms), [int(text) - 1 for text in ud_heads], ud_relations


@pytest.mark.parametrize("case", cases("trees_of_clearnlp"), ids=str)
def test_a_tree_of_clearnlp_becomes_that_of_ud(case):
    trees, head, relation = columns(" ".join(case.expected))
    made = to_universal(trees)
    assert (made.head.tolist(), made.relation) == (head, relation)


@st.composite
def any_trees(draw):
    """Any trees with any labels of ClearNLP, with one root or several."""
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    head = np.full(size, -1)
    for place, n in enumerate(order[1:], start=1):
        above = draw(st.integers(-1, place - 1))
        head[n] = order[above] if above >= 0 else -1
    labels = st.sampled_from([*sorted(CLEAR), NAME, "conj", "cc", "punct", "nsubj", "aux", "expl", "nummod", "xcomp", "case"])
    tags = st.sampled_from(["ADP", "AUX", "NOUN", "VERB", "PROPN", "PRON", "ADJ", "SCONJ", "X", "NUM"])
    forms = st.sampled_from(["is", "it", "May", "3", "there", "that", "to", "n’t", "who", "roof", "["])
    relation = [draw(labels) if head[n] >= 0 else "root" for n in range(size)]
    several = st.lists(tags, min_size=size, max_size=size), st.lists(forms, min_size=size, max_size=size)
    return LabelledTrees(head, relation, draw(several[0]), ["_"] * size, draw(several[1]))


@given(any_trees())
def test_any_tree_stays_a_tree_of_the_same_words(trees):
    before = [column.copy() for column in trees]
    made = to_universal(trees)
    assert all(np.array_equal(a, b) for a, b in zip(before, trees, strict=True))
    assert made.form == trees.form
    assert (made.head < 0).sum() == (trees.head < 0).sum()
    assert [r == "root" for r in made.relation] == (made.head < 0).tolist()
    assert {text.partition(":")[0] for text in made.relation} <= RELATIONS
    for n in range(len(made.head)):
        above, steps = n, 0
        while above >= 0:
            above, steps = made.head[above], steps + 1
            assert steps <= len(made.head)


def test_pronouns_get_the_types_that_spacy_does_not_tell():
    trees = LabelledTrees(
        np.array([2, 2, -1, 2]), ["nsubj", "advmod", "root", "dobj"], ["PRON", "SCONJ", "VERB", "SCONJ"],
        ["_", "_", "_", "Number=Sing"], ["Who", "when", "saw", "that"],
    )  # fmt: skip
    made = to_universal(trees)
    assert made.upos == ["PRON", "ADV", "VERB", "PRON"]
    assert made.feats == ["PronType=Rel", "_", "_", "Number=Sing"]


def file(sentence):
    """A sentence with trees of ClearNLP as CoNLL-U, as old models of spaCy wrote it."""
    trees, *_ = columns(sentence)
    lines = ["# newdoc id = d"]
    for n, form in enumerate(trees.form):
        head, upos = int(trees.head[n]) + 1, trees.upos[n]
        lemma, relation = "-PRON-" if upos == "PRON" else form.lower(), trees.relation[n] if head else "ROOT"
        lines.append(f"{n + 1}\t{form}\t{lemma}\t{upos}\t_\t_\t{head}\t{relation}\t_\t_")
    return "\n".join([*lines, "", ""])


def test_files_with_labels_of_spacy_are_converted_and_keep_their_columns(tmp_path):
    given = file("""
        Ann PROPN 2 nsubj 4 nsubj | is AUX 0 ROOT 4 cop | a DET 4 det 4 det | nurse NOUN 2 attr 0 root | of ADP 4 prep 6 case |
        Bob PROPN 5 pobj 4 nmod
    """)
    found = resolution(Source("x", data=given.encode()), "rules", mentions="tree")
    assert found.input.syntax.parent.tolist() == [3, 3, 3, -1, 5, 3]
    assert found.input.syntax.deprel.texts == ["nsubj", "cop", "det", "root", "case", "nmod"]
    found.write(tmp_path / "out.conllu")
    written = [line.split("\t")[:9] for line in (tmp_path / "out.conllu").read_text().splitlines() if line[:1].isdigit()]
    assert written == [line.split("\t")[:9] for line in given.splitlines() if line[:1].isdigit()]


def test_blanks_of_spacy_are_punctuation():
    given = file("Ann PROPN 2 nsubj 2 nsubj | sang VERB 0 ROOT 0 root | _ SPACE 2 dep 2 dep | it PRON 2 dobj 2 obj")
    syntax = resolution(Source("x", data=given.encode()), "rules", mentions="tree").input.syntax
    assert syntax.upos.texts == ["PROPN", "VERB", "PUNCT", "PRON"]


def test_the_lemma_of_old_pronouns_is_none():
    given = file("She PRON 2 nsubj 2 nsubj | saw VERB 0 ROOT 0 root | it PRON 2 dobj 2 obj")
    syntax = resolution(Source("x", data=given.encode()), "rules", mentions="tree").input.syntax
    assert [syntax.words[n] for n in syntax.lemma.tolist()] == ["she", "saw", "it"]


def relabelled(**labels):
    """Trees of UD with other labels."""
    text = conllu(ANN) + conllu(APPOSITION).replace("newdoc id = d", "newdoc id = e")
    for old, new in labels.items():
        text = re.sub(rf"\t{old}\t", f"\t{new}\t", text)
    return Source("x", data=text.encode())


@pytest.mark.parametrize(
    ("labels", "problem"),
    [
        ({"nsubj": "sb", "obj": "oa"}, r"x: 3\d% of the relations \(sb, oa\) are none of Universal Dependencies; expected"),
        ({"obj": "dobj"}, r"x: has relations of UD \(obl\) and of ClearNLP \(dobj\); expected one scheme in all documents"),
        ({"NOUN": "NN", "VERB": "VBD"}, r"x: 3\d% of the parts of speech \(VBD, NN\) are none of Universal Dependencies"),
    ],
)  # fmt: skip
def test_other_schemes_are_refused(labels, problem):
    with pytest.raises(FormatError, match=problem):
        resolution(relabelled(**labels), "rules", mentions="tree")


def test_a_few_other_labels_are_warned_of():
    with pytest.warns(RefereeWarning, match=r"x: 4\.\d% of the relations \(apposition\) are none of Universal Dependencies"):
        resolution(relabelled(appos="apposition"), "rules", mentions="tree")


def test_mentions_have_the_heads_of_ud():
    given = file(" ".join(cases("trees_of_clearnlp")[0].expected))
    found = referee.resolve(Source("x", data=given.encode()), "rules", mentions="tree")
    assert sorted(zip(found.start.tolist(), found.end.tolist(), found.head.tolist(), strict=True)) == [(0, 1, 0), (3, 5, 4)]
