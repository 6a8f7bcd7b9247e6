"""Strings on the words of a key: each is looked up in the text of its document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.answers.answer import SPURIOUS
from referee.answers.grounding import KeyText, PlacedMentions
from referee.answers.occurrences import occurrences
from referee.answers.placing import Occurrences
from referee.answers.refining import refined
from referee.answers.units import units_of
from referee.answers.values import LABEL, Quote

UNLISTED = "names of entities that stand in the text left out, as they are not listed"


def placed_strings(
    text: KeyText | None,
    entities: Sequence[tuple[str, Sequence[Quote]]],
    how: str,
    repairs: Counter[str],
    totals: Counter[str],
    unread: list[str],
) -> PlacedMentions:
    """The mentions that the strings of a document are.

    Parameters
    ----------
    text : KeyText or None
        The text of the key; None for a document that it does not have.
    entities : sequence of (str, sequence of Quote)
        The names of the entities, and their strings.
    how : {"ordered", "all", "first"}
        Which occurrences of a string are meant.
    repairs, totals : Counter
        Count what is repaired; how many strings there are, and how many could be others.
    unread : list of str
        Gets the lines that are no mentions.
    """
    labels = [label for label, _ in entities]
    lists = refined(
        entities, lambda strings: [s for s, found in occurrences(text, strings).items() if found.all], repairs, unread
    )
    places = occurrences(text, {quote.text for entity in lists for quote in entity})
    if text is not None:
        repairs[UNLISTED] += _unlisted(text, labels, lists)
    occurrence = Occurrences(text, places, [quote for entity in lists for quote in entity], repairs)
    if how == "ordered":
        spans_of, doubtful = occurrence.in_order(lists)
        totals["doubtful"] += doubtful
    else:
        lists = [list(dict.fromkeys(entity)) for entity in lists]
        spans_of = [[occurrence.every(quote, how) for quote in entity] for entity in lists]
    placed = PlacedMentions([], [], [])
    for number, (label, entity, spans) in enumerate(zip(labels, lists, spans_of, strict=True)):
        for quote, meant in zip(entity, spans, strict=True):
            if not meant:
                repairs[SPURIOUS] += 1
                placed.add(occurrence.tokens, units_of(quote.text) or [quote.text], str(number))
                placed.unplaced.append((label or str(number + 1), quote.text))
            placed.mentions.extend((*span, str(number)) for span in meant)
    totals["strings"] += sum(map(len, lists))
    totals["spurious"] += len(placed.unplaced)
    return placed


def _unlisted(text: KeyText, labels: Sequence[str], lists: Sequence[Sequence[Quote]]) -> int:
    """How many names of entities stand in the text and in no mention of their entity, if this is so for all that have names."""
    named = [(label, spans) for label, spans in zip(labels, lists, strict=True) if label and not LABEL.fullmatch(label)]
    apart = [label for label, spans in named if not any(label.casefold() in quote.text.casefold() for quote in spans)]
    if len(apart) < max(len(named), 2):
        return 0
    return sum(bool(occurrence.all) for occurrence in occurrences(text, apart).values())
