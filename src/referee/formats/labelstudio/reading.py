"""Reading and writing the tasks of Label Studio."""

from __future__ import annotations

import json
import os
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, TextIO

from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.undecided import NOTE, note_of
from referee.formats.labelstudio.task import AnnotationChoice, annotated
from referee.formats.shared.documents import begin, is_unnamed
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.json_values import NAMES, element_lines, first_keys, placed, shown, values
from referee.formats.shared.losses import Losses
from referee.formats.shared.relations import ChosenRelations, coreferent
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.text_mentions import UNTYPED, add_mentions, covering
from referee.formats.shared.written_links import label_of, leave_out_loose_links, links_of_document
from referee.formats.shared.written_text import SURROGATES, WrittenText, documents_to_write

OURS = "referee"
UPLOADED = re.compile(r"\A(?:.*/)?[0-9a-f]{8}-")
TABLE = re.compile(r'"?annotation_id"?[,\t]"?annotator"?[,\t]')
REGIONS = re.compile(r'"(result|from_name|was_cancelled|completed_by)"\s*:')


def sniff(head: str) -> bool:
    """Tasks with annotations or predictions; or an export that has no relations."""
    keys = first_keys(head)
    if {"annotator", "annotation_id", "lead_time"} <= keys or TABLE.match(head):
        return True
    return bool(keys & {"annotations", "predictions", "completions"} and REGIONS.search(head))


def read(source: Source, on_error: OnError, variant: str = "") -> Corpus:
    """Read one annotation of each task."""
    by_label, wanted = meaning_of(variant)
    tasks = deque(_tasks(source, on_error))
    choice = AnnotationChoice([task for _, task in tasks], wanted)
    uploads = Counter(_upload(task) for _, task in tasks)
    builder, meaning, unused = CorpusBuilder(source.name), ChosenRelations(source.options.relations), Counter[str]()
    grouped = regions = 0
    ours = False
    while tasks:  # each is let go when it is read
        at, task = tasks.popleft()
        report = partial(placed, at, None, f"task {shown(task['id'])}: " if "id" in task else "")
        annotation = choice.annotation_of(task, report)
        if annotation is None:
            continue
        ours = ours or annotation.get("model_version") == OURS  # which may have singletons alone
        data = task.get("data")
        if not isinstance(data, dict):
            report(f"`data` is {shown(data)}; expected an object with the text")
        elif (document := annotated(data, annotation, by_label, report)) is not None:
            links = coreferent(document.relations, [mention.id for mention in document.mentions], meaning, report)
            grouped += len(links) + sum(bool(mention.entity) for mention in document.mentions)
            regions += len(document.mentions)
            unused.update(document.unused)
            words = document.characters
            if begin(builder, at, _name(task, data, uploads), words.tokens, words.sentences, raw=words.raw):
                add_mentions(builder, document.characters, document.mentions, links, meaning)
    choice.finish(source.name, on_error)
    meaning.warn(source.name)
    warn_file(source.name, "left out {} beside regions, relations and names of entities ({names})", "result", unused)
    if regions > 1 and not grouped and not ours:
        remedy = "if labels are entities, give --format labelstudio:labels"
        text = f"found no coreference between {{}}, so each is an entity of its own; {remedy}"
        warn_file(source.name, text, "region", regions)
    return builder.corpus()


def meaning_of(variant: str) -> tuple[bool, str]:
    """Whether labels are entities, and whose annotations are read."""
    return variant.partition(":")[0] == "labels", variant.removeprefix("labels").removeprefix(":")


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one task a document, with a prediction.

    Raises
    ------
    FormatError
        If there are no words or no spans.
    """
    tasks = []
    for name, mentions, words, written in documents_to_write(corpus, format="labelstudio"):
        data: dict[str, Any] = {} if is_unnamed(corpus) else {"doc_id": name}
        data["text"] = written.text
        if not written.is_raw or covering(written.text, words.tokens) == written.places:
            data |= {"tokens": list(words.tokens), "sentences": list(words.sentences)}
        regions = [*_regions(corpus, mentions, written), *_relations(corpus, mentions)]
        task = {"predictions": [{"model_version": OURS, "result": regions}], "data": data}
        tasks.append(json.dumps(task, ensure_ascii=False))
    out.write("[\n" + ",\n".join(tasks) + "\n]\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions of nothing but blanks, and links that do not connect entities; change words, texts and types."""
    losses.change_texts(SURROGATES)
    losses.reword(lambda _, words: [token if token.strip() or words.raw else "_" for token in words.tokens])
    losses.change_types(lambda entity_type: entity_type + "_" * (entity_type == UNTYPED))
    leave_out_loose_links(losses)


