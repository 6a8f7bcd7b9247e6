"""What a model has learnt, in words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import numpy as np

from referee.basics.exceptions import check_name, counted
from referee.resolver.attributes import CLASSES, GENDERS, NUMBERS, PERSONS, TYPES
from referee.resolver.detect import LEAST, described
from referee.resolver.files import Model, load
from referee.resolver.rules import WORDS, Rules
from referee.resolver.tables import TABLES, UNIT, Tables

GROUPS = ("I/you", "pronoun", "demonstrative", "name", "definite", "indefinite", "other")
assert len(GROUPS) == len(CLASSES)
DISTANCES = (
    "in the same sentence", "a sentence back", "2 sentences back", "3 back", "4 back", "5–6 back", "7–10 back", "11–20 back",
    "21–50 back", "51–100 back", "farther back",
)  # fmt: skip
IN_WORDS: dict[str, Sequence[str]] = {
    "string": (
        "nothing in common", "names share a word", "an acronym", "the later name has more words",
        "the later name has fewer words",
        "same head", "same head, new modifiers", "same head, no new modifier", "same head and modifiers",
        "same head, more words of a name", "same head, fewer words of a name", "same core", "same string",
    ),
    "tree": (
        "apart in the tree", "same parent", "the earlier is the parent", "the later is the parent", "the later is inside",
        "the later is around", "the later is a possessor inside", "apposition", "copula", "same head word",
        "below the parent of the earlier", "above, below whose parent the earlier is", "in another sentence",
    ),
    "words": (
        "no word in common", "a word in common", "the earlier has the head of the later",
        "the later has the head of the earlier", "heads begin alike", "heads end alike", "same head", "a pronoun",
    ),
    "speakers": ("speaker unknown", "same speaker", "other speaker", "one addresses the other"),
    "distance": DISTANCES,
    "near": ("in the same sentence", "a sentence back", "farther back"),
    "rank": (*(f"{n} others since" for n in range(10)), "10–19 since", "20–39 since", "40–79 since", "80–159 since",
             "160–319 since", "more since"),
    "group": GROUPS,
    "type": TYPES,
    "number": tuple(v or "no number" for v in NUMBERS),
    "gender": tuple(v or "no gender" for v in GENDERS),
    "person": tuple(f"person {v}" if v else "no person" for v in PERSONS),
    "seen": ("head not seen before", "head seen before", "core seen before"),
    "modifiers": ("no modifier", "1 modifier", "2 modifiers", "3 or more modifiers"),
    "postmodified": ("no nmod or acl", "with nmod or acl"),
    "pronominal": ("noun", "pronoun"),
    "synonym": ("no synonym", "synonyms"),
    "early": ("first sentence", "sentences 2–6", "later"),
    "between": ("next mention", *(f"{2**n}–{2 ** (n + 1) - 1} mentions back" for n in range(1, 10))),
    "size": ("1 mention", "2–3 mentions", "4–7", "8–15", "16–31", "32 or more"),
}  # fmt: skip
IN_WORDS["best"] = IN_WORDS["string"]


def show(model: str | os.PathLike[str] | Model = "tables", *, table: str | None = None, top: int = 10) -> str:
    """Say what a model has learnt.

    Parameters
    ----------
    model : str, path or Model
    table : str or None
        One table, or "detector"; None for all.
    top : int
        How many weights of each table, the largest first.
    """
    return "\n".join(_lines(load(model), table, top)) + "\n"


def _lines(model: Model, table: str | None, top: int) -> Iterator[str]:
    decoder = model.decoder
    one_gender = ", no MR has both he and she" if decoder.one_gender else ""
    yield f"{model.name}: {model.kind} {model.digest[:8]}, quantifier {decoder.quantifier}{one_gender}"
    if isinstance(decoder, Rules):
        for name, value in decoder.numbers.items():
            yield f"  {name:16} {value:<6g} {WORDS[name]}"
        return
    if table is not None:
        check_name("table", table, [*decoder.weights, "detector"])
    for origin in model.fitted_on:
        documents = origin.get("documents", 0)
        yield f"fitted on {origin.get('file')}, {counted(documents, 'document') if isinstance(documents, int) else documents}"
    for name in decoder.weights:
        if table in (None, name):
            yield from _of_table(decoder, name, top)
    if model.detector and table in (None, "detector"):
        weights = counted(sum(map(len, model.detector.heads.values())), "weight")
        yield f"detector: {weights}; a sum of more than {LEAST / UNIT:g} makes a mention"
        yield from (f"  {line}" for line in described(model.detector, top))
        yield f"  quotes in the mention: {model.detector.quotes:.0%}"


def _of_table(model: Tables, name: str, top: int) -> Iterator[str]:
    """The largest weights of a table."""
    about, weights = TABLES[name], model.weights[name]
    kind = {"pair": "for a pair", "entity": "for an MR", "new": "for a new MR"}[about.kind]
    yield f"{name} ({kind}; {about.words}): {counted(int(np.count_nonzero(weights)), 'weight')}"
    flat = weights.reshape(-1)
    for cell in np.lexsort((np.arange(len(flat)), -np.abs(flat)))[:top].tolist():
        if flat[cell]:
            axes = np.unravel_index(cell, weights.shape)
            yield f"  {flat[cell] / UNIT:+.2f}  {_in_words(model, name, [int(a) for a in axes])}"


def _in_words(model: Tables, name: str, axes: Sequence[int]) -> str:
    about = TABLES[name]
    of_pair = [_value(model, f, axes[n]) for n, f in enumerate(about.fields)]
    later = [_value(model, f, axes[n]) for n, f in enumerate(about.later, start=len(about.fields))]
    earlier = [_value(model, f, axes[n]) for n, f in enumerate(about.earlier, start=len(about.fields) + len(about.later))]
    sides = ", ".join(later) + (" after " + ", ".join(earlier) if earlier else "")
    return "; ".join([sides, *of_pair])


def _value(model: Tables, field: str, value: int) -> str:
    if field in model.vocabularies:
        words = model.vocabularies[field]
        return repr(words[value - 2]) if value > 1 else f"another {field}" if value else f"no {field}"
    return IN_WORDS[field][value] if field in IN_WORDS else f"{field} {value}"
