"""A task of Label Studio: which of its annotations counts, and its regions as mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from referee.basics.exceptions import counted, listed, one_line, shortened
from referee.formats.shared.characters import Characters, utf16_offsets
from referee.formats.shared.json_values import Report, are_words, shown
from referee.formats.shared.relations import Relation, TextMention, covering, on_tokens, valid_span
from referee.formats.shared.remarks import remark
from referee.formats.shared.source import Fault

NAMING = re.compile(r"entity|coref|cluster|chain", re.IGNORECASE)
BLANKS = re.compile(r"\s+|\\[nr]")

Json = dict[str, Any]


class Chooser:
    """Says which annotation of each task counts.

    Parameters
    ----------
    tasks : sequence of dict
        All tasks of a file.
    wanted : str
        An annotator, a version of a model, "predictions", or "".
    """

    def __init__(self, tasks: Sequence[Json], wanted: str) -> None:
        predicted = wanted == "predictions" or not any(_finished(task) for task in tasks)
        self.kind = "prediction" if predicted else "annotation"
        self.wanted = "" if wanted == "predictions" else wanted
        self.known: dict[str, None] = {}
        self.without = 0
        self.chose = False

    def chosen(self, task: Json, report: Report) -> Json | None:
        """The annotation of a task; None if it has none, or after an error."""
        for key in ("annotations", "completions", "predictions"):
            kinds = (dict, int) if key == "predictions" and self.kind == "annotation" else dict  # exports have their numbers
            if (value := task.get(key)) is not None and not (
                isinstance(value, list) and all(isinstance(each, kinds) for each in value)
            ):
                report(f"`{key}` is {shown(value)}; expected a list of objects")
                return None
        given = _objects(task.get("predictions")) if self.kind == "prediction" else _finished(task)
        self.known |= {name: None for each in given for name in _annotators(each)}
        truth = [each for each in given if each.get("ground_truth") is True]
        if self.wanted:
            given = [each for each in given if self.wanted in _annotators(each)]
        elif len(truth) == 1:
            given = truth
        if len(given) > 1:
            by = listed([one_line(shortened(next(iter(_annotators(each)), "nobody"))) for each in given])
            remedy = "name the annotator, as in --format labelstudio:3"
            report(f"found {counted(len(given), self.kind)}, by {by}; expected one: {remedy}")
            return None
        self.without += not given
        self.chose |= bool(given)
        return given[0] if given else None

    def finish(self, source: str, fault: Fault) -> None:
        """Report an annotator who is nowhere, and warn of tasks that were left out."""
        if self.wanted and not self.chose:
            known = listed([one_line(shortened(name)) for name in self.known]) if self.known else "nobody"
            fault(None, f"has no {self.kind} by {one_line(shortened(self.wanted))!r}; expected one of {known}")
        elif self.without:
            remark(source, f"left out {{}} without {self.kind}", "task", self.without)


class Annotated(NamedTuple):
    """A task's text, its mentions and their relations, and how many results of each type are neither."""

    text: str
    characters: Characters
    mentions: Sequence[TextMention]
    relations: Sequence[Relation]
    unused: Mapping[str, int]

    @property
    def named(self) -> int:
        """How many mentions have the name of their entity."""
        return sum(bool(mention.entity) for mention in self.mentions)


def annotated(data: Json, annotation: Json, by_label: bool, report: Report) -> Annotated | None:
    """The text of a task, with the regions and relations of an annotation; None after an error.

    Parameters
    ----------
    data, annotation
        Of the task.
    by_label : bool
        Whether labels name entities, and no types.
    report : callable
        Takes an error.
    """
    results = annotation.get("result")
    if not (isinstance(results, list) and all(isinstance(result, dict) for result in results)):
        report(f"`result` is {shown(results)}; expected a list of regions and relations")
        return None
    kinds = [str(result.get("type", "")) for result in results]
    regions = [result for result, kind in zip(results, kinds, strict=True) if kind.endswith("labels")]
    text = _text(data, regions, report)
    if text is None:
        return None
    others = [r for r, kind in zip(results, kinds, strict=True) if not (kind.endswith("labels") or kind == "relation")]
    mentions = list(_mentions(text, regions, _names(others), by_label, report))
    relations = [_relation(result) for result, kind in zip(results, kinds, strict=True) if kind == "relation"]
    unused = Counter(str(result.get("type")) for result in others if not _is_naming(result))
    return Annotated(text, _characters(data, text, mentions, report), mentions, relations, unused)


def _finished(task: Json) -> list[Json]:
    """The annotations that were not cancelled."""
    given = task.get("annotations", task.get("completions"))
    return [each for each in _objects(given) if each.get("was_cancelled") is not True]


def _objects(value: object) -> list[Json]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _annotators(annotation: Json) -> list[str]:
    """What the annotator of an annotation may be called."""
    by = annotation.get("completed_by", annotation.get("model_version"))
    names = [by.get("email"), by.get("id")] if isinstance(by, dict) else [by]
    return [str(name) for name in names if type(name) in (str, int)]


