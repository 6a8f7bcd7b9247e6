"""Which document of the key is which document of the response: by name, and a little kinder than that.

What one side has and the other lacks is kept, to be scored as missed or spurious, with a warning. Two kindnesses, for names
left over on both sides: `NAME` and `NAME_0` are the same document (a CoNLL header without a part is part 0), and a single
document pairs with a single document if one of the two has no name.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from referee.corpus.corpus import Corpus
from referee.exceptions import MismatchError, warn
from referee.messages import counted, shortened


class Aligned(NamedTuple):
    """Key and response over the same documents: first the key's in its order, then what only the response has.

    only_key, only_response : the documents that the other side lacks
    """

    key: Corpus
    response: Corpus
    only_key: tuple[str, ...]
    only_response: tuple[str, ...]


def align(key: Corpus, response: Corpus, *, extra: bool = True) -> Aligned:
    """Both sides with the documents of either; without what only the response has if `extra` is false.

    MismatchError if the two have no document in common, though both have some; a warning if one has documents of its own.
    """
    place = {name: n for n, name in enumerate(key.doc_ids)}
    alias = _aliases(key, response, place)
    known = [alias.get(name, name) for name in response.doc_ids]
    only_response = tuple(name for name in known if name not in place)
    shared = set(known).intersection(place)
    only_key = tuple(name for name in key.doc_ids if name not in shared)
    if key.doc_ids and response.doc_ids and not shared:
        raise MismatchError(
            f"{response.source} has no document of {key.source}: found {_some(response.doc_ids)}; expected {_some(key.doc_ids)}"
        )
    if only_response and not extra:
        count = counted(len(only_response), "document")
        warn(f"left out {count} of {response.source} that {key.source} lacks: {_some(only_response)}")
        response = response.select_documents(np.array([n for n, name in enumerate(known) if name in place], dtype=np.int64))
        known = [name for name in known if name in place]
        only_response = ()
    for side, other, names, verb in ((key, response, only_key, "missed"), (response, key, only_response, "spurious")):
        if names:
            warn(
                f"{len(names)} of {len(side.doc_ids)} documents of {side.source} are not in {other.source}: {_some(names)}; "
                f"their mentions count as {verb}"
            )
    names = (*key.doc_ids, *only_response)
    place.update({name: len(key.doc_ids) + n for n, name in enumerate(only_response)})
    response_place = np.array([place[name] for name in known], dtype=np.int32)
    return Aligned(
        key.on_documents(names, np.arange(len(key.doc_ids), dtype=np.int32)),
        response.on_documents(names, response_place),
        only_key,
        only_response,
    )


def _aliases(key: Corpus, response: Corpus, place: dict[str, int]) -> dict[str, str]:
    """Names of the response that mean a document of the key with another name."""
    in_response = set(response.doc_ids)
    lone_key = [name for name in key.doc_ids if name not in in_response]
    lone_response = [name for name in response.doc_ids if name not in place]
    if len(key.doc_ids) == len(response.doc_ids) == 1 and lone_key and "#1" in (key.doc_ids[0], response.doc_ids[0]):
        return {response.doc_ids[0]: key.doc_ids[0]}
    stems = Counter(name.removesuffix("_0") for name in lone_key) + Counter(name.removesuffix("_0") for name in lone_response)
    of_stem = {stem: name for name in lone_key if stems[stem := name.removesuffix("_0")] == 2}
    return {name: of_stem[stem] for name in lone_response if (stem := name.removesuffix("_0")) in of_stem}


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(shortened(name, 60) for name in names[:3])
    return shown + (", …" if len(names) > 3 else "")
