#!/usr/bin/env python
"""Reads damaged files of every format and says what goes wrong: `python scripts/fuzz.py [KIND ...] --files 100000`.

A kind is a format, or an input of tests/support/damaged_inputs.py: phrases, phrase-model, resolver-model, counts, tables, and
score and page, which are made of two damaged files.

A file that makes a reader raise anything but a FormatError, hang, contradict `validate`, give a corpus that makes no sense or
is lost in part when it is written (see `outcome` in tests/support/mutations.py) is printed and kept; the exit status is then 1.

Files come in chains: the second file of a chain is the first with more damage if that could still be read, and so on. The same
seed makes the same chains: `--first N --files 1` makes chain N alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from referee.exceptions import MissingExtraError, RefereeWarning  # noqa: E402
from referee.formats.registry import FORMATS  # noqa: E402
from tests.support.damaged_inputs import KINDS, trouble_with_input  # noqa: E402
from tests.support.mutations import Sample, mutated, outcome, samples  # noqa: E402

BATCH = 100
"""Chains that a process makes before it answers."""

CHAIN = 5
"""Files in a chain."""

LONGEST = 20_000
"""Bytes of a file to which more damage is done."""

ALL = [*FORMATS, *KINDS]


class Failure(NamedTuple):
    format: str
    number: int
    trouble: str
    sample: Sample


def run(format: str, seed: int, first: int, after: int) -> list[Failure]:
    """What goes wrong with these chains of files of a format."""
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", RefereeWarning)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, after):
            random = Random(f"{seed} {format} {number}")  # noqa: S311  # no secret
            chain = (
                damaged_inputs(format, random, Path(folder)) if format in KINDS else damaged_files(format, random, Path(folder))
            )
            failures += [Failure(format, number, trouble, sample) for trouble, sample in chain]
    return failures


def damaged_files(format: str, random: Random, folder: Path) -> Iterator[tuple[str, Sample]]:
    """What goes wrong with the files of a chain: each is made of the last one that could be read."""
    start: Sample | None = None
    for _ in range(CHAIN):
        sample = mutated(format, random, start)
        trouble, corpus = outcome(sample, format, folder)
        if trouble:
            yield trouble, sample
        elif corpus is not None and len(corpus.document) and sum(map(len, sample.values())) < LONGEST:
            start = sample


def damaged_inputs(kind: str, random: Random, folder: Path) -> Iterator[tuple[str, Sample]]:
    """What goes wrong with as many inputs of another kind, each made from the beginning."""
    for _ in range(CHAIN):
        sample = KINDS[kind].make(random)
        if trouble := trouble_with_input(sample, kind, folder):
            yield trouble, sample


def kept(failure: Failure, folder: Path) -> Path:
    """Where the files of a failure are, so that they can be read again."""
    where = folder / f"{failure.format}-{failure.number}"
    for name, data in failure.sample.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_bytes(data)
    return where


def batches(names: list[str], first: int, files: int) -> Iterator[tuple[str, int, int]]:
    """Formats take turns, so that all get their share when time runs out."""
    for start in range(first, first + files, BATCH):
        for name in names:
            yield name, start, min(start + BATCH, first + files)


def available(names: list[str]) -> list[str]:
    found = []
    for name in names:
        try:
            KINDS[name].make(Random(0)) if name in KINDS else samples(name)  # noqa: S311  # no secret
        except MissingExtraError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
        else:
            found.append(name)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", metavar="KIND", help="all if none is named")
    parser.add_argument("--files", type=int, default=20_000, help=f"chains of {CHAIN} damaged files of each format")
    parser.add_argument("--first", type=int, default=0, help="number of the first chain")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--most", type=int, default=5, help="failures that are printed and kept for each format")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "referee-fuzz", help="where these are kept")
    args = parser.parse_args()
    for name in args.formats:
        if name not in ALL:
            parser.error(f"no kind named {name}; known: {', '.join(ALL)}")
    names = available(args.formats or ALL)
    began = time.monotonic()
    done, failed = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    waiting = batches(names, args.first, args.files)
    running: dict[Future[list[Failure]], tuple[str, int, int]] = {}
    with ProcessPoolExecutor(args.jobs) as pool:
        while True:
            while len(running) < 2 * args.jobs and time.monotonic() - began < args.seconds:
                if (batch := next(waiting, None)) is None:
                    break
                running[pool.submit(run, batch[0], args.seed, *batch[1:])] = batch
            if not running:
                break
            future = next(as_completed(running))
            name, start, after = running.pop(future)
            try:
                failures = future.result()
            except BrokenProcessPool:
                print(f"\nthe process died; try again each of: {sorted([(name, start, after), *running.values()])}")
                return 1
            done[name] += CHAIN * (after - start)
            for failure in failures[: max(0, args.most - failed[name])]:
                print(f"\n{name}: seed {args.seed}, chain {failure.number}: {failure.trouble}\n    {kept(failure, args.keep)}")
            failed[name] += len(failures)
            print(f"\r{sum(done.values())} files, {sum(failed.values())} failures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name in names:
        print(f"{name:10} {done[name]:>8} files {failed[name]:>6} failures")
    return 1 if any(failed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
