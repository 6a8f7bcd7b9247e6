"""Files that tools wrote, all of the document `orchard` of the examples: they have its mentions and entities.

Folder `exports`; the text and its annotation are ours.

``labelstudio.json``
    Label Studio 1.23.2: `referee convert --to labelstudio`, imported into a project with the controls of docs/annotation.md,
    predictions made annotations, export JSON.
``doccano.jsonl``
    doccano 1.8.4: a project of sequence labelling with relations, export JSONL of an annotator.
``orchard.aa``, ``orchard.ac``
    sacr2glozz.pl of corefconversion (Oberle) at 3416e28, with schemata and the property REF.
``tei``
    jsonlines2tei (Oberle) at 58bad08, in the two folders that its description has.
``orchard.naf``
    KafNafParserPy 1.896.
``cassis.xmi``, ``cassis.json``
    dkpro-cassis 0.12.0, with the types of coreference of DKPro Core, as INCEpTION has them.

Not kept here, as they are not ours, but read with as many mentions and entities as their XML has: two projects of
CorefAnnotator 2.1.1, the examples of KafNafParserPy and jsonlines2tei. brat's own parser (annotation.py, October 2021) reads
what is written for brat and writes it back byte for byte.
"""

from pathlib import Path

import pytest

from referee import read, score
from referee.basics.exceptions import FormatError
from tests.support.paths import EXAMPLES

EXPORTS = Path(__file__).parent / "exports"


@pytest.mark.filterwarnings("ignore:document 'orchard', token")  # other tokens
@pytest.mark.parametrize(
    ("export", "format"),
    [
        ("labelstudio.json", "labelstudio"),
        ("doccano.jsonl", "doccano"),
        ("orchard.aa", "glozz"),
        ("tei", "tei"),
        ("tei/urs", "tei"),
        ("tei/xml/orchard.xml", "tei"),
        ("tei/urs/orchard-urs.xml", "tei"),
        ("orchard.naf", "naf"),
        ("cassis.xmi", "uima"),
        ("cassis.json", "uima"),
    ],
)
def test_exports_have_the_entities_that_were_annotated(export, format):
    key = read(EXAMPLES / "key.conll")
    key = key.select_documents([key.doc_ids.index("orchard")])
    response = read(EXPORTS / export)
    assert response.format == format
    assert (len(response.document), len(response.entity_ids)) == (len(key.document), len(key.entity_ids))
    scores = score(key, response, metrics=["mentions", "lea"], tokens="align")
    assert (scores["mentions"].f1, scores["lea"].f1) == (1.0, 1.0)


@pytest.mark.parametrize("separator", [",", "\t"])
def test_label_studio_s_tables_are_refused_with_the_export_to_take(separator, tmp_path):
    """Header and types of the exports CSV and TSV of Label Studio 1.23.2."""
    columns = ("annotation_id", "annotator", "created_at", "doc_id", "id", "label", "lead_time", "text", "updated_at")
    values = (1, "1", "2026", "orchard", 1, '[{""start"":0,""end"":4,""labels"":[""Mention""]}]', "", "Anna", "2026")
    rows = (separator.join(f'"{value}"' for value in row) for row in (columns, values))
    (tmp_path / "export").write_text("\r\n".join(rows), encoding="utf-8")
    with pytest.raises(FormatError, match="export:1: found the export CSV or TSV, which has no relations; expected the export"):
        read(tmp_path / "export")
