"""Mentions in brackets of any kind, with a label: behind the closing bracket, or inside, as the last or the first.

Brackets are pairs of one kind, elements without attributes, as `<m>` and `</m>`, or what Markdown puts around words in bold.
What stands around labels is found in the text: all marks are of the style that most of them have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from referee.answers.marked import Style

OPENING = {"]": "[", "}": "{", ")": "(", ">": "<", "]]": "[[", "}}": "{{", "))": "((", "】": "【"}
OPENING |= {sign: sign for sign in ("**", "*", "__", "_", "`")}
CLOSING = {opening: closing for closing, opening in OPENING.items()}
AFTER = {"(": ")", "[": "]", "{": "}", "<": ">", "_{": "}", "^{": "}", "$_": "$", "$^": "$", "$_{": "}$", "$^{": "}$"}
AFTER |= {"<sub>": "</sub>", "<sup>": "</sup>"}

RAISED = "(?:[₀-₉]{1,9}|[⁰¹²³⁴-⁹]{1,9})"
LETTER = r"[^\W\d_₀-₉⁰¹²³⁴-⁹]"
NUMBER = rf"(?:\d{{1,9}}|{RAISED})"
CODE = rf"(?:{LETTER}{{1,20}}[ _.:=#-]{{0,2}})?{NUMBER}"
NAME = r"[^\[\](){}<>【】|$\n]{1,60}"
PLAIN_NAME = r"[^\[\](){}<>【】|$\n,;:/=@#→^]{1,60}"
LABELS = {"number": CODE, "code": CODE, "name": NAME}

LABEL_FIRST = rf" ?#?{CODE} ?\|(?! ?#?{CODE} ?\])"
"""What stands behind a bracket where the label is before a bar, and the mention behind it."""

NAMED_BEHIND = ("(", "[", "{", "_{", "_", "#", "@")
NAMED_LAST = ("|", "=", "=>", "->", "→", "@", "#")
"""Where words may be labels."""

_END = r"\]\]?|\}\}?|\)\)?|】|</[A-Za-z]\w{0,20}>"
BEHIND = re.compile(
    rf"(?P<closing>{_END}|\*\*?|`|__?(?= ?[(\[{{<]))(?:"
    rf"(?P<before> ?(?:<su[bp]>|[(\[{{<]|[_^]\{{|\$[_^]\{{?)) ?(?P<inside>{NAME})(?P<after>\)|\]|\}}\$?|>|\$|</su[bp]>)"
    rf"|(?P<sign>[_^#@:/]|)#?(?P<label>{CODE}|(?<=[\])}}>】*`][_#@])\w{{1,40}})(?!\w))"
)
LAST = re.compile(
    r"(?P<before>[|:#/@,;^_=→(-](?:[:>]|(?<!-)))(?:(?<=\()(?P<paren>))?"
    rf" ?(?P<inside>#?{CODE}|{PLAIN_NAME})(?P<after>(?(paren)\))) ?(?P<closing>{_END}|>|\*\*)"
)
LAST_RAISED = re.compile(rf"(?:(?<={LETTER})|(?<={LETTER} ))(?P<inside>{RAISED})(?P<closing>{_END}|>|\*\*)")
FIRST = re.compile(
    rf"(?P<opening>\[\[?|\{{\{{?|\(\(?|<(?!/)|【|<[A-Za-z]\w{{0,20}}>) ?(?P<inside>#?{CODE})"
    r"(?: ?(?P<after>::?(?!\d)|\||=|->|→) ?| )(?=[^\s\])}>])"
)
DIVIDERS = ("|", ":", "::", "#", "/", "@", ",", ";", "^", "_", "=", "=>", "->", "→", "(")
NO_WORD = " \t\n[({<|\"'”’"
"""What stands before a divider that divides no words from a label."""


def _behind(closing: str, before: str, after: str, sign: str) -> Style | None:
    """The style of labels behind a bracket; None if they are none."""
    opening, before = _opening(closing), before or sign
    if not opening or after != AFTER.get(before.strip(), "") or (opening in ("*", "`") and before in ("_", ":", "/")):
        return None
    return Style("behind", opening, closing, before, after)


def _last(before: str, after: str, closing: str) -> Style | None:
    """The style of labels before the closing bracket; a bar in square brackets is that of `tanl`."""
    opening = _opening(closing)
    if not opening or before not in DIVIDERS or (opening, before) == ("[", "|"):
        return None
    return Style("last", opening, closing, before, after) if opening != "<" or before in ("|", ":", "#") else None


def _last_raised(closing: str) -> Style | None:
    return Style("last", _opening(closing), closing) if _opening(closing) else None


def _first(opening: str, after: str) -> Style | None:
    """The style of labels behind the opening bracket; without a divider, `sacr` has braces, and elements have attributes."""
    closing = CLOSING.get(opening, f"</{opening[1:]}")
    return None if opening in ("{", "<") and not after else Style("first", opening, closing, "", after or " ")


def _opening(closing: str) -> str:
    """The bracket before; empty if the closing one is of no mention."""
    tag = f"<{closing[2:]}" if closing.startswith("</") else ""
    return OPENING.get(closing, "" if tag in ("<sub>", "<sup>") else tag)


SIGNS: Sequence[tuple[str, re.Pattern[str], Callable[..., Style | None]]] = (
    ("behind", BEHIND, _behind),
    ("last", LAST, _last),
    ("last", LAST_RAISED, _last_raised),
    ("first", FIRST, _first),
)
DOUBLE = ("[[", "{{", "((")
"""Brackets that may be two: one of a mention and one of the text."""
NAMED = {"behind": NAMED_BEHIND, "last": NAMED_LAST}
UNNAMED = ("*", "_", "__", "`", "(", "((")
"""Behind which words are no labels: code has them there, as in `__init__(self)`."""


def styles(text: str, notation: str = "") -> Iterator[tuple[Style, int]]:
    """The styles that marks of a text may have, and how many marks have each.

    Parameters
    ----------
    text : str
        An answer.
    notation : str
        Its notation, if this is known.
    """
    raised = not text.isascii() and re.search(RAISED, text) is not None
    for name, sign, style_of in SIGNS:
        if sign is LAST_RAISED and not raised:
            continue
        for groups, labels in _labels(text, sign, certain=name == notation).items():
            style, kind = style_of(*groups), _kind(labels)
            if style and style.opening in DOUBLE and 2.5 * text.count(style.opening) < text.count(style.opening[0]):
                style = style._replace(opening=style.opening[0], closing=style.closing[0])
            if style and (kind != "name" or _has_names(style, labels)):
                yield style._replace(label=kind), labels.total()


def _has_names(style: Style, labels: Counter[str]) -> bool:
    """Whether words may be labels of a style, and are not the addresses of links."""
    if style.opening in UNNAMED or style.before not in NAMED.get(style.notation, ()):
        return False
    addresses = sum(times for label, times in labels.items() if re.search(r"\S[./:\\=]\S", label))
    return 5 * addresses <= labels.total()


def _labels(text: str, sign: re.Pattern[str], *, certain: bool) -> Mapping[tuple[str, ...], Counter[str]]:
    """What stands around labels, as the other groups of a sign -> how often each label is there."""
    counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    around = [number - 1 for name, number in sign.groupindex.items() if name not in ("inside", "label", "paren")]
    inside, label = (sign.groupindex.get(name, sign.groupindex["inside"]) - 1 for name in ("inside", "label"))
    for match in sign.finditer(text):
        start = match.start()
        if certain or sign is not LAST or text[max(0, start - 2) : start].removesuffix(" ")[-1:] not in NO_WORD:
            groups = match.groups("")
            counts[tuple([groups[n] for n in around])][groups[inside] or groups[label]] += 1
    return counts


def _kind(labels: Counter[str]) -> str:
    """What most labels are."""
    numbers = sum(times for label, times in labels.items() if re.fullmatch(rf"#?{NUMBER}", label.strip()))
    codes = sum(times for label, times in labels.items() if re.fullmatch(rf"#?{CODE}", label.strip()))
    return "number" if 2 * numbers > labels.total() else "code" if 2 * codes > labels.total() else "name"


@lru_cache(maxsize=16)
def pattern_of(style: Style) -> re.Pattern[str]:
    """The marks of a style: groups `close` and `named` are labels, `open` and `bracket` have none."""
    opening, closing, before, after = map(re.escape, style[1:5])
    if style.opening in DOUBLE:  # of three, the first is one of the text
        opening += rf"(?!{opening[:2]}(?:{opening})*(?!{opening[:2]}))"
    label = f"#?(?:{LABELS[style.label]})"
    both = f"(?P<open>{opening})" if style.opening != style.closing else rf"(?P<open>{opening})(?=\S)"
    bracket = f"|(?P<bracket>{closing})" if style.opening != style.closing else ""
    if style.notation == "behind":
        before = before.replace(r"\ ", r"\s?")
        if after:
            return re.compile(rf"{closing}{before}\s?(?P<close>{label})\s?(?:{after}|\Z)|{both}{bracket}")
        bare = label if before else NUMBER if style.label == "number" else label
        if style.label == "name":
            bare = r"\w{1,40}"
        return re.compile(rf"{closing}{before}(?P<close>{bare})(?!\w)|{both}{bracket}")
    if style.notation == "last":
        label = RAISED if not before else f"#?{PLAIN_NAME}" if style.label == "name" else label
        return re.compile(rf"\s?{before}\s?(?P<close>{label})\s?{after}\s?(?:{closing}|\Z)|{both}{bracket}")
    label = f"#?{NUMBER}" if style.label == "number" and style.after == " " else label
    divider = r"\s+" if style.after == " " else rf"\s?{after}\s?"
    return re.compile(rf"{opening}\s?(?P<named>{label}){divider}(?!\s|{closing})|{both}{bracket}")
