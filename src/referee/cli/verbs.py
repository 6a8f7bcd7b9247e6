"""The verbs of the command, in the groups and the order in which its help shows them, and the names that they once had."""

from __future__ import annotations

from collections.abc import Mapping

GROUPS: Mapping[str, Mapping[str, str]] = {
    "everyday": {
        "score": "score responses against a key",
        "compare": "compare responses: intervals, and tests of differences",
        "errors": "the errors of a response, by kind or each in its text",
        "inspect": "write a page that shows key and response side by side",
    },
    "annotation": {
        "agree": "show how far annotators agree, and merge what they agree on",
        "correct": "put corrections that a page saved into the key",
        "sample": "choose documents to be annotated next",
        "validate": "list every error in files, with line numbers",
        "convert": "write an annotation in another format",
    },
    "records": {
        "thresholds": "score pairs with probabilities at several thresholds",
        "estimate": "estimate scores from a key that is a sample of entities",
    },
    "text": {
        "resolve": "find the entities of a text: who is who",
        "resolve fit": "fit a model of resolve to annotated text",
        "resolve tune": "tune the numbers of the rules",
        "resolve ablate": "show what each rule or table is worth",
        "resolve show": "say what a model has learnt",
        "parse": "find sentences, words, tags and trees of plain text",
        "parse fit": "fit a parser to a treebank",
        "phrases": "score tags of names and chunks, or phrases with probabilities",
    },
    "more": {
        "prompts": "write prompts that ask a language model for the key",
        "board": "write a leaderboard: a site with intervals, tests and pages",
        "correlate": "correlate metrics, and list what they rank differently",
        "app": "write a page that runs Referee in a browser",
        "testsets": "list public test sets, or download one",
        "formats": "list the formats, or explain one",
        "metrics": "list the metrics, or explain one",
        "as": "print what another program prints, such as scorer.pl",
        "reproduce": "compute the values that papers print",
        "completion": "print a completion script for your shell, or the manual page",
    },
}
"""Group -> its verbs, each with what the help says of it."""

VERBS: dict[str, str] = {verb: summary for verbs in GROUPS.values() for verb, summary in verbs.items()}

OLD_VERBS = {"page": "app", "resolver": "resolve"}
"""What verbs were called once, and are called now."""

OLD_OPTIONS = {"--extra-items": "--items", "--document": "--documents", "--documents": "--number"}

SOUGHT: Mapping[str, str] = {
    **dict.fromkeys(("evaluate", "eval", "f1", "scorer"), "score"),
    **dict.fromkeys(("significance", "bootstrap", "test", "diff"), "compare"),
    **dict.fromkeys(("view", "show", "visualize", "visualise", "display", "open"), "inspect"),
    **dict.fromkeys(("kappa", "alpha", "iaa", "agreement"), "agree"),
    **dict.fromkeys(("check", "stats", "statistics", "lint"), "validate"),
    **dict.fromkeys(("coref", "predict", "who"), "resolve"),
    **dict.fromkeys(("ner", "tags", "chunks", "seqeval"), "phrases score"),
    **dict.fromkeys(("fix", "apply", "curate", "adjudicate"), "correct"),
    "merge": "agree --merged FILE",
    "answers": "errors KEY ANSWERS --by answer",
    "leaderboard": "board",
    "parse-text": "parse",
    "cite": "metrics NAME, which names its papers",
}
"""What people call verbs, and the verb that does it."""


SIDES = frozenset((
    *("--key", "--gold", "--reference", "--ref", "--truth"),
    *("--response", "--pred", "--prediction", "--predictions", "--hypothesis", "--hyp", "--system", "--sys"),
))  # fmt: skip
"""Options that other programs have for the two files."""

OWN_SIDES = {"validate": frozenset(("--key",))}
"""Verb -> those of them that it has."""


def module_of(verb: str) -> str:
    """The module of a verb: `cli/score.py`, and `cli/parse_fit.py` for one of two words."""
    return "referee.cli." + ("as_program" if verb == "as" else verb.replace(" ", "_"))


def under(verb: str) -> dict[str, str]:
    """The verbs of two words that begin with this one."""
    return {name: summary for name, summary in VERBS.items() if name.startswith(f"{verb} ")}
