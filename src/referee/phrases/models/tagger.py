"""A stochastic tagger: a hidden Markov model of first order, with the exact posterior probabilities of its tags.

The tags of a word come from its counts in the training corpus, smoothed by its form. With n(w, t) the number of times that the
word w had the tag t, and f the form of w::

    P(t | w) = (n(w, t) + P(t | f)) / (n(w) + 1)

The form is the ending of the word, up to five letters, and whether it begins with a capital, contains a digit or a
hyphen, or no letter at all. The tags of forms are learnt from rare words, which were seen at most ten times: from the
empty ending to the longest one that was seen, each smoothed by the shorter one in the same way. Transitions are smoothed
by the frequencies of the tags, P(t' | t) = (n(t, t') + 2 P(t')) / (n(t) + 2). As in every such model, P(w | t) = P(t | w)
P(w) / P(t); P(w) cancels.

Given the words, the tag sequences are again a Markov chain. `HMM.lattice` computes it exactly, from the forward and backward
sums, except that states and edges with a probability below `MIN_PROBABILITY` are left out.

References
----------
.. [1] Church (1988), A Stochastic Parts Program and Noun Phrase Parser: the idea of tag probabilities.
.. [2] Brants (2000), TnT: the endings of rare words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, tally
from referee.basics.exceptions import OptionError, counted
from referee.phrases.annotation import Sentences
from referee.phrases.models.lattice import MIN_PROBABILITY, Lattice, first_positions, position_count

MAX_RARE = 10
MAX_ENDING = 5


@dataclass(frozen=True, eq=False)
class HMM:
    """The counts of a tagged corpus.

    Parameters
    ----------
    tags
        Names.
    transitions
        int64, shape (tags + 1, tags + 1): how often a tag (row) was followed by another. The last row is the beginning of a
        sentence, the last column its end.
    words
        How often each word had which tag, by the tag's number.
    """

    tags: tuple[str, ...]
    transitions: NDArray[np.int64]
    words: Mapping[str, Mapping[int, int]]

    def __repr__(self) -> str:
        return f"<HMM: {counted(len(self.tags), 'tag')}, {counted(len(self.words), 'word')}>"

    @classmethod
    def train(cls, sentences: Sentences, *, source: str = "<sentences>") -> HMM:
        """Count the tags of a corpus.

        Parameters
        ----------
        sentences
            Sentences with words and tags.
        source
            Where they come from, for messages.

        Raises
        ------
        OptionError
            If the sentences have no words or no tags, or there are none.
        """
        if sentences.words is None or sentences.tags is None or not len(sentences):
            raise OptionError(f"{source}: found sentences without words or tags; expected both, to train a tagger")
        tags = tuple(sorted({tag for row in sentences.tags for tag in row}))
        number = {tag: t for t, tag in enumerate(tags)}
        edge = len(tags)
        words: defaultdict[str, Counter[int]] = defaultdict(Counter)
        sequence = [edge]
        for row_words, row_tags in zip(sentences.words, sentences.tags, strict=True):
            row = [number[tag] for tag in row_tags]
            for word, t in zip(row_words, row, strict=True):
                words[word][t] += 1
            sequence += [*row, edge]
        column = np.array(sequence)
        pairs = tally(column[:-1] * (edge + 1) + column[1:], minlength=(edge + 1) ** 2)
        return cls(tags, pairs.reshape(edge + 1, -1), dict(words))

    def lattice(self, sentences: Sentences) -> Lattice:
        """The exact posterior chain.

        Raises
        ------
        OptionError
            If the sentences have no words.
        """
        if sentences.words is None:
            raise OptionError("found sentences without words; expected words, as the tags come from a tagger")
        chain = self._chain(sentences)
        position, tag = np.nonzero(chain.posterior >= MIN_PROBABILITY)

        def conditional(state: NDArray[np.int64], target: NDArray[np.int64]) -> Floats:
            weight: Floats = (
                self.transition_probabilities[tag[state], tag[target]] * chain.onward[position[target], tag[target]]
            )
            return weight / chain.ahead[position[state], tag[state]]

        return Lattice.linked(
            sentences,
            self.tags,
            position=position,
            tag=tag,
            probability=chain.posterior[position, tag],
            conditional=conditional,
        )

    def best(self, sentences: Sentences) -> list[list[str]]:
        """The most probable tag of each word."""
        posterior = self._chain(sentences).posterior
        tag = posterior[:, :-1].argmax(axis=1)
        rows = zip(first_positions(sentences).tolist(), sentences.length.tolist(), strict=True)
        return [[self.tags[t] for t in tag[first : first + n]] for first, n in rows]

    def _chain(self, sentences: Sentences) -> _Chain:
        """Forward and backward sums, for all sentences of one length at once."""
        moves, end = self.transition_probabilities, len(self.tags)
        onward = self._emissions(sentences)
        ahead, posterior = np.ones((position_count(sentences), end + 1)), np.zeros_like(onward)
        first = first_positions(sentences)
        for n in np.unique(sentences.length).tolist():
            starts = first[sentences.length == n]
            for at in (starts + i for i in range(n - 1, -1, -1)):
                ahead[at] = onward[at + 1] @ moves.T
                onward[at] *= ahead[at]
                onward[at] /= onward[at].sum(axis=1, keepdims=True)
            posterior[starts] = moves[end] * onward[starts]
            posterior[starts] /= posterior[starts].sum(axis=1, keepdims=True)
            for at in (starts + i for i in range(n)):
                posterior[at + 1] = (posterior[at] / ahead[at]) @ moves * onward[at + 1]
        return _Chain(posterior, onward, ahead)

    @cached_property
    def transition_probabilities(self) -> Floats:
        """P(next tag | tag). The last row is the beginning of a sentence, the last column its end."""
        counts = self.transitions.astype(np.float64)
        frequency = counts.sum(axis=0) / counts.sum()
        return np.asarray((counts + 2 * frequency) / (counts.sum(axis=1, keepdims=True) + 2))

    def _emissions(self, sentences: Sentences) -> Floats:
        """P(word | tag) / P(word) at each position; the end has only the tag of the end. Shape (positions, tags + 1)."""
        number: dict[str | None, int] = {None: 0}
        column = [number.setdefault(word, len(number)) for row in sentences.words or () for word in (*row, None)]
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
        return np.asarray(counts / counts.sum())

    @cached_property
    def _form_counts(self) -> dict[tuple[str, str], Floats]:
        """How often the rare words of each form had each tag."""
        forms: defaultdict[tuple[str, str], Floats] = defaultdict(lambda: np.zeros(len(self.tags)))
        for word, tags in self.words.items():
            if sum(tags.values()) <= MAX_RARE:
                for form in _forms(word):
                    for t, n in tags.items():
                        forms[form][t] += n
        return dict(forms)

    def _tags_of(self, word: str) -> Floats:
        """P(tag | word)."""
        p = self._frequency
        for form in _forms(word):
            if form not in self._form_counts:
                break
            counts = self._form_counts[form]
            p = (counts + p) / (counts.sum() + 1)
        counts = np.zeros(len(self.tags))
        for t, n in self.words.get(word, {}).items():
            counts[t] = n
        return np.asarray((counts + p) / (counts.sum() + 1))

    def values(self) -> dict[str, object]:
        """The counts as they are saved in JSON."""
        words = {word: {self.tags[t]: n for t, n in tags.items()} for word, tags in self.words.items()}
        return {"tags": list(self.tags), "transitions": self.transitions.tolist(), "words": words}


class _Chain(NamedTuple):
    """The posterior chain, in arrays of shape (positions, tags + 1).

    `posterior` is P(tag | words). `ahead` is P(words from the next position on | tag), up to a factor of the next position.
    `onward` is the emission times `ahead`, up to a factor of the position.
    """

    posterior: Floats
    onward: Floats
    ahead: Floats


def _forms(word: str) -> list[tuple[str, str]]:
    """The shape of a word with each of its endings, from the shortest to the longest.

    >>> _forms("Xes")
    [('capital', ''), ('capital', 's'), ('capital', 'es'), ('capital', 'Xes')]
    """
    if not any(c.isalpha() for c in word):
        shape = "digits" if any(c.isdigit() for c in word) else "signs"
    elif any(c.isdigit() for c in word):
        shape = "mixed"
    else:
        shape = ("capital" if word[0].isupper() else "") + ("hyphen" if "-" in word else "")
    return [(shape, word[len(word) - k :]) for k in range(min(len(word), MAX_ENDING) + 1)]
