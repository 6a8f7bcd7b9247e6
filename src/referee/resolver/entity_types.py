"""What the entities of a resolved text are: their types, and what those are called that no name or noun mentions.

The type of an entity is what most of its names and nouns name, by the lexicon; where these say nothing, what its pronouns do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import OptionError, check_name
from referee.basics.options import choices
from referee.resolver.constraints import Task
from referee.resolver.kinds import KIND, KINDS, NARRATOR
from referee.resolver.lexicon import PRONOUNS

TYPES = choices.ENTITY_TYPES
"""Types of entities."""

OF_KIND = {
    **{kind: kind for kind in TYPES}, **dict.fromkeys(("man", "woman", "he", "she", "who", "I", "we", "you"), "person"),
    "it": "thing",
}  # fmt: skip
NARRATING = "I (narrator)"


def check_types(types: str | Sequence[str] | None) -> frozenset[str] | None:
    """The types that are asked for; None for no question, all of them for "all"."""
    if types is None:
        return None
    names = [name.strip() for name in types.split(",")] if isinstance(types, str) else list(types)
    if names == ["all"]:
        return frozenset((*TYPES, ""))
    for name in names:
        check_name("type of entities", name, (*TYPES, "all"))
    if not names or "all" in names:
        raise OptionError(f"found the types {names}; expected some of {', '.join(TYPES)}, or all")
    return frozenset(names)


def types_of(kind: Ints, label: Ints) -> dict[int, str]:
    """The type of each entity, by its first mention; empty where nothing is known."""
    counts: dict[int, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
    for entity, number in zip(label.tolist(), kind.tolist(), strict=True):
        name = OF_KIND.get(KINDS[number], "")
        counts[entity][KINDS[number] in PRONOUNS].update([name] * bool(name))
    return {entity: _most(both) for entity, both in counts.items()}


def _most(counts: tuple[Counter[str], Counter[str]]) -> str:
    """The most frequent type of names and nouns, or else of pronouns."""
    return next((count.most_common(1)[0][0] for count in counts if count), "")


def titles_of(task: Task, kind: Ints, label: Ints, speakers: Sequence[str]) -> dict[int, str]:
    """What entities are called, by their first mentions, that no name or noun mentions: narrators, and who only has a label."""
    titles: dict[int, str] = {}
    nominal = {entity for entity, number in zip(label.tolist(), kind.tolist(), strict=True) if KINDS[number] not in PRONOUNS}
    for mention in (kind == KIND["I"]).nonzero()[0].tolist():
        entity, who = int(label[mention]), task.speakers.spoken.get(mention)
        if entity in nominal:
            continue
        if who is not None and who.label and who.mention < 0:
            titles[entity] = speakers[who.label]
        elif who is None and task.possible[mention] == NARRATOR:
            titles.setdefault(entity, NARRATING)
    return titles