def _regions(corpus: Corpus, mentions: Mapping[int, Sequence[int]], written: WrittenText) -> Iterator[dict[str, Any]]:
    """The regions of a document, in reading order."""
    for mention, entity in sorted((m, entity) for entity, inside in mentions.items() for m in inside):
        ((start, end),) = written.spans(corpus, mention)
        label = label_of(corpus, entity)
        value = {"start": start, "end": end, "text": written.text[start:end], "labels": [label]}
        region = {"id": f"m{mention}", "type": "labels", "from_name": "label", "to_name": "text", "value": value}
        yield with_note(region, note_of(corpus, mention))


def with_note(region: Mapping[str, Any], note: str) -> dict[str, Any]:
    """A region with the note of an undecided mention, or without it if it is empty, among what annotators see of it."""
    meta = dict(region["meta"]) if isinstance(region.get("meta"), dict) else {}
    old = meta.pop("text", [])
    old = old if isinstance(old, list) else [old]
    texts = [text for text in old if not str(text).startswith(NOTE)] + [note] * bool(note)
    if texts == old:
        return dict(region)
    meta |= {"text": texts} if texts else {}
    return {**{key: value for key, value in region.items() if key != "meta"}, **({"meta": meta} if meta else {})}


def _relations(corpus: Corpus, mentions: Mapping[int, Sequence[int]]) -> Iterator[dict[str, Any]]:
    """The relations of a document, each from a mention to one before it, or as listed."""
    for first, second in links_of_document(corpus, mentions):
        relation = {"type": "relation", "from_id": f"m{first}", "to_id": f"m{second}"}
        yield relation | {"direction": "right", "labels": ["coreference"]}


def _tasks(source: Source, on_error: OnError) -> Iterator[tuple[OnError, dict[str, Any]]]:
    """The tasks of a file, each with a `OnError` that knows its line."""
    if TABLE.match(source.head.decode(errors="replace")):
        on_error(1, "found the export CSV or TSV, which has no relations; expected the export JSON")
        return
    # Only messages need the lines of the tasks of a list, so these are looked for when there is one.
    lines = cache(lambda: element_lines(source.text(lambda _line, _problem: None)))

    def report(line: int | None, number: int, tasks: int, _: int | None, problem: str) -> None:
        on_error(lines()[number] if line is None and len(lines()) == tasks else line, problem)

    for line, value in values(source, on_error):
        tasks = value if isinstance(value, list) else [] if value is None else [value]
        for number, task in enumerate(tasks):
            at = partial(report, line, number, len(tasks) if isinstance(value, list) else -1)
            if not isinstance(task, dict):
                at(None, f"found {shown(task)}; expected a task, an object with `data` and `annotations`")
            elif "annotation_id" in task:
                at(None, "found the export JSON-MIN, which has no relations; expected the export JSON")
            else:
                yield at, task


def _name(task: Mapping[str, Any], data: Mapping[str, Any], uploads: Mapping[str, int]) -> str:
    """The document's name, empty if it has none: a file that was uploaded for it alone gives its name."""
    named = (str(data[key]) for key in NAMES if type(data.get(key)) in (str, int))
    upload = _upload(task)
    by_file = upload if uploads[upload] == 1 else ""
    return next(named, by_file or (str(task["id"]) if type(task.get("id")) in (str, int) else ""))


def _upload(task: Mapping[str, Any]) -> str:
    """What the file is called from which a task was made, without the ending and what Label Studio puts before it."""
    upload = task.get("file_upload")
    return os.path.splitext(UPLOADED.sub("", upload))[0] if isinstance(upload, str) else ""
