"""Entities in lines: numbered lists, bullets, headings, `name: mentions`, in Markdown, YAML or plain text.

A line is a name, mentions, a name with mentions, or prose. Lines with a bullet, a number, a name or quotes that are none of
these are counted as not read; other sentences are prose, wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.answers.keys import ATTRIBUTES, MENTIONS, NAMES, folded_key
from referee.answers.literals import parsed, regions
from referee.answers.values import LABEL, Quote, read_value

LINE = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<heading>#{1,6})[ \t]+|"
    r"(?P<number>(?:\(?(?:\d{1,4}|[ivxIVX]{1,5}|[a-zA-Z])[.)]|\[\d{1,4}\]|#\d{1,4})[ \t]+)"
    r"|(?P<bullet>[-*•+–][ \t]+))?(?P<text>.*)"
)
BOLD = re.compile(r"(\*\*|__)(?P<text>[^*\n]+?)\1(?P<rest>.*)")
LABELLED = re.compile(
    r"(?P<label>\"[^\"\n]{1,100}\"[^\":：\n]{0,60}|[^\":：\n][^:：\n]{0,99}?)[:：](?:[*_]{1,2})?"
    r"(?:(?:\s+|(?=[\"“„「'‘\[{(]))(?P<rest>.*))?"
)
TO_LIST = re.compile(r"(?P<label>[^\[{\n]{1,100}?)[ \t]{0,3}(?:=|->|→|=>|[ \t][–—-])[ \t]{0,3}(?=[\[{])")
SIGNED = re.compile(
    r"(?:[-*•][ \t]+)?(?P<label>[^=→,;|/\"“„«‘`*\[\n<>–—-]{1,100}?)[ \t]+(?P<sign>=|->|→|=>|–|—|-)[ \t]+"
    r"(?P<rest>(?P<list>[^=→>]*[,;\"“][^=→>]*)|[^=→>]*)"
)
"""A name, a sign, and mentions with other signs between them, if any of such lines has several."""
ECHOED = re.compile(r"(?P<label>[^\n]{1,100}?)[ \t]+[–—-][ \t]+(?P<rest>(?P=label)(?!\w)(?!.*\s[–—-]\s).*)")
"""A name, a dash, and mentions of which the first is the name."""
PAIRS = re.compile(r"(?:[^\w\"]{0,12}(?:\"[^\"\n]{1,100}\"|\w[\w .'’-]{0,59})[ \t]{0,3}:[ \t]{0,3})?[\s,;}]*")
"""What may stand between lists in a line with names."""

MAPPED = re.compile(
    r"(?:[-*•][ \t]{1,3}|\d{1,4}[.)][ \t]{1,3})?[\"“]?(?P<mention>[^\"“”\n:=→,\[\]{}]{1,200}?)[\"”]?"
    r"(?P<remark>[ \t]{0,3}\([^()\n]{0,80}\))?(?P<sign>[ \t]{0,3}(?::|->|=>|→|=)[ \t]{1,3})(?P<entity>[^,;→=:\n\[\]{}]{1,80})"
)
"""A mention and its entity."""

PLACE = r"(?:s|sent|sentence|satz|line)\.?[ #_]?\d{1,5}"
PLACE_LABEL = re.compile(rf"\W*{PLACE}\W*", re.IGNORECASE)
NUMBER_LABEL = re.compile(r"\W*\d{1,5}\W*")
NUMBERS_BEFORE = re.compile(r"[,;][ \t]*\d{1,5}:[ \t]")
BEHIND = re.compile(rf"\W*(?:in )?(?:{PLACE}|\d{{1,5}}(?:[-–]\d{{1,5}})?)\W*", re.IGNORECASE)
"""What stands beside a string to say where it is."""
TUPLE = re.compile(r"\((?P<text>[^()\"“\n]{1,200}?),\s*(?P<number>[sS]?\d{1,5})\)")
NOTE = re.compile(
    r"\W*(?:notes?|explanations?|reasoning|rationale|comments?|remarks?|justification|analysis|summary|caveats?)\b",
    re.IGNORECASE,
)
SINGLETONS = re.compile(r"\W*singletons?\b", re.IGNORECASE)
QUOTED = re.compile(
    r"(?:\"([^\"\n]{0,300})\"|„([^“”\n]{0,300})[“”]|“([^”\n]{0,300})”|「([^」\n]{0,300})」|«\s?([^»\n]{0,300}?)\s?»"
    r"|‘((?:[^’\n]|(?<=\w)’(?=\w)){0,300})’|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w)){0,300})'(?!\w)|`([^`\n]{0,300})`"
    r"|\*\*([^*\n]{1,300})\*\*|(?<![*\w])\*([^*\s][^*\n]{0,300})\*(?!\w))"
)
ENCLOSED = re.compile(r"\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\]")
BETWEEN = re.compile(r"(?:[\W_]|\b(?:and|or|und|et|y|e)\b)*", re.IGNORECASE)
"""What may stand between quoted strings of a list."""
DIVIDER = re.compile(r"[,;|、，；=≡→←↔+&~·•]|\s/\s|<?[-=]+>|\s[-–—]\s|\b(?:and|or|und|et|y|e)\b")
DIVIDERS = (r"\s*[;；]\s*", r"\s*\|\s*", r"\s+/\s+", r"\s*(?:<?[-=]+>|[→←↔]|[=≡]+)\s*", r"\s+[+~·•]\s+")
"""What divides mentions without quotes, and is no part of any; the first that a line has."""

SENTENCE = re.compile(r"(?:\S+\s+){4,}\S*[.!?]|(?:[^\s,;]+\s+){13,}\S+")
"""Prose: five words or more with a period, or fourteen without commas."""
LONGEST = 6
"""As many words, at most, has each part of a line with a period that is certainly a list."""


@dataclass(slots=True)
class OutlineLine:
    """A line with the lines below it.

    Parameters
    ----------
    label : str
        What stands before a colon, or the whole line if others are below it.
    items : list of value
        The mentions that stand in the line, or lists of them.
    marked : bool
        Whether it has a bullet or a number, or a colon.
    number : int
        The number of the line, from 1.
    inner : list of OutlineLine
        The lines below.
    """

    label: str
    items: list[object]
    marked: bool
    number: int = 0
    inner: list[OutlineLine] = field(default_factory=list)


class Outline(NamedTuple):
    """The entities of lines.

    Parameters
    ----------
    entities : list of (str, list of value)
        Their names, and their mentions: strings, quotes, or lists.
    unread : list of int
        The lines that look like those of a list, and were not read, from 1.
    read : int
        How many lines were read.
    """

    entities: list[tuple[str, list[object]]]
    unread: Sequence[int] = ()
    read: int = 0


def outlined(text: str) -> Outline:
    r"""The entities of lines: their names, and their mentions.

    >>> outlined('1. **Tom**\n   - "Tom" (sentence 1)\n   - he\n2. Dog: "his dog", "it"').entities[0]
    ('Tom', [Quote(text='Tom', number=1, form=''), 'he'])
    """
    if (mapped := _mapped(text)) is not None:
        return mapped
    unread: list[int] = []
    prose: list[int] = []
    written = text.split("\n")
    roots = _tree(_on_one_line(text), unread, prose)
    lines = [line for node in roots for line in node.items]
    if len(lines) == 1 and not roots[0].marked and isinstance(lines[0], str | Quote) and not _is_list(lines[0]):
        return Outline([])  # a sentence, or a text without marks
    count = sum(map(_count, roots))
    for node in roots[1:]:  # a name in bold, or a mention?
        bare = node.label and not (node.items or node.inner or NOTE.match(node.label))
        unread += [node.number] if bare and re.fullmatch(r"\*\*[^*]*[^*:]\*\*", written[node.number - 1].strip()) else []
    if roots and not any(node.marked for node in roots):  # lines with full stops among lists without
        lists = [number for number in prose if written[number - 1].count(",") > 2]
        unread += [number for number in prose if number in lists or roots[0].number < number < roots[-1].number]
    if any(node.marked or node.inner for node in roots):
        listed = [node for node in roots if node.marked or node.inner or len(node.items) > 1]
        unread += [node.number for node in roots[1:-1] if node not in listed]
        roots = listed
    elif "\n\n" in text.strip() and not any(len(node.items) > 1 or any(map(_is_list, node.items)) for node in roots):
        parts = [_tree(part, [], []) for part in re.split(r"\n[ \t]*\n", text)]  # an entity a paragraph, a mention a line
        return Outline(
            [("", items) for part in parts if (items := [item for node in part for item in node.items])], unread, count
        )
    elif len(roots) == 1 and len(lines) > 1 and any(map(_is_list, lines)):
        return Outline([("", [line]) for line in lines], unread, count)  # lists with semicolons between
    entities: list[tuple[str, list[object]]] = []
    by_id: dict[str, list[object]] = {}
    for label, items in (entity for node in roots for entity in _entities(node, sole=len(roots) == 1)):
        is_id = LABEL.fullmatch(label) and not any(isinstance(item, (list, dict)) for item in items)
        if is_id and label in by_id:  # what has the id of an entity twice is one entity
            by_id[label] += items
        elif items:
            entities.append((label, by_id.setdefault(label, [*items]) if is_id else items))
    return Outline(entities, sorted(unread), count)


def _count(node: OutlineLine) -> int:
    return 1 + sum(map(_count, node.inner))


def _is_list(item: object) -> bool:
    """Whether an item is several mentions."""
    return (isinstance(item, list) and len(item) > 1) or re.search(
        r"[,;=→|]|->", item.text if isinstance(item, Quote) else str(item)
    ) is not None


def _mapped(text: str) -> Outline | None:
    """The entities of lines that say the entity of a mention each, `he: E1` or `"he" -> Tom`; None of others."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    matches = [(number, MAPPED.fullmatch(line.strip())) for number, line in lines]
    pairs = [match for _, match in matches if match]
    labels = [match["entity"].strip('*_ "“”') for match in pairs]
    arrows = all(match["sign"].strip() != ":" for match in pairs)
    ids = all(LABEL.fullmatch(label) for label in labels)
    if len(pairs) < max(len(lines) - 1, 2) or not (ids or (arrows and len(set(labels)) < len(labels))):
        return None
    if any(LABEL.fullmatch(match["mention"]) for match in pairs):
        return None
    entities: dict[str, list[object]] = {}
    for match, label in zip(pairs, labels, strict=True):
        entities.setdefault(label, []).append(match["mention"].strip("*_ ") + (match["remark"] or ""))
    return Outline(list(entities.items()), [number for number, match in matches[1:-1] if not match], len(pairs))


