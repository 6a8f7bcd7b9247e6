"""Damaged files: a sample or two of every format, what is done to them, and what a reader must not do with the result.

Used by `tests/formats/test_every_format.py`, some hundred files a format, and by `scripts/fuzz.py`, as many as one likes.
"""

from __future__ import annotations

import gc
import io
import json
import math
import re
import signal
import tracemalloc
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from referee import inputs, score
from referee.basics.exceptions import FormatError, MissingExtraError, RefereeError, RefereeWarning
from referee.corpus.corpus import Corpus
from referee.corpus.lossy import without
from referee.formats.shared.source import BINARY, Source
from referee.inputs import registry
from tests.support.raw_texts import same_in_text
from tests.support.reading import read_again, written

Sample: TypeAlias = Mapping[str, bytes]
"""A file to read, and those that belong to it: their contents by their names, the one to read first."""

SECONDS = 2.0
"""Of the processor: what takes longer for so small a file hangs."""

TEXTS: Mapping[str, Sequence[str | Mapping[str, str]]] = {
    "conll": [
        """\
#begin document (d); part 000
d 0 0 Ann NN (1)
d 0 1 saw V -
d 0 2 her P (1)|(2
d 0 3 dog N 2)

d 0 0 It P (2)
#end document
#begin document (e); part 001
e\t1\t0\tNo\t(a-1
e\t1\t1\tone\ta-1)
#end document
""",
        """\
0\tAnn\t(1)
1\tsaw\t_
2\ther\t(1)|(2
3\tdog\t2)
""",
    ],
    "corefud": [
        """\
# newdoc id = d1
# global.Entity = eid-etype-head-other
# sent_id = d1-1
1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsold\t_\tVERB\t_\t_\t0\troot\t_\t_
3\ther\t_\tPRON\t_\t_\t4\tnmod\t_\tEntity=(e2-object-2-(e1-person-1-)
4\tcar\t_\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)
4.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tBridge=e2<e3:part|Entity=(e3-person-1-)|SplitAnte=e1<e3,e2<e3

# sent_id = d1-2
1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_
1\tin\t_\tADP\t_\t_\t0\troot\t_\tEntity=(e4[1/2]-place-1-)
2\tit\t_\tPRON\t_\t_\t1\tobl\t_\t_
3\tout\t_\tADV\t_\t_\t1\tadv\t_\tEntity=(e4[2/2]-place-1-)

""",
        """\
# newdoc id = g
# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity
1\tthe\t_\tDET\t_\t_\t2\tdet\t_\tEntity=(1-object-new-sal-cf1-2-coref-Dog
2\tdog\t_\tNOUN\t_\t_\t0\troot\t_\tEntity=1)

""",
    ],
    "webanno": [
        """\
#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Referent|entity|infstat
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent


#Text=I like the house .
1-1\t0-1\tI\tperson\tacc\tcoref|bridge:aggr\t1-3[1_0]|2-1[2_0]\t
1-2\t2-6\tlike\t_\t_\t_\t_\t
1-3\t7-10\tthe\tplace[1]\tnew[1]\t_\t_\t
1-4\t11-16\thouse\tplace[1]\tnew[1]\t_\t_\t

#Text=Its door
2-1\t19-22\tIts\tplace[2]|object[3]\tgiv[2]|new[3]\t_\t_\t
2-2\t23-27\tdoor\tobject[3]\tnew[3]\t_\t_\t
""",
        """\
#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType


#Text=He shot himself
1-1\t0-2\tHe\tcoref->1-1\tpr[1]\t
1-2\t3-7\tshot\t_\t_\t
1-3\t8-15\thimself\t*->1-2|*->2-1\tpr[1]|*[2]\t
""",
    ],
    "ua": [
        """\
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
# newdoc id = d
# sent_id = d-1
1\tAnn\t_\t_\t_\t_\t_\t_\t_\t_\t(EntityID=1|MarkableID=markable_1|Min=1)\t_\t_\t_\t_
2\tmet\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t(EntityID=1-DD|MarkableID=dd_1|Min=2,2)\t_\t_
3\told\t_\t_\t_\t_\t_\t_\t_\t_\t(EntityID=2|MarkableID=markable_2|Min=4|SemType=dn\t\
(MarkableID=markable_2|Rel=part|MentionAnchor=markable_1|EntityAnchor=1\t_\t_\t_
4\tBob\t_\t_\t_\t_\t_\t_\t_\t_\t)\t)\t_\t_\t_

# sent_id = d-2
5\tThey\t_\t_\t_\t_\t_\t_\t_\t_\t(EntityID=3|MarkableID=markable_3|ElementOf=2)(EntityID=4-Pseudo|MarkableID=markable_4)\t\
_\t_\t_\t_
5.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\t_\t(EntityID=1|MarkableID=markable_5)\t_\t_\t_\t_
""",
        """\
# global.columns = ID FORM IDENTITY
# newdoc id = d
1\tAnn\t(EntityID=1|MarkableID=a
2\tLee\t)
""",
    ],
    "arrau": [
        """\
TOKEN MARKABLES MIN POS REFERENCE
The\tB-markable_1=set_1\tword_2\tdt\treferring
owner\tI-markable_1=set_1\tword_2\tnn\treferring
it\tI-markable_1=set_1@B-markable_2=set_7\tword_2@word_3..word_3\tprp\treferring@non_referring
rains

he B-markable_3=set_1 word_5 prp referring
""",
    ],
    "mmax2": [
        {
            "d.mmax": """\
<?xml version="1.0"?>
<mmax_project>
<words>d_words.xml</words>
<keyactions/>
</mmax_project>
""",
            "Basedata/d_words.xml": """\
<?xml version="1.0"?>
<!DOCTYPE words SYSTEM "words.dtd">
<words>
<word id="word_1">Ann</word>
<word id="word_2">saw</word>
<word id="word_3">her</word>
<word id="word_4">big</word>
<word id="word_5">dog</word>
</words>
""",
            "Markables/d_coref_level.xml": """\
<?xml version="1.0"?>
<markables xmlns="www.eml.org/NameSpaces/coref">
<markable id="markable_1" span="word_1" coref_class="set_4" mmax_level="coref" min_words="Ann"/>
<markable id="markable_2" span="word_3..word_5" coref_class="set_5" min_ids="word_5" type="bridge"/>
<markable id="markable_3" span="word_3,word_5" coref_class="set_4" mention="pronoun" reference="new"/>
</markables>
""",
            "Markables/d_sentence_level.xml": """\
<markables xmlns="www.eml.org/NameSpaces/sentence">
<markable id="markable_9" span="word_1..word_3"/>
<markable id="markable_10" span="word_4..word_5"/>
</markables>
""",
        },
        {
            "p.mmax": """\
<mmax_project><words>p_words.xml</words></mmax_project>
""",
            "basedata/p_words.xml": """\
<words><word id="word_1">He</word><word id="word_2">saw</word><word id="word_3">him</word></words>""",
            "markables/p_primmark_level.xml": """\
<markables xmlns="www.eml.org/NameSpaces/primmark">
<markable id="markable_3" span="word_3" anaphor_antecedent="markable_2" np_form="pper"/>
<markable id="markable_2" span="word_1" anaphor_antecedent="empty" np_form="defnp"/>
</markables>
""",
        },
    ],
    "ecb": [
        """\
<?xml version="1.0" encoding="UTF-8"?>
<Document doc_name="1_11ecb.xml" doc_id="D">
<token t_id="1" sentence="0" number="0">Tara</token>
<token t_id="2" sentence="0" number="1">Reid</token>
<token t_id="3" sentence="1" number="0">checked</token>
<token t_id="4" sentence="1" number="1">herself</token>
<Markables>
<HUMAN m_id="24"><token_anchor t_id="1"/><token_anchor t_id="2"/></HUMAN>
<HUMAN m_id="25"><token_anchor t_id="4"/></HUMAN>
<ACTION m_id="26"><token_anchor t_id="1"/><token_anchor t_id="3"/></ACTION>
<HUMAN m_id="46" RELATED_TO="" TAG_DESCRIPTOR="t1b" instance_id="HUM1"/>
</Markables>
<Relations>
<CROSS_DOC_COREF r_id="3" note="HUM1"><source m_id="24"/><source m_id="25"/><target m_id="46"/></CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="4"><source m_id="26"/><target m_id="46"/></INTRA_DOC_COREF>
</Relations>
</Document>
""",
    ],
    "uima": [
        """\
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:coref="http:///coref.ecore" \
xmlns:seg="http:///segmentation.ecore">
<seg:Sentence xmi:id="2" sofa="1" begin="0" end="8"/>
<seg:Token xmi:id="10" sofa="1" begin="0" end="2"/>
<seg:Token xmi:id="11" sofa="1" begin="3" end="8"/>
<coref:CoreferenceChain xmi:id="20" first="21"/>
<coref:CoreferenceLink xmi:id="21" sofa="1" begin="0" end="2" next="22"/>
<coref:CoreferenceLink xmi:id="22" sofa="1" begin="3" end="7"/>
<coref:CoreferenceChain xmi:id="24"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="He waves. His dog"/>
</xmi:XMI>
""",
        """\
{
 "%TYPES": {},
 "%FEATURE_STRUCTURES": [
  {
   "%ID": 1,
   "%TYPE": "uima.cas.Sofa",
   "sofaNum": 1,
   "sofaString": "He shot himself.\\n\\ud83d\\ude00 dog"
  },
  {
   "%ID": 4,
   "%TYPE": "webanno.custom.SimpleChain",
   "@first": 2
  },
  {
   "%ID": 2,
   "%TYPE": "webanno.custom.SimpleLink",
   "@sofa": 1,
   "begin": 0,
   "end": 2,
   "@next": 3
  },
  {
   "%ID": 3,
   "%TYPE": "webanno.custom.SimpleLink",
   "@sofa": 1,
   "begin": 8,
   "end": 15
  }
 ],
 "%VIEWS": {}
}""",
    ],
    "corefannotator": [
        """\
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" \
xmlns:v2="http:///de/unistuttgart/ims/coref/annotator/api/v2.ecore">
<cas:NULL xmi:id="0"/>
<v2:Entity xmi:id="5" Label="Ann" Color="-255"/>
<v2:Entity xmi:id="6" Label="Bob" Color="-256"/>
<v2:EntityGroup xmi:id="9" Label="they" Color="-257" Members="5 6"/>
<v2:Mention xmi:id="20" Entity="5" Surface="30"/>
<v2:Mention xmi:id="21" Entity="6" Surface="31 32"/>
<v2:Mention xmi:id="22" Entity="9" Surface="33"/>
<v2:Mention xmi:id="23" Entity="5" Surface="34"/>
<v2:MentionSurface xmi:id="30" sofa="1" begin="0" end="3" Mention="20"/>
<v2:MentionSurface xmi:id="31" sofa="1" begin="8" end="11" Mention="21"/>
<v2:MentionSurface xmi:id="32" sofa="1" begin="17" end="18" Mention="21"/>
<v2:MentionSurface xmi:id="33" sofa="1" begin="20" end="24" Mention="22"/>
<v2:MentionSurface xmi:id="34" sofa="1" begin="30" end="33" Mention="23"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="Ann met Bob, her X. They left her."/>
</xmi:XMI>
""",
        """\
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:type="http:///seg/type.ecore" \
xmlns:api="http:///de/unistuttgart/ims/coref/annotator/api.ecore">
<type:DocumentMetaData xmi:id="2" sofa="1" begin="0" end="9" documentId="d"/>
<type:Token xmi:id="3" sofa="1" begin="0" end="3"/>
<type:Token xmi:id="4" sofa="1" begin="4" end="9"/>
<api:Mention xmi:id="7" sofa="1" begin="0" end="3" Entity="11" Discontinuous="8"/>
<api:DetachedMentionPart xmi:id="8" sofa="1" begin="6" end="9" Mention="7"/>
<api:Mention xmi:id="9" sofa="1" begin="4" end="9" Entity="11"/>
<api:Entity xmi:id="11" Label="PATER" Color="-15991040"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="Old Peter"/>
</xmi:XMI>
""",
    ],
    "naf": [
        """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<NAF xml:lang="en" version="v3">
  <nafHeader><fileDesc title="t"/><public publicId="story1"/></nafHeader>
  <raw><![CDATA[Ann Lee left. She ran.]]></raw>
  <text>
    <wf id="w1" sent="1" para="1" offset="0" length="3">Ann</wf>
    <wf id="w2" sent="1" offset="4" length="3">Lee</wf>
    <wf id="w3" sent="1" offset="8" length="4">left</wf>
    <wf id="w4" sent="2" offset="14" length="3">She</wf>
    <wf id="w5" sent="2" offset="18" length="3">ran</wf>
  </text>
  <terms>
    <term id="t1" pos="R"><span><target id="w1"/><target id="w2"/></span></term>
    <term id="t3" pos="V"><span><target id="w3"/></span></term>
    <term id="t4" pos="Q"><span><target id="w4"/></span></term>
  </terms>
  <coreferences>
    <coref id="co1" type="person">
      <!--Ann Lee-->
      <span><target id="t1" head="yes"/></span>
      <span><target id="t4"/></span>
    </coref>
    <coref id="co2"><span><target id="t1"/><target id="t4"/></span></coref>
  </coreferences>
</NAF>
""",
        """\
<KAF xml:lang="en"><text><wf wid="w1" sent="1">It</wf><wf wid="w2" sent="1">is</wf></text>
<terms><term tid="t1"><span><target id="w1"/></span></term></terms>
<coreferences><coref coid="c1"><references><span><target id="t1"/></span></references></coref></coreferences></KAF>
""",
    ],
    "glozz": [
        {
            "d.aa": """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<annotations>
<metadata corpusHashcode="17-1"/>
<unit id="me_1"><metadata><author>me</author><creation-date>1</creation-date></metadata>
<characterisation><type>paragraph</type><featureSet/></characterisation>
<positioning><start><singlePosition index="0"/></start><end><singlePosition index="17"/></end></positioning></unit>
<unit id="me_2"><metadata><author>me</author><creation-date>2</creation-date></metadata>
<characterisation><type>MENTION</type><featureSet><feature name="REF">Ann</feature></featureSet></characterisation>
<positioning><start><singlePosition index="0"/></start><end><singlePosition index="3"/></end></positioning></unit>
<unit id="u3"><metadata><author>me</author><creation-date>3</creation-date></metadata>
<characterisation><type>MENTION</type><featureSet><feature name="REF">Ann</feature></featureSet></characterisation>
<positioning><start><singlePosition index="8"/></start><end><singlePosition index="11"/></end></positioning></unit>
<unit id="u4"><metadata><author>me</author><creation-date>4</creation-date></metadata>
<characterisation><type>MENTION</type><featureSet/></characterisation>
<positioning><start><singlePosition index="8"/></start><end><singlePosition index="15"/></end></positioning></unit>
<unit id="u5"><metadata><author>me</author><creation-date>5</creation-date></metadata>
<characterisation><type>MENTION</type><featureSet/></characterisation>
<positioning><start><singlePosition index="17"/></start><end><singlePosition index="19"/></end></positioning></unit>
<schema id="me_9"><characterisation><type>CHAINE</type><featureSet/></characterisation>
<positioning><embedded-unit id="me_2"/><embedded-unit id="me_3"/></positioning></schema>
<relation id="me_10"><characterisation><type>ANAPHORE</type><featureSet/></characterisation>
<positioning><term id="u5"/><term id="u4"/></positioning></relation>
</annotations>
""",
            "d.ac": "Ann saw her dog. It barked.",
        },
    ],
    "tei": [
        {
            "d-urs.xml": """\
<?xml version="1.0" encoding="UTF-8"?><tei:TEI xmlns:tei="http://www.tei-c.org/ns/1.0"><teiHeader/><text></text>
<standOff><annotations type="coreference"><annotationGrp type="Unit" subtype="MENTION">
<span id="u-MENTION-0" from="text:w_export_0" to="text:w_export_0" ana="#u-MENTION-0-fs"/>
<span id="u-MENTION-1" from="text:w_export_2" to="text:w_export_2" ana="#u-MENTION-1-fs"/>
<span id="u-MENTION-2" from="text:w_export_2" to="text:w_export_3" ana="#u-MENTION-2-fs"/>
<span id="u-MENTION-3" from="text:w_export_4" to="text:w_export_4" ana="#u-MENTION-3-fs"/>
</annotationGrp><annotationGrp type="Schema" subtype="CHAINE">
<link id="s-CHAINE-0" target="#u-MENTION-0 #u-MENTION-1" ana="#s-CHAINE-0-fs"/>
</annotationGrp>
<div type="unit-fs"><fs id="u-MENTION-2-fs"><f name="REF"><string>dog</string></f></fs>
<fs id="u-MENTION-3-fs"><f name="REF"><string>dog</string></f></fs></div></annotations></standOff></tei:TEI>
""",
            "d.xml": """\
<?xml version="1.0" encoding="UTF-8"?><TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:txm="http://textometrie.org/1.0">
<teiHeader/><text><p><s n="0"><w id="w_export_0" n="0"><txm:form>Ann</txm:form></w><w id="w_export_1" n="1"><txm:form>saw\
</txm:form></w><w id="w_export_2" n="2"><txm:form>her</txm:form></w><w id="w_export_3" n="3"><txm:form>dog</txm:form></w></s>
<s n="1"><w id="w_export_4" n="4"><txm:form>It</txm:form></w></s></p></text></TEI>
""",
        },
        """\
<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><u who="#s"><w xml:id="w1">le</w><w xml:id="w2">chat</w>\
<pc xml:id="p1">,</pc><w xml:id="w3">il</w></u></body></text><standOff><annotation type="coreference">
<spanGrp subtype="mention"><span xml:id="m1" from="#w1" to="#w2" ana="#f1"/><span xml:id="m2" target="#w1 #w3" ana="#f1"/>
</spanGrp><linkGrp type="schema"><link xml:id="c1" target="#m1 #m2"/></linkGrp>
<fs xml:id="f1"><f name="type"><symbol value="N"/></f></fs></annotation></standOff></TEI>
""",
        """\
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><head><persName ref="#ann">Ann</persName></head><p>Then
<rs type="person" ref="#ann">her</rs> <rs xml:id="r1" ref="#b">bro<lb break="no"/>ther</rs> came; <rs corresp="#r1">he</rs> and
<rs ref="#ann">she</rs> left.</p></body></text></TEI>
""",
    ],
    "litbank": [
        {
            "d.ann": """\
MENTION\tT1\t0\t2\t0\t5\tLincoln 's Inn Hall\tFAC\tPROP
MENTION\tT2\t2\t0\t2\t0\tIt\tFAC\tPRON
MENTION\tT3\t2\t2\t2\t4\ta great hall\tFAC\tNOM
COREF\tT1\tHall-0
COREF\tT2\tHall-0
""",
            "d.txt": """\
Fog on Lincoln 's Inn Hall .

It is a great hall .
""",
        },
    ],
    "brat": [
        {
            "d.ann": """\
T1\tGroup 0 3;14 17\tOld men
T2\tGroup 8 17\tyoung men
T3\tPerson 22 26\tMary
T5\tAnimal 34 36\tIt
T6\tPerson 47 50\ther
R1\tCoreference Arg1:T6 Arg2:T3
*\tEquiv T1 T5
A1\tNegation T5
#1\tAnnotatorNotes T1\tunclear
""",
            "d.txt": """\
Old and young men met Mary's dog.
It barked at her.
""",
        },
    ],
    "muc": [
        """\
<DOC>
<DOCID> nyt-1 </DOCID>
<HL> Shares &amp; stocks </HL>
<TEXT><p>
<s> <COREF ID="2" MIN="company">The big company</COREF> fell. </s>
<s> So did <COREF ID="3" TYPE="IDENT" REF="2">it</COREF> with <coref id=5 type=IDENT ref='3'>
its</coref> boss </s>
</TEXT>
</DOC>
""",
        """\
<DOC DOCNO="bc/cctv_0005">
<TEXT PARTNO="000">
<COREF ID="12" TYPE="IDENT"><COREF ID="4" TYPE="IDENT">his</COREF> son</COREF>
</TEXT>
<TEXT PARTNO="001">
<COREF ID="7" TYPE="IDENT">the dog</COREF> , barked
</TEXT>
</DOC>
""",
    ],
    "booknlp": [
        {
            "d.entities": """\
COREF\tstart_token\tend_token\tprop\tcat\ttext
123\t0\t1\tPROP\tPER\tEmma Woodhouse
403\t3\t4\tNOM\tLOC\tthe world
123\t5\t5\tPRON\tPER\tShe
""",
            "d.tokens": """\
paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword\tlemma\tbyte_onset\tbyte_offset\t\
POS_tag\tfine_POS_tag\tdependency_relation\tsyntactic_head_ID\tevent
0\t0\t0\t0\tEmma\tEmma\t0\t0\tX\tX\tdep\t0\tO
0\t0\t1\t1\tWoodhouse\tWoodhouse\t0\t0\tX\tX\tdep\t0\tO
0\t0\t2\t2\tin\tin\t0\t0\tX\tX\tdep\t0\tO
0\t0\t3\t3\tthe\tthe\t0\t0\tX\tX\tdep\t0\tO
0\t0\t4\t4\tworld\tworld\t0\t0\tX\tX\tdep\t0\tO
0\t1\t5\t5\tShe\tShe\t0\t0\tX\tX\tdep\t0\tO
""",
        },
    ],
    "labelstudio": [
        """\
[
 {"id": 7, "annotations": [{"id": 3, "completed_by": 1, "was_cancelled": false, "ground_truth": false, "result": [
  {"value": {"start": 0, "end": 3, "text": "Ann", "labels": ["Person"]}, "id": "a1", "from_name": "label", "to_name": "text",
   "type": "labels", "origin": "manual"},
  {"value": {"start": 8, "end": 11, "text": "her", "labels": ["Person"]}, "id": "b2", "from_name": "label", "to_name": "text",
   "type": "labels", "origin": "manual"},
  {"value": {"start": 8, "end": 15, "text": "her dog", "labels": ["Mention"]}, "id": "c3", "from_name": "label",
   "to_name": "text", "type": "labels", "origin": "manual"},
  {"value": {"start": 8, "end": 15, "text": ["dog"]}, "id": "c3", "from_name": "entity", "to_name": "text", "type": "textarea"},
  {"from_id": "b2", "to_id": "a1", "type": "relation", "direction": "right", "labels": ["coreference"]}]}],
  "predictions": [], "data": {"text": "Ann saw her dog."}},
 {"id": 8, "annotations": [{"completed_by": {"id": 1, "email": "ann@example.org"}, "result": []}], "data": {"text": "No one."}}
]
""",
        """\
[
{"predictions": [{"model_version": "referee", "result": [{"id": "m0", "type": "labels", "from_name": "label", \
"to_name": "text", "value": {"start": 2, "end": 6, "text": "Anns", "labels": ["Person"]}}, {"id": "m1", "type": "labels", \
"from_name": "label", "to_name": "text", "value": {"start": 9, "end": 11, "text": "It", "labels": ["Mention"]}}, \
{"type": "relation", "from_id": "m1", "to_id": "m0", "direction": "right", "labels": ["coreference"]}]}], "data": \
{"doc_id": "d", "text": "\\ud83d\\ude00 Anns .\\nIt", "tokens": ["\\ud83d\\ude00", "Anns", ".", "It"], "sentences": [0, 3]}}
]
""",
    ],
    "doccano": [
        """\
{"id": 1, "text": "Ann saw her dog.\\nIt barked.", "entities": [{"id": 4, "label": "Person", "start_offset": 0, \
"end_offset": 3}, {"id": 5, "label": "Person", "start_offset": 8, "end_offset": 11}, {"id": 6, "label": "Mention", \
"start_offset": 8, "end_offset": 15}, {"id": 7, "label": "Animal", "start_offset": 17, "end_offset": 19}], "relations": [\
{"id": 2, "from_id": 5, "to_id": 4, "type": "coref"}, {"id": 3, "from_id": 7, "to_id": 6, "type": "Identity"}], \
"Comments": []}
{"id": 2, "text": "No one.", "entities": [], "relations": [], "Comments": ["empty"]}
""",
    ],
    "prodigy": [
        """\
{"text": "Ann saw her dog", "_input_hash": 1817, "_task_hash": -52, "tokens": [{"text": "Ann", "start": 0, "end": 3, "id": 0, \
"ws": true}, {"text": "saw", "start": 4, "end": 7, "id": 1, "ws": true}, {"text": "her", "start": 8, "end": 11, "id": 2, \
"ws": true}, {"text": "dog", "start": 12, "end": 15, "id": 3, "ws": false}], "_view_id": "relations", "spans": [{"start": 0, \
"end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"}], "relations": [{"head": 0, "child": 2, "head_span": \
{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"}, "child_span": {"start": 8, "end": 11, \
"token_start": 2, "token_end": 2, "label": null}, "color": "#c5bdf4", "label": "COREF"}], "answer": "accept", \
"_timestamp": 1613465271, "_annotator_id": "s-ann", "_session_id": "s-ann"}
{"text": "It rained", "_input_hash": 3, "spans": [], "relations": [], "answer": "accept", "_session_id": "s-ann"}
{"text": "He\\nleft", "meta": {"id": "d"}, "spans": [{"start": 0, "end": 2}], "relations": [], "answer": "accept"}
""",
    ],
    "elit": [
        """\
{"text": "Emory NLP is a lab. It is new.", "tokens": [["Emory", "NLP", "is", "a", "lab", "."], ["It", "is", "new", "."]], \
"dcr": [[[0, 0, 2, "Emory NLP"], [1, 0, 1, "It"]]]}
""",
        """\
{"doc_id": "d", "sens": [{"sid": 0, "tok": ["Ann", "saw", "her"]}], "coref": [[[0, 0, 1], [0, 2, 3]]]}
""",
    ],
    "stanza": [
        """\
[[{"id": 1, "text": "Ann", "coref_chains": [{"index": 0, "is_start": true, "representative_text": "x"}]}, {"id": 2, "text": \
"Lee", "coref_chains": [{"index": 0, "is_end": true, "representative_text": "x"}]}, {"id": [3, 4], "text": "im"}, {"id": 3, \
"text": "in", "coref_chains": []}, {"id": [4, 1], "text": "_", "coref_chains": [{"index": 1, "is_start": true, "is_end": \
true}]}], [{"id": 1, "text": "She", "coref_chains": [{"index": 0, "is_start": true, "is_end": true}]}]]""",
        """\
# text = Ann Lee waves
# sent_id = 0
1\tAnn\t_\t_\t_\t_\t_\t_\t_\tstart_char=0|coref_chains=start-repr-id0
2\tLee\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=end-repr-id0,unit-id1
3\twaves\t_\t_\t_\t_\t_\t_\t_\t_

# sent_id = 1
1\tShe\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=unit-id0
1.1\t_\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=unit-id1

""",
    ],
    "corenlp": [
        """\
{"docId": "a.txt", "sentences": [{"index": 0, "tokens": [{"index": 1, "word": "Ann"}, {"index": 2, "word": "-LRB-", \
"originalText": "("}]}, {"index": 1, "tokens": [{"index": 1, "word": "She", "before": " "}]}], "corefs": {"2": [{"id": 1, \
"type": "P\
ROPER", "startIndex": 1, "endIndex": 3, "headIndex": 1, "sentNum": 1}, {"id": 2, "type": "PRONOMINAL", "startIndex": 1, \
"endIndex": 2, "headIndex": 1, "sentNum": 2}]}}""",
        """\
<?xml version="1.0" encoding="UTF-8"?>
<root>
<document>
<docId>a.txt</docId>
<sentences>
<sentence id="1"><tokens>
<token id="1"><word>Ann</word></token><token id="2"><word>-LRB-</word><originalText>(</originalText></token>
</tokens></sentence>
<sentence id="2"><tokens><token id="1"><word>She</word></token></tokens></sentence>
</sentences>
<coreference>
<coreference>
<mention representative="true"><sentence>1</sentence><start>1</start><end>3</end><head>1</head><text>Ann</text></mention>
<mention><sentence>2</sentence><start>1</start><end>2</end><head>1</head></mention>
</coreference>
</coreference>
</document>
</root>
""",
    ],
    "preco": [
        """\
{"id": "d1", "sentences": [["My", "dog", "ran"], [" "], ["It"]], "mention_clusters": [[[0, 0, 2], [2, 0, 1]], [[0, 0, 1]]]}
{"id": "d2", "sentences": [["He"]], "mention_clusters": []}
""",
    ],
    "maverick": [
        """\
{"tokens": ["Ann", "Lee", "saw", "her"], "clusters_token_offsets": [[[0, 1], [3, 3]]], "clusters_char_offsets": null, \
"clusters_token_text": [["Ann Lee", "her"]], "clusters_char_text": null}
""",
    ],
    "allennlp": [
        """\
{"top_spans": [[0, 0], [3, 4]], "antecedent_indices": [[0, 0], [0, 1]], "predicted_antecedents": [-1, 0], "document": \
["Ann", "waves", ".", "The", "man"], "clusters": [[[0, 0], [3, 4]]]}
""",
    ],
    "fastcoref": [
        """\
{"text": "We are happy to see our coref package. It is fast!", "clusters": [[[0, 2], [20, 23]], [[20, 37], [39, 41]]], \
"clusters_strings": [["We", "our"], ["our coref package", "It"]]}
""",
    ],
    "jsonlines": [
        """\
{"doc_key": "d1", "sentences": [["Ann", "waves"], ["She", "and", "her", "dog"]], "speakers": [["-", "-"], ["-"]], \
"clusters": [[[0, 0], [2, 2], [4, 4]], [[4, 5]]], "entity_types": ["person", ""]}
{"document_id": "d2", "cased_words": ["a", "b"], "sent_id": [0, 1], "span_clusters": [[[0, 1], [1, 2]]]}
""",
        """\
[{"doc_key": "e", "sentences": [["[CLS]", "Oba", "##ma", "[SEP]"]], "subtoken_map": [0, 0, 0, 0], "clusters": [[[1, 2]]]},
 {"id": 7, "tokens": ["x"], "characters": [{"name": "X", "cluster": [[0, 0]]}]}]
""",
    ],
    "s2and": [
        """\
{"1": {"cluster_id": "1", "signature_ids": ["0", "1"], "model_version": -1}, "2": {"signature_ids": ["2"]}}""",
    ],
    "clusters": [
        """\
{"type":"clusters","clusters":{"0":["0.0-0","0.1-1"],"1":["0.2"]}}""",
        """\
{"type":"graph","mentions":["a","b","c"],"links":[["a","b"]]}""",
        "[[[0, 1], [2, 4]], [[2, 3]]]",
        """\
{"documents": {"d1": [["a"]], "d2": {"links": [["a", "b"]]}, "d3": []}}""",
    ],
    "winobias": [
        "[The cook] met the nurse because [he] was ill.\n1 The cook met [the nurse] as [she] lost [her] key.\n",
    ],
    "gap": [
        """\
ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL
d-2\t"He" met Bo, Al\tHe\t1\tBo\t9\tFALSE\tAl\t13\tFALSE\tu
d-3\tBo, Al, them\tthem\t8\tBo\t0\ttrue\tAl\t4\ttrue\tu
""",
        """\
ID\tA-coref\tB-coref
d-1\tTRUE\tFALSE
d-2\tfalse\tTrue
""",
    ],
    "pairs": [
        """\
match_weight,match_probability,unique_id_l,unique_id_r,name_l
3.7,0.93,r1,r2,Ann
-3,0.12,r2,r7,Anne
""",
        """\
ltable_id\trtable_id\tlabel
0\t0\t1
1\t0\t0
""",
    ],
    "tagged": [
        "[Tom](#1) saw [[his](#1) dog](#2). [He](#1) fed [it](#).\n",
        "### d1\n<m>Tom</m>#1 saw <m><m>his</m>#1 dog</m>#2.\n### d2\nllega </z>@1\n",
        "Tom|[e1] saw his|[e2,[e1] dog|e2] . ##|[e1]\n",
        "```\n<m> Tom | 1 </m> saw <m> <m> his | 1 </m> dog | 2 </m> .\n```\n",
        "[ Tom ] saw [ [ his | Tom ] dog ] .\n",
        '{"doc_id": "d1", "text": "[Tom](#1) &amp; [I](#2)"}\n',
    ],
    "quotes": [
        'Tom: ["Tom", "he"]\n- dog: [his dog, it]\n',
        '{"d1": [["Tom", "he"], ["it"]], "d2": [["Ann"]]}\n',
        '[[["Tom", 1], ["he", 2]], [["it", 2]]]\n',
        '```json\n[["Tom", "he"], ["it"]]\n```\n',
    ],
    "sacr": [
        """\
#title:The Eagle

#textid:aesop

{Peasant:function="s subject",head="1" A Peasant} found {Eagle: an Eagle in {M3 a trap}}.

{Peasant:note="his \\"{own}\\"" {Eagle His} deliverer}\\nfell.

#COLOR:Peasant=hsl(25, 100%, 80%)

#TOKENIZATION-TYPE:1
""",
    ],
    "csv": [
        """\
doc_id,item,entity
d1,a,1
d2,"b, ""c\"\"\",1
d1,"two
lines",1
""",
        """\
r1,17
r2,17
r3,4
""",
    ],
    "tsv": [
        """\
cluster_id\tunique_id\tname
c1\t7\tAnn
c1\t8\tAnne
""",
        """\
r1\t17
r3\t17
"r 2"\t17
""",
    ],
    "rows": [
        """\
{"record_id": "r1", "cluster_id": 17, "name": "Ann \\"A.\\" Lee"}
{"record_id": "r2", "cluster_id": 17.0, "name": null}
{"record_id": "r3", "cluster_id": 4}
""",
        """\
[
  {"doc_id": "d1", "item": 1, "entity": "x"},
  {"doc_id": "d2", "item": 1, "entity": "x"},
  {"doc_id": "d1", "item": 2, "entity": "x"}
]
""",
        """\
{"match_weight": 3.7, "match_probability": 0.93, "unique_id_l": "r1", "unique_id_r": "r2"}
{"match_weight": -3, "match_probability": 0.12, "unique_id_l": "r2", "unique_id_r": "r7"}
""",
    ],
    "links": [
        """\
<A-B B-C D-E> # a comment
{F G}
well-known--it it-x
""",
        """\
#document d1
A-B
{C}
#document d2
A-C
""",
    ],
}

