"""What the columns of a table mean: one vocabulary for texts, Parquet, data frames, rows of JSON and of Python.

Names are compared without case, blanks, `_`, `.` and `-`: `Cluster ID`, `cluster_id` and `ClusterId` are one name. What a user
says goes before names. A table is labels or pairs, for sure, or it is refused: nothing is taken for an item because it stands
first. A key is read from the column that is named after it (see `referee.basics.sides`), and a response from its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from referee.basics.exceptions import shortened
from referee.basics.options.reading import LABELS, PAIRS, ReadOptions
from referee.basics.sides import folded, side_of
from referee.corpus.origin import Origin

_ITEM = ("item", "record", "rec", "mention", "unique", "signature")
_ENTITY = ("entity", "cluster", "label", "group")
_WHOSE = ("gold", "true", "pred", "predicted", "z", "resolved")

ITEMS = (*(f"{of}{end}" for of in _ITEM for end in ("", "id") if of + end not in ("unique", "signature")), "id")
NAME = "name"
"""An item only where nothing else is one: often a record has an id and a name."""

INDEX = frozenset({"", "index", "unnamed:0", "indexlevel0"})
"""What the index of a data frame is called in files: an item in a table that has nothing but it and entities."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "document": ("document", "doc", "documentid", "docid"),
    "source": ("sourcedataset", "datasource"),
    "item": (*ITEMS, NAME),
    "entity": (*("".join(parts) for parts in product(("", *_WHOSE), _ENTITY, ("", "id"))), "resolvedid", "goldenid"),
}
"""The names of the columns of labels, folded."""

IDS = ("item", "entity", "document", "source", "left", "right", "left_source", "right_source")
"""The roles of columns that have names of something."""
RECORDS = ("item", "left", "right")
"""The roles of columns that have ids of records."""
SPAN = ("start", "end")
"""The names of the columns that say where a mention is."""

SAME_TABLE = ("uniqueidl", "uniqueidr")
"""So Splink calls ends; if they are of two tables it has a column with the source of each."""
SIDES = ("{}l {}r", "{}1 {}2", "{}left {}right", "left{} right{}", "l{} r{}", "{}a {}b", "first{} second{}", "{}x {}y")
TWO_TABLES = ("ltable{} rtable{}", "lefttable{} righttable{}")
DUPLICATES = ("duplicateof", "isduplicateof", "duplicateofid")
"""The names of the record that a record is a duplicate of; one without it is a duplicate of none."""
ENDS = (
    *((tuple(side.format(item, item).split()), two) for two, of in ((True, TWO_TABLES), (False, SIDES)) for item in ITEMS
      for side in of),
    *((ends, False) for ends in (("left", "right"), ("source", "target"), ("sourceid", "targetid"))),
    *(((item, of), False) for item in ITEMS for of in DUPLICATES),
)  # fmt: skip
"""The names of both ends of a pair, folded, and whether they say that the ends are of two tables."""
SOURCES = (
    *(tuple(side.format(source, source).split()) for source in NAMES["source"] for side in (*SIDES, *TWO_TABLES)),
    ("leftsource", "rightsource"),
)
"""The names of the sources of both ends, folded."""

PROBABILITIES = ("matchprobability", "probability", "matchscore", "matchprob", "prob", "proba", "p")
PROBABILITIES_SHOWN = "match_probability, probability, match_score, proba, p"
SCORES = ("matchweight", "score", "confidencescore", "confidence", "similarity", "similarityscore")
"""Columns of any numbers, higher for pairs that are more probable: they decide where a threshold is given."""
PREDICTIONS = ("predicted", "prediction", "pred", "ypred", "predlabel", "predictedlabel", "predictedmatch")
DECISIONS = ("label", "match", "ismatch", "matched", "decision", "isduplicate", "duplicate")
CLERICAL = "clericalmatchscore"
TRUTHS = (CLERICAL, "gold", "goldlabel", "truelabel", "truth", "groundtruth", "ytrue", "goldmatch", "truematch")
"""Columns that say whether a pair is a link: its probability, the decision of a system, the decision of a person, the truth."""
DECIDING = frozenset({*PREDICTIONS, *DECISIONS, *TRUTHS})

