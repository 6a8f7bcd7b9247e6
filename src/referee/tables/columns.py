"""Which columns of two label tables are read, and how their values are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.basics.exceptions import MismatchError
from referee.inputs.labels import LabelTable
from referee.tabular.arrow import BINARY, NULL, TEXT, Field

NEEDED = ("item", "entity")
EMPTY = {NULL, ""}
"""Kinds of columns without values; one that cannot hold ids is read only where it has none."""
ORDER = ("document", "source", *NEEDED)


class TableColumns(NamedTuple):
    """The columns of a table that are read.

    Parameters
    ----------
    names : mapping
        Role -> name of the column, in the order of `ORDER`; only the roles that the table has.
    kinds : mapping
        Role -> the kind of its values, as they are compared and read.
    """

    names: Mapping[str, str]
    kinds: Mapping[str, str]

    @property
    def item_kind(self) -> str:
        """The kind of the names of items: text where a source and an item name it together."""
        return TEXT if "source" in self.names else self.kinds["item"]

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that rows have when they are counted."""
        return tuple(role for role in ("document", *NEEDED) if role in self.names)

    def kind(self, role: str) -> str:
        """The kind of a role when rows are counted."""
        return self.item_kind if role == "item" else self.kinds[role]


def columns_of(key: LabelTable, response: LabelTable) -> tuple[TableColumns, TableColumns]:
    """Return the columns of both sides; where one has integers and the other text, both are compared as text.

    Raises
    ------
    MismatchError
        If one side has documents or sources, and the other has none; if one has bytes, and the other has not.
    """
    sides = [{role: labels.field(role) for role in ORDER if role in labels.schema.places} for labels in (key, response)]
    for role in ("document", "source"):
        if (role in sides[0]) != (role in sides[1]):
            has, lacks = (key, response) if role in sides[0] else (response, key)
            without = "--tables one" if role == "source" else f"{role}= in --key-columns or --response-columns"
            problem = f"{has.name} has the column {has.field(role).name} for the {role}, and {lacks.name} has none"
            raise MismatchError(f"{problem}; expected one in both: name it, or leave it out with {without}")
    kinds = {role: _kind(role, (sides[0][role], sides[1][role]), (key.name, response.name)) for role in sides[0]}
    kinds["entity"] = ""
    k, r = (
        TableColumns({role: f.name for role, f in side.items()}, {role: kinds[role] or _alone(f) for role, f in side.items()})
        for side in sides
    )
    return k, r


def _kind(role: str, fields: tuple[Field, Field], names: tuple[str, str]) -> str:
    """The kind of both sides."""
    kinds = {field.kind for field in fields} - EMPTY
    if BINARY in kinds and len(kinds) > 1 and role != "entity":
        types = " and ".join(f"{field.type} in {name}" for field, name in zip(fields, names, strict=True))
        raise MismatchError(f"the {role}s are {types}; expected one kind: cast one of them")
    return TEXT if len(kinds) != 1 else kinds.pop()


def _alone(field: Field) -> str:
    return TEXT if field.kind in EMPTY else field.kind
