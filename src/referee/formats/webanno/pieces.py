"""The pieces that the mentions of WebAnno TSV have in rows, as spans of tokens that are cut where a mention begins or ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, starts_of_runs
from referee.corpus import Spans
from referee.corpus.editing import join


class WebannoPieces(NamedTuple):
    """The pieces of mentions, one in each row.

    Parameters
    ----------
    mention : int64, shape (pieces,)
        The mention of each piece; those of one are together, in the order of their rows.
    places : int64, shape (pieces, 4)
        Where each begins and ends: a token and a character in it, a token and a character in it.
    """

    mention: Ints
    places: Ints

    def cuts(self) -> Ints:
        """The tokens in which a piece begins or ends, with the characters before which it does, in order. Shape (cuts, 2)."""
        edges = self.places.reshape(-1, 2)
        return np.unique(edges[edges[:, 1] > 0], axis=0)

    def scattered(self, sentences: Sequence[int]) -> int:
        """How many mentions have pieces in several sentences that do not touch."""
        first, second = self.places[:-1], self.places[1:]
        sentence = np.array(sentences, dtype=np.int64).searchsorted(self.places[:, 0], "right")
        apart = (second[:, 0] > first[:, 2]) & (sentence[1:] > sentence[:-1]) & (self.mention[1:] == self.mention[:-1])
        return len(np.unique(self.mention[1:][apart]))

    def spans(self, cuts: Ints) -> tuple[Ints, Ints, dict[int, Spans]]:
        """Where the tokens of each mention begin and end when tokens are cut; and the spans of those that have several."""
        start, end = (on_cut_tokens(cuts, self.places[:, side]) for side in ([0, 1], [2, 3]))
        (begins,) = (np.flatnonzero(starts_of_runs(self.mention)),)
        is_next = (start[1:] >= start[:-1]) & (start[1:] <= end[:-1])
        apart = np.unique(self.mention[1:][~is_next & (self.mention[1:] == self.mention[:-1])])
        limits = [*begins.tolist(), len(start)]
        fragments = {
            mention: join(zip(start[here].tolist(), end[here].tolist(), strict=True))
            for mention in apart.tolist()
            for here in [slice(limits[mention], limits[mention + 1])]
        }
        return np.minimum.reduceat(start, begins), np.maximum.reduceat(end, begins), fragments


def on_cut_tokens(cuts: Ints, places: Ints) -> Ints:
    """The number of the token that begins at each place, a token and a character in it, when tokens are cut.

    Examples
    --------
    >>> on_cut_tokens(np.array([[1, 2], [1, 5]]), np.array([[0, 0], [1, 0], [1, 2], [1, 5], [2, 0]])).tolist()
    [0, 1, 2, 3, 4]
    """
    token: Ints = places[:, 0]
    character = places[:, 1]
    if not len(cuts):
        return token
    width = 1 + int(cuts[:, 1].max())
    tokens: Ints = token + (cuts[:, 0] * width + cuts[:, 1]).searchsorted(token * width + character, "right")
    return tokens


def edges_of(cuts: Ints) -> Mapping[int, Sequence[int]]:
    """The characters at which the parts of each token that is cut begin."""
    edges: dict[int, list[int]] = {}
    for token, character in cuts.tolist():
        edges.setdefault(token, [0]).append(character)
    return edges
