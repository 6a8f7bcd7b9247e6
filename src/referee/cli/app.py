"""Write a page that runs Referee in a browser, for people who install nothing.

The page is a folder of files for any web server. People drop a key and responses on it, and get scores, comparisons, errors,
the inspector, agreement, conversion and validation, with the same digits as here. Their files stay on their machine. Python
for browsers (Pyodide) is loaded from the network when the page is opened; --offline puts it into the folder. With --task, the
options of a shared task are filled in; its key is not put on the page.

Examples
--------
referee app -o site
referee app -o site --offline pyodide
referee app -o site --task task.toml
python -m http.server --directory site
"""

from __future__ import annotations

import re
from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from collections.abc import Mapping
from importlib import import_module

from referee.basics.exceptions import OptionError
from referee.basics.options.options import exact
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

OF_TASKS = ("score", "compare", "inspect")
"""The verbs that a task has options for; files are validated alone, too."""

OF_FIELDS = re.compile(r", or by a field of --metadata|\|FIELD")
"""What is said of fields, which the page has no file of."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("-o", "--output", metavar="DIR", default=SITE, help=f"the folder (default: {SITE})")
    parser.add_argument(
        "--offline", metavar="FOLDER", help="a folder with Pyodide and its NumPy, which are copied: the page needs no network"
    )
    parser.add_argument("--task", metavar="FILE", help="fill in the options of a shared task, from a TOML file")


def run(args: Namespace) -> int:
    """Write the site."""
    from referee.pages.app.site import write_site

    title, values = ("", {}) if args.task is None else _of_task(args.task)
    write_site(args.output, offered(values), args.offline, title=title)
    args.remarks[args.output] = f"; to open it: python -m http.server --directory {args.output}"
    return 0


def _of_task(path: str) -> tuple[str, dict[str, str]]:
    """The name of a task, and its options as the command takes them. OptionError for one that the page does not have."""
    from referee.scoring.task_file import read_task

    task = read_task(path)
    if "metadata" in task.grouping:
        raise OptionError(f"found metadata in {path}, a file that the page does not have; expected no groups by it")
    values = {name: as_text(value) for name, value in {**task.options, **task.grouping}.items()}
    flags = {f"--{name.replace('_', '-')}": value for name, value in values.items()}
    if lacking := [flag for flag in flags if flag in LEFT_OUT]:
        raise OptionError(f"found {lacking[0]} in {path}, which the page does not have; expected a task without it")
    return task.name, flags


def as_text(value: object) -> str:
    """A value of a task as the command takes it.

    >>> as_text(["muc", "lea"]), as_text({"item": "id"}), as_text(2.0), as_text(True)
    ('muc,lea', 'item=id', '2', '1')
    """
    if isinstance(value, Mapping):
        return ",".join(f"{name}={as_text(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ",".join(map(as_text, value))
    return exact(float(value)) if isinstance(value, (int, float)) else str(value)


def offered(values: Mapping[str, str] | None = None) -> dict[str, object]:
    """What the page offers: each verb with its summary and its options, as the command has them, and `values` of a task."""
    verbs: dict[str, object] = {}
    for verb, first in OFFERED.items():
        parser = ArgumentParser()
        import_module(f"referee.cli.{verb}").add_arguments(parser)
        options = {a.option_strings[-1]: a for a in parser._actions if a.option_strings}  # noqa: SLF001  # there is no other way
        names = [*first, *(name for name in options if name not in (*first, *LEFT_OUT))]
        filled = (values or {}) if verb in OF_TASKS else {}
        verbs[verb] = {
            "summary": VERBS[verb],
            "first": len(first),
            "options": [_option(name, options[name], filled.get(name, "")) for name in names if options[name].help != SUPPRESS],
        }
    return verbs


def _option(name: str, action: Action, value: str) -> dict[str, object]:
    """An option: whether it takes nothing (a flag), one of several words or a text, and what the text is."""
    what = OF_FIELDS.sub("", str(action.metavar or ""))
    words = [str(word) for word in action.choices or ()] or [what] * what.isalpha() * what.islower()
    takes = "flag" if action.nargs == 0 else "word" if words else "text"
    help_text = OF_FIELDS.sub("", action.help or "").replace("%%", "%")
    return {"name": name, "takes": takes, "words": words, "what": what, "help": help_text, "value": value}
