"""What the roads beside the main one cost: other formats, verbs and options, and shapes of data that are hard.

    python benchmarks/roads.py WORK --data KIT                                  # all roads
    python benchmarks/roads.py WORK --data KIT --before v0.1.0 other-columns    # one road, also as it was

A road is a command and its bound, which is another road (or so many times it) with the same mentions, or the time that a
well-kept reader or writer needs for the bytes. The table has the median processor time and the peak memory of each road, its
time as a multiple of the road `plain`, two CoNLL files of GUM that differ in the last column, and as a multiple of its bound.
With --before there are two source trees. They and the bound take turns, so that a busy minute of the machine hits all.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import marshal
import re
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple, TypeAlias

import corpora
import formats
import numpy as np
from measure import NotMeasuredError, Run, Step, measure
from run import three_digits
from trees import sources, step

READERS = {
    "json": "import json,sys\nfor f in sys.argv[1:]: [json.loads(line) for line in open(f)]",
    "pandas": "import pandas,sys\nfor f in sys.argv[1:]: pandas.read_csv(f)",
    "marshal": "import gc,json,marshal,sys,zlib\ngc.disable()\ndata = marshal.loads(open(sys.argv[1], 'rb').read())",
}
"""Programs that only read the files which their arguments name."""

PAGE = (
    READERS["marshal"]
    + """