TABLES = [
    {
        "id": ["d1", "d2"],
        "sentences": [
            [
                {"id": 1, "tokens": [{"id": 1.0, "text": "Ann"}, {"id": 1.1, "text": "_"}, {"id": 2.0, "text": "waves"}]},
                {"id": 2, "tokens": [{"id": 1.0, "text": "She"}]},
            ],
            [],
        ],
        "coref_chains": [[[[0, 0, 1], [1, 0, 0]], [[0, 2, 2]]], []],
    },
    {"unique_id": ["r1", "r2", "r3"], "cluster_id": [17, 17, 4]},
    {"unique_id_l": ["r1", "r2"], "unique_id_r": ["r2", "r7"], "match_probability": [0.93, 0.12]},
    {"doc_key": ["d1", "d2"], "sentences": [[["Ann", "saw", "her"]], [["Bo"]]], "clusters": [[[[0, 0], [2, 2]]], []]},
]
"""What files of Parquet and Arrow hold, as JSON."""

SHORT = """\
́ é 0 -1 -0 +1 00 1.5 1e999 -1e999 NaN Infinity 0x10 ² ١ 1_000 2147483647 2147483648 4294967296 9223372036854775808
999999999999999999999999999999 null true false [] {} "" [[]] [null] "\\ud800" "\\u0000" \\ " ' ( ) [ ] { } < > | (((((
))))) (1 1) (1) (1)|(1) - -- _ * # = , ; : / & &amp; &lt &#0; &#55296; &x; %00 %s {0} <!-- --> <![CDATA[ ]]> <?x?> </s>
</COREF> <TEXT> </TEXT> <DOC> .. ../../etc/passwd 1-2 1.1 0.1 [1/2] (EntityID=1|MarkableID=a Entity=(e1 Entity=e1) e1<e1
Bridge=e1<e2 SplitAnte=e1<e1 word_1..word_3 -> word_3..word_1 word_1..word_999999999 #T_SP=a|b
"""
"""What readers may trip over, without blanks; numbers, brackets, pieces of the formats themselves."""
HOSTILE = [
    *SHORT.split(),
    *("", " ", "\n", "\n\n", "\t", "\r", "\r\n", "\0", "\ufeff", "\u2028", "\u00a0", "\x0b", "\x1c", "\x85"),
    *('{"a": 1, "a": 2}', '<!DOCTYPE a [<!ENTITY x "y">]>', "<COREF ID=1>", "#begin document (d)", "#end document"),
    *("# newdoc id = d", "# newdoc", "# global.Entity = eid", "T1\tX 0 3;2 1\tx", "R1\tCoreference Arg1:T1 Arg2:T1"),
    *("*\tEquiv T1", "9" * 5000, "1" + "0" * 400, "x" * 3000, "[" * 2000, "{" * 2000, '{"a":' * 1200, "<a>" * 500),
    *("(1|" * 700, "a-b " * 700, "\n" * 300, "\t" * 300, "|" * 300),
]  # fmt: skip
RAW = [
    *(token.encode() for token in HOSTILE),
    *(b"\xff", b"\xc3", b"\xe9", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\x80"),
]
RARE = [
    *(b"[" * 100_000, b'{"a":[' * 30_000, b"<a>" * 50_000, b"x" * 200_000, b"(1" * 50_000, b"\n" * 100_000, b"9" * 100_000),
    *(b" " * 100_000, b"\t" * 100_000, b"<!--" * 25_000, b"<root " * 20_000, b'"' * 100_000, b"\\" * 100_000, b"-" * 100_000),
    *(b"a=" * 50_000, b"&" * 100_000, b"<COREF ID=1>" * 8_000, b"a-b " * 30_000, b"|" * 100_000, b"(1)|" * 30_000),
    *(b"{" + b"\n" * 60_000, b"{a " * 40_000, b"1,2\n" * 30_000, b"T1\tX 0 3\tx\n" * 8_000, b"#\n" * 50_000),
    *(b"word_1,word_2 " * 8_000, b"[1]|" * 30_000),
]  # fmt: skip
"""Where time may grow with the square of the length."""
VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 1.5, 1e308, float("inf"), float("nan"), 2**31, 2**63, 10**30, 10**4000),
    *("", " ", "0", "1", "a", "d1", "\0", "\ud800", "é\u0301", "x" * 300, "a\nb", "a\tb", [], {}, [[]], [None], [0], [0, 0]),
    *([1, 0], [[0, 0]], [[[0, 0]]], ["a"], [["a"]], {"a": 1}, {"": []}, [0, 1, 2, 3], [[0, 1], "a"], [True, False]),
    *([-1, 0], [0, 10**30], ["a", "a"]),
]  # fmt: skip
WORD = re.compile(rb"[^\s,:;\"'<>=|()\[\]{}/-]+")
NUMBER = re.compile(rb"[0-9]+")


