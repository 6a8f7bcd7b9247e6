"""Phrase recognition with probabilities: how many bits are missing to the truth (Abney 1993).

`measure(key, response)` is what all of it is for; `read` and `decode` make its arguments. Blame, intervals, plots and models
are imported from their modules. The command is `markable phrases`.
"""

from markable.phrases.candidates import Candidates, Chunks, Default, Sentences
from markable.phrases.formats import read, read_key, write
from markable.phrases.hard import match
from markable.phrases.iob import decode, encode
from markable.phrases.measures import measure

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
