"""How time and memory of label tables grow, beside er-evaluation, scikit-learn and pandas by hand.

    python benchmarks/tables.py WORK --sizes 1e5 1e6 1e7 --peer-python EXE --before EXE
    python benchmarks/tables.py WORK --sizes 1e8 --memory 4GB --no-peers
    python benchmarks/tables.py WORK --documents 1e4 1e5 1e6         # with 100 mentions each
    python benchmarks/tables.py WORK --plot tables.svg               # curves of all runs in WORK

Two data sets, as Parquet in WORK. *One clustering*: clusters of a size s with probability ~ s^-2.2 (at most 2000). The
response links records: each link between neighbours of a cluster is missed with probability 5 %, each record has a false
link with probability 2 %, to a cluster at most 1000 clusters away, and entities are what the links connect. Rows are in random
order.
*Documents*: 100 mentions each, in clusters of mean 3, of which 10 % are moved to another cluster of the document.

What counts is processor time (user and system, all threads) and peak memory: a run of the command with `--metrics all`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from measure import NotMeasuredError, Step, measure
from run import executable_of, machine, markdown, three_digits

PER_DOCUMENT = 100
CHUNK = 1 << 22

PEERS = {
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
"""Programs of the peers: they read the same files, and compute what the name of the row says in README.md."""


def sizes_of_clusters(records: int, rng: np.random.Generator) -> Any:
    """Sizes whose sum is `records`."""
    of = np.arange(1, 2001)
    p = of**-2.2
    drawn = rng.choice(of, size=int(records / 1.5) + 100, p=p / p.sum())
    after = np.cumsum(drawn)
    drawn = drawn[: int(np.searchsorted(after, records)) + 1]
    drawn[-1] -= int(drawn.sum()) - records
    return drawn


def linked(records: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """The clusters of the key, and those that links make."""
    sizes = sizes_of_clusters(records, rng)
    first = np.cumsum(sizes) - sizes
    key = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    new = rng.random(records, dtype=np.float32) < 0.05
    new[first] = True
    piece = np.cumsum(new, dtype=np.int32) - np.int32(1)
    source = np.flatnonzero(rng.random(records, dtype=np.float32) < 0.02)
    target = np.clip(key[source] + rng.integers(-1000, 1001, len(source)), 0, len(sizes) - 1)
    ends = piece[source], piece[first[target]]
    nodes, places = np.unique(np.concatenate(ends), return_inverse=True)
    a, b = places[: len(source)], places[len(source) :]
    smallest = np.arange(len(nodes))
    while True:  # the smallest piece of each component
        before = smallest.copy()
        low = np.minimum(smallest[a], smallest[b])
        np.minimum.at(smallest, a, low)
        np.minimum.at(smallest, b, low)
        smallest = smallest[smallest]
        if (smallest == before).all():
            break
    piece_of = np.arange(int(piece[-1]) + 1, dtype=np.int32)
    piece_of[nodes] = nodes[smallest]
    return key, piece_of[piece]


def write(path: Path, columns: dict[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.int64()) for name in columns])
    with pq.ParquetWriter(path.with_suffix(".part"), schema, write_page_checksum=True) as writer:
        for start in range(0, len(next(iter(columns.values()))), CHUNK):
            chunk = {name: column[start : start + CHUNK].astype(np.int64) for name, column in columns.items()}
            writer.write_table(pa.table(chunk, schema), row_group_size=1 << 20)
    path.with_suffix(".part").rename(path)


def one_clustering(work: Path, records: int) -> tuple[Path, Path]:
    paths = work / f"key-{records}.parquet", work / f"response-{records}.parquet"
    if not all(path.exists() for path in paths):
        rng = np.random.default_rng(records)
        for path, labels in zip(paths, linked(records, rng), strict=True):
            order = rng.permutation(records).astype(np.int32)
            write(path, {"item": order, "entity": labels[order]})
    return paths


def documents(work: Path, number: int) -> tuple[Path, Path]:
    paths = work / f"key-{number}-documents.parquet", work / f"response-{number}-documents.parquet"
    if not all(path.exists() for path in paths):
        rng = np.random.default_rng(number)
        mentions = number * PER_DOCUMENT
        document = np.repeat(np.arange(number, dtype=np.int32), PER_DOCUMENT)
        item = np.arange(mentions, dtype=np.int32)
        key = document * np.int32(PER_DOCUMENT // 3) + rng.integers(0, PER_DOCUMENT // 3, mentions, dtype=np.int32)
        moved = rng.random(mentions, dtype=np.float32) < 0.1
        other = document * np.int32(PER_DOCUMENT // 3) + rng.integers(0, PER_DOCUMENT // 3, mentions, dtype=np.int32)
        for path, labels in zip(paths, (key, np.where(moved, other, key)), strict=True):
            write(path, {"document": document, "item": item, "entity": labels})
    return paths


def row(name: str, command: list[str], work: Path, timeout: float, source: Path | None) -> tuple[str, ...]:
    try:
        run = measure([Step(tuple(command), python_path=source)], log=work / "out.txt", timeout=timeout)
    except NotMeasuredError as error:
        return name, str(error), "", ""
    return name, three_digits(run.cpu), three_digits(run.wall), three_digits(run.peak / 1000)


def remembered(work: Path, curve: str, size: int, numbers: tuple[str, ...]) -> None:
    """Keep what was measured, so that curves are drawn of several runs of this program."""
    path = work / "tables.json"
    points = json.loads(path.read_text()) if path.exists() else {}
    points.setdefault(curve, {})[str(size)] = [float(number) for number in numbers]
    path.write_text(json.dumps(points, indent=1))


def draw(work: Path, path: Path) -> None:
    """Curves of all that was measured in a folder, both axes logarithmic."""
    import matplotlib as mpl

    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tables"})
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.5), layout="constrained")
    points = json.loads((work / "tables.json").read_text())
    for axes, place, title in zip(figure.subplots(1, 2), (0, 2), ("CPU s", "peak GB"), strict=True):
        for curve, of in points.items():
            sizes = sorted(of, key=int)
            axes.plot([int(size) for size in sizes], [of[size][place] for size in sizes], "o-", label=curve)
        axes.set(xscale="log", yscale="log", xlabel="records, or mentions, of each side", ylabel=title)
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--sizes", type=float, nargs="*", default=[], help="records of one clustering")
    parser.add_argument("--documents", type=float, nargs="*", default=[], help="documents of 100 mentions")
    parser.add_argument("--engines", nargs="*", default=["memory", "duckdb"])
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--metrics", default="all")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--peer-python", default=sys.executable, help="an interpreter with the packages of the peers")
    parser.add_argument("--before", help="the command of the version before")
    parser.add_argument("--referee", help="the command (default: that of this interpreter)")
    parser.add_argument("--source", type=Path, help="a folder to import the package from")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="curves of all that was measured in WORK, .svg or .png")
    parser.add_argument("--timeout", type=float, default=3600)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    command = executable_of(args.referee)
    rows = [("", "CPU s", "wall s", "peak GB")]
    pairs = [("one clustering", int(n), one_clustering(args.work, int(n))) for n in args.sizes]
    pairs += [("documents", int(n) * PER_DOCUMENT, documents(args.work, int(n))) for n in args.documents]
    for data, size, pair in pairs:
        files = [str(path) for path in pair]
        programs = {peer: [args.peer_python, "-c", program, *files] for peer, program in PEERS.items()}
        options = ["--metrics", args.metrics, "--memory", args.memory, "--spill", str(args.work)]
        ours = {engine: [command, "score", *files, *options, "--engine", engine] for engine in args.engines}
        others = {} if args.no_peers or data == "documents" else programs
        if args.before:
            others["version before"] = [args.before, "score", *files]
        for name, program in {**ours, **others}.items():
            found = row(f"{size:.0e}, {data}, {name}", program, args.work, args.timeout, args.source if name in ours else None)
            rows.append(found)
            print(*found, file=sys.stderr)
            if found[2]:
                remembered(args.work, f"{data}, {name}", size, found[1:])
    if args.plot:
        draw(args.work, args.plot)
    print(machine())
    print(markdown(rows))


if __name__ == "__main__":
    sys.exit(main())
