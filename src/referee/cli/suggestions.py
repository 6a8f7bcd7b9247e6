"""What was meant by a verb or an option that there is not."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence

from referee.basics.exceptions import listed, shortened
from referee.basics.options.choices import FORMATS
from referee.cli.manual import verbs, words
from referee.cli.verbs import OLD_OPTIONS, OLD_VERBS, SOUGHT, VERBS
from referee.reports.forms import FORMS

WRITTEN: Mapping[str, str] = {
    **dict.fromkeys(("--scheme", "--tag-scheme"), "--decode SCHEME"),
    **dict.fromkeys(("--mode", "--strict"), "--decode strict"),
    **dict.fromkeys(("--type", "--labels", "--label", "--entity-types", "--only"), "--types NAMES"),
    **{f"--{form}": f"--report {form}" for form in FORMS if form != "text"},
    **dict.fromkeys(("--md", "--tex"), "--report FORM"),
    **dict.fromkeys(("--output-format", "--out-format", "--form", "--output-type"), "--report FORM"),
    **dict.fromkeys(("--ci", "--confidence", "--confidence-intervals", "--bootstrap"), "--intervals"),
    **dict.fromkeys(("--examples", "--show-examples", "--in-text"), "--context"),
    **dict.fromkeys(("--per-document", "--by-document", "--per-doc"), "--by document"),
    **dict.fromkeys(("--worst", "--bottom"), "--top"),
    **dict.fromkeys(("--pairwise", "--all-vs-all", "--every-pair"), "--all-pairs"),
    **dict.fromkeys(
        ("--no-singletons", "--exclude-singletons", "--remove-singletons", "--ignore-singletons", "--without-singletons"),
        "--singletons drop",
    ),
    **dict.fromkeys(("--common-documents", "--shared-documents"), "--extra-documents ignore"),
}
"""Options that people try, and what they write instead in a verb that has it."""

DONE: Mapping[str, str] = {
    **dict.fromkeys(
        ("--significance", "--pvalue", "--p-value", "--pvalues", "--p-values", "--ttest", "--t-test"),
        "referee compare KEY RESPONSE RESPONSE prints p of each difference",
    ),
    **dict.fromkeys(("--kappa", "--alpha", "--iaa"), "referee agree FILE FILE prints alpha"),
}
"""Options that people try, and the verb that does it."""

OF_KEYS: Mapping[str, str] = {
    "--text": "the text of an answer is that of KEY; "
    "referee convert ANSWER OUT --text TEXT puts an answer on other words, and OUT can be scored"
}
"""Options that people try in verbs with a KEY, and why they need none."""

OF_TAGS = "referee phrases score KEY RESPONSE scores tags"
VALUES: Mapping[tuple[str, str], str] = {
    **{("table", form): f"did you mean --report {form}?" for form in FORMS},
    **dict.fromkeys((("table", "datasets"), ("table", "crac")), "referee compare has this table"),
    ("profile", "seqeval"): OF_TAGS,
    ("profile", "conlleval"): f"{OF_TAGS}; referee as conlleval prints what conlleval does",
}
"""Option and value that people try, and what does it."""

OF_TOOLS = {
    **dict.fromkeys(("inception", "webanno-tsv"), "webanno"),
    **dict.fromkeys(("conll-2011", "conll-2012", "conll2012", "ontonotes"), "conll"),
    **dict.fromkeys(("conllu", "conll-u", "ud"), "corefud"),
    **dict.fromkeys(("conllua", "codi-crac"), "ua"),
    **dict.fromkeys(("standoff", "ann"), "brat"),
    **dict.fromkeys(("xmi", "dkpro"), "uima"),
    **dict.fromkeys(("llm", "markdown"), "quotes"),
    "label-studio": "labelstudio",
    "spacy": "docbin",
    "sgml": "muc",
    "excel": "csv",
}
"""What people call a format: by its tool, its corpus or its ending."""


def no_verb(arguments: Sequence[str]) -> str:
    """What to say of arguments that do not begin with a verb."""
    similar = arguments[0]
    old = OLD_VERBS.get(similar)
    if old and " ".join([old, *arguments[1:2]]) in VERBS:
        old = " ".join([old, *arguments[1:2]])
    if os.path.exists(similar):
        return f"found a file in the place of a verb; did you mean referee score {shortened(similar)} ...?"
    meant = old or SOUGHT.get(similar.lower()) or close(similar.lower(), VERBS)
    return f"no verb {shortened(similar)!r}" + (f"; did you mean {meant}?" if meant else "")


def unrecognized(command: ArgumentParser, unknown: Sequence[str], whole: Callable[[], ArgumentParser]) -> str:
    """What to say of arguments that a verb does not have: which option is meant, or which verb of the `whole` has it."""
    message = f"unrecognized arguments: {' '.join(unknown)}"
    named = next((argument.partition("=")[0] for argument in unknown if argument.startswith("-")), None)
    if named is None:
        return f"{message}; {_files(command)}"
    mine = options(command)
    if (meant := OLD_OPTIONS.get(named) or WRITTEN.get(named)) and meant.split()[0] in mine:
        return f"{message}; did you mean {meant}?"
    if named in DONE:
        return f"{message}; {DONE[named]}"
    if named in OF_KEYS and arguments_of(command)[:1] == ["KEY"] and not _of_phrases(command):
        return f"{message}; {OF_KEYS[named]}"
    if named.startswith("--") and (similar := having(named, whole())):
        return f"{message}; {listed(similar)} {'have' if len(similar) > 1 else 'has'} {named}"
    meant = close(named, mine)
    return f"{message}; did you mean {meant}?" if meant else message


def _files(command: ArgumentParser) -> str:
    """How many files a verb takes, and which verbs take several responses."""
    files = arguments_of(command)
    compare = "referee phrases compare" if _of_phrases(command) else "referee compare"
    several = f"; {compare} KEY RESPONSE RESPONSE takes several responses" if files[:1] == ["KEY"] else ""
    return f"{command.prog} takes {' '.join(files)}{several}"


def _of_phrases(command: ArgumentParser) -> bool:
    return command.prog.startswith("referee phrases ")


def no_format(name: str, known: Iterable[str]) -> str:
    """What to say of a format that there is not, or that cannot be written.

    >>> no_format("inception", ["conll", "webanno"]), no_format("conl", ["conll", "webanno"])
    ("no format 'inception'; did you mean webanno?", "no format 'conl'; did you mean conll?")
    """
    known = list(known)
    if name.partition(":")[0] in FORMATS:
        return f"{name} is only read; expected one that is written, too: {', '.join(known)}"
    meant = OF_TOOLS.get(name.lower().replace("_", "-"))
    meant = meant if meant in known else close(name, known)
    remedy = f"did you mean {meant}?" if meant else "`referee formats` lists all"
    if not meant and len(known) < len(FORMATS):
        remedy = f"expected one of {', '.join(known)}"
    return f"no format {shortened(name)!r}; {remedy}"


def arguments_of(command: ArgumentParser) -> list[str]:
    """The arguments of a verb that are no options, as the help calls them."""
    return [str(action.metavar) for action in command._actions if not action.option_strings]


def options(command: ArgumentParser) -> list[str]:
    """The long options of a verb."""
    return [name for action in command._actions for name in action.option_strings if name.startswith("--")]


def having(option: str, whole: ArgumentParser) -> list[str]:
    """The verbs that have an option, at most three."""
    return [words(command) for command in verbs(whole) if option in options(command)][:3]


def close(name: str, known: Iterable[str]) -> str | None:
    """The name that one looks like, if there is one."""
    from difflib import get_close_matches  # a slow import

    names = {one.lstrip("-"): one for one in known}
    similar = get_close_matches(name.lstrip("-"), names, n=1)
    return names[similar[0]] if similar else None
