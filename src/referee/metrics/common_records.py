"""What is said of records that key and response do not share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from referee.basics.exceptions import MismatchError, counted, one_line, shortened, warn
from referee.matching.key_samples import MANY, SAMPLE, is_sample

AS_NUMBERS = " (--ids number compares numbers)"
LOOKED_AT = 1000
"""Records that are compared, at most, to see why they differ."""


def nothing_in_common(key: str, response: str, of_key: Collection[str], of_response: Collection[str], records: int) -> None:
    """Raise MismatchError, or warn where records are few, that two sides have no record in common.

    Parameters
    ----------
    key, response : str
        What messages call the two.
    of_key, of_response : collection of str
        Some of the records of each.
    records : int
        How many the side has that has fewer.
    """
    problem = f"{key} and {response} have no record in common: found {_listed(of_response)}; expected {_listed(of_key)}"
    reason = _reason(set(of_key), set(of_response))
    problem += f": {reason or 'check that both name the same records, and that no columns are exchanged'}"
    if records >= MANY:
        raise MismatchError(problem)
    warn(problem)


def _reason(key: set[str], response: set[str]) -> str:
    """Why the names of the same records may differ; empty if nobody can tell."""
    changes = {
        "they differ in case": str.casefold,
        f"one has 1.0 where the other has 1{AS_NUMBERS}": lambda name: name.removesuffix(".0"),
        f"they differ in zeros before numbers{AS_NUMBERS}": lambda name: name.lstrip("0"),
    }
    for reason, change in changes.items():
        if not set(map(change, key)).isdisjoint(map(change, response)):
            return reason
    sourced, plain = (key, response) if any("/" in name for name in key) else (response, key)
    if any("/" in name for name in plain) or not any("/" in name for name in sourced):
        return ""
    whose = "key" if sourced is key else "response"
    ids = [name.partition("/")[2] for name in sourced]
    if plain.isdisjoint(ids):
        return "does one name a source or a table (left/1), and the other not? See --tables and source= in --columns"
    if len(set(ids)) == len(ids):
        return f"the {whose} alone has a source or a table before its ids: --tables one compares the ids"
    return (
        f"the {whose} alone has a source or a table before its ids, and an id is in several of them: "
        "give the other side a column source_dataset, or such ids"
    )


class RecordsOfSide(NamedTuple):
    """The records of one side: what messages call it, how many it has, and some of those that only it has."""

    name: str
    number: int
    alone: Sequence[str] = ()


def warn_of_one_sided(key: RecordsOfSide, response: RecordsOfSide, common: int) -> None:
    """Warn of records that only one side has, which count as missed or spurious; of a key with few, that it may be a sample."""
    reason = _reason(set(key.alone[:LOOKED_AT]), set(response.alone[:LOOKED_AT])) if key.alone and response.alone else ""
    for side, other, meaning in ((key, response, "missed"), (response, key, "spurious")):
        alone = side.number - common
        sample = is_sample(common, side.number) and side is response
        if alone > 0 and common:
            records = f"{counted(alone, 'record')} of {side.number} of {side.name} {'is' if alone == 1 else 'are'}"
            first = f" (the first: {one_line(shortened(side.alone[0]))})" if side.alone else ""
            remedy = f"; {SAMPLE}" if sample else f": {reason}" if reason else ""
            warn(f"{records} not in {other.name}{first}, counted as {meaning}{remedy}")


def warn_of_lone_records(key: str, documents: int, records: int) -> None:
    """Warn if each document of a key has one record, so that no two are of one entity."""
    if records == documents > 1:
        lone = f"each of the {documents} documents of {key} has one record, so no two records are in one entity"
        warn(f"{lone}: --cross-document corpus scores entities over all documents")


def _listed(values: Collection[str]) -> str:
    """Three values, trimmed, in quotes, so that spaces show."""
    shown = ", ".join(repr(shortened(str(value), 30)) for value in list(values)[:3])
    return shown + ("" if len(values) <= 3 else ", …")
