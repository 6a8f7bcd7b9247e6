"""The answers of a language model, document by document: what failed, has no entities, was repaired, and all that it said."""

from __future__ import annotations

from referee.algorithms.arrays import tally
from referee.basics.exceptions import OptionError, listed, shortened
from referee.matching.pair import Pair
from referee.metrics.scores import Scores
from referee.metrics.titles import score_column
from referee.reports.listing import Column, Listing

ANSWER = "answer"
MISSING = "missing"
STATES = ("failed", MISSING, "no entities", "repaired", "read")
"""What may be said of an answer, in the order of the table for people."""


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
        answer = pair.answers.get(name)
        state = MISSING if answer is None else answer.state
        repairs = {} if answer is None or state == "failed" else answer.repairs
        what = listed([f"{number} {repair}" for repair, number in repairs.items()]) if repairs else ""
        text = "" if answer is None else answer.failed or answer.text
        if not for_programs:
            what, text = shortened(what, 60), shortened(" ".join(text.split()), 60)
        rows.append([name, state, mentions[n], sum(repairs.values()), values[n], what or None, text or None])
    if not for_programs:
        rows.sort(key=lambda row: STATES.index(str(row[1])))
    numbers = {state: sum(row[1] == state for row in rows) for state in STATES}
    columns = [
        *(Column("document"), Column("state"), Column("mentions", "count"), Column("repairs", "count")),
        *(score_column(metric, scores[metric], scores.counts_of(metric).unit), Column("repaired"), Column("answer")),
    ]
    left_out = len(rows) - len(rows[:top])
    notes = [f"{left_out} of {len(rows)} documents left out: --top 0 shows all"] if left_out else []
    caption = ", ".join(f"{number} {state}" for state, number in numbers.items() if number)
    return Listing(columns, rows[:top], notes, caption=f"answers: {caption}")
