"""A corpus without what a format cannot hold."""

import warnings

import pytest

from referee import CorpusBuilder, inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.corpus.lossy import without
from referee.metrics.registry import panel
from tests.support.reading import read_text

WORDS = ["a", "b", "c", "d", "e"]


def one_mention(*parts, nodes, **more):
    builder = CorpusBuilder("x")
    builder.document("d", WORDS, [0])
    for node in nodes:
        builder.empty_node(node, 1, 0)
    builder.mention(0, 0, "1", spans=parts, **more)
    return builder.corpus()


def spans_of(corpus):
    for m in range(len(corpus.document)):
        assert (corpus.start[m], corpus.end[m]) == (corpus.spans(m)[0][0], corpus.spans(m)[-1][1])
    return [corpus.spans(m) for m in range(len(corpus.document))]


# Words are counted anew: of tokens 0 1 2 3 4 without node 1, token 3 is word 2.
@pytest.mark.parametrize(
    ("parts", "nodes", "expected"),
    [
        ([(0, 1), (3, 4)], (3,), [((0, 1),)]),
        ([(1, 2), (3, 4)], (1,), [((2, 3),)]),
        ([(0, 1), (2, 3), (4, 5)], (2,), [((0, 1), (3, 4))]),
        ([(0, 1), (2, 3)], (1,), [((0, 2),)]),
        ([(0, 1), (2, 3)], (0, 2), []),
        ([(0, 2), (3, 5)], (1, 3), [((0, 1), (2, 3))]),
        ([(1, 3)], (1,), [((1, 2),)]),
        ([(1, 2)], (1,), []),
    ],
)
def test_a_mention_loses_the_parts_that_are_only_nodes(parts, nodes, expected):
    assert spans_of(without(one_mention(*parts, nodes=nodes), {"empty nodes"})) == expected


def with_deixis():
    """Coreference with spans only; in the deixis layer there is everything."""
    builder = CorpusBuilder("x")
    builder.deixis = layer = CorpusBuilder("x")
    for side in (builder, layer):
        side.document("d", WORDS, [0])
    builder.mention(0, 1, "1")
    one = layer.mention(0, 0, "1", "event", spans=[(0, 1), (2, 3)], head=2, mention_type="nominal", minimum_span=(2, 3))
    two = layer.mention(3, 4, "2")
    layer.mention(4, 5, "3", referring=False)
    layer.bridge(two, one, "part")
    layer.split_antecedent(layer.entity("2"), layer.entity("1"))
    return builder.corpus()


ALL = {
    "heads", "entity types", "mention types", "minimum spans", "discontinuous mentions", "non-referring", "bridging",
    "split antecedents",
}  # fmt: skip


def test_what_the_deixis_layer_has_the_corpus_has():
    assert with_deixis().features == ALL | {"spans", "words", "discourse deixis"}
    assert without(with_deixis(), {"discourse deixis"}).features == {"spans", "words"}


def test_measures_are_called_for_by_the_layer_that_they_measure():
    measures = panel(with_deixis().own_features)
    assert "deixis_muc" in measures
    assert not {"bridging_anaphora", "mention_overlap", "muc_split", "non_referring"} & set(measures)


@pytest.mark.parametrize("feature", sorted(ALL))
def test_the_deixis_layer_is_reduced_too(feature):
    assert without(with_deixis(), {feature}).features & ALL == ALL - {feature}


def test_discontinuous_deixis_reaches_from_its_first_part_to_its_last():
    deixis = without(with_deixis(), {"discontinuous mentions"}).deixis
    assert deixis is not None
    assert spans_of(deixis) == [((0, 3),), ((3, 4),), ((4, 5),)]


def test_what_ua_cannot_hold_of_deixis_is_refused_or_told(tmp_path):
    corpus = with_deixis()
    with pytest.raises(FormatError, match="has entity types, heads and mention types, which ua cannot hold"):
        inputs.write(corpus, tmp_path / "x.conllua")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        inputs.write(corpus, tmp_path / "x.conllua", lossy=True)
    assert [str(w.message) for w in caught] == [
        "x: left out 1 bridge within discourse deixis, which ua has no column for",
        "x: left out what ua cannot hold: entity types, heads and mention types",
    ]


def test_a_bridge_to_a_mention_is_not_turned_into_one_to_another_unsaid(tmp_path):
    def bridging(antecedent):
        builder = CorpusBuilder("x")
        builder.document("d", WORDS, [0])
        mentions = [builder.mention(n, n + 1, label) for n, label in enumerate("112")]
        builder.bridge(mentions[2], mentions[antecedent])
        return builder.corpus()

    inputs.write(bridging(1), tmp_path / "x.conllu")
    assert inputs.read(tmp_path / "x.conllu") == bridging(1)
    with pytest.warns(RefereeWarning, match="^x: 1 bridge to one mention of an entity, of which corefud names but the entity$"):
        inputs.write(bridging(0), tmp_path / "x.conllu")


def test_a_class_that_no_zero_of_corefud_has_is_not_lost(tmp_path):
    def zero(class_):
        builder = CorpusBuilder("x")
        builder.document("d", WORDS, [0])
        builder.empty_node(1, 1, 0)
        builder.mention(1, 2, "1", mention_type=class_)
        return builder.corpus()

    with pytest.raises(FormatError, match=r"has 1 mention type .*1-2 of entity 1 .*, which corefud cannot hold"):
        inputs.write(zero("other"), tmp_path / "x.conllu")
    inputs.write(zero("zero"), tmp_path / "x.conllu")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Dear Ann,\n", "looks like none of the"),
        (
            ",x\n",
            r"^x:1: is the first row \(, x\) a header\? If so say --columns item=1,entity=x, or left=1,right=x for pairs; ",
        ),
        (" , \n", "looks like none of the"),
    ],
)
def test_a_letter_is_no_table(text, problem):
    with pytest.raises(FormatError, match=problem):
        read_text(text)