@cache
def samples(format: str) -> Sequence[Sample]:
    """The files to start from; MissingExtraError if the format needs a library that is not there."""
    if format == "parquet":
        return [{"d": parquet(table)} for table in TABLES]
    if format == "arrow":
        return [{"d": arrow(table)} for table in TABLES]
    if format == "docbin":
        return [{"d": docbin()}]
    files = [{"d": text} if isinstance(text, str) else text for text in TEXTS[format]]
    return [{name: text.encode() for name, text in sample.items()} for sample in files]


def parquet(table: Any) -> bytes:
    """A file with these columns; ValueError if they are none that Parquet can hold."""
    try:
        arrow, tables = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("parquet", "parquet") from None
    out = io.BytesIO()
    try:
        tables.write_table(arrow.table(table), out)
    except Exception as error:  # the library has many
        raise ValueError from error
    return out.getvalue()


def arrow(table: Any) -> bytes:
    """A stream of Arrow with these columns."""
    try:
        library, out = import_module("pyarrow"), io.BytesIO()
    except ImportError:
        raise MissingExtraError("arrow", "parquet") from None
    columns = library.table(table)
    with import_module("pyarrow.ipc").new_stream(out, columns.schema) as writer:
        writer.write_table(columns)
    return out.getvalue()


def docbin() -> bytes:
    try:
        spacy = import_module("spacy")
    except ImportError:
        raise MissingExtraError("docbin", "spacy") from None
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    first, second = nlp("My sister saw her dog. It barked."), nlp("Ann waved")
    first.spans["coref_clusters_1"] = [first[0:2], first[3:4]]
    first.spans["coref_head_clusters_1"] = [first[1:2], first[3:4]]
    if not second.has_extension("coref_clusters"):
        second.set_extension("coref_clusters", default=None)
    second._.coref_clusters = [[(0, 3), (4, 9)]]
    found: bytes = spacy.tokens.DocBin(docs=[first, second], store_user_data=True).to_bytes()
    return found


