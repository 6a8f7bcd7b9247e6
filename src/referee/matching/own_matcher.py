"""A matcher of the caller: a function of key and response that gives `Candidates`, which are checked here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from referee.basics.exceptions import OptionError
from referee.basics.options.options import function_name
from referee.corpus import Corpus
from referee.matching.spans import Candidates


def candidates_by(function: Callable[[Corpus, Corpus], Any], key: Corpus, response: Corpus) -> Candidates:
    """Return the pairs that a function of the caller gives.

    Raises
    ------
    OptionError
        If they are no `Candidates` of these mentions.
    """
    value = function(key, response)
    columns = [np.asarray(column) for column in value] if isinstance(value, (tuple, list)) else []
    if len(columns) != len(Candidates._fields) or len({column.shape for column in columns}) != 1 or columns[0].ndim != 1:
        raise _refused(
            function,
            f"{type(value).__name__}",
            "four arrays, as long: Candidates(key, response, shared, size), as docs/add-a-matcher.md says",
        )
    if len(columns[0]) and any(column.dtype.kind not in "iu" for column in columns):
        raise _refused(function, "other numbers than whole ones", "numbers of mentions, and weights as shared / size")
    candidates = Candidates(*(column.astype(np.int64) for column in columns))
    k, r, shared, size = candidates
    if not len(k):
        return candidates
    if min(k.min(), r.min()) < 0 or k.max() >= len(key.document) or r.max() >= len(response.document):
        raise _refused(function, "a number that no mention has", "numbers of mentions of key and response, from 0")
    if (key.document[k] != response.document[r]).any():
        raise _refused(function, "a pair of mentions of two documents", "pairs within a document: compare locations")
    if min(shared.min(), size.min()) <= 0:
        raise _refused(function, "a weight that is not above 0", "shared and size above 0, or no such pair")
    if len(np.unique(np.stack([k, r]), axis=1).T) < len(k):
        raise _refused(function, "a pair twice", "each pair once")
    return candidates


def _refused(function: Callable[..., Any], problem: str, expected: str) -> OptionError:
    return OptionError(f"matcher {function_name(function)!r} gave {problem}; expected {expected}")
