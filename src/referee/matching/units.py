"""The tokens of one side as units: words or, in documents aligned by characters, the characters that both texts have.

An empty node is no unit. It stands before a unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from referee.algorithms.arrays import Bools, Ints, locations, starts_of_runs
from referee.corpus import Corpus

if TYPE_CHECKING:
    from referee.matching.characters import TokenCharacters

_NONE = np.empty(0, dtype=np.int64)


class TokenUnits:
    """Where the tokens of a corpus start and end in units.

    Parameters
    ----------
    corpus : Corpus
    aligned : sequence of TokenCharacters or None
        For each document, its words on common characters; None where units are words.
    counted : bool
        Whether empty nodes between two words go by their order, and not by their minor numbers.

    Attributes
    ----------
    nodes : int64, shape (empty nodes, 4)
        Of each empty node, in the order of the text: document; unit before which it stands; its minor number, as in the 1 of
        5.1; and its rank among the nodes with the same three. The rank is above 0 only where a word without a common character
        is between two nodes. Nodes of key and response are the same position if their rows are equal.
    """

    def __init__(self, corpus: Corpus, aligned: Sequence[TokenCharacters | None], *, counted: bool = False) -> None:
        self._set_words(aligned)
        empty = corpus.empty_nodes
        document, node, minor = (
            (_NONE, _NONE, _NONE)
            if empty is None
            else (column.astype(np.int64) for column in (empty.document, empty.node, empty.minor))
        )
        self._empty_tokens = locations(document, node)
        unit = self.starts(document, node)
        minor = np.zeros_like(minor) if counted else minor
        new = starts_of_runs(document, unit, minor)
        rank = np.arange(len(new)) - np.flatnonzero(new)[np.cumsum(new) - 1] if len(new) else _NONE
        self.nodes = np.stack([document, unit, minor, rank], axis=1)

    def _set_words(self, aligned: Sequence[TokenCharacters | None]) -> None:
        """Put the words of all documents aligned by characters into one table, with a row for the end of each document."""
        words = {d: tokens for d, tokens in enumerate(aligned) if tokens is not None and len(tokens.start)}
        self._word_start = np.concatenate([edge for w in words.values() for edge in (w.start, w.end[-1:])] or [_NONE])
        self._word_end = np.concatenate([edge for w in words.values() for edge in (w.end, w.end[-1:])] or [_NONE])
        self._words = np.zeros(len(aligned), dtype=np.int64)  # of each document
        self._words[list(words)] = [len(w.start) for w in words.values()]
        self._first_row = np.full(len(aligned), -1, dtype=np.int64)  # of each document; -1 where units are words
        self._first_row[list(words)] = np.cumsum([0, *(len(w.start) + 1 for w in words.values())])[:-1]

    def is_empty_node(self, document: Ints, token: Ints) -> tuple[Bools, Ints]:
        """Which tokens are empty nodes, and for these their numbers among the empty nodes."""
        token_location = locations(document, token)
        number = np.searchsorted(self._empty_tokens, token_location)
        is_node = np.zeros(len(number), dtype=bool)
        inside = number < len(self._empty_tokens)
        is_node[inside] = self._empty_tokens[number[inside]] == token_location[inside]
        return is_node, number

    def starts(self, document: Ints, token: Ints) -> Ints:
        """The first unit of each token; of an empty node, the unit before which it stands."""
        word = self._words_before(document, token)
        return self._in_characters(word, self._word_start, document, word)

    def ends(self, document: Ints, token: Ints) -> Ints:
        """The unit after the last unit of each token."""
        word = self._words_before(document, token)
        return self._in_characters(word + 1, self._word_end, document, word)

    def _words_before(self, document: Ints, token: Ints) -> Ints:
        """How many words of the document are before each token."""
        nodes_before = np.searchsorted(self._empty_tokens, locations(document, token))
        return token - (nodes_before - np.searchsorted(self._empty_tokens, locations(document, 0)))

    def _in_characters(self, units: Ints, edges: Ints, document: Ints, word: Ints) -> Ints:
        """The units, replaced by edges of words in documents that are aligned by characters."""
        aligned = self._first_row[document] >= 0
        d = document[aligned]
        units = units.copy()
        units[aligned] = edges[self._first_row[d] + np.minimum(word[aligned], self._words[d])]
        return units
