"""The fitted model: everything learned is a table, and the score of a choice is a sum of look-ups.

A table has an axis for each of its fields. Fields of mentions (such as number) are of the later or of the earlier mention;
others are of the pair (such as the string relation), or of an MR as the later mention sees it (such as its rank).

Three kinds of tables add up:

``pair``
    the compatibility of a mention with a mention of an MR
``entity``
    what speaks for an MR as a whole; the earlier mention is its last one
``new``
    what speaks for a new MR

Weights are whole numbers, hundredths of a logit. So sums are exact: the same in any order, on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, Numbers
from referee.basics.exceptions import OptionError, counted, shortened
from referee.resolver.attributes import CLASSES, GENDERS, NUMBERS, PERSONS, TYPE, TYPES, Mentions
from referee.resolver.kinds import KINDS
from referee.resolver.memory import CandidateMRs, Decision
from referee.resolver.relations import DISTANCES, SPEAKERS, STRINGS, TREES, WORDS, Pairs, Relations, sentence_bin

UNIT = 100
"""Weights are fractions of this number."""

RANKS, SIZES, BETWEEN = 16, 6, 10


class Topic(NamedTuple):
    """What a table is about.

    Parameters
    ----------
    kind : str
        "pair", "entity" or "new".
    fields : tuple of str
        Fields of the pair or the MR.
    later, earlier : tuple of str
        Fields of the two mentions.
    words : str
        What it looks at, in words.
    """

    kind: str
    fields: tuple[str, ...]
    later: tuple[str, ...]
    earlier: tuple[str, ...]
    words: str


GROUP = ("group",)
TABLES = {
    "string": Topic("pair", ("string",), GROUP, GROUP, "how alike the strings are"),
    "stringdist": Topic("pair", ("string", "distance"), GROUP, (), "how alike the strings are, and how far apart"),
    "words": Topic("pair", ("words",), GROUP, GROUP, "words in common, and alike heads"),
    "wordsdist": Topic("pair", ("words", "distance"), GROUP, (), "words in common, and how far apart"),
    "number": Topic("pair", (), ("number", "group"), ("number", "group"), "number"),
    "gender": Topic("pair", (), ("gender", "group"), ("gender", "group"), "gender"),
    "person": Topic("pair", ("speakers",), ("person", "group"), ("person", "group"), "person, and who speaks"),
    "roles": Topic("pair", ("near",), ("role", "pronominal"), ("role",), "roles in their sentences"),
    "tree": Topic("pair", ("tree",), GROUP, GROUP, "places in the tree"),
    "treerole": Topic("pair", ("tree",), ("pronominal",), ("role",), "places in the tree, and the role of the earlier one"),
    "pronouns": Topic("pair", ("speakers",), ("pronoun",), ("pronoun",), "which pronouns they are, and who speaks"),
    "typerole": Topic("new", (), ("type", "role"), (), "type and role"),
    "typeseen": Topic("new", (), ("type", "seen"), (), "type, and whether its head was there before"),
    "detseen": Topic("new", (), ("determiner", "seen"), (), "determiner, and whether its head was there before"),
    "modifiers": Topic("new", (), ("type", "modifiers", "postmodified"), (), "type, and how many modifiers"),
    "pronounrole": Topic("new", (), ("pronoun", "role"), (), "which pronoun it is, and its role"),
    "last": Topic("entity", ("distance",), GROUP, GROUP, "how far back its last mention is"),
    "rank": Topic("entity", ("rank",), GROUP, (), "how many others were mentioned since"),
    "bestdist": Topic(
        "entity", ("best", "distance"), GROUP, (), "the most alike of its mentions, and how far back the last is"
    ),
    "kind": Topic("pair", (), ("kind", "group"), ("kind", "group"), "what they name, by a lexicon"),
    "types": Topic("pair", (), ("type",), ("type",), "types"),
    "stringmods": Topic("pair", ("string",), ("type", "modifiers"), (), "how alike the strings are, and how many modifiers"),
    "sentdist": Topic("pair", ("distance",), GROUP, GROUP, "distance in sentences"),
    "mentdist": Topic("pair", ("between",), GROUP, GROUP, "distance in mentions"),
    "pronhead": Topic("pair", (), ("pronoun",), ("lemma",), "a pronoun after which noun"),
    "headpron": Topic("pair", (), ("lemma",), ("pronoun",), "a noun after which pronoun"),
    "lemmas": Topic("pair", ("string",), ("lemma",), (), "which noun, and how alike the strings are"),
    "determiners": Topic("pair", ("string",), ("determiner",), ("determiner",), "determiners"),
    "newlemma": Topic("new", (), ("lemma", "seen"), (), "which noun, and whether it was there before"),
    "place": Topic("new", (), ("type", "early"), (), "type, and whether the text has just begun"),
    "numbernew": Topic("new", (), ("type", "number", "person"), (), "type, number and person"),
    "size": Topic("entity", ("size",), GROUP, GROUP, "how many mentions it has"),
    "bestsize": Topic("entity", ("best", "size"), GROUP, (), "the most alike of its mentions, and how many it has"),
    "lastrole": Topic("entity", ("near",), ("pronominal", "role"), ("role",), "the role of its last mention"),
    "ranktype": Topic("entity", ("rank",), ("type",), GROUP, "how many others were mentioned since, by type"),
    "synonym": Topic("pair", ("synonym",), GROUP, GROUP, "synonyms, besides what equal heads have"),
}
"""The tables there are. Those of `DEFAULT` are fitted unless others are named."""

DEFAULT = tuple(TABLES)[:20]

SIZE_OF_FIELD = {
    "string": STRINGS, "words": WORDS, "tree": TREES, "speakers": SPEAKERS, "distance": DISTANCES, "near": 3,
    "between": BETWEEN, "best": STRINGS, "rank": RANKS, "size": SIZES, "type": len(TYPES), "group": len(CLASSES),
    "synonym": 2, "kind": len(KINDS), "number": len(NUMBERS),
    "gender": len(GENDERS), "person": len(PERSONS), "seen": 3, "modifiers": 4, "postmodified": 2, "pronominal": 2, "early": 3,
}  # fmt: skip
VOCABULARIES = ("role", "pronoun", "determiner", "lemma")
"""Fields whose values are words or relations of the training corpus; 0 is none, 1 is any that is not in the vocabulary."""

OWN: dict[str, Callable[[Mentions, Ints, Ints], Ints]] = {}
"""What computes the codes of tables that were added."""

RANK = np.minimum(np.concatenate([np.arange(10), 10 + np.log2(np.arange(10, 1001) / 10).astype(np.int64)]), RANKS - 1)


@dataclass(frozen=True)
class Tables:
    """A fitted model.

    Parameters
    ----------
    weights : mapping
        int32 arrays by the names of their tables, one axis a field in the order `fields`, `later`, `earlier`.
    vocabularies : mapping
        The words of each of `VOCABULARIES` that has a table.
    quantifier : str
        One of `referee.resolver.memory.QUANTIFIERS`.
    window : int
        How many earlier mentions are compared.
    memory : int
        How many MRs are remembered; 0 for all.
    one_gender : bool
        Whether no MR has pronouns of two genders, such as he and she.
    """

    weights: Mapping[str, Numbers]
    vocabularies: Mapping[str, Sequence[str]]
    quantifier: str = "any"
    window: int = 300
    memory: int = 0
    one_gender: bool = False

    def __repr__(self) -> str:
        return f"<Tables: {counted(sum(weights.size for weights in self.weights.values()), 'weight')}>"

    def without(self, name: str) -> Tables:
        """The model without a table."""
        return replace(self, weights={other: weights for other, weights in self.weights.items() if other != name})

    def judge(self, relations: Relations) -> TableJudge:
        """Make the judge of some mentions."""
        return TableJudge(self, relations)


def shape_of(table: Topic, vocabularies: Mapping[str, Sequence[str]]) -> tuple[int, ...]:
    """The length of each axis of a table."""
    sizes = {**SIZE_OF_FIELD, **{name: len(words) + 2 for name, words in vocabularies.items()}}
    return tuple(sizes[name] for name in (*table.fields, *table.later, *table.earlier))


def fields_of_mentions(relations: Relations, vocabularies: Mapping[str, Sequence[str]]) -> dict[str, Ints]:
    """The value of each field of each mention, shape (mentions,)."""
    m = relations.mentions
    pronominal = m.pronoun

    def known(codes: Ints, texts: Sequence[str], name: str) -> Ints:
        number = {text: n for n, text in enumerate(vocabularies.get(name, ()), start=2)}
        return np.array([*(number.get(text, 1) for text in texts), 0], dtype=np.int64)[codes]

    fields = {
        "type": m.type,
        "group": m.group,
        "number": m.number,
        "gender": m.gender,
        "kind": m.kind,
        "person": m.person,
        "pronominal": pronominal.astype(np.int64),
        "seen": relations.seen,
        "modifiers": np.minimum(m.modifier_count, 3),
        "postmodified": m.postmodified.astype(np.int64),
        "early": _early(m),
    }
    wanted = {
        "role": (m.role, m.roles),
        "pronoun": (np.where(relations.wordless, m.lemma, -1), m.words),
        "determiner": (m.determiner, m.words),
        "lemma": (np.where(relations.wordless, -1, m.lemma), m.words),
    }
    return fields | {name: known(*wanted[name], name) for name in wanted if name in vocabularies}


def _early(m: Mentions) -> Ints:
    """0 in the first sentence of a document, 1 in the next five, else 2."""
    if not len(m.sentence):
        return m.sentence
    first = m.sentence[np.searchsorted(m.document, m.document)]
    apart = m.sentence - np.minimum(first, m.sentence)
    return np.where(apart == 0, 0, np.where(apart <= 5, 1, 2))


def add_table(name: str, codes: Callable[[Mentions, Ints, Ints], Ints], size: int, words: str = "") -> None:
    """Add a rule of your own: a table of pairs, which is fitted like the others where its name is among the tables.

    A model that has it can be loaded in programs that add it, too.

    Parameters
    ----------
    name : str
    codes : function
        Gets the mentions (`referee.resolver.attributes.Mentions`), and the numbers of the later and of the earlier mention of
        each pair, int64 arrays of shape (pairs,). Returns a code for each pair, from 0 to `size` - 1.
    size : int
        How many codes there are.
    words : str
        What the table looks at.

    Raises
    ------
    OptionError
        If there is a table or a field of this name, or the size is not from 1 to 100,000.
    """
    if name in (TABLES.keys() | SIZE_OF_FIELD.keys() | {*VOCABULARIES}) - OWN.keys() or not name.isidentifier():
        raise OptionError(f"found the table {shortened(name)!r}; expected letters and digits, and no name of a table or field")
    if not 1 <= size <= 100_000:
        raise OptionError(f"found the size {size}; expected 1 to 100,000 codes")
    TABLES[name] = Topic("pair", (name,), GROUP, (), words or name)
    SIZE_OF_FIELD[name] = size
    OWN[name] = codes


def _own_field(name: str, mentions: Mentions, pairs: Pairs) -> Ints:
    """The codes that a function of the user gives."""
    codes = np.asarray(OWN[name](mentions, pairs.later, pairs.earlier))
    size = SIZE_OF_FIELD[name]
    if codes.shape != pairs.later.shape or codes.dtype.kind not in "biu" or not ((codes >= 0) & (codes < size)).all():
        raise OptionError(f"the table {name}: found codes of another form; expected one from 0 to {size - 1} for each pair")
    return codes.astype(np.int64)


def fields_of_pairs(pairs: Pairs, mentions: Mentions, names: Collection[str]) -> dict[str, Ints]:
    """The value of each field of each pair; of the added tables only those among `names`."""
    between = np.log2(np.maximum(pairs.later - pairs.earlier, 1)).astype(np.int64)
    return {
        "string": pairs.string,
        "words": pairs.words,
        "tree": pairs.tree,
        "speakers": pairs.speakers,
        "distance": pairs.distance,
        "near": np.minimum(pairs.distance, 2),
        "between": np.minimum(between, BETWEEN - 1),
        "synonym": pairs.synonym,
        **{name: _own_field(name, mentions, pairs) for name in OWN if name in names},
    }


def fields_of_candidates(mentions: Mentions, candidates: CandidateMRs, wanted: Collection[str]) -> dict[str, Ints]:
    """The value of each MR in some fields."""
    fields = {"best": candidates.best}
    if "distance" in wanted or "near" in wanted:
        apart = mentions.sentence[candidates.later[candidates.row]] - mentions.sentence[candidates.last]
        fields["distance"] = sentence_bin(np.maximum(apart, 0))
    if "near" in wanted:
        fields["near"] = np.minimum(fields["distance"], 2)
    if "rank" in wanted:
        fields["rank"] = RANK[np.minimum(candidates.rank, len(RANK) - 1)]
    if "size" in wanted:
        fields["size"] = np.minimum(np.log2(np.maximum(candidates.mentions, 1)).astype(np.int64), SIZES - 1)
    return fields


def index(
    table: Topic, shape: tuple[int, ...], fields: Mapping[str, Ints], values: Mapping[str, Ints], i: Ints, j: Ints
) -> Ints:
    """Where each pair looks into a table, flattened: `fields` of pairs, `values` of mentions, `i` later, `j` earlier."""
    place: Ints = np.zeros(len(i), dtype=np.int64)
    axes = [*((fields[f]) for f in table.fields), *(values[f][i] for f in table.later), *(values[f][j] for f in table.earlier)]
    for axis, size in zip(axes, shape, strict=True):
        place = place * size + axis
    return place


class Fused(NamedTuple):
    """Several tables with the same fields of pairs, added up for the values of mentions that occur.

    Parameters
    ----------
    fields : tuple of str
    sizes : tuple of int
        How many values each field has.
    shape : tuple of int
        How many different later mentions there are, and how many earlier ones.
    later, earlier : int64, shape (mentions,)
        Where what is about a mention begins in `weights`; that of both mentions is added up.
    weights : int32
        Flattened: the later mention, the earlier one, the last field, ..., the first field.
    """

    fields: tuple[str, ...]
    sizes: tuple[int, ...]
    shape: tuple[int, int]
    later: Ints
    earlier: Ints
    weights: Numbers

    @property
    def grid(self) -> Numbers:
        """The weights, an axis for each mention and field."""
        return self.weights.reshape(*self.shape, *self.sizes[::-1])

    @property
    def earlier_code(self) -> Ints:
        """The number of each mention among the different earlier ones."""
        return self.earlier // max(int(np.prod(self.sizes, dtype=np.int64)), 1)

    @property
    def later_code(self) -> Ints:
        """The number of each mention among the different later ones."""
        return self.later // max(int(np.prod(self.sizes, dtype=np.int64)) * self.shape[1], 1)

    def add(self, total: Numbers, fields: Mapping[str, Ints], i: Ints, j: Ints) -> None:
        """Add what pairs of `i` and `j` have to a total."""
        place = self.later[i]
        place += self.earlier[j]
        stride = 1
        for name, size in zip(self.fields, self.sizes, strict=True):
            place += fields[name] * stride if stride > 1 else fields[name]
            stride *= size
        total += self.weights[place]


def fuse(names: Sequence[str], model: Tables, values: Mapping[str, Ints]) -> list[Fused]:
    """Add up tables of one kind: those of the same fields together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    lexical = [name for name in names if {"lemma", "determiner"} & {*TABLES[name].later, *TABLES[name].earlier}]
    for name in names:
        if name in lexical:  # so many values that only few of their combinations occur twice
            continue
        wanted = set(TABLES[name].fields)
        home = next((key for key in groups if wanted <= set(key) or set(key) <= wanted), None)
        key = tuple(f for f in SIZE_OF_FIELD if f in wanted | set(home or ()))
        groups[key] = [*groups.pop(home, []), name] if home is not None else [name]
    apart = [(TABLES[name].fields, [name]) for name in lexical]
    return [_fused(key, members, model, values) for key, members in [*groups.items(), *apart]]


