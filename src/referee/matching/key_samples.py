"""What is said of a key that has few of a response's records: it seems to be a sample. One rule for all that score records."""

from __future__ import annotations

from referee.basics.exceptions import counted, shortened, warn
from referee.basics.sides import folded
from referee.corpus.origin import Origin

MANY = 20
"""Records from which on their numbers tell something, and are no odd example."""

COVERED = 0.5
"""The share of the response's records below which a key seems to be a sample."""

ESTIMATE = "referee estimate estimates the scores of all"
"""The remedy, by which a warning of a sample is known, too."""

WEIGHTS = ("stratumsize", "weight")
"""Columns, folded, that say how labelled pairs were sampled."""

SAMPLING = ("stratum", *WEIGHTS)
"""All columns, folded, that say so: they are no annotation."""

SAMPLE = f"if the key is a sample, --items key leaves them out, and {ESTIMATE}"


def is_sample(common: int, records: int) -> bool:
    """Whether a key that has so many of a response's records seems to be a sample."""
    return records >= MANY and 0 < common < COVERED * records


def warn_of_sample(key: str, response: str, common: int, records: int) -> None:
    """Warn of a key that has so few of the records of a response that it seems to be a sample."""
    if is_sample(common, records):
        covered = f"{key} has {common} of {counted(records, 'record')} of {response}"
        warn(f"{covered}, and pairs with others count as wrong: if the key is a sample, {ESTIMATE}")


def warn_of_left_out(key: str, response: str, left_out: int, records: int) -> None:
    """Warn of records of a response that are left out, as the key does not have them (--items key)."""
    if left_out:
        sample = f"; if the key is a sample, {ESTIMATE}" if is_sample(records - left_out, records) else ""
        absent = f"{counted(left_out, 'record')} of {records} of {response} {'is' if left_out == 1 else 'are'} not in {key}"
        merged = "precision is too high if they were merged with records of the key by mistake (--items key)"
        warn(f"{absent}, left out: {merged}{sample}")


def warn_of_weights(key: str, origin: Origin | None) -> None:
    """Warn of labelled pairs with weights, which scores do not go by."""
    columns = origin.unread if origin is not None and origin.role == "decision" else ()
    if named := next((name for name in columns if folded(name) in WEIGHTS), None):
        warn(f"{key} has a column {shortened(named)}, by which referee estimate weighs its pairs: here each label counts once")
