"""The file of corrections that a page saves: what was changed in a key, by document, as JSON that a person can read.

::

    {"corrections": 1, "key": {"name": "key.conllu", "digest": "…"}, "by": "Kim",
     "documents": {"doc1": {"done": true, "changes": [
       {"op": "move", "mention": {"spans": [[12, 14]], "text": "the cook"}, "from": "e3", "to": "e7"},
       {"op": "add", "mention": {"spans": [[20, 21]], "text": "he"}, "to": "new1"},
       {"op": "remove", "mention": {"spans": [[3, 4]], "text": "it"}, "from": "e7"},
       {"op": "span", "mention": {"spans": [[12, 14]], "text": "the cook"}, "in": "e7", "spans": [[11, 14]]},
       {"op": "merge", "entity": "e9", "into": "e7"},
       {"op": "comment", "mention": {"spans": [[11, 14]], "text": "old the cook"}, "in": "e7", "text": "see 3.2"}]}}}

Changes are made one after the other. Spans count words without empty nodes, half-open; an empty node stands by its id, such as
``"3:5.1"`` (see `referee.corpus.addresses`). Entities are called by their ids in the key; an entity that it does not have is
called ``new`` and a number. Digests are those of `referee.corpus.addresses.digests`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from referee.basics.exceptions import FormatError, listed, shortened
from referee.corpus.addresses import Address
from referee.formats.shared.json_values import shown
from referee.formats.shared.source import Source

VERSION = 1
NEW = re.compile(r"new[1-9][0-9]{0,8}")
"""What an entity is called that the key does not have."""

FIELDS: Mapping[str, tuple[str, ...]] = {
    "move": ("mention", "from", "to"),
    "add": ("mention", "to"),
    "remove": ("mention", "from"),
    "span": ("mention", "in", "spans"),
    "merge": ("entity", "into"),
    "comment": ("mention", "in", "text"),
}
"""What each kind of change has."""

DIGEST = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}")


class Change(NamedTuple):
    """A change of a document.

    Parameters
    ----------
    op : str
        One of `FIELDS`.
    place : Address
        Where the mention is; empty of a merge.
    text : str
        The text of the mention.
    entity : str
        The entity that it is in, or that is merged; empty of an addition.
    to : str
        The entity that it comes to, or into which the other is merged.
    new_place : Address
        Its new edges.
    remark : str
        The text of a comment.
    """

    op: str
    place: Address = ()
    text: str = ""
    entity: str = ""
    to: str = ""
    new_place: Address = ()
    remark: str = ""

    def described(self) -> str:
        """The change as a sentence.

        >>> Change("move", ((12, 14),), "the cook", "e3", "e7").described()
        'move "the cook" (12-14) from e3 to e7'
        """
        mention = described(self.text, self.place)
        return {
            "move": f"move {mention} from {self.entity} to {self.to}",
            "add": f"add {mention} to {self.to}",
            "remove": f"remove {mention} from {self.entity}",
            "span": f"change {mention} in {self.entity} to {written(self.new_place)}",
            "merge": f"merge {self.entity} into {self.to}",
            "comment": f"comment on {mention} in {self.entity}: {self.remark}",
        }[self.op]


def written(place: Address) -> str:
    """An address as people read it: 12-14, 20-21."""
    return ", ".join(part if isinstance(part, str) else f"{part[0]}-{part[1]}" for part in place)


def described(text: str, place: Address) -> str:
    """A mention as people read it."""
    return f'"{shortened(text)}" ({written(place)})'


class DocumentCorrections(NamedTuple):
    """The changes of a document, and whether somebody said that it is done."""

    changes: Sequence[Change]
    done: bool = False


class Corrections(NamedTuple):
    """A file of corrections.

    Parameters
    ----------
    source : str
        The file.
    key : str
        What the key was called.
    digest : str
        Its digests.
    by : str
        Who made them; may be empty.
    documents : mapping
        Name of a document -> its corrections.
    """

    source: str
    key: str
    digest: str
    by: str
    documents: Mapping[str, DocumentCorrections]


def read_corrections(source: Source) -> Corrections:
    """Read a file of corrections.

    Raises
    ------
    FormatError
        If it is none, or says something that no page writes.
    """
    try:
        value = json.loads(source.raw().decode(), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise FormatError(
            source.name, line, f"is no JSON ({error}); expected a file of corrections that a page saved"
        ) from None
    file = _JsonFile(source.name)
    if not isinstance(value, dict) or "corrections" not in value:
        file.error("", "found no corrections; expected a file that a page saved: NAME.corrections.json")
    if value["corrections"] != VERSION or isinstance(value["corrections"], bool):
        file.error("", f"found corrections {shown(value['corrections'])}; expected {VERSION}: the form that this version reads")
    file.fields("", value, ("corrections", "key", "documents"), ("by",))
    key = file.record("key", value["key"], ("name", "digest"))
    if not DIGEST.fullmatch(file.text("key: digest", key["digest"])):
        file.error("key", f"found the digest {shown(key['digest'])}; expected two of 16 digits, as a page writes them")
    documents = value["documents"] if isinstance(value["documents"], dict) else file.error("documents", _no(value["documents"]))
    return Corrections(
        source.name,
        file.text("key: name", key["name"]),
        key["digest"],
        file.text("by", value.get("by", "")),
        {name: file.document(f"document {shortened(name)!r}", of_one) for name, of_one in documents.items()},
    )


def _no(value: object) -> str:
    return f"found {shown(value)}; expected an object"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return value


class _JsonFile(NamedTuple):
    """Checks the values of a file."""

    name: str

    def error(self, place: str, problem: str) -> NoReturn:
        raise FormatError(self.name, None, f"{place}: {problem}" if place else problem)

    def text(self, place: str, value: object) -> str:
        return value if isinstance(value, str) else self.error(place, f"found {shown(value)}; expected a text")

    def fields(self, place: str, value: dict[str, Any], needed: Sequence[str], others: Sequence[str] = ()) -> None:
        if missing := [name for name in needed if name not in value]:
            self.error(place, f"found no {listed(missing)}; expected {listed(needed)}")
        if unknown := [name for name in value if name not in needed and name not in others]:
            self.error(
                place, f"found {listed([shortened(name) for name in unknown])}; expected {listed([*needed, *others])} alone"
            )

    def record(self, place: str, value: object, needed: Sequence[str]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.error(place, _no(value))
        self.fields(place, value, needed)
        return value

    def document(self, place: str, value: object) -> DocumentCorrections:
        if not isinstance(value, dict):
            self.error(place, _no(value))
        self.fields(place, value, ("changes",), ("done",))
        changes, done = value["changes"], value.get("done", False)
        if not isinstance(changes, list):
            self.error(place, f"found changes {shown(changes)}; expected a list")
        if not isinstance(done, bool):
            self.error(place, f"found done {shown(done)}; expected true or false")
        return DocumentCorrections([self.change(f"{place}, change {n}", each) for n, each in enumerate(changes, start=1)], done)

    def change(self, place: str, value: object) -> Change:
        op = value.get("op") if isinstance(value, dict) else value
        if not isinstance(value, dict) or not isinstance(op, str) or op not in FIELDS:
            what = f"op {shown(op)}" if isinstance(value, dict) else shown(value)
            self.error(place, f"found {what}; expected an op, one of {', '.join(FIELDS)}")
        self.fields(place, value, ("op", *FIELDS[op]))
        parts: dict[str, Any] = {"op": op}
        for name in FIELDS[op]:
            if name == "mention":
                mention = self.record(f"{place}: mention", value[name], ("spans", "text"))
                parts["place"] = self.address(place, mention["spans"])
                parts["text"] = self.text(f"{place}: text", mention["text"])
            elif name == "spans":
                parts["new_place"] = self.address(place, value[name])
            elif not self.text(f"{place}: {name}", value[name]):
                self.error(place, f"found an empty {name}; expected {'a text' if name == 'text' else 'the id of an entity'}")
            else:
                parts[{"to": "to", "into": "to", "text": "remark"}.get(name, "entity")] = value[name]
        return Change(**parts)

    def address(self, place: str, value: object) -> Address:
        parts = value if isinstance(value, list) else []
        spans = [tuple(part) for part in parts if isinstance(part, list)]
        nodes = [part for part in parts if isinstance(part, str)]
        flat = [number for span in spans for number in span]
        is_right = all(type(number) is int for number in flat) and all(len(span) == 2 for span in spans)
        if (
            not parts
            or not is_right
            or parts != [*map(list, spans), *nodes]
            or flat != sorted(set(flat))
            or flat[:1] < [0] * bool(flat)
        ):
            expected = "[[start, end], ...], half-open, apart and in order, then ids of empty nodes"
            self.error(place, f"found the spans {shown(value)}; expected {expected}")
        return (*((start, end) for start, end in spans), *nodes)
