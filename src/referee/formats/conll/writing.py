"""A corpus as a file of twelve columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TextIO

from referee.corpus import Corpus
from referee.corpus.views import Document
from referee.formats.conll.lines import header
from referee.formats.shared.documents import is_line, words_of
from referee.formats.shared.losses import Losses

NO_COLUMN = re.compile(r"[\0- ]")


def write(corpus: Corpus, out: TextIO, variant: str = "") -> None:
    """Write twelve columns with tabs between them; unknown values are `-` or `*`.

    Entity ids are numbers, as other programs need them: a document that has others is numbered. The variant `names` keeps them.

    Raises
    ------
    FormatError
        If the corpus has no words.
    """
    words_of(corpus, format="conll")
    for document in corpus.documents.values():
        name, part = _stem_and_part(document.name)
        lines = [_heading(document.name)]
        begin = f"{name.replace(' ', '_').lstrip('#') or '-'}\t{part or '0'}"
        cells = _cells(corpus, document, _names(document) if variant == "names" else _numbers(document))
        for first, after in pairwise([*document.sentences, len(document.tokens)]):
            for number, token in enumerate(document.tokens[first:after]):
                lines.append(f"{begin}\t{number}\t{token}\t-\t*\t-\t-\t-\t-\t*\t{cells.get(first + number, '-')}")
            lines.append("")
        out.write("\n".join([*lines, "#end document", ""]))


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions of an entity that cross; change words and names of documents."""
    losses.leave_out_crossing(by_entity=True, shared=1)
    losses.change_words(NO_COLUMN)
    losses.rename(lambda name: is_line(name) and header(_heading(name)) == name)


def _heading(name: str) -> str:
    """The line that begins a document."""
    stem, part = _stem_and_part(name)
    return f"#begin document ({stem})" + (f"; part {part.zfill(3)}" if part else "")


def _stem_and_part(name: str) -> tuple[str, str]:
    stem, _, part = re.fullmatch(r"(.+?)(_(0|[1-9][0-9]*))?", name, re.DOTALL).groups()  # type: ignore[union-attr]
    return stem, part


def _numbers(document: Document) -> list[str]:
    """The ids of the entities if they are numbers, else new numbers."""
    labels = [e.id for e in document.entities]
    numbers = len(set(labels)) == len(labels) and all(re.fullmatch("0|[1-9][0-9]*", label) for label in labels)
    return labels if numbers else [str(n) for n in range(len(labels))]


def _names(document: Document) -> list[str]:
    """The ids of the entities, with _ for what cannot be in one (a hyphen ends a type); the same again has a number."""
    names: dict[str, None] = {}
    for n, entity in enumerate(document.entities):
        name = re.sub(r"[\s\0-\x1f()|-]+", "_", entity.id) or str(n)
        while name in names:
            name += f"#{n}"
        names[name] = None
    return list(names)


def _cells(corpus: Corpus, document: Document, labels: Sequence[str]) -> dict[int, str]:
    """The last column by tokens: ends, the innermost first, one-token mentions, then starts, the outermost first."""
    first = document.entities[0].index if labels else 0
    here = corpus.mentions_in(document.index, document.index + 1)
    columns = (column[here].tolist() for column in (corpus.start, corpus.end, corpus.entity))
    mentions = ((start, end, labels[number - first]) for start, end, number in zip(*columns, strict=True))
    return {token: "|".join(texts) for token, texts in in_cells(mentions).items()}


def in_cells(mentions: Iterable[tuple[int, int, str]]) -> dict[int, list[str]]:
    """Brackets by tokens: ends, the innermost first, one-token mentions, then starts, the outermost first."""
    closing: dict[int, list[str]] = {}
    alone: dict[int, list[str]] = {}
    opening: dict[int, list[str]] = {}
    for start, end, label in sorted(mentions, key=lambda mention: (mention[0], -mention[1])):
        if end == start + 1:
            alone.setdefault(start, []).append(f"({label})")
        else:
            opening.setdefault(start, []).append(f"({label}")
            closing.setdefault(end - 1, []).insert(0, f"{label})")
    tokens = {*closing, *alone, *opening}
    return {t: [*closing.get(t, ()), *alone.get(t, ()), *opening.get(t, ())] for t in tokens}
