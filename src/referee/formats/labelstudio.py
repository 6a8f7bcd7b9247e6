"""Label Studio's JSON: tasks with a text, its regions, and relations between them.

::

    [{"id": 7, "data": {"text": "Ann saw her dog."},
      "annotations": [{"completed_by": 1, "result": [
        {"id": "a", "type": "labels", "from_name": "label", "to_name": "text",
         "value": {"start": 0, "end": 3, "text": "Ann", "labels": ["Person"]}},
        {"id": "b", "type": "labels", "from_name": "label", "to_name": "text",
         "value": {"start": 8, "end": 11, "text": "her", "labels": ["Person"]}},
        {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right", "labels": ["coreference"]}]}]}]

Each task is a document. It is called by `doc_key`, `doc_id`, `document_id` or `id` in its `data`, else by its own `id`.

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
tokens are known, they are written with blanks between them, a line a sentence.

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

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, TextIO

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.labelstudio_task import Chooser, annotated
from referee.formats.shared.documents import begin, is_unnamed, unwritable
from referee.formats.shared.json_values import NAMES, element_lines, first_keys, placed, shown, values
from referee.formats.shared.relations import ChosenRelations, coreferent
from referee.formats.shared.remainder import Remainder
from referee.formats.shared.remarks import remark
from referee.formats.shared.source import Fault, Source
from referee.formats.shared.text_mentions import UNTYPED, add_mentions, covering
from referee.formats.shared.written_links import label_of, leave_out_loose_links, links_of_document
from referee.formats.shared.written_text import SURROGATES, WrittenText, documents_to_write

HOLDS = ("spans", "words", "entity types", "links")
WRITES_PLACES = True
RELATIONS = True
VARIANT = "labels, predictions, or an annotator"
OURS = "referee"
TABLE = re.compile(r'"?annotation_id"?[,\t]"?annotator"?[,\t]')
REGIONS = re.compile(r'"(result|from_name|was_cancelled|completed_by)"\s*:')


def sniff(head: str) -> bool:
    """Tasks with annotations or predictions; or an export that has no relations."""
    keys = first_keys(head)
    if {"annotator", "annotation_id", "lead_time"} <= keys or TABLE.match(head):
        return True
    return bool(keys & {"annotations", "predictions", "completions"} and REGIONS.search(head))


def read(source: Source, fault: Fault, variant: str = "") -> Corpus:
    """Read one annotation of each task."""
    by_label, wanted = variant.partition(":")[0] == "labels", variant.removeprefix("labels").removeprefix(":")
    tasks = deque(_tasks(source, fault))
    chooser = Chooser([task for _, task in tasks], wanted)
    builder, chosen, unused = CorpusBuilder(source.name), ChosenRelations(source.options.relations), Counter[str]()
    grouped = regions = 0
    ours = False
    while tasks:  # each is let go when it is read
        at, task = tasks.popleft()
        report = partial(placed, at, None, f"task {shown(task['id'])}: " if "id" in task else "")
        annotation = chooser.chosen(task, report)
        if annotation is None:
            continue
        ours = ours or annotation.get("model_version") == OURS  # which may have singletons alone
        data = task.get("data")
        if not isinstance(data, dict):
            report(f"`data` is {shown(data)}; expected an object with the text")
        elif (document := annotated(data, annotation, by_label, report)) is not None:
            links = coreferent(document.relations, document.mentions.ids, chosen, report)
            grouped += len(links) + document.named
            regions += len(document.mentions.ids)
            unused.update(document.unused)
            words = document.characters
            if begin(builder, at, _name(task, data), words.tokens, words.sentences, raw=words.raw):
                add_mentions(builder, document.characters, document.mentions, links, chosen)
    chooser.finish(source.name, fault)
    chosen.warn(source.name)
    remark(source.name, "left out {} beside regions, relations and names of entities ({names})", "result", unused)
    if regions > 1 and not grouped and not ours:
        remedy = "if labels are entities, give --format labelstudio:labels"
        text = f"found no coreference between {{}}, so each is an entity of its own; {remedy}"
        remark(source.name, text, "region", regions)
    return builder.corpus()


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one task a document, with a prediction.

    Raises
    ------
    FormatError
        If there are no words or no spans, a token is empty or blank, or links do not connect the mentions of their entities.
    """
    tasks = []
    for name, mentions, words, written in documents_to_write(corpus, format="labelstudio"):
        if not written.is_raw and not all(map(str.strip, words.tokens)):
            raise unwritable(corpus, name, "it has a token that is empty or blank", format="labelstudio")
        data: dict[str, Any] = {} if is_unnamed(corpus) else {"doc_id": name}
        data["text"] = written.text
        if not written.is_raw or _cover(written, words.tokens):
            data |= {"tokens": list(words.tokens), "sentences": list(words.sentences)}
        regions = [*_regions(corpus, name, mentions, written), *_relations(corpus, name, mentions)]
        task = {"predictions": [{"model_version": OURS, "result": regions}], "data": data}
        tasks.append(json.dumps(task, ensure_ascii=False))
    out.write("[\n" + ",\n".join(tasks) + "\n]\n")


