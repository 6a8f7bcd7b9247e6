"""The signature: one line that says how numbers were made, to be cited with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from referee.basics.options.options import Options
from referee.basics.version import VERSION
from referee.matching.pair import Pair

SHORT = {
    "formats": "", "kind": "", "profile": "p", "match": "m", "min-overlap": "o", "zeros": "0", "tokens": "t", "repaired": "w",
    "repeated-mentions": "r",
    "singletons": "s", "cross-document": "x", "zero-division": "z", "average": "a", "beta": "b", "extra-documents": "e",
    "items": "i", "decimals": "", "lea": "l", "ids": "", "nulls": "n", "documents": "d", "threshold": "h",
    "tables": "T", "relations": "R", "skipped-files": "f", "skipped-documents": "k",
}  # fmt: skip
"""The fields of a signature, and their letters in the short one; formats, decimals and ids are left out there."""

DEFAULTS = {
    "match": "exact", "tokens": "same", "repeated-mentions": "first", "singletons": "kept", "zero-division": "nan",
    "average": "micro", "nulls": "error",
}  # fmt: skip
"""What the short signature leaves out."""


def fields(pair: Pair, documents: int | None = None) -> dict[str, str]:
    """Return what a signature says of a pair, field by field."""
    o = pair.options
    formats = list(dict.fromkeys(side.format for side in pair.scored if side.format))
    kinds = list(dict.fromkeys(side.kind for side in pair.scored))
    found = {
        "formats": "/".join(formats),
        "kind": "" if kinds == ["texts"] else "/".join(kinds),
        "profile": "" if o.profile == "default" else o.profile,
        "match": o.match,
        "min-overlap": _exact(o.min_overlap) if o.match == "overlap" else "",
        "zeros": o.zeros if o.zeros == "drop" or (pair.key.empty_nodes and pair.response.empty_nodes) else "",
        "tokens": pair.words,
        "repaired": str(sum(pair.repairs.values()) or ""),
        "repeated-mentions": o.repeated_mentions,
        **fields_of_options(o),
        "lea": ",".join(f"{name}={_exact(w)}" for name, w in sorted((o.lea_importance or {}).items())),
        "documents": str(len(pair.key.doc_ids) if documents is None else documents),
    }
    return {name: value for name, value in found.items() if value}


def fields_of_options(o: Options) -> dict[str, str]:
    """Return what a signature says of the options that every input has; empty for those that are as usual."""
    return {
        "singletons": {"keep": "kept", "drop": "dropped", "drop-annotated": "dropped-as-annotated"}[o.singletons],
        "cross-document": o.cross_document or "",
        "zero-division": _exact(o.zero_division),
        "average": o.average,
        "beta": "" if o.beta == 1 else _exact(o.beta),
        "extra-documents": "" if o.extra_documents == "score" else o.extra_documents,
        "items": "" if o.items == "union" else o.items,
        "decimals": "" if o.decimals == "round" else o.decimals,
    }


def threshold_said(threshold: float | None) -> dict[str, str]:
    """Return what a signature says of the threshold of pairs with probabilities."""
    return {} if threshold is None else {"threshold": _exact(float(threshold))}


def signature(fields: Mapping[str, str], metrics: str) -> str:
    """Return the signature of scores by these metrics."""
    return " | ".join([f"referee {VERSION}", metrics, *(f"{name}:{value}" for name, value in fields.items())])


def short_signature(fields: Mapping[str, str], metrics: str) -> str:
    """Return the signature without what is as usual, in letters: for a footnote."""
    said = {name: value for name, value in fields.items() if SHORT[name] and value != DEFAULTS.get(name)}
    return "|".join([f"referee:{VERSION}", metrics, *(f"{SHORT[name]}:{value}" for name, value in said.items())])


OF_RESPONSES = ("formats", "tokens", "repaired")
"""The fields that say how a response was read."""


def joined(signatures: Iterable[str]) -> tuple[str, ...]:
    """Return different signatures, each once; those that differ in nothing but how responses were read are one.

    Where the words of responses compare differently, or different numbers of repairs were made, there is a value for each.

    >>> joined(["muc | formats:conll | documents:2", "muc | formats:conll/jsonlines | documents:2"])
    ('muc | formats:conll/conll+jsonlines | documents:2',)
    >>> joined(["muc | tokens:same | documents:2", "muc | tokens:quotes-ordered | repaired:3 | documents:2"])
    ('muc | tokens:same,quotes-ordered | repaired:0,3 | documents:2',)
    """
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}  # what all have in common -> the fields of each
    for one in signatures:
        parts = {part.partition(":")[0] if part.startswith(OF_RESPONSES) else part: part for part in one.split(" | ")}
        groups.setdefault(tuple(part for part in parts if part not in OF_RESPONSES), []).append(parts)
    return tuple(map(_one_signature, groups.values()))


def _one_signature(each: Sequence[Mapping[str, str]]) -> str:
    """The signature of several responses, by the parts of that of each."""
    order = list(each[0])
    for names in map(list, each):
        for before, name in pairwise(names):
            if name not in order:
                order.insert(order.index(before) + 1, name)
    return " | ".join(_field(name, [parts.get(name, name).partition(":")[2] for parts in each]) for name in order)


def _field(name: str, values: Sequence[str]) -> str:
    if name not in OF_RESPONSES:
        return name
    if name == "formats":
        return f"{name}:{_both([value for value in values if value])}"
    shown = [value or "0" for value in values]
    return f"{name}:{','.join(shown if len(set(shown)) > 1 else shown[:1])}"


def _both(formats: Collection[str]) -> str:
    """The formats of keys and of responses; of both as one name if they are the same."""
    sides = [said.split("/") for said in dict.fromkeys(formats)]
    key, response = ("+".join(dict.fromkeys(side[end] for side in sides)) for end in (0, -1))
    return key if key == response else f"{key}/{response}"


def _exact(number: float) -> str:
    """The number as short as it can be written without rounding it.

    >>> _exact(2.0), _exact(0.1234567)
    ('2', '0.1234567')
    """
    return repr(number).removesuffix(".0")
