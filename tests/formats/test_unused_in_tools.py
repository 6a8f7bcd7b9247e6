"""What annotation tools have beside mentions and coreference: a reader that leaves it out says so, with a count."""

import json

import pytest

from referee import inputs
from tests.support.warned import recorded

TEXT = "Ann saw her dog ."


def doccano(**more):
    entities = [{"id": n, "label": "X", "start_offset": a, "end_offset": a + 3} for n, a in enumerate((0, 8))]
    relations = [{"id": 0, "from_id": 1, "to_id": 0, "type": "coref"}]
    return json.dumps({"id": 1, "text": TEXT, "entities": entities, "relations": relations, **more})


def labelstudio(*more):
    def region(id_, start):
        value = {"start": start, "end": start + 3, "text": TEXT[start : start + 3], "labels": ["X"]}
        return {"id": id_, "type": "labels", "from_name": "label", "to_name": "text", "value": value}

    relation = {"type": "relation", "from_id": "b", "to_id": "a", "labels": ["coref"]}
    result = [region("a", 0), region("b", 8), relation, *more]
    return json.dumps([{"id": 1, "data": {"text": TEXT}, "annotations": [{"completed_by": 1, "result": result}]}])


def prodigy(answer, label="COREF"):
    spans = [{"start": a, "end": a + 3, "label": "X"} for a in (0, 8)]
    relations = [
        {"child_span": spans[1], "head_span": spans[0], "label": "COREF"},
        {"child_span": spans[1], "head_span": spans[0], "label": label},
    ]
    task = {"text": TEXT, "spans": spans, "relations": relations, "_input_hash": 1, "answer": "accept"}
    return json.dumps(task) + "\n" + json.dumps(task | {"_input_hash": 2, "answer": answer})


COREFANNOTATOR = f"""<xmi:XMI xmlns:v2="http:///de/unistuttgart/ims/coref/annotator/api/v2.ecore" xmlns:xmi="x" xmlns:cas="y">
<v2:Entity xmi:id="5" Label="Ann" Flags="91"/>
<v2:Mention xmi:id="7" Entity="5" Surface="8" Flags="91 92"/><v2:MentionSurface xmi:id="8" begin="0" end="3" Mention="7"/>
<v2:Mention xmi:id="9" Entity="5" Surface="10"/><v2:MentionSurface xmi:id="10" begin="8" end="11" Mention="9"/>
<v2:Comment xmi:id="20" Value="sure?"/>
<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="{TEXT}"/></xmi:XMI>
"""

BRAT = "T1\tX 0 3\tAnn\nT2\tX 8 11\ther\nR1\tCoref Arg1:T2 Arg2:T1\n"
PRECO = '{"id": "d", "sentences": [["Ann", "saw", "her"]], "mention_clusters": [[[0, 0, 1], [0, 2, 3]]], "bridging": [1, 2]}\n'
ALLENNLP = '{"document": ["Ann", "saw", "her"], "clusters": [[[0, 0], [2, 2]]], "singletons": [[1, 1]], "top_spans": []}'
FASTCOREF = '{"text": "Ann saw her", "clusters": [[[0, 3], [8, 11]]], "singletons": [[4, 7]]}\n'
NAMED = "T1\tPER 0 3\tAnn\nT2\tAnn-0 0 3\tAnn\nT3\tPER 8 11\ther\nT4\tAnn-0 8 11\ther\n"
WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Event|kind
#T_CH=x.CoreferenceLink|referenceRelation|referenceType

