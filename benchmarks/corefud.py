"""Times whole commands on CorefUD files, ours and the CorefUD scorer's, in every way of matching.

    python benchmarks/corefud.py WORK --data KIT --corefud-scorer DIR [--peer-python EXE] [SET ...]

`KIT` is the CorefUD kit (its folders gum and gum-by), `DIR` a checkout of ufal/corefud-scorer, whose interpreter needs udapi
and SciPy. Sets are `gum` (237 documents) and `long` (one document, 20 of gum-by put together), each with matching exact, head
or partial, with singletons (`+`) and without: `gum-head+`, `gum-head`, `long-head+`, ... Both compute all their measures of
partitions, the overlap of mentions and the score of zeros. As in `run.py`, the tools take turns.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from corpora import Pair
from measure import Step
from peers import Tool
from run import executable_of, report, take_turns

MATCHES = ("exact", "head", "partial")
SETS = tuple(f"{corpus}-{match}{singletons}" for corpus in ("gum", "long") for match in MATCHES for singletons in ("+", ""))
METRICS = "muc,b_cubed,ceaf_e,ceaf_m,blanc,lea,mention_overlap,zero_anaphora,conll"
DOCUMENTS = 20


def ours(executable: str, match: str, singletons: bool) -> Tool:
    def recipe(key: Path, response: Path, scratch: Path) -> list[Step]:
        options = ("--profile", "corefud-1.2", "--match", match, "--singletons", "keep" if singletons else "drop-annotated")
        return [Step((executable, "score", str(key), str(response), "-m", METRICS, *options))]

    return Tool("referee", recipe, {})


def theirs(folder: Path, interpreter: str, match: str, singletons: bool) -> Tool:
    def recipe(key: Path, response: Path, scratch: Path) -> list[Step]:
        keep = ("-s",) if singletons else ()
        return [Step((interpreter, str(folder / "corefud-scorer.py"), "-a", match, *keep, str(key), str(response)))]

    return Tool("corefud-scorer", recipe, {})


def files(work: Path, data: Path, corpus: str) -> tuple[Path, Path]:
    """Key and response of a corpus, made if they are not there."""
    pair = work / f"{corpus}.key.conllu", work / f"{corpus}.response.conllu"
    folder, stem = ("gum", "gum") if corpus == "gum" else ("gum-by", "gumby")
    for path, side in zip(pair, ("key", "sys1"), strict=True):
        if not path.exists():
            with gzip.open(data / folder / f"{stem}.{side}.conllu.gz", "rt", encoding="utf-8") as lines:
                text = "".join(lines if corpus == "gum" else one_document(lines))
            path.write_text(text, encoding="utf-8")
    return pair


def one_document(lines: Iterator[str]) -> Iterator[str]:
    """The first documents as one: without the headers of all but the first."""
    documents = 0
    for line in lines:
        documents += line.startswith("# newdoc")
        if documents > DOCUMENTS:
            return
        if documents <= 1 or not re.match("# (newdoc|global)", line):
            yield line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for the files that are read")
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET", help=f"default: {' '.join(SETS)}")
    parser.add_argument("--data", type=Path, required=True, metavar="KIT", help="folder of the CorefUD kit")
    parser.add_argument("--corefud-scorer", type=Path, metavar="DIR", help="folder of the peer; without it ours is timed alone")
    parser.add_argument("--peer-python", default=sys.executable, metavar="EXE", help="interpreter for the peer")
    parser.add_argument("--referee", metavar="EXE", help="our command (default: beside this interpreter, then on the PATH)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="counted runs of each tool (default: 5)")
    parser.add_argument("--timeout", type=float, default=900, metavar="S", help="seconds for one run (default: 900)")
    options = parser.parse_intermixed_args()
    options.work.mkdir(parents=True, exist_ok=True)
    executable = executable_of(options.referee)
    for name in options.sets:
        if name not in SETS:
            parser.error(f"no set {name!r}; expected {', '.join(SETS)}")
        corpus, _, match = name.removesuffix("+").partition("-")
        tools = [ours(executable, match, name.endswith("+"))]
        if options.corefud_scorer is not None:
            tools.append(theirs(options.corefud_scorer.resolve(), options.peer_python, match, name.endswith("+")))
        pair = Pair(name, *files(options.work, options.data, corpus))
        turns = partial(take_turns, slow_runs=1, slow_after=20, timeout=options.timeout)
        print(f"{name} (load {os.getloadavg()[0]:.1f})", file=sys.stderr)
        print(report(pair, turns(tools, pair, work=options.work, runs=options.runs)), flush=True)


if __name__ == "__main__":
    main()
