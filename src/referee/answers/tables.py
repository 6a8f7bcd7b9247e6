"""Tables of an answer, in Markdown or with commas or tabs: mentions with their entities, or entities with their mentions."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import NamedTuple

from referee.answers.values import LABEL

RULE = re.compile(r"[|+:=\s-]+")
"""The row below the header of a table in Markdown, which has two lines in a row somewhere."""

MENTION = re.compile(
    r"mention|text|span|phrase|expression|string|words?\b|surface|reference|pronoun|ausdruck|erwähnung", re.IGNORECASE
)
ENTITY = re.compile(r"entit|cluster|chain|group|referent|coref|refers|resolve|label", re.IGNORECASE)
ID = re.compile(r"\bid\b", re.IGNORECASE)
SENTENCE = re.compile(r"sent|satz", re.IGNORECASE)
DOCUMENT = re.compile(r"\bdoc", re.IGNORECASE)


class MarkdownTable(NamedTuple):
    """A table: its mentions, with their entities, and the rows that are not read."""

    records: list[object]
    unread: list[str]


def tables_in(text: str) -> list[MarkdownTable]:
    r"""The tables of a text.

    >>> tables_in("| Mention | Entity |\n|---|---|\n| Tom | 1 |\n| he | 1 |")[0].records
    [{'mention': 'Tom', 'entity': '1'}, {'mention': 'he', 'entity': '1'}]
    """
    tables: list[MarkdownTable | None] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if number and _is_rule(line) and "|" in lines[number - 1]:
            rows = [_cells(lines[number - 1])]
            for below in lines[number + 1 :]:
                if _is_rule(below):
                    continue
                if "|" not in below:
                    break
                rows.append(_cells(below))
            tables.append(_table(rows))
    return [table for table in tables if table] or [table for table in [_delimited(lines)] if table]


def _is_rule(line: str) -> bool:
    return ("--" in line or "==" in line) and ("|" in line or "+" in line) and RULE.fullmatch(line) is not None


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return [cell.strip().replace("\\|", "|").strip("*`_ ") for cell in cells]


def _delimited(lines: Sequence[str]) -> MarkdownTable | None:
    """A table whose header names both columns, as a file of commas or tabs has it."""
    lines = [line for line in lines if line.strip()]
    for sign in ("\t", ",", ";", "|"):
        if len(lines) > 1 and sign in lines[0] and len(lines[0]) < 200 and all(sign in line for line in lines):
            rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=sign, skipinitialspace=True)]
            ids = {len(row) == 2 and LABEL.fullmatch(row[1]) is not None and not LABEL.fullmatch(row[0]) for row in rows}
            rows = [["mention", "entity"], *rows] if ids == {True} else rows
            return _table(rows) if max(map(len, rows[0])) < 40 else None
    return None


def _table(rows: Sequence[Sequence[str]]) -> MarkdownTable | None:
    """What the columns mean by their names; None if they do not say."""
    header, *body = rows
    mentions = [n for n, name in enumerate(header) if MENTION.search(name)]
    named = [n for n, name in enumerate(header) if ENTITY.search(name) and n not in mentions]
    entity = next(iter(named or [n for n, name in enumerate(header) if ID.search(name) and n not in mentions]), None)
    mention = next(iter(mentions), None)
    if entity is None or mention is None or any(sign in name for name in header for sign in '{}[]"'):
        return None
    others = [n for n in range(len(header)) if n not in (mention, entity)]
    sentence = next((n for n in others if SENTENCE.search(header[n])), len(header))
    document = next((n for n in others if DOCUMENT.search(header[n])), len(header))
    table = MarkdownTable([], [])
    label = ""
    for row in body:
        if len(row) <= max(mention, entity) or not row[mention]:
            table.unread.extend([" | ".join(row)] if any(row) else [])
            continue
        label = row[entity] or label
        record: dict[str, object] = {"mention": row[mention], "entity": label}
        if number := re.search(r"\d{1,6}", "".join(row[sentence : sentence + 1])):
            record["sentence"] = int(number[0])
        if name := "".join(row[document : document + 1]):
            record["doc_id"] = name
        table.records.append(record)
    return table
