"""A CoNLL file written again with other entities: of its rows only the last cell changes, and only where brackets change.

New entities have the next number of their document, with the type in front where the ids of the file have one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.formats.conll.lines import EMPTY, header
from referee.formats.conll.rows import BRACKET, JOINED, documents_of, split_last
from referee.formats.conll.writing import in_cells
from referee.formats.shared.brackets import in_old_order
from referee.formats.shared.changes import Changes, entity_names
from referee.formats.shared.documents import names_in_folder
from referee.formats.shared.source import Source


def rewrite(source: Source, changes: Changes) -> str:
    """The text of a file with other entities."""
    lines = source.raw().decode().split("\n")
    documents = documents_of(source)
    cells = [[split_last(text)[1] for _, text in document.rows] for document in documents]
    every = Counter(cell for of_document in cells for cell in of_document)
    nothing = max(EMPTY, key=lambda cell: every[cell])
    has_joints = any(name.strip("_") != name for name in changes.before.entity_ids)
    bar = "" if any(cell.count("(") + cell.count(")") > 2 and "|" not in cell for cell in every) else "|"
    after, names = changes.after, entity_names(changes, by_document=True)
    for number, (document, old_cells) in enumerate(zip(documents, cells, strict=True)):
        here = after.mentions_in(number, number + 1)
        columns = zip(*(column[here].tolist() for column in (after.start, after.end, after.entity)), strict=True)
        brackets = in_cells((start, end, names[entity]) for start, end, entity in columns)
        for token, ((line, _), cell) in enumerate(zip(document.rows, old_cells, strict=True)):
            texts, old = brackets.get(token, []), _brackets(cell if has_joints else JOINED.sub("|", cell))
            if Counter(texts) != Counter(old):
                texts = in_old_order(texts, old)
                front, _, end = lines[line - 1].rpartition(cell)
                lines[line - 1] = front + (bar.join(texts) or nothing) + end
    return "\n".join(lines)


def named(source: Source, stem: str) -> str:
    """A file as a part of another one, with an end; a document without a name is called like it."""
    lines = source.raw().decode().rstrip("\r\n").split("\n")
    documents = documents_of(source)
    names = names_in_folder(stem, [document.name or f"#{n}" for n, document in enumerate(documents, start=1)])
    if header(lines[-1].rstrip("\r")) is not None:
        lines.append("#end document")
    for document, name in list(zip(documents, names, strict=True))[::-1]:
        if name != document.name:
            begins = isinstance(header(lines[document.line - 1]), str)
            lines[document.line - 1 : document.line - 1 + begins] = [f"#begin document ({name})"]
    return "\n".join([*lines, ""])


def _brackets(cell: str) -> Sequence[str]:
    """The brackets in a cell."""
    return [] if cell in EMPTY else ["".join(bracket) for bracket in BRACKET.findall(cell)]
