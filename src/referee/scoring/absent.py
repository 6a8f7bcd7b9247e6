"""Records that only one side has, as a report says it: how many, and the first one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import counted, one_line, shortened
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.common_records import is_sample
from referee.metrics.scores import Scores


def absent(s: Scores, response: str = "the response") -> Iterator[str]:
    """Yield a line for the key's records that the response lacks, and for those that only the response has.

    Nothing is said of texts; of a key that seems to be a sample, or without singletons, which other messages are about; and of
    tables whose rows stay columns, unless `mentions` are counted.

    Parameters
    ----------
    s : Scores
        Of one response.
    response : str
        What it is called.
    """
    pair = getattr(s, "compared", None)  # as `compared_of`, which imports what tables need
    if pair is None or s.options.singletons != "keep":
        return
    if not isinstance(pair, Pair):
        if "mentions" in s.counts:
            total = {name: int(column[0]) for name, column in s.counts["mentions"].total().columns.items()}
            of_key, of_response = total["recall_denominator"], total["precision_denominator"]
            yield from _lines(of_key, of_response, total["recall_numerator"], ("", ""), response)
        return
    key, other = pair.scored
    if "texts" in (key.kind, other.kind) or (matched := len(pair.matching.key_mention)) == len(key.entity) == len(other.entity):
        return
    firsts = _first(key, pair.matching.key_mention), _first(other, pair.matching.response_mention)
    yield from _lines(len(key.entity), len(other.entity), matched, firsts, response)


def _lines(of_key: int, of_response: int, common: int, firsts: tuple[str, str], response: str) -> Iterator[str]:
    missed, spurious = of_key - common, of_response - common
    if not common:
        return
    if missed:
        are = "is" if missed == 1 else "are"
        yield f"{counted(missed, 'record')} of the key {are} not in {response}{firsts[0]}: counted as missed"
    if spurious and not is_sample(common, of_response):
        are = "is" if spurious == 1 else "are"
        yield f"{counted(spurious, 'record')} of {response} {are} not in the key{firsts[1]}: counted as spurious"


def _first(side: Corpus, matched: Ints) -> str:
    """The first record that the other side does not have."""
    alone = np.ones(len(side.entity), dtype=bool)
    alone[matched] = False
    return f" (the first: {one_line(shortened((side.items or ())[int(alone.argmax())]))})" if alone.any() and side.items else ""
