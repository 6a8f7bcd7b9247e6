"""Why a resolver put each mention where it is: the rows of ``referee resolve --explain``, in words.

Rows are found again by the document and the span of a mention.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from referee.basics.exceptions import FormatError, MismatchError
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.reports.csv import guarded, unguarded

Reasons: TypeAlias = Mapping[tuple[str, int, int], str]
"""Document, first token, token behind the last one: why, in words, and in a second line the figures, if there are some."""

NEEDED = ("document", "start", "end", "decision", "antecedent", "score", "new", "runner_up", "contributions")
RULES = {"reflexive": "reflexive pronoun of", "name": "variant of the name"}
BARS = {
    "kind": "they may not both be {}", "argument": "an argument of the same verb, or what it possesses",
    "name": "another first name", "speaker": "who says it",
}  # fmt: skip
"""What `referee resolve` says of rules, in words."""

SHOWN = 5
"""How many contributions are shown."""


def read_reasons(path: str | os.PathLike[str]) -> Reasons:
    """Read a file that ``referee resolve --explain`` wrote.

    Raises
    ------
    FormatError
        If a column is missing, or a row is not of this form.
    """
    source = Source(path)
    text = source.text(source.raise_error)
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    missing = [name for name in NEEDED if name not in (rows.fieldnames or ())]
    if missing:
        raise FormatError(source.name, 1, f"has no column {missing[0]}; expected what `referee resolve --explain` writes")
    reasons: dict[tuple[str, int, int], str] = {}
    for row in rows:
        numbers = [row["start"] or "", row["end"] or ""]
        if None in row.values() or None in row or not all(n.isascii() and n.isdigit() and len(n) < 10 for n in numbers):
            raise FormatError(source.name, rows.line_num, "is no decision; expected what `referee resolve --explain` writes")
        row["antecedent"] = unguarded(row["antecedent"] or "")
        reasons[guarded(row["document"]), int(numbers[0]), int(numbers[1])] = _in_words(row)
    return reasons


def reasons_of_decisions(rows: Iterable[Mapping[str, object]]) -> Reasons:
    """The same of decisions that are in no file."""
    texts = ({name: str(value) for name, value in row.items()} for row in rows)
    return {(guarded(row["document"]), int(row["start"]), int(row["end"])): _in_words(row) for row in texts}


def renamed(reasons: Reasons, before: Sequence[str], after: Sequence[str]) -> Reasons:
    """The same reasons, of documents that are called otherwise."""
    name = dict(zip(map(guarded, before), map(guarded, after), strict=True))
    return {(name[document], start, end): reason for (document, start, end), reason in reasons.items()}


def _in_words(row: Mapping[str, str]) -> str:
    rule = row.get("rule") or ""
    if rule.startswith("speaker: "):
        return f"said by or to “{row['antecedent']}” ({rule.removeprefix('speaker: ')})"
    if rule:
        return f"{RULES.get(rule, rule)} “{row['antecedent']}”"
    bar = BARS.get(row.get("barred_rule") or "", "").format((row.get("may_be") or "").replace(" ", " or "))
    words = f"attached by “{row['antecedent']}”" if row["decision"] == "attached" else "new entity"
    words = words.replace("\n", " ") + (f"; not {row['barred_entity']}: {bar}" if bar else "")
    return "\n".join(filter(None, (words, _in_figures(row))))


def _in_figures(row: Mapping[str, str]) -> str:
    new = f"new entity {row['new']}" if row["new"] else ""
    others = f"next best entity {row['runner_up']}" if row["runner_up"] else ""
    if row["decision"] == "attached":
        about, rivals = row["score"], [new, others]
    else:
        about, rivals = row["new"], [f"best earlier one {row['score']}, by “{row['antecedent']}”" if row["score"] else ""]
    against = "; ".join(filter(None, rivals))
    largest = ", ".join(row["contributions"].split()[:SHOWN])
    figures = " ".join(filter(None, (about, f"(against: {against})" if against else "")))
    return ": ".join(filter(None, (figures.replace("\n", " "), largest)))


def reasons_of(reasons: Reasons, corpus: Corpus, mentions: slice, name: str) -> list[str]:
    """The reason of each of these mentions of a document.

    Raises
    ------
    MismatchError
        If a mention has none.
    """
    spans = zip(corpus.start[mentions].tolist(), corpus.end[mentions].tolist(), strict=True)
    keys = [(guarded(name), start, end) for start, end in spans]
    lacking = next((key for key in keys if key not in reasons), None)
    if lacking:
        place = f"document {name}: no decision about the mention of tokens {lacking[1]} to {lacking[2] - 1}"
        raise MismatchError(f"{place}; expected the explanation of the response {corpus.source}")
    return [reasons[key] for key in keys]