def mutated(format: str, random: Random, start: Sample | None = None) -> Sample:
    """One of the samples, or another file to start from, damaged in one to four ways."""
    files = dict(start or random.choice(samples(format)))
    name = random.choice(list(files))
    with suppress(ValueError, RecursionError, zlib.error):  # not everything can be packed again
        if format == "parquet" and start is None and random.random() < 0.8:
            return {name: parquet(with_other_value(random.choice(TABLES), random))}
        if format == "docbin" and random.random() < 0.8:
            return {name: _docbin_with_other_value(files[name], random)}
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        files[name] = damaged(files[name], format, random)
        if random.random() < 0.3:
            name = random.choice(list(files))
    return files


def damaged(data: bytes, format: str, random: Random) -> bytes:
    """The bytes of a file, damaged in one way."""
    return random.choices(DAMAGE, WEIGHTS)[0](data, format, random)


def _flipped(data: bytes, format: str, random: Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(random.randint(1, 4) if damaged else 0):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    return bytes(damaged)


def _cut(data: bytes, format: str, random: Random) -> bytes:
    """Its beginning, its end, or all but a piece."""
    a, b = sorted(random.randint(0, len(data)) for _ in range(2))
    return random.choice((data[:a], data[b:], data[:a] + data[b:], data[: max(0, len(data) - random.randint(1, 9))]))


def _other_lines(data: bytes, format: str, random: Random) -> bytes:
    """A line gone, repeated, moved or exchanged for another; or all in another order."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    n, m = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(5)
    if kind == 0:
        del lines[n]
    elif kind == 1:
        lines[n:n] = [lines[m]] * (random.choice((1, 1, 1, 2, 50)) if len(data) < 20_000 else 1)
    elif kind == 2:
        lines[n], lines[m] = lines[m], lines[n]
    elif kind == 3:
        lines.insert(m, lines.pop(n))
    else:
        random.shuffle(lines)
    return b"".join(lines)


def _inserted(data: bytes, format: str, random: Random) -> bytes:
    n = random.randint(0, len(data))
    return data[:n] + random.choice(RAW) + data[n:]


def _other_word(data: bytes, format: str, random: Random) -> bytes:
    """A word or number exchanged for a hostile one, or for another of the file."""
    words = _places(data, NUMBER if random.random() < 0.4 else WORD)
    if not words:
        return data
    start, end = random.choice(words)
    other = data[slice(*random.choice(words))] if random.random() < 0.5 else random.choice(RAW)
    return data[:start] + other + data[end:]


@lru_cache(256)
def _places(data: bytes, pattern: re.Pattern[bytes]) -> list[tuple[int, int]]:
    """Where words are: files are damaged again and again."""
    return [word.span() for word in pattern.finditer(data)]


def _spliced(data: bytes, format: str, random: Random) -> bytes:
    """With a piece, or the rest, of another sample: mostly of the same format."""
    of = format if random.random() < 0.7 else random.choice(list(TEXTS))
    other = random.choice(list(random.choice(samples(of)).values()))
    n, (a, b) = random.randint(0, len(data)), sorted(random.randint(0, len(other)) for _ in range(2))
    return random.choice((data[:n] + other[a:], data[:n] + other[a:b] + data[n:], data + other))


def _encoded(data: bytes, format: str, random: Random) -> bytes:
    text = data.decode(errors="replace")
    encoding = random.choice(("utf-16", "utf-16-le", "latin-1", "utf-8-sig", "crlf", "cr", "gzip"))
    if encoding == "gzip":
        import gzip

        packed = gzip.compress(data, 1, mtime=0)
        return packed if random.random() < 0.3 else _flipped(packed, format, random)
    if encoding in ("crlf", "cr"):
        return data.replace(b"\n", b"\r\n" if encoding == "crlf" else b"\r")
    return text.encode(encoding, errors="replace")


def _other_value(data: bytes, format: str, random: Random) -> bytes:
    """A value of a JSON file exchanged for another."""
    try:
        values = [json.loads(data)]
    except (ValueError, RecursionError):
        values = []
        for line in data.splitlines():
            with suppress(ValueError, RecursionError):
                values.append(json.loads(line))
    if not values:
        return _other_word(data, format, random)
    n = random.randrange(len(values))
    with suppress(RecursionError, ValueError):
        values[n] = with_other_value(values[n], random)
        return "\n".join(json.dumps(value) for value in values).encode()
    return data


def with_other_value(value: Any, random: Random) -> Any:
    """The value with one of those inside (or itself) exchanged, gone, repeated, or under another key."""
    if not isinstance(value, dict | list) or not value or random.random() < 0.08:
        return random.choice(VALUES)
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = random.choice(keys)
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    kind = random.random()
    if kind < 0.1:
        del copy[key]
    elif kind < 0.2:
        copy[random.choice(keys)] = copy[key]
    elif kind < 0.25 and isinstance(copy, dict):
        copy[random.choice(("clusters", "text", "tokens", "doc_key", "id", "", "0", "links"))] = copy[key]
    elif kind < 0.25:
        copy.insert(key, copy[key])
    else:
        copy[key] = with_other_value(copy[key], random)
    return copy


def _docbin_with_other_value(data: bytes, random: Random) -> bytes:
    msgpack = import_module("srsly").msgpack_dumps, import_module("srsly").msgpack_loads
    unpacked = zlib.decompress(data)
    if random.random() < 0.5:
        return zlib.compress(_flipped(unpacked, "docbin", random), 1)
    try:
        return zlib.compress(msgpack[0](with_other_value(msgpack[1](unpacked), random)), 1)
    except Exception as error:  # the library has many
        raise ValueError from error


def _oversized(data: bytes, format: str, random: Random) -> bytes:
    n = random.randint(0, len(data))
    return data[:n] + random.choice(RARE) + data[n:]


DAMAGE: Sequence[Callable[[bytes, str, Random], bytes]] = (
    _flipped, _cut, _other_lines, _inserted, _other_word, _spliced, _other_value, _encoded, _oversized,
)  # fmt: skip
WEIGHTS = (10, 10, 15, 15, 25, 12, 20, 3, 0.02)


class HangError(BaseException):
    """Not an Exception, so that no reader takes it for its own."""


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """HangError if what is done takes more of the processor's time; without a limit where the system has no such timer.

    Garbage is not collected: in a process that has run many tests, this alone would take long.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, stop)
    collects = gc.isenabled()
    gc.disable()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if collects:
            gc.enable()
        signal.signal(signal.SIGPROF, before)


