"""Phrase recognition with probabilities, scored by cross-entropy (Abney 1993).

`score(key, response)` scores a response: files, or what `read`, `decode` and `from_characters` return. Error breakdowns,
intervals, plots and models are imported from their modules. The command is `referee phrases`.

Other packages import `annotation`, `chunking`, `formats`, `metrics`, `models`, `one_best`, `plots`, `scores`, `scoring`,
`sums` and `types`.
"""

from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.chunking.iob import decode, encode
from referee.phrases.formats.characters import from_characters
from referee.phrases.formats.reading import read, read_key
from referee.phrases.formats.writing import write
from referee.phrases.one_best import match_chunks
from referee.phrases.scores import PhraseScores
from referee.phrases.scoring import score

__all__ = [
    "Chunks",
    "DefaultProbabilities",
    "PhraseCandidates",
    "PhraseScores",
    "Sentences",
    "decode",
    "encode",
    "from_characters",
    "match_chunks",
    "read",
    "read_key",
    "score",
    "write",
]
