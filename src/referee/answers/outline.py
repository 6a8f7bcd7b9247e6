"""Entities in lines: numbered lists, bullets, headings, `name: mentions`, in Markdown, YAML or plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.answers.lists import ATTRIBUTES, LABEL, MENTIONS, NAMES, folded_key
from referee.answers.literals import parsed, regions

LINE = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<heading>#{1,6})[ \t]+|(?P<number>\(?(?:\d{1,4}|[ivxIVX]{1,5}|[a-zA-Z])[.)][ \t]+)"
    r"|(?P<bullet>[-*•+–][ \t]+))?(?P<text>.*)"
)
BOLD = re.compile(r"(\*\*|__)(?P<text>[^*\n]+?)\1(?P<rest>.*)")
LABELLED = re.compile(
    r"(?P<label>\"[^\"\n]{1,100}\"[^\":：\n]{0,60}|[^\":：\n][^:：\n]{0,99}?)[:：](?:[*_]{1,2})?"
    r"(?:(?:\s+|(?=[\"“„「'‘\[{(]))(?P<rest>.*))?"
)
TO_LIST = re.compile(r"(?P<label>[^\[{\n]{1,100}?)[ \t]{0,3}(?:=|->|→|=>)[ \t]{0,3}(?=[\[{])")
PAIRS = re.compile(r"(?:[^\w\"]{0,12}(?:\"[^\"\n]{1,100}\"|\w[\w .'’-]{0,59})[ \t]{0,3}:[ \t]{0,3})?[\s,;}]*")
"""What may stand between lists in a line with names."""

MAPPED = re.compile(
    r"(?:[-*•][ \t]{1,3}|\d{1,4}[.)][ \t]{1,3})?[\"“]?(?P<mention>[^\"“”\n:=→,\[\]{}]{1,200}?)[\"”]?"
    r"(?P<remark>[ \t]{0,3}\([^()\n]{0,80}\))?(?P<sign>[ \t]{0,3}(?::|->|=>|→|=)[ \t]{1,3})(?P<entity>[^,;→=:\n\[\]{}]{1,80})"
)
"""A mention and its entity."""

SENTENCE_LABEL = re.compile(r"\W*(?:s|sent|sentence|line)\.?\s*(\d{1,5})\W*", re.IGNORECASE)
NOTE = re.compile(
    r"\W*(?:notes?|explanations?|reasoning|rationale|comments?|remarks?|justification|analysis|summary|caveats?)\b",
    re.IGNORECASE,
)
SINGLETONS = re.compile(r"\W*singletons?\b", re.IGNORECASE)
QUOTED = re.compile(
    r"(?:\"([^\"\n]{0,300})\"|„([^“”\n]{0,300})[“”]|“([^”\n]{0,300})”|「([^」\n]{0,300})」|«\s?([^»\n]{0,300}?)\s?»"
    r"|‘((?:[^’\n]|(?<=\w)’(?=\w)){0,300})’|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w)){0,300})'(?!\w)|`([^`\n]{0,300})`"
    r"|\*\*([^*\n]{1,300})\*\*)([ \t]{0,3}(?:\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\]))?"
)
BETWEEN = re.compile(r"(?:[\W_]|\b(?:and|or|und|et|y|e)\b)*", re.IGNORECASE)
"""What may stand between quoted strings of a list."""

SENTENCE = re.compile(r"(?:\S+\s+){4,}\S*[.!?]|(?:[^\s,;]+\s+){13,}\S+")
"""Prose: five words or more with a period, or fourteen without commas."""


@dataclass
class OutlineLine:
    """A line with the lines below it.

    Parameters
    ----------
    label : str
        What stands before a colon, or the whole line if others are below it.
    items : list of value
        The mentions that stand in the line, or lists of them.
    inner : list of OutlineLine
        The lines below.
    marked : bool
        Whether it has a bullet or a number, or a colon.
    """

    label: str
    items: list[object]
    marked: bool
    inner: list[OutlineLine] = field(default_factory=list)


def outlined(text: str) -> list[tuple[str, list[object]]]:
    r"""The entities of lines: their names, and their mentions.

    >>> outlined('1. **Tom**\n   - "Tom" (sentence 1)\n   - he\n2. Dog: his dog, it')
    [('Tom', ['Tom (sentence 1)', 'he']), ('Dog', ['his dog, it'])]
    """
    if (mapped := _mapped(text)) is not None:
        return mapped
    text = _on_one_line(text)
    roots = _tree(text)
    lines = [line for node in roots for line in node.items]
    if len(lines) == 1 and not roots[0].marked and isinstance(lines[0], str) and ";" not in lines[0]:
        return []  # a sentence, or a text without marks
    if any(node.marked or node.inner for node in roots):
        roots = [node for node in roots if node.marked or node.inner]
    elif "\n\n" in text.strip() and not any(len(node.items) > 1 or re.search(r"[,;]", str(node.items)) for node in roots):
        parts = [_tree(part) for part in re.split(r"\n[ \t]*\n", text)]  # an entity a paragraph, a mention a line
        return [("", items) for part in parts if (items := [item for node in part for item in node.items])]
    elif len(roots) == 1 and isinstance(line := next(iter(roots[0].items), None), str) and ";" in line and "," in line:
        return [("", [part.strip()]) for part in line.split(";") if part.strip()]
    return [(label, items) for node in roots for label, items in _entities(node, sole=len(roots) == 1) if items]


def _mapped(text: str) -> list[tuple[str, list[object]]] | None:
    """The entities of lines that say the entity of a mention each, `he: E1` or `"he" -> Tom`; None of others."""
    lines = [line for line in text.splitlines() if line.strip()]
    pairs = [match for line in lines if (match := MAPPED.fullmatch(line.strip()))]
    labels = [match["entity"].strip('*_ "“”') for match in pairs]
    arrows = all(match["sign"].strip() != ":" for match in pairs)
    ids = all(LABEL.fullmatch(label) for label in labels)
    if len(pairs) < max(len(lines) - 1, 2) or not (ids or (arrows and len(set(labels)) < len(labels))):
        return None
    entities: dict[str, list[object]] = {}
    for match, label in zip(pairs, labels, strict=True):
        entities.setdefault(label, []).append(match["mention"].strip("*_ ") + (match["remark"] or ""))
    return list(entities.items()) if not any(LABEL.fullmatch(match["mention"]) for match in pairs) else None


def _on_one_line(text: str) -> str:
    """The text with each list in brackets on one line."""
    pieces, done = [], 0
    for region in regions(text):
        pieces += [text[done : region.start], re.sub(r"\s*\n\s*", " ", text[region.start : region.end])]
        done = region.end
    return "".join([*pieces, text[done:]])


def _tree(text: str) -> list[OutlineLine]:
    """The lines, each below the last line that is less indented."""
    top: list[OutlineLine] = []
    above: list[tuple[tuple[int, int], OutlineLine]] = []
    for line in text.splitlines():
        match = LINE.fullmatch(line)
        if match is None or not match["text"].strip(" \t*_-=") or re.fullmatch(r"\W+", line):
            continue
        indent, content = len(match["indent"].expandtabs(4)), match["text"].strip()
        while match["bullet"] and (nested := re.match(r"[-*•+][ \t]+", content)):  # a list in a list
            _place(OutlineLine("", [], marked=True), (indent, 2), top, above)
            indent, content = indent + 2, content[nested.end() :]
        node = _node(content, marked=bool(match["number"] or match["bullet"]), heading=bool(match["heading"]))
        if node is None:
            continue
        bare_label = node.label and not node.items
        kind = 2 if match["bullet"] else 1 if match["number"] else 0 if bare_label else 2
        _place(node, (-1, len(match["heading"])) if match["heading"] else (indent, kind), top, above)
    return top


def _place(
    node: OutlineLine, place: tuple[int, int], top: list[OutlineLine], above: list[tuple[tuple[int, int], OutlineLine]]
) -> None:
    """Put a line below the last one that is less indented."""
    while above and above[-1][0] >= place:
        above.pop()
    (above[-1][1].inner if above else top).append(node)
    above.append((place, node))


def _node(text: str, *, marked: bool, heading: bool) -> OutlineLine | None:
    """A line by itself; None for prose."""
    bold = BOLD.fullmatch(re.sub(r"^[^\w*\"'“‘\[{(`]+\s*(?=\*\*|__)", "", text))
    if heading:
        return OutlineLine(text.strip("*_:# "), [], marked=True)
    if bold and bold["rest"].strip(" :") == "":
        label = bold["text"].strip(" :")
        return OutlineLine(
            label, [] if bold["text"].endswith(":") or bold["rest"].strip() or not marked else [label], marked=True
        )
    if bold and bold["text"].endswith(":"):
        text = f"{bold['text']} {bold['rest'].strip()}"
    elif bold and (behind := re.fullmatch(r"\s*(?:\([^()]*\)\s*)?(?::|–|—|->|→| - )\s*(.*)", bold["rest"])):
        text = f"{bold['text']}: {behind[1]}"
    text = re.sub(r"^【([^】]*)】\s*", r"\1: ", text)
    if (pairs := _pairs(text)) is not None:
        return OutlineLine("", pairs, marked=True)
    if to_list := TO_LIST.match(text):
        text = f"{to_list['label']}: {text[to_list.end() :]}"
    labelled = LABELLED.fullmatch(text)
    if labelled and labelled["rest"] and (sentence := SENTENCE_LABEL.fullmatch(labelled["label"])):
        return OutlineLine("", [f"{item} ({sentence[1]})" for item in _items(labelled["rest"]) or []], marked=marked)
    if labelled and not labelled["label"].lstrip().startswith(("[", "{", "(")):
        label, rest = labelled["label"].strip("*_`\"'“” "), (labelled["rest"] or "").strip()
        if NOTE.match(label):
            return OutlineLine(label, [], marked=True)
        items = _items(rest)
        return None if rest and items is None else OutlineLine(label, items or [], marked=True)
    items = _items(text)
    return None if items is None else OutlineLine("", items, marked=marked)


def _pairs(text: str) -> list[object] | None:
    """The entities of a line such as `"Tom": ["Tom", "he"], "dog": ["it"]`; None if it is none."""
    quoted = list(regions(text))
    edges = [0, *(edge for region in quoted for edge in (region.start, region.end)), len(text)]
    between = [text[edges[n] : edges[n + 1]] for n in range(0, len(edges), 2)]
    if len(quoted) < 2 or not all(map(PAIRS.fullmatch, between)) or not all(":" in part for part in between[:-1]):
        return None
    return list(parsed(text).values)


def _items(text: str) -> list[object] | None:
    """The mentions of a line, or lists of them; None for prose."""
    text = text.strip()
    sections = list(regions(text))
    edges = [0, *(edge for region in sections for edge in (region.start, region.end)), len(text)]
    if sections and all(BETWEEN.fullmatch(text[edges[n] : edges[n + 1]]) for n in range(0, len(edges), 2)):
        return list(parsed(text).values)
    quoted = list(QUOTED.finditer(text))
    if quoted and quoted[0].start() == 0 and re.match(r"\s*[–—-]\s", text[quoted[0].end() :]):  # what it is, is said behind it
        return [next(filter(None, quoted[0].groups()[:-1]), "").strip()]
    outside = QUOTED.sub("", text)
    if quoted and BETWEEN.fullmatch(outside):
        return [next(filter(None, match.groups()[:-1]), "").strip() + (match.groups()[-1] or "") for match in quoted]
    if SENTENCE.fullmatch(text) or (quoted and not BETWEEN.fullmatch(outside) and len(outside.split()) > 1):
        return None
    text = text.strip("*_ ").removesuffix(".").strip()
    return [text] if text else []


def _entities(node: OutlineLine, *, sole: bool) -> Iterator[tuple[str, list[object]]]:
    """The entities of a line and of those below it."""
    if node.label and NOTE.match(node.label):
        return
    lists: list[object] = [item for item in node.items if isinstance(item, (list, dict))]
    if not node.inner:
        if SINGLETONS.match(node.label):
            yield from (("", [item]) for item in node.items)
        elif len(lists) == len(node.items) > 1:
            yield from ((node.label, [item]) for item in lists)
        else:
            yield node.label, node.items
    elif SINGLETONS.match(node.label):
        yield from (("", [item]) for inner in node.inner for item in inner.items)
    elif _is_object(node):
        yield node.label, [item for inner in node.inner for item in _mentions(inner)]
    elif any(inner.inner for inner in node.inner) or _is_title(node, sole=sole):
        for inner in node.inner:
            yield from _entities(inner, sole=False)
    else:
        label = node.label or (str(node.items[0]) if node.items else "")
        yield label, [item for inner in node.inner for item in inner.items]


def _is_object(node: OutlineLine) -> bool:
    """Whether the lines below are the attributes of an entity: its name, its type, its mentions."""
    labels = {folded_key(inner.label) for inner in node.inner}
    return labels <= MENTIONS | ATTRIBUTES | {*NAMES, "entity"} and not labels.isdisjoint(MENTIONS)


def _mentions(node: OutlineLine) -> list[object]:
    return [*node.items, *(i for inner in node.inner for i in inner.items)] if folded_key(node.label) in MENTIONS else []


def _is_title(node: OutlineLine, *, sole: bool) -> bool:
    """Whether the lines below are entities: they have names, or it is the only line and they have several mentions."""
    if all(inner.label and inner.items for inner in node.inner):
        return len(node.inner) > 1 or sole
    several = [len(inner.items) > 1 or any(re.search(r"[,;=→|]|->", str(item)) for item in inner.items) for inner in node.inner]
    return sole and any(several)