def opened(sample: Sample, folder: Path) -> Source:
    """The file to read: in memory, or, if others belong to it, in the folder."""
    first, *others = sample
    if not others:
        return Source("x", sample[first])
    stored(sample, folder)
    return Source(folder / first)


def stored(sample: Sample, folder: Path) -> None:
    """Write the files of a sample into a folder."""
    for name, data in sample.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)


class Outcome(NamedTuple):
    """What came of a damaged file: what is wrong with that, or None; and the corpus, if it could be read."""

    trouble: str | None
    corpus: Corpus | None = None


def trouble_with(sample: Sample, format: str, folder: Path) -> str | None:
    """What a reader did that it must not do with any file, however damaged; None if all is well."""
    return outcome(sample, format, folder).trouble


def outcome(sample: Sample, format: str, folder: Path) -> Outcome:
    """What comes of a damaged file, with what is wrong.

    Reading must give a corpus that makes sense, or a FormatError of one short line, whether or not the format is named;
    `validate` must find a fault in exactly those files that cannot be read. What is written of the corpus, in this format and
    in another, must read the same, the corpus must be a perfect response to itself, and reading takes no more memory than is
    promised. Each of the last three is tried with every third file, by its digest.
    """
    try:
        with limited(2 * SECONDS):
            return _outcome(sample, format, folder)
    except HangError:
        return Outcome(f"takes more than {2 * SECONDS:g} seconds")
    except Exception as error:  # noqa: BLE001  # that is what we look for
        return Outcome(f"{type(error).__name__}: {error}")


