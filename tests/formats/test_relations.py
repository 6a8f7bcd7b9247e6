"""`--relations`: which named relations are coreference, in every format that has any, in every verb and in Python."""

import json

import pytest

import referee
from referee import inputs
from referee.basics.exceptions import OptionError
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.relations import ChosenRelations
from referee.inputs.registry import FORMATS, load_format
from tests.support.command import referee as run
from tests.support.warned import recorded

BRAT = "T1\tP 0 3\tOwl\nT2\tP 9 11\tit\nR1\t{} Arg1:T2 Arg2:T1\n"
TEXT = "Owl sang it"
SPAN = {"start": 0, "end": 3, "label": "P"}, {"start": 9, "end": 11, "label": "P"}
REGIONS = [
    {
        "id": id_,
        "type": "labels",
        "from_name": "l",
        "to_name": "t",
        "value": {"start": a, "end": b, "text": TEXT[a:b], "labels": ["P"]},
    }
    for id_, (a, b) in {"a": (0, 3), "b": (9, 11)}.items()
]


def write(folder, format, name):
    """The same two mentions with a relation of this name between them."""
    match format:
        case "brat":
            texts = {"d.ann": BRAT.format(name), "d.txt": TEXT}
        case "doccano":
            places = enumerate([(0, 3), (9, 11)])
            entities = [{"id": n, "label": "P", "start_offset": a, "end_offset": b} for n, (a, b) in places]
            relations = [{"id": 9, "from_id": 0, "to_id": 1, "type": name}]
            texts = {"d.jsonl": json.dumps({"id": 1, "text": TEXT, "entities": entities, "relations": relations})}
        case "prodigy":
            relation = {"label": name, "child_span": SPAN[1], "head_span": SPAN[0]}
            texts = {"d.jsonl": json.dumps({"text": TEXT, "answer": "accept", "spans": [*SPAN], "relations": [relation]})}
        case "labelstudio":
            relation = {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right", "labels": [name]}
            annotation = {"id": 1, "completed_by": 1, "result": [*REGIONS, relation]}
            texts = {"d.json": json.dumps([{"id": 1, "data": {"text": TEXT}, "annotations": [annotation]}])}
        case "webanno":
            layers = f"#T_SP=webanno.custom.Span|kind\n#T_RL=webanno.custom.{name}|kind|BT_webanno.custom.Span\n"
            head = f"#FORMAT=WebAnno TSV 3.3\n{layers}"
            rows = ["1-1\t0-3\tOwl\ta\t_\t_\t", "1-2\t4-8\tsang\t_\t_\t_\t", "1-3\t9-11\tit\ta\tx\t1-1\t"]
            texts = {"d.tsv": "\n".join([head, f"#Text={TEXT}", *rows, ""])}
        case "uima":
            names = " ".join(f'xmlns:{space}="http:///{space}.ecore"' for space in ("cas", "custom"))
            spans = '<custom:Span xmi:id="2" sofa="1" begin="0" end="3"/><custom:Span xmi:id="3" sofa="1" begin="9" end="11"/>'
            relation = f'<custom:{name} xmi:id="4" sofa="1" begin="9" end="11" Dependent="3" Governor="2"/>'
            sofa = f'<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="{TEXT}"/>'
            texts = {"d.xmi": f'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" {names}>{spans}{relation}{sofa}</xmi:XMI>'}
        case "ecb":
            tokens = "".join(f'<token t_id="{n}" sentence="0">{w}</token>' for n, w in enumerate(TEXT.split(), start=1))
            marks = "".join(f'<P m_id="{n}"><token_anchor t_id="{n}"/></P>' for n in (1, 3))
            relation = f'<Relations><{name} r_id="9"><source m_id="3"/><target m_id="1"/></{name}></Relations>'
            texts = {"d.xml": f'<Document doc_name="d.xml">{tokens}<Markables>{marks}</Markables>{relation}</Document>'}
        case "tei":
            words = "".join(f'<w id="w{n}">{word}</w>' for n, word in enumerate(TEXT.split()))
            groups = '<annotationGrp type="Unit" subtype="P"><span id="a" from="#w0"/><span id="b" from="#w2"/></annotationGrp>'
            links = f'<annotationGrp type="Relation" subtype="{name}"><link id="l" target="#b #a"/></annotationGrp>'
            texts = {"d.xml": f"<TEI><text><s>{words}</s></text><standOff>{groups}{links}</standOff></TEI>"}
        case _:
            place = '<start><singlePosition index="{}"/></start><end><singlePosition index="{}"/></end>'
            kind = "<characterisation><type>{}</type></characterisation><positioning>{}</positioning>"
            spans = [place.format(a, b) for a, b in ((0, 3), (9, 11))]
            units = "".join(f'<unit id="u{n}">{kind.format("MENTION", span)}</unit>' for n, span in enumerate(spans))
            terms = '<term id="u1"/><term id="u0"/>'
            relation = f'<relation id="r">{kind.format(name, terms)}</relation>'
            texts = {"d.aa": f"<annotations>{units}{relation}</annotations>", "d.ac": TEXT}
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder / next(iter(texts))


NAMED = ("webanno", "ecb", "uima", "glozz", "tei", "brat", "labelstudio", "doccano", "prodigy")


def test_all_formats_with_named_relations_are_tried():
    assert tuple(name for name in FORMATS if load_format(name).has_relations) == NAMED


@pytest.mark.parametrize("format", NAMED)
@pytest.mark.parametrize("relations", [(), ("ante",), ("other", "ANTE"), ("other",), ("ant",)])
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_a_named_relation_is_coreference_and_no_other_is(format, relations, tmp_path):
    named, path = "ante" in map(str.lower, relations), write(tmp_path, format, "Ante")
    if format == "webanno" and not named:
        with pytest.raises(referee.FormatError, match="or is one of --relations"):
            inputs.read(path)
        return
    corpus = inputs.read(path, format=format, options=ReadOptions(relations=relations))
    sizes = sorted(corpus.entity.tolist().count(n) for n in range(len(corpus.entity_ids)))
    assert sizes == ([2] if named else [] if format == "uima" else [1, 1])


@pytest.mark.parametrize("format", NAMED)
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_names_that_are_given_are_the_only_ones(format, tmp_path):
    path = write(tmp_path, format, "Coref")
    assert len(inputs.read(path, format=format).entity_ids) == 1
    if format != "webanno":
        found = inputs.read(path, format=format, options=ReadOptions(relations=("ante",)))
        assert len(found.entity_ids) == (0 if format == "uima" else 2)


def test_a_name_that_no_relation_has_is_said_with_those_that_there_are(tmp_path):
    path = write(tmp_path, "brat", "Ante")
    with recorded() as caught:
        inputs.read(path, options=ReadOptions(relations=("ante2", "Before", "ANTE")))
    assert [str(w.message).partition(": ")[2] for w in caught] == [
        "found no relation with 2 names of --relations (ante2, Before)"
    ]
    with recorded() as caught:
        inputs.read(path, options=ReadOptions(relations=("before",)))
    assert [str(w.message).partition(": ")[2] for w in caught] == [
        "ignored 1 relation other than coreference (Ante); those that --relations names are",
        "found no relation with 1 name of --relations (before)",
    ]


def test_a_relation_without_a_name_is_coreference_only_if_none_are_named():
    assert ChosenRelations().means()
    chosen = ChosenRelations(["ante"])
    assert not chosen.means()
    assert chosen.ignored == {"without a name": 1}


def test_the_command_takes_them_in_every_verb_that_reads(tmp_path):
    path = str(write(tmp_path, "brat", "Ante"))
    key = tmp_path / "key.jsonlines"
    done = run("convert", path, str(key), "--relations", "ante", "--lossy")
    assert (done.status, json.loads(key.read_text())["clusters"]) == (0, [[[0, 0], [2, 2]]])
    assert run("validate", path, "--relations", "ante").err == ""
    assert "no relation with 1 name of --relations (nope)" in run("validate", path, "--relations", "nope").err
    done = run("score", str(key), path, "--relations", "ante", "-m", "muc", "--tokens", "ignore")
    assert "100.00" in done.out
    assert "| relations:ante" in done.out
    assert "100.00" not in run("score", str(key), path, "-m", "muc").out


def test_python_takes_them_as_text_or_as_a_list(tmp_path):
    path = write(tmp_path, "brat", "Ante")
    for names in ("ante", ["Ante"], iter(["ante"])):
        evaluation = referee.score(path, path, relations=names, metrics=["muc"])
        assert "relations:" in evaluation.signature
        assert evaluation["muc"].value == 1
    assert referee.agree({"ann": path, "bob": path}, relations="ante").together


def test_a_folder_takes_them(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        write(tmp_path / name, "tei", "Ante")
    found = inputs.read(tmp_path, options=ReadOptions(relations=("ante",)))
    assert (len(found.doc_ids), len(found.entity_ids)) == (2, 2)


@pytest.mark.parametrize("given", ["", ",", "a,,b", [], [""], [1], 7])
def test_names_that_are_none_are_refused(given, tmp_path):
    path = write(tmp_path, "brat", "Coref")
    with pytest.raises(OptionError, match="--relations takes names with commas between them; found "):
        referee.score(path, path, relations=given)


@pytest.mark.parametrize("verb", ["score k.conll k.conll", "validate k.conll", "convert k.conll - --to muc"])
def test_formats_without_named_relations_refuse_them(verb, tmp_path):
    (tmp_path / "k.conll").write_text("#begin document (a); part 000\nOwl\t(1)\n\n#end document\n", encoding="utf-8")
    done = run(*[str(tmp_path / word) if word == "k.conll" else word for word in verb.split()], "--relations", "ante")
    assert done.status in (1, 2)
    assert "--relations is for formats with named relations (webanno, ecb, uima," in done.out + done.err


def test_one_side_with_named_relations_is_enough(tmp_path):
    path = write(tmp_path, "brat", "Ante")
    key = tmp_path / "k.conll"
    key.write_text("#begin document (#1); part 000\nOwl\t(1)\nsang\t-\nit\t(1)\n\n#end document\n", encoding="utf-8")
    done = run("score", str(key), str(path), "--relations", "ante", "-m", "muc", "-q")
    assert (done.status, done.out.strip()) == (0, "100.00")
