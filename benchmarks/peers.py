"""How to run the other scorers, each from a checkout of its public repository; none of their code is here.

| name | repository | needs |
|---|---|---|
| perl | conll/reference-coreference-scorers (v8.01) | perl |
| coval | ns-moosavi/coval | numpy, scipy |
| scorch | LoicGrobol/scorch | numpy < 1.24 or >= 2, scipy, docopt-ng, tqdm |
| neleval | wikilinks/neleval | numpy < 1.24, scipy |

A recipe gives the steps that take a key and a response in CoNLL-2012 format to all the scores the tool knows. Conversions
the tool cannot do without are steps too, since its users wait for them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from measure import Step

Recipe = Callable[[Path, Path, Path], list[Step]]  # key, response, an empty folder for files in between


@dataclass(frozen=True, slots=True)
class Tool:
    """A scorer that can be timed; `unfit` says on which sets it is left out unless asked for, and why."""

    name: str
    recipe: Recipe
    unfit: dict[str, str]


def perl(folder: Path, interpreter: str, key: Path, response: Path, scratch: Path) -> list[Step]:
    """MUC, B3, CEAFm, CEAFe, BLANC."""
    return [Step((interpreter, str(folder / "scorer.pl"), "all", str(key), str(response), "none"))]


def coval(folder: Path, interpreter: str, key: Path, response: Path, scratch: Path) -> list[Step]:
    """Mentions, MUC, B3, CEAFe, LEA."""
    return [Step((interpreter, str(folder / "scorer.py"), str(key), str(response)))]


def scorch(folder: Path, interpreter: str, key: Path, response: Path, scratch: Path) -> list[Step]:
    """MUC, B3, CEAFm, CEAFe, BLANC, from one JSON file a document."""

    def step(module: str, *arguments: Path) -> Step:
        return Step((interpreter, "-m", module, *map(str, arguments)), python_path=folder)

    key_folder, response_folder = scratch / "key", scratch / "response"
    for new in (key_folder, response_folder):
        new.mkdir()
    return [
        step("scorch.conll", key, key_folder),
        step("scorch.conll", response, response_folder),
        step("scorch.main", key_folder, response_folder),
    ]


# `collections` lost its `Sequence` in Python 3.10, and neleval 3.1 still asks for it.
NELEVAL_MAIN = (
    "import collections, collections.abc, runpy; collections.Sequence = collections.abc.Sequence; "
    "runpy.run_module('neleval', run_name='__main__', alter_sys=True)"
)


def neleval(folder: Path, interpreter: str, key: Path, response: Path, scratch: Path) -> list[Step]:
    """MUC, B3, CEAFm, CEAFe and the two halves of BLANC, from a table of mentions."""

    def step(*arguments: str, output: Path | None = None) -> Step:
        return Step((interpreter, "-c", NELEVAL_MAIN, *arguments), output=output, python_path=folder)

    key_table, response_table = scratch / "key.tab", scratch / "response.tab"
    measures = ("-m", "luo", "-m", "pairwise", "-m", "pairwise_negative:None:span")
    by_document = ("-b", "docid", "--overall")
    return [
        step("prepare-conll-coref", str(key), output=key_table),
        step("prepare-conll-coref", str(response), output=response_table),
        step("evaluate", "-g", str(key_table), str(response_table), *measures, *by_document, "-f", "json"),
    ]


PEERS = {"perl": perl, "coval": coval, "scorch": scorch, "neleval": neleval}

TOO_LONG = "more than 15 minutes"
UNFIT = {"perl": {"long": f"{TOO_LONG} and 11 GB", "gum10": TOO_LONG}}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("peers", "Folders of checkouts; a peer without one is left out.")
    for name in PEERS:
        group.add_argument(f"--{name}", type=Path, metavar="DIR", help=f"folder of {name}")
    group.add_argument("--peer-python", default=sys.executable, metavar="EXE", help="interpreter for coval and scorch")
    group.add_argument("--neleval-python", metavar="EXE", help="interpreter for neleval (default: that of --peer-python)")
    group.add_argument("--perl-command", default="perl", metavar="EXE", help="interpreter for perl")


def chosen(options: argparse.Namespace) -> list[Tool]:
    """The peers a folder was given for."""
    interpreters = {"perl": options.perl_command, "neleval": options.neleval_python or options.peer_python}
    tools = []
    for name, recipe in PEERS.items():
        folder: Path | None = getattr(options, name)
        if folder is None:
            continue
        if not folder.is_dir():
            raise SystemExit(f"--{name}: no folder {folder}")
        interpreter = interpreters.get(name, options.peer_python)
        tools.append(Tool(name, partial(recipe, folder.resolve(), interpreter), UNFIT.get(name, {})))
    return tools