def _on_one_line(text: str) -> str:
    """The text with each list in brackets on its first line."""
    pieces, done = [], 0
    for region in regions(text):
        inside = text[region.start : region.end]
        pieces += [text[done : region.start], re.sub(r"\s*\n\s*", " ", inside), "\v" * inside.count("\n")]
        done = region.end
    joined = "".join([*pieces, text[done:]])
    return re.sub(r"(\v+)([^\n]*)", lambda match: match[2] + "\n" * len(match[1]), joined)


def _tree(text: str, unread: list[int], prose: list[int]) -> list[OutlineLine]:
    """The lines, each below the last line that is less indented.

    `unread` gets the numbers of those that look like lines of a list and are none, `prose` those of sentences.
    """
    top: list[OutlineLine] = []
    above: list[tuple[tuple[int, int], OutlineLine]] = []
    numbered = NUMBERS_BEFORE.search(text) is not None
    lines = text.split("\n")
    signs = {match["sign"] for line in lines if (match := SIGNED.fullmatch(line.strip())) and match["list"]}
    for number, written in enumerate(lines, 1):
        match = LINE.fullmatch(written)
        if match is None or not match["text"].strip(" \t*_-=") or re.fullmatch(r"\W+", written):
            continue
        indent, content = len(match["indent"].expandtabs(4)), match["text"].strip()
        while match["bullet"] and (nested := re.match(r"[-*•+][ \t]+", content)):  # a list in a list
            _place(OutlineLine("", [], marked=True), (indent, 2), top, above)
            indent, content = indent + 2, content[nested.end() :]
        marked = bool(match["number"] or match["bullet"])
        node = _node(content, number, marked=marked, heading=bool(match["heading"]), numbered=numbered, signs=signs)
        if node is None:
            noted = any(NOTE.match(line.label) and rank < (indent, 4) for rank, line in above)
            is_list = marked or (above and QUOTED.search(content))
            (unread if is_list and not noted else prose).append(number)
            continue
        _place(node, (-1, len(match["heading"])) if match["heading"] else (indent, _rank(node, match)), top, above)
    return top


