"""Labels: items with the labels of their entities, as a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Ints, arange, argsort, starts_of_runs
from referee.basics.exceptions import counted, one_line, shortened
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.strings import Names, ranks
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError
from referee.tabular.doubts import are_row_numbers, check_labels
from referee.tabular.missing import any_missing, is_missing
from referee.tabular.roles import NAMES, are_decisions
from referee.tabular.text import TextTable

BETWEEN = "/"
"""What stands between a source and an item, in the name of a record."""


def labels_of(table: TextTable, on_error: OnError, options: ReadOptions) -> Corpus:
    """Return the corpus of a table of items and entities."""
    if "item" in options.columns:
        table = table._replace(schema=table.schema._replace(span=()))
    places, nulls = table.schema.places, options.nulls
    corpus = (
        None if table.column is None or "source" in places or table.schema.span else _of_columns(table.column, table, nulls)
    )
    if corpus is None:
        corpus = _of_rows(table, on_error, nulls)
    if not table.sure and not _are_labels(corpus):
        problem = "has two columns and no header: has each row a record and its entity, or two records?"
        on_error(1, f"{problem} Say {options.option} item=1,entity=2, or left=1,right=2")
    check_labels(corpus, table, on_error, options)
    if table.schema.doubt and len(corpus.entity_ids) <= 2 and are_decisions(corpus.entity_ids):
        on_error(table.header, table.schema.doubt)
    return corpus


def _of_rows(table: TextTable, on_error: OnError, nulls: str) -> Corpus:
    """The corpus of rows, one by one, grouped by their documents if they have any."""
    with_documents = "document" in table.schema.places
    groups: dict[str, tuple[list[str], list[str]]] = {} if with_documents else {"": ([], [])}
    for document, item, entity in _complete(table, on_error, nulls):
        items, entities = groups.setdefault(document, ([], []))
        items.append(item)
        entities.append(entity)
    builder = CorpusBuilder(table.name)
    for document, (items, entities) in groups.items():
        builder.document(document)
        builder.add_items(items, entities)
    return replace(builder.corpus(), kind="labels")


def _are_labels(corpus: Corpus) -> bool:
    """Whether each item is there once, and an entity has two: what two columns without a header must be."""
    twice = not starts_of_runs(corpus.document, corpus.start).all()
    return not len(corpus.document) or (not twice and bool((corpus.entity_size > 1).any()))


def _of_columns(column: Callable[[int], Names | None], table: TextTable, nulls: str) -> Corpus | None:
    """The corpus of a table without errors; None of another."""
    places = table.schema.places
    names = {role: column(place) for role, place in places.items()}
    if any(cells is None or (nulls != "keep" and any_missing(cells)) for cells in names.values()):
        return None
    items, entities, of_document = names["item"], names["entity"], names.get("document")
    assert items is not None  # as no column is None
    assert entities is not None
    (entity,) = ranks(entities)
    document: Ints = np.zeros(len(items), dtype=np.int32)
    doc_ids: tuple[str, ...] = ("#1",)
    if of_document is not None:
        number, first = numbered(ranks(of_document)[0])
        order = argsort(number)
        document, doc_ids = number[order], tuple(of_document.take(first))
        items, entity, entities = items.take(order), entity[order], entities.take(order)
    entity, first = numbered(document, entity) if len(doc_ids) > 1 else numbered(entity)
    place = np.zeros(len(items), dtype=np.int32)
    ids = entities.take(first)
    return Corpus(
        doc_ids, document, place, place, entity, ids, items=items, source=table.name, kind="labels"
    ).in_reading_order()


def numbered(*columns: Ints) -> tuple[Ints, Ints]:
    """Number the rows in the order in which they first appear, equal ones alike; and the first row of each number.

    A column alone should have no values far above the number of rows.
    """
    values = columns[0]
    if len(columns) > 1:
        order = argsort(*columns)
        values = np.empty_like(order)
        values[order] = np.cumsum(starts_of_runs(*(column[order] for column in columns)))
    row = arange(len(values))
    first = np.zeros(int(values.max(initial=0)) + 1, dtype=np.int64)
    first[values[::-1]] = row[::-1]  # the last of several is kept
    first_of_row = first[values]
    new = first_of_row == row
    return (np.cumsum(new, dtype=np.int64) - 1)[first_of_row], np.flatnonzero(new)


def _complete(table: TextTable, on_error: OnError, nulls: str) -> list[tuple[str, str, str]]:
    """The document, item and entity of rows in which nothing is missing; the others are faults, or what `nulls` says."""
    places, width = table.schema.places, len(table.names)
    complete: list[tuple[str, str, str]] = []
    spans: list[str] = []
    gaps: list[tuple[int, str]] = []
    for line, row in table.rows():
        if len(row) != width:
            place_of_header = "in the header" if table.header is not None else "in the first row"
            on_error(line, f"found {counted(len(row), 'field')}; expected {width}, as {place_of_header}")
            continue
        document, source, item, entity = (row[places[role]] if role in places else "" for role in NAMES)
        if problem := slash(source):
            on_error(line, problem)
            continue
        lacking = [role for role, place in places.items() if is_missing(row[place], nulls)]
        is_alone = lacking == ["entity"] and nulls == "singleton"
        if lacking and not is_alone:
            gaps.append((line, shown_gap(row, places)))
        else:
            complete.append((document, f"{source}{BETWEEN}{item}" if "source" in places else item, "" if is_alone else entity))
            spans.append("-".join(row[place] for place in table.schema.span))
    report_gaps(table.name, gaps, on_error, nulls, "an item and an entity")
    if table.schema.span and are_row_numbers([item for _, item, _ in complete]):
        item, ends = table.names[places["item"]], [table.names[place] for place in table.schema.span]
        named = f"{{}} of {item} that count the rows: mentions are called by {ends[0]} and {ends[1]}"
        warn_file(table.name, f"has {named}; --columns item={item} keeps the numbers", "number", len(complete))
        complete = [(document, span, entity) for (document, _, entity), span in zip(complete, spans, strict=True)]
    mark = "alone:"
    while any(entity.startswith(mark) for _, _, entity in complete):
        mark += ":"
    return [(document, item, entity or mark + item) for document, item, entity in complete]


def slash(source: str) -> str:
    """What is wrong with a source that has the mark between a source and an item; empty if nothing."""
    if BETWEEN not in source:
        return ""
    return f"found the source {shortened(source)!r}; expected a name without {BETWEEN}, which stands before the item: rename it"


def shown_gap(row: Sequence[str], places: Mapping[str, int]) -> str:
    """A row in which something is missing."""
    return ", ".join(f"{role} {one_line(shortened(row[place])) or 'empty'}" for role, place in places.items())


def report_gaps(name: str, gaps: Sequence[tuple[int, str]], on_error: OnError, nulls: str, expected: str) -> None:
    """Say what is wrong with rows that lack something; where they are left out, how many."""
    if gaps and nulls == "drop":
        warn_file(name, "has {} without a value ({names}), left out: --nulls drop", "row", {gaps[0][1]: len(gaps)})
        return
    words = any(has_words(gap) for _, gap in gaps)
    for line, gap in gaps:
        rows = f"has {counted(len(gaps), 'row')} without a value ({gap}); expected {expected}"
        on_error(line, f"{rows}: {remedy_of_gaps(nulls, expected, words=words)}")


def has_words(gap: str) -> bool:
    """Whether what is missing in a row is a word, and no empty cell."""
    return " empty" not in gap


def remedy_of_gaps(nulls: str, expected: str, *, words: bool = False) -> str:
    """What to do about rows that lack something; with `words`, as some have a word that stands for nothing."""
    ways = ["--nulls drop leaves these rows out"]
    if nulls == "error" and "entity" in expected:
        ways.append("--nulls singleton makes an entity of each item without one")
    if nulls != "keep" and words:
        ways.append("--nulls keep takes such words for names")
    return ", ".join(ways)
