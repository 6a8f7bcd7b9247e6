"""What is drawn: the counts of all systems over the same documents, or sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import locations
from referee.corpus.corpus import Corpus
from referee.counts import Counts, ScoreColumns, concatenate, rates
from referee.exceptions import MismatchError, OptionError
from referee.scoring.evaluation import Evaluation
from referee.stats.resampling import SIDES, macro


@dataclass(frozen=True)
class Rows:
    """The counts of all systems, a row a document or sentence.

    document : the name of each row's document
    systems  : system -> metric -> counts
    present  : system -> which rows it has, shape (rows,); the others count nothing
    """

    document: Sequence[str]
    systems: Mapping[str, Mapping[str, Counts]]
    present: Mapping[str, NDArray[np.bool_]]

    def only(self, rows: Sequence[int]) -> Rows:
        """Some of the rows."""
        return Rows(
            [self.document[row] for row in rows],
            {name: {m: c.rows(rows) for m, c in counts.items()} for name, counts in self.systems.items()},
            {name: present[rows] for name, present in self.present.items()},
        )

    def averaged(self, undefined: float, beta: float) -> Rows:
        """With counts that give the mean over the rows where all systems have a score."""
        present = np.all(list(self.present.values()), axis=0)
        systems: dict[str, dict[str, Counts]] = {name: {} for name in self.systems}
        for m in next(iter(self.systems.values())):
            means = macro({name: counts[m] for name, counts in self.systems.items()}, undefined, beta, present)
            for name, mean in means.items():
                systems[name][m] = mean
        return Rows(self.document, systems, self.present)

    @property
    def averages(self) -> dict[str, ScoreColumns]:
        """Of `averaged` rows: measure -> how many are in the mean of each side."""

        def rows(counts: Counts, side: str) -> Any:
            column = counts.columns.get(f"{side}.documents")
            return None if column is None else int(column.sum())

        return {m: ScoreColumns(*(rows(c, side) for side in SIDES)) for m, c in next(iter(self.systems.values())).items()}


def joined(parts: Sequence[Rows]) -> Rows:
    """The rows of several corpora, one after another."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0].systems
    return Rows(
        [f"{number} {document}" for number, part in enumerate(parts) for document in part.document],  # names may be shared
        {name: {m: concatenate([p.systems[name][m] for p in parts]) for m in first[name]} for name in first},
        {name: np.concatenate([part.present[name] for part in parts]) for name in first},
    )


def rows_of(evaluations: Mapping[str, Evaluation], unit: str) -> Rows:
    """The rows of systems that were scored against one key, ordered by name, so that the order of a file changes no digit.

    OptionError or MismatchError if sentences cannot be drawn.
    """
    if unit == "sentence":
        return _rows_of_sentences(evaluations)
    names = sorted({name for e in evaluations.values() for name in e.documents})
    place = {name: n for n, name in enumerate(names)}
    where = {system: np.array([place[name] for name in e.documents], dtype=np.int64) for system, e in evaluations.items()}
    return Rows(
        names,
        {system: {m: _placed(c, where[system], len(names)) for m, c in e.counts.items()} for system, e in evaluations.items()},
        {system: np.isin(np.arange(len(names)), where[system]) for system in evaluations},
    )


def _rows_of_sentences(evaluations: Mapping[str, Evaluation]) -> Rows:
    found = {system: _sentences(e) for system, e in evaluations.items()}
    documents = next(iter(found.values()))[0]
    if any(other != documents for other, _ in found.values()):
        raise MismatchError("some systems have sentences that others lack; expected --unit document")
    order = sorted(range(len(documents)), key=documents.__getitem__)
    rows = {system: {"mentions": counts.rows(order)} for system, (_, counts) in found.items()}
    return Rows([documents[row] for row in order], rows, {system: np.ones(len(order), dtype=bool) for system in evaluations})


def _placed(counts: Counts, where: Ints, rows: int) -> Counts:
    """The counts among more documents, of which the others count nothing."""
    if len(where) == rows and (where == np.arange(rows)).all():
        return counts

    def placed(column: Any) -> Any:
        among = np.zeros(rows, dtype=column.dtype)
        among[where] = column
        return among

    return Counts({name: placed(column) for name, column in counts.columns.items()}, counts.finish, counts.unit)


def _sentences(e: Evaluation) -> tuple[list[str], Counts]:
    """The document of each sentence, and what `mentions` counts in it: a mention belongs to the sentence where it starts."""
    if list(e.counts) != ["mentions"]:
        other = next(m for m in e.counts if m != "mentions")
        raise OptionError(
            f"sentences cannot be drawn for {other}: entities have mentions in many sentences, so it is no sum over them; "
            "expected --metrics mentions"
        )
    if e.options.average == "macro" or e.options.cross_document or e.pair.words not in ("same", "not-compared"):
        raise OptionError("sentences can be drawn of documents with the same words, averaged micro; expected --unit document")
    texts = [side.text.words for side in (e.key, e.response) if side.text is not None]
    if not texts:
        raise MismatchError(f"{e.key.source} has no sentences to draw; expected a format with words, or --unit document")
    starts = [next((t[d].sentences for t in texts if len(t[d].sentences)), (0,)) for d in range(len(e.documents))]
    offset = np.cumsum([0, *map(len, starts)])
    document = np.repeat(np.arange(len(starts)), np.diff(offset))
    first = locations(document, np.concatenate([np.empty(0, dtype=np.int64), *map(np.asarray, starts)]))

    def counted(side: Corpus, mentions: Any) -> Ints:
        row = np.searchsorted(first, locations(side.document[mentions], side.start[mentions]), side="right") - 1
        return np.bincount(np.maximum(row, offset[side.document[mentions]]), minlength=len(first))

    key, response = e.matching.key_mention, e.matching.response_mention
    counts = rates(
        (counted(e.key, key), counted(e.key, slice(None))), (counted(e.response, response), counted(e.response, slice(None)))
    )
    for name, column in e.counts["mentions"].columns.items():
        if not np.array_equal(np.bincount(document, counts.columns[name], len(starts)), column):
            raise MismatchError("this profile counts repeated mentions by documents; expected --unit document")
    return [e.documents[d] for d in document.tolist()], counts
