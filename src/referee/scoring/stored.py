"""`StoredScores`: scores that were read from a counts file, without key and response."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from referee.basics.exceptions import (
    MismatchError,
    MissingFileError,
    OptionError,
    UnknownNameError,
    brief,
    counted,
    one_line,
    warn,
)
from referee.matching.pair import Pair
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS, id_of
from referee.scoring.evaluation import Evaluation
from referee.scoring.response_scores import ResponseScores
from referee.stats.counts import Counts

Fact: TypeAlias = "str | int | float | None"
"""What is known of a file."""


@dataclass(frozen=True, eq=False, repr=False)
class StoredScores(ResponseScores):
    """The scores of one response, from the counts of its documents alone.

    Parameters
    ----------
    sources : mapping
        "key" and "response" -> facts about the file: ``name``, and ``size`` in bytes, ``modified`` (a time), ``mentions`` and
        ``entities`` where they are known.
    engine : str
        What counted.
    without_rows : int
        How many documents a `Scorer` counted without keeping the counts of each.
    """

    sources: Mapping[str, Mapping[str, Fact]]
    engine: str = ""
    without_rows: int = 0

    def __repr__(self) -> str:
        return f"<Scores of {brief(self.name)}: {self.in_brief}, {counted(len(self), 'metric')}>"

    @property
    def documents_counted(self) -> int:
        """How many documents were counted."""
        return self.without_rows or len(self.documents)

    @property
    def key_name(self) -> str:
        """Where the key came from."""
        return str(self.sources["key"]["name"])

    def counts_of(self, metric: str) -> Counts:
        """The counts of one metric, one row a document.

        Raises
        ------
        OptionError
            If the metric was not stored.
        UnknownNameError
            If there is none of that name.
        """
        name = metric if metric in self.counts else id_of(metric)
        if name in self.counts:
            return self.counts[name]
        if name not in METRICS:
            raise UnknownNameError("metric", metric, self.counts)
        raise OptionError(f"{self.name} has no counts of {name}; expected {', '.join(self.counts)}: score the files again")

    def record(self, metric: str) -> Metric:
        """The metric of a name, as it was counted."""
        return self.metrics.get(id_of(metric)) or super().record(metric)


def scores_of_scorer(value: object) -> object:
    """Return what a `Scorer` counted in each document, in its place; any other value as it is."""
    counts = getattr(value, "counts", None) if hasattr(type(value), "load_state") else None
    return counts() if callable(counts) else value


def as_stored(scores: Evaluation | StoredScores) -> StoredScores:
    """The scores without key and response, as a counts file has them."""
    if isinstance(scores, StoredScores):
        return scores
    parts = (scores.documents, scores.metrics, scores.counts, scores.options, scores.signature, scores.short_signature)
    return StoredScores(scores.name, *parts, sources_of(scores), str(scores.run.get("engine", "memory")))


def sources_of(scores: Evaluation | StoredScores) -> Mapping[str, Mapping[str, Fact]]:
    """Return what is known of key and response."""
    if isinstance(scores, StoredScores):
        return scores.sources
    if not isinstance(scores.compared, Pair):  # label tables, whose mentions would have to be made
        key, response = scores.compared.tables.names
        return {"key": facts_of(key), "response": facts_of(response)}
    sides = {"key": scores.key, "response": scores.response}
    numbers = {role: {"mentions": len(side.document), "entities": len(side.entity_ids)} for role, side in sides.items()}
    return {role: {**facts_of(side.source), **numbers[role]} for role, side in sides.items()}


def facts_of(path: str) -> dict[str, Fact]:
    """Return the name of a file, with its size and time if it is a file."""
    if not os.path.isfile(path):
        return {"name": path}
    status = os.stat(path)
    return {"name": path, "size": status.st_size, "modified": status.st_mtime}


def check_key(path: str, stored: Mapping[str, StoredScores]) -> None:
    """Raise if the key is no file, or scores were made from one of another size; warn if it may be another."""
    if not os.path.exists(path):
        raise MissingFileError(
            path, None, "cannot be opened: no such file; expected the key of the counts, or counts files alone"
        )
    if not os.path.isfile(path):
        return
    if unseen := [name for name, scores in stored.items() if "size" not in scores.sources["key"]]:
        warn(f"{path} is not used: {one_line(unseen[0])} was scored against no such file; expected the scores alone")
    size, modified = os.path.getsize(path), os.path.getmtime(path)
    for name, scores in stored.items():
        wanted = scores.sources["key"].get("size", size)
        if wanted != size:
            raise MismatchError(f"{name} was scored against a key of {wanted} bytes; found {path} with {size} bytes")
    if changed := [name for name, scores in stored.items() if scores.sources["key"].get("modified", modified) != modified]:
        warn(f"{path} was changed or copied since {changed[0]} was scored: is it the same key?")


def check_comparable(stored: Mapping[str, StoredScores]) -> None:
    """Raise unless all were scored with the same options against the same key, and each has the counts of documents.

    Raises
    ------
    OptionError
        If an option differs.
    MismatchError
        If the keys differ.
    """
    for scores in stored.values():
        scores.check_rows()
    (first, expected), *others = stored.items()
    for name, scores in others:
        for option, value in vars(scores.options).items():
            wanted = getattr(expected.options, option)
            if value != wanted and not (value != value and wanted != wanted):  # noqa: PLR0124  # nan is nan here
                raise OptionError(f"{name} was scored with {option} {value!r}; expected {wanted!r}, as {first}")
        for fact, value in scores.sources["key"].items():
            wanted = expected.sources["key"].get(fact)
            if fact in ("size", "mentions", "entities") and None not in (value, wanted) and value != wanted:
                raise MismatchError(
                    f"{name} was scored against a key of {value} {'bytes' if fact == 'size' else fact}; expected {wanted}, "
                    f"as {first}: score all responses against one key"
                )
        if "documents" in scores.sources["key"] and (lone := sorted({*scores.documents} ^ {*expected.documents})):
            one, other = (name, first) if lone[0] in scores.documents else (first, name)
            remedy = "expected the same documents, by their names: Scorer.update(..., name=...)"
            raise MismatchError(f"{one} has the document {lone[0]!r}, which {other} has not; {remedy}")
        if (document := _other_key(scores, expected)) is not None:
            problem = f"{name} was scored against a key with other entities in {document or 'its one document'} than {first}"
            raise MismatchError(f"{problem}: score all responses against one key")


def _other_key(a: StoredScores, b: StoredScores) -> str | None:
    """A document of which the keys of two tables differ, as what recall is divided by shows; None if there is none."""
    if "mentions" in a.sources["key"]:  # of a corpus, which says more, and whose documents may have repeated mentions
        return None
    places = {document: n for n, document in enumerate(b.documents)}
    mine = [n for n, document in enumerate(a.documents) if document in places]
    theirs = [places[a.documents[n]] for n in mine]
    for metric in ("mentions", "muc", "links", "b_cubed", "ceaf_e", "lea", "conll"):
        if metric not in a.counts or metric not in b.counts:
            continue
        column = "b_cubed.recall_denominator" if metric == "conll" else "recall_denominator"
        values, others = (scores.counts[metric].columns[column] for scores in (a, b))
        differ = values[mine] != others[theirs]
        if differ.any():
            return a.documents[mine[int(differ.argmax())]]
    return None
