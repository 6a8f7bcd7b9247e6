"""Tables of numbers: three digits, Markdown, exponents, and the machine that they were measured on."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path


def three_digits(value: float) -> str:
    """Three significant digits, without an exponent: 0.0312, 1.25, 173."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}"


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """A table whose first row is the head; columns are as wide as their widest cell."""
    lines = [list(cells) for cells in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |" for cells in lines
    )


def exponent(size_before: int, size: int, cost_before: float, cost: float) -> str:
    """b in cost ~ size^b, between two sizes."""
    return f"{math.log(cost / cost_before) / math.log(size / size_before):.2f}"


def machine() -> dict[str, object]:
    """What the numbers hold for; no names of folders or hosts."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor())
