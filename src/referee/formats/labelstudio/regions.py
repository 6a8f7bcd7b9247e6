"""The regions of a task of Label Studio as mentions of its text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from referee.basics.exceptions import one_line, shortened
from referee.formats.shared.characters import utf16_offsets
from referee.formats.shared.json_values import Report, are_words, shown
from referee.formats.shared.text_mentions import TextMention, valid_span, without_blanks

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
    values = [value for region in regions if isinstance(value := region.get("value"), dict)]
    places = iter(_places(text, values))
    mentions: dict[str, TextMention] = {}
    for region in regions:
        id_ = str(region.get("id"))
        span, agrees = next(places) if isinstance(region.get("value"), dict) else (None, False)
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
    if region["type"] != "labels":
        return f"found {shown(region['type'])}; expected `labels` of a Text, with a value"
    if not isinstance(value, dict):
        return f"found the value {shown(value)}; expected `labels` of a Text, with a value"
    if span is None:
        offsets = f"{shown(value.get('start'))} to {shown(value.get('end'))}"
        return f"found {offsets}; expected two offsets, start <= end <= {len(text)}"
    if not agrees:
        there = shown(text[slice(*span)])
        return f"is {shown(value.get('text'))}, but the text has {there} there; expected the text that was annotated"
    if not (are_words(value.get("labels")) and value["labels"]):
        return f"`labels` is {shown(value.get('labels'))}; expected a list of labels"
    return ""


def _places(text: str, values: Sequence[Json]) -> list[Place]:
    """The place of each region: its characters are offsets, or UTF-16 units where only those give the words of all regions."""
    pairs = [(value.get("start"), value.get("end")) for value in values]
    words = [value.get("text") for value in values]
    places = [_place(text, pair, word) for pair, word in zip(pairs, words, strict=True)]
    if all(agrees for _, agrees in places) or isinstance(units := utf16_offsets(text), range):
        return places
    edges = ([units[edge] if type(edge) is int and 0 <= edge < len(units) else None for edge in pair] for pair in pairs)
    in_units = [_place(text, pair, word) for pair, word in zip(edges, words, strict=True)]
    return in_units if all(agrees for _, agrees in in_units) else places


def _place(text: str, pair: Sequence[object], words: object) -> Place:
    """The place of a region: white space does not count in its words, and it may have none."""
    if (span := valid_span(text, *pair)) is None:
        return None, False
    there = text[slice(*span)]
    return span, words == there or not isinstance(words, str) or BLANKS.sub("", words) == BLANKS.sub("", there)
