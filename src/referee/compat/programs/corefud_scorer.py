"""corefud-scorer 1.2, the scorer of the CRAC shared tasks on multilingual coreference.

References
----------
`corefud-scorer.py` and `ua-scorer.py` of ufal/corefud-scorer, version 1.2.

Notes
-----
The program is `ua-scorer.py` with other options, and so it is here. The numbers are those of the profile ``corefud-1.2``.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.compat.programs.printed import Arguments, Printed
from referee.compat.programs.ua_scorer import printed
from referee.compat.programs.universal_anaphora import UaSettings

METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
"""In the order in which all are printed."""


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
    match = "exact" if args.exact_match else "partial-corefud" if args.match == "partial" else args.match
    names = METRICS if "all" in args.metrics else args.metrics
    settings = UaSettings(names, "corefud", match, singletons=args.keep_singletons, zeros=args.zero_match_method)
    return printed(args.key_file, args.sys_file, settings)
