"""Strings that a text does not have, looked at more closely: a list with commas, a remark in brackets, a number of a sentence.

Each reading counts only if the text has what it gives. So "Tom, his brother" is one mention where the text has it, else two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.answers.lists import Quote

REMARKS = "remarks behind strings left out"

SEPARATOR = re.compile(r"\s{0,3}(?:<br ?/?>|[,;|、，；]|\s/\s|<?[-=]+>|<[-=]+|[→←↔⇒⟶≡=]|\band\b|&)\s{0,3}")
LONGEST = 4
"""As many parts, at most, are one mention with commas."""

NUMBERED = re.compile(
    r"(?P<text>.{1,300}?)\s{0,3}[(\[@]\s?(?:in\s)?(?:sentence|sent|word|token|tok|line|index|idx|pos|s|t|w)?[\s.:#_]{0,3}"
    r"(?P<number>\d{1,7})(?:\s?[-–:,]\s?\d{1,7})?\s?[)\]]?",
    re.IGNORECASE,
)
BEFORE = re.compile(r"\[?\(?(?:sentence|sent\.?|s)?\s?(?P<number>\d{1,7})\s?[)\]:.]\s?(?P<text>.{1,300})", re.IGNORECASE)
REMARK = re.compile(r"(?P<text>.{1,300}?)\s{0,3}(?:#\d{1,6}|\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|[-–—]\s.{0,300})")
AROUND = " \t\"'“”‘’`*_.,;:«»「」()[]{}<>"

LookUp = Callable[[Iterable[str]], Collection[str]]
"""Which strings a text has."""


class _Refinement(NamedTuple):
    """What a string may mean: another string, perhaps with a number, and what is left out of it."""

    text: str
    number: int | None = None
    left_out: str = ""


def refined(entities: Sequence[Sequence[Quote]], look_up: LookUp, repairs: Counter[str]) -> list[list[Quote]]:
    """The strings of the entities of a document as the text has them.

    Parameters
    ----------
    entities : sequence of sequence of Quote
        The strings as they are listed.
    look_up : callable
        Which strings the text has.
    repairs : Counter
        Counts what is left out.
    """
    strings = {quote.text for entity in entities for quote in entity}
    unknown = strings - set(look_up(strings))
    parts = {string: _parts(string) for string in unknown}
    readings = {
        text: list(_readings(text)) for joined_readings in parts.values() for joined in joined_readings for text in joined
    }
    meant = {reading.text for several in readings.values() for reading in several}
    known = set(look_up(meant)) if unknown else set()
    refinements: dict[str, list[_Refinement]] = {}
    for string, joined_readings in parts.items():
        best_readings = _best_readings(joined_readings, readings, known)
        split = len(joined_readings) == len(SEPARATOR.findall(string)) + 1  # "and/or" is no list
        if split and sum(reading.text in known for reading in best_readings) > len(best_readings) / 2:
            refinements[string] = best_readings
    repairs[REMARKS] += sum(
        reading.left_out == REMARKS for e in entities for quote in e for reading in refinements.get(quote.text, ())
    )
    return [
        [
            Quote(reading.text, quote.number if reading.number is None else reading.number)
            for quote in entity
            for reading in refinements.get(quote.text, [_Refinement(quote.text)])
        ]
        for entity in entities
    ]


def _parts(string: str) -> list[list[str]]:
    """For each part between separators, the part and what begins with it, longest first."""
    edges = [0, *(edge for sign in SEPARATOR.finditer(string) for edge in sign.span()), len(string)]
    starts, ends = edges[::2], edges[1::2]
    return [
        [string[start:end] for end in ends[n : n + LONGEST][::-1] if end > start]
        for n, start in enumerate(starts)
        if ends[n] > start
    ]


def _readings(text: str) -> Iterator[_Refinement]:
    """What a part may mean, the plainest first."""
    refinements = [_Refinement(text)]
    numbered = [match for pattern in (NUMBERED, BEFORE) if (match := pattern.fullmatch(text))]
    refinements += [_Refinement(match["text"], int(match["number"])) for match in numbered]
    if match := REMARK.fullmatch(text):
        refinements.append(_Refinement(match["text"], left_out=REMARKS))
    for refinement in refinements:
        yield refinement
        yield refinement._replace(text=refinement.text.strip(AROUND))


def _best_readings(
    parts: Sequence[Sequence[str]], readings: Mapping[str, Sequence[_Refinement]], known: Container[str]
) -> list[_Refinement]:
    """The readings of the parts of a string: the longest first; parts that the text does not have stay as they are."""
    best_readings, after = [], 0
    for n, joined in enumerate(parts):
        if n < after:
            continue
        best = next(((text, reading) for text in joined for reading in readings[text] if reading.text in known), None)
        if best is None:
            best_readings.append(_Refinement(joined[-1]))
            continue
        best_readings.append(best[1])
        after = n + len(joined) - joined.index(best[0])
    return best_readings