def _outcome(sample: Sample, format: str, folder: Path) -> Outcome:
    path, data = _put(sample, folder)
    digest = zlib.crc32(data or b"".join(sample.values()))
    with _traced(data if digest % 3 == 2 else None) as memory:
        corpus, refused = _read(path, data, format)
    if memory and memory[0] > _most(data):  # again, as the first time libraries are imported
        with _traced(data) as memory:
            _read(path, data, format)
        if memory[0] > _most(data):
            return Outcome(f"takes {memory[0]} bytes for {len(data or b'')}")
    try:
        other = inputs.detect(Source(path, data))
    except FormatError:
        other = format
    if other != format:
        _read(path, data, other)
    faults = _faults(path, data, format)
    for fault in [*faults, *([refused] if refused else [])]:
        if problem := bad_message(fault, fault.source):
            return Outcome(problem)
    if refused and not faults:
        return Outcome(f"validate finds nothing, but read says: {refused}")
    if faults and not refused:
        return Outcome(f"it can be read, but validate says: {faults[0]}")
    if corpus is None:
        return Outcome(None)
    trouble = _nonsense(corpus) or _not_as_counted(corpus, data, format) or _not_held(corpus, format)
    if trouble is None and digest % 3 == 0:
        trouble = _imperfect(corpus)
    if trouble is None and digest % 3 == 1:
        others = inputs.written()
        trouble = _lost(corpus, others[digest % len(others)])
    return Outcome(trouble, corpus)


