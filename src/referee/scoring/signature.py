"""The signature: one line that says how numbers were made, to be cited with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from referee.basics.options.options import DEFAULTS, RECORDS, Options, exact
from referee.basics.version import VERSION
from referee.matching.pair import Pair

SHORT = {
    "formats": "", "kind": "", "repaired": "w", "ids": "", "nulls": "n", "documents": "d", "selected": "D", "where": "W",
    "min-tokens": "L", "max-tokens": "M", "threshold": "h", "tables": "T",
    "relations": "R", "skipped-files": "f", "skipped-documents": "k",
    **{record.field or name.replace("_", "-"): record.letter for name, record in RECORDS.items()},
}  # fmt: skip
"""The fields of a signature, and their letters in the short one; formats, decimals and ids are left out there."""


def option_fields(o: Options) -> dict[str, str]:
    """Return what a signature says of options; empty for those that are as usual."""
    names = [name for name, record in RECORDS.items() if record.is_signed]
    for name, before in (("tokens", "repeated_mentions"), ("beta", "extra_documents")):  # the order of signatures in print
        names.remove(name)
        names.insert(names.index(before), name)
    shown = {}
    for name in names:
        record, value = RECORDS[name], getattr(o, name)
        if record.needs is not None:
            is_shown = getattr(o, record.needs[0]) == record.needs[1]
        else:
            is_shown = record.always or value != DEFAULTS[name]
        shown[record.field or name.replace("_", "-")] = record.written(value) if is_shown else ""
    return shown


USUAL = {**option_fields(Options()), "tokens": "same", "nulls": "error"}
"""What the short signature leaves out."""


def fields(pair: Pair, documents: int | None = None) -> dict[str, str]:
    """Return what a signature says of a pair, field by field."""
    formats = list(dict.fromkeys(side.format for side in pair.scored if side.format))
    kinds = list(dict.fromkeys(side.kind for side in pair.scored))
    named_fields = {"formats": "/".join(formats), "kind": "" if kinds == ["texts"] else "/".join(kinds)}
    for name, value in option_fields(pair.options).items():
        named_fields[name] = value
        if name == "zeros" and pair.key.empty_nodes and pair.response.empty_nodes:
            named_fields[name] = pair.options.zeros
        elif name == "zeros" and value != "drop":
            named_fields[name] = ""
        elif name == "tokens":
            named_fields |= {"tokens": pair.words, "repaired": str(sum(pair.repairs.values()) or "")}
    named_fields["documents"] = str(len(pair.key.doc_ids) if documents is None else documents)
    named_fields |= pair.selection
    return {name: value for name, value in named_fields.items() if value}


def label_option_fields(o: Options) -> dict[str, str]:
    """Return what a signature says of the options that label tables have, too."""
    of_texts = {"profile", "match", "min-overlap", "zeros", "tokens", "repeated-mentions", "lea"}
    return {name: value for name, value in option_fields(o).items() if name not in of_texts}


def threshold_field(threshold: float | None) -> dict[str, str]:
    """Return what a signature says of the threshold of pairs with probabilities."""
    return {} if threshold is None else {"threshold": exact(float(threshold))}


def signature(fields: Mapping[str, str], metrics: str) -> str:
    """Return the signature of scores by these metrics."""
    return " | ".join([f"referee {VERSION}", metrics, *(f"{name}:{value}" for name, value in fields.items())])


def short_signature(fields: Mapping[str, str], metrics: str) -> str:
    """Return the signature without what is as usual, in letters: for a footnote."""
    unusual = {name: value for name, value in fields.items() if SHORT[name] and value != USUAL.get(name)}
    return "|".join([f"referee:{VERSION}", metrics, *(f"{SHORT[name]}:{value}" for name, value in unusual.items())])


def naming(signature: str, metrics: Iterable[str]) -> str:
    """Return a signature, or a short one, with other metrics.

    >>> naming("referee 1.0 | default | match:exact", ["muc", "lea"]), naming("referee:1.0|default|d:3", ["muc"])
    ('referee 1.0 | muc+lea | match:exact', 'referee:1.0|muc|d:3')
    """
    joint = " | " if " | " in signature else "|"
    version, _, *fields = signature.split(joint)
    return joint.join([version, "+".join(metrics), *fields])


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
    sides = [names.split("/") for names in dict.fromkeys(formats)]
    key, response = ("+".join(dict.fromkeys(side[end] for side in sides)) for end in (0, -1))
    return key if key == response else f"{key}/{response}"
