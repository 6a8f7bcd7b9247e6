"""`ReadOptions`: how one input is read, beyond what it says itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from referee.basics.exceptions import OptionError, check_name, listed, shortened
from referee.basics.options.choices import IDS, NULLS, TABLES
from referee.basics.options.documents import DOCUMENT_OPTIONS, DocumentFilter

if TYPE_CHECKING:
    from referee.basics.options.engines import EngineSettings

READ_OPTIONS = (
    "columns",
    "key_columns",
    "response_columns",
    "nulls",
    "tables",
    "ids",
    "relations",
    "skip_bad_files",
    "encoding",
    *DOCUMENT_OPTIONS,
)
"""The options of a call that say how its inputs are read."""

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
    "score",
    "decision",
    "word",
)
"""What a column may be: of labels an item and its entity, of pairs two records and whether they are one; in CoNLL files a word
and the brackets of entities."""

LABELS, PAIRS = frozenset({"item", "entity", "source"}), frozenset(ROLES[4:-1])
"""Roles that only one kind of table has; both have documents."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading one input.

    Parameters
    ----------
    columns : mapping, or text such as "item=record_key,entity=golden_id"
        Role -> name of the column, or its number, from 1, in a text without a header; empty for a role that it does not have.
        Of CoNLL files "word" and "entity", numbers from 1, or from the last as -1; a lone number is that of the entity's.
    nulls : str
        What is done with rows that lack an item or an entity, as NA and other words do: "error"; "drop" them; an item without
        an entity is a "singleton"; "keep" such words as names.
    tables : str or None
        Whether records are of "one" table, whose ids need no source, or those of pairs of "two" with ids of their own; None: as
        the names of columns say.
    ids : str
        How ids of records are compared: as "text", or as "number" where they are whole numbers, so that 007 and 7.0 are 7.
    relations : tuple of str, or text with commas
        Names of the relations that mean coreference, in formats that have named relations; none for those whose names begin
        with coref or ident.
    skip_bad_files : bool
        Whether files of a folder that cannot be read are left out, with their documents on the other side.
    encoding : str or None
        Of texts that are not UTF-8 and have no byte order mark, as "cp1252".
    format : str or None
        One of `FORMATS`; None to detect it.
    documents : DocumentFilter or None
        Which documents of key and response are compared; None for all.
    engine : EngineSettings or None
        What streams that are too large for memory need.
    option : str
        The option that names the columns of this input, for messages.

    Raises
    ------
    UnknownNameError, OptionError
        If a value is not one of those above.
    """

    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    nulls: str = "error"
    tables: str | None = None
    ids: str = "text"
    relations: tuple[str, ...] = ()
    skip_bad_files: bool = False
    encoding: str | None = None
    format: str | None = None
    documents: DocumentFilter | None = None
    engine: EngineSettings | None = None
    option: str = "--columns"

    def __post_init__(self) -> None:
        object.__setattr__(self, "nulls", "error" if self.nulls is None else self.nulls)
        check_name("nulls", self.nulls, NULLS)
        if self.tables is not None:
            check_name("tables", self.tables, TABLES)
        check_name("ids", self.ids, IDS)
        if not isinstance(self.skip_bad_files, bool):
            raise OptionError(f"skip_bad_files is True or False; found {shortened(repr(self.skip_bad_files))}")
        check_encoding(self.encoding)
        if self.relations != ():
            object.__setattr__(self, "relations", names_of_relations(self.relations))
        object.__setattr__(self, "columns", parse_columns(self.columns, self.option))

    @property
    def is_about_tables(self) -> bool:
        """Whether there is an option about columns."""
        return bool(self.columns) or self.nulls != "error" or self.tables is not None or self.ids != "text"

    @classmethod
    def of_sides(
        cls,
        key_format: str | None = None,
        response_format: str | None = None,
        *,
        columns: object = None,
        key_columns: object = None,
        response_columns: object = None,
        relations: object = None,
        **others: Any,  # noqa: ANN401  # the fields that both sides share
    ) -> tuple[ReadOptions, ReadOptions]:
        """Return the options of a key and of a response; the columns of a side go before those of both."""
        shared = parse_columns(columns)
        of_key = shared | parse_columns(key_columns, "--key-columns")
        of_response = shared | parse_columns(response_columns, "--response-columns")
        others["relations"] = names_of_relations(relations)
        others["documents"] = DocumentFilter.from_values(**{name: others.pop(name, None) for name in DOCUMENT_OPTIONS})
        key = cls(of_key, format=key_format, option="--key-columns", **others)
        return key, cls(of_response, format=response_format, option="--response-columns", **others)

    @property
    def is_of_conll(self) -> bool:
        """Whether the columns are those of a CoNLL file, and of no table."""
        return "word" in self.columns or (self.columns.keys() == {"entity"} and is_number(self.columns["entity"]))

    @property
    def has_only_columns(self) -> bool:
        """Whether columns are the only option of tables."""
        return bool(self.columns) and not self.table_signature_fields

    @property
    def option_as_typed(self) -> str:
        """The option of tables that was given, for messages."""
        return f"--{next(iter(self.table_signature_fields), 'columns')}"

    @property
    def table_signature_fields(self) -> dict[str, str]:
        """What a signature says of options that only tables of records have."""
        usual = {"nulls": "error", "tables": None, "ids": "text"}
        fields = {name: value for name, default in usual.items() if (value := getattr(self, name)) != default}
        return {name: value for name, value in fields.items() if value}

    @property
    def signature_fields(self) -> dict[str, str]:
        """What a signature says of all options."""
        return self.table_signature_fields | ({"relations": ",".join(self.relations)} if self.relations else {})


def parse_columns(columns: object, option: str = "--columns") -> dict[str, str]:
    """Return role -> column from text such as ``item=record_key,entity=golden_id``; a lone number is the entity's.

    Raises
    ------
    OptionError
        If it is anything else.
    """
    if columns is None:
        return {}
    if not isinstance(columns, (str, int, Mapping)):
        raise OptionError(f"{option} takes ROLE=COLUMN,..., or a mapping; found {shortened(repr(columns))}")
    if not isinstance(columns, Mapping) and is_number(str(columns).strip()):
        return {"entity": str(columns).strip()}
    split: Iterable[tuple[object, object]] = (
        columns.items() if isinstance(columns, Mapping) else [text.partition("=")[::2] for text in str(columns).split(",")]
    )
    pairs = [(str(role).strip(), "" if column is None else str(column).strip()) for role, column in split]
    roles = dict(pairs)
    if unknown := [role for role in roles if role not in ROLES]:
        raise OptionError(
            f"{option} takes ROLE=COLUMN,... with the roles {listed(list(ROLES))}; found {shortened(unknown[0])!r}"
        )
    if len(roles) < len(pairs):
        raise OptionError(f"{option} takes ROLE=COLUMN,... with a column a role; found {listed([r for r, _ in pairs])}")
    named = [column for column in roles.values() if column]
    if len(set(named)) < len(named):
        twice = next(column for column in named if named.count(column) > 1)
        raise OptionError(f"{option} takes a column for each role; found {shortened(twice)!r} for two")
    return roles


def check_encoding(name: object) -> None:
    """Raise OptionError if there is no encoding of texts of this name."""
    try:
        if name is not None:
            "".encode(name)  # type: ignore[arg-type]  # what is no text raises, too
    except (LookupError, TypeError, ValueError):
        problem = f"--encoding takes the name of an encoding; found {shortened(repr(name))}"
        raise OptionError(f"{problem}; expected one such as cp1252, latin-1 or utf-16") from None


def names_of_relations(relations: object) -> tuple[str, ...]:
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
    if relations is None:
        return ()
    names = relations.split(",") if isinstance(relations, str) else list(relations) if isinstance(relations, Iterable) else []
    stripped = tuple(name.strip() if isinstance(name, str) else "" for name in names)
    if not stripped or not all(stripped):
        raise OptionError(f"--relations takes names with commas between them; found {shortened(repr(relations))}")
    return stripped


def is_number(text: str) -> bool:
    """Whether a column is a number, from 1, or from the last as -1."""
    return re.fullmatch("-?[0-9]{1,9}", text) is not None
