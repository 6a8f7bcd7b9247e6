"""Why a mention was attached where it was: one row a decision, from which the decision can be computed again."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import NamedTuple, TextIO

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, Numbers
from referee.reports.csv import guarded
from referee.resolver.memory import CandidateMRs, Decision
from referee.resolver.relations import Pairs, Relations
from referee.resolver.rules import RuleJudge
from referee.resolver.syntax import Syntax
from referee.resolver.tables import TableJudge

HEADER = (
    "document", "start", "end", "text", "decision", "entity", "antecedent_start", "antecedent_end", "antecedent", "score",
    "new", "runner_up_entity", "runner_up", "margin", "contributions", "barred_entity", "barred",
)  # fmt: skip
WORDS = ("document", "text", "antecedent")
"""The columns with words of the text."""


class Step(NamedTuple):
    """What was decided at a step, by mention.

    Parameters
    ----------
    later : int64, shape (mentions,)
    winner, runner_up, barred : int64, shape (mentions,)
        The MRs, by their first mentions; -1 for none. `barred` is the best of those with a pronoun of another gender.
    deciding : int64, shape (mentions,)
        The mention of the winner that decided, or of the best MR where a new one was made; -1 for none.
    score, second, new, score_of_barred : float64, shape (mentions,)
        Of the best MR, the next one, a new one, and the barred one; minus infinity for none.
    """

    later: Ints
    winner: Ints
    runner_up: Ints
    barred: Ints
    deciding: Ints
    score: Floats
    second: Floats
    score_of_barred: Floats
    new: Floats
    contributions: list[list[tuple[str, float]]]


class Explanation:
    """Watches the decoder; then one row a decision, once `label` has the first mention of the entity of each mention."""

    label: Ints

    def __init__(self, syntax: Syntax, relations: Relations, judge: TableJudge | RuleJudge) -> None:
        self.syntax, self.relations, self.judge = syntax, relations, judge
        self.steps: list[Step] = []

    def watch(self, pairs: Pairs, block: slice, candidates: CandidateMRs, decision: Decision) -> None:
        """Note what a step decided."""
        best, second = _ranked(candidates, decision.scores, decision.allowed)
        barred = np.full_like(best, -1) if decision.barred is None else _ranked(candidates, decision.scores, decision.barred)[0]
        deciding = _deciding(candidates, best, decision.compatibility, self.judge.quantifier)
        scores, new = self.judge.shown(candidates, decision)
        contributions = [
            self.judge.contributions(pairs, block, candidates, n, b, d)
            for n, (b, d) in enumerate(zip(best.tolist(), deciding.tolist(), strict=True))
        ]

        def at(index: Ints, values: Numbers, otherwise: float) -> Numbers:
            return np.append(values, otherwise)[index]  # -1 is the last

        winner, runner_up, barred_mr = (
            at(index, candidates.label, -1).astype(np.int64) for index in (decision.winner, second, barred)
        )
        antecedent = at(deciding, pairs.earlier[block], -1).astype(np.int64)
        best_score, second_score, barred_score = (at(index, scores, -np.inf) for index in (best, second, barred))
        decided = (winner, runner_up, barred_mr, antecedent, best_score, second_score, barred_score, new)
        self.steps.append(Step(candidates.later, *decided, contributions))

    def rows(self) -> Iterator[dict[str, object]]:
        """The decisions in the order of the text."""
        m, syntax = self.relations.mentions, self.syntax
        _, number = np.unique(self.label, return_inverse=True)
        number = number.reshape(-1)

        def text(mention: int) -> str:
            return " ".join(syntax.words[w] for w in syntax.form[m.start[mention] : m.end[mention]].tolist())

        def place(mention: int) -> tuple[int, int]:
            base = int(syntax.first[m.document[mention]])
            return int(m.start[mention]) - base, int(m.end[mention]) - base

        def entity_of(mention: int) -> str:
            return f"e{number[mention] + 1}" if mention >= 0 else ""

        decisions = [(mention, step, n) for step in self.steps for n, mention in enumerate(step.later.tolist())]
        for mention, step, n in sorted(decisions, key=lambda decision: decision[0]):
            attached, deciding = step.winner[n] >= 0, int(step.deciding[n])
            score, second, new = (float(column[n]) for column in (step.score, step.second, step.new))
            decisive, rival = (score, max(second, new)) if attached else (new, score)
            antecedent = (*place(deciding), text(deciding)) if deciding >= 0 else ("", "", "")
            margin = _shown(decisive - rival) if np.isfinite(decisive) and np.isfinite(rival) else ""
            contributions = " ".join(f"{name}={_shown(value)}" for name, value in step.contributions[n])
            cells = (
                syntax.doc_ids[m.document[mention]], *place(mention), text(mention), "attached" if attached else "new",
                entity_of(mention), *antecedent, _shown(score), _shown(new), entity_of(step.runner_up[n]), _shown(second),
                margin, contributions, entity_of(step.barred[n]), _shown(float(step.score_of_barred[n])),
            )  # fmt: skip
            yield dict(zip(HEADER, cells, strict=True))

    def write(self, out: TextIO) -> None:
        """Write the rows as TSV. Words that a spreadsheet would take for a formula begin with an apostrophe."""
        writer = csv.DictWriter(out, HEADER, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        writer.writeheader()
        for row in self.rows():
            writer.writerow({**row, **{name: guarded(str(row[name])) for name in WORDS}})


def _ranked(candidates: CandidateMRs, scores: Numbers, which: Bools | None) -> tuple[Ints, Ints]:
    """The best and the second of some candidates of each mention (None for all of them); -1 for none."""
    rows = np.arange(len(scores)) if which is None else np.flatnonzero(which)
    best, second = np.full((2, len(candidates.later)), -1, dtype=np.int64)
    for c in rows[np.lexsort((rows, scores[rows]))].tolist():  # the greatest last, the more recent among equals
        row = candidates.row[c]
        best[row], second[row] = c, best[row]
    return best, second


def _deciding(candidates: CandidateMRs, best: Ints, compatibility: Numbers, quantifier: str) -> Ints:
    """The pair of the step that decided about the best MR of each mention; the last one where all count."""
    deciding = np.full(len(best), -1, dtype=np.int64)
    row = candidates.row[candidates.group]
    rows = np.flatnonzero(candidates.group == best[row])
    if quantifier == "first":
        rows = rows[::-1]
    elif quantifier in ("any", "all"):
        rows = rows[np.lexsort((rows, compatibility[rows] if quantifier == "any" else -compatibility[rows]))]
    deciding[row[rows]] = rows
    return deciding


def _shown(value: float) -> str:
    """A number as short as it can be; empty for none."""
    return f"{value:.10g}" if np.isfinite(value) else ""
