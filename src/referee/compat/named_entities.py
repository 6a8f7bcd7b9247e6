"""Named entities of documents, and how those of a response are found in a key, as `nervaluate` 1.2.1 counts them.

Each predicted entity, in order, takes a key entity that no earlier one took: one that is right, or else the first that
overlaps. What right means differs between the four scenarios; a scenario counts correct, incorrect, partial, missed and
spurious entities (Chinchor and Sundheim 1993; Segura-Bedmar et al. 2013, SemEval-2013 task 9.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import OptionError
from referee.compat.tags import name_of_tag
from referee.formats.shared.shapes import Foreign, shown


class NamedEntity(NamedTuple):
    """A label, and the first and the last position that it covers."""

    label: str
    start: int
    end: int

    def distance(self, other: NamedEntity) -> int:
        """How far the ends are apart."""
        return abs(self.start - other.start) + abs(self.end - other.end)

    def covered(self, other: NamedEntity) -> float:
        """The percentage of this entity that another one covers."""
        common = min(self.end, other.end) - max(self.start, other.start) + 1
        return 100 * common / (self.end - self.start + 1) if common > 0 else 0.0


Documents = list[list[NamedEntity]]
Right = Callable[[NamedEntity, NamedEntity], bool]
"""Whether a predicted entity that overlaps a key entity is right."""


class Scenario(NamedTuple):
    """How entities are compared.

    Parameters
    ----------
    right
        Whether a predicted entity is right.
    otherwise
        What an overlap counts as that is not right.
    nearest
        Whether the nearest of several right ones is taken, not the first.
    """

    right: Right
    otherwise: str = "incorrect"
    nearest: bool = False


def _same_span(key: NamedEntity, response: NamedEntity) -> bool:
    return key[1:] == response[1:]


SCENARIOS: Mapping[str, Scenario] = {
    "strict": Scenario(lambda key, response: key == response),
    "partial": Scenario(_same_span, otherwise="partial"),
    "ent_type": Scenario(lambda key, response: key.label == response.label, nearest=True),
    "exact": Scenario(_same_span),
}
"""What must be the same: span and label; the span, an overlap being half right; the label of an overlap; the span."""

KINDS = ("correct", "incorrect", "partial", "missed", "spurious")


def overlapping(key: Sequence[NamedEntity], response: Sequence[NamedEntity], percent: float) -> list[list[int]]:
    """Return, for each entity of a response, the places of those of the key of which it covers so much."""
    return [[n for n, other in enumerate(key) if other.covered(entity) >= percent] for entity in response]


def compare(
    key: Sequence[NamedEntity], response: Sequence[NamedEntity], near: Sequence[Sequence[int]], scenario: Scenario
) -> dict[str, list[int]]:
    """Return the places of the entities of a document by what they count as; those of missed ones are in the key."""
    places: dict[str, list[int]] = {kind: [] for kind in KINDS}
    left = dict.fromkeys(range(len(key)))
    for place, entity in enumerate(response):
        free = [n for n in near[place] if n in left]
        right = [n for n in free if scenario.right(key[n], entity)]
        if len(right) > 1 and scenario.nearest:
            right.sort(key=lambda n, entity=entity: key[n].distance(entity))  # type: ignore[misc]
        kind = "correct" if right else scenario.otherwise if free else "spurious"
        places[kind].append(place)
        for matched in (right or free)[:1]:
            del left[matched]
    places["missed"] += left
    return places


# What callers give


def entities_of_tags(document: Iterable[object]) -> list[NamedEntity]:
    """Return the entities of the tags of a document: B begins one, and so does I after `O` or another label.

    Raises
    ------
    OptionError
        If an entity begins with another prefix, or what is given is no tag.
    """
    entities: list[NamedEntity] = []
    label, start, position = "", 0, -1
    for position, tag in enumerate(map(name_of_tag, document)):
        prefix, name = tag[:2], "" if tag == "O" else tag[2:]
        if tag != "O" and name == label and prefix[:1] != "B":
            continue
        if label:
            entities.append(NamedEntity(label, start, position - 1))
        if tag != "O" and (prefix not in ("B-", "I-") or not name):
            raise OptionError(f"found the tag {tag!r} at the beginning of an entity; expected B or I with a label, as in B-PER")
        label, start = name, position
    return [*entities, NamedEntity(label, start, position)] if label else entities


def entities_of_dicts(document: Iterable[Foreign]) -> list[NamedEntity]:
    """Return the entities of a document that are given as dictionaries with the keys label, start and end.

    Raises
    ------
    OptionError
        If one is none.
    """
    entities = []
    for entity in document:
        match entity:
            case {"label": str(label), "start": int(start), "end": int(end)}:
                entities.append(NamedEntity(label, start, end))
            case _:
                raise OptionError(f"found {shown(entity)}; expected an entity as {{'label': 'PER', 'start': 0, 'end': 1}}")
        if end < start:
            raise OptionError(f"found {shown(entity)}, which ends before it starts; expected the last position as its end")
    return entities


def entities_of_lines(text: str) -> Documents:
    """Return the entities of a text whose lines are a word, a tab and a tag; empty lines are between documents."""
    documents = []
    for document in text.rstrip().split("\n\n") if text else []:
        rows = [line.split("\t") for line in document.split("\n")]
        if odd := next((row for row in rows if len(row) < 2 and row[0].strip()), None):
            raise OptionError(f"found the line {odd[0]!r}; expected a word, a tab and a tag")
        documents.append(entities_of_tags(row[1] if len(row) > 1 else "O" for row in rows))
    return documents
