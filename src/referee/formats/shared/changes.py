"""What a corpus changes in another one of the same words: what stays, so that a file is written again with the rest changed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from referee.algorithms.components import components
from referee.basics.exceptions import FormatError, shortened
from referee.corpus import Corpus, Spans
from referee.corpus.schema import Numbers, schema_of
from referee.formats.shared.written_text import written_text

NUMBERED = re.compile(r"(.*?)([0-9]{1,9})", re.DOTALL)

Place: TypeAlias = tuple[int, Spans]
"""The document and the spans of a mention: of characters where both corpora have the same text, else of tokens."""


class Changes:
    """Which mentions and entities of a corpus are those of another one, that of a file.

    An entity goes on from the one with the same mentions, the same id, or else the most mentions in common.

    Parameters
    ----------
    before, after : Corpus
        The annotation of a file, and the one that comes into it.
    by_id : bool
        Whether `after` was made from `before`: an entity goes on from the one with its id, also if all mentions are others.

    Attributes
    ----------
    mention, entity : list of int
        For each mention and each entity of `after`, its number in `before`; -1 for new ones.
    by_text : list of bool
        For each document, whether both have the text that their tokens are from.
    places : list of Place
        Where each mention of `after` is.

    Raises
    ------
    FormatError
        If they are not of the same words.
    """

    def __init__(self, before: Corpus, after: Corpus, *, by_id: bool = False) -> None:
        by_text = _compared(before, after)
        places, new_places = (list(_places(corpus, by_text)) for corpus in (before, after))
        self.before, self.after, self.by_id = before, after, by_id
        self.by_text, self.places = by_text, new_places
        there: defaultdict[Place, list[int]] = defaultdict(list)
        for m, place in enumerate(places):
            there[place].append(m)
        old_entity, new_entity = before.entity.tolist(), after.entity.tolist()
        shared: Counter[tuple[int, int]] = Counter()
        for m, place in enumerate(new_places):
            shared.update((new_entity[m], old_entity[old]) for old in there.get(place, ()))

        def rank(pair: tuple[int, int]) -> tuple[object, ...]:
            new, old = pair
            is_equal = shared[pair] == before.entity_size[old] == after.entity_size[new]
            return not (is_equal or by_id), after.entity_ids[new] != before.entity_ids[old], -shared[pair], pair

        self.entity = [-1] * len(after.entity_ids)
        free = set(range(len(before.entity_ids)))
        one_id = _with_same_ids(before, after) if by_id else ()
        for new, old in (*one_id, *sorted(shared, key=rank)):
            if self.entity[new] < 0 and old in free:
                self.entity[new] = old
                free.remove(old)
        self.mention = [-1] * len(new_places)
        for is_same in (True, False):  # a mention that is there twice is first that of its entity
            for m, place in enumerate(new_places):
                olds = there.get(place, []) if self.mention[m] < 0 else []
                same = (old for old in olds if not is_same or old_entity[old] == self.entity[new_entity[m]])
                if (match := next(same, None)) is not None:
                    self.mention[m] = match
                    olds.remove(match)

    @cached_property
    def new_mention(self) -> dict[int, int]:
        """For mentions of `before` that are in `after`, their numbers there."""
        return {old: m for m, old in enumerate(self.mention) if old >= 0}

    @cached_property
    def new_entity(self) -> dict[int, int]:
        """For entities of `before` from which one of `after` goes on, its number."""
        return {old: e for e, old in enumerate(self.entity) if old >= 0}

    @cached_property
    def reshaped(self) -> dict[int, int]:
        """Mentions of `before` that got other edges, and their numbers in `after`; known only `by_id`.

        They are gone, and their entity has a new mention that overlaps them.
        """
        pairs: dict[int, int] = {}
        gone: defaultdict[int, list[int]] = defaultdict(list)
        for old, entity in enumerate(self.before.entity.tolist() if self.by_id else ()):
            if old not in self.new_mention:
                gone[entity].append(old)
        for m, match in enumerate(self.mention):
            olds = gone[self.entity[int(self.after.entity[m])]] if gone and match < 0 else []
            start, end = self.after.start[m], self.after.end[m]
            over = (old for old in olds if self.before.start[old] < end and start < self.before.end[old])
            if (match := next(over, -1)) >= 0:
                pairs[match] = m
                olds.remove(match)
        return pairs

    def stays(self, mention: int) -> bool:
        """Whether a mention of `after` was there, in the entity that its own goes on from."""
        old = self.mention[mention]
        return old >= 0 and int(self.before.entity[old]) == self.entity[self.after.entity[mention]]

    def numbers(self, document: int, mentions: Iterable[tuple[str, Spans]]) -> list[int]:
        """The numbers in `before` of the mentions of a document, by the ids of their entities and their spans; -1 for none."""
        here, ids = self.before.mentions_in(document, document + 1), self.before.entity_ids
        there: defaultdict[tuple[str, Spans], list[int]] = defaultdict(list)
        for m, entity in enumerate(self.before.entity[here].tolist(), start=here.start):
            there[ids[entity], self.before.spans(m)].append(m)
        return [there[key].pop(0) if there[key] else -1 for key in mentions]

    def characters(self, mention: int) -> Spans:
        """The spans of a mention of `after`, in characters of the text of `before`."""
        document = int(self.after.document[mention])
        if self.by_text[document]:
            return self.places[mention][1]
        assert self.before.text is not None
        return written_text(self.before.text.words[document]).spans(self.after, mention)

    def spans_there(self, mention: int) -> Spans:
        """The spans of a mention of `after`, in tokens of `before`."""
        document = int(self.after.document[mention])
        words = self.before.text.words[document] if self.by_text[document] and self.before.text else None
        if words is None or words.raw is None:
            return self.after.spans(mention)
        starts, ends = words.raw.start, words.raw.end
        return tuple(
            (int(np.searchsorted(ends, start, "right")), int(np.searchsorted(starts, end)))
            for start, end in self.places[mention][1]
        )

    @cached_property
    def is_same(self) -> bool:
        """Whether mentions and entities are the same."""
        return len(self.mention) == len(self.before.document) and all(map(self.stays, range(len(self.mention))))

    def type_of(self, entity: int) -> str:
        """The type of an entity of `after`; that of the one that it goes on from, where no types are known."""
        if self.after.entity_types is not None:
            return self.after.entity_types[entity]
        old = self.entity[entity]
        return self.before.entity_types[old] if self.before.entity_types is not None and old >= 0 else ""

    def type_before(self, mention: int) -> str:
        """The type of the entity in which a mention of `after` was; empty without one."""
        old, types = self.mention[mention], self.before.entity_types
        return types[self.before.entity[old]] if types is not None and old >= 0 else ""

    def keeps_type(self, mention: int) -> bool:
        """Whether the type of the entity of a mention is what it was."""
        is_same = self.type_before(mention) == self.type_of(int(self.after.entity[mention]))
        return self.mention[mention] >= 0 and is_same

    def unconnected(self, entities: Iterable[Sequence[int]], pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Pairs of mentions that, with those that relations of a file connect, connect all mentions of entities of `after`."""
        roots = components(len(self.mention), pairs)
        for mentions in entities:
            joined = {roots[m] for m in mentions[:1]}
            for earlier, later in pairwise(mentions):
                if roots[later] not in joined:
                    joined.add(roots[later])
                    yield earlier, later

    def is_kept(self, mention: int, name: str) -> bool:
        """Whether a column of mentions, such as `heads`, has for a mention what it had before, or says nothing."""
        old, part = self.mention[mention], schema_of(Corpus).get(name)
        before, after = (getattr(corpus, name) for corpus in (self.before, self.after))
        nothing = part.fill if isinstance(part, Numbers) else -1
        there = nothing if before is None or old < 0 else before[old]
        return old >= 0 and (after is None or bool(np.all((there == after[mention]) | (after[mention] == nothing))))

    def differences(self) -> Counter[str]:
        """What else differs, with numbers, but for what `after` says nothing of: types, heads, bridging, ..."""
        differs: Counter[str] = Counter()
        for name, part in schema_of(Corpus).items():
            if isinstance(part, Numbers) and part.rows == "mention" and part.feature and name != "fragments":
                column = "heads" if name == "head" else name
                there = [m for m, old in enumerate(self.mention) if old >= 0] if getattr(self.after, name) is not None else []
                differs[part.feature] += sum(not self.is_kept(m, column) for m in there)
        if self.after.entity_types is not None:
            types = self.before.entity_types
            differs["entity types"] += sum(
                old >= 0 and self.after.entity_types[e] != (types[old] if types else "") for e, old in enumerate(self.entity)
            )
        differs["bridging"] += len(_bridges(self.after, self.entity, self.mention) ^ _bridges(self.before))
        differs["split antecedents"] += len(_splits(self.after, self.entity) ^ _splits(self.before))
        return +differs


