"""Who is who within a clause: a pronoun is not another argument of its verb; a reflexive is its subject."""

from __future__ import annotations

from referee.resolver.attributes import TYPE, Mentions
from referee.resolver.syntax import Syntax

ARGUMENTS = ("nsubj", "nsubj:pass", "obj", "iobj")
INNER = ("xcomp", "conj", "advcl", "acl")
"""Relations of clauses whose subject may be that of the clause above."""

CLAUSES = 4
"""How many clauses above a reflexive are looked at."""


def arguments(m: Mentions) -> dict[int, list[int]]:
    """The mentions that are arguments of each word, in the order of the text."""
    is_argument = [role in ARGUMENTS for role in m.roles]
    members: dict[int, list[int]] = {}
    for i, (parent, role) in enumerate(zip(m.parent.tolist(), m.role.tolist(), strict=True)):
        if parent >= 0 and is_argument[role]:
            members.setdefault(parent, []).append(i)
    return members


def apart_in_clauses(m: Mentions, of_words: dict[int, list[int]]) -> list[tuple[int, int]]:
    """Pairs that are not one, the later mention first: *she* and *her* of one verb; *his* and *his father*."""
    types, heads, roles = m.type.tolist(), m.head.tolist(), m.role.tolist()
    speaking = ((m.person == 1) | (m.person == 2)).tolist()
    personal, reflexive = TYPE["pron3"], TYPE["refl"]
    pairs = []
    for members in of_words.values():
        for n, i in enumerate(members):
            if types[i] == reflexive or speaking[i]:
                continue
            for j in members[:n]:
                if personal not in (types[i], types[j]) or speaking[j] or heads[i] == heads[j] or roles[i] == roles[j]:
                    continue
                pairs.append((i, j))
    at_head = {head: i for i, head in reversed([*enumerate(heads)])}
    for i in (m.possessive & (m.type == personal)).nonzero()[0].tolist():
        j = at_head.get(int(m.parent[i]), i)
        if j != i and m.start[j] <= m.start[i] and m.end[j] >= m.end[i]:
            pairs.append((max(i, j), min(i, j)))
    return pairs


def reflexives(syntax: Syntax, m: Mentions, of_words: dict[int, list[int]]) -> dict[int, int]:
    """The subject of each reflexive pronoun: that of its clause, or of a clause above that lends it its subject."""
    inner = syntax.relation.among(*INNER)
    subjects: dict[int, int] = {}
    for i in (m.type == TYPE["refl"]).nonzero()[0].tolist():
        verb = int(m.parent[i])
        for _ in range(CLAUSES):
            if verb < 0:
                break
            before = [j for j in of_words.get(verb, ()) if j < i and m.roles[m.role[j]].startswith("nsubj")]
            before = [j for j in before if m.type[j] != TYPE["rel"]]
            if before:
                subjects[i] = before[-1]
                break
            if not inner[verb]:
                break
            verb = int(syntax.parent[verb])
    return subjects
