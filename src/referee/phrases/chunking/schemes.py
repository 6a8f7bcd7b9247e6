"""Which scheme tags follow: `scheme_of`; and chunks of tags whose scheme nobody names: `chunks_of`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from referee.phrases.annotation import Chunks, Sentences
from referee.phrases.chunking.iob import PREFIXED, TagError, decode

CATEGORIES = 500
"""Different tags without prefixes that are categories; a column with more holds words."""

SCHEMES = {
    "I": ("IO",),
    "BI": ("IOB2", "IOB1"),
    "EI": ("IOE2", "IOE1"),
    "BEIS": ("IOBES",),
    "BILU": ("BILOU",),
    "BEMW": ("BMEWO",),
}
"""Prefixes -> the schemes that have them, the stricter first."""


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
    for prefixes_of_scheme, names in SCHEMES.items():
        if prefixes <= set(prefixes_of_scheme):
            for name in names:
                if name == "IO" or int(decode(tags, name, count_unused=False).length.sum()) == inside:
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
    rule_of_tags = "IO" if rule == "conlleval" and are_plain(chain.from_iterable(tags)) else rule
    chunks = decode(tags, rule_of_tags, outside=outside, sentences=sentences, on_error=on_error, source=source, lines=lines)
    scheme = scheme_of(tags)
    return replace(chunks, read_as=f"{column} ({scheme})" if column and scheme else column or scheme)