class Glance(NamedTuple):
    """What reading a damaged file alone shows: what is wrong, or None; how the reader behaved; whether it was read."""

    trouble: str | None
    behaviour: object
    is_read: bool = False


QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")


def glance(sample: Sample, format: str, folder: Path) -> Glance:
    """Read a damaged file once; the rest of `outcome` takes ten times as long."""
    try:
        with limited(2 * SECONDS):
            corpus, refused = _read(*_put(sample, folder), format)
            if refused is not None:
                wanted = refused.problem.rpartition("; expected")[2]
                return Glance(bad_message(refused, refused.source), (QUOTED.sub("", wanted)[:60], refused.line is None))
            assert corpus is not None
            sizes = len(corpus.doc_ids), len(corpus.document), len(corpus.entity_ids)
            behaviour = corpus.features, corpus.text is None, *(min(size, 4) for size in sizes)
            return Glance(_nonsense(corpus), behaviour, bool(sizes[0]))
    except HangError:
        return Glance(f"takes more than {2 * SECONDS:g} seconds", None)
    except Exception as error:  # noqa: BLE001  # that is what we look for
        return Glance(f"{type(error).__name__}: {error}", None)


def _put(sample: Sample, folder: Path) -> tuple[Path, bytes | None]:
    """Where the file to read is, and its content, unless others belong to it: then they are stored."""
    path = folder / next(iter(sample))
    if len(sample) == 1:
        return path, next(iter(sample.values()))
    stored(sample, folder)
    return path, None


