"""Doccano's JSONL of projects with relations: a text on each line, with entities and relations.

::

    {"id": 1, "text": "Ann saw her dog.", "entities": [
       {"id": 4, "label": "Person", "start_offset": 0, "end_offset": 3},
       {"id": 5, "label": "Person", "start_offset": 8, "end_offset": 11}],
     "relations": [{"id": 2, "from_id": 5, "to_id": 4, "type": "coref"}], "Comments": []}

``text``
    a document, called by `doc_key`, `doc_id`, `document_id` or `id`
``entities``
    its mentions, with offsets of characters, the end exclusive. The label is the type of the entity; `Mention` means none.
``relations``
    those whose type begins with "coref" or "ident" (in either case) are of two mentions of one entity. Others are ignored, with
    a warning.

Tokens are made as in all formats that have only characters: words and single signs, cut where a mention begins or ends. Each
line of the text is a sentence. Comments and categories of texts are left out, with a count. Doccano exports a file for each
annotator, so `agree` compares these files.

References
----------
Doccano 1.8, its exporter (`data_export/models.py`) and its example of the format. Only read.

Notes
-----
The export of a project without relations (`label`: lists of offsets and labels) says nothing about coreference, and is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import Report, first_keys, read_documents, shown
from referee.formats.shared.relations import ChosenRelations, Relation, coreferent
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.text_mentions import TextMention, add_mentions, on_tokens, valid_span, without_blanks

OTHERS = ("Comments", "cats", "label")
"""Lists of a document that are left out: of comments, of categories of the text, of spans of another kind of project."""


def sniff(head: str) -> bool:
    """A text with entities and relations, or the export of a project without relations."""
    keys = first_keys(head)
    return "text" in keys and ({"entities", "relations"} <= keys or {"label", "Comments"} <= keys)


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a text a line."""
    meaning, unused = ChosenRelations(source.options.relations), Counter[str]()
    corpus = read_documents(source, on_error, "a text with `entities` and `relations`", partial(_add, meaning, unused))
    meaning.warn(source.name)
    warn_file(source.name, "left out {} beside entities and relations ({names})", "annotation", unused)
    return corpus


def _add(
    meaning: ChosenRelations, unused: Counter[str], document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report
) -> None:
    text = document.get("text")
    if not isinstance(text, str):
        report(f"`text` is {shown(text)}; expected a string")
        return
    if "relations" not in document and "entities" not in document:
        report("found no `entities` and `relations`; expected the export of a project with relations")
    unused.update({key: len(value) for key in OTHERS if isinstance(value := document.get(key), list) and value})
    mentions = without_blanks(text, _mentions(text, _objects(document, "entities", report), report))
    links = coreferent(
        _relations(_objects(document, "relations", report)), [mention.id for mention in mentions], meaning, report
    )
    characters = on_tokens(text, mentions)
    builder.document(name, characters.tokens, characters.sentences, raw=characters.raw)
    add_mentions(builder, characters, mentions, links, meaning)


def _objects(document: dict[str, Any], key: str, report: Report) -> list[dict[str, Any]]:
    value = document.get(key)
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    report(f"`{key}` is {shown(value)}; expected a list of objects")
    return []


def _mentions(text: str, values: list[dict[str, Any]], report: Report) -> Iterator[TextMention]:
    known: set[str] = set()
    for entity in values:
        start, end, id_ = entity.get("start_offset"), entity.get("end_offset"), shown(entity.get("id"))
        span, label = valid_span(text, start, end), entity.get("label")
        if span is None:
            expected = f"expected 0 <= start_offset <= end_offset <= {len(text)}"
            report(f"entity {id_}: found {shown(start)} to {shown(end)}; {expected}")
        elif not isinstance(label, str):
            report(f"entity {id_}: `label` is {shown(label)}; expected a string")
        elif "id" not in entity or id_ in known:
            report(f"entity {id_}: found {'this id again' if id_ in known else 'no `id`'}; expected each entity with its own")
        else:
            known.add(id_)
            yield TextMention(id_, label, [span])


def _relations(values: list[dict[str, Any]]) -> Iterator[Relation]:
    for relation in values:
        yield Relation([str(relation.get("type"))], shown(relation.get("from_id")), shown(relation.get("to_id")))


FORMAT = Format("doccano", __doc__, ("spans", "words", "entity types", "links"), sniff, read, has_relations=True)
