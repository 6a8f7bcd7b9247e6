"""What is resampled: the counts of all systems over the same documents, or sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, locations, repeat, tally
from referee.basics.exceptions import MismatchError, OptionError
from referee.corpus import Corpus
from referee.metrics.scores import Scores
from referee.scoring.entity_units import counts_of_entities
from referee.scoring.table_pair import pair_of_scores
from referee.stats.counts import SIDES, Columns, Counts, ScoreColumns, concatenate, divide, rates
from referee.stats.resampling import by_side


@dataclass(frozen=True)
class UnitCounts:
    """The counts of all systems, a row each document or sentence.

    Parameters
    ----------
    document : sequence of str
        The name of each row's document.
    systems : mapping
        System -> metric -> counts.
    present : mapping
        System -> which rows it has, shape (rows,). The others count nothing.
    whole : mapping or None
        System -> metric -> the counts of documents, of which the rows are fractions that add up to them but for rounding.
    largest
        Of entities: the share of all items that the largest row has.
    """

    document: Sequence[str]
    systems: Mapping[str, Mapping[str, Counts]]
    present: Mapping[str, Bools]
    whole: Mapping[str, Mapping[str, Counts]] | None = None
    largest: float = 0.0

    def rows(self, rows: Sequence[int]) -> UnitCounts:
        """The units of these rows."""
        return UnitCounts(
            [self.document[row] for row in rows],
            {name: {m: c.rows(rows) for m, c in counts.items()} for name, counts in self.systems.items()},
            {name: present[rows] for name, present in self.present.items()},
        )

    def averaged(self, zero_division: float, beta: float) -> UnitCounts:
        """The same with counts that give the mean over the rows where all systems have a score."""
        present = np.all(list(self.present.values()), axis=0)
        systems: dict[str, dict[str, Counts]] = {name: {} for name in self.systems}
        for m in next(iter(self.systems.values())):
            means = averaged({name: counts[m] for name, counts in self.systems.items()}, zero_division, beta, present)
            for name, mean in means.items():
                systems[name][m] = mean
        return replace(self, systems=systems)

    @property
    def averages(self) -> dict[str, list[int]]:
        """Of `averaged` units: metric -> the number of rows that the mean of each of its sides is over."""
        counts = next(iter(self.systems.values()))
        numbers = {m: [c.columns.get(f"{side}.number") for side in SIDES] for m, c in counts.items()}
        return {m: [int(column.sum()) for column in columns if column is not None] for m, columns in numbers.items()}


def averaged(systems: Mapping[str, Counts], zero_division: float, beta: float, present: Bools) -> dict[str, Counts]:
    """The mean of the documents' scores by one metric, as counts: sums of scores, and numbers of documents.

    The sums are over the documents where all systems have a score, so that systems are compared over the same documents. Each
    side has its own documents.

    Parameters
    ----------
    systems
        The counts of each system.
    zero_division, beta
        How they are divided.
    present
        Which documents all systems have. The others have no score, whatever `zero_division` is.
    """
    scores = {name: counts.score(zero_division, beta) for name, counts in systems.items()}
    values = {name: by_side(score) for name, score in scores.items()}
    defined = present & ~np.isnan(list(values.values())).any(axis=0)

    def columns(values: Floats) -> Columns:
        sums = {f"{side}.sum": row for side, row in zip(SIDES, np.where(defined, values, 0.0), strict=False)}
        return sums | {f"{side}.number": row for side, row in zip(SIDES, defined.astype(np.int64), strict=False)}

    def finish(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
        means = {side: divide(c[f"{side}.sum"], c[f"{side}.number"]) for side in SIDES if f"{side}.sum" in c}
        return ScoreColumns(means["value"], means.get("recall"), means.get("precision"), next(iter(scores.values())).beta)

    return {name: Counts(columns(rows), finish, systems[name].unit) for name, rows in values.items()}


def joined(parts: Sequence[UnitCounts]) -> UnitCounts:
    """The units of several corpora, one after another."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0].systems
    return UnitCounts(
        [f"{number} {document}" for number, part in enumerate(parts) for document in part.document],  # names may be shared
        {name: {m: concatenate([p.systems[name][m] for p in parts]) for m in first[name]} for name in first},
        {name: np.concatenate([part.present[name] for part in parts]) for name in first},
    )


