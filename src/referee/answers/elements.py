"""Mentions as elements of XML or HTML, or of the same kind in other brackets, that say an entity in their first tag.

An attribute says it, `<entity id="1">`, or the tag itself, `<e1>` and `[1]`. Other attributes do no harm, nor do elements
around the text. Where each mention has an id of its own, an attribute may name that of an earlier mention of its entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.answers.labelled import CODE, NUMBER
from referee.answers.marked import Mark, Marked, Style, entity_of

CLOSING = {"<": ">", "[": "]", "{": "}"}
STRUCTURE = {
    *("annotated", "annotated_text", "annotatedtext", "annotation", "annotations", "answer", "article", "body", "chapter"),
    *("corpus", "doc", "document", "head", "heading", "html", "output", "p", "para", "paragraph", "passage", "response"),
    *("result", "root", "s", "section", "sent", "sentence", "story", "text", "title", "xml"),
}
"""The elements that are parts of a text, and no mentions; their tags are left out."""

ENTITIES = (
    *("entity", "entityid", "cluster", "clusterid", "coref", "corefid", "chain", "chainid", "group", "groupid", "set", "setid"),
    *("referent", "ref", "refid", "antecedent", "id", "eid", "idx", "index", "num", "n", "href", "label", "name", "class"),
)
"""The attributes that may say the entity, without signs; an earlier one before a later one."""
LINKS = ("ref", "refid", "head", "antecedent", "coref", "corefid", "link")
"""The attributes that may name the id of an earlier mention."""

ATTRIBUTE = re.compile(
    r"""([A-Za-z_][\w:.-]{0,40})\s{0,9}=\s{0,9}"""
    r"""(?:\\?"([^"<>\\]*)\\?"|\\?'([^'<>\\]*)\\?'|([^\s"'<>]+(?:\s+[^\s"'<>=]+(?!\S))*))"""
)
LABEL = re.compile(
    r"(?!h[1-6]\Z|\w+\s+\w+\s*=)(?:[^\W\d_]{1,20}(?:_[^\W\d_]{1,20})?[\s_:.=#-]{0,3})?"
    rf"""\\?["']?{CODE}\\?["']?""",
    re.IGNORECASE,
)
"""What is in a tag that says the entity itself."""


LETTERS = re.compile(r"[^\W\d_]*")


class _Tag(NamedTuple):
    """A tag: where it stands, whether it closes, its name, what follows the name."""

    start: int
    end: int
    closes: bool
    name: str
    rest: str

    @property
    def inside(self) -> str:
        """All that stands in it."""
        return self.name + self.rest


@lru_cache(maxsize=3)
def _pattern(opening: str) -> re.Pattern[str]:
    opening, closing = re.escape(opening), re.escape(CLOSING[opening])
    return re.compile(rf"{opening}(/?)([\w:.#-]{{0,60}})((?:\s|[=\"'])[^{opening}{closing}]{{0,400}})?{closing}")


def _tags(text: str, opening: str) -> Iterator[_Tag]:
    for match in _pattern(opening).finditer(text):
        yield _Tag(match.start(), match.end(), bool(match[1]), match[2], (match[3] or "").rstrip())


def styles(text: str) -> Iterator[tuple[Style, int]]:
    """The styles that elements of a text may have, and how many tags have each; none in XML files of others."""
    if "</" not in text and "[/" not in text and "{/" not in text:
        return
    if re.match(r"\s*<(?:\?xml|!doctype|html\b)", text, re.IGNORECASE) or "xmlns" in text:
        return
    for opening, closing in CLOSING.items():
        if f"{opening}/" not in text:
            continue
        tags = [tag for tag in _tags(text, opening) if tag.name.lower() not in STRUCTURE]
        closed = {tag.name for tag in tags if tag.closes}
        codes = sum(not tag.closes and LABEL.fullmatch(tag.inside) is not None for tag in tags)
        if codes:
            yield Style("elements", opening, closing, label="code"), 2 * codes
        attributes = [
            _attributes(tag.rest) for tag in tags if tag.rest and not tag.closes and not closed.isdisjoint((tag.name, ""))
        ]
        entity = _entity_attribute(attributes)
        link = _link_attribute(attributes)
        if entity or link:
            name = _id_of(attributes) if link else entity
            number = 2 * sum(name in item for item in attributes)
            yield Style("elements", opening, closing, name, link, "code"), number


