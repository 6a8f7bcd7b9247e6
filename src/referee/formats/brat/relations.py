"""The relations of a brat annotation: the lines that begin with R or a star. The format is that of `brat`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from referee.basics.exceptions import shortened
from referee.formats.brat.lines import BratLines
from referee.formats.shared.documents import Pairs
from referee.formats.shared.relations import ChosenRelations

BRACKETED = re.compile(r"\[[^\[\]]*\]")


Related: TypeAlias = tuple[str, ...]
"""The name of a relation, and the ids of the mentions and events that it relates."""


def relation_of(line: str) -> Related:
    """The relation of a line."""
    _, *fields = line.split("\t")
    name, *arguments = " ".join(fields).split()
    while len(arguments) > 1 and BRACKETED.fullmatch(arguments[-1]):
        arguments.pop()
    return (name, *(argument.rpartition(":")[2] for argument in arguments))


def coreferent(lines: BratLines, relations: Mapping[int, Related], mentions: Sequence[str], chosen: ChosenRelations) -> Pairs:
    """The pairs of mentions, by number, that corefer, as listed.

    Parameters
    ----------
    lines : BratLines
        Take errors.
    relations : mapping
        The relations by their lines, in order.
    mentions : sequence of str
        The ids of the mentions.
    chosen : ChosenRelations
        Which relations mean coreference; takes the names of those that do not.
    """
    same = {name: chosen.means(name, relations=n) for name, n in Counter(row[0] for row in relations.values()).items()}
    number = dict(zip(mentions, range(len(mentions)), strict=True))
    pairs: list[tuple[int, int]] = []
    for line, (name, *ids) in relations.items():
        if not same[name]:
            continue
        numbers = [number[id_] for id_ in ids if id_ in number]
        if len(numbers) == len(ids) == len({*numbers}) > 1:
            # A relation goes from a mention to one before it; an equivalence has its mentions in the order of the text.
            pairs += ((b, a) if name == "Equiv" else (a, b) for a, b in pairwise(numbers))
            continue
        unknown = [id_ for id_ in ids if id_ not in number]
        related = f"{shortened(unknown[0])}, which is no mention" if unknown else shortened(" ".join(ids)) or "nothing"
        lines.refuse(line, f"{shortened(name)} relates {related}; expected the ids of two different mentions, or more")
    return pairs
