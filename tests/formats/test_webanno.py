import pytest

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from tests.support.paths import SHARED
from tests.support.reading import entities_of, links_of, read_text, source_of, tokens_of
from tests.support.samples import file_text

# The example of the user guide, with the second order of the two columns and a trailing tab as programs write it.
CHAIN = file_text("webanno-chains.tsv")

# As in GUM: cells name where a relation comes from, and with which numbers.
GUM = file_text("webanno-gum.tsv")


def test_chains_are_entities_and_links_may_have_several_tokens():
    assert inputs.detect(source_of(CHAIN)) == "webanno"
    corpus = read_text(CHAIN)
    assert entities_of(corpus) == {"#1": {"1": [(0, 1), (2, 3), (4, 5)], "2": [(4, 7)]}}
    assert list(corpus.documents["#1"].tokens) == ["He", "shot", "himself", "with", "his", "big", "revolver"]
    assert list(corpus.documents["#1"].sentences) == [0, 5]


def test_the_columns_of_a_chain_may_stand_in_the_other_order():
    swapped = CHAIN.replace("referenceRelation|referenceType", "referenceType|referenceRelation")
    rows = [line.split("\t") for line in swapped.split("\n")]
    swapped = "\n".join("\t".join([*r[:4], r[5], r[4], *r[6:]] if len(r) > 5 else r) for r in rows)
    assert read_text(swapped) == read_text(CHAIN)


def test_relations_connect_mentions_and_unrelated_ones_are_singletons():
    assert inputs.detect(source_of(GUM)) == "webanno"
    corpus = read_text(GUM)
    assert entities_of(corpus) == {
        "#1": {"1-1": [(0, 1), (10, 11)], "1": [(2, 5), (6, 7)], "3": [(6, 8), (11, 12)], "4": [(8, 9)]}
    }
    assert links_of(corpus) == [("my", "I"), ("Its", "the *old house"), ("way", "Its door")]
    assert list(corpus.entity_types) == ["person", "place", "object", "abstract_thing"]


def test_bridging_goes_from_anaphor_to_antecedent_and_aggregates_are_split_antecedents():
    corpus = read_text(GUM)
    words = [m.text for m in corpus.documents["#1"].mentions]
    assert [(words[a], words[b]) for a, b in zip(corpus.bridging.anaphor, corpus.bridging.antecedent, strict=True)] == [
        ("Its door", "the *old house")
    ]
    assert list(corpus.bridging.relation) == ["entity-associative"]
    assert [
        (corpus.entity_ids[a], corpus.entity_ids[b])
        for a, b in zip(corpus.split_antecedents.entity, corpus.split_antecedents.element, strict=True)
    ] == [("4", "1-1")]