def _text(data: Json, regions: Sequence[Json], report: Report) -> str | None:
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    names = [str(region.get("to_name")) for region in regions[:1]] + ["text", *texts] * (len(texts) == 1) + ["text"]
    name = next((name for name in names if name in texts), None)
    if name is None:
        report(f"`data` has the strings {listed(list(map(shown, texts)) or ['none'])}; expected the text under `text`")
        return None
    return texts[name]


def _names(results: Sequence[Json]) -> dict[str, str]:
    """What entities are called, by the ids of regions."""
    names = {}
    for result in results:
        value, kind = result.get("value"), result.get("type")
        if _is_naming(result) and isinstance(value, dict):
            given = value.get("text" if kind == "textarea" else kind)
            first = given[0] if isinstance(given, list) and given else given
            if type(first) in (str, int) and str(first).strip():
                names[str(result.get("id"))] = str(first).strip()
    return names


def _is_naming(result: Json) -> bool:
    return result.get("type") in ("textarea", "choices", "number") and bool(NAMING.search(str(result.get("from_name"))))


def _mentions(
    text: str, regions: Sequence[Json], names: Mapping[str, str], by_label: bool, report: Report
) -> Iterator[TextMention]:
    places = iter(_places(text, [value for region in regions if isinstance(value := region.get("value"), dict)]))
    seen: set[str] = set()
    for region in regions:
        id_, value = str(region.get("id")), region.get("value")
        span, agrees = next(places) if isinstance(value, dict) else (None, False)
        if region["type"] != "labels" or not isinstance(value, dict):
            found = shown(region["type"]) if region["type"] != "labels" else f"the value {shown(value)}"
            report(f"{_called(id_)}: found {found}; expected `labels` of a Text, with a value")
        elif span is None:
            found = f"found {shown(value.get('start'))} to {shown(value.get('end'))}"
            report(f"{_called(id_)}: {found}; expected two offsets, start <= end <= {len(text)}")
        elif not agrees:
            found = f"is {shown(value.get('text'))}, but the text has {shown(text[slice(*span)])} there"
            report(f"{_called(id_)}: {found}; expected the text that was annotated")
        elif not (are_words(labels := value.get("labels")) and labels):
            report(f"{_called(id_)}: `labels` is {shown(labels)}; expected a list of labels")
        elif id_ not in seen:  # a region with labels of several controls is one mention
            seen.add(id_)
            entity = labels[0] if by_label else names.get(id_, "")
            yield TextMention(id_, "" if by_label else labels[0], [span], entity)


def _called(id_: str) -> str:
    """What messages call a region."""
    return f"region {one_line(shortened(id_))}"


def _places(text: str, values: Sequence[Json]) -> list[tuple[tuple[int, int] | None, bool]]:
    """The characters of each region, None if it has none, and whether its words are there.

    Offsets are characters, or UTF-16 units where only those give the words of all regions.
    """
    pairs = [(value.get("start"), value.get("end")) for value in values]
    places = _compared(text, values, [valid_span(text, start, end) for start, end in pairs])
    if all(agrees for _, agrees in places) or isinstance(units := utf16_offsets(text), range):
        return places
    edges = ([units[edge] if type(edge) is int and 0 <= edge < len(units) else None for edge in pair] for pair in pairs)
    in_units = _compared(text, values, [valid_span(text, *pair) for pair in edges])
    return in_units if all(agrees for _, agrees in in_units) else places


def _compared(
    text: str, values: Sequence[Json], spans: Sequence[tuple[int, int] | None]
) -> list[tuple[tuple[int, int] | None, bool]]:
    """Each span, and whether a region repeats the words that the text has there, if it repeats any."""
    return [
        (span, span is not None and _same(value.get("text"), text[span[0] : span[1]]))
        for value, span in zip(values, spans, strict=True)
    ]


def _same(given: object, there: str) -> bool:
    """Whether words are those of the text, white space left out, or are none."""
    return given == there or not isinstance(given, str) or BLANKS.sub("", given) == BLANKS.sub("", there)


def _relation(result: Json) -> Relation:
    labels = result.get("labels")
    return Relation(labels if are_words(labels) else [], str(result.get("from_id")), str(result.get("to_id")))


def _characters(data: Json, text: str, mentions: Sequence[TextMention], report: Report) -> Characters:
    """The tokens, of `tokens` if there are any."""
    tokens, sentences = data.get("tokens"), data.get("sentences", [])
    if tokens is None:
        return on_tokens(text, mentions)
    places = covering(text, tokens) if are_words(tokens) else None
    if places is None:
        report("`tokens` is not what it should be; expected the words of the text in their order")
        return on_tokens(text, mentions)
    if not (isinstance(sentences, list) and all(type(s) is int and 0 <= s < len(places) for s in sentences)):
        report(f"`sentences` is {shown(sentences)}; expected offsets of tokens, from 0")
        sentences = []
    return on_tokens(text, mentions, places, places[np.array(sentences, dtype=np.int64), 0])
