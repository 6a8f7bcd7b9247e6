"""Tables of an answer, in Markdown, with commas or tabs, or a mention and its entity in each line, as records of mentions."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from referee.answers.values import LABEL, ValueRows

RULE = re.compile(r"(?=.*(?:--|==))(?=.*[|+])[|+:=\s-]+")
"""The row below the header of a table in Markdown, which has two lines in a row somewhere."""

MENTION = re.compile(
    r"mention|text|span|phrase|expression|string|words?\b|surface|reference|pronoun|ausdruck|erwähnung", re.IGNORECASE
)
ENTITY = re.compile(r"entit|cluster|chain|group|referent|coref|refers|resolve|label", re.IGNORECASE)
ID = re.compile(r"\bid\b", re.IGNORECASE)
SENTENCE = re.compile(r"sent|satz", re.IGNORECASE)
DOCUMENT = re.compile(r"\bdoc", re.IGNORECASE)

MAPPED = re.compile(
    r"(?:[-*•][ \t]{1,3}|\d{1,4}[.)][ \t]{1,3})?[\"“]?(?P<mention>[^\"“”\n:=→;|\t\[\]{}]{1,200}?)[\"”]?"
    r"(?P<remark>[ ]{0,3}\([^()\n]{0,80}\))?[ ]{0,3}(?P<sign>->|=>|[:→=](?=\s)|[,;|\t])\s{0,3}"
    r"[\"“]?(?P<entity>[^,;→=:|\t\n\[\]{}]{1,80}?)[\"”]?"
)
"""A mention and its entity."""


def tables_in(text: str) -> list[ValueRows]:
    r"""The tables of a text.

    >>> tables_in("| Mention | Entity |\n|---|---|\n| Tom | 1 |\n| he | 1 |")[0].values
    [{'mention': 'Tom', 'entity': '1'}, {'mention': 'he', 'entity': '1'}]
    """
    tables: list[ValueRows | None] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if number and RULE.fullmatch(line) and "|" in lines[number - 1]:
            below = lines[number + 1 :]
            end = next((n for n, row in enumerate(below) if "|" not in row and not RULE.fullmatch(row)), len(below))
            rows = [row for row in below[:end] if not RULE.fullmatch(row)]
            tables.append(_table([_cells(row) for row in (lines[number - 1], *rows)]))
    written = [line for line in lines if line.strip()]
    return [table for table in tables if table] or [table for table in (_delimited(written), _mapped(written)) if table][:1]


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return [cell.strip().replace("\\|", "|").strip("*`_ ") for cell in cells]


def _delimited(lines: Sequence[str]) -> ValueRows | None:
    """A table whose header names both columns, as a file of commas or tabs has it."""
    for sign in "\t,;|":
        if len(lines) > 1 and len(lines[0]) < 200 and all(sign in line for line in lines):
            rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=sign, skipinitialspace=True)]
            return _table(rows) if max(map(len, rows[0])) < 40 else None
    return None


def _mapped(lines: Sequence[str]) -> ValueRows | None:
    """Lines that say the entity of a mention each, `he: E1` or `"he" -> Tom`."""
    matches = [MAPPED.fullmatch(line.strip()) for line in lines]
    pairs = [match for match in matches if match]
    labels = [match["entity"].strip("*_ ") for match in pairs]
    mentions = [match["mention"].strip("*_ ") for match in pairs]
    signs = {match["sign"] for match in pairs}
    first_mentions = {label for mention, label in zip(mentions, labels, strict=True) if mention == label}
    chained = not first_mentions.issuperset(set(labels) & set(mentions))  # labels are earlier mentions
    named = signs <= {"->", "=>", "→", "="} and (chained or len(set(labels)) < len(labels))
    if len(pairs) < max(len(lines) - 1, 2) or len(signs) > 1 or any(map(LABEL.fullmatch, mentions)):
        return None
    if not (named or all(map(LABEL.fullmatch, labels))):
        return None
    mentions = [mention + (match["remark"] or "") for mention, match in zip(mentions, pairs, strict=True)]
    key = "antecedent" if chained else "entity"
    records: list[object] = [{"mention": m, key: label} for m, label in zip(mentions, labels, strict=True)]
    unread = [line for line, match in zip(lines[1:-1], matches[1:-1], strict=True) if not match]
    return ValueRows(records, unread, len(records))


def _table(rows: Sequence[Sequence[str]]) -> ValueRows | None:
    """What the columns mean by their names; None if they do not say."""
    header, *body = rows
    mentions = [n for n, name in enumerate(header) if MENTION.search(name)]
    others = [n for n in range(len(header)) if n not in mentions]
    entities = [n for sign in (ENTITY, ID) for n in others if sign.search(header[n])]
    if not entities or not mentions or any(sign in name for name in header for sign in '{}[]"'):
        return None
    mention, entity = mentions[0], entities[0]
    others = [n for n in range(len(header)) if n not in (mention, entity)]
    sentence, document = (next((n for n in others if sign.search(header[n])), len(header)) for sign in (SENTENCE, DOCUMENT))
    records: list[object] = []
    unread: list[str] = []
    label = ""
    for row in body:
        if len(row) <= max(mention, entity) or not row[mention]:
            unread.extend([" | ".join(row)] if any(row) else [])
            continue
        label = row[entity] or label
        record: dict[str, object] = {"mention": row[mention], "entity": label}
        if number := re.search(r"\d{1,6}", "".join(row[sentence : sentence + 1])):
            record["sentence"] = int(number[0])
        if name := "".join(row[document : document + 1]):
            record["doc_id"] = name
        records.append(record)
    return ValueRows(records, unread, len(records))