def _attributes(rest: str) -> Mapping[str, str]:
    """The attributes of a tag by their names without signs, as `dataid` is `id`."""
    return {
        re.sub(r"^data|[^a-z]", "", re.sub(r"[^a-z]", "", name.lower())): double or single or plain.rstrip("\\")
        for name, double, single, plain in ATTRIBUTE.findall(rest)
    }


def _entity_attribute(attributes: Sequence[Mapping[str, str]]) -> str:
    """The attribute that says the entity: of those that most tags have, one with a value that is there twice, if any is."""
    number = Counter(name for item in attributes for name in item if name in ENTITIES)
    often = [name for name in ENTITIES if number[name] and 2 * number[name] >= max(number.values())]
    values = {name: [item[name] for item in attributes if name in item] for name in often}
    repeated = [name for name in often if len(set(values[name])) < len(values[name])]
    numbered = [name for name in often if name != "class" or all(re.search(NUMBER, value) for value in values[name])]
    return next((name for name in numbered if name in repeated), next(iter(numbered), ""))


def _id_of(attributes: Sequence[Mapping[str, str]]) -> str:
    """The attribute whose values are all different; empty if there is none."""
    for name in ("id", "mentionid", "mid"):
        values = [item[name] for item in attributes if name in item]
        if len(values) == len(attributes) == len(set(values)):
            return name
    return ""


def _link_attribute(attributes: Sequence[Mapping[str, str]]) -> str:
    """The attribute that names earlier mentions by their ids, which some mentions do not have; empty if there is none."""
    own = _id_of(attributes)
    for name in LINKS if own else ():
        seen, linked = set[str](), 0
        for item in attributes:
            seen.add(item[own])
            if item.get(name) and item[name].lstrip("#") not in seen:
                break
            linked += bool(item.get(name))
        else:
            if 0 < linked < len(attributes):
                return name
    return ""


def marked_elements(text: str, style: Style) -> Marked:
    """Take tags out of a text: those of mentions, of elements that are named like them, and of parts of the text."""
    tags = [tag for tag in _tags(text, style.opening) if tag.inside or tag.closes]
    opened = _coded(tags) if not style.before else _attributed(tags, style)
    names = {name for tag in tags if tag.start in opened for name in (tag.name, LETTERS.match(tag.name)[0])}  # type: ignore[index]
    marked_text = Marked([], [], [])
    done = 0
    for tag in tags:
        label = _code(tag) if tag.closes and not style.before else opened.get(tag.start)
        mention = label is not None or (tag.closes and not tag.name) or tag.name in names
        if mention or tag.name.lower() in STRUCTURE:
            marked_text.add(text[done : tag.start])
            done = tag.end
        if mention:
            marked_text.marks.append(Mark(len(marked_text.units), not tag.closes, label))
    marked_text.add(text[done:])
    return marked_text


def _code(tag: _Tag) -> str | None:
    """The entity that a tag says itself; None if it says none."""
    return entity_of(re.sub(r"[\"'\\]", "", tag.inside), "code") if LABEL.fullmatch(tag.inside) else None


def _coded(tags: Sequence[_Tag]) -> Mapping[int, str]:
    """Where a tag begins that says the entity itself -> the entity; not `[3]` in a text without `[/3]`, but with others."""
    codes = {tag.start: _code(tag) for tag in tags if tag.name.lower() not in STRUCTURE}
    closed = {codes.get(tag.start) for tag in tags if tag.closes}
    return {
        tag.start: code
        for tag in tags
        if not tag.closes and (code := codes.get(tag.start)) is not None and (None in closed or code in closed)
    }


def _attributed(tags: Sequence[_Tag], style: Style) -> Mapping[int, str]:
    """Where a tag begins that has an attribute with the entity -> the entity, or the first of its mentions."""
    entities: dict[int, str] = {}
    roots: dict[str, str] = {}
    for tag in tags:
        if tag.closes or tag.name.lower() in STRUCTURE:
            continue
        attributes = {name: entity_of(value, "code") for name, value in _attributes(tag.rest).items()}
        label = attributes.get(style.before)
        if label:
            entities[tag.start] = roots.setdefault(label, roots.get(attributes.get(style.after, ""), label))
    return entities
