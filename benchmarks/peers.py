"""How to run the other scorers, each from a checkout of its public repository; none of their code is here.

| name | repository | needs |
|---|---|---|
| perl | conll/reference-coreference-scorers (v8.01) | perl |
| coval | ns-moosavi/coval | numpy, scipy |
| scorch | LoicGrobol/scorch | numpy < 1.24 or >= 2, scipy, docopt-ng, tqdm |
| neleval | wikilinks/neleval | numpy < 1.24, scipy |
| corefud-scorer | ufal/corefud-scorer | udapi, scipy |

For label tables, pandas by hand, scikit-learn and er-evaluation are programs of a few lines.

A recipe gives the steps that take a key and a response to all the scores the tool knows. Conversions
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

Recipe = Callable[..., list[Step]]  # of key, response, an empty folder for files in between


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


def corefud(folder: Path, interpreter: str, key: Path, response: Path, scratch: Path, *options: str) -> list[Step]:
    """All metrics of the CorefUD scorer, with options such as `-a head -s`."""
    return [Step((interpreter, str(folder / "corefud-scorer.py"), *options, str(key), str(response)))]


BY_COLUMNS = {
    "pandas by hand": """
import sys, pandas as pd
k, r = (pd.read_parquet(p).set_index("item")["entity"] for p in sys.argv[1:])
m = pd.concat([k.rename("k"), r.rename("r")], axis=1, join="inner")
n = m.groupby(["k", "r"]).size()
links = lambda c: (c * (c - 1) // 2).sum()
a, b = k.value_counts(), r.value_counts()
cells = n.reset_index(name="n")
recall = (cells.n ** 2 / cells.k.map(a)).sum() / len(k)
precision = (cells.n ** 2 / cells.r.map(b)).sum() / len(r)
print(links(n) / links(a), recall, precision)
""",
    "scikit-learn": """
import sys, pandas as pd
from sklearn import metrics as m
k, r = (pd.read_parquet(p).set_index("item")["entity"].sort_index() for p in sys.argv[1:])
print(m.adjusted_rand_score(k, r), m.pair_confusion_matrix(k, r), m.v_measure_score(k, r), m.fowlkes_mallows_score(k, r))
""",
    "er-evaluation": """
import sys, pandas as pd, er_evaluation as er
k, r = (pd.read_parquet(p).set_index("item")["entity"] for p in sys.argv[1:])
print(er.pairwise_precision(r, k), er.pairwise_recall(r, k), er.b_cubed_precision(r, k), er.b_cubed_recall(r, k))
print(er.cluster_precision(r, k), er.cluster_recall(r, k), er.adjusted_rand_score(r, k))
""",
}
"""Programs that read the same Parquet files, and compute what the name of the row says in README.md."""


def by_columns(program: str, interpreter: str, key: Path, response: Path, scratch: Path) -> list[Step]:
    return [Step((interpreter, "-c", program, str(key), str(response)))]


PEERS = {"conll": {"perl": perl, "coval": coval, "scorch": scorch, "neleval": neleval}, "corefud": {"corefud-scorer": corefud}}
"""The kind of files -> the name of a peer and its recipe."""

TOO_LONG = "more than 15 minutes"
UNFIT = {"perl": {"long": f"{TOO_LONG} and 11 GB", "gum10": TOO_LONG}}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("peers", "Folders of checkouts; a peer without one is left out.")
    for name in (name for kind in PEERS.values() for name in kind):
        group.add_argument(f"--{name}", type=Path, metavar="DIR", help=f"folder of {name}")
    group.add_argument("--peer-python", default=sys.executable, metavar="EXE", help="interpreter for peers in Python")
    group.add_argument("--neleval-python", metavar="EXE", help="interpreter for neleval (default: that of --peer-python)")
    group.add_argument(
        "--tables-python", metavar="EXE", help="one with pandas, scikit-learn and er-evaluation, for label tables"
    )
    group.add_argument("--perl-command", default="perl", metavar="EXE", help="interpreter for perl")


def chosen(kind: str, options: argparse.Namespace) -> list[Tool]:
    """The peers of a kind that a folder, or an interpreter, was given for; behind the kind stand options of the peer."""
    kind, *words = kind.split()
    if kind == "tables" and options.tables_python:
        return [Tool(name, partial(by_columns, program, options.tables_python), {}) for name, program in BY_COLUMNS.items()]
    interpreters = {"perl": options.perl_command, "neleval": options.neleval_python or options.peer_python}
    tools = []
    for name, recipe in PEERS.get(kind, {}).items():
        folder: Path | None = getattr(options, name.replace("-", "_"))
        if folder is None:
            continue
        if not folder.is_dir():
            raise SystemExit(f"--{name}: no folder {folder}")
        of_folder = partial(recipe, folder.resolve(), interpreters.get(name, options.peer_python))
        tools.append(Tool(name, lambda *paths, run=of_folder: run(*paths, *words), UNFIT.get(name, {})))
    return tools
