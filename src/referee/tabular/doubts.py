"""Tables of labels whose cells say that something else is meant: what is asked, and what is warned of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from referee.basics.exceptions import counted, one_line, shortened, warn
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.shared.source import OnError
from referee.tabular.numbers import WHOLE
from referee.tabular.text import TextTable

LIST = re.compile(r"\[.+,.+\]|\{.+,.+\}|[^;]+(?:;[^;]+)+|[^|]+(?:\|[^|]+)+|\w*\d\w*(?:(?:, ?| )\w*\d\w*)+")
"""A cell with several records: in brackets, with marks between them, or as words that all have digits."""


def check_labels(corpus: Corpus, table: TextTable, on_error: OnError, options: ReadOptions) -> None:
    """Report rows with all records of an entity; warn of links that look like labels, and of a record a document."""
    items = corpus.items or ()
    if len(items) == len(corpus.entity_ids) and (problem := joined_records(items)):
        on_error(None, problem)
    if table.header is None and table.separator and not options.columns and not all(map(WHOLE.fullmatch, corpus.entity_ids)):
        first = ",".join(next(iter(table.rows()), (0, [""]))[1])
        expected = "--columns left=1,right=2 if they are links"
        warn(f"{table.name} has no header: {one_line(shortened(first, 40))} is taken for an item and its entity; {expected}")


def joined_records(items: Sequence[str]) -> str:
    """What is wrong with the items of a table in which no entity has two rows, if cells have several; empty if nothing is."""
    joined = [item for item in items if LIST.fullmatch(item)] if len(items) > 1 else []
    if not joined:
        return ""
    cells = f"{len(joined)} of {counted(len(items), 'row')} with several records, such as {one_line(shortened(joined[0], 40))}"
    return f"has {cells}, and no entity has two rows; expected a row for each record, as DataFrame.explode makes them"


def are_row_numbers(items: Sequence[str]) -> bool:
    """Whether items count their rows, from 0 or 1; also anew in each document.

    >>> are_row_numbers(["0", "1", "2"]), are_row_numbers(["1", "2", "1", "2"]), are_row_numbers(["7", "3"])
    (True, True, False)
    """
    if not all(map(WHOLE.fullmatch, items)) or len(items) < 2:
        return False
    numbers = list(map(int, items))
    return numbers[0] in (0, 1) and all(b in (a + 1, numbers[0]) for a, b in pairwise(numbers))
