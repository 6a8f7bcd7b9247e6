"""A key merged from several annotators: `Merged`, with what is left to be adjudicated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.agreement.majority import Conflict, MajorityDecision, decided
from referee.agreement.placing import ABSENT, Placed, Placements, sized
from referee.algorithms.arrays import Ints, argsort
from referee.basics.exceptions import MismatchError, OptionError, brief_names, counted, listed, one_line, shortened, warn
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.naming import unit_of
from referee.corpus.undecided import NOTE, UNDECIDED
from referee.reports.listing import Column, Listing, Title
from referee.reports.result import Result

OTHER = 24
"""The most characters of the other mention in the reason why one is undecided."""

KEPT = {"spans", "items", "words", "entity types", "discontinuous mentions"}
"""Of `FEATURES`, what a merged key has."""


class Candidate(NamedTuple):
    """An entity that an undecided mention may be put into.

    An annotator is for the decided entity that has most of the mentions which this annotator has in one entity with it, for
    several if these have as many. If none has any, it is the first undecided mention of these, or else an entity of its own.

    Parameters
    ----------
    entity : str
        Its id in the corpus for adjudication; empty for an entity of its own.
    text : str
        Its first mention.
    size : int
        How many mentions it has there.
    annotators : tuple of str
        Who is for it.
    """

    entity: str
    text: str
    size: int
    annotators: tuple[str, ...]

    @property
    def described(self) -> str:
        """The entity and who is for it, such as ``“the keeper” ×4 (Kim and Rob)``."""
        name = sized(f"“{shortened(self.text, OTHER)}”", self.size) if self.entity else "an entity of its own"
        return f"{name} ({listed(self.annotators)})"


@dataclass(frozen=True)
class Undecided:
    """A mention about which the annotators have no majority.

    Attributes
    ----------
    placed : Placed
        The mention, and where each annotator put it.
    reason : str
        The votes, such as ``Kim for, Rob against one entity with “it” (4-5)``.
    votes : mapping
        Annotator -> the entity that the mention is in; None if the annotator has not marked it.
    candidates : tuple of Candidate
        The entities that it may be put into, those of most annotators first, then the largest.
    """

    placed: Placed
    reason: str
    votes: Mapping[str, str | None]
    candidates: tuple[Candidate, ...]

    @property
    def choices(self) -> str:
        """The candidates with who is for each, and who is for no mention, in one line."""
        choices = [each.described for each in self.candidates]
        absent = [name for name, entity in self.votes.items() if entity is None]
        if absent:
            choices.append(f"no mention ({listed(absent)})")
        return one_line(", ".join(choices))

    @property
    def note(self) -> str:
        """What a tool shows beside the mention."""
        return f"{NOTE}{one_line(self.reason)}; candidates: {self.choices}"


@dataclass(frozen=True, eq=False)
class Merged(Result):
    """A key merged from several annotators; see `referee.agreement.majority` for what is decided.

    Attributes
    ----------
    annotators : tuple of str
        Their names.
    corpus : Corpus
        The mentions and entities that are decided.
    adjudication : Corpus
        The same with the undecided mentions, each an entity of its own of the type `UNDECIDED`: to be decided in a tool.
    undecided : tuple of Undecided
        In the order of documents and text.
    rejected : int
        How many mentions only a minority has; they are in neither corpus.
    signature : str
        How it was made.
    unit : str
        What a mention is called.
    """

    annotators: tuple[str, ...]
    corpus: Corpus
    adjudication: Corpus
    undecided: tuple[Undecided, ...]
    rejected: int
    signature: str
    unit: str = "mention"

    def __repr__(self) -> str:
        decided = counted(len(self.corpus.document), "mention")
        return f"<Merged of {brief_names(self.annotators)}: {decided} decided, {len(self.undecided)} undecided>"

    @property
    def summary(self) -> str:
        """The numbers of mentions, in a sentence."""
        sizes = counted(len(self.corpus.document), self.unit), counted(len(self.corpus.entity_ids), "entity")
        return f"{sizes[0]} in {sizes[1]} decided, {len(self.undecided)} undecided, {self.rejected} of a minority"

    def listing(self, *, top: int | None = None) -> Listing:
        """Return a table of the undecided mentions; long ones are shortened.

        Parameters
        ----------
        top
            The largest number of mentions; None for all.
        """
        return self._listing(top, lambda each: [*cells_for_people(each.placed), each.reason])

    def records(self, *, top: int | None = None) -> Listing:
        """Return the same table with all words and the candidates, for programs."""
        return self._listing(top, lambda each: [*cells(each.placed), each.reason, each.choices], Column("candidates"))

    def _listing(self, top: int | None, cells_of: Callable[[Undecided], list[str]], *more: Column) -> Listing:
        labels = [Column("document"), Column("place"), Column(self.unit, field="mention")]
        columns = [*labels, *(Column(Title(name)) for name in self.annotators), Column("votes"), *more]
        rows = [cells_of(each) for each in self.undecided[:top]]
        facts = {"annotators": list(self.annotators), "decided": len(self.corpus.document), "rejected": self.rejected}
        tie = f"a tie leaves a {self.unit} undecided, even if most have it in equal entities"
        rule = [f"votes: of those who have both {self.unit}s; {tie}"] if rows else []
        notes = [*rule, f"majority of {counted(len(self.annotators), 'annotator')}: {self.summary}", self.signature]
        return Listing(columns, rows, notes, {**facts, "signature": self.signature})


def cells(placed: Placed) -> list[str]:
    """The labels of the row of a mention: document, place, words, and the entity of each annotator, with its size."""
    entities = (ABSENT if e is None else sized(e, size) for e, size in zip(placed.entities, placed.sizes, strict=True))
    return [placed.document, placed.place, placed.text, *entities]


def cells_for_people(placed: Placed) -> list[str]:
    """The same, in which a long mention is shortened."""
    return cells(placed._replace(text=shortened(placed.text)))


def merge(placements: Placements, distance: str, signature: str) -> Merged:
    """Merge the annotations of several annotators by majority.

    Raises
    ------
    MismatchError
        If their words differ, and the texts are not aligned.
    OptionError
        If they have empty nodes.

    Warns
    -----
    RefereeWarning
        Of annotation that a merged key does not have: heads, bridging and the like; of mentions without words of their own
        in the text of the first annotator, where texts differ.
    """
    _check(placements.corpora)
    sides = list(placements.corpora.values())
    first = next((side for side in sides if side.text), sides[0])
    number_of = {name: number for number, name in enumerate(first.doc_ids)}
    document = np.array([number_of[placements.view(u).document.name] for u in placements.in_order], dtype=np.int64)
    by_document = argsort(document)
    order = np.array(placements.in_order, dtype=np.int64)[by_document]
    limits = np.searchsorted(document[by_document], np.arange(len(first.doc_ids) + 1)).tolist()
    corpora = CorpusBuilder("merged"), CorpusBuilder("merged")
    undecided: dict[int, Undecided] = {}
    placed = dict(zip(placements.in_order, placements.placed(distance), strict=True))
    names = list(placements.corpora)
    rejected = left_out = 0
    for number, name in enumerate(first.doc_ids):
        units = _with_words(placements, order[limits[number] : limits[number + 1]])
        left_out += limits[number + 1] - limits[number] - len(units)
        decision = decided(placements.entity[:, units])
        candidates = _candidates(placements, units, decision)
        for m, why in decision.undecided.items():
            unit = int(units[m])
            reason = why if isinstance(why, str) else _votes(placements, names, units, m, why)
            votes = dict(zip(names, placed[unit].entities, strict=True))
            undecided[unit] = Undecided(placed[unit], reason, votes, candidates[m])
        rejected += int((decision.entity < 0).sum()) - len(decision.undecided)
        for builder, to_adjudicate in zip(corpora, (False, True), strict=True):
            words = first.text.words[number] if first.text else None
            unnamed = name == f"#{number + 1}"
            builder.document(
                "" if unnamed else name, words and words.tokens, words and words.sentences, raw=words and words.raw
            )
            _add(builder, placements, units, decision, undecided if to_adjudicate else {})
    if left_out:
        warn(f"left out {counted(left_out, 'mention')} with no words of their own in {first.source}: the texts differ")
    return Merged(
        annotators=tuple(placements.corpora),
        corpus=corpora[0].corpus(),
        adjudication=corpora[1].corpus(),
        undecided=tuple(undecided[u] for u in placements.in_order if u in undecided),
        rejected=rejected,
        signature=signature,
        unit=unit_of(*sides),
    )


def _votes(placements: Placements, names: Sequence[str], units: Ints, mention: int, conflict: Conflict) -> str:
    """Who is for one entity of two mentions, and who is against it, of those who have both."""
    one, two = placements.entity[:, units[mention]].tolist(), placements.entity[:, units[conflict.other]].tolist()
    both = [(name, a == b) for name, a, b in zip(names, one, two, strict=True) if a >= 0 and b >= 0]
    for_one, against = ([name for name, same in both if same is side] for side in (True, False))
    other = placements.view(units[conflict.other])
    text = f"“{shortened(other.text, OTHER)}”" if other.text else ""
    place = "" if other.corpus.items is not None else f"{other.start}-{other.end}"
    where = f"{text} ({place})" if text and place else text or place
    votes = f"{listed(for_one or ['none'])} for, {listed(against)} against one entity with {where}"
    linked = "" if len(for_one) == len(against) else ", to which other links connect it"
    more = conflict.mentions - 1
    return votes + linked + f"; {counted(more, 'more conflict')}" * bool(more)


def _candidates(placements: Placements, units: Ints, decision: MajorityDecision) -> dict[int, tuple[Candidate, ...]]:
    """The entities that each undecided mention of a document may be put into."""
    decided = decision.entity.tolist()
    sizes, first = Counter(decided), {e: n for n, e in reversed([*enumerate(decided)])}
    voters: dict[int, dict[int | None, list[str]]] = {m: {} for m in decision.undecided}
    for annotator, name in enumerate(placements.corpora):
        entities = placements.entity[annotator, units].tolist() if len(units) else []
        shared: dict[int, Counter[int]] = {}  # entity of the annotator -> decided ones
        waiting: dict[int, list[int]] = {}  # and undecided mentions
        for m, (theirs, entity) in enumerate(zip(entities, decided, strict=True)):
            if theirs >= 0 and entity >= 0:
                shared.setdefault(theirs, Counter())[entity] += 1
            elif theirs >= 0 and m in voters:
                waiting.setdefault(theirs, []).append(m)
        largest = {theirs: max(numbers.values()) for theirs, numbers in shared.items()}
        for m, of_m in voters.items():
            if (theirs := entities[m]) >= 0:
                most: list[int | None] = [
                    entity for entity, number in shared.get(theirs, {}).items() if number == largest[theirs]
                ]
                other = next((-1 - other for other in waiting[theirs] if other != m), None)
                for vote in most or [other]:
                    of_m.setdefault(vote, []).append(name)

    def candidate(entity: int | None, who: Sequence[str]) -> Candidate:
        if entity is None:
            return Candidate("", "", 0, tuple(who))
        label, mention = (str(entity + 1), first[entity]) if entity >= 0 else (f"{UNDECIDED}{-entity}", -1 - entity)
        return Candidate(label, placements.view(units[mention]).text, sizes[entity] if entity >= 0 else 1, tuple(who))

    every = {m: [candidate(*vote) for vote in of_m.items()] for m, of_m in voters.items()}
    return {m: tuple(sorted(of_m, key=lambda each: (-len(each.annotators), -each.size))) for m, of_m in every.items()}


def _check(corpora: Mapping[str, Corpus]) -> None:
    """Raise an error for what cannot be merged, and warn of what is left out."""
    sides = list(corpora.values())
    if any("empty nodes" in side.own_features for side in sides):
        raise OptionError("cannot merge annotations with empty nodes; expected them without: convert with --lossy")
    if len({tuple(tuple(words.tokens) for words in side.text.words) for side in sides if side.text}) > 1:
        raise MismatchError("cannot merge annotations of different words; align them by characters with --tokens align")
    if lost := sorted({feature for side in sides for feature in side.own_features} - KEPT - {"links"}):
        warn(f"a merged key has mentions and entities with their types; left out {listed(lost)}")


def _with_words(placements: Placements, units: Ints) -> Ints:
    """The mentions of a document that have words; of several with the same words the first."""
    mentions = [placements.view(unit) for unit in units.tolist()]
    if any(mention.corpus.items is not None for mention in mentions):
        return units
    first = {mention.spans: unit for mention, unit in reversed([*zip(mentions, units.tolist(), strict=True)])}
    has_words = [
        mention.start < mention.end and first[mention.spans] == unit
        for mention, unit in zip(mentions, units.tolist(), strict=True)
    ]
    return np.asarray(units[has_words] if units.size else units, dtype=np.int64)


def _add(
    builder: CorpusBuilder, placements: Placements, units: Ints, decision: MajorityDecision, undecided: Mapping[int, Undecided]
) -> None:
    """Add the mentions of a document: those that are decided, and these undecided ones."""
    types = _types(placements, units, decision)
    for n, unit in enumerate(units):
        mention, entity = placements.view(unit), int(decision.entity[n])
        if entity >= 0:
            label, entity_type = str(entity + 1), types.get(entity, "")
        elif int(unit) in undecided:
            label, entity_type = f"{UNDECIDED}{n + 1}", UNDECIDED
        else:
            continue
        if mention.corpus.items is not None:
            builder.item(mention.text, label, entity_type)
        else:
            note = undecided[int(unit)].note if entity < 0 else ""
            builder.mention(0, 0, label, entity_type, spans=mention.spans, note=note)


def _types(placements: Placements, units: Ints, decision: MajorityDecision) -> dict[int, str]:
    """The type of each entity: that which most votes are for, one of each annotator who has typed a mention; none if tied."""
    votes: dict[int, Counter[str]] = {}
    for annotator, corpus in enumerate(placements.corpora.values()):
        entities = placements.entity[annotator, units].tolist() if len(units) else []
        for theirs, entity in zip(entities, decision.entity.tolist(), strict=True):
            if theirs >= 0 and entity >= 0 and corpus.entity_types is not None:
                votes.setdefault(entity, Counter())[corpus.entity_types[theirs]] += 1
    ranked = {entity: counter.most_common(2) for entity, counter in votes.items()}
    return {e: best[0][0] for e, best in ranked.items() if len(best) == 1 or best[0][1] > best[1][1]}
