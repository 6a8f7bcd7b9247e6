"""Which document of the key is which document of the response: by name, and a little kinder than that.

What one side has and the other lacks is kept, to be scored as missed or spurious, with a warning. Two kindnesses, for names
left over on both sides: `NAME` and `NAME_0` are the same document (a CoNLL header without a part is part 0), and a single
document pairs with a single document if one of the two has no name.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from markable.corpus import Corpus
from markable.errors import MarkableWarning, MismatchError
from markable.rows import Ints


class Pairing(NamedTuple):
    """The documents of both sides together: first the key's in its order, then what only the response has.

    names        : of all of them
    key, response : int64, shape (documents of that side,): the place of each of its documents in `names`
    only_key, only_response : names that the other side lacks
    """

    names: tuple[str, ...]
    key: Ints
    response: Ints
    only_key: tuple[str, ...]
    only_response: tuple[str, ...]


def pair_documents(key: Corpus, response: Corpus) -> Pairing:
    """The documents by name. MismatchError if the two have none in common, though both have some."""
    place = {name: n for n, name in enumerate(key.names)}
    alias = _aliases(key, response, place)
    names = list(key.names)
    where = np.empty(len(response.names), dtype=np.int64)
    only_response = []
    for n, name in enumerate(response.names):
        known = place.get(alias.get(name, name))
        if known is None:
            known = len(names)
            names.append(name)
            only_response.append(name)
        where[n] = known
    seen = set(where.tolist())
    only_key = tuple(name for n, name in enumerate(key.names) if n not in seen)
    if key.names and response.names and len(only_key) == len(key.names):
        raise MismatchError(
            f"{response.source} has no document of {key.source}: found {_some(response.names)}; expected {_some(key.names)}"
        )
    return Pairing(tuple(names), np.arange(len(key.names)), where, only_key, tuple(only_response))


def warn_of_lone_documents(key: Corpus, response: Corpus, pairing: Pairing) -> None:
    """A warning for each side that has documents of its own."""
    for side, other, names, verb in (
        (key, response, pairing.only_key, "missed"),
        (response, key, pairing.only_response, "spurious"),
    ):
        if names:
            warnings.warn(
                MarkableWarning(
                    f"{len(names)} of {len(side.names)} documents of {side.source} are not in {other.source}: "
                    f"{_some(names)}; their mentions count as {verb}"
                ),
                stacklevel=3,
            )


def _aliases(key: Corpus, response: Corpus, place: dict[str, int]) -> dict[str, str]:
    """Names of the response that mean a document of the key with another name."""
    lone_key = [name for name in key.names if name not in set(response.names)]
    lone_response = [name for name in response.names if name not in place]
    if len(key.names) == len(response.names) == 1 and lone_key and "#1" in (key.names[0], response.names[0]):
        return {response.names[0]: key.names[0]}
    without_part = {name.removesuffix("_0"): name for name in lone_key}
    if len(without_part) < len(lone_key):
        return {}
    return {name: without_part[n] for name in lone_response if (n := name.removesuffix("_0")) in without_part}


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(name if len(name) <= 60 else name[:60] + "…" for name in names[:3])
    return shown + (", …" if len(names) > 3 else "")
