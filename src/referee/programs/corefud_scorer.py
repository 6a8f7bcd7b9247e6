"""corefud-scorer 1.2, the scorer of the CRAC shared tasks on multilingual coreference.

References
----------
`corefud-scorer.py` and `ua-scorer.py` of ufal/corefud-scorer, version 1.2.

Notes
-----
The numbers are those of the profile ``corefud-1.2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from referee.programs.printed import Arguments, Printed
from referee.scoring.score import score

METRICS = {
    "muc": "muc",
    "bcub": "b_cubed",
    "ceafe": "ceaf_e",
    "ceafm": "ceaf_m",
    "blanc": "blanc",
    "lea": "lea",
    "mor": "mention_overlap",
    "zero": "zero_anaphora",
}
"""Name in the program -> ours, in the order in which all are printed."""

AVERAGED = ("muc", "bcub", "ceafe")


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``corefud-scorer.py KEY RESPONSE [-m METRIC ...] [-s] [-a MATCH] [-x] [-z METHOD]`` prints."""
    parser = Arguments("corefud-scorer")
    parser.add_argument("key_file", help="the key")
    parser.add_argument("sys_file", help="the response")
    parser.add_argument("-m", "--metrics", choices=["all", *METRICS], nargs="*", default=["all"], help="metrics")
    parser.add_argument("-s", "--keep-singletons", action="store_true", help="score entities of one mention, too")
    parser.add_argument("-a", "--match", choices=["exact", "partial", "head"], default="head", help="when mentions match")
    parser.add_argument("-x", "--exact-match", action="store_true", help="as --match exact, which it overrides")
    parser.add_argument("-z", "--zero-match-method", choices=["linear", "dependent"], default="dependent", help="for zeros")
    args = parser.parse_args(arguments)
    match: Literal["exact", "partial", "head"] = "exact" if args.exact_match else args.match
    names = list(METRICS) if "all" in args.metrics else args.metrics
    evaluation = score(
        args.key_file,
        args.sys_file,
        metrics=[METRICS[name] for name in dict.fromkeys(names)] or ["muc"],
        profile="corefud-1.2",
        match=match,
        zeros=args.zero_match_method,
        singletons="keep" if args.keep_singletons else "drop-annotated",
    )
    text = (
        f"The scorer is evaluating coreferential mentions{', singletons' if args.keep_singletons else ''}, zeros (using "
        f"{args.zero_match_method} match method) using {'partial-corefud' if match == 'partial' else match} match evaluation "
        f"setting.\nThe following metrics will be evaluated: {', '.join(names)}\n\n"
    )
    averaged = []
    for name in names:
        s = evaluation[METRICS[name]]
        recall, precision, f1 = (100 * (side or 0.0) for side in (s.recall, s.precision, s.value))
        text += f"{name}\nRecall: {recall:.2f}  Precision: {precision:.2f}  F1: {f1:.2f}\n"
        averaged += [s.value] if name in AVERAGED else []
    if len(averaged) == len(AVERAGED):
        text += f"CoNLL score: {sum(averaged) / 3 * 100:.2f}\n"
    return Printed(text, signatures=[evaluation.signature])
