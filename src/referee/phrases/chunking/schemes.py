"""Which scheme tags follow: `scheme_of`; and chunks of tags whose scheme nobody names: `chunks_of`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from referee.basics.exceptions import OptionError, listed, shortened
from referee.basics.options.choices import decoder_named
from referee.phrases.annotation import Chunks, Sentences
from referee.phrases.chunking.iob import PREFIXED, SCHEMES, TagError, check_tags, decode

CATEGORIES = 500
"""Different tags without prefixes that are categories; a column with more holds words."""

LOOSER = {"IOB2": "IOB1", "IOE2": "IOE1"}
"""Schemes with the same prefixes as another, which is stricter."""


def are_plain(tags: Iterable[str]) -> bool:
    """Whether tags are categories without prefixes, with O among them.

    Examples
    --------
    >>> are_plain(["PERSON", "O"]), are_plain(["B-PERSON", "O"]), are_plain(["O"])
    (True, False, False)
    """
    tags_seen = set(tags)
    others = tags_seen - {"O"}
    return "O" in tags_seen and 0 < len(others) <= CATEGORIES and not any(not tag or PREFIXED.fullmatch(tag) for tag in others)


_CATEGORY = "(?P<category>.+)"
_PREFIX = "(?P<prefix>B(?:EGIN(?:NING)?)?|I(?:NSIDE)?|E(?:ND)?|S(?:INGLE)?|[LUMW])"
NOTATIONS = (
    re.compile(rf"{_PREFIX}(?P<mark>[^\w\s]|_){_CATEGORY}", re.IGNORECASE),
    re.compile(rf"{_CATEGORY}(?P<mark>[^\w\s]|_){_PREFIX}", re.IGNORECASE),
    re.compile(rf"(?P<prefix>[BIESLUMW])(?P<mark>){_CATEGORY}"),
    re.compile(rf"{_CATEGORY}(?P<mark>)(?P<prefix>[BIESLUMW])"),
)
"""How a prefix and a category stand together other than in B-PER: B_PER or b-PER, PER-B, BPER, PERB."""


class NotationError(ValueError):
    """Tags are in no single notation: one of them, and the problem."""


def in_usual_notation(tags: Iterable[str]) -> dict[str, str]:
    """The usual form of tags that have another, such as PER-B and PER-I; empty for all others.

    They have another if each has a prefix, and some category has two of them. The forms BPER and PERB are those of many words,
    so they must have B and I.

    Raises
    ------
    NotationError
        If only some tags are of this form, or no category has two prefixes.

    Examples
    --------
    >>> in_usual_notation(["PER-B", "PER-I", "LOC-B", "O"])
    {'LOC-B': 'B-LOC', 'PER-B': 'B-PER', 'PER-I': 'I-PER'}
    >>> in_usual_notation(["PERB", "PERI", "LOCB"])
    {'LOCB': 'B-LOC', 'PERB': 'B-PER', 'PERI': 'I-PER'}
    >>> in_usual_notation(["B-PER", "I-PER"]), in_usual_notation(["B_cell", "T_cell", "O"]), in_usual_notation(["LOC", "MISC"])
    ({}, {}, {})
    """
    others = sorted({tag for tag in tags if isinstance(tag, str)} - {"O", "o", ""})
    if not others or any(map(PREFIXED.fullmatch, others)):
        return {}
    for notation in NOTATIONS:
        usual: dict[str, str] = {}
        prefixes = defaultdict(set)
        for tag, form in ((tag, form) for tag in others if (form := notation.fullmatch(tag))):
            usual[tag] = f"{form['prefix'][0].upper()}-{form['category']}"
            prefixes[form["mark"], form["category"]].add(form["prefix"][0].upper())
        is_paired = any(
            {"B", "I"} <= letters or (mark and len(letters) > 1 and bool(letters & {"B", "I"}))
            for (mark, _), letters in prefixes.items()
        )
        is_complete = len(usual) == len(others) and len({mark for mark, _ in prefixes}) == 1
        if is_paired and is_complete:
            return usual | ({"o": "O"} if "o" in tags else {})
        if is_paired or (is_complete and notation in NOTATIONS[:2] and {"B", "I"} & set().union(*prefixes.values())):
            tag = next(iter(usual))
            raise NotationError(
                tag,
                f"found {listed([shortened(repr(each)) for each in others[:3]])}, which look like tags of the scheme with "
                f"{usual[tag][0]} and {shortened(usual[tag][2:])} in {shortened(tag)}; expected all in one form, as "
                f"{shortened(usual[tag])}: --decode IO takes them for types without prefixes",
            )
    return {}


def scheme_of(tags: Sequence[Sequence[str]]) -> str:
    """The scheme that tags follow: one that has no more prefixes than needed, and makes a chunk of every tag.

    Parameters
    ----------
    tags
        The tags of each sentence, as `decode` reads them.

    Returns
    -------
    str
        A name of `RULES`, "mixed" if there is none, or nothing if all tags are O.

    Examples
    --------
    >>> scheme_of([["B-NP", "I-NP", "O"]]), scheme_of([["I-NP", "B-NP", "O"]]), scheme_of([["B-NP", "L-NP", "U-NP"]])
    ('IOB2', 'IOB1', 'BILOU')
    >>> scheme_of([["B-NP", "I-VP", "E-NP"]])
    'mixed'
    """
    tags_seen = Counter(chain.from_iterable(tags))
    if are_plain(tags_seen):
        return "IO"
    prefixes = {tag[:1] for tag in tags_seen if tag != "O"}
    if not prefixes:
        return ""
    inside = tags_seen.total() - tags_seen["O"]
    if prefixes == {"I"}:
        return "IO"
    strict = [name for prefixes_of_scheme, name in SCHEMES.items() if prefixes <= set(prefixes_of_scheme)]
    for name in (each for scheme in strict for each in (scheme, LOOSER.get(scheme, "")) if each):
        if int(decode(tags, name, count_unused=False).length.sum()) == inside:
            return name
    return "mixed"


def chunks_of(
    tags: Sequence[Sequence[str]],
    rule: str = "conlleval",
    *,
    outside: str = "",
    sentences: Sentences | None = None,
    on_error: TagError | None = None,
    source: str = "<tags>",
    lines: Sequence[int] | None = None,
    column: str = "",
) -> Chunks:
    """Decode tags as `decode` does, but categories without prefixes as IO; `read_as` says the `column`, and which scheme it is.

    Parameters
    ----------
    tags, rule, outside, sentences, on_error, source, lines
        As in `decode`, which says what is raised and warned of.
    column
        What is said of where the tags stood.

    Examples
    --------
    >>> chunks_of([["PER", "PER", "O"]]).triples(), chunks_of([["B-PER", "O"]]).read_as
    ([[('PER', 0, 2)]], 'IOB2')
    """
    if sentences is None:
        check_tags(tags, source)
    different = dict.fromkeys(chain.from_iterable(tags))
    form, rule = "", decoder_named(rule)
    if rule != "IO":
        try:
            usual = in_usual_notation(different)
        except NotationError as error:
            tag, problem = error.args
            if on_error is None:
                raise OptionError(f"{source}: {problem}") from None
            on_error(list(chain.from_iterable(tags)).index(tag), problem)
        if usual:
            form = f" as {next(tag for tag in different if usual.get(tag, 'O') != 'O')}"
            tags = [[usual.get(tag, tag) for tag in row] for row in tags]
    rule_of_tags = "IO" if rule in ("conlleval", "strict") and not form and are_plain(different) else rule
    chunks = decode(tags, rule_of_tags, outside=outside, sentences=sentences, on_error=on_error, source=source, lines=lines)
    scheme = scheme_of(tags)
    scheme = scheme + form
    return replace(chunks, read_as=f"{column} ({scheme})" if column and scheme else column or scheme)