PLAIN_NAMES = frozenset({*ITEMS, *INDEX, "rowid", "pairid"})
"""Columns that number rows, and decide nothing."""
MATCHES = ("match", "matched", "matching", "link", "linked", "duplicate", "same")
YES_NO = {
    **dict.fromkeys(("true", "yes", "t", "y", "positive", "pos", *MATCHES), 1.0),
    **dict.fromkeys(("false", "no", "f", "n", "negative", "neg", "distinct", "different", "mismatch"), 0.0),
    **dict.fromkeys((no + word for no in ("no", "non", "not", "nota", "un") for word in MATCHES), 0.0),
}
"""Words that decide about a pair, folded."""


class TableSchema(NamedTuple):
    """What a table and its columns were taken for.

    Parameters
    ----------
    kind : str
        "labels" or "pairs".
    places : mapping
        Role -> number of the column.
    two : bool or None
        Of pairs: whether the two records are of two tables; None if nothing says it.
    decision : str
        Of pairs: "probability", "score", "decision", or "" where each pair is a link.
    unread : tuple of str
        The names of other columns.
    span : tuple of int
        Of labels: where the start and the end of a mention are, if both are there.
    doubt : str
        Of labels: what is wrong with them if all say yes or no, as decisions about pairs do; empty if nothing is.
    alone : bool
        Of pairs: whether a record without a second one is in no pair, as where duplicates are listed.
    """

    kind: str
    places: Mapping[str, int]
    two: bool | None = None
    decision: str = ""
    unread: tuple[str, ...] = ()
    span: tuple[int, ...] = ()
    doubt: str = ""
    alone: bool = False

    def origin(self, names: Sequence[str], options: ReadOptions) -> Origin | None:
        """The column of entities, or what decides about pairs, and the columns that were not read; None if a user named it."""
        role = "entity" if self.kind == "labels" else self.decision
        if options.columns:
            return None
        return Origin(names[self.places[role]].strip() if role else "", self.unread, role or "decision")

    def summary(self, names: Sequence[str]) -> str:
        """What was taken, for people: the kind, and the column of each role."""
        columns = ", ".join(f"{role} = {shown(names[place])}" for role, place in self.places.items())
        return f"{self.kind}: {columns}"


class UnclearError(Exception):
    """Nobody can tell what the columns mean; the message says why, and what to do."""


def shown(*names: str) -> str:
    """The names of columns in a message."""
    return shortened(", ".join(shortened(name.strip()) for name in names), 160)


def is_known(name: str) -> bool:
    """Whether a name is one of the vocabulary, so that it stands in a header."""
    return folded(name) in VOCABULARY


def has_ends(names: Sequence[str]) -> bool:
    """Whether the names have both ends of pairs."""
    folded_names = {*map(folded, names)}
    return any(folded_names >= {*ends} for ends, _ in ENDS)


def infer_schema(names: Sequence[str], options: ReadOptions, role: str, *, probable: bool = False) -> TableSchema:
    """Find out whether a table has labels or pairs, and what each column means.

    Parameters
    ----------
    names : sequence of str
        The names of the columns.
    options : ReadOptions
        What the user said.
    role : str
        "key" or "response": pairs of a key are decided by what is true, those of a response by what was predicted.
    probable : bool
        Whether pairs must have probabilities.

    Raises
    ------
    UnclearError
        If it is neither, or columns fit in several ways.
    """
    if "word" in options.columns:
        raise UnclearError(f"is a table of records; found the role word in {options.option}, which is for CoNLL files")
    folded_names = [folded(name) for name in names]
    named = {r: _place(names, r, column, options.option) for r, column in options.columns.items()}
    of_labels, of_pairs = (sorted(named.keys() & roles) for roles in (LABELS, PAIRS))
    if named.get("source", 0) is None:  # neither records nor ends have any
        of_labels.remove("source")
        named = {"left_source": None, "right_source": None, **named}
    if of_labels and of_pairs:
        wrong = f"found --columns for the {of_labels[0]}, and for the {of_pairs[0]}"
        raise UnclearError(f"{wrong}; expected item and entity for labels, or left and right for pairs (--key-columns, ...)")
    ends = None if of_labels else _ends(folded_names, named, options.option)
    if ends is not None:
        if not named and _has_labels(folded_names):
            remedy = f"{options.option} item=NAME,entity=NAME, or left=NAME,right=NAME"
            raise UnclearError(f"has columns for labels, and for pairs ({shown(*names)}): say {remedy}")
        return _pairs(names, folded_names, named, ends, options, role, probable=probable)
    if of_pairs:
        columns = shown(*names)
        remedy = f"{options.option} left=NAME,right=NAME"
        raise UnclearError(f"has the columns {columns}; expected both ends of a pair: {remedy}")
    return _labels(names, folded_names, named, options, role)


