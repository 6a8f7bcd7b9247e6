"""The formats of phrases: one file a format, `FORMATS` names them."""

from referee.phrases.formats.reading import Reading, detect, read, read_key
from referee.phrases.formats.registry import FORMATS
from referee.phrases.formats.writing import write

__all__ = ["FORMATS", "Reading", "detect", "read", "read_key", "write"]