def _read(path: Path, data: bytes | None, format: str) -> tuple[Corpus | None, FormatError | None]:
    """What comes of reading: a corpus with its words read, or an error."""
    try:
        corpus = inputs.read(Source(path, data), format=format)
        if corpus.text is not None:
            assert len(corpus.text.words) == len(corpus.doc_ids)
    except FormatError as error:
        return None, error
    return corpus, None


MULTIPLE, AT_LEAST = 300, 8_000_000
"""How many bytes a reader may take for each of a text, as SECURITY.md has it; and in any case."""


@contextmanager
def _traced(data: bytes | None) -> Iterator[list[int]]:
    """How much memory was taken at most, once it is over; nothing of files that are packed or on disk."""
    found: list[int] = []
    if data is None or data.startswith((b"\x1f\x8b", *BINARY)):
        yield found
        return
    tracemalloc.start()
    try:
        yield found
        found.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def _most(data: bytes | None) -> int:
    return max(AT_LEAST, MULTIPLE * len(data or b""))


def _not_as_counted(corpus: Corpus, data: bytes | None, format: str) -> str | None:
    """Where another number of mentions is read than a plain text begins and ends, without a warning."""
    if data is None or format not in COUNTED or data.startswith(b"\x1f\x8b"):
        return None
    expected, found = COUNTED[format](data.decode("utf-8-sig")), len(corpus.document)
    if set(expected) <= {found}:
        return None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", RefereeWarning)
        _read(Path("x"), data, format)
    return None if said else f"found {found} mentions; expected {expected}"


def _brackets(text: str) -> list[int]:
    """How many brackets are opened and closed in the last column of CoNLL; also of tokens that begin with #."""
    lines = re.sub("^# ?(begin|end) document.*", "", text, flags=re.MULTILINE).split("\n")
    rows = [re.split(r"[\0- ]+", line.rstrip(BLANKS)) for line in lines]
    cells = [row[-1] for row in rows if not row[0].startswith("#") or (len(row) > 1 and BRACKETS.fullmatch(row[-1]))]
    return [sum(cell.count(bracket) for cell in cells) for bracket in "()"]


def _in_clusters(text: str) -> list[int]:
    """How many mentions the clusters of JSON lines have; nothing for other forms."""
    try:
        documents = [json.loads(line) for line in text.split("\n") if line.strip()]
        if any("span_clusters" in document or "characters" in document for document in documents):
            return []
        return [sum(len(cluster) for document in documents for cluster in document["clusters"])]
    except (ValueError, KeyError, TypeError):
        return []


BLANKS = bytes(range(33)).decode()
BRACKETS = re.compile(r"((\([^()|]+\)?|[^()|]+\))\|?)+")
COUNTED: Mapping[str, Callable[[str], list[int]]] = {"conll": _brackets, "jsonlines": _in_clusters}


def _faults(path: Path, data: bytes | None, format: str) -> list[FormatError]:
    try:
        return inputs.validate(Source(path, data), format=format)
    except FormatError as error:  # the source cannot be opened
        return [error]


def bad_message(fault: RefereeError, source: str = "") -> str | None:
    """What is wrong with a message; it has one line, is short, and says where."""
    message = str(fault)
    if "\n" in message:
        return f"the message has several lines: {message!r}"
    if len(message.removeprefix(source)) >= 550:
        return f"the message has {len(message)} characters: {message[:500]}"
    if not message.startswith(source):
        return f"the message names no source: {message}"
    return None


def _nonsense(corpus: Corpus) -> str | None:
    """What does not fit together in a corpus; None if all does."""
    if len(set(corpus.doc_ids)) < len(corpus.doc_ids) or "" in corpus.doc_ids:
        return f"document names: {corpus.doc_ids}"
    if (corpus.start < 0).any() or (corpus.start > corpus.end).any():
        return f"spans: {corpus.start.tolist()} {corpus.end.tolist()}"
    if corpus.text is not None:
        lengths = [len(words.tokens) for words in corpus.text.words]
        if any(end > lengths[d] for d, end in zip(corpus.document.tolist(), corpus.end.tolist(), strict=True)):
            return f"spans beyond the last token: {corpus.end.tolist()}"
        for words in corpus.text.words:
            starts = list(words.sentences)
            if (
                starts != sorted(set(starts))
                or starts[:1] != [0][: len(words.tokens)]
                or max(starts, default=-1) >= len(words.tokens) > 0
            ):
                return f"sentences at {starts} of {len(words.tokens)} tokens"
    for column, nothing in ((corpus.head, -1), (corpus.minimum_span, -1)):
        if column is not None:
            inside = column.reshape(len(corpus.document), -1)
            known = (inside != nothing).all(axis=1)
            if ((inside < corpus.start[:, None]) | (inside > corpus.end[:, None]))[known].any():
                return f"heads or minima outside mentions: {column.tolist()}"
    list(corpus.entity_ids), list(corpus.entity_types or ()), list(corpus.items or ()), repr(corpus)
    return None


def _not_held(corpus: Corpus, format: str) -> str | None:
    """What a format says that it cannot hold, or does not survive writing; None if all does."""
    if not len(corpus.document):
        return None
    record = registry.load_format(format)
    excess = corpus.features - set(record.holds)
    if not record.write:
        return f"{sorted(excess)} are read, but the format says that it does not hold them" if excess else None
    return _lost(corpus, format)


def _lost(corpus: Corpus, format: str) -> str | None:
    """What gets lost when a corpus is written in a format, besides what is left out because the format cannot hold it."""
    record = registry.load_format(format)
    try:
        lean = without(corpus, corpus.features - set(record.writable))
        if lean.head is not None:  # a mention of one token has no other
            lean = replace(lean, head=np.where(lean.end - lean.start == 1, lean.start, lean.head))
        if not record.holds_empty:
            lean = lean.select_documents(np.unique(lean.document))
        if not len(lean.document):
            return None
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", RefereeWarning)
            text = written(lean, format)
    except RefereeError as error:
        return bad_message(error)
    text.encode()
    try:
        again = read_again(lean, format)
    except RefereeError as error:
        if "cannot be written" in str(error) or "cannot be told apart" in str(error):  # as the name of a file
            return None
        return f"what is written as {format} cannot be read: {error}: {text[:1000]!r}"
    return (
        None
        if again == lean or said or same_in_text(again, lean)
        else f"what is written as {format} does not read the same: {text[:2000]!r}"
    )


def _imperfect(corpus: Corpus) -> str | None:
    """The metrics by which a corpus is no perfect response to itself."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RefereeWarning)
            evaluation = score(corpus, corpus, metrics="all")
    except RefereeError as error:  # such as a mention annotated twice in the same entity
        return bad_message(error)
    if "aligned" in evaluation.signature or "repaired" in evaluation.signature:  # an answer, by the words of the key
        return None
    wrong = {}
    for name, metric in evaluation.metrics.items():
        value, best = evaluation[name].value, 1.0 if metric.target is None else metric.target
        if not (math.isnan(value) or math.isclose(value, best, abs_tol=1e-9)):
            wrong[name] = value
    return f"the scores of a corpus against itself: {wrong}" if wrong else None
