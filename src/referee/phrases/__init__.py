"""Phrases, such as names and chunks: tags scored as seqeval does, and probabilities by cross-entropy (Abney 1993).

`score(key, response)`, `errors(key, response)` and `compare(key, a, b)` take files, lists of tags, or what `read`, `decode` and
`from_characters` return. Error breakdowns, intervals, plots and models are imported from their modules. The command is
`referee phrases`.

Other packages import `annotation`, `chunking`, `comparing`, `formats`, `ids`, `limits`, `metrics`, `models`, `one_best`,
`one_best_errors`, `plots`, `predictions`, `scores`, `sums` and `types`.
"""

from typing import TYPE_CHECKING

from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.chunking.iob import decode, encode
from referee.phrases.formats.characters import from_characters
from referee.phrases.formats.reading import read, read_key
from referee.phrases.formats.writing import write
from referee.phrases.ids import from_ids
from referee.phrases.one_best import match_chunks
from referee.phrases.one_best_errors import PhraseErrors, errors
from referee.phrases.scorer import PhraseScorer
from referee.phrases.scores import PhraseScores
from referee.phrases.scoring import score

__all__ = [
    "Chunks",
    "DefaultProbabilities",
    "PhraseCandidates",
    "PhraseErrors",
    "PhraseScorer",
    "PhraseScores",
    "Sentences",
    "compare",
    "decode",
    "encode",
    "errors",
    "from_characters",
    "from_ids",
    "match_chunks",
    "read",
    "read_key",
    "score",
    "write",
]

if TYPE_CHECKING:
    from referee.phrases.comparing import compare
else:

    def __getattr__(name: str) -> object:
        """Import `compare` when it is used: it needs twice as many modules as all else."""
        if name != "compare":
            meant = "; did you mean PhraseScorer?" if name == "Scorer" else ""
            raise AttributeError(f"module 'referee.phrases' has no attribute {name!r}{meant}")
        from referee.phrases.comparing import compare

        return compare