def _has_labels(folded_names: Sequence[str]) -> bool:
    """Whether there are columns for items and their entities; a label may decide about pairs instead."""
    return any(name in ITEMS for name in folded_names) and any(
        name in NAMES["entity"] and name not in DECIDING for name in folded_names
    )


def _place(names: Sequence[str], role: str, column: str, option: str) -> int | None:
    """Where a column is that the user named; None if there is none, as he said."""
    if not column:
        return None
    places = [n for n, name in enumerate(names) if (name.strip() or str(n + 1)) == column]  # one without a name has its number
    if len(places) > 1:
        raise UnclearError(f"has {len(places)} columns called {shown(column)!r}; expected different names")
    if not places:
        raise UnclearError(f"has no column {shown(column)!r} for the {role}; found {shown(*names)} ({option})")
    return places[0]


def _labels(
    names: Sequence[str], folded_names: Sequence[str], named: Mapping[str, int | None], options: ReadOptions, side: str
) -> TableSchema:
    option = options.option
    places: dict[str, int] = {}
    used = {place for place in named.values() if place is not None}
    if options.tables == "one":
        named = {"source": None, **named}
    for role, vocabulary in NAMES.items():
        place = named.get(role)
        if role in named:
            fitting = [] if place is None else [place]
        else:
            fitting = [n for n, name in enumerate(folded_names) if name in vocabulary and n not in used]
            fitting = [n for n in fitting if folded_names[n] != NAME] or fitting
            if role == "item" and not fitting and len(names) == 2:
                fitting = [n for n, name in enumerate(folded_names) if name in INDEX and n not in used]
            if role == "item" and [folded_names[n] for n in fitting] == [NAME]:  # GoldenMatch calls records by their rows
                fitting += [n for n, name in enumerate(folded_names) if name == "rowid" and n not in used]
            if role == "entity":
                fitting = _of_side(
                    folded_names, fitting, [n for n in range(len(names)) if n not in {*used, *places.values()}], side
                )
        if len(fitting) > 1:
            several = shown(*(names[n] for n in fitting))
            raise UnclearError(f"has {several} for the {role}; expected one: {option} {role}=NAME")
        if fitting:
            places[role] = fitting[0]
    if lacking := [role for role in ("item", "entity") if role not in places]:
        free = [shown(name) for n, name in enumerate(names) if n not in places.values()]
        columns = free if len(names) == 2 and len(free) == len(lacking) else ["NAME"] * len(lacking)
        remedy = ",".join(f"{role}={column}" for role, column in zip(lacking, columns, strict=True))
        likely = (
            names if len(names) == 2 else [names[n] for n, name in enumerate(folded_names) if name in _of_records(folded_names)]
        )
        ends = [shown(name) for name in likely] if len(likely) == 2 else ["NAME"] * 2
        wanted = f"{option} {remedy}, or {'left={},right={}'.format(*ends)} for pairs"
        raise UnclearError(
            f"has the columns {shown(*names)}; expected one for the {' and one for the '.join(lacking)}: {wanted}"
        )
    doubt = ""
    others = [n for n, name in enumerate(folded_names) if n not in places.values() and name not in PLAIN_NAMES]
    if others and "entity" not in named and folded_names[places["entity"]] in DECIDING:
        ids = [n for n in others if _may_be_id(folded_names[n], folded_names[places["item"]])]
        pair = f"left={shown(names[places['item']])},right={shown(names[(ids or others)[0]])}"
        label = shown(names[places["entity"]])
        doubt = f"has {shown(*names)}: labels or pairs? Say {option} entity={label}, or {pair},decision={label}"
        if ids:
            raise UnclearError(doubt)
    span = [folded_names.index(name) for name in SPAN if name in folded_names]
    return TableSchema("labels", places, unread=_others(names, places), span=tuple(span) if len(span) == 2 else (), doubt=doubt)