1-1\t0-3\tAnn\t{}\t*->1-1\t*
1-2\t4-7\tsaw\t{}\t_\t_
1-3\t8-11\ther\t_\t*->1-2\t*
"""

CHOICE = {"id": "z", "type": "choices", "from_name": "quality", "to_name": "text", "value": {"choices": ["good"]}}
NAME = {"id": "a", "type": "textarea", "from_name": "entity", "to_name": "text", "value": {"text": ["Ann"]}}

CASES = [
    ("brat", {"d.ann": BRAT}, ""),
    ("brat", {"d.ann": BRAT + "A1\tSure T1\nM1\tSure T2\n"}, "2 annotations beside coreference (attribute)"),
    ("brat", {"d.ann": BRAT + "E1\tX:T1\n"}, "1 annotation beside coreference (event)"),
    ("brat", {"d.ann": BRAT + "#1\tAnnotatorNotes T1\tso\n"}, "1 annotation beside coreference (note)"),
    ("brat", {"d.ann": BRAT + "N1\tReference T1 Q:1\tAnn\n"}, "(normalisation)"),
    ("brat", {"d.ann": BRAT + "R2\tLikes Arg1:T1 Arg2:T2\n"}, "1 relation other than coreference (Likes)"),
    ("preco", {"d.jsonl": PRECO}, "left out 2 entries beside the clusters (bridging)"),
    ("allennlp", {"d.json": ALLENNLP}, "left out 1 entry beside the clusters (singletons)"),
    ("fastcoref", {"d.jsonl": FASTCOREF}, "left out 1 entry beside the clusters (singletons)"),
    ("brat", {"d.ann": NAMED}, "found 2 mentions with several types, and no coreference"),
    ("webanno", {"d.tsv": WEBANNO.format("_", "_")}, ""),
    ("webanno", {"d.tsv": WEBANNO.format("a[1]|b", "a[1]")}, "2 annotations of layers without coreference (Event)"),
    ("labelstudio", {"d.json": labelstudio()}, ""),
    ("labelstudio", {"d.json": labelstudio(NAME)}, ""),
    ("labelstudio", {"d.json": labelstudio(CHOICE)}, "1 result beside regions, relations and names of entities (choices)"),
    ("doccano", {"d.jsonl": doccano(Comments=[])}, ""),
    (
        "doccano",
        {"d.jsonl": doccano(Comments=["?", "!"], cats=["news"])},
        "3 annotations beside entities and relations (Comments, cats)",
    ),
    ("prodigy", {"d.jsonl": prodigy("accept")}, ""),
    ("prodigy", {"d.jsonl": prodigy("reject")}, "1 text that were not accepted"),
    ("prodigy", {"d.jsonl": prodigy("accept", "SUBJ")}, "2 relations other than coreference (SUBJ)"),
    ("corefannotator", {"d.xmi": COREFANNOTATOR}, "4 annotations of mentions and entities (flags, comments)"),
    ("corefannotator", {"d.xmi": COREFANNOTATOR.replace("Flags", "Color").replace("v2:Comment", "v2:Line")}, ""),
    ("sacr", {"d.sacr": "{A Ann} saw {A her} dog .\n\n#textid: d\n"}, ""),
    ("sacr", {"d.sacr": '{A:a="",b="" Ann} saw {A: her} dog .\n\n#textid: d\n'}, ""),
    ("sacr", {"d.sacr": '#textid: d\n\n{A:f="x=1 y",h=2 Ann} saw {A:h="" her} dog .\n'}, "2 properties of mentions (f, h)"),
]


@pytest.mark.parametrize(("name", "files", "expected"), CASES)
def test_what_is_left_out_is_said(name, files, expected, tmp_path):
    for file, text in {"d.txt": TEXT, **files}.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    with recorded() as caught:
        corpus = inputs.read(tmp_path / next(iter(files)), format=name)
    assert len(corpus.document) >= 2
    said = [str(warning.message) for warning in caught]
    assert len(said) == bool(expected), said
    assert all(expected in line for line in said)


def test_of_a_folder_it_is_said_once(tmp_path):
    for stem in "ab":
        (tmp_path / f"{stem}.txt").write_text(TEXT, encoding="utf-8")
        (tmp_path / f"{stem}.ann").write_text(BRAT + "A1\tSure T1\nN1\tReference T1 Q:1\tAnn\n", encoding="utf-8")
    with pytest.warns(match=r"left out 4 annotations beside coreference \(attribute, normalisation\) \(in 2 files") as caught:
        inputs.read(tmp_path)
    assert len(caught) == 1
