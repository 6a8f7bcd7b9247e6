"""The regions of a task of Label Studio as mentions of its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from referee.basics.exceptions import one_line, shortened
from referee.formats.shared.characters import utf16_offsets
from referee.formats.shared.json_values import Report, are_words, shown
from referee.formats.shared.text_mentions import TextMention, without_blanks

BLANKS = re.compile(r"\s+|\\[nr]")

Json = dict[str, Any]

Place: TypeAlias = tuple[tuple[int, int] | None, bool]
"""The characters of a region, None if it has none, and whether its words are there, if it repeats any."""


def mentions_of(
    text: str, regions: Sequence[Json], names: Mapping[str, str], by_label: bool, report: Report
) -> list[TextMention]:
    """The mentions that regions are; a region that is none is an error.

    Parameters
    ----------
    text : str
        The text of the task.
    regions : sequence of dict
        Results whose type ends in "labels".
    names : mapping
        What entities are called, by the ids of regions.
    by_label : bool
        Whether labels name entities, and no types.
    report : callable
        Takes an error.
    """
    values = [region.get("value") for region in regions]
    places = iter(_places(text, [value for value in values if isinstance(value, dict)]))
    mentions: dict[str, TextMention] = {}
    for region, value in zip(regions, values, strict=True):
        id_ = str(region.get("id"))
        span, agrees = next(places) if isinstance(value, dict) else (None, False)
        if problem := _problem(text, region, span, agrees):
            report(f"region {one_line(shortened(id_))}: {problem}")
        elif span and id_ not in mentions:  # a region with labels of several controls is one mention
            label = region["value"]["labels"][0]
            entity = label if by_label else names.get(id_, "")
            mentions[id_] = TextMention(id_, "" if by_label else label, [span], entity)
    return without_blanks(text, mentions.values())


def _problem(text: str, region: Json, span: tuple[int, int] | None, agrees: bool) -> str:
    """Why a region is no mention; empty if it is one."""
    value = region.get("value")
    if region["type"] != "labels" or not isinstance(value, dict):
        found = shown(region["type"]) if region["type"] != "labels" else f"the value {shown(value)}"
        return f"found {found}; expected `labels` of a Text, with a value"
    if span is None:
        found = f"found {shown(value.get('start'))} to {shown(value.get('end'))}"
        return f"{found}; expected two offsets, start <= end <= {len(text)}"
    if not agrees:
        found = f"is {shown(value.get('text'))}, but the text has {shown(text[slice(*span)])} there"
        return f"{found}; expected the text that was annotated"
    if not (are_words(value.get("labels")) and value["labels"]):
        return f"`labels` is {shown(value.get('labels'))}; expected a list of labels"
    return ""


def _places(text: str, values: Sequence[Json]) -> list[Place]:
    """The place of each region: its characters are offsets, or UTF-16 units where only those give the words of all regions."""
    pairs = [(value.get("start"), value.get("end")) for value in values]
    words = [value.get("text") for value in values]
    places = _compared(text, words, pairs)
    if all(agrees for _, agrees in places) or isinstance(units := utf16_offsets(text), range):
        return places
    edges = (tuple(units[edge] if type(edge) is int and 0 <= edge < len(units) else None for edge in pair) for pair in pairs)
    in_units = _compared(text, words, edges)
    return in_units if all(agrees for _, agrees in in_units) else places


def _compared(text: str, words: Sequence[object], pairs: Iterable[tuple[object, ...]]) -> list[Place]:
    """Each pair of offsets as a place."""
    size = len(text)
    return [
        ((start, end), given == (there := text[start:end]) or _same(given, there))
        if type(start) is int and type(end) is int and 0 <= start <= end <= size
        else (None, False)
        for given, (start, end) in zip(words, pairs, strict=True)
    ]


def _same(given: object, there: str) -> bool:
    """Whether words are those of the text, white space left out, or are none."""
    return not isinstance(given, str) or BLANKS.sub("", given) == BLANKS.sub("", there)
