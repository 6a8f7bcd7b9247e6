"""Write a page that runs Referee in a browser, for people who install nothing.

The page is a folder of files for any web server. People drop a key and responses on it, and get scores, comparisons, errors,
the inspector, agreement, conversion and validation, with the same digits as here. Their files stay on their machine. Python
for browsers (Pyodide) is loaded from the network when the page is opened; --offline puts it into the folder.

Examples
--------
referee app -o site
referee app -o site --offline pyodide
python -m http.server --directory site
"""

from __future__ import annotations

import re
from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from importlib import import_module

from referee.cli.verbs import VERBS

SITE = "referee-app"

OFFERED = {
    "score": ("--metrics", "--profile", "--match", "--singletons", "--by", "--intervals"),
    "compare": ("--metrics", "--profile", "--match", "--singletons", "--baseline", "--test"),
    "errors": ("--by", "--context", "--metrics", "--top", "--profile", "--match", "--singletons"),
    "inspect": ("--metrics", "--profile", "--match", "--singletons"),
    "agree": ("--by", "--metrics", "--mentions", "--singletons"),
    "convert": ("--to", "--lossy"),
    "validate": ("--limit",),
}
"""The verbs of the page, and the options that it shows first."""

LEFT_OUT = {
    "--help", "--report", "--output", "--plot", "--plot-kind", "--names", "--quiet", "--fail-under", "--counts", "--against",
    "--add-documents", "--corpus", "--corpora", "--metadata", "--role", "--explain", "--records", "--page", "--merged",
    "--adjudicate", "--text", "--key", "--task", "--like", "--fail-if-worse", "--tolerance",
    "--engine", "--memory", "--spill", "--threads", "--master", "--spark-conf",
}  # fmt: skip
"""Options of files, of builds and of large machines, which the page does without."""

OF_FIELDS = re.compile(r", or by a field of --metadata|\|FIELD")
"""What is said of fields, which the page has no file of."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("-o", "--output", metavar="DIR", default=SITE, help=f"the folder (default: {SITE})")
    parser.add_argument(
        "--offline", metavar="FOLDER", help="a folder with Pyodide and its NumPy, which are copied: the page needs no network"
    )


def run(args: Namespace) -> int:
    """Write the site."""
    from referee.pages.app.site import write_site

    write_site(args.output, offered(), args.offline)
    args.remarks[args.output] = f"; to open it: python -m http.server --directory {args.output}"
    return 0


def offered() -> dict[str, object]:
    """What the page offers: each verb with its summary and its options, as the command has them."""
    verbs: dict[str, object] = {}
    for verb, first in OFFERED.items():
        parser = ArgumentParser()
        import_module(f"referee.cli.{verb}").add_arguments(parser)
        options = {a.option_strings[-1]: a for a in parser._actions if a.option_strings}  # noqa: SLF001  # there is no other way
        names = [*first, *(name for name in options if name not in (*first, *LEFT_OUT))]
        verbs[verb] = {
            "summary": VERBS[verb],
            "first": len(first),
            "options": [_option(name, options[name]) for name in names if options[name].help != SUPPRESS],
        }
    return verbs


def _option(name: str, action: Action) -> dict[str, object]:
    """An option: whether it takes nothing (a flag), one of several words or a text, and what the text is."""
    what = OF_FIELDS.sub("", str(action.metavar or ""))
    words = [str(word) for word in action.choices or ()] or [what] * what.isalpha() * what.islower()
    takes = "flag" if action.nargs == 0 else "word" if words else "text"
    help_text = OF_FIELDS.sub("", action.help or "").replace("%%", "%")
    return {"name": name, "takes": takes, "words": words, "what": what, "help": help_text}
