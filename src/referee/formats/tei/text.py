"""TEI whose mentions are marked in its text: what a name points at is its entity."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.corpus import CorpusBuilder
from referee.formats.shared.characters import tokenised
from referee.formats.shared.documents import begin, cycle
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.safe_xml import Element
from referee.formats.shared.source import OnError
from referee.formats.shared.urs import Schema, Unit, add_units

TYPES = {
    "rs": "", "name": "", "persName": "person", "placeName": "place", "orgName": "org", "geogName": "place",
    "objectName": "object", "eventName": "event",
}  # fmt: skip
"""The elements that are mentions, and the type that their tag says."""

POINTERS = ("ref", "key", "corresp", "sameAs", "prev")
"""Attributes that say what is meant: the first that an element has."""

MARKED = re.compile(rf"<(?:\w{{1,50}}:)?(?:{'|'.join(TYPES)})\s[^<>]{{0,2000}}?\b(?:ref|key|corresp|sameAs|prev)\s*=")
"""A mention in the text, for those that must tell a format."""

ROOTS = ("TEI", "TEI.2")
REGISTERS = ("listPerson", "listPlace", "listOrg", "listObject", "listEvent", "teiHeader", "standOff", "facsimile", "fw")
ALTERNATIVES = ("choice", "app")
MILESTONES = ("lb", "pb", "cb", "gb", "milestone")
BLOCKS = frozenset((
    "text", "front", "body", "back", "group", "floatingText", "div", "div0", "div1", "div2", "div3", "div4", "div5",
    "div6", "div7", "head", "p", "ab", "lg", "l", "sp", "s", "u", "speaker", "stage", "list", "item", "label", "table",
    "row", "cell", "note", "figure", "figDesc", "opener", "closer", "salute", "signed", "dateline", "byline", "trailer",
    "argument", "epigraph", "postscript", "titlePage", "docTitle", "titlePart", "docAuthor", "docImprint", "castList",
    "castItem", "address", "addrLine", "quote",
))  # fmt: skip
"""Elements that begin a line of their own, which is a sentence."""


class _MarkedElement(NamedTuple):
    """An element that may be a mention: half-open tokens, or characters of a text without tokens."""

    element: Element
    start: int
    end: int

    @property
    def pointers(self) -> list[str]:
        """What it points at."""
        value = next((value for name in POINTERS if (value := self.element.get(name).strip())), "")
        return list(dict.fromkeys(name for word in value.split() if (name := word.removeprefix("#"))))

    @property
    def type(self) -> str:
        """The type of its entity."""
        return TYPES[self.element.tag] or self.element.get("type")


@dataclass
class _TeiText:
    """The words of a text, as tokens if it has such elements, or else as characters with a line for each block."""

    worded: bool
    divider: str = ""
    tokens: list[str] = field(default_factory=list)
    sentences: set[int] = field(default_factory=lambda: {0})
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    last: str = "\n"
    open: list[int] = field(default_factory=list)
    marked: list[_MarkedElement] = field(default_factory=list)
    alternatives: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)

    def walk(self, element: Element, *, in_word: bool = False) -> None:
        """Take an element with all that is in it."""
        if element.tag in REGISTERS:
            return
        is_mention = element.tag in TYPES
        if is_mention:
            self.open.append(len(self.tokens) - in_word if self.worded else self.length)
        elif element.get("ref") or (element.get("key") and not in_word):
            self.others[element.tag] += element.tag not in ("w", "pc")
        if self.worded and element.tag in ("w", "pc"):
            self.tokens.append(" ".join((element.find("form") or element).text.split()))
            in_word = True
        self._begin(element)
        first = True
        for child in element.content:
            if isinstance(child, str):
                self._write(child)
            elif first or element.tag not in ALTERNATIVES:
                self.walk(child, in_word=in_word)
                first = False
            else:
                self.alternatives[element.tag] += sum(e.tag in TYPES for e in child.walk())
        if is_mention:
            self.marked.append(_MarkedElement(element, self.open.pop(), len(self.tokens) if self.worded else self.length))
        elif element.tag in BLOCKS:
            self._write("\n", line=True)

    def _begin(self, element: Element) -> None:
        if element.tag == self.divider:
            self.sentences.add(len(self.tokens))
        if element.tag in BLOCKS:
            self._write("\n", line=True)
        elif element.tag in MILESTONES and element.get("break") != "no":
            self._write(" ")
        elif element.tag in MILESTONES and self.last == " ":  # within a word
            self.pieces[-1] = self.pieces[-1][:-1]
            self.length -= 1
            self.last = "-"
            self.open = [min(start, self.length) for start in self.open]

    def _write(self, text: str, *, line: bool = False) -> None:
        """Add a text, its white space as single blanks, none of them at the beginning of a line; or begin a line."""
        if self.worded:
            return
        new = ("\n" * (self.last != "\n")) if line else re.sub(r"\s+", " ", text)
        if not line and self.last in " \n":
            new = new.removeprefix(" ")
        if new:
            self.pieces.append(new)
            self.length += len(new)
            self.last = new[-1]


def is_marked(root: Element) -> bool:
    """Whether names or referring strings in the text point at what they mean; or it is a text with no annotation at all."""
    inside = [e for text in root.walk() if text.tag == "text" for e in text.walk()]
    pointing = any(e.tag in TYPES and not e.attributes.keys().isdisjoint(POINTERS) for e in inside)
    return pointing or (bool(inside) and all(e.tag not in ("w", "annotationGrp") for e in root.walk()))


def add_marked(builder: CorpusBuilder, name: str, root: Element, on_error: OnError) -> None:
    """Add the document of a file, or those of a corpus in it."""
    roots = [element for element in root.walk() if element.tag in ROOTS] or [root]
    for number, each in enumerate(roots, start=1):
        called = name
        if len(roots) > 1:
            called = each.get("id") if each.get("id") and not name else f"{name}#{each.get('id') or number}"
        _add_document(builder, called, each, on_error)


def _add_document(builder: CorpusBuilder, name: str, root: Element, on_error: OnError) -> None:
    outermost = [root] if root.tag == "text" else [e for e in root if e.tag == "text"]
    inside = [e for text in outermost for e in text.walk()]
    worded = any(e.tag == "w" for e in inside)
    divider = next((tag for tag in ("s", "u", "p") if any(e.tag == tag for e in inside)), "") if worded else ""
    text = _TeiText(worded, divider)
    for each in outermost:
        text.walk(each)
    units, pairs, groups = _units(builder.source, text)
    if worded:
        sentences = sorted(text.sentences - {len(text.tokens)})
        if not begin(builder, on_error, name, text.tokens, sentences, line=root.line):
            return
    else:
        characters = tokenised("".join(text.pieces), (edge for unit in units for span in unit.spans for edge in span))
        if not begin(builder, on_error, name, characters.tokens, characters.sentences, raw=characters.raw, line=root.line):
            return
        units = [unit._replace(spans=[characters.span(*span) for span in unit.spans]) for unit in units]
    labels = add_units(builder, units, [], pairs, on_error)
    label = {unit.referent: label for unit, label in zip(units, labels, strict=True) if unit.referent}
    split = [(label[whole], label[part]) for whole, parts in groups.items() for part in parts if part in label]
    if circle := cycle(split):
        on_error(root.line, f"an entity is among its own split antecedents: {' < '.join(circle)}; expected none")
        return
    for whole, part in split:
        builder.split_antecedent(builder.entity(whole), builder.entity(part))


def _units(source: str, text: _TeiText) -> tuple[list[Unit], list[Schema], dict[str, list[str]]]:
    """The mentions, those that point at another mention with it, and the parts of what several pointers mean together."""
    meant = {pointer for mark in text.marked for pointer in mark.pointers}
    written = "".join(text.pieces)
    pointless, empty = Counter[str](), Counter[str]()
    by_place: dict[tuple[int, int, str], Unit] = {}
    ids: set[str] = set()
    groups: dict[str, list[str]] = {}
    pointing: list[Schema] = []
    same = several = 0
    for number, mark in enumerate(sorted(text.marked, key=lambda mark: (mark.start, -mark.end))):
        element, pointers, id_ = mark.element, mark.pointers, mark.element.get("id")
        start, end = (mark.start, mark.end) if text.worded else _trimmed(written, mark.start, mark.end)
        referent = " ".join(sorted(pointers))
        if not pointers and id_ not in meant:
            pointless[element.tag] += 1
        elif start >= end:
            empty[element.tag] += 1
        elif (start, end, referent) in by_place:
            same += 1
        else:
            if not id_ or id_ in ids:
                id_ = f"{element.tag} {number}"
            ids.add(id_)
            by_place[start, end, referent] = Unit(id_, [(start, end)], referent, element.line, mark.type)
            if len(pointers) > 1:
                several += 1
                groups[referent] = pointers
            elif pointers and pointers[0] != id_:
                pointing.append(Schema(id_, [id_, referent], element.line))
    pairs = [pair for pair in pointing if pair.units[1] in ids]
    targets = {pair.units[1] for pair in pairs}
    units = [unit._replace(referent="") if unit.referent in targets else unit for unit in by_place.values()]
    warn_file(source, "found {} without mentions: no name in it has a ref or key", "text", not by_place)
    warn_file(source, "left out {} without ref or key ({names})", "name", pointless)
    warn_file(source, "left out {} without words ({names})", "name", empty)
    warn_file(source, "took {} with several pointers for mentions of entities of their own", "name", several)
    warn_file(source, "took {} within another of the same words and entity for one mention with it", "name", same)
    warn_file(source, "left out {} in further readings of choice and app ({names})", "name", text.alternatives)
    warn_file(source, "left out {} with ref or key that are no names ({names})", "element", text.others)
    return units, pairs, groups


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space around it."""
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())
