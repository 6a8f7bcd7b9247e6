"""What is said of records that key and response do not share."""

from __future__ import annotations

from collections.abc import Collection

from referee.basics.exceptions import MismatchError, counted, shortened, warn

MANY = 20
"""Records of each side from which it is a mistake that they have none in common, and not an odd example."""

COVERED = 0.5
"""The share of the response's records below which a key seems to be a sample."""


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
    problem += f": {_reason(set(of_key), set(of_response))}"
    if records >= MANY:
        raise MismatchError(problem)
    warn(problem)


def _reason(key: set[str], response: set[str]) -> str:
    """Why the names of the same records may differ."""
    changes = {
        "they differ in case": str.casefold,
        "one has 1.0 where the other has 1": lambda name: name.removesuffix(".0"),
        "they differ in zeros before numbers": lambda name: name.lstrip("0"),
        "they differ in blanks around them": str.strip,
    }
    for reason, change in changes.items():
        if not set(map(change, key)).isdisjoint(map(change, response)):
            return reason
    if any("/" in name for name in response) != any("/" in name for name in key):
        return "does one name a source or a table (left/1), and the other not? See --tables and source= in --columns"
    return "check that both name the same records, and that no columns are exchanged"


def is_sample(common: int, records: int) -> bool:
    """Whether a key that has so many of a response's records seems to be a sample."""
    return records >= MANY and 0 < common < COVERED * records


def warn_of_sample(key: str, response: str, common: int, records: int) -> None:
    """Warn if the key has few of the records of the response: it may be a sample, and the others are not all wrong."""
    if is_sample(common, records):
        others = counted(records - common, "record")
        warn(
            f"{others} of {records} of {response} are not in {key}, and count as spurious: if the key is a sample, "
            "--items key leaves them out, and referee estimate estimates the scores of all"
        )


def dropped_items(key: str, response: str, number: int) -> str:
    """What is said of items that are left out, as the key, a sample, does not have them."""
    return (
        f"{counted(number, 'record')} of {response} are not in {key}, left out: precision is too high if they were merged with "
        "records of the key by mistake (--items key)"
    )


def _listed(values: Collection[str]) -> str:
    """Three values, trimmed, in quotes, so that spaces show."""
    shown = ", ".join(repr(shortened(str(value), 30)) for value in list(values)[:3])
    return shown + ("" if len(values) <= 3 else ", …")