def _place(
    node: OutlineLine, place: tuple[int, int], top: list[OutlineLine], above: list[tuple[tuple[int, int], OutlineLine]]
) -> None:
    """Put a line below the last one that is less indented."""
    while above and above[-1][0] >= place:
        above.pop()
    (above[-1][1].inner if above else top).append(node)
    above.append((place, node))


def _rank(node: OutlineLine, match: re.Match[str]) -> int:
    """How deep a line is among those with the same indent: names, then those with mentions, their attributes, and bullets."""
    if folded_key(node.label) in {*MENTIONS, *ATTRIBUTES} - {"name", "id"}:
        return 5 if match["bullet"] else 3
    if node.label and node.items and not match["number"]:
        return 2
    if match["bullet"]:
        return 3 if node.label else 4
    return 1 if match["number"] else 0 if node.label else 2


def _node(text: str, number: int, *, marked: bool, heading: bool, numbered: bool, signs: set[str]) -> OutlineLine | None:
    """A line by itself; None for prose."""
    bold = BOLD.fullmatch(re.sub(r"^[^\w*\"'“‘\[{(`]+\s*(?=\*\*|__)", "", text))
    quoted = list(QUOTED.finditer(text))
    alike = len({match[0][0] for match in quoted}) == 1 < len(quoted) and quoted[0].start() == 0 and ":" not in text
    if alike and (strings := _quoted_items(text, quoted)) is not None:
        return OutlineLine("", strings, marked=marked, number=number)
    if heading:
        return OutlineLine(text.strip("*_:# "), [], marked=True, number=number)
    if bold and bold["rest"].strip(" :") == "":
        label = bold["text"].strip(" :")
        alone = bold["text"].endswith(":") or bold["rest"].strip() or not marked
        return OutlineLine(label if alone else "", [] if alone else [label], marked=True, number=number)
    if bold and bold["text"].endswith(":"):
        text = f"{bold['text']} {bold['rest'].strip()}"
    elif bold and (behind := re.fullmatch(r"\s*(?:\([^()]*\)\s*)?(?::|–|—|->|→| - )\s*(.*)", bold["rest"])):
        text = f"{bold['text']}: {behind[1]}"
    text = re.sub(r"^【([^】]*)】\s*", r"\1: ", text)
    if (pairs := _pairs(text)) is not None:
        return OutlineLine("", pairs, marked=True, number=number)
    if to_list := TO_LIST.match(text):
        text = f"{to_list['label']}: {text[to_list.end() :]}"
    labelled = LABELLED.fullmatch(text)
    if labelled and (PLACE_LABEL.fullmatch(labelled["label"]) or (numbered and NUMBER_LABEL.fullmatch(labelled["label"]))):
        labelled = None
    elif not labelled:
        signed = SIGNED.fullmatch(text)
        labelled = ECHOED.fullmatch(text) or (signed if signed and signed["sign"] in signs else None)
    if labelled and not labelled["label"].lstrip().startswith(("[", "{", "(")):
        label, rest = labelled["label"].strip("*_`\"'“” "), (labelled["rest"] or "").strip()
        if NOTE.match(label):
            return OutlineLine(label, [], marked=True, number=number)
        items = _items(rest, marked=True)
        return None if rest and items is None else OutlineLine(label, items or [], marked=True, number=number)
    items = _items(text, marked=marked)
    return None if items is None else OutlineLine("", items, marked=marked, number=number)


