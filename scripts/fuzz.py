#!/usr/bin/env python
"""Reads damaged files of every format and says what goes wrong: `python scripts/fuzz.py [KIND ...] --batches 100`.

A kind is a format, or an input of tests/support/damaged_inputs.py: phrases, phrase-model, resolver-model, counts, tables, and
score and page, which are made of two damaged files.

A file that makes a reader raise anything but a FormatError, hang, contradict `validate`, give a corpus that makes no sense or
is lost in part when it is written (see `outcome` in tests/support/mutations.py) is printed and kept; the exit status is then 1.

Files come in batches. Each is made of a sample, or of a file of the batch that a reader met in a new way. The same seed makes
the same batches: `--first N --batches 1` makes batch N alone.
"""

from __future__ import annotations

import argparse
import os
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
from zlib import crc32

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from referee.basics.exceptions import MissingExtraError, RefereeWarning  # noqa: E402
from referee.inputs.registry import FORMATS  # noqa: E402
from tests.support.damaged_inputs import KINDS, trouble_with_input  # noqa: E402
from tests.support.mutations import glance, mutated, trouble_with  # noqa: E402
from tests.support.samples import Sample, samples  # noqa: E402

EVERY, SLOWER = 50, 25
"""Of so many files, one is used in all ways, not only read; and so many fewer inputs of other kinds are made."""

LONGEST = 2_000
"""Bytes of a file to which more damage is done."""

POOL = 300
"""Files to which more damage is done."""

MEMORY = "/dev/shm"  # noqa: S108  # where files that belong together are written, if it is there

ALL = [*FORMATS, *KINDS]


class Failure(NamedTuple):
    format: str
    number: int
    trouble: str
    sample: Sample


def run(format: str, seed: int, number: int, files: int) -> list[Failure]:
    """What goes wrong with a batch of files of a format."""
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", RefereeWarning)
    random = Random(f"{seed} {format} {number}")  # noqa: S311  # no secret
    damage = damaged_inputs if format in KINDS else damaged_files
    with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
        return [Failure(format, number, *failure) for failure in damage(format, random, Path(folder), files)]


def damaged_files(format: str, random: Random, folder: Path, files: int) -> Iterator[tuple[str, Sample]]:
    """What goes wrong with the files of a batch.

    Each is one of a pool with more damage. All are read. One in fifty, and each that a reader meets in a new way, is used in
    all ways; the latter join the pool.
    """
    pool = list(samples(format))
    seen: set[object] = set()
    for number in range(files):
        sample = mutated(format, random, None if random.random() < 0.1 else random.choice(pool))
        trouble, behaviour, is_read = glance(sample, format, folder)
        new = behaviour not in seen
        seen.add(behaviour)
        if trouble is None and (new or number % EVERY == 0):
            trouble = trouble_with(sample, format, folder)
        if trouble:
            yield trouble, sample
        elif (new or (is_read and random.random() < 0.02)) and sum(map(len, sample.values())) < LONGEST:
            pool[len(samples(format)) + POOL :] = []
            pool.insert(len(samples(format)), sample)


def damaged_inputs(kind: str, random: Random, folder: Path, files: int) -> Iterator[tuple[str, Sample]]:
    """What goes wrong with the inputs of a batch of another kind, each made from the beginning."""
    for _ in range(-(-files // SLOWER)):
        sample = KINDS[kind].make(random)
        if trouble := trouble_with_input(sample, kind, folder):
            yield trouble, sample


def kept(failure: Failure, folder: Path) -> Path:
    """Where the files of a failure are, so that they can be read again."""
    where = folder / f"{failure.format}-{failure.number}-{crc32(repr(failure.sample).encode()):08x}"
    for name, data in failure.sample.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_bytes(data)
    return where


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
    parser.add_argument("--batches", type=int, default=20, help="of each kind")
    parser.add_argument("--files", type=int, default=5000, help=f"in a batch; one for {SLOWER} of kinds that are no format")
    parser.add_argument("--first", type=int, default=0, help="number of the first batch")
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
    waiting = ((name, number) for number in range(args.first, args.first + args.batches) for name in names)
    running: dict[Future[list[Failure]], tuple[str, int]] = {}
    with ProcessPoolExecutor(args.jobs) as pool:
        while True:
            while len(running) < 2 * args.jobs and time.monotonic() - began < args.seconds:
                if (batch := next(waiting, None)) is None:
                    break
                running[pool.submit(run, batch[0], args.seed, batch[1], args.files)] = batch
            if not running:
                break
            future = next(as_completed(running))
            name, number = running.pop(future)
            try:
                failures = future.result()
            except BrokenProcessPool:
                print(f"\nthe process died; try again each of: {sorted([(name, number), *running.values()])}")
                return 1
            done[name] += -(-args.files // SLOWER) if name in KINDS else args.files
            for failure in failures[: max(0, args.most - failed[name])]:
                print(f"\n{name}: seed {args.seed}, batch {failure.number}: {failure.trouble}\n    {kept(failure, args.keep)}")
            failed[name] += len(failures)
            if sys.stderr.isatty():
                print(f"\r{sum(done.values())} files, {sum(failed.values())} failures", end="", file=sys.stderr, flush=True)
    for name in names:
        print(f"{name:10} {done[name]:>8} files {failed[name]:>6} failures")
    return 1 if any(failed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
