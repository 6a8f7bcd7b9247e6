"""The regions of a task of Label Studio as mentions of its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, TypeAlias

import numpy as np

from referee.algorithms.arrays import arange
from referee.basics.exceptions import one_line, shortened
from referee.formats.shared.characters import utf16_offsets
from referee.formats.shared.json_values import Report, are_words, shown
from referee.formats.shared.text_mentions import TextMentions

BLANKS = re.compile(r"\s+|\\[nr]")

Json = dict[str, Any]

Place: TypeAlias = tuple[tuple[int, int] | None, bool]
"""The characters of a region, None if it has none, and whether its words are there, if it repeats any."""


def mentions_of(text: str, regions: Sequence[Json], names: Mapping[str, str], by_label: bool, report: Report) -> TextMentions:
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
    values: list[Any] = [region.get("value") for region in regions]
    rows: Sequence[int] = range(len(values))
    if not {dict}.issuperset(map(type, values)):
        rows = [n for n, value in enumerate(values) if isinstance(value, dict)]
        values = [values[n] for n in rows]
    ids = [str(region.get("id")) for region in regions]
    places = _places(text, values)
    labels = [value.get("labels") for value in values]
    right = zip(rows, places, _are_labels(labels), strict=True)
    kept = [k for k, (n, (_, agrees), fit) in enumerate(right) if agrees and fit and regions[n]["type"] == "labels"]
    if len(kept) < len(regions):
        place_of = dict(zip(rows, places, strict=True))
        for n in sorted({*range(len(regions))}.difference(rows[k] for k in kept)):
            problem = _problem(text, regions[n], *place_of.get(n, (None, False)))
            report(f"region {one_line(shortened(ids[n]))}: {problem}")
    first = {ids[rows[k]]: k for k in reversed(kept)}  # a region with labels of several controls is one mention
    kept = kept if len(first) == len(kept) else sorted(first.values())
    called, label = [ids[rows[k]] for k in kept], [labels[k][0] for k in kept]
    spans = chain.from_iterable(places[k][0] or () for k in kept)
    start, end = np.fromiter(spans, np.int64, 2 * len(kept)).reshape(-1, 2).T
    if by_label:
        label, entities = [""] * len(kept), label
    else:
        entities = [names.get(id_, "") for id_ in called] if names else []
    return TextMentions(called, label, arange(len(kept)), start, end, entities).without_blanks(text)


def _are_labels(given: Sequence[Any]) -> Iterable[bool]:
    """Whether each is a list of labels, one at least."""
    if {list}.issuperset(map(type, given)) and all(given) and are_words([*chain.from_iterable(given)]):  # nearly always
        return repeat(True, len(given))
    return (are_words(labels) and bool(labels) for labels in given)


def _problem(text: str, region: Json, span: tuple[int, int] | None, agrees: bool) -> str:
    """Why a region is no mention."""
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
    return f"`labels` is {shown(value.get('labels'))}; expected a list of labels"


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
