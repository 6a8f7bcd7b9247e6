"""Prodigy's JSONL of `coref.manual` and `rel.manual`: a text on each line, with tokens, spans and relations.

::

    {"text": "Ann saw her", "tokens": [{"text": "Ann", "start": 0, "end": 3, "id": 0, "ws": true}, ...],
     "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"}],
     "relations": [{"head": 0, "child": 2, "label": "COREF",
        "head_span": {"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"},
        "child_span": {"start": 8, "end": 11, "token_start": 2, "token_end": 2, "label": null}}],
     "_input_hash": 1817, "_task_hash": -52, "_session_id": "stories-ann", "_view_id": "relations", "answer": "accept"}

``text``, ``tokens``
    a document and its words; tokens of white space are left out. Each line is a sentence.
``spans``
    mentions, with offsets of characters, the end exclusive; the label, if there is one, is the type of the entity
``relations``
    of two spans, which are mentions even if they are not among the `spans`. Those whose label begins with "coref" or "ident"
    (in either case) are of one entity. Others are ignored, with a warning.
``answer``
    only what was accepted is read. The number of others is told in a warning.

A document is called by `doc_key`, `doc_id`, `document_id` or `id`, of the line or of its `meta`; else by its `_input_hash`,
which is the same for all annotators. If several annotators are in one file, name one of them by session or id, as in
`--format prodigy:stories-ann`.

References
----------
Prodigy's documentation: the interface `relations` and the recipes `coref.manual` and `rel.manual`. Only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from referee.basics.exceptions import listed, one_line, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import Characters, is_blank, line_starts
from referee.formats.shared.documents import begin
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import NAMES, Report, first_keys, placed, shown, values
from referee.formats.shared.relations import ChosenRelations, Relation, coreferent
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.text_mentions import TextMention, add_mentions, on_tokens, valid_span, without_blanks

Json = dict[str, Any]
Begin = Callable[..., bool]


def sniff(head: str) -> bool:
    """A text with spans, relations and what only Prodigy says."""
    keys = first_keys(head)
    return {"text", "relations"} <= keys and bool(keys & {"spans", "_task_hash", "_input_hash", "_view_id", "answer"})


def read(source: Source, on_error: OnError, variant: str = "") -> Corpus:
    """Read a text a line: what was accepted, by one annotator."""
    builder, meaning, known = CorpusBuilder(source.name), ChosenRelations(source.options.relations), dict[str, None]()
    rejected = 0
    by: dict[str, str] = {}
    for line, value in values(source, on_error):
        for task in value if isinstance(value, list) else [] if value is None else [value]:
            report = partial(placed, on_error, line, "")
            if not isinstance(task, dict):
                report(f"found {shown(task)}; expected a text with `spans` and `relations`")
                continue
            people = [str(task[key]) for key in ("_annotator_id", "_session_id") if type(task.get(key)) in (str, int)]
            known |= dict.fromkeys(people)
            if task.get("answer", "accept") != "accept" or (variant and variant not in people):
                rejected += variant in ("", *people)
                continue
            name = _name(task)
            who = one_line(shortened(people[0] if people else "nobody"))
            if name and by.setdefault(name, who) != who:
                remedy = f"name the annotator, as in --format prodigy:{by[name]}"
                report(f"found document {shown(name)} by {who} and by {by[name]}; expected one annotation: {remedy}")
            else:
                _add(task, name, builder, meaning, partial(begin, builder, on_error, line=line), report)
    if variant and variant not in known:
        people_known = listed([one_line(shortened(name)) for name in known]) if known else "nobody"
        on_error(None, f"has no annotation by {one_line(shortened(variant))!r}; expected one of {people_known}")
    if rejected:
        warn_file(source.name, "left out {} that were not accepted", "text", rejected)
    meaning.warn(source.name)
    return builder.corpus()


def _name(task: Json) -> str:
    meta = task.get("meta")
    places = [task, meta if isinstance(meta, dict) else {}]
    named = (str(place[key]) for place in places for key in NAMES if type(place.get(key)) in (str, int))
    return next(named, str(task["_input_hash"]) if type(task.get("_input_hash")) is int else "")


def _add(task: Json, name: str, builder: CorpusBuilder, meaning: ChosenRelations, begun: Begin, report: Report) -> None:
    text = task.get("text")
    if not isinstance(text, str):
        report(f"`text` is {shown(text)}; expected a string")
        return
    mentions: dict[tuple[int, int], TextMention] = {}
    for span in _objects(task, "spans", report):
        _mention(text, "span", span, mentions, report)
    relations = list(_relations(text, task, mentions, report))
    inked = without_blanks(text, mentions.values())
    characters = _characters(text, task, inked, report)
    links = coreferent(relations, [mention.id for mention in inked], meaning, report)
    if begun(name, characters.tokens, characters.sentences, raw=characters.raw):
        add_mentions(builder, characters, inked, links, meaning)


def _objects(task: Json, key: str, report: Report) -> list[Json]:
    value = task.get(key, [])
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    report(f"`{key}` is {shown(value)}; expected a list of objects")
    return []


def _mention(text: str, key: str, value: object, mentions: dict[tuple[int, int], TextMention], report: Report) -> str | None:
    """The id of the mention that a span is, which is added if it is new; None after an error."""
    start, end, label = (value.get("start"), value.get("end"), value.get("label")) if isinstance(value, dict) else [None] * 3
    span = valid_span(text, start, end)
    if span is None or not isinstance(label, str | None):
        expected = f"expected 0 <= start <= end <= {len(text)}, and a label or null"
        report(f"`{key}` is {shown(value)}; {expected}")
        return None
    known = mentions.get(span)
    if known is None or not known.label:
        mentions[span] = TextMention(f"{span[0]}-{span[1]}", label or "", [span])
    return mentions[span].id


def _relations(text: str, task: Json, mentions: dict[tuple[int, int], TextMention], report: Report) -> Iterator[Relation]:
    for relation in _objects(task, "relations", report):
        ends = [_mention(text, key, relation.get(key), mentions, report) for key in ("child_span", "head_span")]
        if ends[0] is not None and ends[1] is not None:
            yield Relation([str(relation.get("label"))], ends[0], ends[1])


def _characters(text: str, task: Json, mentions: Sequence[TextMention], report: Report) -> Characters:
    """The tokens, of `tokens` if there are any."""
    tokens = _objects(task, "tokens", report)
    if not tokens:
        return on_tokens(text, mentions)
    spans = (valid_span(text, token.get("start"), token.get("end")) for token in tokens)
    places = [span for span in spans if span and not is_blank(text, *span)]
    words = "".join(text[start:end] for start, end in places)
    in_order = all(end <= start for (_, end), (start, _) in pairwise(places))
    if not in_order or "".join(words.split()) != "".join(text.split()):
        report("`tokens` is not what it should be; expected the words of the text in their order, with `start` and `end`")
        return on_tokens(text, mentions)
    return on_tokens(text, mentions, places, line_starts(text))


FORMAT = Format(
    "prodigy",
    __doc__,
    ("spans", "words", "entity types", "links"),
    sniff,
    read,
    variant="a session or an annotator",
    has_relations=True,
)
