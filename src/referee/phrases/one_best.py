"""Recall, precision and F1 of 1-best predictions: chunks matched with chunks.

A chunk of the response is correct if a chunk of the key

``exact``
    has the same span and category (conlleval, seqeval);
``span``
    has the same span, whatever its category;
``category``
    has the same category, and a word in common;
``partial``
    has a word in common, whatever its category; this counts one half if the spans differ.

SemEval 2013 calls these strict, exact, type and partial. Each chunk is matched with one chunk at most, and the matching
maximizes the sum of the credits. So nested and overlapping chunks are counted correctly, too. (nervaluate compares a chunk with
the first one that overlaps. Given the key [0, 9) and the response [0, 3), [0, 9), it finds no correct chunk. Here `exact` finds
one.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, tally
from referee.algorithms.assignment import assign
from referee.basics.exceptions import check_name, warn
from referee.matching.spans import within_ranges
from referee.phrases.annotation import Chunks, aligned, common_spans
from referee.stats.counts import Counts, divide, f_measure, rates

MATCHES = ("exact", "span", "category", "partial")


class ChunkCounts(NamedTuple):
    """The chunks of key and response, and how many are matched; a partial match counts one half.

    Recall is matched / key and precision matched / response; both are nan for 0 / 0.
    """

    matched: float
    key: int
    response: int

    @property
    def recall(self) -> float:
        """The share of the key's chunks that are matched."""
        return float(divide(self.matched, self.key))

    @property
    def precision(self) -> float:
        """The share of the response's chunks that are matched."""
        return float(divide(self.matched, self.response))

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision."""
        return float(f_measure(np.asarray(self.recall), np.asarray(self.precision)))


def match_chunks(key: Chunks, response: Chunks, match: str = "exact") -> ChunkCounts:
    """Match the chunks of a 1-best prediction with those of the key, and count them.

    Parameters
    ----------
    key, response
        Chunks of the same sentences.
    match
        One of `MATCHES`.

    Raises
    ------
    MismatchError
        If the sentences of key and response differ.
    UnknownNameError
        If there is no such match.

    Warns
    -----
    RefereeWarning
        If the search for the best matching had to stop early; the warning bounds the credit that may be missing.
    """
    matched, of_key, _, of_response = (
        column.sum().item() for column in match_by_sentence(key, response, match).columns.values()
    )
    return ChunkCounts(float(matched), of_key, of_response)


def match_by_sentence(key: Chunks, response: Chunks, match: str = "exact") -> Counts:
    """Match chunks as `match_chunks` does, and count them in each sentence: what is resampled.

    Parameters
    ----------
    key, response, match
        As in `match_chunks`, which says what is raised and warned of.

    Examples
    --------
    >>> from referee.phrases import decode
    >>> match_by_sentence(decode([["B-NP", "B-VP"], ["B-NP"]]), decode([["B-NP", "O"], ["O"]])).score().recall.tolist()
    [0.5, 0.0]
    """
    check_name("match", match, MATCHES)
    key, response = aligned(key, response)
    if match == "exact":
        in_response, _ = common_spans(key, response)
        sentence, credit = key.sentence[in_response], np.ones(int(in_response.sum()))
    else:
        k, r = overlapping_pairs(key, response)
        each = _credit(key, response, k, r, match)
        assigned = assign(k, r, each, len(key), len(response))
        if assigned.slack is not None:
            warn(
                f"{response.source}: the search for the best matching ({match}) stopped early: up to "
                f"{assigned.slack.sum():g} more chunks might be matched"
            )
        sentence, credit = key.sentence[k[assigned.edges]], each[assigned.edges]
    sentences = len(key.sentences)
    matched = tally(sentence, credit, sentences).astype(np.float64)  # integers, if there are none
    of_key, of_response = (tally(side.sentence, minlength=sentences) for side in (key, response))
    return rates((matched, of_key), (matched, of_response))


def overlapping_pairs(key: Chunks, response: Chunks) -> tuple[Ints, Ints]:
    """The pairs of chunks with a word in common: row numbers in the key, and in the response."""
    offsets = key.sentences.word_offsets
    starts = [offsets[side.sentence] + side.start for side in (key, response)]
    # Either the chunk of the key starts in that of the response, or the other way round, but not at the same word.
    r, k = within_ranges(starts[0], starts[1], starts[1] + response.length)
    k_after, r_after = within_ranges(starts[1], starts[0] + 1, starts[0] + key.length)
    return np.concatenate([k, k_after]), np.concatenate([r, r_after])


def _credit(key: Chunks, response: Chunks, k: Ints, r: Ints, match: str) -> Floats:
    """The credit of each pair of overlapping chunks."""
    same_span = (key.start[k] == response.start[r]) & (key.end[k] == response.end[r])
    if match == "span":
        return np.where(same_span, 1.0, 0.0)
    if match == "category":
        return np.where(key.category[k] == response.category[r], 1.0, 0.0)
    return np.where(same_span, 1.0, 0.5)