def _pairs(text: str) -> list[object] | None:
    """The entities of a line such as `"Tom": ["Tom", "he"], "dog": ["it"]`; None if it is none."""
    quoted = list(regions(text))
    edges = [0, *(edge for region in quoted for edge in (region.start, region.end)), len(text)]
    between = [text[edges[n] : edges[n + 1]] for n in range(0, len(edges), 2)]
    if len(quoted) < 2 or not all(map(PAIRS.fullmatch, between)) or not all(":" in part for part in between[:-1]):
        return None
    return list(parsed(text).values)


def _items(text: str, *, marked: bool) -> list[object] | None:
    """The mentions of a line, or lists of them; None for prose."""
    text = TUPLE.sub(r"\g<text> (\g<number>)", text.strip())
    sections = list(regions(text))
    edges = [0, *(edge for region in sections for edge in (region.start, region.end)), len(text)]
    if sections and all(BETWEEN.fullmatch(text[edges[n] : edges[n + 1]]) for n in range(0, len(edges), 2)):
        inside = [text[region.start + 1 : region.end - 1] for region in sections]
        if (
            len(inside) == 1
            and re.search(r"[^\W\d]", inside[0])
            and not QUOTED.search(inside[0])
            and not re.search(r"[\[\]{}():]", inside[0])
        ):
            return _items(inside[0], marked=True)
        return list(parsed(text).values)
    quoted = list(QUOTED.finditer(text))
    if quoted:
        return _quoted_items(text, quoted)
    text = text.strip("*_ ")
    divided = next((parts for sign in DIVIDERS if len(parts := re.split(sign, text.rstrip("."))) > 1), [text])
    if len(divided) > 1:
        return [Quote(part, form="list") if "," in part and marked else part for part in divided if part.strip()]
    parts = text.split(",")
    joined = re.split(r"\s+(?:&|and|und)\s+", text.rstrip("."))
    if len(joined) > max(2, len(parts)):
        return list(joined)
    if SENTENCE.fullmatch(text) and (not marked or len(parts) < 2 or max(len(part.split()) for part in parts) > LONGEST):
        return [Quote(text.removesuffix("."), form="sentence")] if marked else None
    text = text.removesuffix(".").strip()
    return [Quote(text, form="list") if len(parts) > 1 and marked else text] if text else []