def _with_same_ids(before: Corpus, after: Corpus) -> Iterator[tuple[int, int]]:
    """Entities of both that have one id in one document."""
    old = {key: e for e, key in enumerate(zip(before.entity_document.tolist(), before.entity_ids, strict=True))}
    new = enumerate(zip(after.entity_document.tolist(), after.entity_ids, strict=True))
    return ((e, old[key]) for e, key in new if key in old)


def _bridges(
    corpus: Corpus, entity: Sequence[int] | None = None, mention: Sequence[int] | None = None
) -> set[tuple[object, ...]]:
    """Anaphors, the entities of their antecedents, and relations, with these numbers."""
    if corpus.bridging is None:
        return set()
    antecedents = corpus.entity[corpus.bridging.antecedent].tolist()
    rows = zip(corpus.bridging.anaphor.tolist(), antecedents, corpus.bridging.relation, strict=True)
    return {(mention[m] if mention else m, entity[e] if entity else e, relation) for m, e, relation in rows}


def _splits(corpus: Corpus, entity: Sequence[int] | None = None) -> set[tuple[int, ...]]:
    """Entities and their elements, with these numbers."""
    pairs = zip(*(column.tolist() for column in corpus.split_antecedents or ()), strict=True)
    return {tuple(entity[e] if entity else e for e in pair) for pair in pairs}


