"""ua-scorer 2.0, the Universal Anaphora scorer.

References
----------
`ua-scorer.py` of ufal/corefud-scorer, version 1.2; Yu et al. (2023), "The Universal Anaphora Scorer 2.0".

Notes
-----
The numbers are those of the profiles ``ua-2.0`` and, for CorefUD, ``corefud-1.2``. The CorefUD scorer is this program with
other options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.basics.exceptions import OptionError
from referee.compat.programs import universal_anaphora as ua
from referee.compat.programs.printed import Arguments, Printed
from referee.compat.programs.universal_anaphora import AVERAGED, MATCH, METRICS, UaSettings
from referee.scoring.other_scorers.ua_layers import LAYERS

NOT_OF = {"ua": ("zero",), "corefud": ("mention", *LAYERS), "conll": ("mor", "zero", *LAYERS)}
"""Format -> metrics that are not among all."""

UA_ONLY = ("evaluate_discourse_deixis", "only_split_antecedent", "keep_split_antecedents", "allow_boundary_crossing")
PARSED = ("np_only", "remove_nested_mentions")

WITH_ZEROS = (*AVERAGED, "mention", "zero")
TASKS = {
    "conll12": UaSettings(format="conll"),
    "crac18": UaSettings((*AVERAGED, "non-referring"), singletons=True),
    "craft19": UaSettings(match="partial-craft", singletons=True),
    "crac22": UaSettings(WITH_ZEROS, "corefud", "partial-corefud", zeros="linear"),
    "codicrac22ar": UaSettings(singletons=True, split_antecedents=True),
    "codicrac22br": UaSettings(("bridging",), singletons=True),
    "codicrac22dd": UaSettings(singletons=True, split_antecedents=True, deixis=True),
    "crac23": UaSettings(WITH_ZEROS, "corefud", "head"),
    "crac24": UaSettings(WITH_ZEROS, "corefud", "head"),
}
"""The settings of shared tasks, as the program has them."""


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``ua-scorer.py KEY RESPONSE [-f FORMAT] [-m METRIC ...] [-a MATCH] [-s] [-l] [-z] [-d] ...`` prints."""
    parser = Arguments("ua-scorer")
    parser.add_argument("key_file", help="the key")
    parser.add_argument("sys_file", help="the response")
    parser.add_argument("-f", "--format", choices=list(MATCH), default="ua", help="the format of both files")
    names = ["all", "conll", *(name for name in METRICS if name != "mor"), *LAYERS]
    parser.add_argument("-m", "--metrics", choices=names, nargs="*", default=["conll"], help="metrics")
    matches = ["exact", "partial-corefud", "partial-craft", "head"]
    parser.add_argument("-a", "--match", choices=matches, default="exact", help="when mentions match")
    parser.add_argument("-s", "--keep-singletons", action="store_true", help="score entities of one mention, too")
    parser.add_argument("-l", "--keep-split-antecedents", action="store_true", help="score split antecedents, too")
    parser.add_argument("-z", "--keep-zeros", action="store_true", help="score zeros, too")
    parser.add_argument("--zero-match-method", choices=["linear", "dependent"], default="linear", help="for zeros")
    parser.add_argument("-d", "--evaluate-discourse-deixis", action="store_true", help="score discourse deixis instead")
    parser.add_argument("--only-split-antecedent", action="store_true", help="score split antecedents alone")
    parser.add_argument("--allow-boundary-crossing", action="store_true", help="brackets may name what they close")
    parser.add_argument("--np-only", action="store_true", help="not possible here")
    parser.add_argument("--remove-nested-mentions", action="store_true", help="not possible here")
    parser.add_argument("-t", "--shared-task", choices=list(TASKS), help="the settings of a shared task, instead of all others")
    args = vars(parser.parse_args(arguments))
    return printed(args["key_file"], args["sys_file"], TASKS.get(args["shared_task"]) or _settings(args))


def _settings(args: Mapping[str, Any]) -> UaSettings:
    """The settings that the options ask for; OptionError for those that are not possible."""
    form, names = args["format"], args["metrics"]
    wrong = [option for option in PARSED if args[option]]
    wrong += [option for option in UA_ONLY if args[option] and form != "ua"]
    wrong += [name for name in names if name in NOT_OF[form] and name != "mention"]
    wrong += [args["match"]] if args["match"] not in MATCH[form] else []
    zeros = args["zero_match_method"] if args["keep_zeros"] else ""
    wrong += [zeros] if zeros == "dependent" and form != "corefud" else []
    if wrong:
        raise OptionError(f"ua-scorer: found {', '.join(wrong)}, which is not possible for the format {form}")
    if "all" in names:
        names = [name for name in (*METRICS, *LAYERS) if name not in NOT_OF[form]]
    elif "conll" in names:
        names = AVERAGED
    deixis, only_split, split, _ = (args[option] for option in UA_ONLY)
    required = deixis or only_split
    singletons = args["keep_singletons"] or required
    return UaSettings(names, form, args["match"], singletons, split or required, zeros, deixis, only_split and not deixis)


def printed(key_file: str, sys_file: str, settings: UaSettings) -> Printed:
    """Print the scores of two files."""
    key, response = ua.annotation(key_file, "key", settings), ua.annotation(sys_file, "response", settings)
    evaluation = ua.evaluated(key, response, settings, ua.OWN)
    return Printed(_announced(settings) + ua.printed(evaluation, settings), signatures=[evaluation.signature])


def _announced(s: UaSettings) -> str:
    """The first two lines."""
    words = {"non-referring": "non-referring mentions", "bridging": "bridging relations"}
    layers = [words[name] for name in LAYERS if name in s.metrics]
    if s.deixis:
        scored = "discourse deixis"
    elif s.only_split:
        scored = "only split-antecedents"
    elif not any(name in METRICS and name != "mor" for name in s.metrics):
        scored = "".join(layers) if "non-referring" in s.metrics else f", {layers[0]}" if layers else ""
    else:
        options = {"singletons": s.singletons, "split-antecedents": s.split_antecedents}
        options |= {f"zeros (using {s.zeros} match method)": bool(s.zeros)}
        scored = ", ".join(["coreferential mentions", *(name for name, is_set in options.items() if is_set), *layers])
    return (
        f"The scorer is evaluating {scored} using {s.match} match evaluation setting.\n"
        f"The following metrics will be evaluated: {', '.join(s.metrics)}\n\n"
    )
