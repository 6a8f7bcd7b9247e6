"""Labels: items with the labels of their entities, as a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, arange, argsort, starts_of_runs
from referee.basics.exceptions import counted, one_line, shortened
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.strings import Names, ranks
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError
from referee.tabular.missing import any_missing, is_missing
from referee.tabular.roles import are_decisions
from referee.tabular.text import TextTable

BETWEEN = "/"
"""What stands between a source and an item, in the name of a record."""


def labels_of(table: TextTable, on_error: OnError, options: ReadOptions) -> Corpus:
    """Return the corpus of a table of items and entities."""
    places, nulls = table.schema.places, options.nulls
    corpus = None if table.column is None or "source" in places else _of_columns(table.column, table, nulls)
    if corpus is None:
        corpus = corpus_of_labels(table.name, _complete(table, on_error, nulls), documents="document" in places)
    if not table.sure and not _are_labels(corpus):
        problem = "has two columns, no header, and no two items of an entity, or an item twice: labels or pairs?"
        on_error(1, f"{problem} Say {options.option} item=1,entity=2, or left=1,right=2")
    if table.schema.doubt and len(corpus.entity_ids) <= 2 and are_decisions(corpus.entity_ids):
        on_error(table.header, table.schema.doubt)
    return corpus


def corpus_of_labels(name: str, rows: Iterable[Label], *, documents: bool) -> Corpus:
    """Return the corpus of labels, grouped by their documents if they have any."""
    groups: dict[str, tuple[list[str], list[str]]] = {} if documents else {"": ([], [])}
    for label in rows:
        items, entities = groups.setdefault(label.document, ([], []))
        items.append(label.item)
        entities.append(label.entity)
    builder = CorpusBuilder(name)
    for document, (items, entities) in groups.items():
        builder.document(document)
        builder.add_items(items, entities)
    return replace(builder.corpus(), kind="labels")


class Label(NamedTuple):
    """An item, its entity, and its document; empty if there are no documents."""

    item: str
    entity: str
    document: str


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
    if of_document is None:
        return _of_items(table.name, ("#1",), np.zeros(len(items), dtype=np.int32), items, entity, entities)
    document, first = numbered(ranks(of_document)[0])
    order = argsort(document)
    doc_ids = tuple(of_document.take(first))
    return _of_items(table.name, doc_ids, document[order], items.take(order), entity[order], entities.take(order))


def _of_items(name: str, doc_ids: tuple[str, ...], document: Ints, items: Names, entity: Ints, entities: Names) -> Corpus:
    """Return the corpus of items in the order of their documents, with the numbers and names of their entities."""
    entity, first = numbered(document, entity) if len(doc_ids) > 1 else numbered(entity)
    place = np.zeros(len(items), dtype=np.int32)
    names = entities.take(first)
    return Corpus(doc_ids, document, place, place, entity, names, items=items, source=name, kind="labels").in_reading_order()


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


def _complete(table: TextTable, on_error: OnError, nulls: str) -> Iterator[Label]:
    """The rows in which nothing is missing; the others are faults, or what `nulls` says."""
    places, width = table.schema.places, len(table.names)
    complete: list[Label] = []
    gaps: list[tuple[int, str]] = []
    alone = 0
    for line, row in table.rows():
        if len(row) != width:
            place_of_header = "in the header" if table.header is not None else "in the first row"
            on_error(line, f"found {counted(len(row), 'field')}; expected {width}, as {place_of_header}")
            continue
        if "source" in places and (problem := slash(row[places["source"]])):
            on_error(line, problem)
            continue
        lacking = [role for role, place in places.items() if is_missing(row[place], nulls)]
        item = f"{row[places['source']]}{BETWEEN}{row[places['item']]}" if "source" in places else row[places["item"]]
        label = Label(item, row[places["entity"]], row[places["document"]] if "document" in places else "")
        if lacking == ["entity"] and nulls == "singleton":
            alone += 1
            complete.append(label._replace(entity=""))
        elif lacking:
            gaps.append((line, shown_gap(row, places)))
        else:
            complete.append(label)
    report_gaps(table.name, gaps, on_error, nulls, "an item and an entity")
    yield from _with_singletons(complete) if alone else complete


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


def _with_singletons(rows: Sequence[Label]) -> Iterator[Label]:
    """Each item without an entity in one of its own, which is called as no other is."""
    entities = {row.entity for row in rows}
    mark = "alone:"
    while any(entity.startswith(mark) for entity in entities):
        mark += ":"
    return (row if row.entity else row._replace(entity=mark + row.item) for row in rows)