def _compared(before: Corpus, after: Corpus) -> list[bool]:
    """For each document, whether both have the text that their tokens are from, the same one."""
    if before.doc_ids != after.doc_ids:
        other = next((name for name in after.doc_ids if name not in before.doc_ids), None)
        lacking = next((name for name in before.doc_ids if name not in after.doc_ids), None)
        name, has = (lacking, "lacks") if other is None else (other, "has")
        problem = f"{has} document {shortened(name)!r}" if name else "has its documents in another order"
        raise FormatError(after.source, None, f"{problem}; expected the documents of {before.source}")
    if before.text is None or after.text is None or before.text is after.text:
        return [False] * len(before.doc_ids)
    by_text: list[bool] = []
    for name, old, new in zip(before.doc_ids, before.text.words, after.text.words, strict=True):
        raw = old.raw is not None and new.raw is not None and old.raw.text == new.raw.text
        if not raw and list(old.tokens) != list(new.tokens):
            problem = f"has other words in document {shortened(name)!r} than {before.source}"
            raise FormatError(after.source, None, f"{problem}; expected the same")
        by_text.append(raw)
    return by_text


def _places(corpus: Corpus, by_text: Sequence[bool]) -> Iterator[Place]:
    """The place of each mention."""
    words = corpus.text.words if corpus.text is not None and any(by_text) else []
    written = {n: written_text(words[n]) for n, is_by_text in enumerate(by_text) if is_by_text}
    for m, document in enumerate(corpus.document.tolist()):
        text = written.get(document)
        yield document, corpus.spans(m) if text is None else text.spans(corpus, m)


def entity_names(changes: Changes, *, by_document: bool, prefix: str = "") -> list[str]:
    """The id of each entity of `after`: that of the one that it goes on from, or the next number.

    Parameters
    ----------
    changes : Changes
    by_document : bool
        Whether numbers begin again in each document.
    prefix : str
        What stands before the number, if the ids of the file say nothing else.
    """
    before, after = changes.before, changes.after
    matches = [NUMBERED.fullmatch(name) for name in before.entity_ids]
    usual = Counter(match[1] for match in matches if match).most_common(1)
    prefix = usual[0][0] if usual else prefix
    last: Counter[int] = Counter()
    for document, match in zip(before.entity_document.tolist(), matches, strict=True):
        if match and match[1] == prefix:
            last[document * by_document] = max(last[document * by_document], int(match[2]))
    names = [before.entity_ids[old] if old >= 0 else "" for old in changes.entity]
    for m in np.lexsort((-after.end, after.start, after.document)).tolist():  # as they are opened in a file
        if not names[entity := int(after.entity[m])]:
            document = int(after.document[m]) * by_document
            last[document] += 1
            names[entity] = f"{prefix}{last[document]}"
    return names
