"""Sentences, chunks and candidates with probabilities, as columns."""

from referee.phrases.annotation.alignment import aligned, common_spans
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.common_words import in_common_words
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks, SpanColumns, Spans

__all__ = [
    "Chunks",
    "DefaultProbabilities",
    "PhraseCandidates",
    "Sentences",
    "SpanColumns",
    "Spans",
    "aligned",
    "common_spans",
    "in_common_words",
]
