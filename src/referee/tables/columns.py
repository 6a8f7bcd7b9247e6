"""Which columns of a table are the items, their entities and their documents, and what types they may have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.exceptions import FormatError, MismatchError, OptionError, listed, shortened
from referee.formats.csv import COLUMNS
from referee.formats.pairs import sniff as is_pairs
from referee.formats.shared.untyped import Untyped

NAMES: Mapping[str, tuple[str, ...]] = {
    "document": COLUMNS["document"],
    "source": ("source_dataset", "data_source"),
    "item": COLUMNS["item"],
    "entity": (*COLUMNS["entity"], "z_cluster", "resolved_id"),
}
"""The names that each role of a column goes by; case does not matter."""

INTEGER, TEXT, BINARY = "int64", "text", "binary"
"""The kinds of ids: integers of any width, text, and bytes such as UUIDs."""

CAST = ":text"
"""What stands behind the name of a column whose values are compared as text."""

NEEDED = ("item", "entity")

DOCUMENTS = frozenset({"coref_chains", "clusters", "predicted_clusters"})
"""Columns of tables that have a document in a row."""


class Field(NamedTuple):
    """A column of a table: its name, its kind (empty if it cannot hold ids), and its type as messages show it."""

    name: str
    kind: str
    type: str


class Columns(NamedTuple):
    """The columns of a table that are read.

    Parameters
    ----------
    names : mapping
        Role -> name of the column, in the order of `NAMES`; only the roles that the table has.
    kinds : mapping
        Role -> `INTEGER`, `TEXT` or `BINARY`: how its values are compared, and read.
    item_kind : str
        The kind of what names an item: text where a source and an item do so together.
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


def fields_of(schema: Untyped) -> list[Field]:
    """The columns of an Arrow schema."""
    return [Field(field.name, _kind(field.type), str(field.type)) for field in schema]


def _kind(of: Untyped) -> str:
    types = import_module("pyarrow.types")
    if types.is_dictionary(of):
        of = of.value_type
    of = getattr(of, "storage_type", of)  # of an extension such as UUIDs
    if types.is_integer(of):
        return INTEGER
    if types.is_string(of) or types.is_large_string(of) or str(of) == "string_view":
        return TEXT
    is_binary = types.is_binary(of) or types.is_large_binary(of) or types.is_fixed_size_binary(of) or str(of) == "binary_view"
    return BINARY if is_binary else ""


def numbers(column: Untyped) -> Ints:
    """Return the integers of a column of Arrow without NULLs, as int64; `to_numpy` would import pandas."""
    chunks = [chunk for chunk in getattr(column, "chunks", [column]) if len(chunk)]
    width = np.dtype(str(column.type))
    parts = [np.frombuffer(c.buffers()[1], width, len(c), c.offset * width.itemsize) for c in chunks]
    joined = np.concatenate(parts) if len(parts) > 1 else parts[0] if parts else np.empty(0)
    integers: Ints = joined.astype(np.int64, copy=False)
    return integers


def parsed(given: str | Mapping[str, str] | None, option: str = "columns") -> dict[str, str]:
    """Return role -> column from what a user gave, such as ``item=record_key,entity=golden_id``.

    Raises
    ------
    OptionError
        If it is anything else.
    """
    if given is None:
        return {}
    pairs: Iterable[tuple[str, str]] = (
        given.items() if isinstance(given, Mapping) else [text.partition("=")[::2] for text in given.split(",")]
    )
    pairs = [(str(role).strip(), str(column).strip()) for role, column in pairs]
    roles = dict(pairs)
    if unknown := [role for role in roles if role not in NAMES]:
        raise OptionError(
            f"--{option} takes ROLE=COLUMN,... with the roles {listed(list(NAMES))}; found {shortened(unknown[0])!r}"
        )
    if len(roles) < len(pairs):
        raise OptionError(f"--{option} takes ROLE=COLUMN,... with a column a role; found {listed([r for r, _ in pairs])}")
    return roles


