"""What a user says of the columns of a table or of CoNLL, or of relations, beyond what an input says itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from referee.basics.exceptions import OptionError, listed, shortened

ROLES = (
    "item",
    "entity",
    "document",
    "source",
    "left",
    "right",
    "left_source",
    "right_source",
    "probability",
    "decision",
    "word",
)
"""What a column may be: of labels an item and its entity, of pairs two records and whether they are one; in CoNLL files a word
and the brackets of entities."""

LABELS, PAIRS = frozenset({"item", "entity", "source"}), frozenset(ROLES[4:-1])
"""Roles that only one kind of table has; both have documents."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user says of a table; true if there is anything, which relations are not.

    Parameters
    ----------
    columns : mapping
        Role -> name of the column, or its number, from 1, in a text without a header; empty for a role that it does not have.
        Of CoNLL files "word" and "entity", numbers from 1, or from the last as -1.
    nulls : str
        What is done with rows that lack an item or an entity: "error"; "drop" them; an item without an entity is a
        "singleton"; "keep" words such as NA as names.
    tables : str or None
        Whether the two records of pairs are of "one" table, or of "two" with ids of their own; None: as their names say.
    option : str
        The option that names the columns of this table, for messages.
    relations : tuple of str
        Names of the relations of texts that mean coreference; none for those that a format says.
    """

    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    nulls: str = "error"
    tables: str | None = None
    option: str = "--columns"
    relations: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.columns) or self.nulls != "error" or self.tables is not None

    @property
    def of_conll(self) -> bool:
        """Whether the columns are those of a CoNLL file, and of no table."""
        return "word" in self.columns or (self.columns.keys() == {"entity"} and is_number(self.columns["entity"]))

    @property
    def only_columns(self) -> bool:
        """Whether nothing but columns was said."""
        return bool(self.columns) and self.nulls == "error" and self.tables is None

    @property
    def given(self) -> str:
        """The option that was given, for messages: one of tables if there is one."""
        return "--nulls" if self.nulls != "error" else "--tables" if self.tables is not None else "--columns"


def parsed(given: str | int | Mapping[str, object] | None, option: str = "columns") -> dict[str, str]:
    """Return role -> column from what a user gave, such as ``item=record_key,entity=golden_id``; a lone number is the entity's.

    Raises
    ------
    OptionError
        If it is anything else.
    """
    if given is None:
        return {}
    if not isinstance(given, (str, int, Mapping)):
        raise OptionError(f"--{option} takes ROLE=COLUMN,..., or a mapping; found {shortened(repr(given))}")
    given = str(given) if isinstance(given, int) else given
    if isinstance(given, str) and is_number(given.strip()):
        return {"entity": given.strip()}
    split: Iterable[tuple[object, object]] = (
        given.items() if isinstance(given, Mapping) else [text.partition("=")[::2] for text in given.split(",")]
    )
    pairs = [(str(role).strip(), "" if column is None else str(column).strip()) for role, column in split]
    roles = dict(pairs)
    if unknown := [role for role in roles if role not in ROLES]:
        found = shortened(unknown[0])
        raise OptionError(f"--{option} takes ROLE=COLUMN,... with the roles {listed(list(ROLES))}; found {found!r}")
    if len(roles) < len(pairs):
        raise OptionError(f"--{option} takes ROLE=COLUMN,... with a column a role; found {listed([r for r, _ in pairs])}")
    named = [column for column in roles.values() if column]
    if len(set(named)) < len(named):
        twice = next(column for column in named if named.count(column) > 1)
        raise OptionError(f"--{option} takes a column for each role; found {shortened(twice)!r} for two")
    return roles


def names_of_relations(given: object) -> tuple[str, ...]:
    """Return the names of relations, which a text has with commas between them.

    Raises
    ------
    OptionError
        If there are none, or one is empty.

    Examples
    --------
    >>> names_of_relations("ante, same"), names_of_relations(None)
    (('ante', 'same'), ())
    """
    if given is None:
        return ()
    names = given.split(",") if isinstance(given, str) else list(given) if isinstance(given, Iterable) else []
    stripped = tuple(name.strip() if isinstance(name, str) else "" for name in names)
    if not stripped or not all(stripped):
        raise OptionError(f"--relations takes names with commas between them; found {shortened(repr(given))}")
    return stripped


def is_number(text: str) -> bool:
    """Whether a column is a number, from 1, or from the last as -1."""
    return re.fullmatch("-?[0-9]{1,9}", text) is not None
