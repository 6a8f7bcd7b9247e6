"""A table that is too wide, as several: blocks of columns, each behind the labels."""

from __future__ import annotations

from collections.abc import Sequence

from referee.reports.listing import Column


def blocks(columns: Sequence[Column], widths: Sequence[float], limit: float | None) -> list[list[int]]:
    """The columns of each block; a single block of all if there is no limit.

    Parameters
    ----------
    columns
        Columns of one group, and a remark and what it goes with, stay together, if they are not too wide for any block.
    widths
        Of each column with the space around it.
    limit
        Of each block. A column that is too wide for it has a block to itself.

    Returns
    -------
    list of list of int

    Examples
    --------
    >>> columns = [Column("system"), Column("muc", "score"), Column("lea", "score"), Column("conll", "score")]
    >>> blocks(columns, [10, 6, 6, 6], 22)
    [[0, 1, 2], [0, 3]]
    """
    labels = [n for n, column in enumerate(columns) if column.kind == "label"]
    if limit is None:
        return [list(range(len(columns)))]
    room = limit - sum(widths[n] for n in labels)
    units = _units(columns, widths, room)
    found = _filled(units, widths, room)
    if len(found) > 1:  # as wide as each other, if they need not be more for it
        narrower = (_filled(units, widths, room * share / 20) for share in range(19, 9, -1))
        found = [blocks for blocks in (found, *narrower) if len(blocks) == len(found)][-1]
    return [[*labels, *block] for block in found]


def _filled(units: Sequence[Sequence[int]], widths: Sequence[float], room: float) -> list[list[int]]:
    """Blocks with as many units as there is room for, one at least."""
    found: list[list[int]] = [[]]
    for unit in units:
        if found[-1] and sum(widths[n] for n in (*found[-1], *unit)) > room:
            found.append([])
        found[-1] += unit
    return found


def _units(columns: Sequence[Column], widths: Sequence[float], room: float) -> list[list[int]]:
    """The columns that stay together, split where they are too wide."""
    units: list[list[int]] = []
    for number, column in enumerate(columns):
        if column.kind == "label":
            continue
        joined = units and (column.kind == "remark" or (column.group and column.group == columns[units[-1][-1]].group))
        if joined and sum(widths[n] for n in (*units[-1], number)) <= room:
            units[-1].append(number)
        else:
            units.append([number])
    return units
