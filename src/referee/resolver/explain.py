"""Why a mention was attached where it was: one row a decision, from which the decision can be computed again."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TextIO

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, Numbers
from referee.reports.csv import guarded
from referee.resolver.attributes import Mentions
from referee.resolver.constraints import Task
from referee.resolver.kinds import BITS, KINDS
from referee.resolver.memory import CandidateMRs, Decision
from referee.resolver.relations import Pairs, Relations
from referee.resolver.rules import RuleJudge
from referee.resolver.syntax import Syntax
from referee.resolver.tables import TableJudge

HEADER = (
    "document", "start", "end", "text", "decision", "entity", "antecedent_start", "antecedent_end", "antecedent", "score",
    "new", "runner_up_entity", "runner_up", "margin", "contributions", "barred_entity", "barred", "barred_rule", "kind",
    "may_be", "rule",
)  # fmt: skip
WORDS = ("document", "text", "antecedent")
"""The columns with words of the text."""


class Step(NamedTuple):
    """What was decided at a step, by mention.

    Parameters
    ----------
    later : int64, shape (mentions,)
    winner, runner_up, barred : int64, shape (mentions,)
        The MRs, by their first mentions; -1 for none. `barred` is the best of those that the constraints exclude.
    deciding : int64, shape (mentions,)
        The mention of the winner that decided, or of the best MR where a new one was made; -1 for none.
    joined : int64, shape (mentions,)
        The earlier mention that it had to be one with; -1 for none.
    why : list of str
        Why it had to, or why `barred` was excluded.
    score, second, new, score_of_barred : float64, shape (mentions,)
        Of the best MR, the next one, a new one, and the barred one; minus infinity for none.
    """

    later: Ints
    winner: Ints
    runner_up: Ints
    barred: Ints
    deciding: Ints
    joined: Ints
    why: list[str]
    score: Floats
    second: Floats
    score_of_barred: Floats
    new: Floats
    contributions: list[list[tuple[str, float]]]


class Explanation:
    """Watches the decoder; then one row a decision, once `label` has the first mention of the entity of each mention."""

    label: Ints

    def __init__(
        self,
        syntax: Syntax,
        forms: Sequence[str],
        mentions: Mentions,
        task: Task,
        relations: Relations,
        judge: TableJudge | RuleJudge,
    ) -> None:
        self.forms = forms
        self.syntax, self.mentions, self.task, self.relations, self.judge = syntax, mentions, task, relations, judge
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
        ledger, joined = decision.ledger, decision.antecedent
        why = [
            ledger.why_joined(mention, other) if other >= 0 else ledger.bar(mention, mr) if mr >= 0 else ""
            for mention, other, mr in zip(candidates.later.tolist(), joined.tolist(), barred_mr.tolist(), strict=True)
        ]
        decided = (winner, runner_up, barred_mr, antecedent, joined, why, best_score, second_score, barred_score, new)
        self.steps.append(Step(candidates.later, *decided, contributions))

    def rows(self) -> Iterator[dict[str, object]]:
        """The decisions in the order of the text."""
        rows = [*self._decided(), *self._spoken()]
        for _, row in sorted(rows, key=lambda pair: pair[0]):
            yield row

    def _decided(self) -> Iterator[tuple[int, dict[str, object]]]:
        """What the model decided, or what a rule of `referee.resolver.constraints` did instead."""
        decided = [*self.task.decided.tolist(), -1]  # the last for none
        for step in self.steps:
            for n, within in enumerate(step.later.tolist()):
                mention = decided[within]
                if step.joined[n] >= 0:
                    yield mention, self._by_rule(mention, decided[step.joined[n]], step.why[n])
                    continue
                attached = step.winner[n] >= 0
                score, second, new = (float(column[n]) for column in (step.score, step.second, step.new))
                decisive, rival = (score, max(second, new)) if attached else (new, score)
                margin = _shown(decisive - rival) if np.isfinite(decisive) and np.isfinite(rival) else ""
                row = self._row(mention, decided[step.deciding[n]])
                row["decision"] = "attached" if attached else "new"
                row |= {"score": _shown(score), "new": _shown(new), "runner_up": _shown(second), "margin": margin}
                row["runner_up_entity"] = self._entity(decided[step.runner_up[n]])
                row["contributions"] = " ".join(f"{name}={_shown(value)}" for name, value in step.contributions[n])
                row["barred_entity"] = self._entity(decided[step.barred[n]])
                row |= {"barred": _shown(float(step.score_of_barred[n])), "barred_rule": step.why[n]}
                yield mention, row

    def _spoken(self) -> Iterator[tuple[int, dict[str, object]]]:
        """*I* and *you* of known speakers."""
        for mention, who in self.task.speakers.spoken.items():
            row = self._by_rule(mention, who.mention, f"speaker: {who.rule}")
            if who.mention < 0:
                row |= {"antecedent": self.syntax.speakers[who.label]}
            yield mention, row

    def _by_rule(self, mention: int, antecedent: int, rule: str) -> dict[str, object]:
        return {**self._row(mention, antecedent), "decision": "attached", "rule": rule}

    def _row(self, mention: int, antecedent: int) -> dict[str, object]:
        """What is said of each mention."""
        row: dict[str, object] = dict.fromkeys(HEADER, "")
        row |= {"document": self.syntax.doc_ids[self.mentions.document[mention]], "text": self._text(mention)}
        row["start"], row["end"] = self._place(mention)
        row["entity"] = self._entity(mention)
        if antecedent >= 0:
            row["antecedent_start"], row["antecedent_end"] = self._place(antecedent)
            row["antecedent"] = self._text(antecedent)
        row["kind"] = KINDS[self.mentions.kind[mention]]
        row["may_be"] = " ".join(name for name, bit in BITS.items() if self.task.possible[mention] & bit)
        return row

    def _text(self, mention: int) -> str:
        m = self.mentions
        return " ".join(self.forms[m.start[mention] : m.end[mention]])

    def _place(self, mention: int) -> tuple[int, int]:
        m = self.mentions
        base = int(self.syntax.first[m.document[mention]])
        return int(m.start[mention]) - base, int(m.end[mention]) - base

    def _entity(self, mention: int) -> str:
        return f"e{self._numbers[mention] + 1}" if mention >= 0 else ""

    @cached_property
    def _numbers(self) -> Ints:
        """The number of the entity of each mention."""
        numbers: Ints = np.unique(self.label, return_inverse=True)[1].reshape(-1)
        return numbers

    def write(self, out: TextIO, separator: str = "\t") -> None:
        """Write the rows as TSV, or as CSV with a comma as separator.

        Words that a spreadsheet would take for a formula begin with an apostrophe.
        """
        writer = csv.DictWriter(out, HEADER, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
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