def _fused(fields: tuple[str, ...], names: Sequence[str], model: Tables, values: Mapping[str, Ints]) -> Fused:
    sides = []
    for side in ("later", "earlier"):
        code = np.zeros(len(values["type"]), dtype=np.int64)
        for f in sorted({f for name in names for f in getattr(TABLES[name], side)}):
            code = code * (int(values[f].max(initial=0)) + 1) + values[f]
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        sides.append((first, inverse.reshape(-1)))
    (first_i, code_i), (first_j, code_j) = sides
    sizes = tuple(SIZE_OF_FIELD[f] for f in fields)
    cells = int(np.prod(sizes, dtype=np.int64))
    grid = np.zeros((len(first_i), len(first_j), *sizes[::-1]), dtype=np.int32)
    for name in names:
        table, weights = TABLES[name], model.weights[name]
        k = len(table.fields)
        # One axis for the later mention, one for the earlier, then those of the fields, the first one fastest.
        picked = np.moveaxis(weights, range(k), range(-k, 0)) if k else weights
        later, earlier = [values[f][first_i][:, None] for f in table.later], [values[f][first_j] for f in table.earlier]
        picked = picked[(*later, *earlier)]
        axes = {f: n for n, f in enumerate(table.fields)}
        picked = np.transpose(picked, (0, 1, *(2 + axes[f] for f in fields[::-1] if f in axes)))
        grid += picked.reshape(*picked.shape[:2], *(SIZE_OF_FIELD[f] if f in axes else 1 for f in fields[::-1]))
    shape = len(first_i), len(first_j)
    return Fused(fields, sizes, shape, code_i * (len(first_j) * cells), code_j * cells, grid.reshape(-1))


