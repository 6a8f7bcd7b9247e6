"""`Request`: how the inputs of a call are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from referee.basics.exceptions import OptionError, check_name, shortened
from referee.basics.options.choices import NULLS, TABLES
from referee.formats.shared.asked import Asked, names_of_relations, parsed

if TYPE_CHECKING:
    from referee.inputs.settings import EngineSettings

Given: TypeAlias = "str | int | Mapping[str, object] | None"


@dataclass(frozen=True)
class Request:
    """How a key and a response are read.

    Parameters
    ----------
    key_format, response_format : str or None
        One of `FORMATS`; None to detect it.
    columns, key_columns, response_columns : str, mapping or None
        Columns of tables: role -> name, or text such as "item=record_key,entity=golden_id"; those of a side go before
        `columns`. The roles are `ROLES` of `referee.formats.shared.asked`. An empty name is a role that a table does not have,
        a number a column of a text without a header. Of CoNLL files "word" and "entity", or the number of the entity's
        column alone.
    nulls : str
        What is done with rows that lack an item or an entity, as NA and other words do: "error"; "drop" them; an item without
        an entity is a "singleton"; "keep" such words as names.
    tables : str or None
        Whether the records of pairs are of "one" table or of "two".
    skip_bad_files : bool
        Whether files of a folder that cannot be read are left out, with their documents on the other side.
    relations : str, iterable of str or None
        Names of the relations that mean coreference, with commas between them, in formats that have named relations; None
        for those whose names begin with coref or ident.
    settings : EngineSettings or None
        What streams that are too large for memory need.

    Raises
    ------
    UnknownNameError, OptionError
        If a value is not one of those above.
    """

    key_format: str | None = None
    response_format: str | None = None
    columns: Given = None
    key_columns: Given = None
    response_columns: Given = None
    nulls: str | None = None
    tables: str | None = None
    skip_bad_files: bool = False
    relations: str | Iterable[str] | None = None
    settings: EngineSettings | None = None

    def __post_init__(self) -> None:
        if self.nulls is not None:
            check_name("nulls", self.nulls, NULLS)
        if self.tables is not None:
            check_name("tables", self.tables, TABLES)
        if not isinstance(self.skip_bad_files, bool):
            raise OptionError(f"skip_bad_files is True or False; found {shortened(repr(self.skip_bad_files))}")
        if self.relations is not None:
            object.__setattr__(self, "relations", names_of_relations(self.relations))  # an iterator is used up
        _ = self.asked("key"), self.asked("response")

    def asked(self, role: str) -> Asked:
        """What was given for one side."""
        side = "response" if role == "response" else "key"
        own = parsed(getattr(self, f"{side}_columns"), f"{side}-columns")
        option = "--columns" if role not in ("key", "response") else f"--{side}-columns"
        relations = names_of_relations(self.relations)
        return Asked({**parsed(self.columns), **own}, self.nulls or "error", self.tables, option, relations)

    def format(self, role: str) -> str | None:
        """The format of one side."""
        return self.response_format if role == "response" else self.key_format

    @property
    def said(self) -> dict[str, str]:
        """What a signature says of it."""
        return self.said_of_tables | ({"relations": ",".join(names)} if (names := names_of_relations(self.relations)) else {})

    @property
    def said_of_tables(self) -> dict[str, str]:
        """What it says of what only tables of records have."""
        found = {"nulls": "" if self.nulls == "error" else self.nulls, "tables": self.tables}
        return {name: value for name, value in found.items() if value}