def _of_side(names: Sequence[str], known: Sequence[int], free: Sequence[int], side: str) -> list[int]:
    """The columns that may have the entities of a key, or of a response: those of known names that are not the other side's.

    Columns such as `gold` and `predicted` are such a pair where a table has both, or one of them beside a known name.
    """
    by_side = {which: [n for n in free if side_of(names[n]) == which] for which in ("key", "response", "")}
    own, others = by_side.get(side, []), by_side["response" if side == "key" else "key"]
    neutral = [n for n in known if n in by_side[""]]
    if own and (neutral or others):
        return sorted([*own, *neutral])
    return neutral or [n for n in known if n in own] or list(known)


def _may_be_id(name: str, item: str) -> bool:
    """Whether a column may have the other record of a pair: `duplicate_id`, or `id.1` beside `id`."""
    return name.endswith("id") or name.startswith(item)


def _ends(folded_names: Sequence[str], named: Mapping[str, int | None], option: str) -> tuple[int, int, bool | None] | None:
    """Where both ends of pairs are, and whether they are of two tables; None if there are none."""
    if "left" in named or "right" in named:
        left, right = named.get("left"), named.get("right")
        if left is None or right is None:
            raise UnclearError(f"found one end of a pair in {option}; expected both: left=NAME,right=NAME")
        return left, right, None
    used = {place for place in named.values() if place is not None}
    place = {name: n for n, name in reversed(list(enumerate(folded_names))) if n not in used}
    ends_found = [(ends, two) for ends, two in ENDS if place.keys() >= {*ends}]
    if len(ends_found) > 1:
        several = " and ".join("/".join(ends) for ends, _ in ends_found)
        raise UnclearError(f"has {several} for the ends of pairs; expected one of each: {option} left=NAME,right=NAME")
    for (left_name, right_name), two in ends_found:
        is_one = (left_name, right_name) == SAME_TABLE or right_name in DUPLICATES
        return place[left_name], place[right_name], True if two else False if is_one else None
    return None


def _pairs(
    names: Sequence[str],
    folded_names: Sequence[str],
    named: Mapping[str, int | None],
    ends: tuple[int, int, bool | None],
    options: ReadOptions,
    role: str,
    *,
    probable: bool,
) -> TableSchema:
    places = {"left": ends[0], "right": ends[1]}
    free = {name: n for n, name in reversed(list(enumerate(folded_names))) if n not in (*named.values(), *ends[:2])}

    def one(role_name: str, *vocabulary: str) -> None:
        """Find the column of a role."""
        place = named[role_name] if role_name in named else next((free[name] for name in vocabulary if name in free), None)
        if place is not None:
            places[role_name] = place
            free.pop(folded_names[place], None)

    one("document", *NAMES["document"])
    if options.tables != "one" or "left_source" in named:
        one("left_source", *(left for left, _ in SOURCES))
        one("right_source", *(right for _, right in SOURCES))
    if ("left_source" in places) != ("right_source" in places):
        raise UnclearError("has the source of one end of its pairs; expected that of both, or left_source=,right_source=")
    decision = _decision(names, folded_names, named, free, role, options.option, probable=probable)
    if decision:
        places[decision[0]] = decision[1]
    by_name = False if "left_source" in places else ends[2]  # a source and an id name a record, in whatever table it is
    two = {"one": False, "two": True}.get(options.tables or "", by_name)
    alone = folded_names[places["right"]] in DUPLICATES
    return TableSchema("pairs", places, two, decision[0] if decision else "", _others(names, places), alone=alone)


