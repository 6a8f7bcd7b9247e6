"""`seqeval.scheme` 1.2.2: the names of schemes, `Entities` of strictly decoded tags, and `auto_detect`.

Examples
--------
>>> entities = Entities([["B-PER", "I-PER", "O", "I-LOC"], ["B-LOC"]], scheme=IOB2)
>>> entities.entities
[[(0, PER, 0, 2)], [(1, LOC, 0, 1)]]
>>> sorted(entities.unique_tags), len(entities.filter("LOC"))
(['LOC', 'PER'], 1)
>>> auto_detect([["B-PER", "E-PER", "S-LOC"]]).__name__
'IOBES'

Notes
-----
A scheme is only a name here. What it means is in `referee.phrases.chunking.iob`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from referee.basics.exceptions import OptionError, check_name, warn
from referee.compat.tags import name_of_tag
from referee.phrases.chunking.iob import PREFIXES, RULES, decode

Tags: TypeAlias = Sequence[Sequence[str]] | Sequence[str]
"""The tags of each sentence, or of one."""


class TagScheme:
    """The name of a scheme."""


class IOB1(TagScheme):
    """`B` where chunks of one category meet, `I` elsewhere."""


class IOB2(TagScheme):
    """`B` at the beginning of a chunk, then `I`."""


class IOE1(TagScheme):
    """`E` where chunks of one category meet, `I` elsewhere."""


class IOE2(TagScheme):
    """`E` at the end of a chunk, `I` before."""


class IOBES(TagScheme):
    """`B`, `I` and `E`, or `S` for a chunk of one word."""


class BILOU(TagScheme):
    """`B`, `I` and `L`, or `U` for a chunk of one word."""


MARKS: Mapping[type[TagScheme], tuple[str, str]] = {
    IOB2: ("IB", "B"),
    IOE2: ("IE", "E"),
    IOBES: ("IBES", "BS"),
    BILOU: ("BILU", "BU"),
}
"""Scheme -> its prefixes, and those of which one must be there."""


@dataclass(frozen=True, repr=False)
class TaggedEntity:
    """A chunk: the number of its sentence, its first position, the position after it, and its category."""

    sent_id: int
    start: int
    end: int
    tag: str

    def __repr__(self) -> str:
        return f"({self.sent_id}, {self.tag}, {self.start}, {self.end})"

    def to_tuple(self) -> tuple[int, str, int, int]:
        """The same as a tuple: sentence, category, start and end."""
        return self.sent_id, self.tag, self.start, self.end


class TaggedEntities:
    """The chunks of sentences, decoded strictly.

    Parameters
    ----------
    sequences : list of lists of str
        The tags of each sentence.
    scheme : class or str
        The scheme, or its name.
    suffix : bool
        Whether tags end with their prefixes, as in ``PER-B``.
    delimiter : str
        What is between prefix and category.

    Raises
    ------
    OptionError
        If a tag does not fit its scheme.
    """

    def __init__(self, sequences: Tags, scheme: object, suffix: bool = False, delimiter: str = "-") -> None:
        tags = sentences_of(sequences, suffix, delimiter, lenient=False)
        chunks = decode(tags, name_of(scheme), source="sequences", count_unused=False)  # which were left out is asked here
        self.entities = [
            [TaggedEntity(number, start, end, category) for category, start, end in chunks_there]
            for number, chunks_there in enumerate(chunks.triples())
        ]

    def filter(self, tag_name: str) -> set[TaggedEntity]:
        """The chunks of a category."""
        return {entity for chunks_there in self.entities for entity in chunks_there if entity.tag == tag_name}

    @property
    def unique_tags(self) -> set[str]:
        """The categories."""
        return {entity.tag for chunks_there in self.entities for entity in chunks_there}


Entity, Entities = TaggedEntity, TaggedEntities


def auto_detect(sequences: Tags, suffix: bool = False, delimiter: str = "-") -> type[TagScheme]:
    """Return the scheme that has all prefixes of the tags, and marks where chunks begin or end.

    Raises
    ------
    OptionError
        If there is none.
    """
    prefixes = {tag[0] for tags in sentences_of(sequences, suffix, delimiter, lenient=False) for tag in tags} - {"O"}
    for scheme, (all_of, one_of) in MARKS.items():
        if prefixes <= {*all_of} and prefixes & {*one_of}:
            return scheme
    raise OptionError(f"found the prefixes {', '.join(sorted(prefixes)) or 'O'}; expected those of IOB2, IOE2, IOBES or BILOU")


def name_of(scheme: object) -> str:
    """Return the name of a scheme, given by its name or as a class of that name; empty for none."""
    name = "" if scheme is None else str(getattr(scheme, "__name__", scheme))
    if name:
        check_name("scheme", name, RULES)
    return name


def sentences_of(tags: Tags, suffix: bool = False, delimiter: str = "-", *, lenient: bool = True) -> list[list[str]]:
    """Return the tags of each sentence as `decode` reads them: a prefix, a hyphen and a category.

    A prefix that is none means `I`, with a warning, if this is lenient.
    """
    sentences = [tags] if len(tags) and np.ndim(tags[0]) == 0 else tags
    return [[_tag(name_of_tag(tag), suffix, delimiter, lenient) for tag in sentence] for sentence in sentences]


def _tag(tag: str, suffix: bool, delimiter: str, lenient: bool) -> str:
    prefix, category = (tag[-1:], tag[:-1]) if suffix else (tag[:1], tag[1:])
    if lenient and prefix not in f"{PREFIXES}LU":
        warn(f"{tag} seems not to be NE tag.")
        prefix = "I"
    category = category.rpartition("-")[0] or category if suffix and delimiter == "-" else category
    return "O" if prefix == "O" else f"{prefix}-{category.strip(delimiter)}"
