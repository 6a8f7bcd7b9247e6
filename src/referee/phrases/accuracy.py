"""The share of words whose tag is right: `tag_accuracy`."""

from __future__ import annotations

from operator import eq

import numpy as np

from referee.algorithms.arrays import Ints, ranges, repeat, tally
from referee.phrases.annotation import Chunks, aligned
from referee.stats.counts import Counts, single


def tag_accuracy(key: Chunks, response: Chunks) -> Counts:
    """Count the words of each sentence, and those whose tag is the same in key and response, as conlleval and seqeval do.

    The tags are those that were read, or IOB2 of the phrases if either side has none. If phrases overlap, none are counted.

    Raises
    ------
    MismatchError
        If the sentences of key and response differ.

    Examples
    --------
    >>> from referee.phrases import decode
    >>> tag_accuracy(decode([["B-NP", "I-NP", "O", "O"]]), decode([["B-NP", "B-NP", "O", "O"]])).score().value.tolist()
    [0.75]
    """
    key, response = aligned(key, response)
    words = key.sentences.length.astype(np.int64)
    if not have_tags(key, response):
        same = words = np.zeros_like(words)
    elif key.word_tags is not None and response.word_tags is not None:
        pairs = zip(key.word_tags, response.word_tags, strict=True)
        same = np.array([sum(map(eq, *pair)) for pair in pairs], dtype=np.int64)
    else:
        sentence = repeat(np.arange(len(words)), words)
        same = tally(sentence[_codes(key) == _codes(response)], minlength=len(words))
    return single(same, words)


def have_tags(*sides: Chunks) -> bool:
    """Whether each side can be written as one tag for each word."""
    return all(side.word_tags is not None or not _overlap(side) for side in sides)


def _overlap(chunks: Chunks) -> bool:
    """Whether two chunks have a word in common; they are sorted."""
    is_same_sentence = chunks.sentence[1:] == chunks.sentence[:-1]
    return bool((is_same_sentence & (chunks.start[1:] < chunks.end[:-1])).any())


def _codes(chunks: Chunks) -> Ints:
    """A number for the IOB2 tag of each word: 0 for O, odd ones for B."""
    codes = np.zeros(int(chunks.sentences.length.sum()), dtype=np.int64)
    first = chunks.sentences.word_offsets[chunks.sentence] + chunks.start
    chunk, word = ranges(first, first + chunks.length)
    codes[word] = 2 * chunks.category[chunk].astype(np.int64) + 2
    codes[first] -= 1
    return codes
