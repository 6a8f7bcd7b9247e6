"""Mentions of no words, empty or of white space alone, in formats with offsets of characters: left out with a count."""

import json
from itertools import pairwise

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from tests.support.reading import entities_of

TEXT = "Ann left. She slept."
PLACES = [(0, 3), (3, 3), (9, 10), (10, 13)]
"""Ann, nothing, a blank, and She; all of one entity, and linked in this order."""


def corefannotator(places):
    mentions = "".join(f'<v1:Mention xmi:id="{n}" begin="{a}" end="{b}" Entity="9"/>' for n, (a, b) in enumerate(places, 20))
    api = "http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore"
    sofa = f'<cas:Sofa xmi:id="1" sofaString="{TEXT}"/>'
    root = f'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:v1="{api}">'
    return {"x.xmi": f'{root}<v1:Entity xmi:id="9" Label="A"/>{mentions}{sofa}</xmi:XMI>'}


def uima(places):
    kind = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.Coreference"
    found = [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": TEXT}]
    found.append({"%ID": 9, "%TYPE": f"{kind}Chain", "@first": 20})
    for n, (start, end) in enumerate(places, 20):
        found.append({"%ID": n, "%TYPE": f"{kind}Link", "@sofa": 1, "begin": start, "end": end})
        found[-1] |= {"@next": n + 1} if n < 19 + len(places) else {}
    return {"x.json": json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": found})}


def brat(places):
    rows = [f"T{n}\tPER {a} {b}\t{TEXT[a:b]}\n" for n, (a, b) in enumerate(places)]
    rows += [f"R{n}\tCoref Arg1:T{n} Arg2:T{n - 1}\n" for n in range(1, len(places))]
    return {"x.ann": "".join(rows), "x.txt": TEXT}


def doccano(places):
    entities = [{"id": n, "start_offset": a, "end_offset": b, "label": "PER"} for n, (a, b) in enumerate(places)]
    relations = [{"id": n, "from_id": n, "to_id": n - 1, "type": "coref"} for n in range(1, len(places))]
    return {"x.jsonl": json.dumps({"text": TEXT, "entities": entities, "relations": relations})}


def prodigy(places):
    spans = [{"start": a, "end": b, "label": "PER"} for a, b in places]
    relations = [{"label": "COREF", "child_span": b, "head_span": a} for a, b in pairwise(spans)]
    return {"x.jsonl": json.dumps({"text": TEXT, "_input_hash": 1, "spans": spans, "relations": relations})}


def labelstudio(places):
    same = {"from_name": "label", "to_name": "text", "type": "labels"}
    results = [
        {"id": f"r{n}", **same, "value": {"start": a, "end": b, "text": TEXT[a:b], "labels": ["PER"]}}
        for n, (a, b) in enumerate(places)
    ]
    results += [{"type": "relation", "from_id": f"r{n}", "to_id": f"r{n - 1}"} for n in range(1, len(places))]
    return {"x.json": json.dumps([{"id": 1, "data": {"text": TEXT}, "annotations": [{"result": results}]}])}


def fastcoref(places):
    return {"x.jsonl": json.dumps({"text": TEXT, "clusters": [places]})}


def glozz(places):
    def element(tag, id_, kind, inner):
        head = f"<characterisation><type>{kind}</type><featureSet/></characterisation>"
        return f'<{tag} id="{id_}">{head}<positioning>{inner}</positioning></{tag}>'

    sides = [f'<start><singlePosition index="{a}"/></start><end><singlePosition index="{b}"/></end>' for a, b in places]
    units = [element("unit", f"u{n}", "MENTION", side) for n, side in enumerate(sides)]
    ends = [f'<term id="u{n}"/><term id="u{n - 1}"/>' for n in range(1, len(places))]
    pairs = [element("relation", f"r{n}", "ANAPHORE", end) for n, end in enumerate(ends)]
    return {"x.aa": f"<annotations>{''.join(units + pairs)}</annotations>", "x.ac": TEXT}


MAKERS = [corefannotator, uima, brat, doccano, prodigy, labelstudio, fastcoref, glozz]


def made(folder, files):
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder / next(iter(files))


@pytest.mark.parametrize("maker", MAKERS)
def test_blank_mentions_are_left_out_with_a_count_and_the_others_stay_one_entity(tmp_path, maker):
    path = made(tmp_path, maker(PLACES))
    with pytest.warns(RefereeWarning, match=r"left out 2 mentions that are empty or white space alone$") as caught:
        corpus = inputs.read(path)
    assert len(caught) == 1
    assert corpus.format == maker.__name__
    assert corpus.documents[corpus.doc_ids[0]].tokens == ["Ann", "left", ".", "She", "slept", "."]
    assert [*entities_of(corpus)[corpus.doc_ids[0]].values()] == [[(0, 1), (3, 4)]]


@pytest.mark.parametrize("maker", MAKERS)
def test_an_empty_mention_in_a_word_does_not_cut_it(tmp_path, maker):
    path = made(tmp_path, maker([(0, 3), (6, 6)]))
    with pytest.warns(RefereeWarning, match=r"left out 1 mention that are empty"):
        corpus = inputs.read(path)
    assert corpus.documents[corpus.doc_ids[0]].tokens[1] == "left"


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("wrong", [(19, 21), (21, 21), (4, 3)])
def test_offsets_beyond_the_text_or_in_another_order_are_errors(tmp_path, maker, wrong):
    path = made(tmp_path, maker([(0, 3), wrong]))
    with pytest.raises(FormatError, match="expected"):
        inputs.read(path)
