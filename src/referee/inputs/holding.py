"""What formats can hold: which of them hold a corpus, and what one cannot."""

from __future__ import annotations

from collections.abc import Collection

from referee.basics.exceptions import FormatError, listed
from referee.basics.options.choices import WRITABLE
from referee.corpus import Corpus
from referee.formats.shared.documents import LOSSY
from referee.formats.shared.format import Format
from referee.formats.shared.losses import Losses
from referee.inputs.registry import load_format


def holding(features: Collection[str]) -> list[str]:
    """The formats that are written, several documents into one file, and can hold these of `FEATURES`."""
    records = map(load_format, WRITABLE)
    return [record.name for record in records if not record.document_ending and {*features} <= {*record.writable}]


def check_holdable(corpus: Corpus, record: Format) -> None:
    """Raise FormatError if a format cannot hold a corpus, whatever `FEATURES` it has: if --lossy would leave out something."""
    losses = Losses(corpus)
    if record.drop_unsupported:
        record.drop_unsupported(losses)
    if parts := [part for several in losses.parts for part in several]:
        first = f" (the first: {losses.example})" * bool(losses.example)
        others = [other for other in holding(corpus.features) if load_format(other).drop_unsupported is None]
        another = f"another format{f', such as {others[0]}' if others else ''}"
        problem = f"has {listed(parts)}{first}, which {record.name} cannot hold; expected {another}, or {LOSSY}"
        raise FormatError(corpus.source, None, problem)
