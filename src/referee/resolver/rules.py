"""The rules of the mental-representation resolver: 36 readable numbers, and no training.

The compatibility of a mention with an earlier one is a number for the kind of the pair, times a number for each clash:

``c = base[kind] · Π clash``

That with a mental representation (MR) follows by a quantifier over its mentions. MRs below a threshold, which depends on the
class of the mention, are left out. Of the others, a pronoun takes the one with the greatest
``c ** kappa · (0.001 + activation)``; any other mention takes the most compatible one, and the more active among equals. A
mention without any makes a new MR.

An MR gains activation with every mention, and loses it with every sentence: ``activation · decay ** sentences``.

References
----------
Popescu-Belis and Robba (1998), "Three New Methods for Evaluating Reference Resolution", and the papers that it cites on the
system: activation, selection constraints averaged over the mentions of an MR, thresholds for new MRs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, Numbers
from referee.resolver.attributes import GENDERS, TYPE
from referee.resolver.memory import CandidateMRs, Decision
from referee.resolver.relations import WINDOW, Pairs, Relations

SHARE = (0.0, 0.2, 0.3, 0.45, 0.6, 0.8, 0.9, 1.0)
CLASH = (0.0, 0.2, 0.3, 0.5, 1.0)
THETA = (0.05, 0.15, 0.25, 0.3, 0.4, 0.5, 0.7, 0.85, 0.95, 1.01)
WEIGHT = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.6, 2.0, 2.5)
EVERY = 300
"""A memory of so many MRs is the largest of the grid."""

GRID: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("number_clash", "gender_clash", "person_clash", "speaker_clash", "binding", "within"), CLASH),
    **dict.fromkeys(
        (
            "exact", "head_mods", "head", "name_part", "acronym", "apposition", "copula", "other_nominal", "pronoun_same",
            "pronoun_pronoun", "pronoun_nominal", "pronoun_name", "dem_any",
        ),
        SHARE,
    ),
    **dict.fromkeys(("theta_pronoun", "theta_dem", "theta_name", "theta_def", "theta_indef", "theta_other"), THETA),
    "decay": (0.2, 0.4, 0.55, 0.7, 0.85, 0.95, 1.0),
    **dict.fromkeys(("w_pronoun", "w_name", "w_def", "w_indef", "subject", "object"), WEIGHT),
    "memory": (5, 10, 20, 40, 60, 100, EVERY),
    "kappa": (0.5, 1.0, 2.0, 4.0),
    **dict.fromkeys(("synonym", "relative"), (1.0,)),  # not tuned: most texts have neither dictionary nor such mentions
}  # fmt: skip
"""The numbers, and the values that tuning tries."""

WORDS = {
    "number_clash": "singular against plural",
    "gender_clash": "one gender against another",
    "person_clash": "one person against another; I of one speaker is you of another",
    "speaker_clash": "the same first or second person of two speakers",
    "binding": "a pronoun and an argument of the same word; a reflexive and another sentence",
    "within": "one mention inside the other",
    "exact": "same string, but for what leads up to it",
    "head_mods": "same head, and the later mention brings no new modifier",
    "head": "same head",
    "name_part": "names that share words",
    "acronym": "a name and its acronym",
    "apposition": "one in apposition to the other",
    "copula": "subject and predicate",
    "other_nominal": "two nominals with nothing in common",
    "pronoun_same": "two forms of one pronoun",
    "pronoun_pronoun": "two pronouns",
    "pronoun_nominal": "a pronoun and a noun",
    "pronoun_name": "a pronoun and a name",
    "dem_any": "a demonstrative pronoun and anything",
    "theta_pronoun": "the least compatibility for a pronoun",
    "theta_dem": "… for a demonstrative pronoun",
    "theta_name": "… for a name",
    "theta_def": "… for a definite",
    "theta_indef": "… for an indefinite or bare noun",
    "theta_other": "… for any other mention; more than 1 always makes a new MR",
    "decay": "what is left of the activation after a sentence",
    "w_pronoun": "the activation that a pronoun adds",
    "w_name": "… a name",
    "w_def": "… a definite",
    "w_indef": "… any other mention",
    "subject": "… a subject, besides",
    "object": "… an object, besides",
    "memory": "how many of the most recent MRs a pronoun may refer to",
    "kappa": "how much compatibility counts against activation: 0.5, 1, 2 or 4",
    "synonym": "heads that are synonyms, against equal heads",
    "relative": "a relative pronoun and the noun that its clause modifies",
}
"""What each number means."""

FIRST_GUESS = dict(
    zip(
        GRID,
        [
            0, 0, 0, 0, 0, 0,
            1, 0.9, 0.3, 0.8, 0.9, 1, 1, 0, 1, 0.6, 0.6, 0.6, 0.3,
            0.3, 0.25, 0.5, 0.5, 0.95, 0.95,
            0.7, 1, 1.2, 0.8, 0.8, 1, 0.4, 60, 1, 1, 1,
        ],
        strict=True,
    )
)  # fmt: skip
"""The numbers before any tuning."""

SUBJECTS, OBJECTS = ("nsubj", "nsubj:pass", "csubj"), ("obj", "iobj")
KINDS = (
    "other_nominal", "exact", "head_mods", "head", "name_part", "acronym", "apposition", "copula", "pronoun_same",
    "pronoun_pronoun", "pronoun_nominal", "pronoun_name", "dem_any", "relative",
)  # fmt: skip
FACTORS = ("number_clash", "gender_clash", "person_clash", "speaker_clash", "binding", "within", "synonym")
KIND = {name: number for number, name in enumerate(KINDS)}
_OF_STRING = np.array([KIND[name] for name in (
    "other_nominal", "name_part", "acronym", "name_part", "name_part", "head", "head", "head_mods", "head_mods", "head",
    "head_mods", "exact", "exact",
)])  # fmt: skip
_COMMON = GENDERS.index("Com")


@dataclass(frozen=True)
class Rules:
    """The numbers of the rules.

    Parameters
    ----------
    numbers : mapping
        A number for each name of `GRID`.
    quantifier : str
        One of `referee.resolver.memory.QUANTIFIERS`.
    window : int
        How many earlier mentions are compared.
    one_gender : bool
        Whether no MR has pronouns of two genders, such as he and she.
    """

    numbers: Mapping[str, float]
    quantifier: str = "any"
    window: int = WINDOW
    one_gender: bool = False

    def judge(self, relations: Relations, codes: Mapping[int, Ints] | None = None) -> RuleJudge:
        """Make the judge of some mentions."""
        return RuleJudge(self, relations, codes)


class Kinds:
    """What the rules look at, for pairs in a block: found once, whatever the numbers are."""

    def __init__(self, relations: Relations, pairs: Pairs) -> None:
        m = relations.mentions
        i, j = pairs.later, pairs.earlier
        pronoun = m.type <= TYPE["refl"]
        dem = m.type == TYPE["dem"]
        faceless = (m.type == TYPE["rel"]) | (m.type == TYPE["indef"])
        a, b = pronoun[i], pronoun[j]
        name = m.type == TYPE["name"]
        kind = _OF_STRING[pairs.string]
        kind[faceless[i] | faceless[j]] = KIND["other_nominal"]
        kind = np.where(a ^ b, np.where(name[i] | name[j], KIND["pronoun_name"], KIND["pronoun_nominal"]), kind)
        kind = np.where(a & b, np.where(pairs.string >= 8, KIND["pronoun_same"], KIND["pronoun_pronoun"]), kind)
        kind[dem[i] | dem[j]] = KIND["dem_any"]
        kind[pairs.tree == 7] = KIND["apposition"]
        kind[pairs.tree == 8] = KIND["copula"]
        relative = m.antecedent[i] == m.head[j]
        kind[relative] = KIND["relative"]
        self.kind = kind
        person = np.where(pronoun, m.person, 3)
        p, q = person[i], person[j]
        different = pairs.speakers >= 2
        gender, number = m.gender, m.number
        self.clashes = {
            "number_clash": (number[i] != number[j]) & (number[i] > 0) & (number[j] > 0),
            "gender_clash": (gender[i] != gender[j]) & (gender[i] > 0) & (gender[j] > 0)
            & (gender[i] != _COMMON) & (gender[j] != _COMMON),
            "person_clash": (p != q) & (p > 0) & (q > 0) & ~(different & (p < 3) & (q < 3)) & ~relative,
            "speaker_clash": (p == q) & (p < 3) & (p > 0) & different & (number[i] != 2),
            "binding": ((pairs.tree == 1) & a & (m.type[i] != TYPE["refl"]))
            | ((m.type[i] == TYPE["refl"]) & (pairs.distance > 0)),
            "within": (pairs.tree >= 4) & (pairs.tree <= 6) & ~relative,
            "synonym": pairs.synonym > 0,
        }  # fmt: skip
        code = np.zeros(len(i), dtype=np.int64)
        for n, name in enumerate(FACTORS):
            code |= self.clashes[name].astype(np.int64) << n
        self.code = code * len(KINDS) + kind


def compatibility_of_code(numbers: Mapping[str, float]) -> Floats:
    """The compatibility for each code of `Kinds`."""
    base = np.array([numbers[name] for name in KINDS])
    parts = [base]
    for n in range(1, 1 << len(FACTORS)):
        value = base
        for bit, name in enumerate(FACTORS):
            value = value * numbers[name] if n >> bit & 1 else value
        parts.append(value)
    return np.concatenate(parts)


class RuleJudge:
    """Rules at work on some mentions."""

    def __init__(self, model: Rules, relations: Relations, codes: Mapping[int, Ints] | None = None) -> None:
        """Make it; `codes` has those of `Kinds` for blocks of pairs by their ids, if they were found before."""
        self.codes = codes or {}
        numbers = model.numbers
        self.quantifier = model.quantifier
        self.numbers = numbers
        self.relations = relations
        self.table = compatibility_of_code(numbers)
        m = relations.mentions
        names = ("theta_pronoun", "theta_pronoun", "theta_dem", "theta_name", "theta_def", "theta_indef", "theta_other")
        self.theta = np.array([numbers[name] for name in names])[m.group]
        weights = ("w_pronoun", "w_pronoun", "w_pronoun", "w_name", "w_def", "w_indef", "w_indef")
        self.weight = np.array([numbers[name] for name in weights])[m.group]
        self.weight += np.array([numbers["subject"] if r in SUBJECTS else numbers["object"] if r in OBJECTS else 0.0
                                 for r in m.roles] or [0.0])[m.role]  # fmt: skip
        self.decay = np.cumprod(np.append(1.0, np.full(1000, numbers["decay"])))
        self.activation = np.zeros(len(m.document))
        self.updated = np.zeros(len(m.document), dtype=np.int64)
        self.memory, self.kappa = int(numbers["memory"]), numbers["kappa"]
        self.searching = m.group <= 2  # by activation

    def compatibilities(self, pairs: Pairs) -> Numbers:
        """What `base` and `clash` say of each pair."""
        code = self.codes.get(id(pairs))
        weights: Floats = self.table[Kinds(self.relations, pairs).code if code is None else code]
        return weights

    def scores(self, candidates: CandidateMRs) -> tuple[Numbers, Bools | None, Numbers]:
        """By compatibility and activation for pronouns, by compatibility first for others."""
        later = candidates.later[candidates.row]
        compatibility = candidates.compatibility
        searching = self.searching[later]
        allowed = (compatibility >= self.theta[later]) & (~searching | (candidates.rank < self.memory))
        activation = self._now(candidates.label, self.relations.mentions.sentence[later])
        score = power(compatibility, self.kappa) * (0.001 + activation)
        others = np.flatnonzero(~searching & allowed)
        if len(others):
            c, a = compatibility[others], activation[others]
            order = np.lexsort((a, c))
            new = np.append(True, (np.diff(c[order]) != 0) | (np.diff(a[order]) != 0))
            place = np.empty(len(others))
            place[order] = np.cumsum(new)
            score[others] = place
        return score, allowed, np.full(len(candidates.later), -np.inf)

    def _now(self, label: Ints, sentence: Ints) -> Floats:
        """The activation of MRs in a sentence."""
        since = np.clip(sentence - self.updated[label], 0, len(self.decay) - 1)
        active: Floats = self.activation[label] * self.decay[since]
        return active

    def attached(self, later: Ints, label: Ints, new: Bools) -> None:
        """Activate the MRs."""
        sentence = self.relations.mentions.sentence[later]
        self.activation[label] = np.where(new, 0.0, self._now(label, sentence)) + self.weight[later]
        self.updated[label] = sentence

    def shown(self, candidates: CandidateMRs, _: Decision) -> tuple[Floats, Floats]:
        """The compatibility with candidates, and the threshold."""
        return candidates.compatibility.astype(np.float64), self.theta[candidates.later]

    def contributions(
        self, pairs: Pairs, block: slice, candidates: CandidateMRs, mention: int, best: int, deciding: int
    ) -> list[tuple[str, float]]:
        """The number for the kind of the deciding pair and those for its clashes, and the activation of the MR.

        With the quantifier `mean`, the average over the MR instead.
        """
        later = int(candidates.later[mention])
        if best < 0:
            return []
        sentence = self.relations.mentions.sentence[later : later + 1]
        active = ("activation", float(self._now(candidates.label[best : best + 1], sentence)[0]))
        if self.quantifier == "mean":
            return [("mean", float(candidates.compatibility[best])), active]
        row = deciding + block.start
        pair = Pairs(pairs.rows, pairs.first, *(column[row : row + 1] for column in pairs[2:]))
        kinds = Kinds(self.relations, pair)
        kind = KINDS[int(kinds.kind[0])]
        clashes = [(name, self.numbers[name]) for name, clash in kinds.clashes.items() if clash[0]]
        return [(kind, self.numbers[kind]), *clashes, active]


def power(base: Floats, kappa: float) -> Floats:
    """`base ** kappa` by IEEE operations alone: the same digits on any machine."""
    if kappa == 0.5:
        return np.sqrt(base)
    squared = base * base
    return {1.0: base, 2.0: squared, 4.0: squared * squared}[float(kappa)]
