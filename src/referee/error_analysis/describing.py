"""What an error is, in the words of the text: which entities it is about, by their names, and what the response has instead.

An entity of the key is called “Ruiz” (entity 1), one of the response “Ruiz” (response 4). The name is the mention by which
people know it best; it is left out where the error has just said it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from referee.basics.exceptions import shortened
from referee.basics.memo import Memo
from referee.corpus import Corpus, Mention
from referee.corpus.naming import best_known
from referee.corpus.views import Entity
from referee.error_analysis.differences import KINDS, Differences

ENTITIES = ("key_entity", "key_name", "response_entity", "response_name")
"""Columns of an error for programs."""

NAMED = 2
"""Other entities that are named for a kind of errors of one entity, at most."""


@dataclass(frozen=True, eq=False)
class Describing(Memo):
    """Says what errors are, of those in `differences`."""

    differences: Differences

    def best_known(self, entity: int, *, in_key: bool) -> Mention:
        """The mention by which people know an entity best."""
        return self.known((in_key, entity), lambda: best_known(Entity(self._side(in_key), entity)))

    def name(self, entity: int, *, in_key: bool) -> str:
        """The words of this mention, or its place; empty for no entity."""
        return "" if entity < 0 else words(self.best_known(entity, in_key=in_key))

    def mention(self, error: int) -> Mention:
        """The first mention that an error concerns, of the key if it has one there."""
        d = self.differences
        in_key = bool(d.key_mention[error] >= 0)
        return Mention(self._side(in_key), int((d.key_mention if in_key else d.response_mention)[error]))

    def what(self, error: int) -> str:
        """What happened to the mentions of an error, such as ``of “Anna” (entity 2, found as response 2)`` of a missed one."""
        d = self.differences
        kind, k, r = KINDS[d.kind[error]], int(d.key_entity[error]), int(d.response_entity[error])
        said = words(self.mention(error))
        if kind == "spurious":
            return f"in {self._response(r, said, of=int(d.best_key[r]))}"
        if kind == "spurious_entity":
            return f"all of {self._response(r, said)}"
        if kind == "missed_entity":
            return f"all of {self._key(k, said)}"
        own = self._key(k, said, found=int(d.best_response[k]))
        if kind == "missed":
            return f"of {own}"
        if kind == "span":
            found = quoted(Mention(d.pair.response, int(d.response_mention[error])))
            return f"of {own}, found as {found} in response {self._id(r)}"
        return f"of {own}, {self.other(error, said)}"

    def other(self, error: int, said: str = "") -> str:
        """What a mention that is split, merged or misplaced is apart in, or with."""
        d = self.differences
        r = int(d.response_entity[error])
        if KINDS[d.kind[error]] == "split":
            return f"apart in {self._response(r, said)}"
        return f"with {self._key(int(d.best_key[r]), said)} in response {self._id(r)}"

    def ids_and_names(self, error: int) -> list[str]:
        """What `ENTITIES` says of an error; empty for the side that it is not on."""
        d = self.differences
        k, r = int(d.key_entity[error]), int(d.response_entity[error])
        key = d.pair.key.entity_ids[k] if k >= 0 else ""
        return [key, self.name(k, in_key=True), self._id(r) if r >= 0 else "", self.name(r, in_key=False)]

    def of_entity(self, errors: Sequence[int]) -> str:
        """The mentions of an entity by kind of error, such as ``2 split: apart in “the firm” (response 4); 1 missed``."""
        d = self.differences
        number: dict[int, int] = defaultdict(int)
        others: dict[int, list[str]] = defaultdict(list)
        for error in errors:
            kind = int(d.kind[error])
            number[kind] += int(d.mentions[error])
            if KINDS[kind] in ("split", "merged", "misplaced"):
                others[kind].append(self.other(error))
        return "; ".join(
            f"{n} {KINDS[kind].removesuffix('_entity')}{': ' * bool(others[kind])}{_few(others[kind])}"
            for kind, n in sorted(number.items())
        )

    def _side(self, in_key: bool) -> Corpus:
        pair = self.differences.pair
        return pair.key if in_key else pair.response

    def _id(self, response_entity: int) -> str:
        return self.differences.pair.response.entity_ids[response_entity]

    def _key(self, entity: int, said: str, *, found: int = -1) -> str:
        where = f"entity {self.differences.pair.key.entity_ids[entity]}"
        return _called(
            self.name(entity, in_key=True), said, where, f"found as response {self._id(found)}" if found >= 0 else ""
        )

    def _response(self, entity: int, said: str, *, of: int = -1) -> str:
        owner = f"found for entity {self.differences.pair.key.entity_ids[of]}" if of >= 0 else ""
        return _called(self.name(entity, in_key=False), said, f"response {self._id(entity)}", owner)


def words(mention: Mention) -> str:
    """The words of a mention, not too many, or its place where there are none."""
    return shortened(mention.text) or place(mention)


def quoted(mention: Mention) -> str:
    """The same, words in quotes."""
    return f"“{words(mention)}”" if mention.text else place(mention)


def place(mention: Mention) -> str:
    """The offsets of a mention; none of an item."""
    return "" if mention.corpus.items is not None else "+".join(f"{start}:{end}" for start, end in mention.spans)


def _called(name: str, said: str, where: str, more: str) -> str:
    if name.casefold() == said.casefold():
        return f"{where} ({more})" if more else where
    return f"“{name}” ({', '.join(filter(None, (where, more)))})"


def _few(others: list[str]) -> str:
    different = list(dict.fromkeys(others))
    return ", ".join([*different[:NAMED], *["…"] * (len(different) > NAMED)])
