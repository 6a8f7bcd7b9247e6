"""The options of `referee.score` as type checkers see them, and their names for `checked` calls; `Options` has the values."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypedDict


class ReadingOptions(TypedDict, total=False):
    """How tables and folders are read, as type checkers see it; `ReadOptions` says more."""

    columns: str | int | Mapping[str, str | int] | None
    key_columns: str | int | Mapping[str, str | int] | None
    response_columns: str | int | Mapping[str, str | int] | None
    nulls: Literal["error", "drop", "singleton", "keep"]
    tables: Literal["one", "two"] | None
    ids: Literal["text", "number"]
    skip_bad_files: bool
    encoding: str | None
    relations: str | Iterable[str] | None


class TableOptions(ReadingOptions, total=False):
    """The options of tables as type checkers see them; `EngineSettings` says what the others mean."""

    engine: Literal["memory", "duckdb", "spark"] | None
    memory: int | str | None
    spill: str | None
    threads: int | None
    master: str | None
    spark_conf: str | Mapping[str, str] | None


class ScoreOptions(TypedDict, total=False):
    """The options of `referee.score` as type checkers see them; `Options` says what each means."""

    match: Literal["exact", "head", "partial", "min", "overlap", "craft"] | Callable[..., Any]
    min_overlap: float
    zeros: Literal["dependent", "linear", "drop"]
    repeated_mentions: Literal["first", "merge", "error", "conll", "corefud", "ua"]
    singletons: Literal["keep", "drop", "drop-annotated"]
    cross_document: Literal["topic", "corpus"] | None
    zero_division: float
    average: Literal["micro", "macro"]
    tokens: Literal["compare", "align", "warn", "ignore"]
    extra_documents: Literal["score", "ignore"]
    items: Literal["union", "singletons", "key", "both"]
    quotes: Literal["ordered", "all", "first"]
    added_mentions: Literal["score", "ignore"]
    sample: float
    decimals: Literal["round", "truncate"]
    beta: float
    lea_importance: Mapping[str, float] | None


class InputOptions(ScoreOptions, TableOptions, total=False):
    """The options of `referee.score` for texts and for tables."""


class DocumentOptions(TypedDict, total=False):
    """Which documents are compared, as type checkers see it; `DocumentFilter` says what each means."""

    documents: str | Iterable[Any] | Callable[[Any], object] | None
    where: str | Iterable[str] | Mapping[str, str | Iterable[str]] | None
    metadata: str | os.PathLike[str] | Mapping[str, Mapping[str, str]] | None
    min_tokens: int | None
    max_tokens: int | None


class PairOptions(InputOptions, DocumentOptions, total=False):
    """The options of calls that compare documents of a key with those of responses."""
