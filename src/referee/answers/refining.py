"""Strings that a text does not have, looked at more closely: a list with commas, a remark in brackets, a number of a sentence.

Each reading counts only if the text has what it gives. So "Tom, his brother" is one mention where the text has it, else two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.answers.values import Quote

REMARKS = "remarks behind strings left out"
COMMAS = "parts with commas that could be one mention, or several"

SEPARATOR = re.compile(r"\s{0,3}(?:<br ?/?>|[,;|、，；]|\s/\s|<?[-=]+>|<[-=]+|[→←↔⇒⟶≡=]|\band\b|&)\s{0,3}")
COMMA = re.compile(r",\s{0,3}")
ADDRESS = re.compile(r"[^\W\d_A-ZÄÖÜ]{1,4},")
"""A pronoun and a comma: what follows is another mention."""
LONGEST = 4
"""As many parts, at most, are one mention with commas."""

NUMBERED = re.compile(
    r"(?P<text>.{1,300}?)\s{0,3}[(\[@]\s?(?:in\s)?(?:sentence|sent|satz|word|token|tok|line|index|idx|pos|s|t|w)?[\s.:#_]{0,3}"
    r"(?P<number>\d{1,7})(?:\s?[-–:,]\s?\d{1,7})?\s?[)\]]?",
    re.IGNORECASE,
)
BEFORE = re.compile(r"[\[(]?(?:sentence|sent\.?|satz|s)?\s?(?P<number>\d{1,7})\s?[)\]:.]\s?(?P<text>.{1,300})", re.IGNORECASE)
REMARK = re.compile(r"(?P<text>.{1,300}?)\s{0,3}(?:#\d{1,6}|\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|[-–—]\s.{0,300})")
AROUND = " \t\"'“”‘’`*_.,;:«»「」()[]{}<>"

LookUp = Callable[[Iterable[str]], Collection[str]]
"""Which strings a text has."""


class _Refinement(NamedTuple):
    """What a string may mean: another string, perhaps with a number, and what is left out of it."""

    text: str
    number: int | None = None
    left_out: str = ""


def refined(
    entities: Sequence[tuple[str, Sequence[Quote]]], look_up: LookUp, repairs: Counter[str], unread: list[str]
) -> list[list[Quote]]:
    """The strings of the entities of a document as the text has them.

    Parameters
    ----------
    entities : sequence of (str, sequence of Quote)
        The names of the entities, and the strings as they are listed.
    look_up : callable
        Which strings the text has.
    repairs : Counter
        Counts what is left out.
    unread : list of str
        Gets the lines that are sentences, and no mentions.
    """
    quotes = {quote for _, entity in entities for quote in entity}
    known = set(look_up({quote.text for quote in quotes}))
    parts = {quote: _parts(quote) for quote in quotes if quote.text not in known or quote.form == "list"}
    readings = {text: list(_readings(text)) for several in parts.values() for joined in several for text in joined}
    known |= set(look_up({reading.text for several in readings.values() for reading in several})) if parts else set()
    meant = {quote: _meant(quote, several, readings, known) for quote, several in parts.items()}
    unread += sorted(quote.text for quote in quotes if quote.form == "sentence" and not meant.get(quote, True))
    lists: list[list[Quote]] = []
    for label, entity in entities:
        lists.append([])
        for quote in entity:
            for text, number, left_out in meant.get(quote, [_Refinement(quote.text)]):
                repairs[REMARKS] += left_out == REMARKS
                repairs[COMMAS] += text != quote.text and "," in text and text.casefold() not in label.casefold()
                lists[-1].append(Quote(text, quote.number if number is None else number))
    return lists


def _meant(
    quote: Quote, parts: Sequence[Sequence[str]], readings: Mapping[str, Sequence[_Refinement]], known: Container[str]
) -> list[_Refinement]:
    """What a string means: its parts if it is a list, or if the text has most of them; nothing if it is a sentence."""
    best = _best_readings(parts, readings, known)
    if quote.form == "list":
        return best
    split = len(parts) == len(SEPARATOR.findall(quote.text)) + 1  # "and/or" is no list
    if split and sum(reading.text in known for reading in best) > len(best) / 2:
        return best
    return [] if quote.form == "sentence" else [_Refinement(quote.text)]


def _parts(quote: Quote) -> list[list[str]]:
    """For each part between separators, the part and what begins with it, longest first."""
    string, separator = quote.text, COMMA if quote.form else SEPARATOR
    edges = [0, *(edge for sign in separator.finditer(string) for edge in sign.span()), len(string)]
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
        kept = [text for text in joined if not ADDRESS.match(text)] if joined[-1:] != joined else joined
        best = next(((text, reading) for text in kept for reading in readings[text] if reading.text in known), None)
        if best is None:
            best_readings.append(_Refinement(joined[-1]))
            continue
        best_readings.append(best[1])
        after = n + len(joined) - joined.index(best[0])
    return best_readings
