"""Documents as readers begin them: with sentences made one text, and with an error where a name was used before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from referee.corpus import CorpusBuilder
from referee.exceptions import FormatError
from referee.formats.shared.source import Fault


class Sentences(NamedTuple):
    """Sentences as one text.

    Parameters
    ----------
    tokens : list of str
        The tokens of all sentences.
    limits : list of int
        The token offset at which each sentence starts, and the number of all tokens.
    """

    tokens: list[str]
    limits: list[int]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Sentences:
        """Join the sentences of a document."""
        return cls(list(chain.from_iterable(sentences)), list(accumulate(map(len, sentences), initial=0)))

    @property
    def starts(self) -> list[int]:
        """The token offsets at which sentences start that have tokens."""
        return [start for start, end in pairwise(self.limits) if start < end]

    def span(self, sentence: int, start: int, end: int) -> tuple[int, int] | None:
        """The span in the document of a half-open span in a sentence, all counted from 0; None if there is no such span."""
        if 0 <= sentence < len(self.limits) - 1:
            first, after = self.limits[sentence : sentence + 2]
            if 0 <= start < end <= after - first:
                return first + start, first + end
        return None


def begin(
    builder: CorpusBuilder,
    fault: Fault,
    name: str,
    tokens: Sequence[str] | None = None,
    sentences: Iterable[int] | None = None,
    *,
    line: int | None = None,
) -> bool:
    """Begin a document, and report an error if its name was used before.

    Parameters
    ----------
    builder : CorpusBuilder
        Takes the document.
    error : Error
        Takes the error.
    name, tokens, sentences, line
        As in `CorpusBuilder.document`.

    Returns
    -------
    bool
        Whether the document has begun.
    """
    try:
        builder.document(name, tokens, None if sentences is None else list(sentences), line=line)
    except FormatError as error:
        fault(line, error.problem)
        return False
    return True
