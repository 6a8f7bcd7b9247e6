"""Phrases of several files or batches as those of one: `joined`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.basics.exceptions import OptionError
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks, SpanColumns


def joined(pieces: Mapping[str, Chunks | PhraseCandidates], source: str) -> Chunks | PhraseCandidates:
    """The phrases of all pieces, over the sentences of all, which are called after their piece, as in `news1:3`.

    Parameters
    ----------
    pieces
        The name of each piece, and its phrases.
    source
        The name of all, for messages.

    Raises
    ------
    OptionError
        If some pieces have probabilities, and some have none; if they have different default probabilities.
    """
    categories = sorted({name for piece in pieces.values() for name in piece.categories})
    have_probabilities = any(isinstance(piece, PhraseCandidates) for piece in pieces.values())
    if have_probabilities and any(isinstance(piece, Chunks) and len(piece) for piece in pieces.values()):
        raise OptionError(f"{source}: some have probabilities, and some have none; expected them in all or none")
    sides = [piece.with_categories(categories) for piece in pieces.values()]
    offsets = np.cumsum([0, *(len(piece.sentences) for piece in sides[:-1])])
    shifted = [piece.columns._replace(sentence=piece.sentence + n) for piece, n in zip(sides, offsets.tolist(), strict=True)]
    columns = SpanColumns(*(np.concatenate(column).astype(np.int32) for column in zip(*shifted, strict=True)))
    named = [f"{stem}:{name}" for stem, piece in pieces.items() for name in piece.sentences.ids]
    sentences = _sentences([piece.sentences for piece in sides], tuple(named))
    read_as = "; ".join(dict.fromkeys(piece.read_as for piece in sides))
    unread = [piece.unread for piece in sides]
    names = None if None in unread else tuple(dict.fromkeys(name for of_piece in unread for name in of_piece or ()))
    if have_probabilities:
        candidates = [piece for piece in sides if isinstance(piece, PhraseCandidates)]  # others have no phrases
        probability = np.concatenate([piece.probability for piece in candidates])
        default = _default(candidates, source)
        return PhraseCandidates(
            sentences, tuple(categories), columns, probability, default, source=source, read_as=read_as, unread=names
        )
    tags = [piece.word_tags for piece in sides if isinstance(piece, Chunks)]
    return Chunks(sentences, tuple(categories), columns, source=source, read_as=read_as, unread=names, word_tags=_rows(tags))


def _default(pieces: Sequence[PhraseCandidates], source: str) -> DefaultProbabilities | None:
    """The default probability that all pieces have."""
    defaults = [piece.default for piece in pieces]
    constants = {default.beyond if default and default.is_constant else None for default in defaults}
    if len(constants) > 1 or any(default and not default.is_constant for default in defaults):
        raise OptionError(f"{source}: the pieces have different default probabilities; expected none, or one constant")
    return defaults[0]


def _sentences(pieces: Sequence[Sentences], names: tuple[str, ...]) -> Sentences:
    """All sentences; what only some have, none has."""
    lengths = np.concatenate([piece.length for piece in pieces])
    words, tags, texts = (_rows([getattr(piece, name) for piece in pieces]) for name in ("words", "tags", "texts"))
    return Sentences(names, lengths, words, tags, texts)


def _rows(values: Sequence[Sequence[Any] | None]) -> list[Any] | None:
    """The rows of all values; None if any is None."""
    return None if None in values else [row for rows in values for row in rows or ()]
