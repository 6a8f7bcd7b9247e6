"""Trees of ClearNLP as trees of UD: sentences whose UD trees follow from its guidelines, and what holds for any tree."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.formats.shared.source import Source
from referee.resolver.clear import CLEAR, NAME, LabelledTrees, to_universal
from referee.resolver.resolving import resolution
from referee.resolver.schemes import RELATIONS
from tests.support.trees import ANN, APPOSITION, conllu

# Each word with its part of speech, its head and relation in ClearNLP, and its head and relation in UD.
SENTENCES = {
    "the object of a preposition is its head": """
        She PRON 2 nsubj 2 nsubj | slept VERB 0 ROOT 0 root | on ADP 2 prep 5 case | the DET 5 det 5 det |
        roof NOUN 3 pobj 2 obl
    """,
    "below a noun it is nmod": """
        roofs NOUN 0 ROOT 0 root | of ADP 1 prep 3 case | Rome PROPN 2 pobj 1 nmod
    """,
    "two prepositions": """
        ran VERB 0 ROOT 0 root | out ADP 1 prep 4 case | of ADP 2 prep 4 case | town NOUN 3 pobj 1 obl
    """,
    "coordinated prepositions": """
        slept VERB 0 ROOT 0 root | before ADP 1 prep 5 case | and CCONJ 2 cc 5 cc | after ADP 2 conj 5 case |
        noon NOUN 4 pobj 1 obl
    """,
    "coordinated phrases": """
        slept VERB 0 ROOT 0 root | in ADP 1 prep 3 case | Rome PROPN 2 pobj 1 obl | and CCONJ 2 cc 6 cc |
        in ADP 2 conj 6 case | Pisa PROPN 5 pobj 3 conj
    """,
    "a preposition alone": """
        went VERB 0 ROOT 0 root | in ADP 1 prep 1 advmod
    """,
    "a clause behind a preposition": """
        left VERB 0 ROOT 0 root | without ADP 1 prep 3 mark | paying VERB 2 pcomp 1 advcl
    """,
    "a clause behind a preposition of a noun": """
        way NOUN 0 ROOT 0 root | of ADP 1 prep 3 mark | paying VERB 2 pcomp 1 acl
    """,
    "the agent of a passive": """
        Bob PROPN 3 nsubjpass 3 nsubj:pass | was AUX 3 auxpass 3 aux:pass | seen VERB 0 ROOT 0 root |
        by ADP 3 agent 5 case | Ann PROPN 4 pobj 3 obl:agent
    """,
    "a recipient with and without a preposition": """
        gave VERB 0 ROOT 0 root | her PRON 1 dative 1 iobj | it PRON 1 dobj 1 obj | to ADP 1 dative 5 case |
        him PRON 4 pobj 1 obl
    """,
    "a noun as predicate": """
        Ann PROPN 2 nsubj 4 nsubj | is AUX 0 ROOT 4 cop | a DET 4 det 4 det | nurse NOUN 2 attr 0 root |
        . PUNCT 2 punct 4 punct
    """,
    "an adjective as predicate, with auxiliaries": """
        Ann PROPN 3 nsubj 5 nsubj | will AUX 3 aux 5 aux | be AUX 0 ROOT 5 cop | very ADV 5 advmod 5 advmod |
        happy ADJ 3 acomp 0 root
    """,
    "a place as predicate": """
        Ann PROPN 2 nsubj 5 nsubj | is AUX 0 ROOT 5 cop | on ADP 2 prep 5 case | the DET 5 det 5 det |
        roof NOUN 3 pobj 0 root
    """,
    "another copula": """
        Ann PROPN 2 nsubj 2 nsubj | became VERB 0 ROOT 0 root | queen NOUN 2 attr 2 xcomp
    """,
    "existence": """
        There PRON 2 expl 2 expl | is AUX 0 ROOT 0 root | a DET 4 det 4 det | garden NOUN 2 attr 2 nsubj
    """,
    "an expletive": """
        It PRON 2 nsubj 3 expl | is AUX 0 ROOT 3 cop | good ADJ 2 acomp 0 root | to PART 5 aux 5 mark |
        know VERB 3 xcomp 3 csubj
    """,
    "conjuncts and their conjunction": """
        Ann PROPN 0 ROOT 0 root | , PUNCT 1 punct 3 punct | Bob PROPN 1 conj 1 conj | and CCONJ 3 cc 5 cc |
        Eve PROPN 3 conj 1 conj
    """,
    "possessors and determiners": """
        all DET 4 predet 4 det:predet | Ann PROPN 4 poss 4 nmod:poss | 's PART 2 case 2 case |
        friends NOUN 0 ROOT 0 root | here ADV 4 advmod 4 advmod
    """,
    "a relative clause": """
        people NOUN 0 ROOT 0 root | who PRON 5 nsubj 5 nsubj | do AUX 5 aux 5 aux | n't PART 5 neg 5 advmod |
        give VERB 1 relcl 1 acl:relcl | up ADP 5 prt 5 compound:prt
    """,
    "a time without preposition": """
        slept VERB 0 ROOT 0 root | all DET 3 det 3 det | day NOUN 1 npadvmod 1 obl:unmarked
    """,
    "a date": """
        died VERB 0 ROOT 0 root | on ADP 1 prep 4 case | May PROPN 2 pobj 4 nmod:unmarked | 3 NUM 3 nummod 1 obl |
        1859 NUM 3 nummod 4 nmod:unmarked
    """,
    "a person's name": """
        John PROPN 3 name 0 root | Stuart PROPN 3 name 1 flat | Mill PROPN 0 ROOT 1 flat
    """,
}  # fmt: skip


def columns(sentence):
    """The trees of ClearNLP, and the heads and relations of UD."""
    words = [cell.split() for cell in sentence.split("|")]
    forms, tags, heads, relations, ud_heads, ud_relations = map(list, zip(*words, strict=True))
    head = np.array([int(text) - 1 for text in heads])
    relations = ["root" if text == "ROOT" else text for text in relations]
    return LabelledTrees(head, relations, tags, ["_"] * len(forms), forms), [int(text) - 1 for text in ud_heads], ud_relations


@pytest.mark.parametrize("name", SENTENCES)
def test_a_tree_of_clearnlp_becomes_that_of_ud(name):
    trees, head, relation = columns(SENTENCES[name])
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
    given = file(SENTENCES["the object of a preposition is its head"])
    found = referee.resolve(Source("x", data=given.encode()), "rules", mentions="tree")
    assert sorted(zip(found.start.tolist(), found.end.tolist(), found.head.tolist(), strict=True)) == [(0, 1, 0), (3, 5, 4)]
