"""XML as the readers see it: elements that know their line. Nothing is expanded, and no other file is opened.

A document that declares entities is refused, which is the remedy against both kinds of attack (one entity that expands to
gigabytes, and one that names a file or an address). So is one that declares attributes: each element may get thousands of
default values, and the parser looks at all that were declared before. Other document types are allowed, and not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from referee.basics.exceptions import FormatError, one_line, shortened
from referee.formats.shared.source import Source

IDS = ("xml:id", "xmi:id")
"""Attributes that an attribute `id` beside them does not hide."""

DEEPEST = 200
"""Elements inside one another; annotation has some ten."""


@dataclass(slots=True)
class Element:
    """An element: its tag without the prefix, its attributes likewise, its text and elements, and where it begins.

    Parameters
    ----------
    tag, attributes
        Without the prefixes of namespaces, and without what declares these.
    line : int
        The line where it begins.
    content : list
        Text and elements, in order.
    prefix : str
        The prefix of the tag.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    content: list[str | Element] = field(default_factory=list)
    prefix: str = ""

    def __iter__(self) -> Iterator[Element]:
        """The elements directly inside."""
        return (c for c in self.content if isinstance(c, Element))

    def walk(self) -> Iterator[Element]:
        """The element and all inside it, in order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += [child for child in reversed(element.content) if isinstance(child, Element)]

    def inside(self, tag: str) -> Iterator[Element]:
        """The elements of this tag directly inside."""
        return (child for child in self if child.tag == tag)

    def find(self, tag: str) -> Element | None:
        """The first element of this tag directly inside."""
        return next(self.inside(tag), None)

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute; the default if there is none."""
        return self.attributes.get(name, default)

    @property
    def text(self) -> str:
        """All text inside, elements' own included."""
        return "".join(c if isinstance(c, str) else c.text for c in self.content)


def parse(source: Source) -> Element:
    """The root element of a file.

    Raises
    ------
    FormatError
        As `follow` does.
    """
    (root,) = elements(source)
    return root


def elements(source: Source, *tags: str) -> list[Element]:
    """The elements of these tags, with all that is inside of each; the root element, if no tags are named."""
    whole: list[Element] = []
    gather(source, whole.append, *tags)
    return whole


def gather(source: Source, take: Callable[[Element], object], *tags: str) -> None:
    """Call a function with each element of these tags when it ends, of which nothing is kept.

    Raises
    ------
    FormatError
        As `follow` does.
    """
    stack: list[Element] = []

    def start(tag: str, attributes: dict[str, str], line: int) -> None:
        prefix, _, local = tag.rpartition(":")
        if stack or not tags or local in tags:
            element = Element(local, attributes, line, [], prefix)
            if stack:
                stack[-1].content.append(element)
            stack.append(element)

    def end() -> None:
        if stack:
            element = stack.pop()
            if not stack:
                take(element)

    def text(characters: str) -> None:
        if stack:
            stack[-1].content.append(characters)

    follow(source, start, end, text)


def follow(
    source: Source,
    start: Callable[[str, dict[str, str], int], object],
    end: Callable[[], object],
    text: Callable[[str], object],
) -> None:
    """Call functions for what stands in a file, one after another, of which nothing is kept.

    Parameters
    ----------
    source : Source
        The file.
    start : callable
        Takes the tag of an element that begins, with its prefix, its attributes without prefixes, and its line.
    end : callable
        Is called where an element ends.
    text : callable
        Takes a piece of text.

    Raises
    ------
    FormatError
        If it is not well-formed, or declares entities or attributes.
    """
    raw = source.raw()
    if (place := raw.find(b"<!ATTLIST")) >= 0:  # no handler stops the parser before it has looked at all
        problem = "declares attributes of XML, which is not safe to read; expected no <!ATTLIST: remove it"
        raise FormatError(source.name, raw.count(b"\n", 0, place) + 1, problem)
    parser = expat.ParserCreate()  # with namespaces, it would write their addresses before each tag, however long they are
    parser.buffer_text = True
    depth = 0
    plain: set[str] = set()  # names of attributes without prefixes, which most are

    def refuse(*_: object) -> NoReturn:
        raise wrong("declares an XML entity, which is not safe to read; expected none: remove it")

    def wrong(problem: str) -> FormatError:
        return FormatError(source.name, parser.CurrentLineNumber, problem)

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise wrong(f"has more than {DEEPEST} elements inside one another; expected fewer")
        if not plain.issuperset(attributes):
            plain.update(name for name in attributes if ":" not in name and name != "xmlns")
            attributes = _without_prefixes(attributes)
        start(tag, attributes, parser.CurrentLineNumber)

    def finish(_: str) -> None:
        nonlocal depth
        depth -= 1
        end()

    parser.StartElementHandler = begin
    parser.EndElementHandler = finish
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(raw, True)  # ParseFile would look at a long tag again for each of its small blocks
    except expat.ExpatError as error:
        raise FormatError(source.name, error.lineno, f"is no well-formed XML: {expat.ErrorString(error.code)}") from None
    except (ValueError, LookupError) as error:
        raise wrong(f"cannot be read: {shortened(str(error).lower(), 80)}") from None
    finally:  # its handlers know the parser: only without them is all freed at once
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        parser.EntityDeclHandler = parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = None


def _without_prefixes(attributes: dict[str, str]) -> dict[str, str]:
    """The attributes by their names without prefixes, and without the declarations of these."""
    local = {name.rpartition(":")[2]: value for name, value in attributes.items() if not name.startswith("xmlns")}
    for name in IDS:
        if name in attributes:
            local["id"] = attributes[name]
    return local


def shown(text: str) -> str:
    """A text, such as an id, in a message: on one line, not too long, and never nothing."""
    return one_line(shortened(text)) or "''"
