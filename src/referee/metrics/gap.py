"""GAP's measures: does the pronoun refer to A, and does it to B? Two decisions an example, counted by gender.

An example is a document with mentions called `pronoun`, `A` and `B`; see `referee.formats.gap`. Other documents are passed
over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import Corpus
from referee.counts import Columns, Counts, Score, divide, finish_rates, rates
from referee.metrics.table import Table

PRONOUN, NAMES = "pronoun", ("A", "B")
FEMININE, MASCULINE = "feminine", "masculine"


class _Decisions(NamedTuple):
    """Links of each example: found, to be found, and proposed by the response, int64, shape (documents,); and which documents
    are of a gender."""

    found: Ints
    key: Ints
    response: Ints
    gender: Mapping[str, NDArray[np.bool_]]


def gap(table: Table) -> Counts:
    """Links between a pronoun and the two names that it may refer to, in GAP.

    Counts are links. Of an example that the response lacks both names count as links that it missed, even where the key has
    none: so does GAP's scorer. An example that only the response has does not count.

    Source: Webster et al. (2018); `gap_scorer.py`.
    """
    d = table.once(_decisions)
    return rates((d.found, d.key), (d.found, d.response))


def gap_masculine(table: Table) -> Counts:
    """`gap` over the examples whose pronoun is masculine, by the key.

    Counts are links.

    Source: Webster et al. (2018); `gap_scorer.py`.
    """
    return _of_gender(MASCULINE, table)


def gap_feminine(table: Table) -> Counts:
    """`gap` over the examples whose pronoun is feminine, by the key.

    Counts are links.

    Source: Webster et al. (2018); `gap_scorer.py`.
    """
    return _of_gender(FEMININE, table)


def gap_bias(table: Table) -> Counts:
    """F over GAP's feminine pronouns divided by F over its masculine ones: one number, 1 where there is no bias.

    Counts are links of both genders. Undefined where one of the two F is 0, as in GAP's scorer; so for a single document.

    Source: Webster et al. (2018); `gap_scorer.py`.
    """
    sides = {gender: _of_gender(gender, table).columns for gender in (FEMININE, MASCULINE)}
    return Counts({f"{gender}.{name}": c for gender, side in sides.items() for name, c in side.items()}, _finish_bias, "F/M")


def _finish_bias(c: Columns, undefined: float, beta: float) -> Score:
    def f(gender: str) -> Any:
        side = {name.removeprefix(f"{gender}."): column for name, column in c.items() if name.startswith(f"{gender}.")}
        return finish_rates(side, 0.0, beta).value

    feminine, masculine = f(FEMININE), f(MASCULINE)
    return Score(divide(feminine, np.where(feminine > 0, masculine, 0), undefined))


def _of_gender(gender: str, table: Table) -> Counts:
    d = table.once(_decisions)
    found, key, response = (np.where(d.gender[gender], links, 0) for links in d[:3])
    return rates((found, key), (found, response))


def _decisions(table: Table) -> _Decisions:
    sides = table.layers or table.matching
    if sides is None or sides.key.items is None:
        nothing = np.zeros(table.documents, dtype=np.int64)
        return _Decisions(nothing, nothing, nothing, dict.fromkeys((FEMININE, MASCULINE), nothing > 0))
    mentions = _mentions(sides.key)
    asked, right = _links(sides.key, mentions)
    answered, given = _links(sides.response, _mentions(sides.response))
    missed = asked & np.where(answered, right & ~given, True)
    spurious = asked & ~right & given
    found, missed, spurious = (decisions.sum(axis=1, dtype=np.int64) for decisions in (right & given, missed, spurious))
    return _Decisions(found, found + missed, found + spurious, _genders(sides.key, mentions[:, 0]))


def _mentions(corpus: Corpus) -> Ints:
    """The number of each document's mentions called PRONOUN and NAMES, -1 where there is none; shape (documents, 3)."""
    numbers = np.full((len(corpus.doc_ids), 3), -1)
    few = np.bincount(corpus.document, minlength=len(corpus.doc_ids)) <= 3  # most names of other data need not be looked at
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
