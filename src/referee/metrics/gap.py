"""GAP: does the pronoun refer to A, and does it refer to B? Two decisions for each example, counted by gender.

An example is a document with mentions called `pronoun`, `A` and `B`; see `referee.formats.gap`. Other documents are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints, tally
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.metric import metric
from referee.stats.counts import Columns, Counts, ScoreColumns, divide, finish_rates, rates

PRONOUN, NAMES = "pronoun", ("A", "B")
FEMININE, MASCULINE = "feminine", "masculine"


class _GapDecisions(NamedTuple):
    """Links found, of the key and of the response, int64; documents of a gender, bool. All of shape (documents,)."""

    right: Ints
    key: Ints
    response: Ints
    gender: Mapping[str, NDArray[np.bool_]]


@metric("GAP", counts="links", scope="annotation", needs="gap")
def gap(pair: Pair) -> Counts:
    """Links between a pronoun and the two names that it may refer to.

    Notes
    -----
    If the response lacks an example, both names count as missed links, even if the key links none, as in GAP's scorer. An
    example that only the response has does not count.

    References
    ----------
    Webster et al. (2018); `gap_scorer.py`.
    """
    d = pair.memo_call(_decisions)
    return rates((d.right, d.key), (d.right, d.response))


@metric("GAP, masculine", counts="links", scope="annotation", needs="gap")
def gap_masculine(pair: Pair) -> Counts:
    """`gap` over the examples whose pronoun is masculine in the key.

    References
    ----------
    Webster et al. (2018); `gap_scorer.py`.
    """
    return _of_gender(MASCULINE, pair)


@metric("GAP, feminine", counts="links", scope="annotation", needs="gap")
def gap_feminine(pair: Pair) -> Counts:
    """`gap` over the examples whose pronoun is feminine in the key.

    References
    ----------
    Webster et al. (2018); `gap_scorer.py`.
    """
    return _of_gender(FEMININE, pair)


@metric("GAP bias", counts="links", scope="annotation", needs="gap", unit="F/M", target=1.0)
def gap_bias(pair: Pair) -> Counts:
    """F of `gap_feminine` divided by F of `gap_masculine`, one number.

    Notes
    -----
    1 means no bias. It is undefined if one of the two F is 0, as in GAP's scorer, and so for a single document.

    References
    ----------
    Webster et al. (2018); `gap_scorer.py`.
    """
    sides = {gender: _of_gender(gender, pair).columns for gender in (FEMININE, MASCULINE)}
    return Counts({f"{gender}.{name}": c for gender, side in sides.items() for name, c in side.items()}, _finish_bias, "F/M")


def _finish_bias(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    def f(gender: str) -> Floats:
        side = {name.removeprefix(f"{gender}."): column for name, column in c.items() if name.startswith(f"{gender}.")}
        return finish_rates(side, 0.0, beta).value

    feminine, masculine = f(FEMININE), f(MASCULINE)
    return ScoreColumns(divide(feminine, np.where(feminine > 0, masculine, 0), zero_division))


def _of_gender(gender: str, pair: Pair) -> Counts:
    d = pair.memo_call(_decisions)
    right, key, response = (np.where(d.gender[gender], links, 0) for links in d[:3])
    return rates((right, key), (right, response))


def _decisions(pair: Pair) -> _GapDecisions:
    sides = pair.unfiltered
    if sides.key.items is None:
        nothing = np.zeros(len(sides.key.doc_ids), dtype=np.int64)
        return _GapDecisions(nothing, nothing, nothing, dict.fromkeys((FEMININE, MASCULINE), nothing > 0))
    mentions = _mentions(sides.key)
    in_key, linked = _links(sides.key, mentions)
    answered, there = _links(sides.response, _mentions(sides.response))
    missed = in_key & np.where(answered, linked & ~there, True)
    spurious = in_key & ~linked & there
    right, missed, spurious = (decisions.sum(axis=1, dtype=np.int64) for decisions in (linked & there, missed, spurious))
    return _GapDecisions(right, right + missed, right + spurious, _genders(sides.key, mentions[:, 0]))


def _mentions(corpus: Corpus) -> Ints:
    """The mentions of each document called PRONOUN and NAMES, -1 for none; shape (documents, 3)."""
    numbers = np.full((len(corpus.doc_ids), 3), -1)
    few = tally(corpus.document, minlength=len(corpus.doc_ids)) <= 3  # for speed on data without GAP
    items = corpus.items or ()
    for m in np.flatnonzero(few[corpus.document]).tolist() if items else ():
        if items[m] in (PRONOUN, *NAMES):
            numbers[corpus.document[m], (PRONOUN, *NAMES).index(items[m])] = m
    return numbers


def _links(corpus: Corpus, mentions: Ints) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether there are a pronoun and the name, and whether they are of one entity; both of shape (documents, 2)."""
    there = (mentions[:, :1] >= 0) & (mentions[:, 1:] >= 0)
    entity = np.append(corpus.entity, -1)[mentions]
    return there, there & (entity[:, :1] == entity[:, 1:])


def _genders(corpus: Corpus, pronoun: Ints) -> Mapping[str, NDArray[np.bool_]]:
    types = corpus.entity_types
    entity = np.append(corpus.entity, -1)[pronoun].tolist()
    genders = ["" if e < 0 or types is None else types[e] for e in entity]
    return {gender: np.array([g == gender for g in genders], dtype=bool) for gender in (FEMININE, MASCULINE)}
