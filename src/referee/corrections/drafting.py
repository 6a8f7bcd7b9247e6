"""A document as the changes of one file make it: each change in turn, on mentions, their spans and their entities.

An entity has a span once: a mention that comes to an entity that has its span already is that mention. The page does the same
(`pages/inspector/assets/edit/state.js`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from referee.basics.exceptions import FormatError, listed, shortened
from referee.corpus.addresses import Address, Addresses
from referee.corpus.columns import Spans
from referee.corrections.file import NEW, Change, described, written

Number: TypeAlias = int
"""Of a mention: its number in the key; below 0 if it is new."""


@dataclass
class Draft:
    """The mentions and entities of a document, while they are changed.

    Parameters
    ----------
    source : str
        Whose changes they are: for messages.
    document : str
        Its name.
    addresses : Addresses
    spans : dict
        Of each mention.
    entity : dict
        The name of the entity of each mention.
    """

    source: str
    document: str
    addresses: Addresses
    spans: dict[Number, Spans]
    entity: dict[Number, str]
    merged: dict[str, str] = field(default_factory=dict)
    """Entity -> the one into which it was merged."""
    passed: list[Change] = field(default_factory=list)
    """Changes that the key has already."""
    unfit: list[tuple[Change, str]] = field(default_factory=list)
    """Changes that cannot be made, as the key has changed, and why."""

    def __post_init__(self) -> None:
        self.ids = {*self.entity.values()}
        self.members: dict[str, set[Number]] = {name: set() for name in self.ids}
        self.there: dict[Spans, list[Number]] = {}
        for mention, name in self.entity.items():
            self.members[name].add(mention)
            self.there.setdefault(self.spans[mention], []).append(mention)

    def take(self, changes: Sequence[Change], *, again: bool = False) -> Draft:
        """Make changes; with `again`, those that were made already, or that no longer fit, are passed over.

        Raises
        ------
        FormatError
            If one does not fit.
        """
        for number, change in enumerate(changes, start=1):
            where = f"document {shortened(self.document)!r}, change {number}"
            problem = self._problem(change)
            if not problem:
                self._make(change)
            elif again and self._is_made(change):
                self.passed.append(change)
            elif again:
                self.unfit.append((change, f"{where}: {problem}"))
            else:
                raise FormatError(self.source, None, f"{where}: {problem}")
        return self

    def _problem(self, change: Change) -> str:
        """Why a change cannot be made; empty if it can."""
        for place, text in ((change.place, change.text), (change.new_place, None)):
            if place and (spans := self.addresses.spans(place)) is None:
                return f"found the spans {written(place)}, which the document does not have; expected those of a mention"
            if place and text is not None and self.addresses.text(spans or ()) != text:
                here = shortened(self.addresses.text(spans or ()))
                return f"found the mention {described(text, place)}, where the key has {here!r}; expected the same words"
        if change.to and change.to not in self.members and not NEW.fullmatch(change.to):
            return f"found the entity {shortened(change.to)!r}; expected one of the key, or new1, new2, ..."
        if change.to in self.merged:
            return f"found the entity {change.to}, which was merged into {self.merged[change.to]}; expected that one"
        if change.op == "merge":
            if not self.members.get(change.entity):
                return f"found the entity {shortened(change.entity)!r}, which has no mentions; expected one that has"
            if change.to == change.entity or not self.members.get(change.to):
                return f"found {change.entity} to be merged into {change.to}; expected another entity, with mentions"
            return ""
        mentions = self._at(change.place)
        if change.op == "add":
            if any(self.entity[m] == change.to for m in mentions):
                return f"{change.to} has {described(change.text, change.place)} already; expected a new mention"
            return ""
        if not any(self.entity[m] == change.entity for m in mentions):
            others = [self.entity[m] for m in mentions]
            remedy = f"it is in {listed(others)}" if others else "the key has no such mention"
            return f"found no {described(change.text, change.place)} in {shortened(change.entity)}; {remedy}"
        return ""

    def _is_made(self, change: Change) -> bool:
        """Whether the document is as a change would have made it."""
        at = self._at(change.place)
        if change.op in ("move", "add"):
            return change.to in {self.entity[m] for m in at}
        if change.op == "remove":
            return not at
        if change.op == "span":
            return change.entity in {self.entity[m] for m in self._at(change.new_place)}
        return change.op == "merge" and not self.members.get(change.entity) and bool(self.members.get(change.to))

    def _at(self, place: Address) -> list[Number]:
        """The mentions that have an address."""
        return list(self.there.get(self.addresses.spans(place) or (), ()))

    def _make(self, change: Change) -> None:
        if change.op == "merge":
            for mention in sorted(self.members[change.entity]):
                self._put(mention, self.spans[mention], change.to)
            self.merged[change.entity] = change.to
        elif change.op == "add":
            spans = self.addresses.spans(change.place)
            assert spans is not None
            number = min((0, *self.spans)) - 1
            self.spans[number], self.entity[number] = spans, change.to
            self._enter(number)
        elif change.op != "comment":
            mention = next(m for m in self._at(change.place) if self.entity[m] == change.entity)
            if change.op == "remove":
                self._leave(mention)
            elif change.op == "move":
                self._put(mention, self.spans[mention], change.to)
            else:
                self._put(mention, self.addresses.spans(change.new_place) or (), change.entity)

    def _put(self, mention: Number, spans: Spans, name: str) -> None:
        """Give a mention spans and an entity; it is gone if that entity has such a mention already."""
        self._leave(mention)
        if any(self.entity[m] == name for m in self.there.get(spans, ())):
            return
        self.spans[mention], self.entity[mention] = spans, name
        self._enter(mention)

    def _enter(self, mention: Number) -> None:
        self.members.setdefault(self.entity[mention], set()).add(mention)
        self.there.setdefault(self.spans[mention], []).append(mention)

    def _leave(self, mention: Number) -> None:
        spans = self.spans.pop(mention)
        self.members[self.entity.pop(mention)].remove(mention)
        self.there[spans].remove(mention)
