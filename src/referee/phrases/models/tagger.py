"""A stochastic tagger: a hidden Markov model of the first order, with the exact posterior probabilities of its tags.

A word gets its tags from their counts in the training corpus; what is not known well is filled up from its form. With n(w,t)
the times that word w had tag t, and f the form of w::

    P(t|w) = (n(w,t) + P(t|f)) / (n(w) + 1)

The form is the ending of the word, of up to five letters, with whether it begins with a capital, has a digit or a hyphen, or
no letter at all. Its tags are learnt from the rare words, at most ten times seen, from the empty ending to the longest one that
was seen, each filled up by the one before in the same way. Transitions are filled up by the frequencies of tags,
P(t'|t) = (n(t,t') + 2 P(t')) / (n(t) + 2). As in every such model, P(w|t) = P(t|w) P(w) / P(t), where P(w) falls out.

The posterior of tag sequences given the words is again a Markov chain. `lattice` gives it exactly, from the forward and
backward sums, except that states and edges with a probability below `LEAST` are left out.

Sources: Church (1988) for the idea of tag probabilities; Brants (2000), TnT, for endings of rare words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats
from referee.exceptions import OptionError
from referee.phrases.candidates import Sentences
from referee.phrases.models.lattice import LEAST, Lattice, place_count, starts

RARE = 10
LONGEST_ENDING = 5


@dataclass(frozen=True, eq=False)
class HMM:
    """Counts of a tagged corpus.

    transitions : int64, shape (tags + 1, tags + 1), how often a tag (row) was followed by another; the last row is the
                  beginning of a sentence, the last column its end
    words       : of each word, how often it had which tag (by number)
    """

    tags: tuple[str, ...]
    transitions: NDArray[np.int64]
    words: Mapping[str, Mapping[int, int]]

    @classmethod
    def train(cls, sentences: Sentences, *, source: str = "<sentences>") -> HMM:
        """OptionError if the sentences, which are from this source, have no words, or no tags, or there are none."""
        if sentences.words is None or sentences.tags is None or not len(sentences):
            raise OptionError(f"{source}: found sentences without words or tags; expected both, to train a tagger")
        tags = tuple(sorted({tag for row in sentences.tags for tag in row}))
        number = {tag: t for t, tag in enumerate(tags)}
        edge = len(tags)
        words: defaultdict[str, Counter[int]] = defaultdict(Counter)
        path = [edge]
        for row_words, row_tags in zip(sentences.words, sentences.tags, strict=True):
            row = [number[tag] for tag in row_tags]
            for word, t in zip(row_words, row, strict=True):
                words[word][t] += 1
            path += [*row, edge]
        column = np.array(path)
        pairs = np.bincount(column[:-1] * (edge + 1) + column[1:], minlength=(edge + 1) ** 2)
        return cls(tags, pairs.reshape(edge + 1, -1), dict(words))

    def lattice(self, sentences: Sentences) -> Lattice:
        """The exact posterior chain. OptionError if the sentences have no words."""
        if sentences.words is None:
            raise OptionError("found sentences without words; expected words, as the tags come from a tagger")
        posterior, onward, ahead = self._chain(sentences)
        place, tag = np.nonzero(posterior >= LEAST)

        def conditional(state: NDArray[np.int64], to: NDArray[np.int64]) -> Floats:
            q: Floats = self.moves[tag[state], tag[to]] * onward[place[to], tag[to]] / ahead[place[state], tag[state]]
            return q

        return Lattice.linked(sentences, self.tags, place, tag, posterior[place, tag], conditional)

    def best(self, sentences: Sentences) -> list[list[str]]:
        """The most probable tag of each word."""
        posterior = self._chain(sentences)[0]
        tag = posterior[:, :-1].argmax(axis=1)
        rows = zip(starts(sentences).tolist(), sentences.length.tolist(), strict=True)
        return [[self.tags[t] for t in tag[first : first + n]] for first, n in rows]

    def _chain(self, sentences: Sentences) -> tuple[Floats, Floats, Floats]:
        """Of each place and tag, in arrays of shape (places, tags + 1): its posterior probability; its emission times `ahead`,
        up to a factor of the place; and `ahead`, P(words from the next place on | tag) up to a factor of the next place."""
        end = len(self.tags)
        onward, ahead = self._emissions(sentences), np.ones((place_count(sentences), end + 1))
        posterior = np.zeros_like(onward)
        first = starts(sentences)
        for n in np.unique(sentences.length).tolist():
            some = first[sentences.length == n]
            for place in (some + i for i in range(n - 1, -1, -1)):
                ahead[place] = onward[place + 1] @ self.moves.T
                onward[place] *= ahead[place]
                onward[place] /= onward[place].sum(axis=1, keepdims=True)
            posterior[some] = self.moves[end] * onward[some]
            posterior[some] /= posterior[some].sum(axis=1, keepdims=True)
            for place in (some + i for i in range(n)):
                posterior[place + 1] = (posterior[place] / ahead[place]) @ self.moves * onward[place + 1]
        return posterior, onward, ahead

    @cached_property
    def moves(self) -> Floats:
        """P(next tag | tag), the last row for the beginning of a sentence, the last column for its end."""
        counts = self.transitions.astype(np.float64)
        frequency = counts.sum(axis=0) / counts.sum()
        filled: Floats = (counts + 2 * frequency) / (counts.sum(axis=1, keepdims=True) + 2)
        return filled

    def _emissions(self, sentences: Sentences) -> Floats:
        """P(word | tag) / P(word) of each place; its end has only the tag of the end. (places, tags + 1)"""
        number: dict[str | None, int] = {None: 0}
        column = [number.setdefault(w, len(number)) for row in sentences.words or () for w in (*row, None)]
        table = np.zeros((len(number), len(self.tags) + 1))
        table[0, -1] = 1.0
        for word, row in number.items():
            if word is not None:
                table[row, :-1] = self._tags_of(word) / self._frequency
        return table[column]

    @cached_property
    def _frequency(self) -> Floats:
        """P(tag)."""
        counts = self.transitions.sum(axis=0)[:-1].astype(np.float64)
        frequency: Floats = counts / counts.sum()
        return frequency

    @cached_property
    def _forms(self) -> dict[tuple[str, str], Floats]:
        """How often the rare words of a shape, with an ending, had each tag."""
        forms: defaultdict[tuple[str, str], Floats] = defaultdict(lambda: np.zeros(len(self.tags)))
        for word, tags in self.words.items():
            if sum(tags.values()) <= RARE:
                for form in _forms(word):
                    for t, n in tags.items():
                        forms[form][t] += n
        return dict(forms)

    def _tags_of(self, word: str) -> Floats:
        """P(tag | word)."""
        p = self._frequency
        for form in _forms(word):
            if form not in self._forms:
                break
            counts = self._forms[form]
            p = (counts + p) / (counts.sum() + 1)
        known = np.zeros(len(self.tags))
        for t, n in self.words.get(word, {}).items():
            known[t] = n
        filled: Floats = (known + p) / (known.sum() + 1)
        return filled

    def values(self) -> dict[str, Any]:
        words = {word: {self.tags[t]: n for t, n in tags.items()} for word, tags in self.words.items()}
        return {"tags": list(self.tags), "transitions": self.transitions.tolist(), "words": words}


def _forms(word: str) -> list[tuple[str, str]]:
    """The shape of a word with its longer and longer endings.

    >>> _forms("Xes")
    [('capital', ''), ('capital', 's'), ('capital', 'es'), ('capital', 'Xes')]
    """
    if not any(c.isalpha() for c in word):
        shape = "digits" if any(c.isdigit() for c in word) else "signs"
    elif any(c.isdigit() for c in word):
        shape = "mixed"
    else:
        shape = ("capital" if word[0].isupper() else "") + ("hyphen" if "-" in word else "")
    return [(shape, word[len(word) - k :]) for k in range(min(len(word), LONGEST_ENDING) + 1)]
