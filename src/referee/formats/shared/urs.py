"""Units, relations and schemas (URS) as entities: what Glozz and TEI files of the projects Democrat and ANCOR share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.algorithms.components import components
from referee.basics.exceptions import one_line, shortened
from referee.corpus import CorpusBuilder
from referee.formats.shared.source import Fault

REFERENT = ("REF", "refname", "UNIT REF")
"""Names of the feature of a unit that names its referent."""

SINGLE = ("", "SI", "NULL")
"""Values of this feature that are no name: the unit is alone."""


class Unit(NamedTuple):
    """A mention: its id, half-open spans of tokens, the name of its referent ("" if it has none), and its line."""

    id: str
    spans: Sequence[tuple[int, int]]
    referent: str
    line: int


class Schema(NamedTuple):
    """What units are in together: a chain, or a relation of two. Its id, the ids of the units, and its line."""

    id: str
    units: Sequence[str]
    line: int


def referent(features: Mapping[str, str]) -> str:
    """The name of the referent among the features of a unit."""
    name = next((features[key].strip() for key in REFERENT if key in features), "")
    return "" if name in SINGLE else name


def add_units(
    builder: CorpusBuilder, units: Sequence[Unit], chains: Sequence[Schema], pairs: Sequence[Schema], fault: Fault
) -> None:
    """Add the mentions of a document.

    A chain is an entity, called by its id. Units in no chain are of one entity if relations connect them, or if their referents
    have one name, which is what the entity is called then.

    Parameters
    ----------
    builder : CorpusBuilder
        Whose document has begun.
    units, chains, pairs
        The mentions, the schemas that are chains, and relations that mean coreference.
    fault : Fault
        Takes an error: a unit that is not there, or in two chains.
    """
    number = {unit.id: n for n, unit in enumerate(units)}
    chain_of: dict[int, str] = {}
    ties: list[tuple[int, int]] = []
    for schema in (*chains, *pairs):
        unknown = [id_ for id_ in schema.units if id_ not in number]
        if unknown:
            found = f"{_shown(schema.id)} has the unit {_shown(unknown[0])}"
            fault(schema.line, f"{found}, which is no mention; expected ids of mentions")
        ties += pairwise(number[id_] for id_ in schema.units if id_ in number)
    for chain in chains:
        for member in (number[id_] for id_ in chain.units if id_ in number):
            if chain_of.setdefault(member, chain.id) != chain.id:
                found = f"unit {_shown(units[member].id)} is in {_shown(chain_of[member])} and in {_shown(chain.id)}"
                fault(chain.line, f"{found}; expected it in one chain")
    by_name: dict[str, list[int]] = {}
    for n, unit in enumerate(units):
        if unit.referent and n not in chain_of:
            by_name.setdefault(unit.referent, []).append(n)
    ties += [pair for same in by_name.values() for pair in pairwise(same)]
    roots = components(len(units), ties)
    taken = {*chain_of.values(), *by_name}
    labels: dict[int, str] = {}
    for n, root in enumerate(roots):
        label = chain_of.get(n) or units[n].referent
        if label:
            labels.setdefault(root, label)
    for unit, root in zip(units, roots, strict=True):
        alone = units[root].id + "#" * (units[root].id in taken)
        builder.mention(0, 0, labels.get(root, alone), spans=unit.spans)


def _shown(text: str) -> str:
    return one_line(shortened(text)) or "''"