def _cover(written: WrittenText, tokens: Sequence[str]) -> bool:
    """Whether tokens are read where they are."""
    places = covering(written.text, tokens)
    return places is not None and [*map(tuple, places.tolist())] == written.places


def held(rest: Remainder) -> None:
    """Leave out mentions of nothing but blanks, and links that do not connect entities; change words, texts and types."""
    rest.change_texts(SURROGATES)
    rest.reword(lambda _, words: [token if token.strip() or words.raw else "_" for token in words.tokens])
    rest.change_types(lambda entity_type: entity_type + "_" * (entity_type == UNTYPED))
    leave_out_loose_links(rest)


def _regions(
    corpus: Corpus, name: str, mentions: Mapping[int, Sequence[int]], written: WrittenText
) -> Iterator[dict[str, Any]]:
    """The regions of a document, in reading order."""
    for mention, entity in sorted((m, entity) for entity, of in mentions.items() for m in of):
        ((start, end),) = written.spans(corpus, mention)
        label = label_of(corpus, name, entity, format="labelstudio")
        value = {"start": start, "end": end, "text": written.text[start:end], "labels": [label]}
        yield {"id": f"m{mention}", "type": "labels", "from_name": "label", "to_name": "text", "value": value}


def _relations(corpus: Corpus, name: str, mentions: Mapping[int, Sequence[int]]) -> Iterator[dict[str, Any]]:
    """The relations of a document, each from a mention to one before it, or as listed."""
    for first, second in links_of_document(corpus, name, mentions, format="labelstudio"):
        relation = {"type": "relation", "from_id": f"m{first}", "to_id": f"m{second}"}
        yield relation | {"direction": "right", "labels": ["coreference"]}


def _tasks(source: Source, fault: Fault) -> Iterator[tuple[Fault, dict[str, Any]]]:
    """The tasks of a file, each with a `Fault` that knows its line."""
    if TABLE.match(source.head.decode(errors="replace")):
        fault(1, "found the export CSV or TSV, which has no relations; expected the export JSON")
        return
    for line, value in values(source, fault):
        tasks = value if isinstance(value, list) else [] if value is None else [value]
        line_of = _lines_of(source, len(tasks)) if line is None and isinstance(value, list) else partial(_same, line)
        for number, task in enumerate(tasks):
            at = partial(_fault_of, fault, line_of, number)
            if not isinstance(task, dict):
                at(None, f"found {shown(task)}; expected a task, an object with `data` and `annotations`")
            elif "annotation_id" in task:
                at(None, "found the export JSON-MIN, which has no relations; expected the export JSON")
            else:
                yield at, task


def _fault_of(fault: Fault, line_of: Callable[[int], int | None], number: int, _line: int | None, problem: str) -> None:
    fault(line_of(number), problem)


def _same(line: int | None, _number: int) -> int | None:
    return line


def _lines_of(source: Source, tasks: int) -> Callable[[int], int | None]:
    """The line of each task of a list. Only messages need it, so it is looked for when there is one."""

    @cache
    def lines() -> list[int]:
        return element_lines(source.text(lambda _line, _problem: None))

    return lambda number: lines()[number] if len(lines()) == tasks else None


def _name(task: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """The document's name, empty if it has none."""
    named = (str(data[key]) for key in NAMES if type(data.get(key)) in (str, int))
    return next(named, str(task["id"]) if type(task.get("id")) in (str, int) else "")
