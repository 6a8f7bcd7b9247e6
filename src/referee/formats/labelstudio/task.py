"""A task of Label Studio: which of its annotations counts, and its regions as mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee.basics.exceptions import counted, listed, one_line, shortened
from referee.formats.labelstudio.regions import mentions_of
from referee.formats.shared.characters import Characters
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.json_values import Report, are_words, shown
from referee.formats.shared.relations import Relation
from referee.formats.shared.source import OnError
from referee.formats.shared.text_mentions import TextMention, covering, on_tokens

NAMING = re.compile(r"entity|coref|cluster|chain", re.IGNORECASE)

Json = dict[str, Any]


class AnnotationChoice:
    """Says which annotation of each task counts.

    Parameters
    ----------
    tasks : sequence of dict
        All tasks of a file.
    wanted : str
        An annotator, a version of a model, "predictions", or "".
    """

    def __init__(self, tasks: Sequence[Json], wanted: str) -> None:
        is_predicted = wanted == "predictions" or not any(_finished(task) for task in tasks)
        self.kind = "prediction" if is_predicted else "annotation"
        self.wanted = "" if wanted == "predictions" else wanted
        self.names: dict[str, None] = {}
        self.without = 0
        self.chose = False

    def annotation_of(self, task: Json, report: Report) -> Json | None:
        """The annotation of a task; None if it has none, or after an error."""
        for key in ("annotations", "completions", "predictions"):
            kinds = (dict, int) if key == "predictions" and self.kind == "annotation" else dict  # exports have their numbers
            value = task.get(key)
            if value is not None and not (isinstance(value, list) and all(isinstance(each, kinds) for each in value)):
                report(f"`{key}` is {shown(value)}; expected a list of objects")
                return None
        candidates = _objects(task.get("predictions")) if self.kind == "prediction" else _finished(task)
        self.names |= {name: None for each in candidates for name in _annotators(each)}
        truth = [each for each in candidates if each.get("ground_truth") is True]
        if self.wanted:
            candidates = [each for each in candidates if self.wanted in _annotators(each)]
        elif len(truth) == 1:
            candidates = truth
        if len(candidates) > 1:
            people = [next(iter(_annotators(each)), "nobody") for each in candidates]
            by = listed([one_line(shortened(name)) for name in people])
            remedy = f"name the annotator, as in --format labelstudio:{one_line(people[0])}"
            report(f"found {counted(len(candidates), self.kind)}, by {by}; expected one: {remedy}")
            return None
        self.without += not candidates
        self.chose |= bool(candidates)
        return candidates[0] if candidates else None

    def finish(self, source: str, on_error: OnError) -> None:
        """Report an annotator who is nowhere, and warn of tasks that were left out."""
        if self.wanted and not self.chose:
            names = listed([one_line(shortened(name)) for name in self.names]) if self.names else "nobody"
            on_error(None, f"has no {self.kind} by {one_line(shortened(self.wanted))!r}; expected one of {names}")
        elif self.without:
            warn_file(source, f"left out {{}} without {self.kind}", "task", self.without)


class Annotated(NamedTuple):
    """The words of a task, its mentions and their relations, and how many results of each type are neither."""

    characters: Characters
    mentions: Sequence[TextMention]
    relations: Sequence[Relation]
    unused: Mapping[str, int]


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
    if not (isinstance(results, list) and {dict}.issuperset(map(type, results))):
        report(f"`result` is {shown(results)}; expected a list of regions and relations")
        return None
    regions: list[Json] = []
    relations: list[Relation] = []
    others: list[Json] = []
    for result in results:
        kind = str(result.get("type", ""))
        if kind == "relation":
            labels = result.get("labels")
            ends = (str(result.get(end)) for end in ("from_id", "to_id"))
            relations.append(Relation(tuple(labels) if are_words(labels) else (), *ends))
        else:
            (regions if kind.endswith("labels") else others).append(result)
    text = _text(data, regions, report)
    if text is None:
        return None
    naming = [result for result in others if is_naming(result)]
    mentions = mentions_of(text, regions, _names(naming), by_label, report)
    unused = Counter(str(result.get("type")) for result in others if not is_naming(result))
    return Annotated(_characters(data, text, mentions, report), mentions, relations, unused)


def _finished(task: Json) -> list[Json]:
    """The annotations that were not cancelled."""
    annotations = _objects(task.get("annotations", task.get("completions")))
    return [each for each in annotations if each.get("was_cancelled") is not True]


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
        if isinstance(value := result.get("value"), dict):
            name = value.get("text" if result.get("type") == "textarea" else result.get("type"))
            if isinstance(name, list) and name:
                name = name[0]
            if type(name) in (str, int) and str(name).strip():
                names[str(result.get("id"))] = str(name).strip()
    return names


def is_naming(result: Json) -> bool:
    """Whether a result names the entity of its region."""
    return result.get("type") in ("textarea", "choices", "number") and bool(NAMING.search(str(result.get("from_name"))))


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
    return on_tokens(text, mentions, places, [places[sentence][0] for sentence in sentences])
