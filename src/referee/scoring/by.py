"""What scores are broken down by: documents, datasets, or groups; and what the parts are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from referee.basics.exceptions import UnknownNameError, counted

Grouping: TypeAlias = Callable[[str], str]
"""The group of a document, by its name."""

DATASETS = ("file", "folder")
"""Groups that are datasets: the files of the key, or the folders in it."""

BY = ("document", *DATASETS)
"""What scores are broken down by, if not by groups that the user defines."""

By: TypeAlias = str | Grouping | None
"""Of `BY`, or what gives the group of a document by its name; None for no breakdown."""


OVER_ALL = ("micro", "macro")
"""What programs call the sums over all documents, and the mean over documents or groups."""


def check_by(by: object) -> None:
    """Raise UnknownNameError for what scores cannot be broken down by."""
    if by is not None and not callable(by) and by not in BY:
        remedy = f"expected {', '.join(BY)}, or a function from the name of a document to that of its group"
        raise UnknownNameError("breakdown", by, BY, remedy=remedy)


def noun_of(by: By) -> str:
    """What scores are broken down by, as a column is called."""
    return "group" if callable(by) else by or "document"


def label_of(average: str, noun: str, number: int) -> str:
    """What tables for people call the rows over all documents.

    >>> label_of("macro", "file", 22), label_of("micro", "file", 22)
    ('macro (mean of 22 files)', 'micro (all documents)')
    """
    over = f"{number} corpora" if noun == "corpus" else counted(number, noun)
    return "micro (all documents)" if average == "micro" else f"macro (mean of {over})"
