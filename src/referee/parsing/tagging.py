"""Words with tags and trees by a model: `tag_and_parse`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, arange, ranges, repeat
from referee.basics import progress
from referee.parsing import stand_ins
from referee.parsing.lexicon import lemma_by, look_up
from referee.parsing.model import ParserModel
from referee.parsing.network import vectors
from referee.parsing.spelling import columns
from referee.parsing.trees import trees
from referee.parsing.words import ParsedText, PlacedWords

BATCH_WORDS, BATCH_SENTENCES = 4096, 1024
"""How much is parsed at once: it bounds the memory."""

LONGEST = 300
"""Longer sentences are parsed in pieces of so many words."""

JOINING = "parataxis"
"""The relation of the root of a piece to that of the first piece."""


class SentenceBatch(NamedTuple):
    """Sentences, or pieces of them, that are parsed at once, the longest first.

    Parameters
    ----------
    number : int64, shape (sentences,)
    first : int64, shape (sentences + 1,)
        The first word of each among those of all, and their number.
    word : int64, shape (words,)
        Which words these are.
    """

    number: Ints
    first: Ints
    word: Ints


def batches(first: Ints, sentences: Ints | None = None) -> Iterator[SentenceBatch]:
    """Divide sentences into batches of about equal lengths, in any order; `first` is as in `PlacedWords`."""
    size = np.diff(first)
    order = arange(len(size)) if sentences is None else sentences
    order = order[np.argsort(-size[order], kind="stable")]
    behind = np.cumsum(size[order])
    start = 0
    while start < len(order):
        before = int(behind[start - 1]) if start else 0
        stop = max(int(np.searchsorted(behind, before + BATCH_WORDS, side="right")), start + 1)
        number = order[start : min(stop, start + BATCH_SENTENCES)]
        yield sentences_of(first, number)
        start += len(number)


def sentences_of(first: Ints, number: Ints) -> SentenceBatch:
    """Some sentences, one after another."""
    _, word = ranges(first[number], first[number + 1])
    return SentenceBatch(number, np.concatenate([[0], np.cumsum(first[number + 1] - first[number])]), word)


def tag_and_parse(words: PlacedWords, model: ParserModel) -> ParsedText:
    """Give words tags, features, lemmas and trees.

    The work and the memory are those of the number of words, however long the sentences are: those of more than `LONGEST`
    words are parsed in pieces, whose roots depend on the root of the first one.
    """
    number, forms = coded_forms(words.form)
    in_english = model.language == stand_ins.LANGUAGE
    seen, seen_forms = (
        coded_forms(stand_ins.with_stand_ins(words.form, words.first.tolist())) if in_english else (number, forms)
    )
    of_forms = columns(seen_forms, model.seen)
    pieces = _pieces(words.first)
    tag, head, label = (np.zeros(len(number), dtype=np.int64) for _ in range(3))
    for batch in batches(pieces):
        progress.step("parsing")
        rows = vectors(model.weights, of_forms[seen[batch.word]], batch.first)
        tag[batch.word] = (rows @ model.weights["tag"] + model.weights["tag bias"]).argmax(axis=1)
        with_none = np.concatenate([np.zeros((1, rows.shape[1]), dtype=rows.dtype), rows])
        heads, labels = trees(model.weights, with_none, batch.first[:-1] + 1, batch.first[1:] + 1)
        governor, label[batch.word] = heads[1:], labels[1:]
        head[batch.word] = np.where(governor > 0, batch.word[governor - 1], -1)
    relations = [model.root, *model.labels]
    joined = _join(head, words.first, pieces)
    deprel = [relations[n] for n in label.tolist()]
    for word in joined.tolist():
        deprel[word] = JOINING
    begin = repeat(words.first[:-1], np.diff(words.first))
    upos, xpos = ([model.tags[n][column] for n in tag.tolist()] for column in (0, 1))
    feats, lemma = _looked_up(number, forms, tag, model)
    return ParsedText(words, upos, xpos, feats, lemma, np.where(head < 0, 0, head - begin + 1), deprel)


def coded_forms(forms: Sequence[str]) -> tuple[Ints, list[str]]:
    """The number of each word among the different ones, and these."""
    number = {form: n for n, form in enumerate(dict.fromkeys(forms))}
    codes: Ints = np.fromiter(map(number.__getitem__, forms), dtype=np.int64, count=len(forms))
    return codes, list(number)


def _pieces(first: Ints) -> Ints:
    """The first words of the pieces of sentences, and the number of all words."""
    parts = -(-np.diff(first) // LONGEST)
    sentence, part = ranges(np.zeros_like(parts), parts)
    edges: Ints = np.append(first[sentence] + LONGEST * part, first[-1])
    return edges


def _join(head: Ints, first: Ints, pieces: Ints) -> Ints:
    """Let the roots of pieces depend on the root of the first piece of their sentence, in place; and give these words."""
    if len(pieces) == len(first):
        return arange(0)
    roots = np.flatnonzero(head < 0)  # one of each piece, in their order
    sentence = np.searchsorted(first, pieces[:-1], side="right") - 1
    leading = roots[np.searchsorted(sentence, sentence)]
    head[roots] = np.where(roots == leading, -1, leading)
    others: Ints = roots[roots != leading]
    return others


def _looked_up(number: Ints, forms: Sequence[str], tag: Ints, model: ParserModel) -> tuple[list[str], list[str]]:
    """Features and lemma of each word: looked up once for each different word with its tag."""
    pairs, place = np.unique(number * len(model.tags) + tag, return_inverse=True)
    names = [" ".join(one) for one in model.tags]
    feats, lemmas = [], []
    for pair in pairs.tolist():
        form, name = forms[pair // len(names)], names[pair % len(names)]
        low = form.lower()
        feats.append(look_up(model.lexicon.feats.get(name, {}), low) or "_")
        lemmas.append(lemma_by(look_up(model.lexicon.lemma.get(name, {}), low) or "0", form))
    places = place.reshape(-1).tolist()
    return [feats[n] for n in places], [lemmas[n] for n in places]
