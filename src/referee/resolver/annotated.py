"""The input again, with the mentions and entities that were found: every line, column, comment and other attribute is kept.

Only the attributes ``Entity``, ``Bridge``, ``SplitAnte`` and ``Split`` of MISC and the lines ``# global.Entity`` are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO

import numpy as np

from referee.algorithms.arrays import Ints
from referee.formats.corefud.reading import DEFAULT, HEADER
from referee.formats.corefud.rows import NEWDOC, ConlluRows
from referee.formats.corefud.writing import brackets_of
from referee.resolver.attributes import Mentions

REPLACED = re.compile(r"(?:^|(?<=\|))(?:Entity|Bridge|SplitAnte|Split)=[^|]*(?:\||$)")
GENERATOR = "# generator = referee resolve"


def entity_names(label: Ints) -> list[str]:
    """An id for the entity of each mention, from the first mentions of entities: e1, e2, ... through the file."""
    _, number = np.unique(label, return_inverse=True)
    return [f"e{n}" for n in (number.reshape(-1) + 1).tolist()]


def brackets(mentions: Mentions, fragments: dict[int, Ints], label: Ints) -> dict[int, str]:
    """What stands in Entity, by token."""
    columns = zip(entity_names(label), mentions.start.tolist(), mentions.end.tolist(), mentions.head.tolist(), strict=True)
    annotation = []
    for m, (name, start, end, head) in enumerate(columns):
        spans: tuple[tuple[int, int], ...] = ((start, end),)
        number = head - start + 1
        if m in fragments:
            tokens = fragments[m]
            spans, number = tuple(_spans(tokens)), int(np.searchsorted(tokens, head)) + 1
        annotation.append((spans, name, f"--{number}-"))
    return brackets_of(annotation)


def _spans(tokens: Ints) -> Iterable[tuple[int, int]]:
    """The stretches of some tokens."""
    breaks = np.flatnonzero(np.diff(tokens) > 1)
    firsts, lasts = np.append(tokens[0], tokens[breaks + 1]), np.append(tokens[breaks], tokens[-1])
    return zip(firsts.tolist(), (lasts + 1).tolist(), strict=True)


def write(rows: ConlluRows, entity: dict[int, str], out: TextIO, *, signature: str = "") -> None:
    """Write the lines of a file with other entities.

    Parameters
    ----------
    rows : Rows
        The file.
    entity : dict
        What stands in Entity, by token.
    out : TextIO
    signature : str
        Goes to the line ``# generator``.
    """
    lines = list(rows.lines)
    line = (rows.tokens.line - 1).tolist()
    old = [number - 1 for number, text in rows.comments("global.Entity") if HEADER.fullmatch(text)]
    changed = {line[token]: text for token, text in entity.items()}
    stale = [line[token] for token, misc in enumerate(rows.misc) if REPLACED.search(misc)]
    for n in {*changed, *stale}:
        front, tab, misc = lines[n].rpartition("\t")
        lines[n] = front + tab + _misc(misc, changed.get(n, ""))
    header = f"# global.Entity = {DEFAULT}"
    for n in old:
        lines[n] = header + "\r" * lines[n].endswith("\r")
    first = old[0] if old and len(line) and old[0] < line[0] else -1
    if first < 0 and len(line):
        begins = [number - 1 for number, text in rows.comments("newdoc") if NEWDOC.fullmatch(text) and number <= line[0]]
        first = begins[-1] if begins else -1
        first += 1
        lines.insert(first, header)
    if signature and len(line):
        lines.insert(first + 1, f"{GENERATOR} | {signature}")
    out.write("\n".join(lines))


def _misc(misc: str, entity: str) -> str:
    """MISC with another Entity, before the first attribute that comes after it in the alphabet."""
    end = "\r" * misc.endswith("\r")
    kept = [a for a in REPLACED.sub("", misc.rstrip("\r")).split("|") if a not in ("", "_")]
    if entity:
        place = next((n for n, a in enumerate(kept) if a > "Entity="), len(kept))
        kept.insert(place, f"Entity={entity}")
    return ("|".join(kept) or "_") + end
