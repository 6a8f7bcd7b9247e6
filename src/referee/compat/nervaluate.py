"""`Evaluator` of nervaluate 1.2.1: correct, incorrect, partial, missed and spurious named entities in four scenarios.

Examples
--------
>>> key = [["O", "B-PER", "I-PER", "O"], ["B-LOC", "O"]]
>>> response = [["O", "B-PER", "O", "O"], ["B-ORG", "O"]]
>>> evaluator = Evaluator(key, response, tags=["PER", "LOC", "ORG"], loader="list")
>>> results = evaluator.evaluate()
>>> strict, partial = results["overall"]["strict"], results["overall"]["partial"]
>>> strict.correct, strict.incorrect, partial.correct, partial.partial, partial.f1
(0, 2, 1, 1, 0.75)
>>> results["entities"]["LOC"]["exact"].missed
1
>>> results, results_by_tag = as_0_1(results)  # what evaluate() of nervaluate 0.1 returned
>>> results["partial"]["f1"], results_by_tag["LOC"]["exact"]["missed"]
(0.75, 1)

Notes
-----
Tags may be tuples or arrays, too. Without documents the counts are 0, where nervaluate has no scenarios.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TypeAlias, TypedDict

from referee.basics.exceptions import MismatchError, OptionError, check_name, warn
from referee.compat.named_entities import (
    KINDS,
    SCENARIOS,
    Documents,
    NamedEntity,
    compare,
    entities_of_dicts,
    entities_of_lines,
    entities_of_tags,
    overlapping,
)
from referee.formats.shared.shapes import Foreign, shown

__all__ = ["EvaluationIndices", "EvaluationResult", "Evaluator", "as_0_1", "as_0_2"]

MODES = ("overall", "entities")
NAMES = (*KINDS, "precision", "recall", "f1")

Place: TypeAlias = tuple[int, int]
"""A document, and the place of an entity in it: of missed ones in the key, of others in the response."""


@dataclass(frozen=True)
class EvaluationResult:
    """The counts of a scenario, and what follows from them."""

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0
    precision: float = field(init=False)
    recall: float = field(init=False)
    f1: float = field(init=False)
    actual: int = field(init=False)
    possible: int = field(init=False)

    def __post_init__(self) -> None:
        both = self.correct + self.incorrect + self.partial
        right = self.correct + 0.5 * self.partial
        precision, recall = (right / n if n else 0.0 for n in (both + self.spurious, both + self.missed))
        f1 = 2 * (precision * recall) / (precision + recall) if precision + recall else 0.0
        values = (precision, recall, f1, both + self.spurious, both + self.missed)
        for name, value in zip(("precision", "recall", "f1", "actual", "possible"), values, strict=True):
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class EvaluationIndices:
    """The places of the entities that a scenario counts."""

    correct_indices: list[Place] = field(default_factory=list)
    incorrect_indices: list[Place] = field(default_factory=list)
    partial_indices: list[Place] = field(default_factory=list)
    missed_indices: list[Place] = field(default_factory=list)
    spurious_indices: list[Place] = field(default_factory=list)


Results: TypeAlias = dict[str, EvaluationResult]
Indices: TypeAlias = dict[str, EvaluationIndices]


class NervaluateResults(TypedDict):
    """What `Evaluator.evaluate` returns: by scenarios, and by labels and scenarios."""

    overall: Results
    entities: dict[str, Results]
    overall_indices: Indices
    entity_indices: dict[str, Indices]


class NervaluateEvaluator:
    """Compare named entities of a key, `true`, and a response, `pred`.

    Parameters
    ----------
    true, pred : list or str
        For each document its tags, or its entities as dictionaries with label, start and end (the last position); or one text
        of lines with a word, a tab and a tag, with empty lines between documents.
    tags : sequence of str
        The labels that count.
    loader : str
        "list" for tags, "dict", or "conll" for a text; by default, what is given says it.
    min_overlap_percentage : float
        How much of an entity of the key must be covered to count as overlap.

    Raises
    ------
    OptionError
        If what is given is none of these.
    MismatchError
        If documents, or tags of a document, differ in number.
    """

    def __init__(
        self, true: Foreign, pred: Foreign, tags: Sequence[str], loader: str = "default", min_overlap_percentage: float = 1.0
    ) -> None:
        if not 1 <= min_overlap_percentage <= 100:
            raise OptionError(f"found min_overlap_percentage={min_overlap_percentage}; expected 1 to 100")
        self.tags = tags
        self.min_overlap_percentage = min_overlap_percentage
        loader = _loader_for(true, pred) if loader == "default" else loader
        check_name("loader", loader, LOADERS)
        if loader == "list":
            _check_lengths(true, pred)
        self.true, self.pred = _load(true, loader), _load(pred, loader)
        if len(self.true) != len(self.pred):
            raise MismatchError(f"found {len(self.pred)} documents in pred; expected {len(self.true)}, as in true")
        labels = {entity.label for side in (self.true, self.pred) for document in side for entity in document}
        if labels and not labels & {*tags}:
            warn(f"found no entity of the tags {', '.join(tags)}; there are {', '.join(sorted(labels))}: give labels, as PER")

    def evaluate(self) -> NervaluateResults:
        """Count, for all labels together and for each of those that occur, where entities of other labels are not seen."""
        sides = [[[e for e in document if e.label in self.tags] for document in side] for side in (self.true, self.pred)]
        labels = sorted({entity.label for side in sides for document in side for entity in document})
        pairs = list(zip(*sides, strict=True))
        overall = self._indices(pairs)
        by_label = {
            label: self._indices([tuple([e for e in side if e.label == label] for side in pair) for pair in pairs])
            for label in labels
        }
        return {
            "overall": _results(overall),
            "entities": {label: _results(indices) for label, indices in by_label.items()},
            "overall_indices": overall,
            "entity_indices": by_label,
        }

    def _indices(self, pairs: Sequence[Sequence[Sequence[NamedEntity]]]) -> Indices:
        """The places of the entities of all documents, each a key and a response."""
        indices = {name: EvaluationIndices() for name in SCENARIOS}
        for number, (key, response) in enumerate(pairs):
            near = overlapping(key, response, self.min_overlap_percentage)
            for name, scenario in SCENARIOS.items():
                for kind, places in compare(key, response, near, scenario).items():
                    getattr(indices[name], f"{kind}_indices").extend((number, place) for place in places)
        return indices

    def summary_report(self, mode: str = "overall", scenario: str = "strict", digits: int = 2) -> str:
        """Return a table as nervaluate prints it: of all scenarios, or of all labels in one scenario."""
        rows = dict(sorted(self._rows(mode, scenario).items()))
        heads = [*NAMES[:-1], "f1-score"]
        width = max(*map(len, [*rows, heads[0]]), digits)  # nervaluate makes room for the first head, too
        text = f"Scenario: {scenario if mode == 'entities' else 'all'}\n\n{'':>{width}} "
        text += "".join(f" {name:>11}" for name in heads) + "\n\n"
        for name, row in rows.items():
            cells = [f" {n:>11}" if isinstance(n, int) else f" {n:>11.{digits}f}" for n in _cells(row)]
            text += f"{name:>{width}} {''.join(cells)}\n"
        return text

    def _rows(self, mode: str, scenario: str) -> Results:
        check_name("mode", mode, MODES)
        check_name("scenario", scenario, SCENARIOS)
        results = self.evaluate()
        return results["overall"] if mode == "overall" else {label: by[scenario] for label, by in results["entities"].items()}


Evaluator = NervaluateEvaluator


def as_0_1(results: NervaluateResults) -> tuple[dict[str, Foreign], dict[str, Foreign]]:
    """Return results in the form of nervaluate 0.1: dictionaries of scenarios, and of labels with them.

    The numbers are those of 1.2.1, which version 0.1 does not give where an entity overlaps several, nor by label where key and
    response have different labels.
    """
    return (
        {scenario: asdict(result) for scenario, result in results["overall"].items()},
        {label: {scenario: asdict(result) for scenario, result in by.items()} for label, by in results["entities"].items()},
    )


def as_0_2(results: NervaluateResults) -> tuple[dict[str, Foreign], dict[str, Foreign], dict[str, Foreign], dict[str, Foreign]]:
    """Return results in the form of nervaluate 0.2: those of `as_0_1`, and the places of entities in the same form."""
    return (
        *as_0_1(results),
        {scenario: asdict(places) for scenario, places in results["overall_indices"].items()},
        {label: {scenario: asdict(p) for scenario, p in by.items()} for label, by in results["entity_indices"].items()},
    )


def _results(indices: Indices) -> Results:
    return {name: EvaluationResult(*(len(getattr(places, f.name)) for f in fields(places))) for name, places in indices.items()}


def _cells(result: EvaluationResult) -> list[int | float]:
    return [getattr(result, name) for name in NAMES]


LOADERS = ("conll", "list", "dict")


def _load(side: Foreign, loader: str) -> Documents:
    """The entities of the documents of a side."""
    if loader == "conll":
        if not isinstance(side, str):
            raise OptionError(f"found {shown(side)}; expected a text of lines with a word, a tab and a tag")
        return entities_of_lines(side)
    if not _is_list(side):
        raise OptionError(f"found {shown(side)}; expected a list of documents")
    read = entities_of_tags if loader == "list" else entities_of_dicts
    return [read(_document(document)) for document in side]


def _is_list(value: Foreign) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, Mapping))


def _document(document: Foreign) -> Iterable[Foreign]:
    if not _is_list(document):
        raise OptionError(f"found {shown(document)}; expected a list of documents, each a list of tags or of entities")
    return document  # type: ignore[no-any-return]


def _loader_for(true: Foreign, pred: Foreign) -> str:
    if isinstance(true, str):
        return "conll"
    entities = (entity for side in (true, pred) for document in side for entity in _document(document))
    return "dict" if isinstance(next(entities, None), Mapping) else "list"


def _check_lengths(true: Foreign, pred: Foreign) -> None:
    """Raise MismatchError if documents have not as many tags."""
    lengths = [[len([*_document(document)]) for document in side] for side in (true, pred)]
    for number, (key, response) in enumerate(zip(*lengths, strict=False)):
        if key != response:
            raise MismatchError(f"document {number}: found {response} tags in pred; expected {key}, as in true")
