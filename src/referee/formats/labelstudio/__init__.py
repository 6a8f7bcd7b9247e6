"""Label Studio's JSON: tasks with a text, its regions, and relations between them.

::

    [{"id": 7, "data": {"text": "Ann saw her dog."},
      "annotations": [{"completed_by": 1, "result": [
        {"id": "a", "type": "labels", "from_name": "label", "to_name": "text",
         "value": {"start": 0, "end": 3, "text": "Ann", "labels": ["Person"]}},
        {"id": "b", "type": "labels", "from_name": "label", "to_name": "text",
         "value": {"start": 8, "end": 11, "text": "her", "labels": ["Person"]}},
        {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right", "labels": ["coreference"]}]}]}]

Each task is a document. It is called by `doc_key`, `doc_id`, `document_id` or `id` in its `data`, else by the file that was
uploaded for it alone (`file_upload`), else by its own `id`.

``data``
    The text stands under the name of the regions' `to_name`, under `text`, or is the only string. `tokens`, a list of words, is
    ours: the words of the text in their order; `sentences` has the offsets of those that begin a sentence. Without them tokens
    are made as in all formats that have only characters: words and single signs, cut where a mention begins or ends.
``type: labels``
    A region, which is a mention. Offsets count characters, the end is exclusive. Its label is the type of its entity; the label
    `Mention` means none.
``type: relation``
    Two regions of one entity, if it has no label or one that begins with "coref" or "ident" (in either case). Other relations
    are ignored, with a warning.
``type: textarea``, ``choices``, ``number``
    Of one region (`perRegion`), from a control whose name has "entity", "coref", "cluster" or "chain" in it: the name of the
    region's entity. Regions of one name are of one entity. Other results are left out, with a count.

Labels may instead be entities themselves (a label for Ann, a label for her dog): `--format labelstudio:labels` reads them so.

A task may have several annotations. One that was cancelled does not count; one that is the ground truth does before all others.
If several are left, name the annotator, by number or address: `--format labelstudio:3`, `labelstudio:ann@example.org`. So
`agree` can compare annotators of one export. Tasks without annotation are left out, with a warning. If no task has any,
predictions are read, and always with `labelstudio:predictions`; several are told apart by their `model_version`.

Writing makes tasks with predictions, which Label Studio shows to annotators to be corrected. The project needs the controls
``<Labels name="label" toName="text">`` with the entity types (or `Mention`), ``<Relations>`` with `coreference`, and
``<Text name="text" value="$text"/>``. The text is written as it is in the file that was read, or that was parsed. Where only
tokens are known, they are written with blanks between them, a line a sentence. The votes on an undecided mention stand in the
`text` of its `meta`.

References
----------
Label Studio's documentation of its JSON format and of pre-annotations; issues 1008 and 1347 on offsets. Written tasks were
imported into version 1.23.2 and came back equal.

Notes
-----
Where programs disagree:

* Versions before 1.3 counted UTF-16 units. A region repeats its words, and these tell what is counted.
* In the words of a region a line end may be written as a backslash and an n.
* The exports JSON-MIN, CSV and TSV have no relations, and are refused.
* The export JSON has predictions as a list of their numbers.
* Regions of HyperText and Paragraphs have no offsets in a text, and are refused.
"""

from __future__ import annotations

from referee.formats.labelstudio.reading import drop_unsupported, read, sniff, write
from referee.formats.shared.format import Format

__all__ = ["FORMAT", "drop_unsupported", "read", "sniff", "write"]

FORMAT = Format(
    "labelstudio",
    __doc__,
    ("spans", "words", "entity types", "links"),
    sniff,
    read,
    write,
    drop_unsupported,
    rewriting="referee.formats.labelstudio.rewriting",
    variant="labels, predictions, or an annotator",
    writes_places=True,
    has_relations=True,
)
