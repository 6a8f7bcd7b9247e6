"""`DocumentFilter`: which documents are compared; the options of a call, or of a verb, that say so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from referee.basics.exceptions import OptionError, shortened

DOCUMENT_OPTIONS = ("documents", "where", "metadata", "min_tokens", "max_tokens")
"""The options of a call that say which documents are compared."""

PREFIX = "prefix"
"""The field of `where` that is the beginning of the name."""


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Which documents are compared: those that fit all of these.

    Parameters
    ----------
    names : tuple of str
        Names, or patterns of the shell, of which one fits; none for all.
    predicate : callable or None
        Says of a document of the key, or of one that only the response has, whether it is compared.
    where : mapping
        Field -> the values, of which a document has one; the field `prefix` is the beginning of its name.
    metadata : path or mapping
        A table about documents, or document -> field -> value; None for what the files say of their documents.
    min_tokens, max_tokens : int or None
        The least and the largest number of words.
    """

    names: tuple[str, ...] = ()
    predicate: Callable[[Any], object] | None = None
    where: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    metadata: str | Mapping[str, Mapping[str, str]] | None = None
    min_tokens: int | None = None
    max_tokens: int | None = None

    @classmethod
    def from_values(
        cls,
        documents: object = None,
        where: object = None,
        metadata: object = None,
        min_tokens: object = None,
        max_tokens: object = None,
    ) -> DocumentFilter | None:
        """Return what the options of a call say; None if they say nothing.

        Raises
        ------
        OptionError
            If a value is none that the option takes.
        """
        fields = _fields(where)
        if metadata is not None and not {*fields} - {PREFIX}:
            raise OptionError("metadata is for where; expected a field of it, as genre=news")
        if metadata is not None and not isinstance(metadata, (str, os.PathLike, Mapping)):
            raise OptionError(f"metadata is a file, or {{document: {{field: value}}}}; found {shortened(repr(metadata))}")
        least, most = _number("min_tokens", min_tokens), _number("max_tokens", max_tokens)
        if least is not None and most is not None and least > most:
            raise OptionError(f"min_tokens is {least} and max_tokens is {most}; expected no more than that")
        if documents is None and not fields and least is None and most is None:
            return None
        is_function = callable(documents) and not isinstance(documents, str)
        table = os.fspath(metadata) if isinstance(metadata, os.PathLike) else metadata
        names = () if documents is None or is_function else names_of_documents(documents)
        return cls(names, documents if is_function else None, fields, table, least, most)  # type: ignore[arg-type]


def names_of_documents(documents: object) -> tuple[str, ...]:
    """Names and patterns: one text, or several; of documents of a corpus, their names.

    Raises
    ------
    OptionError
        If there are none, or one is no text.
    """
    several = [documents] if isinstance(documents, str) else list(documents) if isinstance(documents, Iterable) else [documents]
    names = [name if isinstance(name, str) else getattr(name, "name", None) for name in several]
    if not names or not all(isinstance(name, str) and name for name in names):
        wrong = next((value for value, name in zip(several, names, strict=True) if not name), documents)
        raise OptionError(f"documents are names or patterns, as 'news_*', or a function; found {shortened(repr(wrong))}")
    return tuple(dict.fromkeys(names))  # type: ignore[arg-type]  # all are str


def _fields(where: object) -> dict[str, tuple[str, ...]]:
    """Field -> values, from texts such as genre=news, or from a mapping."""
    if where is None:
        return {}
    pairs: list[tuple[Any, Any]]
    if isinstance(where, Mapping):
        pairs = [(name, value) for name, values in where.items() for value in ([values] if isinstance(values, str) else values)]
    else:
        texts = [where] if isinstance(where, str) else list(where) if isinstance(where, Iterable) else [where]
        pairs = [(name, value) for name, _, value in (str(text).partition("=") for text in texts)]
    if not pairs or not all(isinstance(part, str) and part.strip() for pair in pairs for part in pair):
        raise OptionError(f"where is FIELD=VALUE, as genre=news; found {shortened(repr(where))}")
    fields: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        fields[name.strip()] = tuple(dict.fromkeys((*fields.get(name.strip(), ()), value.strip())))
    return fields


def _number(name: str, value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise OptionError(f"{name} is a number of words, 0 or more; found {shortened(repr(value))}")
