"""The answers of a language model, document by document: what failed, has no entities, was repaired, and all that it said."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.algorithms.arrays import tally
from referee.basics.exceptions import OptionError, shortened
from referee.matching.pair import Pair
from referee.metrics.scores import Scores
from referee.metrics.titles import score_column
from referee.reports.listing import Column, Listing

ANSWER = "answer"
STATES = ("failed", "missing", "no entities", "repaired", "read")
"""What may be said of an answer, in the order of the table for people."""


class MissingAnswer:
    """What is said of a document that the model did not answer, as of `DocumentAnswer`."""

    text = failed = repaired = ""
    state = "missing"
    repairs: Mapping[str, int] = MappingProxyType({})


MISSING = MissingAnswer()


def answers_listing(pair: Pair, scores: Scores, metric: str, *, top: int | None = None, for_programs: bool = False) -> Listing:
    """Return a row for each document: the state of its answer, what was repaired, its score in a metric, and the answer.

    Raises
    ------
    OptionError
        If the response is no answer of a language model.
    """
    if not pair.answers:
        raise OptionError(f"--by {ANSWER} is for answers of language models; found {pair.response.source}, which has mentions")
    documents = pair.key.doc_ids
    mentions = tally(pair.response.document, minlength=len(documents)).tolist()
    values = list(scores.columns(metric).sides()[0])
    rows: list[list[object]] = []
    for n, name in enumerate(documents):
        answer = pair.answers.get(name, MISSING)
        number = 0 if answer.failed else sum(answer.repairs.values())
        what, text = answer.repaired, answer.failed or answer.text
        if not for_programs:
            what, text = shortened(what, 60), shortened(" ".join(text.split()), 60)
        rows.append([name, answer.state, mentions[n], number, values[n], what or None, text or None])
    if not for_programs:
        rows.sort(key=lambda row: STATES.index(str(row[1])))
    numbers = {state: sum(row[1] == state for row in rows) for state in STATES}
    columns = [
        *(
            Column("document"),
            Column("state"),
            Column("response mentions", "count", field="response_mentions"),
            Column("repairs", "count"),
        ),
        *(score_column(metric, scores[metric], scores.counts_of(metric).unit), Column("repaired"), Column("answer")),
    ]
    left_out = len(rows) - len(rows[:top])
    notes = [f"{left_out} of {len(rows)} documents left out: --top 0 shows all"] if left_out else []
    caption = ", ".join(f"{number} {state}" for state, number in numbers.items() if number)
    return Listing(columns, rows[:top], notes, caption=f"answers: {caption}")