def _quoted_items(text: str, quoted: Sequence[re.Match[str]]) -> list[object] | None:
    """The mentions of a line with quotes, with the numbers or remarks beside them; None for prose that quotes something."""
    strings = [next(filter(None, match.groups()), "").strip() for match in quoted]
    if quoted[0].start() == 0 and re.match(r"\s*[–—-]\s(?!\s*(?:\W|sent))", text[quoted[0].end() :]) and len(quoted) < 2:
        return [strings[0]]  # what it is, is said behind it
    edges = [0, *(edge for match in quoted for edge in match.span()), len(text)]
    around = [text[edges[n] : edges[n + 1]] for n in range(0, len(edges), 2)]
    before, behind = [around[0]], []
    for between in around[1:-1]:
        sign = DIVIDER.search(ENCLOSED.sub(lambda match: " " * len(match[0]), between))
        behind.append(between[: sign.start()] if sign else between)
        before.append(between[sign.end() :] if sign else "")
    items: list[object] = []
    for string, left, right in zip(strings, before, [*behind, around[-1]], strict=True):
        beside = f"{left.strip()} {right.strip()}".strip()
        if BEHIND.fullmatch(beside) and (number := re.search(r"\d+", beside)):
            items.append(Quote(string, int(number[0])))
        elif BETWEEN.fullmatch(ENCLOSED.sub("", beside)):
            items.append(f"{string} {remark[0]}" if (remark := ENCLOSED.search(beside)) else string)
        else:
            return None
    return items


def _entities(node: OutlineLine, *, sole: bool) -> Iterator[tuple[str, list[object]]]:
    """The entities of a line and of those below it."""
    if node.label and NOTE.match(node.label):
        return
    lists: list[object] = [item for item in node.items if isinstance(item, (list, dict))]
    if not node.inner:
        if SINGLETONS.match(node.label):
            yield from (("", [item]) for item in node.items)
        elif len(lists) == len(node.items) > 1 and not _is_entity(lists):
            yield from ((node.label, [item]) for item in lists)
        else:
            yield node.label, node.items
    elif SINGLETONS.match(node.label):
        yield from (("", [item]) for inner in node.inner for item in inner.items)
    elif any(folded_key(inner.label) in MENTIONS for inner in node.inner) and _is_object(node):
        label = str(node.items[0]) if len(node.items) == 1 and isinstance(node.items[0], str) else node.label
        yield label, [item for inner in node.inner for item in _mentions(inner)]
    elif any(inner.inner for inner in node.inner) or _is_title(node, sole=sole):
        for inner in node.inner:
            yield from _entities(inner, sole=False)
    else:
        if node.label and (len(node.items) > 1 or any(map(_is_long, node.items))):  # mentions, and no name
            yield node.label, node.items
        label = node.label or (str(node.items[0]) if node.items else "")
        yield label, [item for inner in node.inner for item in inner.items]


def _is_long(item: object) -> bool:
    return isinstance(item, list) or (isinstance(item, Quote) and item.text.count(",") > 1)


def _is_entity(lists: list[object]) -> bool:
    """Whether lists are strings with numbers beside them, and no lists of strings."""
    return read_value(lists).depth < 2 or all(len(item) == 1 for item in lists if isinstance(item, list))


def _is_object(node: OutlineLine) -> bool:
    """Whether the lines below are the attributes of an entity: its name, its type, its mentions."""
    return {folded_key(inner.label) for inner in node.inner} <= {*MENTIONS, *ATTRIBUTES, *NAMES, "entity"}


def _mentions(node: OutlineLine) -> list[object]:
    return [*node.items, *(i for inner in node.inner for i in inner.items)] if folded_key(node.label) in MENTIONS else []


def _is_title(node: OutlineLine, *, sole: bool) -> bool:
    """Whether the lines below are entities: they have names, or it is the only line and they have several mentions."""
    if all(inner.label and inner.items for inner in node.inner):
        return len(node.inner) > 1 or sole
    return sole and any(len(inner.items) > 1 or any(map(_is_list, inner.items)) for inner in node.inner)
