"""A table that is too wide, as several: blocks of columns, each behind the labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.reports.listing import Column


def blocks(columns: Sequence[Column], widths: Sequence[float], limit: float | None) -> list[list[int]]:
    """The columns of each block; a single block of all if there is no limit.

    Parameters
    ----------
    columns
        Columns of one group stay together, if they are not too wide for any block; a remark and what it goes with, always.
    widths
        Of each column with the space around it.
    limit
        Of each block. A column that is too wide for it has a block to itself, with its remark.

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
    divided = _filled(units, widths, room)
    if len(divided) > 1:  # as wide as each other, if they need not be more for it
        narrower = (_filled(units, widths, room * share / 20) for share in range(19, 9, -1))
        divided = [blocks for blocks in (divided, *narrower) if len(blocks) == len(divided)][-1]
    return [[*labels, *block] for block in divided]


def _filled(units: Sequence[Sequence[int]], widths: Sequence[float], room: float) -> list[list[int]]:
    """Blocks with as many units as there is room for, one at least."""
    filled: list[list[int]] = [[]]
    for unit in units:
        if filled[-1] and sum(widths[n] for n in (*filled[-1], *unit)) > room:
            filled.append([])
        filled[-1] += unit
    return filled


def _units(columns: Sequence[Column], widths: Sequence[float], room: float) -> list[list[int]]:
    """The columns that stay together: all, those of one group, or each alone, with its remark."""
    units = [[n for n, column in enumerate(columns) if column.kind != "label"]]

    def of_one_group(before: Column, column: Column) -> bool:
        return column.kind == "remark" or bool(column.group and column.group == before.group)

    for together in (of_one_group, lambda _, column: column.kind == "remark"):
        units = [
            part
            for unit in units
            for part in ([unit] if sum(widths[n] for n in unit) <= room else _runs(unit, columns, together))
        ]
    return units


def _runs(unit: Sequence[int], columns: Sequence[Column], together: Callable[[Column, Column], bool]) -> list[list[int]]:
    """Columns in parts: one begins where a column does not stay together with the one before."""
    parts: list[list[int]] = []
    for n in unit:
        if parts and together(columns[parts[-1][-1]], columns[n]):
            parts[-1].append(n)
        else:
            parts.append([n])
    return parts
