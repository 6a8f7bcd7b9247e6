"""Trees and their chunks: the rules one by one, faults, and the treebank sample."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import FormatError, UnknownNameError
from referee.formats.shared.source import Source
from referee.phrases.chunking.tree_chunks import MODES, tree_chunks
from referee.phrases.chunking.trees import MAX_DEPTH, read, sniff
from referee.phrases.formats.reading import detect
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.trees import read_folder
from referee.phrases.models.parses import check_partition
from tests.support.phrases import EXPECTED, in_kit, treebank


def trees(text):
    return list(read(Source("x.mrg", text.encode())))


def shown(text, mode="abney"):
    """The chunks of one tree, in brackets."""
    (tree,) = trees(text)
    words = [leaf.word for leaf in tree.leaves()]
    return " ".join(f"[{x} {' '.join(words[i:j])}]" for x, i, j in tree_chunks(tree, mode))


def test_function_tags_indices_and_traces_are_left_out():
    text = """( (S (NP-SBJ-1 (DT The) (NN cat)) (VP (VBD wanted) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sleep)))))
                 (. .)))"""
    (tree,) = trees(text)
    assert [(leaf.label, leaf.word, leaf.start, leaf.end) for leaf in tree.leaves()] == [
        ("DT", "The", 0, 1), ("NN", "cat", 1, 2), ("VBD", "wanted", 2, 3), ("TO", "to", 3, 4), ("VB", "sleep", 4, 5),
        (".", ".", 5, 6),
    ]  # fmt: skip
    (sentence,) = tree.parts
    assert [part.category for part in sentence.parts] == ["NP", "VP", "."]
    assert (tree.start, tree.end) == (0, 6)


def test_a_tree_without_words_is_left_out():
    assert trees("( (S (NP (-NONE- *)) ) )\n(X)\n( (S (VP (VB Go))))")[0].start == 0
    assert len(trees("( (S (NP (-NONE- *)) ) )\n( (S (VP (VB Go))))")) == 1


@pytest.mark.parametrize(
    ("tree", "abney", "flat"),
    [
        (
            "(S (NP (DT A) (NN form)) (PP (IN of) (NP (NN asbestos))) (. .))",
            "[NP A form] [PP of asbestos] [Null .]",
            "[NP A form] [PP of] [NP asbestos] [Null .]",
        ),
        (
            "(S (NP (PRP It)) (VP (VBZ is) (VP (VBN expected) (S (VP (TO to) (VP (VB take) (NP (CD two))))))))",
            "[NP It] [VP is expected] [VP to take] [NP two]",
            "[NP It] [VP is expected to take] [NP two]",
        ),
        # A clause of purpose is no complement.
        (
            "(S (VP (VBD met) (S-PRP (VP (TO to) (VP (VB talk))))))",
            "[VP met] [VP to talk]",
            "[VP met] [VP to talk]",
        ),
        (
            "(NP (NP (DT the) (NN company) (POS 's)) (JJ final) (NN plan))",
            "[NP the company] [NP 's final plan]",
            "[NP the company] [NP 's final plan]",
        ),
        (
            "(NP (DT the) (ADJP (RB very) (JJ old)) (NN house) (SBAR (WHNP (WDT that)) (S (VP (VBD fell)))))",
            "[NP the very old house] [WHNP that] [VP fell]",
            "[NP the very old house] [NP that] [VP fell]",
        ),
        (
            "(SBAR (IN because) (S (NP (PRP we)) (VP (MD could) (RB not) (VP (ADVP (RB easily)) (VB stop)))))",
            "[Null because] [NP we] [VP could not easily stop]",
            "[SBAR because] [NP we] [VP could not easily stop]",
        ),
        (
            "(VP (VB buy) (CC or) (VB sell) (PRT (RP off)) (ADVP (RB quickly)))",
            "[VP buy or sell] [PRT off] [ADVP quickly]",
            "[VP buy or sell] [PRT off] [ADVP quickly]",
        ),
        (
            "(NP (NP (QP (RBR more) (IN than) (CD 30)) (NNS years)) (, ,) (CC and) (ADJP (RB quite) (JJ long)))",
            "[NP more than 30 years] [Null ,] [Null and] [ADJP quite long]",
            "[NP more than 30 years] [Null ,] [Null and] [ADJP quite long]",
        ),
        (
            "(ADJP (NP (CD 61) (NNS years)) (JJ old))",
            "[NP 61 years] [ADJP old]",
            "[NP 61 years] [ADJP old]",
        ),
        (
            "(SBAR (WHPP (IN in) (WHNP (WDT which))) (S (NP (NN time)) (VP (VBD flew))))",
            "[WHPP in which] [NP time] [VP flew]",
            "[PP in] [NP which] [NP time] [VP flew]",
        ),
        # The object of the preposition is a clause, or another PP: nothing is swallowed.
        ("(PP (IN by) (S (VP (VBG selling))))", "[PP by] [VP selling]", "[PP by] [VP selling]"),
        ("(PP (IN from) (PP (IN under) (NP (PRP it))))", "[PP from] [PP under it]", "[PP from] [PP under] [NP it]"),
        ("(PP (JJ such) (IN as) (`` ``) (NP (PRP us)))", "[PP such as] [Null ``] [NP us]", "[PP such as] [Null ``] [NP us]"),
        # A parenthesis cuts the first word off from its noun.
        (
            "(PP (IN in) (NP (PRP$ their) (PRN (-LRB- -LRB-) (NP (NNP Ann) (POS 's)) (-RRB- -RRB-)) (NN house)))",
            "[PP in] [NP their] [Null -LRB-] [NP Ann] [NP 's] [Null -RRB-] [NP house]",
            "[PP in] [NP their] [Null -LRB-] [NP Ann] [NP 's] [Null -RRB-] [NP house]",
        ),
        # Only an owner's 's opens a chunk: that of the next noun, or in abney of a question.
        ("(NP (NNP Saint) (NNP John) (POS 's) (NNP Night))", "[NP Saint John 's Night]", "[NP Saint John 's Night]"),
        (
            "(NP (NP (DT a) (NN fleet) (POS 's)) (NP (CD ten) (NNS ships)))",
            "[NP a fleet] [NP 's ten ships]",
            "[NP a fleet] [NP 's ten ships]",
        ),
        (
            "(NP (NP (DT a) (NN fan)) (PP (IN of) (NP (NNP Ann) (POS 's))) (SBAR (WHNP (WP who)) (S (VP (VBZ sings)))))",
            "[NP a fan] [PP of Ann] [WHNP 's who] [VP sings]",
            "[NP a fan] [PP of] [NP Ann] [NP 's] [NP who] [VP sings]",
        ),
        # A comma, a quote or a bracket stays among the verbs if words alone lead on to a verb.
        ("(VP (VBD came) (, ,) (VBD saw) (NP (PRP it)))", "[VP came , saw] [NP it]", "[VP came , saw] [NP it]"),
        (
            "(VP (VBD came) (, ,) (ADVP (RB then)) (VBD left))",
            "[VP came] [Null ,] [ADVP then] [VP left]",
            "[VP came] [Null ,] [ADVP then] [VP left]",
        ),
        ("(VP (CC and) (VBD went) (NP (NN home)))", "[Null and] [VP went] [NP home]", "[Null and] [VP went] [NP home]"),
        # What follows the first VP of a clause is not lost.
        (
            "(VP (VBD began) (S (VP (TO to) (VP (VB rain))) (ADVP (RB there))))",
            "[VP began] [VP to rain] [ADVP there]",
            "[VP began to rain] [ADVP there]",
        ),
        # Phrases of degree before the head are dissolved, those after it are not.
        (
            "(ADJP (ADJP (JJ rude)) (CC or) (RB even) (ADJP (JJ cruel)))",
            "[ADJP rude or even] [ADJP cruel]",
            "[ADJP rude or even] [ADJP cruel]",
        ),
        (
            "(ADJP (ADJP (JJR older)) (CC and) (ADJP (JJR wiser)))",
            "[ADJP older] [Null and] [ADJP wiser]",
            "[ADJP older] [Null and] [ADJP wiser]",
        ),
        ("(ADJP (UH fine))", "[INTJ fine]", "[INTJ fine]"),
        ("(LST (LS 2) (: :))", "[LST 2 :]", "[LST 2 :]"),
        ("(ADVP (RB here) (: :))", "[ADVP here] [Null :]", "[ADVP here] [Null :]"),
        ("(VP (VB go) (PRT (RBR further)))", "[VP go] [ADVP further]", "[VP go] [ADVP further]"),
        # Verbs in nominal phrases: a participle may be its head, a finite verb is not.
        ("(NP (DT the) (VBN wounded))", "[NP the wounded]", "[NP the wounded]"),
        ("(NP (NN bank) (VBZ notes))", "[NP bank] [VP notes]", "[NP bank] [VP notes]"),
        ("(PP (TO to) (NP (VB praise)))", "[PP to praise]", "[PP to] [NP praise]"),
    ],
)  # fmt: skip
def test_chunks_reach_up_to_the_head(tree, abney, flat):
    assert shown(tree) == abney
    assert shown(tree, "flat") == flat


@st.composite
def brackets(draw, depth=0):
    tag = st.sampled_from(
        [
            "NN", "NNP", "DT", "JJ", "RB", "VB", "VBD", "TO", "MD", "IN", "CC", ",", "POS", "WDT", "RP", "LS", "?", "-NONE-",
            "NP", "VP", "PRN",
        ]
    )  # fmt: skip
    if depth == 5 or draw(st.integers(0, 3)) == 0:
        return f"({draw(tag)} w)"
    label = draw(st.sampled_from(  # "" is the tree itself
        ["S", "S-PRP", "NP", "NP-SBJ", "VP", "PP", "ADJP", "ADVP", "WHNP", "WHPP", "WHADJP", "QP", "NX",
         "UCP", "SBAR", "LST", "FRAG", "PRN", "CONJP", ""]
    ))  # fmt: skip
    parts = draw(st.lists(brackets(depth=depth + 1), min_size=1, max_size=4))
    return f"({label} {' '.join(parts)})"


@given(text=brackets())
def test_chunks_are_a_partition_of_any_tree(text):
    for tree in trees(f"( {text})"):
        for mode in MODES:
            borders = [0, *(j for _, _, j in tree_chunks(tree, mode))]
            assert borders == [i for _, i, _ in tree_chunks(tree, mode)] + [sum(1 for _ in tree.leaves())]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(S (NN a))\n)", "x.mrg:2: found ')' outside of a tree; expected an opening bracket"),
        ("a (S (NN a))", "x.mrg:1: found 'a' outside of a tree; expected an opening bracket"),
        ("(S\n(NP (NN a)", "x.mrg:1: found a tree with 2 brackets left open at the end; expected all to be closed"),
        ("(S (NP the cat))", "x.mrg:1: found the word 'the' without a tag"),
        ("(S (NP (DT the)))\n(S (NP (NN a) dog))", "x.mrg:2: found the word 'dog' without a tag"),
        ("(" * 100_000, f"x.mrg:1: found brackets {MAX_DEPTH + 1} deep; expected {MAX_DEPTH} at most"),
    ],
)
def test_a_fault_is_named_with_its_line(text, problem):
    with pytest.raises(FormatError) as error:
        trees(text)
    assert str(error.value).startswith(problem)


def test_trees_are_told_from_other_texts():
    assert sniff("( (S (NP (DT The)")
    assert sniff("\n(TOP (S (NN a)))")
    assert not sniff("(see above) Confidence NN B-NP")
    assert not sniff('{"a": 1}')


def test_an_unknown_mode_is_refused():
    with pytest.raises(UnknownNameError, match="no tree mode named 'deep'"):
        tree_chunks(trees("(S (NN a))")[0], "deep")


def test_a_folder_of_trees_is_read_in_the_order_of_names_with_the_folders_in_it(tmp_path):
    for folder in ("01", "empty"):
        (tmp_path / folder).mkdir()
    for name, word in {"b.mrg": "third", "a.mrg": "second", "01/z.mrg": "first"}.items():
        (tmp_path / name).write_text(f"(S (NN {word}))")
    (tmp_path / "README").write_text("no trees")
    assert detect(str(tmp_path)) == "trees"
    found = read_folder(str(tmp_path), PhraseOptions())
    assert found.sentences.words == [["first"], ["second"], ["third"]]
    assert found.sentences.tags == [["NN"]] * 3
    with pytest.raises(FormatError, match="has no files that end in"):
        read_folder(str(tmp_path / "empty"), PhraseOptions())


@in_kit
@pytest.mark.parametrize(("mode", "run"), [("abney", "treebank"), ("flat", "treebank-flat")])
def test_the_treebank_sample_has_the_known_chunks(mode, run):
    expected, found = EXPECTED["runs"][run], treebank(mode)
    check_partition(found)
    assert len(found.sentences) == 3914
    assert list(found.categories) == expected["categories"]
    parts = {"train": np.arange(1706), "second": np.arange(1706, 2365), "test": np.arange(2365, 3914)}
    for part, sentences in parts.items():
        chosen = found.select(sentences)
        assert chosen.sentences.length.sum() == expected[part]["tokens"]
        assert chosen.sentences.span_counts.sum() * len(found.categories) == expected[part]["candidates"]
        assert len(chosen) == expected[part]["chunks"]
    counts = np.bincount(chosen.category, minlength=len(found.categories))
    for row in expected["models"]["XK"]["blame_category"]:
        assert counts[found.categories.index(row["group"])] == row["true"]
