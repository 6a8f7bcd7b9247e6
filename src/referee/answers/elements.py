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
    """A tag of a mention: where it stands, whether it closes, its name, what is in it, its attributes without signs."""

    start: int
    end: int
    closes: bool
    name: str
    inside: str
    attributes: Mapping[str, str]


@lru_cache(maxsize=3)
def _pattern(opening: str) -> re.Pattern[str]:
    opening, closing = re.escape(opening), re.escape(CLOSING[opening])
    return re.compile(rf"{opening}(/?)([\w:.#-]{{0,60}})((?:\s|[=\"'])[^{opening}{closing}]{{0,400}})?{closing}")


def _tags(text: str, opening: str) -> Iterator[_Tag]:
    """The tags of a text; those of parts of it have no name."""
    for match in _pattern(opening).finditer(text):
        name, rest = match[2], (match[3] or "").rstrip()
        values = {re.sub(r"[^a-z]", "", key.lower()): a or b or c.rstrip("\\") for key, a, b, c in ATTRIBUTE.findall(rest)}
        attributes = {re.sub("^data", "", key): entity_of(value, "code") for key, value in values.items()}
        yield _Tag(match.start(), match.end(), bool(match[1]), name, name + rest, attributes)


def styles(text: str) -> Iterator[tuple[Style, int]]:
    """The styles that elements of a text may have, and how many tags have each; none in XML files of others."""
    if re.match(r"\s*<(?:\?xml|!doctype|html\b)", text, re.IGNORECASE) or "xmlns" in text:
        return
    for opening, closing in CLOSING.items():
        if f"{opening}/" not in text:
            continue
        tags = [tag for tag in _tags(text, opening) if tag.name.lower() not in STRUCTURE]
        closed = {tag.name for tag in tags if tag.closes}
        if codes := sum(not tag.closes and LABEL.fullmatch(tag.inside) is not None for tag in tags):
            yield Style("elements", opening, closing, label="code"), 2 * codes
        opened = [tag.attributes for tag in tags if tag.inside != tag.name and not closed.isdisjoint((tag.name, ""))]
        entity, link = _entity_attributes([attributes for attributes in opened if attributes])
        if entity:
            number = 2 * sum(entity in attributes for attributes in opened)
            yield Style("elements", opening, closing, entity, link, "code"), number


def _entity_attributes(tags: Sequence[Mapping[str, str]]) -> tuple[str, str]:
    """The attribute that says the entity, and that with the id of an earlier mention, where ids are all different; or none."""
    ids = {tag.get("id", tag.get("mentionid", tag.get("mid", ""))) for tag in tags}
    id_name = next((name for name in ("id", "mentionid", "mid") if all(name in tag for tag in tags)), "")
    for link in LINKS if id_name and len(ids) == len(tags) else ():
        linked = [tag[link] for tag in tags if tag.get(link)]
        if 0 < len(linked) < len(tags) and ids.issuperset(linked):
            return id_name, link
    number = Counter(name for tag in tags for name in tag if name != "class" or re.search(NUMBER, tag[name]))
    often = [name for name in ENTITIES if number[name] and 2 * number[name] >= max(number[other] for other in ENTITIES)]
    values = {name: [tag[name] for tag in tags if name in tag] for name in often}
    repeated = [name for name in often if len(set(values[name])) < len(values[name])]
    return next(iter([*repeated, *often]), ""), ""


def marked_elements(text: str, style: Style) -> Marked:
    """Take tags out of a text: those of mentions, of elements that are named like them, and of parts of the text."""
    tags = [tag for tag in _tags(text, style.opening) if tag.inside or tag.closes]
    opened = _attributed(tags, style) if style.before else _coded(tags)
    names = {name for tag in tags if tag.start in opened for name in (tag.name, LETTERS.match(tag.name)[0])}  # type: ignore[index]
    marked_text = Marked([], [], [])
    done = 0
    for tag in tags:
        label = _code(tag) if tag.closes and not style.before else opened.get(tag.start)
        is_mention = label is not None or (tag.closes and not tag.name) or tag.name in names
        if is_mention or tag.name.lower() in STRUCTURE:
            marked_text.add(text[done : tag.start])
            done = tag.end
        if is_mention:
            marked_text.marks.append(Mark(len(marked_text.units), not tag.closes, label))
    marked_text.add(text[done:])
    return marked_text


def _code(tag: _Tag) -> str | None:
    """The entity that a tag says itself; None if it says none."""
    is_code = tag.name.lower() not in STRUCTURE and LABEL.fullmatch(tag.inside)
    return entity_of(re.sub(r"[\"'\\]", "", tag.inside), "code") if is_code else None


def _coded(tags: Sequence[_Tag]) -> Mapping[int, str]:
    """Where a tag begins that says the entity itself -> the entity; not `[3]` in a text without `[/3]`, but with others."""
    closed = {_code(tag) for tag in tags if tag.closes}
    codes = [(tag.start, _code(tag)) for tag in tags if not tag.closes]
    return {start: code for start, code in codes if code is not None and (None in closed or code in closed)}


def _attributed(tags: Sequence[_Tag], style: Style) -> Mapping[int, str]:
    """Where a tag begins that has an attribute with the entity -> the entity, or the first of its mentions."""
    entities: dict[int, str] = {}
    roots: dict[str, str] = {}
    for tag in tags:
        label = "" if tag.closes or tag.name.lower() in STRUCTURE else tag.attributes.get(style.before)
        if label:
            entities[tag.start] = roots.setdefault(label, roots.get(tag.attributes.get(style.after, ""), label))
    return entities