class TableJudge:
    """Tables at work on some mentions."""

    def __init__(self, model: Tables, relations: Relations) -> None:
        self.model = model
        self.quantifier = model.quantifier
        self.relations = relations
        self._block: tuple[Pairs, dict[str, Ints]] | None = None
        self.of = fields_of_mentions(relations, model.vocabularies)
        kinds = {kind: [name for name in model.weights if TABLES[name].kind == kind] for kind in ("pair", "entity", "new")}
        self.pair = fuse(kinds["pair"], model, self.of)
        self.entity = fuse(kinds["entity"], model, self.of)
        self.wanted = {field for name in kinds["entity"] for field in TABLES[name].fields}
        rows = np.arange(len(relations.mentions.document))
        self.new = np.zeros(len(rows), dtype=np.int32)
        for name in kinds["new"]:
            table, weights = TABLES[name], model.weights[name]
            self.new += weights.reshape(-1)[index(table, weights.shape, {}, self.of, rows, rows)]

    @property
    def unknown_pronouns(self) -> float:
        """The share of pronouns (but zeros) that the model does not know, if it knows any; 0 of less than 10 pronouns."""
        known = self.of.get("pronoun", np.empty(0, dtype=np.int64))
        written = self.relations.wordless & (self.relations.mentions.type != TYPE["zero"])
        pronouns = known[written] if len(known) else known
        return float((pronouns == 1).mean()) if len(pronouns) >= 10 else 0.0

    def compatibilities(self, pairs: Pairs) -> Numbers:
        """Sums of the tables of pairs."""
        total = np.zeros(len(pairs.later), dtype=np.int32)
        fields = fields_of_pairs(pairs, self.relations.mentions, self.model.weights)
        for fused in self.pair:
            fused.add(total, fields, pairs.later, pairs.earlier)
        return total

    def scores(self, candidates: CandidateMRs) -> tuple[Numbers, Bools | None, Numbers]:
        """Add the tables of MRs to the compatibility."""
        total = np.zeros(len(candidates.row), dtype=np.int32)
        if not len(total):
            return candidates.compatibility, None, self.new[candidates.later]
        fields = fields_of_candidates(self.relations.mentions, candidates, self.wanted)
        later = candidates.later[candidates.row]
        for fused in self.entity:
            fused.add(total, fields, later, candidates.last)
        allowed = candidates.rank < self.model.memory if self.model.memory else None
        return total + candidates.compatibility, allowed, self.new[candidates.later]

    def attached(self, later: Ints, label: Ints, new: Bools) -> None:
        """Nothing is learned from decisions."""

    def shown(self, _: CandidateMRs, decision: Decision) -> tuple[Floats, Floats]:
        """The scores of candidates, and those of new MRs, as logits."""
        return decision.scores / UNIT, decision.new / UNIT

    def contributions(
        self, pairs: Pairs, block: slice, candidates: CandidateMRs, mention: int, best: int, deciding: int
    ) -> list[tuple[str, float]]:
        """What each table adds to the score of the best MR, and to that of a new one, the largest first.

        The compatibility is that of the deciding pair; with the quantifier `mean` the average over the MR.
        """
        values: dict[str, float] = {}
        later = candidates.later[mention : mention + 1]
        for name, weights in self.model.weights.items():
            table = TABLES[name]
            if table.kind == "new":
                values[name] = float(weights.reshape(-1)[index(table, weights.shape, {}, self.of, later, later)[0]])
            elif best < 0:
                continue
            elif table.kind == "entity":
                of_mrs = fields_of_candidates(self.relations.mentions, candidates, self.wanted)
                fields = {f: v[best : best + 1] for f, v in of_mrs.items()}
                at = index(table, weights.shape, fields, self.of, later, candidates.last[best : best + 1])
                values[name] = float(weights.reshape(-1)[at[0]])
            else:
                rows = np.flatnonzero(candidates.group == best) if self.quantifier == "mean" else np.array([deciding])
                rows = rows + block.start
                fields = {f: v[rows] for f, v in self._pair_fields(pairs).items()}
                at = index(table, weights.shape, fields, self.of, pairs.later[rows], pairs.earlier[rows])
                values[name] = float(weights.reshape(-1)[at].sum()) / len(rows)
        ordered = sorted(values.items(), key=lambda item: -abs(item[1]))
        return [(name, value / UNIT) for name, value in ordered if value]

    def _pair_fields(self, pairs: Pairs) -> dict[str, Ints]:
        """Those of a block, which many decisions ask for."""
        if self._block is None or self._block[0] is not pairs:
            self._block = pairs, fields_of_pairs(pairs, self.relations.mentions, self.model.weights)
        return self._block[1]
