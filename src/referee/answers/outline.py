"""Entities in lines: numbered lists, bullets, headings, `name: mentions`, in Markdown, YAML or plain text.

A line is a name, mentions, a name with mentions, or prose. The lines of an answer are one value, as JSON would have it. Lines
with a bullet, a number, a name or quotes that are none of these are counted as not read; other sentences are prose, wherever
they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.answers.keys import ATTRIBUTES, MENTIONS, NAMES, folded_key
from referee.answers.literals import parsed, regions
from referee.answers.values import LABEL, Quote, ValueRows, is_entity, read_value

LINE = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<heading>#{1,6})[ \t]+|"
    r"(?P<number>(?:\(?(?:\d{1,4}|[ivxIVX]{1,5}|[a-zA-Z])[.)]|\[\d{1,4}\]|#\d{1,4})[ \t]+)"
    r"|(?P<bullet>[-*•+–][ \t]+))?(?P<text>.*)"
)
BOLD = re.compile(
    r"[^\w*\"'“‘\[{(`]*(\*\*|__)(?P<label>[^*\n]+?)(?P<colon>:?)\1"
    r"(?P<sign>\s*(?:\([^()]*\)\s*)?(?::|–|—|->|→|=|\s-\s))?\s*(?P<rest>.*)"
)
"""A name in bold, and its mentions."""
LABELLED = re.compile(
    r"(?P<label>\"[^\"\n]{1,100}\"[^\":：\n]{0,60}|【[^】]{1,100}(?=】)|[^\":：\n][^:：\n]{0,99}?)[:：】](?:[*_]{1,2})?"
    r"(?:(?:\s+|(?=[\"“„「'‘\[{(])|(?<=】))(?P<rest>.*))?"
)
SIGNED = re.compile(
    r"(?P<label>[^=→|/\"“„«‘`*\[\n<>–—-]{1,100}?)[ \t]+(?P<sign>=>?|->|→|–|—|-)[ \t]+"
    r"(?P<rest>(?P<list>[\[{].*|[^=→>]*[,;\"“][^=→>]*)|[^=→>]*)"
)
"""A name, a sign, and mentions with other signs between them, if any of such lines has several."""

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
TITLE = re.compile(r"(?i)(?:[\w-]+ )?(?:chains|clusters|entities|groups|sets|coreferences?|persons|people|places|objects)")
"""What stands above entities."""
QUOTED = re.compile(
    r"(?:\"([^\"\n]{0,300})\"|„([^“”\n]{0,300})[“”]|“([^”\n]{0,300})”|「([^」\n]{0,300})」|«\s?([^»\n]{0,300}?)\s?»"
    r"|‘((?:[^’\n]|(?<=\w)’(?=\w)){0,300})’|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w)){0,300})'(?!\w)|`([^`\n]{0,300})`"
    r"|\*\*([^*\n]{1,300})\*\*|(?<![*\w])\*([^*\s][^*\n]{0,300})\*(?!\w))"
)
ENCLOSED = re.compile(r"\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\]")
BETWEEN = re.compile(r"(?:[\W_]|\b(?:and|or|und|et|y|e)\b)*", re.IGNORECASE)
"""What may stand between quoted strings of a list."""
AND = r"\s+(?:&|and|und)\s+"
DIVIDERS = (r"\s*[;；]\s*", r"\s*\|\s*", r"\s+/\s+", r"\s*(?:<?[-=]+>|[→←↔]|[=≡]+)\s*", r"\s+[+~·•]\s+", AND)
"""What divides mentions without quotes, and is no part of any; the first that a line has."""
DIVIDER = re.compile(r"[,;|、，；=≡→←↔+&~·•]|\s/\s|<?[-=]+>|\s[-–—]\s|\b(?:and|or|und|et|y|e)\b")

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

    @property
    def several(self) -> bool:
        """Whether the line itself has several mentions."""
        return len(self.items) > 1 or any(map(_is_list, self.items))


def outlined(text: str) -> ValueRows:
    r"""The entities of lines.

    >>> outlined('1. **Tom**\n   - "Tom" (sentence 1)\n   - he\n2. Dog: "his dog", "it"').values[0]
    {'name': 'Tom', 'mentions': [Quote(text='Tom', number=1, form=''), Quote(text='he', number=None, form='')]}
    """
    unread: list[int] = []
    prose: list[int] = []
    written = text.split("\n")
    roots = _tree(_on_one_line(text), unread, prose)
    if not roots or (len(roots) == 1 and not (roots[0].marked or roots[0].inner or roots[0].several)):
        return ValueRows([])  # a sentence, or a text without marks
    count = sum(map(_count, roots))
    values: list[object] | None = None
    for node in roots[1:]:  # a name in bold, or a mention?
        bare = node.label and not (node.items or node.inner or NOTE.match(node.label))
        unread += [node.number] if bare and re.fullmatch(r"\*\*[^*]*[^*:]\*\*", written[node.number - 1].strip()) else []
    if not any(node.marked for node in roots):  # lines with full stops among lists without
        lists = [number for number in prose if written[number - 1].count(",") > 2]
        unread += [number for number in prose if number in lists or roots[0].number < number < roots[-1].number]
    if any(node.marked or node.inner for node in roots):
        listed = [node for node in roots if node.marked or node.inner or len(node.items) > 1]
        unread += [node.number for node in roots[1:-1] if node not in listed]
        roots = listed
    elif "\n\n" in text.strip() and not any(node.several for node in roots):
        parts = [_tree(part, [], []) for part in re.split(r"\n[ \t]*\n", text)]  # an entity a paragraph, a mention a line
        values = [[item for node in part for item in node.items] for part in parts]
    if values is None:
        titles = [node for node in roots if not (SINGLETONS.match(node.label) or NOTE.match(node.label))]
        values = [value for node in roots for value in _entities(node, sole=len(titles) == 1)]
    return ValueRows(_by_id(values), [written[number - 1].strip() for number in sorted(unread)], count)


def _by_id(values: Sequence[object]) -> list[object]:
    """The entities, those that have the same id as one."""
    by_id: dict[str, list[object]] = {}
    items: list[object] = []
    for value in values:
        name = value.get("name", "") if isinstance(value, dict) else ""
        if isinstance(value, dict) and LABEL.fullmatch(name):
            if name in by_id:
                by_id[name] += value["mentions"]
                continue
            by_id[name] = value["mentions"]
        items.append(value)
    return items


def _count(node: OutlineLine) -> int:
    return 1 + sum(map(_count, node.inner))


def _is_list(item: object) -> bool:
    """Whether an item is several mentions."""
    return "," in item.text if isinstance(item, Quote) else isinstance(item, list) and len(item) > 1


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
    lines = [LINE.fullmatch(line) for line in text.split("\n")]
    signs = {signed["sign"] for line in lines if line and (signed := _signed(line["text"].strip())) and signed["list"]}
    for number, match in enumerate(lines, 1):
        if match is None or not match["text"].strip(" \t*_-=") or re.fullmatch(r"\W+", match[0]):
            continue
        indent, content = len(match["indent"].expandtabs(4)), match["text"].strip()
        while match["bullet"] and (nested := re.match(r"[-*•+][ \t]+", content)):  # a list in a list
            _place(OutlineLine("", [], marked=True), (indent, 2), top, above)
            indent, content = indent + 2, content[nested.end() :]
        marked = bool(match["number"] or match["bullet"])
        if match["heading"]:
            node = OutlineLine(content.strip("*_:# "), [], marked=True, number=number)
            _place(node, (-1, len(match["heading"])), top, above)
        elif line := _line(content, number, marked=marked, numbered=numbered, signs=signs):
            _place(line, (indent, _rank(line, match)), top, above)
        else:
            noted = any(NOTE.match(line.label) and rank < (indent, 4) for rank, line in above)
            is_list = marked or (above and QUOTED.search(content))
            (unread if is_list and not noted else prose).append(number)
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
        return 0 if SINGLETONS.match(node.label) else 2
    if match["bullet"]:
        return 3 if node.label else 4
    return 1 if match["number"] else 0 if node.label else 2


def _line(text: str, number: int, *, marked: bool, numbered: bool, signs: set[str]) -> OutlineLine | None:
    """A line by itself; None for prose."""
    quoted = list(QUOTED.finditer(text))
    alike = len({match[0][0] for match in quoted}) == 1 < len(quoted) and quoted[0].start() == 0 and ":" not in text
    if alike and (strings := _quoted_items(text, quoted)) is not None:
        return OutlineLine("", strings, marked=marked, number=number)
    label, rest = _label(text, numbered=numbered, signs=signs)
    if label and not rest and marked and BOLD.fullmatch(text) and ":" not in text:
        return OutlineLine("", [Quote(label)], marked=True, number=number)
    if label and (not rest or NOTE.match(label)):
        return OutlineLine(label, [], marked=True, number=number)
    items = _items(rest, marked=marked or bool(label))
    return None if items is None else OutlineLine(label, items, marked=marked or bool(label), number=number)


def _label(text: str, *, numbered: bool, signs: set[str]) -> tuple[str, str]:
    """The name with which a line begins, empty if there is none, and the rest of the line."""
    bold = BOLD.fullmatch(text)
    if bold and (bold["colon"] or bold["sign"] or not bold["rest"]):
        return bold["label"].strip(), bold["rest"].strip()
    match = LABELLED.fullmatch(text)
    if match and (PLACE_LABEL.fullmatch(match["label"]) or (numbered and NUMBER_LABEL.fullmatch(match["label"]))):
        return "", text
    signed = None if match else _signed(text)
    match = signed if signed and signed["sign"] in signs else match
    if (
        match is None
        or match["label"].lstrip().startswith(("[", "{", "("))
        or match["label"].count("(") > match["label"].count(")")
    ):
        return "", text
    return match["label"].strip("*_`\"'“” 【"), (match["rest"] or "").strip()


def _signed(text: str) -> re.Match[str] | None:
    """A line with a name and a sign; a name has commas only if a list in brackets or quotes or the name itself follows."""
    match = SIGNED.fullmatch(text)
    return (
        match
        if match and (not re.search("[,;]", match["label"]) or match["rest"].startswith((match["label"], *'[{"“')))
        else None
    )


def _items(text: str, *, marked: bool) -> list[object] | None:
    """The mentions of a line, or lists of them; None for prose."""
    text = TUPLE.sub(r"\g<text> (\g<number>)", text.strip())
    sections = list(regions(text))
    edges = [0, *(edge for region in sections for edge in (region.start, region.end)), len(text)]
    if sections and all(BETWEEN.fullmatch(text[edges[n] : edges[n + 1]]) for n in range(0, len(edges), 2)):
        inside = text[sections[0].start + 1 : sections[0].end - 1]
        if (
            len(sections) == 1
            and re.search(r"[^\W\d]", inside)
            and not (QUOTED.search(inside) or re.search(r"[\[\]{}():]", inside))
        ):
            return _items(inside, marked=True)
        return list(parsed(text).values)
    if quoted := list(QUOTED.finditer(text)):
        return _quoted_items(text, quoted)
    text = text.strip("*_ ")
    signs = [(sign, 1 + (sign is AND)) for sign in DIVIDERS]
    divided = next((parts for sign, least in signs if len(parts := re.split(sign, text.rstrip("."))) > least), [])
    if divided:
        return [Quote(part, form="list" if "," in part and marked else "") for part in divided if part.strip()]
    parts = text.split(",")
    if SENTENCE.fullmatch(text) and (not marked or len(parts) < 2 or max(map(_length, parts)) > LONGEST):
        return [Quote(text.removesuffix("."), form="sentence")] if marked else None
    text = text.removesuffix(".").strip()
    return [Quote(text, form="list" if len(parts) > 1 and marked else "")] if text else []


def _length(part: str) -> int:
    return len(part.split())


def _quoted_items(text: str, quoted: Sequence[re.Match[str]]) -> list[object] | None:
    """The mentions of a line with quotes, with the numbers or remarks beside them; None for prose that quotes something."""
    strings = [next(filter(None, match.groups()), "").strip() for match in quoted]
    if quoted[0].start() == 0 and re.match(r"\s*[–—-]\s(?!\s*(?:\W|sent))", text[quoted[0].end() :]) and len(quoted) < 2:
        return [Quote(strings[0])]  # what it is, is said behind it
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
            items.append(Quote(f"{string} {remark[0]}" if (remark := ENCLOSED.search(beside)) else string))
        else:
            return None
    return items


def _entities(node: OutlineLine, *, sole: bool) -> Iterator[object]:
    """The entities of a line and of those below it."""
    keys = {folded_key(inner.label) for inner in node.inner}
    below = [item for inner in node.inner for item in inner.items]
    if NOTE.match(node.label):
        return
    if SINGLETONS.match(node.label):
        for item in (*node.items, *below):
            yield from ([Quote(part)] for part in item.text.split(",")) if isinstance(item, Quote) else [[item]]
    elif not node.inner:
        items = node.items
        if len(items) == 1 and isinstance(items[0], list) and read_value(items[0]).depth:
            items = items[0]
        deep = all(isinstance(item, list | dict) for item in items) and not is_entity(items)
        unnamed = sole and not node.label and len(items) > 1 and any(map(_is_list, items))  # lists with semicolons between
        yield from (
            ([item] if isinstance(item, Quote) else item for item in items) if deep or unnamed else [_entity(node.label, items)]
        )
    elif not keys.isdisjoint(MENTIONS) and keys <= {*MENTIONS, *ATTRIBUTES, *NAMES, "entity"}:  # an object
        listed = [inner for inner in node.inner if folded_key(inner.label) in MENTIONS]
        name = node.items[0].text if len(node.items) == 1 and isinstance(node.items[0], Quote) else node.label
        yield _entity(name, [item for inner in listed for line in (inner, *inner.inner) for item in line.items])
    elif any(inner.inner for inner in node.inner) or _is_title(node, sole=sole):
        for inner in node.inner:
            yield from _entities(inner, sole=False)
    elif len(node.items) == 1 and isinstance(node.items[0], Quote) and node.items[0].text.count(",") < 2:  # its name
        yield _entity(node.label or node.items[0].text, below)
    else:
        yield _entity(node.label, [*node.items, *below])


def _entity(name: str, mentions: Sequence[object]) -> list[object] | dict[str, object]:
    """An entity: a list of strings if it has no name, which takes half of the memory."""
    is_list = not name and mentions and all(isinstance(mention, Quote) for mention in mentions)
    return list(mentions) if is_list else {"name": name, "mentions": list(mentions)}


def _is_title(node: OutlineLine, *, sole: bool) -> bool:
    """Whether the lines below are entities: they have names, or it is the only line and they have several mentions."""
    if all(inner.label and inner.items for inner in node.inner):
        return len(node.inner) > 1 or sole
    return (sole or TITLE.fullmatch(node.label) is not None) and any(inner.several for inner in node.inner)
