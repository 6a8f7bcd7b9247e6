"""Units, relations and schemas (URS) as entities: what Glozz and TEI files of the projects Democrat and ANCOR share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.algorithms.components import components
from referee.corpus import CorpusBuilder
from referee.formats.shared.characters import BLANK
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.relations import COREFERENCE, ChosenRelations
from referee.formats.shared.safe_xml import shown
from referee.formats.shared.source import OnError

REFERENT = ("REF", "refname", "UNIT REF")
"""Names of the feature of a unit that names its referent."""

CHAIN = re.compile(r"cha[iî]n|coref|ident", re.IGNORECASE)
"""Types of schemas that are entities, if a file has several types."""

ANAPHORIC = re.compile(r"(IN)?DIRECTE$|ANAPHORE$")
"""Types of relations that mean coreference, beyond those of other formats."""

SINGLE = ("", "SI", "NULL")
"""Values of this feature that are no name: the unit is alone."""


class Unit(NamedTuple):
    """A mention: its id, half-open spans of tokens, the name of its referent ("" if it has none), its line, and its type.

    One without spans has no words: it is left out, with a warning.
    """

    id: str
    spans: Sequence[tuple[int, int]]
    referent: str
    line: int
    type: str = ""


class Schema(NamedTuple):
    """What units are in together: a chain, or a relation of two. Its id, the ids of the units, its line, and its type."""

    id: str
    units: Sequence[str]
    line: int
    type: str = ""


def urs_relations(names: Sequence[str]) -> ChosenRelations:
    """Which relations mean coreference: those that the user names, or else those of ANCOR and of other formats."""
    explanation = "those of ANCOR, and those whose names begin with coref or ident, are"
    return ChosenRelations(names, lambda name: ANAPHORIC.match(name) or COREFERENCE.match(name), explanation)


def chains_among(schemas: Sequence[Schema], source: str) -> list[Schema]:
    """The schemas that are entities: all, or those whose type says so, if the types of some say so. Warns of others."""
    chains = [schema for schema in schemas if CHAIN.match(schema.type)]
    if not chains:
        return list(schemas)
    others = Counter(schema.type for schema in schemas if not CHAIN.match(schema.type))
    warn_file(source, "ignored {} that are no chains ({names})", "schema", others)
    return chains


def mention_types(types: Iterable[str], used: Collection[str], source: str, line: int | None = None) -> set[str]:
    """The types of units that are mentions: those that anything uses; without any, the only one, or those called mention.

    Parameters
    ----------
    types : iterable of str
        The type of each unit.
    used : collection of str
        The types of units that a schema, a relation or a referent uses.
    source, line
        Where a warning places what is left out.
    """
    counts = Counter(types)
    named = {name for name in counts if re.search("mention|markable", name, re.IGNORECASE)}
    mentioned = set(used) or named or (set(counts) if len(counts) == 1 else set())
    others = Counter({name or "without a type": n for name, n in counts.items() if name not in mentioned})
    if not used:
        alone = sum(counts[name] for name in mentioned)
        warn_file(source, "found {} in no schema and without REF, so each is an entity of its own", "mention", alone, line)
    warn_file(source, "left out {} of types that no schema and no REF uses ({names})", "unit", others, line)
    return mentioned


def referent(features: Mapping[str, str]) -> str:
    """The name of the referent among the features of a unit."""
    name = next((features[key].strip() for key in REFERENT if key in features), "")
    return "" if name in SINGLE else name


def add_units(
    builder: CorpusBuilder, units: Sequence[Unit], chains: Sequence[Schema], pairs: Sequence[Schema], on_error: OnError
) -> list[str]:
    """Add the mentions of a document; gives what the entity of each is called.

    A chain is an entity, called by its id. Units in no chain are of one entity if relations connect them, or if their referents
    have one name, which is what the entity is called then.

    Parameters
    ----------
    builder : CorpusBuilder
        Whose document has begun.
    units, chains, pairs
        The mentions, the schemas that are chains, and relations that mean coreference.
    on_error : OnError
        Takes an error: a unit that is in two chains.

    Warns
    -----
    RefereeWarning
        If chains or relations name units that are not there: programs delete units, and leave their names in chains.
    """
    number = {unit.id: n for n, unit in enumerate(units)}
    chain_of: dict[int, str] = {}
    ties: list[tuple[int, int]] = []
    deleted = [schema.line for schema in (*chains, *pairs) for id_ in schema.units if id_ not in number]
    text = "left out {} of units in chains or relations that are no mentions of the file"
    warn_file(builder.source, text, "name", len(deleted), next(iter(deleted), None))
    for schema in (*chains, *pairs):
        ties += pairwise(number[id_] for id_ in schema.units if id_ in number)
    for chain in chains:
        for member in (number[id_] for id_ in chain.units if id_ in number):
            if chain_of.setdefault(member, chain.id) != chain.id:
                problem = f"unit {shown(units[member].id)} is in {shown(chain_of[member])} and in {shown(chain.id)}"
                on_error(chain.line, f"{problem}; expected it in one chain")
    by_name: dict[str, list[int]] = {}
    for n, unit in enumerate(units):
        if unit.referent and n not in chain_of:
            by_name.setdefault(unit.referent, []).append(n)
    ties += [pair for same in by_name.values() for pair in pairwise(same)]
    roots = components(len(units), ties)
    names = {*chain_of.values(), *by_name}
    labels: dict[int, str] = {}
    for n, root in enumerate(roots):
        label = chain_of.get(n) or units[n].referent
        if label:
            labels.setdefault(root, label)
    called = [labels.get(root, units[root].id + "#" * (units[root].id in names)) for root in roots]
    types: dict[str, str] = {}
    for unit, label in zip(units, called, strict=True):
        types[label] = types.get(label) or unit.type
    warn_file(builder.source, BLANK, "mention", sum(not unit.spans for unit in units))
    for unit, label in zip(units, called, strict=True):
        if unit.spans:
            builder.mention(0, 0, label, types[label], spans=unit.spans)
    return called
