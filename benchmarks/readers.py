"""How the time to read one cell grows with its length.

    python benchmarks/readers.py

Rows of CoNLL-UA have n times the same text in their cell in IDENTITY; the exponent b is that of time ~ length^b between a
length and the one before. 1 is linear; 2 would mean that a damaged file can keep the reader busy for hours.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from reporting import exponent, markdown, three_digits

from referee import inputs
from referee.formats.shared.source import Source

CELLS = {"(": 10_000, ")": 10_000, "x": 100_000, "(EntityID=1|MarkableID=a": 2_000, "a)": 5_000, "@": 100_000}
"""Texts, and how often the shortest cell has each."""
ROW = "# newdoc id = d\n1\tx\t_\t_\t_\t_\t_\t_\t_\t_\t{}\n"


def seconds(action: Callable[[], object], runs: int) -> float:
    """Median time of an action, after one run that does not count."""
    action()
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        action()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def of_cells(runs: int) -> Iterator[Sequence[str]]:
    yield "cell", "n", "ms", "exponent"
    for text, least in CELLS.items():
        before: tuple[int, float] | None = None
        for size in (least, 2 * least, 4 * least):
            source = Source("cell", ROW.format(size * text).encode())
            wall = 1000 * seconds(lambda source=source: inputs.validate(source, format="ua"), runs)
            yield f"`{text}`", str(size), three_digits(wall), exponent(before[0], size, before[1], wall) if before else "-"
            before = size, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="counted runs at each point (default: 5)")
    options = parser.parse_args()
    print(markdown(list(of_cells(options.runs))))


if __name__ == "__main__":
    main()