for record in data: zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 2)
"""
)
"""Writes the data of a page as JSON and compresses them, at the level of `referee.pages.inspector.packing`."""


class Road(NamedTuple):
    """A command, and what bounds its time: so many times another road, less the time of the road `less` of that one."""

    command: str
    bound: str = "plain"
    times: int = 1
    less: str = ""


GUM = "gum.key.conll gum.medium.conll"
TEN = " ".join(f"annotator{n}.conll" for n in range(10))
TWENTY = " ".join(f"annotator{n}.conll" for n in range(20))
REPEATED = "repeated-400000.key.conll repeated-400000.response.conll"
MANY = "many-10000.key.conll many-10000.response.conll"

ROADS = {
    "plain": Road(f"score {GUM}"),
    "other-columns": Road("score gum.key.conll gum.lemma.conll"),
    "jsonlines-conll": Road("score gum.key.jsonlines gum.medium.conll"),
    "jsonlines": Road("score gum.key.jsonlines gum.medium.jsonlines"),
    "corefud": Road("score gum.key.corefud gum.medium.corefud"),
    "folder-2000": Road("score folder.key folder.response", "folder-one-file"),
    "validate-folder": Road("validate folder.key", "folder-one-file"),
    "folder-one-file": Road("score folder.key.conll folder.response.conll"),
    "20-responses": Road(f"score gum.key.conll {TWENTY}", times=20),
    "cross-document": Road(f"score {GUM} --cross-document corpus"),
    "tokens-align": Road("score gum.key.conll gum.split.conll --tokens align"),
    "repeated": Road(f"score {REPEATED}", "one-400000"),
    "repeated-merge": Road(f"score {REPEATED} --repeated-mentions merge", "one-400000"),
    "repeated-conll": Road(f"score {REPEATED} --profile conll-8.01", "one-400000"),
    "one-400000": Road("score one-400000.key.conll one-400000.medium.conll"),
    "many": Road(f"score {MANY}"),
    "many-csv": Road(f"score {MANY} --by document --report csv", "many"),
    "many-documents": Road(f"score {MANY} --by document", "many"),
    "many-compare": Road(f"compare {MANY} many-10000.response2.conll", "many", 2),
    "many-compare-documents": Road(f"compare {MANY} many-10000.response2.conll --by document", "many-documents", 2),
    "many-inspect": Road(f"inspect {MANY} -o -", "many-page"),
    "many-page": Road(f"page: page-many-10000.marshal {MANY}", less="many-page-twice"),
    "many-page-twice": Road(f"page-twice: page-many-10000.marshal {MANY}"),
    "inspect": Road(f"inspect {GUM} -o -", "page"),
    "page": Road(f"page: page-gum.marshal {GUM}", less="page-twice"),
    "page-twice": Road(f"page-twice: page-gum.marshal {GUM}"),
    "errors": Road(f"errors {GUM}"),
    "agree-2": Road(f"agree {GUM}"),
    "agree-10": Road(f"agree {TEN}", times=45),
    **{
        f"nested-{size}-{match}": Road(f"score nested-{size}.key.corefud nested-{size}.response.corefud --match {match}")
        for size in ("500", "2000", "64x200")
        for match in ("exact", "head", "partial", "overlap")
    },
    "nested-500-mor": Road("score nested-500.key.corefud nested-500.response.corefud -m mention_overlap"),
    "dense-10000": Road("score dense-40000.key.conll dense-40000.response.conll"),
    "dense-100000": Road("score dense-400000.key.conll dense-400000.response.conll", "one-400000"),
    "validate-clean": Road("validate clean-1000000.conll"),
    "validate-cells": Road("validate cells-1000000.conll", "validate-clean"),
    "validate-open": Road("validate open-1000000.conll", "validate-clean"),
    "validate-closed": Road("validate closed-1000000.conll", "validate-clean"),
    "pairs": Road("score pairs-1000000.key.csv pairs-1000000.response.csv -m links", "pairs-pandas"),
    "pairs-pandas": Road("read:pandas pairs-1000000.key.csv pairs-1000000.response.csv"),
    "csv": Road("score records-1000000.key.csv records-1000000.response.csv -m links", "csv-pandas"),
    "csv-pandas": Road("read:pandas records-1000000.key.csv records-1000000.response.csv"),
    "one-line": Road("score line-20000.key.jsonlines line-20000.response.jsonlines", "one-60000"),
    "one-60000": Road("score one-60000.key.conll one-60000.medium.conll"),
    "one-line-json": Road("read:json line-20000.key.jsonlines line-20000.response.jsonlines"),
}


# The files.

Maker: TypeAlias = Callable[[Path, str, Path | None], None]
"""Writes the file of a name in a folder, perhaps from the conformance kit."""


def make(work: Path, name: str, data: Path | None) -> Path:
    """Return the file of a name, made if it is not there."""
    path = work / name
    if not path.exists():
        print(f"making {name}", file=sys.stderr)
        maker = next(make for start, make in MAKERS.items() if name.startswith(start))
        maker(work, name, data)
    return path


def of_corpora(work: Path, name: str, data: Path | None) -> None:
    """A file of `corpora.py`, or that in another format."""
    stem, side, ending = name.split(".")
    level = side if side in corpora.MOVED else "medium"
    pair = corpora.make(work, stem if stem == "gum" else f"{stem}-{level}", data=data)
    if ending != "conll":
        convert(work, pair.key if side == "key" else pair.response, name, ending)


def convert(work: Path, source: Path, name: str, format: str) -> None:
    """Write the file of a name in another format."""
    command = step(sources(work), "convert", str(source), str(work / name), "--to", format, "--lossy")
    measure([command], log=work / "convert.txt", timeout=3600)


def rewritten(change: Callable[[list[str]], list[list[str]]]) -> Maker:
    """The response of GUM with other lines for the cells of each token."""

    def write(work: Path, name: str, data: Path | None) -> None:
        lines = corpora.make(work, "gum", data=data).response.read_text("utf-8").splitlines()
        changed = (change(line.split("\t")) if "\t" in line else [[line]] for line in lines)
        corpora.write(work / name, ("\t".join(cells) + "\n" for cells in chain.from_iterable(changed)))

    return write


def _other_lemma(cells: list[str]) -> list[list[str]]:
    return [[*cells[:4], "x", *cells[5:]]]


def _split_at_apostrophes(cells: list[str]) -> list[list[str]]:
    """Two tokens of one that has an apostrophe and no bracket."""
    first, apostrophe, rest = cells[3].partition("'")
    if first and rest and not set(cells[-1]) & set("()"):
        return [[*cells[:3], first, *cells[4:]], [*cells[:3], apostrophe + rest, *cells[4:]]]
    return [cells]


def annotators(work: Path, name: str, data: Path | None) -> None:
    """The documents of GUM, each from one of the four files of the kit in turn."""
    corpora.make(work, "gum", data=data)
    sides = []
    for level in ("key", "mild", "medium", "severe"):
        path = work / f"gum.{level}.conll"
        if not path.exists() and data is not None:
            corpora.unpack(corpora.Pair("gum", path, path), data=data)
        sides.append(path.read_text("utf-8").split("#begin document ")[1:])
    number = int(name.removeprefix("annotator").partition(".")[0])
    turn = [(1 + number + (d if number >= 3 else 0) * (1 + number // 3)) % 4 for d in range(len(sides[0]))]
    corpora.write(work / name, (f"#begin document {sides[side][d]}" for d, side in enumerate(turn)))


def conll(documents: Sequence[Sequence[str]]) -> Iterator[str]:
    """CoNLL files of documents that are lists of cells."""
    for number, cells in enumerate(documents):
        yield f"#begin document (d{number}); part 000\n"
        yield from (f"d{number}\t0\t{n}\tw{n}\t{cell}\n" for n, cell in enumerate(cells))
        yield "\n#end document\n"


def size_of(name: str) -> int:
    """The number in the name of a file."""
    return int(name.partition(".")[0].partition("-")[2].partition("x")[0])


class OneWordMentions(NamedTuple):
    """Documents of mentions of one word, of random entities; a response has moved a share of those of the key.

    The number in the name of the file is that of the mentions, or of the documents if they have a number of mentions here.
    """

    mentions_per_entity: int
    mentions_per_document: int = 0
    repeats: int = 1
    moved: float = 1.0

    def __call__(self, work: Path, name: str, data: Path | None) -> None:  # noqa: ARG002 -- as of all makers
        size = size_of(name)
        documents, mentions = (size, self.mentions_per_document) if self.mentions_per_document else (1, size)
        shape, entities = (documents, mentions // self.repeats, self.repeats), mentions // self.mentions_per_entity
        entity = np.random.default_rng(1).integers(0, entities, shape)
        if ".key." not in name:
            random = np.random.default_rng(list(name.encode()))
            entity = np.where(random.random(shape) < self.moved, random.integers(0, entities, shape), entity)
        cells = [["|".join(f"({e})" for e in word) for word in document] for document in entity.tolist()]
        corpora.write(work / name, conll(cells))


def folder(work: Path, name: str, data: Path | None) -> None:
    """GUM in pieces: two thousand documents, in a file each or in one."""
    _, side, *ending = name.split(".")
    text = getattr(corpora.make(work, "gum", data=data), side).read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("#begin") or "\t" in line]
    alone = [line for line in lines if "\t" in line]
    size = -(-len(alone) // 2000)
    pieces = [_balanced([line.split("\t") for line in alone[at : at + size]]) for at in range(0, len(alone), size)]
    documents = [f"#begin document (d{n}); part 000\n{piece}\n#end document\n" for n, piece in enumerate(pieces)]
    if ending:
        corpora.write(work / name, documents)
        return
    (work / name).mkdir()
    for number, document in enumerate(documents):
        (work / name / f"d{number}.conll").write_text(document, "utf-8")


def _balanced(rows: list[list[str]]) -> str:
    """Rows with their one-word mentions only."""
    for row in rows:
        cells = row[-1].replace(")", ")|").split("|")
        row[-1] = "|".join(cell for cell in cells if cell[:1] == "(" and cell[-1:] == ")") or "-"
    return "".join("\t".join(row) + "\n" for row in rows)


def nested(work: Path, name: str, data: Path | None) -> None:
    """Mentions one inside another on one head, N or N x documents; every other one of the response ends a word earlier."""
    from referee.corpus import CorpusBuilder
    from referee.formats.writing import write

    stem, side, ending = name.split(".")
    n, documents = size_of(name), stem.partition("x")[2]
    builder = CorpusBuilder(name)
    random = np.random.default_rng(len(side))
    for document in range(int(documents or 1)):
        builder.document(f"d{document}", [f"w{t}" for t in range(2 * n)], [0])
        for i, entity in enumerate(random.integers(0, n // 4, n).tolist()):
            shorter = side == "response" and i % 2 and i < n - 1
            builder.mention(i, 2 * n - i - bool(shorter), f"e{entity}", head=n - 1 if ending == "corefud" else None)
    write(builder.corpus(), work / name, format=ending)


def errors(cell: str) -> Maker:
    """A document of so many tokens with this cell, and a mention."""

    def write(work: Path, name: str, data: Path | None) -> None:
        corpora.write(work / name, conll([["(1)", *repeat(cell, size_of(name))]]))

    return write


def records(work: Path, name: str, data: Path | None) -> None:
    """Records in entities of four, or so many pairs of them, perhaps with probabilities; in the response a tenth is moved."""
    stem, side, ending = name.split(".")
    if ending != "csv":
        convert(work, make(work, f"{stem}.{side}.csv", data), name, ending)
        return
    random = np.random.default_rng(len(name))
    number = np.arange(size_of(name))
    moved = (random.random(len(number)) < 0.1) & (".response." in name)
    if name.startswith("pairs"):
        other = np.where(moved, random.integers(0, len(number), len(number)), number - number % 4)
        rows = (f"r{a},r{b}\n" for a, b in zip(number.tolist(), other.tolist(), strict=True))
        corpora.write(work / name, chain(["id_l,id_r\n"], rows))
    elif name.startswith("weighed"):
        numbers = number.tolist(), (number - number % 4).tolist(), random.random(len(number)).tolist()
        rows = (f"r{a},r{b},{p}\n" for a, b, p in zip(*numbers, strict=True))
        corpora.write(work / name, chain(["id_l,id_r,match_probability\n"], rows))
    else:
        entity = np.where(moved, random.integers(0, len(number) // 4, len(number)), number // 4)
        rows = (f"r{a},{e}\n" for a, e in zip(number.tolist(), entity.tolist(), strict=True))
        corpora.write(work / name, chain(["item,entity\n"], rows))


def systems(work: Path, name: str, data: Path | None) -> None:
    """A folder with two responses."""
    (work / name).mkdir()
    for response in ("response", "response2"):
        (work / name / f"{response}.conll").symlink_to(make(work, f"many-{size_of(name)}.{response}.conll", data).resolve())


def written_by_the_command(work: Path, name: str, data: Path | None) -> None:
    """Nothing: the name is that of what a command writes."""


def trees(work: Path, name: str, data: Path | None) -> None:
    """A document of so many mentions in trees: names of a hundred, pronouns and nouns in turn."""
    random, size = np.random.default_rng(1), size_of(name)
    sentences = (TREE.format(*row) for row in random.integers(0, (100, 1000), (size // 4, 2)).tolist())
    corpora.write(work / name, chain(["# newdoc id = d\n"], sentences))


TREE = "\n".join(
    "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t_".format(number, word, word.lower(), *cells)
    for number, (word, *cells) in enumerate(
        (
            ("Name{0}", "PROPN", "Number=Sing", 2, "nsubj"),
            ("saw", "VERB", "Tense=Past", 0, "root"),
            ("the", "DET", "PronType=Art", 4, "det"),
            ("noun{1}", "NOUN", "Number=Sing", 2, "obj"),
            ("and", "CCONJ", "_", 6, "cc"),
            ("said", "VERB", "Tense=Past", 2, "conj"),
            ("it", "PRON", "Number=Sing|Person=3|PronType=Prs", 6, "obj"),
            ("to", "ADP", "_", 9, "case"),
            ("him", "PRON", "Gender=Masc|Number=Sing|Person=3|PronType=Prs", 6, "obl"),
        ),
        start=1,
    )
) + "\n\n"  # fmt: skip
"""A sentence with a place for a name and one for a noun."""


def line(work: Path, name: str, data: Path | None) -> None:
    """A document of so many sentences of 20 words and three mentions as one line."""
    random = np.random.default_rng(len(name))
    size = size_of(name)
    sentences = [[f"word{20 * s + w}" for w in range(20)] for s in range(size)]
    limits, shape = (9, size // 2), (3 * size, 2)
    rows = np.stack([np.sort(random.integers(0, 20 * size - 10, 3 * size)), *random.integers(0, limits, shape).T], axis=1)
    clusters: list[list[list[int]]] = [[] for _ in range(size // 2)]
    for start, more, entity in rows.tolist():
        clusters[entity].append([start, start + more])
    document = {"doc_key": "d", "sentences": sentences, "clusters": [c for c in clusters if c]}
    corpora.write(work / name, [json.dumps(document) + "\n"])


def page(work: Path, name: str, data: Path | None) -> None:
    """The data of the page of a road as Python values."""
    road = ROADS["inspect" if "gum" in name else "many-inspect"]
    measure(steps(road, sources(work), work, data), log=work / "page.html", timeout=600)
    found = re.findall(r'<script type="text/plain" id="[^"]+">([\w+/=]+)<', (work / "page.html").read_text("utf-8"))
    records = [json.loads(gzip.decompress(base64.b64decode(of_record))) for of_record in found]
    (work / name).write_bytes(marshal.dumps(records))


MAKERS: dict[str, Maker] = {
    "gum.lemma": rewritten(_other_lemma),
    "gum.split": rewritten(_split_at_apostrophes),
    "gum": of_corpora,
    "one-": of_corpora,
    "annotator": annotators,
    "folder": folder,
    "repeated": OneWordMentions(10, repeats=2, moved=0.1),
    "many": OneWordMentions(5, mentions_per_document=20, moved=0.2),
    "nested": nested,
    "dense": OneWordMentions(4),
    "clean": errors("-"),
    "cells": errors("x("),
    "open": errors("(1"),
    "closed": errors("2)"),
    "pairs": records,
    "records": records,
    "weighed": records,
    "systems": systems,
    "site": written_by_the_command,
    "merged": written_by_the_command,
    "trees": trees,
    "line": line,
    "page-": page,
    "read-": formats.make,
}
"""How a name begins -> what writes the file."""


# The runs.


def paths_of(command: str, work: Path, data: Path | None) -> list[str]:
    """The words of a command, with the paths of its files, which are made."""
    is_file = re.compile(f"({'|'.join(MAKERS)}).*[.]").match
    return [str(make(work, word, data).resolve()) if is_file(word) else word for word in command.split()]


def steps(road: Road, tree: Path, work: Path, data: Path | None) -> list[Step]:
    """The command of a road."""
    verb, *arguments = paths_of(road.command, work, data)
    if verb.startswith("read:"):
        return [Step((sys.executable, "-c", READERS[verb.removeprefix("read:")], *arguments))]
    if verb.startswith("page"):  # the same scores and errors, and the same data written by the standard library
        data_of_page, *pair = arguments
        if verb == "page-twice:":  # of what is in these steps, but once in a page
            return [step(tree, "score", *pair), Step((sys.executable, "-c", READERS["marshal"], data_of_page))]
        analyses = step(tree, "score", *pair, "--metrics", "all"), step(tree, "errors", *pair)
        return [*analyses, Step((sys.executable, "-c", PAGE, data_of_page))]
    return [step(tree, verb, *arguments)]


def in_turns(commands: dict[str, list[Step]], *, work: Path, runs: int, timeout: float) -> dict[str, list[Run] | str]:
    """Return the runs of each command, or why there are none; one that exits with 1, as `validate` does, has run."""
    costs: dict[str, list[Run] | str] = {name: [] for name in commands}
    log = work / "output" / "road.txt"
    log.parent.mkdir(exist_ok=True)
    for _ in range(runs):
        for name, command in commands.items():
            if isinstance(counted := costs[name], list):
                try:
                    accepted = (0, 1) if "validate" in command[0].command else (0,)
                    counted.append(measure(command, log=log, timeout=timeout, accepted=accepted))
                except NotMeasuredError as problem:
                    costs[name] = str(problem)
    return costs


def row(name: str, costs: dict[str, list[Run] | str], plain: float) -> tuple[str, ...]:
    """A line of the table; all times are those of processors."""
    cells: list[str] = [name]
    for version in (v for v in ("before", "after") if v in costs):
        cost = costs[version]
        if isinstance(cost, str):
            cells += [cost.replace("|", r"\|"), "-", "-"]
        else:
            cells += [three_digits(cpu(cost)), f"{cpu(cost) / plain:.1f}", f"{statistics.median(r.peak for r in cost):.0f}"]
    after, bound, road = costs["after"], costs["bound"], ROADS[name]
    less, ratio = costs.get("less", ()), "-"
    if not (isinstance(after, str) or isinstance(bound, str) or isinstance(less, str)):
        ratio = f"{cpu(after) / (cpu(bound) - cpu(less)) / road.times:.2f}"
    return (*cells, f"{road.times} × {road.bound}" if road.times > 1 else road.bound, ratio)


def cpu(runs: Sequence[Run]) -> float:
    return statistics.median(run.cpu for run in runs) if runs else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for the files that are read, 500 MB")
    parser.add_argument("roads", nargs="*", metavar="ROAD", help=f"default: all; {' '.join(ROADS)}")
    parser.add_argument("--data", type=Path, metavar="KIT", help="folder of the conformance kit, for files not made yet")
    parser.add_argument("--before", metavar="REVISION", help="also run this version")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs of each (default: 3)")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="seconds for one run (default: 300)")
    options = parser.parse_intermixed_args()
    if unknown := set(options.roads) - set(ROADS):
        parser.error(f"found {', '.join(sorted(unknown))}; expected some of {', '.join(ROADS)}")
    work: Path = options.work
    trees = {"before": sources(work, options.before)} if options.before else {}
    trees["after"] = sources(work)
    heads = [f"{cell}{' ' + version if len(trees) > 1 else ''}" for version in trees for cell in ("CPU s", "× plain", "MB")]
    print(f"| road | {' | '.join(heads)} | bound | × bound |\n|---|{'---:|' * len(heads)}---|---:|", flush=True)
    for name in options.roads or ROADS:
        road = ROADS[name]
        commands = {version: steps(road, tree, work, options.data) for version, tree in trees.items()}
        beside = {"bound": road.bound, "less": ROADS[road.bound].less, "plain": "plain"}
        commands |= {part: steps(ROADS[of], trees["after"], work, options.data) for part, of in beside.items() if of}
        costs = in_turns(commands, work=work, runs=options.runs, timeout=options.timeout)
        plain = costs["plain"]
        assert isinstance(plain, list), plain
        print(f"| {' | '.join(row(name, costs, cpu(plain)))} |", flush=True)


if __name__ == "__main__":
    main()
