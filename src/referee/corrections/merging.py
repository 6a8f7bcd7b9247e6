"""The changes of several files as one, and where they contradict each other.

Each file is made on the key alone. A mention that one of them changes becomes what it says. Where two change one mention and
give it other entities, or other edges, they contradict each other. Two new entities are the same if they have the same
mentions; an entity that one file merges into another is that one for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.corpus.columns import Spans
from referee.corrections.drafting import Draft, Number
from referee.corrections.file import written


class Contradiction(NamedTuple):
    """What files say that cannot all be.

    Parameters
    ----------
    document : str
    what : str
        A mention or an entity.
    versions : sequence of (str, str)
        What each file makes of it: the file, and what.
    """

    document: str
    what: str
    versions: Sequence[tuple[str, str]]


class Outcome(NamedTuple):
    """What a document becomes.

    Parameters
    ----------
    mentions : sequence of (number, spans, name of the entity)
        All of them; new ones have numbers below 0.
    merged : mapping
        Entity -> the one that it is now part of.
    """

    mentions: Sequence[tuple[Number, Spans, str]]
    merged: Mapping[str, str]


def merge(before: Draft, drafts: Sequence[Draft]) -> tuple[Outcome, list[Contradiction]]:
    """Put the changes of drafts of one document together.

    Parameters
    ----------
    before : Draft
        The key.
    drafts : sequence of Draft
        At least one.
    """
    named = _with_common_names(before, drafts)
    merged = _merges(named)
    contradictions = _contradicted_merges(before, named, merged)
    mentions: list[tuple[Number, Spans, str]] = []
    for m, spans in before.spans.items():
        base = before.entity[m]
        names = [(d, merged.get(d.entity[m], d.entity[m]) if m in d.entity else "") for d in named if d.entity.get(m) != base]
        edges = [(d, d.spans[m]) for d in named if d.spans.get(m, spans) != spans]
        name = names[0][1] if names else merged.get(base, base)
        mentions += [(m, edges[0][1] if edges else spans, name)] * bool(name)
        versions = [(d, name or "removed") for d, name in names]
        places = [(d, _place(before, place)) for d, place in edges]
        for several in (versions, places + [pair for pair in versions if places and pair[1] == "removed"]):
            if len({text for _, text in several}) > 1:
                what = f'"{before.addresses.text(spans)}" ({_place(before, spans)}) of {base}'
                contradictions.append(_contradiction(before, what, several))
    for d in named:
        mentions += [(m, d.spans[m], merged.get(name, name)) for m, name in d.entity.items() if m < 0]
    contradictions += _in_several(before, named, merged, mentions)
    return Outcome(_once(before, mentions), merged), contradictions


def _once(before: Draft, mentions: Sequence[tuple[Number, Spans, str]]) -> list[tuple[Number, Spans, str]]:
    """The mentions without those that came to an entity that has their span already; new ones are numbered through."""
    stay = [each for each in mentions if each[0] >= 0 and (before.spans[each[0]], before.entity[each[0]]) == each[1:]]
    there = {each[1:] for each in stay}
    result = [*stay]
    for m, spans, name in mentions:
        if (spans, name) not in there:
            there.add((spans, name))
            result.append((m if m >= 0 else -len(result) - 1, spans, name))
    return result


def _place(before: Draft, spans: Spans) -> str:
    return written(before.addresses.address(spans))


def _contradiction(before: Draft, what: str, versions: Sequence[tuple[Draft, str]]) -> Contradiction:
    return Contradiction(before.document, what, [(d.source, text) for d, text in versions])


def _with_common_names(before: Draft, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts with one name for new entities that have the same mentions, and different ones for all others."""
    names: dict[frozenset[object], str] = {}
    named = []
    for d in drafts:
        renamed: dict[str, str] = {}
        for name in d.members:
            if name not in before.members:
                members: frozenset[object] = frozenset(m if m >= 0 else d.spans[m] for m in d.members[name])
                key = members or frozenset({(d.source, name)})  # it was emptied
                renamed[name] = names.setdefault(key, f"new{len(names) + 1}")
        entity = {m: renamed.get(name, name) for m, name in d.entity.items()}
        merges = {renamed.get(a, a): renamed.get(b, b) for a, b in d.merged.items()}
        named.append(Draft(d.source, d.document, d.addresses, dict(d.spans), entity, merges))
    return named


def _merges(drafts: Sequence[Draft]) -> dict[str, str]:
    """Entity -> the one that it is part of at last; what would go in a circle is left out."""
    into: dict[str, str] = {}
    for d in drafts:
        for name, other in d.merged.items():
            if name not in into and _last(into, other) != name:
                into[name] = other
    return {name: _last(into, name) for name in into}


def _last(into: Mapping[str, str], name: str) -> str:
    while name in into:
        name = into[name]
    return name


def _contradicted_merges(before: Draft, drafts: Sequence[Draft], merged: Mapping[str, str]) -> list[Contradiction]:
    """Entities that files merge into different ones."""
    contradictions = []
    for name in merged:
        into = [(d, d.merged[name]) for d in drafts if name in d.merged]
        if len({merged.get(other, other) for _, other in into} - {name}) > 1:
            contradictions.append(_contradiction(before, f"entity {name}", into))
    return contradictions


def _in_several(
    before: Draft, drafts: Sequence[Draft], merged: Mapping[str, str], mentions: Sequence[tuple[Number, Spans, str]]
) -> list[Contradiction]:
    """Spans that come to be in several entities, as they are in no file alone."""
    entities: dict[Spans, set[str]] = {}
    for _, spans, name in mentions:
        entities.setdefault(spans, set()).add(name)
    contradictions = []
    for spans, names in entities.items():
        if len(names) < 2:
            continue
        of_each = [(d, {merged.get(d.entity[m], d.entity[m]) for m in d.there.get(spans, ())}) for d in drafts]
        if not any(names <= of_draft for _, of_draft in of_each):
            what = f'"{before.addresses.text(spans)}" ({_place(before, spans)})'
            versions = [(d, ", ".join(sorted(of_draft))) for d, of_draft in of_each if of_draft]
            contradictions.append(_contradiction(before, what, versions))
    return contradictions
