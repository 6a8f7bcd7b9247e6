"""Strategies to compare a resolver with: baselines, and those of Table 2 of Popescu-Belis and Robba (1998)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import OptionError
from referee.resolver.attributes import GENDERS
from referee.resolver.relations import Relations


class Strategy(NamedTuple):
    """A way to group mentions.

    Parameters
    ----------
    words : str
        What it does.
    group : function
        Gets the relations and, for strategies that repair nothing but pronouns, the labels of the key.
    needs_key : bool
        Whether it starts from the entities of the input.
    """

    words: str
    group: Callable[[Relations, Ints], Ints]
    needs_key: bool = False

    def label(self, relations: Relations, entity: Ints | None) -> Ints:
        """The first mention of the entity of each mention.

        Raises
        ------
        OptionError
            If it needs entities, and there are none.
        """
        if self.needs_key and entity is None:
            raise OptionError("this strategy starts from the entities of the input; expected --mentions key")
        return self.group(relations, np.empty(0, dtype=np.int64) if entity is None else entity)


def _apart(relations: Relations, _: Ints) -> Ints:
    return np.arange(len(relations.mentions.document))


def _together(relations: Relations, _: Ints) -> Ints:
    return relations.first.copy()


def _by(relations: Relations, code: Ints, which: Bools) -> Ints:
    """One entity for each code of a document; the mentions that are left out stay apart."""
    label = np.arange(len(code))
    rows = np.flatnonzero(which)
    key = relations.mentions.document[rows] * (np.int64(code.max(initial=0)) + 1) + code[rows]
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    label[rows] = rows[first[inverse.reshape(-1)]]
    return label


def _strings(relations: Relations, _: Ints) -> Ints:
    return _by(relations, relations.mentions.full, np.ones(len(relations.first), dtype=bool))


def _heads(relations: Relations, _: Ints) -> Ints:
    return _by(relations, relations.mentions.lemma, ~relations.wordless)


def _nearest(relations: Relations, _: Ints) -> Ints:
    """Same head; and each third-person pronoun with the nearest mention before that agrees, others with their like."""
    m = relations.mentions
    label = _heads(relations, _)
    speaking = relations.wordless & (m.person > 0) & (m.person < 3)
    spoken = _by(relations, (m.speaker * 3 + m.person) * 4 + m.number, speaking)
    label[speaking] = spoken[speaking]
    common = GENDERS.index("Com")
    for i in np.flatnonzero(relations.wordless & (m.group == 1)).tolist():
        for j in range(i - 1, max(int(relations.first[i]), i - relations.window) - 1, -1):
            number = m.number[i] == m.number[j] or not m.number[i] or not m.number[j]
            gender = m.gender[i] == m.gender[j] or not m.gender[i] or not m.gender[j] or common in (m.gender[i], m.gender[j])
            person = not relations.wordless[j] or m.person[j] in (0, 3)
            inside = m.end[j] >= m.end[i]
            if number and gender and person and not inside:
                label[i] = label[j]
                break
    return label


def _pronouns_apart(relations: Relations, entity: Ints) -> Ints:
    label = np.where(relations.wordless, -1, entity)
    rows = np.flatnonzero(~relations.wordless)
    _, first, inverse = np.unique(label[rows], return_index=True, return_inverse=True)
    antecedent = np.arange(len(label))
    antecedent[rows] = rows[first[inverse.reshape(-1)]]
    return antecedent


def _pronouns_together(relations: Relations, entity: Ints) -> Ints:
    label = _pronouns_apart(relations, entity)
    together = _by(relations, np.zeros(len(label), dtype=np.int64), relations.wordless)
    return np.where(relations.wordless, together, label)


STRATEGIES = {
    "key": Strategy(
        "the entities of the input; their mentions get heads from the trees", lambda _, entity: entity, needs_key=True
    ),
    "apart": Strategy("every mention is an entity", _apart),
    "together": Strategy("all mentions of a text are one entity", _together),
    "strings": Strategy("mentions with the same string", _strings),
    "heads": Strategy("mentions with the same head; pronouns apart", _heads),
    "nearest": Strategy("the same head, and each pronoun with the nearest mention before it that agrees", _nearest),
    "pronouns-apart": Strategy("the key, but each pronoun is an entity", _pronouns_apart, needs_key=True),
    "pronouns-together": Strategy("the key, but all pronouns of a text are one entity", _pronouns_together, needs_key=True),
}
"""The strategies."""
