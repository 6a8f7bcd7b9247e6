"""Tables about documents, as those of `--metadata`: a line for each document, with fields such as its genre."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from referee.basics.exceptions import FormatError, counted, shortened
from referee.corpus.selecting import usual_name


def row_of(document: str, table: Mapping[str, Mapping[str, str]]) -> Mapping[str, str] | None:
    """The fields of a document: `NAME` and `NAME_0` are one document, if the table does not have both. None without a line.

    >>> row_of("x", {"x_0": {"genre": "news"}})
    {'genre': 'news'}
    """
    if document in table:
        return table[document]
    usual = usual_name(document)
    return next((table[name] for name in (usual, f"{usual}_0") if name in table), None)


def read_metadata(path: str) -> dict[str, dict[str, str]]:
    """Read a table about documents: document -> field -> value.

    Its columns are separated by tabs, or by commas if the first line has no tab. The first line has their titles, of which the
    first is `document`. Then there is one line for each document.

    Raises
    ------
    FormatError
        With the line.
    """
    import csv  # few calls have a table of documents

    table: dict[str, dict[str, str]] = {}
    titles: Sequence[str] = ()
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = list(file)
            tabs = "\t" in next(filter(str.strip, lines), "\t")
            rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if tabs else csv.reader(lines, strict=True)
            for row in rows:
                number, cells = rows.line_num, [cell.strip() for cell in row]
                if not any(cells):
                    continue
                if not titles:
                    titles = cells
                    if titles[0] != "document" or len(titles) < 2 or len(set(titles)) < len(titles) or not all(titles):
                        problem = f"found the titles {shortened(', '.join(titles), 100)}; expected document and others"
                        raise FormatError(path, number, f"{problem}, all different, with tabs or commas")
                elif len(cells) != len(titles):
                    raise FormatError(path, number, f"found {counted(len(cells), 'field')}; expected {len(titles)}")
                elif cells[0] in table:
                    raise FormatError(path, number, f"found document {shortened(cells[0])!r} again; expected one line for each")
                else:
                    table[cells[0]] = dict(zip(titles[1:], cells[1:], strict=True))
    except OSError as error:
        raise FormatError(path, None, f"cannot be opened: {(error.strerror or str(error)).lower()}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(path, None, f"is no table of text in UTF-8: {error}") from None
    if not table:
        raise FormatError(os.fspath(path), None, "found no documents; expected a line of titles, then a line for each document")
    return table
