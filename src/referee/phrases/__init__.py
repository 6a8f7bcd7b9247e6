"""Phrase recognition with probabilities: how many bits are missing to the truth (Abney 1993).

`measure(key, response)` is what all of it is for; `read` and `decode` make its arguments. Blame, intervals, plots and models
are imported from their modules. The command is `referee phrases`.
"""

from referee.phrases.candidates import Candidates, Chunks, Default, Sentences
from referee.phrases.chunks.iob import decode, encode
from referee.phrases.formats.reading import read, read_key
from referee.phrases.formats.writing import write
from referee.phrases.hard import match
from referee.phrases.measures import measure

__all__ = [
    "Candidates",
    "Chunks",
    "Default",
    "Sentences",
    "decode",
    "encode",
    "match",
    "measure",
    "read",
    "read_key",
    "write",
]
