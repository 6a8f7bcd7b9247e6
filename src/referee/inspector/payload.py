"""What the page shows, as plain data: an overview of the corpus, and a record a document, made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.inspector.document import document
from referee.inspector.overview import overview
from referee.inspector.runs import Record, Run
from referee.messages import one_line
from referee.scoring.evaluation import Evaluation


@dataclass(frozen=True)
class Payload:
    """title: a line of text; overview: what is known of the corpus; documents: a record each."""

    title: str
    overview: Record
    documents: Iterator[Record]


def payload(evaluations: Sequence[Evaluation]) -> Payload:
    """Everything that a page shows of one response, or of two to the same key."""
    runs = [Run(e) for e in evaluations]
    names = list(dict.fromkeys(name for e in evaluations for name in e.documents))
    title = " · ".join([*(one_line(e.name) for e in evaluations), one_line(evaluations[0].key.source)])
    return Payload(title, overview(runs, names), (document(runs, name) for name in names))
