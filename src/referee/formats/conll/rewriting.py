"""A CoNLL file written again with other entities: of its lines, only the last cell is changed, and only where it says more or less.

New entities have the next number of their document, with the type in front where ids of the file have one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from referee.formats.conll.lines import EMPTY, types_of
from referee.formats.conll.rows import BRACKET, DocumentRows, documents_of, split_last
from referee.formats.conll.writing import in_cell
from referee.formats.shared.changes import Changes, entity_names
from referee.formats.shared.source import Source


def rewrite(source: Source, changes: Changes) -> str:
    """The text of a file with other entities."""
    lines = source.raw().decode().split("\n")
    documents = documents_of(source)
    old = [[split_last(text)[1] for _, text in document.rows] for document in documents]
    empty = Counter(cell for cells in old for cell in cells if cell in EMPTY).most_common(1)
    bar = "|" * (not any(cell.count("(") > 1 and "|" not in cell for cells in old for cell in cells))
    for document, cells, brackets in zip(documents, old, _brackets(documents, old, changes), strict=True):
        for token, ((number, _), cell) in enumerate(zip(document.rows, cells, strict=True)):
            texts = brackets.get(token, [])
            if Counter(texts) != Counter(_texts(cell)):
                place = lines[number - 1].rindex(cell)
                new = bar.join(texts) or (empty[0][0] if empty else "-")
                lines[number - 1] = lines[number - 1][:place] + new + lines[number - 1][place + len(cell) :]
    return "\n".join(lines)