def is_labels(fields: Sequence[Field], given: Mapping[str, str]) -> bool:
    """Whether the columns are items and their entities, and neither documents in a row nor pairs of items."""
    if not given.keys().isdisjoint(NEEDED):
        return True
    names = [field.name for field in fields]
    if not DOCUMENTS.isdisjoint(names) or is_pairs(",".join(names)):
        return False
    known = {name.strip().lower() for name in names}
    return all(not known.isdisjoint(NAMES[role]) for role in NEEDED)


def columns_of(table: str, fields: Sequence[Field], given: Mapping[str, str]) -> Columns:
    """Find the column of each role.

    Parameters
    ----------
    table : str
        What messages call it.
    fields : sequence of Field
        Its columns.
    given : mapping
        Role -> name of the column, perhaps with `CAST`; empty for a role that the table does not have.

    Raises
    ------
    FormatError
        If there is no column of a role, more than one, or one that cannot hold ids.
    """
    names: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for role in NAMES:
        found = _candidates(table, role, fields, given.get(role))
        if len(found) > 1:
            problem = f"has {listed([field.name for field in found])} for the {role}; expected one: --columns {role}=NAME"
            raise FormatError(table, None, problem)
        if not found and role in NEEDED:
            columns = shortened(", ".join(field.name for field in fields), 100)
            raise FormatError(table, None, f"has the columns {columns}; expected one for the {role}: --columns {role}=NAME")
        for field in found:
            cast = given.get(role, "").endswith(CAST)
            names[role], kinds[role] = field.name, TEXT if cast else field.kind
            if not field.kind:
                raise FormatError(table, None, f"column {field.name} is {field.type}; expected {_remedy(field, role)}")
    twice = next((name for name in names.values() if list(names.values()).count(name) > 1), None)
    if twice is not None:
        roles = listed([role for role, name in names.items() if name == twice])
        raise FormatError(table, None, f"has the column {twice} for the {roles}; expected a column for each")
    return Columns(names, kinds)


def _candidates(table: str, role: str, fields: Sequence[Field], given: str | None) -> list[Field]:
    if given is None:
        return [field for field in fields if field.name.strip().lower() in NAMES[role]]
    name = given.removesuffix(CAST)
    found = [field for field in fields if field.name == name]
    if name and not found:
        columns = shortened(", ".join(field.name for field in fields), 100)
        raise FormatError(table, None, f"has no column {shortened(name)!r} for the {role}; found {columns}")
    return found


def _remedy(field: Field, role: str) -> str:
    """What is expected of a column that cannot hold ids."""
    if field.type in ("float", "double", "halffloat"):
        return f"integers or text for the {role}: pandas makes integers with gaps floats; cast the column to Int64"
    return f"integers or text for the {role}: name another column with --columns {role}=NAME, or cast this one"


def check_alike(key: Columns, response: Columns, names: tuple[str, str], values: Mapping[str, tuple[str, str]]) -> None:
    """Check that both sides name documents and items in the same way.

    Parameters
    ----------
    key, response : Columns
    names : tuple of str
        What messages call the two tables.
    values : mapping
        Role -> a value of each side, for messages.

    Raises
    ------
    MismatchError
        If they do not.
    """
    for role in ("document", "source"):
        if (role in key.names) != (role in response.names):
            has, lacks = names if role in key.names else names[::-1]
            column = (key if role in key.names else response).names[role]
            raise MismatchError(
                f"{has} has the column {column} for the {role}, and {lacks} has none; expected one in both: name it, or leave "
                f"it out with {role}= in --key-columns or --response-columns"
            )
    for role in ("document", "source", "item"):
        if role in key.names and key.kinds[role] != response.kinds[role]:
            (a, b), column = values[role], key.names[role]
            raise MismatchError(
                f"the {role}s are {key.kinds[role]} in {names[0]} ({shortened(a)}) and {response.kinds[role]} in {names[1]} "
                f"({shortened(b)}); expected one kind: cast one of them, or compare both as text with --columns "
                f"{role}={column}{CAST}"
            )
