"""A reader that meets annotation it does not use says so, with a count: relations, layers, units, attributes, columns.

A case is the name of a format, the files (the first is read), and what must be said, each after the name of the file.
"""

import json
from collections.abc import Mapping, Sequence

import pytest

from referee import inputs
from tests.support.warned import recorded

Case = tuple[str, Mapping[str, str], Sequence[str]]

NO_COREFERENCE = "ignored {} other than coreference ({}); "
NAMED = ", or those that --relations names"
USUAL = f"those whose names begin with coref or ident are{NAMED}"


def standoff(*groups):
    text = "".join(f'<w id="w{n}">{word}</w>' for n, word in enumerate(["Owl", "sang", "it", "slept"]))
    return f"<TEI><text><s>{text}</s></text><standOff>{''.join(groups)}</standOff></TEI>"


MENTIONS = '<annotationGrp type="Unit" subtype="MENTION"><span id="m0" from="#w0"/><span id="m2" from="#w2"/></annotationGrp>'
EVENTS = '<annotationGrp type="Unit" subtype="EVENT"><span id="e1" from="#w1"/><span id="e3" from="#w3"/></annotationGrp>'
LINKS = '<annotationGrp type="{}" subtype="{}"><link id="{}" target="{}"/></annotationGrp>'
CHAIN = LINKS.format("Schema", "CHAINE", "c", "#m0 #m2")


def cat(relations, markable=""):
    words = "".join(f'<token t_id="{n}" sentence="0" number="{n}">w</token>' for n in (1, 2))
    marks = "".join(f'<A m_id="{n}"><token_anchor t_id="{n}"/></A>' for n in (1, 2))
    inside = f"{words}<Markables>{marks}{markable}</Markables><Relations>{relations}</Relations>"
    return f'<Document doc_name="d.xml">{inside}</Document>'


def ends(tag, number):
    return f'<{tag} r_id="{number}"><source m_id="1"/><target m_id="2"/></{tag}>'


def xmi(*structures):
    names = " ".join(f'xmlns:{name}="http:///{name}.ecore"' for name in ("cas", "coref", "custom", "dep", "seg"))
    sofa = '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="Owl sang it"/>'
    return f'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" {names}>{"".join(structures)}{sofa}</xmi:XMI>'


SPANS = ('<custom:Span xmi:id="11" sofa="1" begin="0" end="3"/>', '<custom:Span xmi:id="12" sofa="1" begin="9" end="11"/>')
RELATION = '<{} xmi:id="13" sofa="1" begin="9" end="11" Dependent="12" Governor="11" {}/>'

NAF = """<NAF><text><wf id="w1" sent="1">Ann</wf><wf id="w2" sent="1">left</wf></text><coreferences>
<coref id="c"><span><target id="w1"/></span></coref></coreferences>
<temporalRelations><tlink id="t1" from="c" to="d"/><tlink id="t2" from="c" to="d"/></temporalRelations>
<causalRelations><clink id="l1" from="c" to="d"/></causalRelations></NAF>"""


def project(words, **levels):
    text = "".join(f'<word id="word_{n}">{word}</word>' for n, word in enumerate(words.split(), start=1))
    files = {f"p_{name}_level.xml": f"<markables>{marks}</markables>" for name, marks in levels.items()}
    files["p_words.xml"] = f"<words>{text}</words>"
    return {"p.mmax": "<mmax_project><words>p_words.xml</words></mmax_project>", **files}


def mark(number, more):
    return f'<markable id="markable_{number}" span="word_{number}" {more}/>'


REF = '<COREF ID="{}" TYPE="{}" REF="1">b</COREF>'
IT = "MENTION\tT1\t0\t0\t0\t0\tIt\tFAC\tPRON\nMENTION\tT2\t0\t1\t0\t1\thall\tFAC\tNOM\n"
GAP = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"

BRAT = "T1\tP 0 3\tOwl\nT2\tP 9 11\tit\nR1\tPartOf Arg1:T1 Arg2:T2\nR2\tCause Arg1:T1 Arg2:T2\n"

