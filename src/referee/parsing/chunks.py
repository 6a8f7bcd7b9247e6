"""Shallow trees: tagged words are cut into chunks by a model of phrases, and chunks are linked by rules.

The resolver that this project makes anew had "only a shallow parser (for NPs)" [1]_. The chunks are those of a model of
`referee.phrases` [2]_, fitted to chunks of trees. `chunk_trees` gives trees of Universal Dependencies that look as those of a
parser do: its rules are in `referee.parsing.shallow.linked`. `phrase_candidates` gives the probabilities of all chunks.

References
----------
.. [1] Popescu-Belis and Robba (1998), Three New Methods for Evaluating Reference Resolution.
.. [2] Abney (1993), Measures and Models for Phrase Recognition.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.formats.shared.source import Source
from referee.parsing.shallow.linked import tree_of_chunks
from referee.parsing.shallow.sentence import Sentence
from referee.parsing.words import ParsedText, PlacedWords
from referee.phrases.annotation import PhraseCandidates, Sentences
from referee.phrases.formats.dependencies import tags_of
from referee.phrases.models.files import load
from referee.phrases.models.parses import PhraseModel, SentenceModel
from referee.phrases.models.rules import RuleModel, check_tags

SHIPPED = os.path.join(os.path.dirname(__file__), "models", "english-chunks.json")

LONGEST = 200
"""Words of a sentence that are looked at together: the work grows with the square. A longer sentence is cut."""


class Tags(NamedTuple):
    """The columns of CoNLL-U that a tagger gives; each has a string for each word."""

    upos: Sequence[str]
    xpos: Sequence[str]
    feats: Sequence[str]
    lemma: Sequence[str]


def tags_in(parsed: ParsedText) -> Tags:
    """The tags of words with trees."""
    return Tags(parsed.upos, parsed.xpos, parsed.feats, parsed.lemma)


class _CutSentences(NamedTuple):
    """Sentences cut into pieces of at most `LONGEST` words; of each piece, its sentence and its first word there."""

    sentences: Sentences
    sentence: Ints
    offset: Ints


def load_chunks(path: str | os.PathLike[str] | None = None) -> SentenceModel:
    """Load the model of chunks of a file that `referee phrases fit` has written; None for the one of English that is shipped.

    A model of phrases that cannot parse by itself, such as C, parses as S does.

    Raises
    ------
    FormatError
        If the file has no model.
    """
    model: PhraseModel = load(Source(SHIPPED if path is None else path))
    return model if isinstance(model, SentenceModel) else SentenceModel("S", model)


def chunk_trees(words: PlacedWords, tags: Tags, model: SentenceModel) -> ParsedText:
    """Make shallow trees of tagged words.

    Parameters
    ----------
    words : PlacedWords
    tags : Tags
    model : SentenceModel
        Its most probable chunks are taken.

    Returns
    -------
    ParsedText
        Each sentence has one root, and no circle.

    Raises
    ------
    OptionError
        If the model does not know the tags.
    """
    pieces = _pieces(words, tags, model)
    chunks: list[list[tuple[str, int, int]]] = [[] for _ in range(len(words.first) - 1)]
    columns = zip(pieces.sentence.tolist(), pieces.offset.tolist(), model.parse(pieces.sentences).triples(), strict=True)
    for s, offset, triples in columns:
        chunks[s] += [(category, offset + start, offset + end) for category, start, end in triples]
    form = [text.lower() for text in words.form]
    heads: list[int] = []
    relations: list[str] = []
    for s, (a, b) in enumerate(pairwise(words.first.tolist())):
        sentence = Sentence(form[a:b], tags.upos[a:b], tags.xpos[a:b], tags.lemma[a:b])
        head, deprel = tree_of_chunks(sentence, chunks[s])
        heads += head
        relations += deprel
    return ParsedText(words, *tags, np.array(heads, dtype=np.int64), relations)


def phrase_candidates(words: PlacedWords, tags: Tags, model: SentenceModel, min_probability: float = 1e-4) -> PhraseCandidates:
    """The probability of each chunk of each sentence, as `referee phrases score` scores it.

    Parameters
    ----------
    words : PlacedWords
    tags : Tags
    model : SentenceModel
    min_probability : float
        Chunks below it are not listed; they have the mean of their category and length.

    Raises
    ------
    OptionError
        If the model does not know the tags.
    """
    pieces = _pieces(words, tags, model)
    candidates = model.predict(pieces.sentences, min_probability)
    offset = pieces.offset[candidates.sentence]
    return PhraseCandidates.build(
        _sentences(words, tags),
        candidates.categories,
        sentence=pieces.sentence[candidates.sentence],
        start=candidates.start + offset,
        end=candidates.end + offset,
        category=candidates.category,
        probability=candidates.probability,
        default=candidates.default,
    )


def _sentences(words: PlacedWords, tags: Tags) -> Sentences:
    """The sentences, with the names of those of mentions."""
    number = np.arange(len(words.document)) - np.searchsorted(words.document, words.document) + 1
    names = tuple(f"{words.doc_ids[d]}:{n}" for d, n in zip(words.document.tolist(), number.tolist(), strict=True))
    joined = tags_of(tags.upos, tags.xpos)
    of_words, of_tags = ([column[a:b] for a, b in pairwise(words.first.tolist())] for column in (words.form, joined))
    return Sentences(names, np.diff(words.first).astype(np.int32), of_words, of_tags)


def _pieces(words: PlacedWords, tags: Tags, model: SentenceModel) -> _CutSentences:
    """The sentences, cut where they are long; their tags must be those of the model."""
    sentences = _sentences(words, tags)
    assert sentences.words is not None
    assert sentences.tags is not None
    rows = [(s, a) for s, n in enumerate(sentences.length.tolist()) for a in range(0, n, LONGEST)]
    of_words = [sentences.words[s][a : a + LONGEST] for s, a in rows]
    of_tags = [sentences.tags[s][a : a + LONGEST] for s, a in rows]
    sentence, offset = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    cut = Sentences.numbered([len(row) for row in of_words], of_words, of_tags)
    if isinstance(model.phrases, RuleModel):
        check_tags(model.phrases, cut, source="<words>")
    return _CutSentences(cut, sentence, offset)
