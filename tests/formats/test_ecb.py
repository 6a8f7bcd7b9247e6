import pytest

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from tests.support.reading import entities_of, read_text, source_of
from tests.support.samples import file_text

# Cut down from 1_11ecb.xml of the release.
DOCUMENT = file_text("ecb.xml")


def test_a_file_is_a_document_of_tokens_and_sentences():
    document = read_text(DOCUMENT).documents["1_11ecb"]
    assert inputs.detect(source_of(DOCUMENT)) == "ecb"
    assert list(document.tokens) == ["Tara", "Reid", "has", "checked", "herself", "in", "The", "rehab", "R&R"]
    assert list(document.sentences) == [0, 6]


def test_relations_are_entities_and_what_is_in_none_is_a_singleton():
    assert entities_of(read_text(DOCUMENT)) == {
        "1_11ecb": {
            "HUM16236184328979740": [(0, 2), (4, 5)],
            "ACT16236402809085484": [(3, 6)],
            "1_11ecb relation 37615": [(7, 8), (8, 9)],
            "1_11ecb mention 33": [(6, 8)],
        }
    }


def test_mentions_whose_tokens_stand_apart_have_parts():
    corpus = read_text(DOCUMENT)
    assert {corpus.spans(m) for m in range(len(corpus.document))} == {
        *(((0, 2),), ((4, 5),), ((7, 8),), ((8, 9),), ((6, 8),)),
        ((3, 4), (5, 6)),
    }


def test_the_type_of_an_entity_is_the_tag_of_its_first_mention():
    corpus = read_text(DOCUMENT)
    assert dict(zip(corpus.entity_ids, corpus.entity_types or (), strict=True)) == {
        "HUM16236184328979740": "HUMAN_PART_PER",
        "ACT16236402809085484": "ACTION_OCCURRENCE",
        "1_11ecb relation 37615": "LOC_FAC",
        "1_11ecb mention 33": "LOC_FAC",
    }


def test_degenerate_documents():
    assert entities_of(read_text('<Document doc_name="a.xml"/>', "ecb")) == {"a": {}}
    assert entities_of(read_text('<Document doc_name="a"><token t_id="1">b</token></Document>')) == {"a": {}}


def test_other_xml_is_a_fault():
    with pytest.raises(FormatError, match=r"^x:1: found <words>; expected a <Document>"):
        read_text("<words/>", "ecb")


def cat(*relations, instances=""):
    """A document of six words, each a mention with the number of its token, in CAT."""
    tokens = "".join(f'<token t_id="{n}" sentence="0" number="{n}">w{n}</token>' for n in range(6))
    marks = "".join(f'<EVENT_MENTION m_id="{n}"><token_anchor t_id="{n}"/></EVENT_MENTION>' for n in range(6))
    shown = "".join(relations)
    return f'<Document doc_name="d">{tokens}<Markables>{marks}{instances}</Markables><Relations>{shown}</Relations></Document>'


def related(tag, number, source, target):
    sources = "".join(f'<source m_id="{m_id}"/>' for m_id in source.split())
    return f'<{tag} r_id="{number}">{sources}<target m_id="{target}"/></{tag}>'


def test_relations_of_newsreader_are_of_an_instance_even_if_each_mention_has_one_of_its_own():
    instances = '<EVENT m_id="90" instance_id="EV1"/><EVENT m_id="91"/>'
    relations = [related("REFERS_TO", 7, "0", "90"), related("REFERS_TO", 8, "2 3", "90"), related("REFERS_TO", 9, "1", "91")]
    corpus = read_text(cat(*relations, related("REFERS_TO", 10, "5", "91"), instances=instances))
    assert entities_of(corpus) == {
        "d": {"EV1": [(0, 1), (2, 3), (3, 4)], "d relation 9": [(1, 2), (5, 6)], "d mention 4": [(4, 5)]}
    }


def test_relations_of_mentions_with_mentions_are_one_entity_if_they_have_one_in_common():
    relations = [related("COREFERENCE", 7, "0", "1"), related("COREFERENCE", 8, "2", "3"), related("COREFERENCE", 9, "3", "1")]
    assert entities_of(read_text(cat(*relations)))["d"]["d relation 7"] == [(0, 1), (1, 2), (2, 3), (3, 4)]


def test_other_relations_are_coreference_only_if_they_are_named():
    text = cat(related("TLINK", 7, "0", "1"), related("TLINK", 8, "1", "2"), related("CROSS_DOC_COREF", 9, "3", "4"))
    with pytest.warns(RefereeWarning, match=r"^x: ignored 2 relations other than coreference \(TLINK\); those called"):
        assert len(read_text(text).entity_ids) == 5
    with pytest.warns(RefereeWarning, match=r"^x: ignored 1 relation other than coreference \(CROSS_DOC_COREF\); those that"):
        assert len(read_text(text, relations=("tlink",)).entity_ids) == 4