def _decision(
    names: Sequence[str],
    folded_names: Sequence[str],
    named: Mapping[str, int | None],
    free: Mapping[str, int],
    role: str,
    option: str,
    *,
    probable: bool,
) -> tuple[str, int] | None:
    """The role and the column of what decides about pairs; None if each is a link."""
    columns = [(role_name, named[role_name]) for role_name in ("probability", "score", "decision") if role_name in named]
    deciding = [(role_name, place) for role_name, place in columns if place is not None]
    if len(deciding) > 1:
        raise UnclearError("found several columns that decide in --columns; expected one of probability, score and decision")
    if deciding:
        return deciding[0]
    if columns:
        return None
    others = sorted(n for name, n in free.items() if name not in PLAIN_NAMES | _of_records(folded_names))
    predicted, true = ([n for n in others if _deciding_side(folded_names[n]) == side] for side in ("response", "key"))
    probable_places = sorted(free[name] for name in PROBABILITIES if name in free)
    probabilities, decisions = ("probability", probable_places), ("decision", sorted(free[n] for n in DECISIONS if n in free))
    is_response = role == "response"
    own, other = (("decision", predicted), ("decision", true))[:: 1 if is_response else -1]
    order = [own, probabilities, decisions, other] if is_response else [own, decisions, probabilities, other]
    scores = ("score", sorted(free[name] for name in SCORES if name in free))
    for number, (role_name, places) in enumerate([probabilities, scores] if probable else order):
        is_sure = number < 2 or (not is_response and number == 2)
        rivals = places if is_sure else others  # a label in a response may be what is true, and a prediction no key
        if places and len(rivals) > 1:
            raise UnclearError(f"has {shown(*(names[n] for n in rivals))}: which one decides? Say {option} {role_name}=NAME")
        if places:
            return role_name, places[0]
    if others and not probable:
        column = shown(names[others[0]])
        remedy = f"{option} decision={column}, or probability={column} if it is from 0 to 1; decision= if each pair is a link"
        if names[others[0]] and folded_names[others[0]] in SCORES:
            remedy = f"--threshold NUMBER if a higher one is more probable; else {remedy}"
        raise UnclearError(f"has a column {column}, which may decide about pairs, but nobody knows how: say {remedy}")
    return None


def _deciding_side(name: str) -> str:
    """The side whose decision about a pair a column is, by its folded name."""
    return "key" if name == CLERICAL else side_of(name)


def _of_records(decision: Sequence[str]) -> set[str]:
    """Names of columns that describe one record of each pair, beside a column that describes the other: `city_l`, `city_r`."""
    stems: dict[str, set[str]] = {}
    for name, (place, end) in product(decision, ((0, "l"), (1, "r"), (0, "1"), (1, "2"), (0, "left"), (1, "right"))):
        for stem in {name.removesuffix(end), name.removeprefix(end), name.removeprefix(end[0] + "table")} - {name}:
            stems.setdefault(stem, set()).add(f"{place} {name}")
    return {n.split()[1] for columns in stems.values() if {"0", "1"} <= {n[0] for n in columns} for n in columns}


DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


def number_of(word: str) -> float | None:
    """The number of a word: 1 for yes, 0 for no, or the number that it is; None if it is none.

    >>> number_of("Non-Match"), number_of("0.5"), number_of("0,5"), number_of("12 %")
    (0.0, 0.5, 0.5, None)
    """
    if (decision := YES_NO.get(folded(word))) is not None:
        return decision
    try:
        return float(word.replace(",", ".", 1) if DECIMAL_COMMA.fullmatch(word) else word)
    except ValueError:
        return None


def are_decisions(labels: Iterable[object]) -> bool:
    """Whether all labels say yes or no; None is no label."""
    numbers = {number_of(str(label).strip().lower()) for label in labels if label is not None}
    return bool(numbers) and numbers <= {0.0, 1.0}


def _others(names: Sequence[str], places: Mapping[str, int]) -> tuple[str, ...]:
    """The columns that are not read, and may be annotation: no sources, and none that number rows."""
    no_annotation = {*NAMES["source"], *(name for ends in SOURCES for name in ends), *PLAIN_NAMES}
    return tuple(name for n, name in enumerate(names) if n not in places.values() and folded(name) not in no_annotation)


VOCABULARY = frozenset(
    {*(name for of in NAMES.values() for name in of), *(name for ends, _ in ENDS for name in ends),
     *(name for ends in SOURCES for name in ends), *PROBABILITIES, *PREDICTIONS, *DECISIONS, *TRUTHS}
)  # fmt: skip
