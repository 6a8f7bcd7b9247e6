"""Which format of phrases a file has: `detect_file`."""

from __future__ import annotations

from referee.basics.exceptions import FormatError
from referee.formats.shared.beginning import beginning
from referee.formats.shared.source import Source
from referee.inputs.reading import detect as detect_mentions
from referee.inputs.registry import FORMATS as MENTION_FORMATS, ROOMS
from referee.phrases.formats.mentions import detect_phrases
from referee.phrases.formats.registry import FORMATS

LENIENT = frozenset(("jsonlines", "clusters", "links", "doccano"))
"""Formats of mentions that files of phrases may look like: they take any object with words, or spans without relations."""


def as_mentions(place: str | Source) -> str | None:
    """The format `mentions`, if any format of mentions looks like it."""
    try:
        _ = detect_phrases(place) if isinstance(place, Source) else detect_mentions(place)
    except FormatError:
        return None
    return "mentions"


def detect_file(source: Source) -> str | None:
    """Tell the format of a file from its content; None if it looks like none.

    Raises
    ------
    FormatError
        If the file is empty or a model.
    """
    head = "PAR1" if source.binary == "parquet" else beginning(source)
    if not head.strip():
        raise FormatError(source.name, None, "is empty; expected phrases")
    if '"phrase-model"' in head[:100]:
        raise FormatError(source.name, None, "is a model; expected phrases: referee phrases predict makes them")
    strict = [name for name in MENTION_FORMATS if name not in ROOMS and name not in LENIENT]
    # Formats of phrases may take JSON of a format of mentions for spans of texts.
    if head.lstrip()[:1] in ("{", "[") and any(MENTION_FORMATS.load(name).sniff(head) for name in strict):
        return "mentions"
    return next((name for name in FORMATS if FORMATS.load(name).sniff(head)), None) or as_mentions(source)
