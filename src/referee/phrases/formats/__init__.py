"""The formats of phrases: one file per format, `FORMATS` names them."""

from referee.phrases.formats.reading import detect, read, read_key
from referee.phrases.formats.registry import FORMATS, PhraseOptions
from referee.phrases.formats.writing import write

__all__ = ["FORMATS", "PhraseOptions", "detect", "read", "read_key", "write"]