DOCCANO = {
    "id": 1, "text": "Owl sang it", "relations": [{"id": 1, "from_id": 1, "to_id": 2, "type": "PartOf"}],
    "entities": [
        {"id": n, "label": "P", "start_offset": a, "end_offset": b} for n, (a, b) in enumerate([(0, 3), (9, 11)], start=1)
    ],
}  # fmt: skip

PRODIGY = {
    "text": "Owl sang it", "answer": "accept", "spans": [],
    "relations": [
        {
            "label": "PartOf", "child_span": {"start": 9, "end": 11, "label": "P"},
            "head_span": {"start": 0, "end": 3, "label": "P"},
        }
    ],
}  # fmt: skip

WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Span|kind
#T_RL=webanno.custom.Coref|kind|BT_webanno.custom.Span
#T_RL=webanno.custom.Cause|kind|BT_webanno.custom.Span


#Text=Owl sang it
1-1\t0-3\tOwl\ta\t_\t_\t_\t_\t
1-2\t4-8\tsang\ta\t_\t_\tx\t1-1\t
1-3\t9-11\tit\ta\tcoref\t1-1\tx|y\t1-1|1-2\t
"""

CASES = [
    ("tei", {"d.xml": standoff(MENTIONS, EVENTS, CHAIN)}, ["left out 2 units of types that no schema and no REF uses (EVENT)"]),
    (
        "tei",
        {"d.xml": standoff(MENTIONS, CHAIN, LINKS.format("Relation", "CAUSE", "r", "#m0 #m2"))},
        [f"{NO_COREFERENCE.format('1 relation', 'CAUSE')}those of ANCOR, and {USUAL.replace(' are,', ', are,')}"],
    ),
    (
        "tei",
        {"d.xml": standoff(MENTIONS, CHAIN, LINKS.format("Schema", "THEME", "t", "#m0 #m2"))},
        ["ignored 1 schema that are no chains (THEME)"],
    ),
    (
        "tei",
        {"d.xml": '<TEI><text><p><rs ref="#a">Ann</rs> <name>Rye</name> <date ref="#d">May</date></p></text></TEI>'},
        ["left out 1 name without ref or key (name)", "left out 1 element with ref or key that are no names (date)"],
    ),
    (
        "ecb",
        {"d.xml": cat(ends("CROSS_DOC_COREF", 1) + ends("TLINK", 2) + ends("CLINK", 3) + ends("TLINK", 4))},
        [f"{NO_COREFERENCE.format('3 relations', 'TLINK, CLINK')}those called ..._COREF or REFERS_TO are{NAMED}"],
    ),
    ("ecb", {"d.xml": cat("", '<A m_id="9" RELATED_TO="1" TAG_DESCRIPTOR="x"/>')}, ["ignored 1 RELATED_TO of markables"]),
    (
        "uima",
        {"d.xmi": xmi(*SPANS, RELATION.format("custom:Cause", 'kind="strong"'))},
        [
            f"{NO_COREFERENCE.format('1 relation', 'Cause strong')}{USUAL}",
            "left out 2 annotations of layers that no chain and no such relation uses (Span)",
        ],
    ),
    (
        "uima",
        {"d.xmi": xmi(*SPANS, RELATION.format("custom:CorefRelation", 'kind="bridging"'))},
        [
            f"{NO_COREFERENCE.format('1 relation', 'CorefRelation bridging')}{USUAL}",
            "left out 2 annotations of layers that no chain and no such relation uses (Span)",
        ],
    ),
    (
        "uima",
        {"d.xmi": xmi(*SPANS, '<custom:SpanSlot xmi:id="14" role="agent" target="12"/>')},
        [
            f"{NO_COREFERENCE.format('1 relation', 'SpanSlot agent')}{USUAL}",
            "left out 2 annotations of layers that no chain and no such relation uses (Span)",
        ],
    ),
    ("uima", {"d.xmi": xmi(RELATION.format("dep:Dependency", 'DependencyType="nsubj"'))}, []),
    ("uima", {"d.xmi": xmi(*SPANS, RELATION.format("custom:Corefer", ""))}, []),
    ("naf", {"d.naf": NAF}, ["ignored 3 relations other than coreference (tlink, clink)"]),
    (
        "mmax2",
        project("a b", coref=mark(1, 'coref_class="set_1"'), other=mark(2, 'coref_class="set_9"')),
        ["left out 1 markable of coreference in other levels (other)"],
    ),
    (
        "mmax2",
        project("a b c", coref=mark(1, 'coref_class="set_1"') + mark(2, 'coref_class="set_1" coreftype="atr"')),
        ["left out 1 markable whose coreftype is not ident (atr)"],
    ),
    (
        "mmax2",
        project("a b c", coref=mark(1, 'coref_class="s" segment_antecedent="unit:markable_3"') + mark(2, 'coref_class="s"')),
        ["ignored 1 attribute of markables (segment_antecedent)"],
    ),
    (
        "muc",
        {"d.sgm": f'<DOC><COREF ID="1">A</COREF> {REF.format(2, "IDENT")} {REF.format(3, "PART")}</DOC>'},
        ["ignored 1 REF of types that are no coreference (PART)"],
    ),
    (
        "muc",
        {"d.sgm": '<DOC><COREF ID="1">A</COREF> <COREF ID="2" TYPE="IDENT" REF="1" STATUS="OPT">b</COREF></DOC>'},
        ["took 1 mention that are optional (STATUS OPT) for mentions as all others"],
    ),
    (
        "muc",
        {"d.sgm": '<DOC><COREF ID="1" TYPE="IDENT">A</COREF> <COREF ID="2" TYPE="APPOS" SUBTYPE="HEAD">b</COREF></DOC>'},
        ["ignored 1 mention of types that are no coreference (APPOS)"],
    ),
    ("litbank", {"d.ann": f"{IT}COP\tT2\tT1\n", "d.txt": "It hall\n"}, ["ignored 1 relation other than coreference (COP)"]),
    (
        "gap",
        {"d.tsv": f"{GAP}\tMine\tYours\nd-1\tAnn saw her\ther\t8\tAnn\t0\tTRUE\tsaw\t4\tFALSE\tu\t1\t2\n"},
        ["ignored 2 columns that GAP does not have (mine, yours)"],
    ),
    ("glozz", {"d.aa": "", "d.ac": "Owl sang it"}, ["left out 1 unit of types that no schema and no REF uses (EVENT)"]),
    (
        "brat",
        {"d.ann": BRAT, "d.txt": "Owl sang it"},
        [f"{NO_COREFERENCE.format('2 relations', 'PartOf, Cause')}{USUAL.replace(' are,', ', and Equiv, are,')}"],
    ),
    ("doccano", {"d.jsonl": json.dumps(DOCCANO)}, [f"{NO_COREFERENCE.format('1 relation', 'PartOf')}{USUAL}"]),
    ("prodigy", {"d.jsonl": json.dumps(PRODIGY)}, [f"{NO_COREFERENCE.format('1 relation', 'PartOf')}{USUAL}"]),
    (
        "webanno",
        {"d.tsv": WEBANNO},
        [f"{NO_COREFERENCE.format('3 relations', 'Cause')}layers whose names begin with coref are{NAMED}"],
    ),
]


def _unit(number, kind, start, end):
    place = f'<start><singlePosition index="{start}"/></start><end><singlePosition index="{end}"/></end>'
    inside = f"<characterisation><type>{kind}</type></characterisation><positioning>{place}</positioning>"
    return f'<unit id="u{number}">{inside}</unit>'


GLOZZ = (
    f"<annotations>{_unit(1, 'MENTION', 0, 3)}{_unit(2, 'MENTION', 9, 11)}{_unit(3, 'EVENT', 4, 8)}"
    '<schema id="s"><characterisation><type>CHAINE</type></characterisation><positioning><embedded-unit id="u1"/>'
    '<embedded-unit id="u2"/></positioning></schema></annotations>'
)


@pytest.mark.parametrize(("name", "files", "expected"), CASES)
def test_what_is_not_used_is_counted(name, files, expected, tmp_path):
    for file, text in files.items():
        (tmp_path / file).write_text(text or GLOZZ, encoding="utf-8")
    with recorded() as caught:
        inputs.read(tmp_path / next(iter(files)), format=name)
    assert [str(warning.message).partition(": ")[2] for warning in caught] == list(expected)