def units_of(systems: Mapping[str, Scores], unit: str) -> UnitCounts:
    """The units of systems that were scored against one key.

    They are in the order of their names, so that the order of a file changes no digit.

    Parameters
    ----------
    systems
        System -> its scores.
    unit
        One of `referee.stats.settings.UNITS`.

    Raises
    ------
    OptionError, MismatchError
        If sentences, or entities, cannot be resampled.
    """
    if unit == "entity":
        document, counts, largest = counts_of_entities(systems)
        present = {system: np.ones(len(document), dtype=bool) for system in systems}
        return UnitCounts(document, counts, present, {system: s.counts for system, s in systems.items()}, largest)
    if unit == "sentence":
        of_sentences = {name: _counts_of_sentences(s) for name, s in systems.items()}
        documents = next(iter(of_sentences.values()))[0]
        if any(others != documents for others, _ in of_sentences.values()):
            raise MismatchError("some systems have sentences that others lack; expected --unit document")
        order = sorted(range(len(documents)), key=documents.__getitem__)
        mentions = {system: {"mentions": counts.rows(order)} for system, (_, counts) in of_sentences.items()}
        every = {system: np.ones(len(order), dtype=bool) for system in systems}
        return UnitCounts([documents[row] for row in order], mentions, every)
    names = sorted({name for s in systems.values() for name in s.documents})
    place = {name: n for n, name in enumerate(names)}
    where = {system: np.array([place[name] for name in s.documents], dtype=np.int64) for system, s in systems.items()}
    return UnitCounts(
        names,
        {system: {m: _placed(c, where[system], len(names)) for m, c in s.counts.items()} for system, s in systems.items()},
        {system: np.isin(np.arange(len(names)), where[system]) for system in systems},
    )


def averaged_alone(counts: Counts, zero_division: float, beta: float) -> Counts:
    """The mean of the documents' scores of one system, as `averaged` has it."""
    rows = len(next(iter(counts.columns.values())))
    return averaged({"": counts}, zero_division, beta, np.ones(rows, dtype=bool))[""]


def _placed(counts: Counts, where: Ints, rows: int) -> Counts:
    """The counts as rows among others, which count nothing."""
    if np.array_equal(where, np.arange(rows)):
        return counts
    columns = {name: np.zeros(rows, dtype=column.dtype) for name, column in counts.columns.items()}
    for name, column in columns.items():
        column[where] = counts.columns[name]
    return replace(counts, columns=columns)


def _counts_of_sentences(scores: Scores) -> tuple[list[str], Counts]:
    """The document of each sentence, and the counts of `mentions`: a mention belongs to the sentence in which it starts."""
    pair = pair_of_scores(scores)
    if pair is None:
        raise OptionError("counts of documents have no sentences; expected --unit document, or the files that were scored")
    if list(scores.counts) != ["mentions"]:
        other = next(m for m in scores.counts if m != "mentions")
        raise OptionError(
            f"sentences cannot be resampled for {other}: entities have mentions in many sentences, so it is no sum over them; "
            "expected --metrics mentions"
        )
    if scores.options.average == "macro" or scores.options.cross_document or pair.words not in ("same", "not-compared"):
        raise OptionError(
            "sentences can be resampled if key and response have the same words, averaged micro; expected --unit document"
        )
    texts = [side.text.words for side in pair.scored if side.text is not None]
    if not texts:
        raise MismatchError(f"{pair.key.source} has no sentences to resample; expected a format with words, or --unit document")
    starts = [next((t[d].sentences for t in texts if len(t[d].sentences)), (0,)) for d in range(len(scores.documents))]
    offset = np.cumsum([0, *map(len, starts)])
    document = repeat(np.arange(len(starts)), np.diff(offset))
    first = locations(document, np.concatenate([np.empty(0, dtype=np.int64), *map(np.asarray, starts)]))

    def counted(side: Corpus, mentions: Ints | slice) -> Ints:
        row = np.searchsorted(first, locations(side.document[mentions], side.start[mentions]), side="right") - 1
        return tally(np.maximum(row, offset[side.document[mentions]]), minlength=len(first))

    key, response = pair.matching.key_mention, pair.matching.response_mention
    counts = rates(
        (counted(pair.key, key), counted(pair.key, slice(None))),
        (counted(pair.response, response), counted(pair.response, slice(None))),
    )
    for name, column in scores.counts["mentions"].columns.items():
        if not np.array_equal(tally(document, counts.columns[name], len(starts)), column):
            raise MismatchError("this profile counts repeated mentions by documents; expected --unit document")
    return [scores.documents[d] for d in document.tolist()], counts