# The third is after testSubMultiTokenSpanWithFeatureValue of INCEpTION's test suite, with an emoji, which has two units.
HEAD = "#FORMAT=WebAnno TSV 3.3\n"
LINKS = "#T_CH=x.L|referenceRelation|referenceType\n"
LAYERS = (
    "#T_SP=webanno.custom.Mention|\n#T_CH=webanno.custom.AnimateLink|referenceRelation|referenceType\n"
    "#T_RL=webanno.custom.Coreference|BT_webanno.custom.Mention\n"
)
ROWS = {
    "no rows are a document without text": (LINKS, "", {}),
    "a mention over the end of a sentence has one place": (
        LINKS + "1-1\t0-1\ta\t*->1-1\t*\n2-1\t2-3\tb\t*->1-1\t*\n", "a b", {"1": [(0, 2)]},
    ),
    "tokens are cut where a mention begins or ends in UTF-16 units": (
        LINKS + "\n#Text=aa😀aaa bbbbbb cccccc\n1-1\t0-7\taa😀aaa\t*->2-1\t*[2]\n1-1.1\t4-7\taaa\t*->1-1\t*[1]\n"
        "1-2\t8-14\tbbbbbb\t*->1-1\t*[1]\n1-2.1\t8-14\tbbbbbb\t*->3-1\t*[3]\n1-3\t15-21\tcccccc\t_\t_\n"
        "1-3.1\t15-18\tccc\t*->1-1\t*[1]\n",
        "aa😀 aaa bbbbbb ccc ccc", {"2": [(0, 2)], "1": [(1, 4)], "3": [(2, 3)]},
    ),
    "several layers do not share entities": (
        LAYERS + "1-1\t0-1\ta\t*[1]\t*->1-1\t*[1]\t_\n1-2\t2-3\tb\t*[1]\t_\t_\t_\n1-3\t4-5\tc\t*\t_\t_\t1-1[1_0]\n",
        "a b c", {"AnimateLink:1": [(0, 1)], "Mention:1": [(0, 2), (2, 3)]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "tokens", "entities"), ROWS.values(), ids=ROWS)
def test_what_is_read(rows, tokens, entities):
    corpus = read_text(HEAD + rows)
    assert " ".join(tokens_of(corpus)) == tokens
    assert entities_of(corpus) == {"#1": entities}


@pytest.mark.parametrize("of", ["chain", "span"])
def test_numbers_that_begin_again_in_each_sentence_are_told_of(of):
    """A link, or an annotation, has one place; GUM has pieces of one, but within a sentence."""
    header = {
        "chain": "#T_CH=x.CoreferenceLink|referenceRelation|referenceType\n",
        "span": "#T_SP=x.Referent|entity\n#T_RL=x.Coref|type|BT_x.Referent\n",
    }[of]
    cells = {"chain": "*->0-1\t*[0]", "span": "person[1]\t_\t_"}[of]
    empty = "\t".join(["_"] * (cells.count("\t") + 1))
    rows = [
        f"{n}-{m}\t{3 * m + 9 * n}-{3 * m + 9 * n + 1}\ta\t{cells if m == 1 else empty}\n" for n in (1, 2, 3) for m in (1, 2)
    ]
    text = "#FORMAT=WebAnno TSV 3.3\n" + header + "".join(rows)
    with pytest.warns(
        RefereeWarning, match="^x: found 1 mention with pieces in several sentences: if numbers of chains or anno"
    ):
        assert len(read_text(text).document) == 1
    within = text.replace("2-1\t", "1-3\t").replace("2-2\t", "1-4\t").replace("3-1\t", "1-5\t").replace("3-2\t", "1-6\t")
    assert len(read_text(within).document) == 1  # says nothing


def test_a_published_file_with_such_numbers_is_told_of():
    path = SHARED / "field/formats/webanno-chain-ids-restart/a.tsv"
    if not path.exists():
        pytest.skip("the inputs are not here")
    with pytest.warns(RefereeWarning, match="found 1 mention with pieces in several sentences"):
        inputs.read(path)


def test_annotations_of_other_layers_are_counted():
    text = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Event|kind
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue
#T_CH=x.CoreferenceLink|referenceRelation|referenceType
#T_RL=webanno.custom.Before|type|BT_webanno.custom.Event

1-1\t0-1\ta\tx[1]|y\tNN\t*->1-1\t*\t_\t_
1-2\t2-3\tb\tx[1]\tNN\t_\t_\tearly|late\t1-1|1-1[1_0]
1-3\t4-5\tc\tx[2]\tNN\t_\t_\t_\t_
"""
    with (
        pytest.warns(RefereeWarning, match=r"^x: ignored 2 relations other than coreference \(Before\)"),
        pytest.warns(RefereeWarning, match=r"^x: left out 3 annotations of layers without coreference \(Event\)$"),
    ):
        assert entities_of(read_text(text)) == {"#1": {"1": [(0, 1)]}}


@pytest.mark.parametrize("name", ["webanno.custom.Referent", "de.tudarmstadt.ukp.dkpro.core.api.pos.type.POS"])
def test_earlier_versions_are_refused_by_name(name):
    text = f"# {name} | value # webanno.custom.Coref | type | AttachTo={name}\n#id=1\n#text=He shot\n1-1\tHe\tB-x\t_\t_\n"
    assert inputs.detect(source_of(text)) == "webanno"
    with pytest.raises(FormatError, match=r"^x:1: found WebAnno TSV 1 or 2; expected WebAnno TSV 3"):
        read_text(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            f"{CHAIN}2-3\t38-39\tx\t_\tpr\tpr[1]\n",
            r"15: found 'pr' in CoreferenceLink; expected a link of a chain, such as \*->1-1",
        ),
        (
            f"{HEAD}#T_SP=a.Span|value\n1-1\t0-1\ta\t_\n",
            "1: has no layer of coreference, but the layers: Span; expected chains",
        ),
    ],
)
def test_without_links_there_is_nothing_to_read(text, problem):
    with pytest.raises(FormatError, match=f"^x:{problem}"):
        read_text(text)
