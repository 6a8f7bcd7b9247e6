from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee import inputs, read, score
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.corpus.columns import MENTION_TYPES
from tests.formats.corefud.test_corefud import document, words
from tests.support.paths import SHARED
from tests.support.reading import entities_of, faults_of, read_text, source_of

FIELD = SHARED / "field/formats"
in_field = pytest.mark.skipif(not FIELD.is_dir(), reason="needs ../shared/field")

# "Ann Bird and Bob , her friend , left . They sang .", the last with a mention of one head in another, and an empty node.
OLD = document(
    "1 Ann PROPN",
    "2 Bird PROPN _ ClusterId=c1|MentionSpan=1-2|ClusterType=person",
    "3 and CCONJ",
    "4 Bob PROPN _ ClusterId[1]=c2|MentionSpan[1]=4,6-7|ClusterType[1]=person|ClusterId[2]=c9|MentionSpan[2]=1-4",
    "5 , PUNCT",
    "6 her PRON _ ClusterId=c1|ClusterType=person",
    "7 friend NOUN _ SpaceAfter=No",
    "7.1 _ _ _ ClusterId=c1|MentionSpan=7.1|ClusterType=person",
    "8 They PRON _ ClusterId=c3|MentionSpan=8|SplitAnte=c1+c2|Bridging=c9:part,c2:set",
).replace("# global.Entity = eid-etype-head-other\n", "")
NEW = document(
    "1 Ann PROPN _ Entity=(c9--4(c1-person-2",
    "2 Bird PROPN _ Entity=c1)",
    "3 and CCONJ",
    "4 Bob PROPN _ Entity=(c2[1/2]-person-1)c9)",
    "5 , PUNCT",
    "6 her PRON _ Entity=(c2[2/2]-person-1(c1-person-1)",
    "7 friend NOUN _ Entity=c2[2/2])|SpaceAfter=No",
    "7.1 _ _ _ Entity=(c1-person-1)",
    "8 They PRON _ Bridge=c9<c3:part,c2<c3:set|Entity=(c3--1)|SplitAnte=c1<c3,c2<c3",
)


def test_old_corefud_is_what_the_same_annotation_is_today() -> None:
    old, new = read_text(OLD), read_text(NEW)
    assert old == new
    assert entities_of(old) == entities_of(new)
    assert old.heads.tolist() == new.heads.tolist()
    assert old.mention_types.tolist() == new.mention_types.tolist()  # type: ignore[union-attr]
    assert MENTION_TYPES[int(old.mention_types[0])] == "name"
    assert [(b.relation, s.element.tolist()) for b, s in [(old.bridging, old.split_antecedents)] if b and s] == [
        (b.relation, s.element.tolist()) for b, s in [(new.bridging, new.split_antecedents)] if b and s
    ]


def test_the_same_id_is_another_entity_in_another_document() -> None:
    both = OLD + OLD.replace("id = d1", "id = d2")
    assert entities_of(read_text(both)) == {name: entities_of(read_text(OLD))["d1"] for name in ("d1", "d2")}


@pytest.mark.parametrize("span", ["", "0", "9", "2-1", "x", "1-", "3-99999999999", "1.5"])
def test_a_span_that_is_no_words_of_the_sentence_is_a_fault(span: str) -> None:
    text = OLD.replace("MentionSpan=1-2", f"MentionSpan={span}")
    problem = f"x:3: found MentionSpan={span}; expected numbers of words of the sentence, such as 1,3-4"
    assert faults_of(text, "corefud") == [problem]


def test_types_that_differ_and_ids_beside_entity_are_warned_of() -> None:
    with pytest.warns(RefereeWarning, match="found the type place after person; expected one type for each entity"):
        read_text(OLD.replace("ClusterId=c1|ClusterType=person", "ClusterId=c1|ClusterType=place"))
    with pytest.warns(RefereeWarning, match=r"^x: left out 2 ClusterIds of CorefUD 0.x, as there is Entity"):
        read_text(words("ClusterId=c1|Entity=(c1)", "Entity=(c1)|ClusterId=c1"))


@pytest.mark.parametrize(
    ("misc", "found"),
    [
        ("Antecedent=1.1", "Antecedent= (1 attribute)"),
        ("Coref=1.1|CorefType=N", "Coref= and CorefType= (2 attributes)"),
        ("coref=c1", "coref= (1 attribute)"),
        ("CorefEntity=3", "CorefEntity= (1 attribute)"),
        ("entity=(e1-x-1-)", "entity= (1 attribute)"),
        ("MentionSpan=1", "MentionSpan= (1 attribute)"),
    ],
)
def test_coreference_that_is_not_read_is_refused_by_name(misc: str, found: str) -> None:
    text = words("SpaceAfter=No", misc)
    assert [re.split("which", fault)[0] for fault in faults_of(text, "corefud")] == [f"x:4: found coreference in {found}, "]
    with pytest.raises(FormatError, match=r"which is not read here; expected (mentions in Entity: convert it|Entity=)"):
        read_text(text)


def test_chains_of_stanza_are_not_lost_in_corefud() -> None:
    for misc in ("coref_chains=unit-repr-id0", "ner=S-PER|ner=unit-id0"):
        assert inputs.detect(source_of(words(misc))) == "stanza"
        with pytest.raises(FormatError, match="expected the format stanza: give --format stanza"):
            read_text(words(misc), "corefud")


def test_entities_of_other_layers_are_left_alone() -> None:
    assert not len(read_text(words("entity=B-PER", "NER=S-PER"), "corefud").document)


@in_field
def test_files_from_the_field(tmp_path: Path) -> None:
    silent = FIELD / "conllu-silently-empty"
    assert score(silent / "stanza.conllu", silent / "stanza-ner-key.conllu")["muc"].f1 == 1
    assert score(silent / "key.conllu", silent / "corefud-0.2.conllu")["muc"].f1 == 1
    with pytest.raises(
        FormatError, match=r"a.conllu:4: found coreference in Antecedent=, Coref= and CorefType= \(3 attributes"
    ):
        read(FIELD / "conllu-coref-in-misc/a.conllu")
