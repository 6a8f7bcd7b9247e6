"""Pyodide, which is Python for browsers: where it is on the network, and which of its files a page needs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from referee.basics.exceptions import OptionError

VERSION = "0.27.7"
"""The version that the tests run, and that pages take from the network."""

NETWORK = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"

SIZES = {
    "pyodide.mjs": 13_931,
    "pyodide.asm.js": 1_255_688,
    "pyodide.asm.wasm": 10_105_545,
    "python_stdlib.zip": 2_360_737,
    "pyodide-lock.json": 112_205,
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl": 3_061_133,
}
"""Bytes of the files on the network, for the display of progress."""

CORE = ("pyodide.mjs", "python_stdlib.zip", "pyodide-lock.json", "pyodide.asm.wasm")


def files_of(folder: str) -> list[Path]:
    """Find the files of Pyodide that a page needs.

    Parameters
    ----------
    folder : str
        Of a release of Pyodide, or of the npm package with the wheel of NumPy beside it.

    Raises
    ------
    OptionError
        If one is missing, or the wheel of NumPy is another one than Pyodide names.
    """
    root = Path(folder)
    try:
        scripts = sorted(root.glob("pyodide.asm.*js"))
        if missing := next((name for name in CORE if not (root / name).is_file()), "" if scripts else "pyodide.asm.js"):
            raise _unfit(folder, f"no {missing}")
        return [root / name for name in CORE] + scripts + list(_wheels(root, "numpy"))
    except OptionError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unfit(folder, f"files that cannot be read ({error})") from None


def _wheels(root: Path, package: str) -> Iterator[Path]:
    """The wheel of a package and of all that it depends on, each as the list of packages of this Pyodide has it."""
    entry = json.loads((root / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"][package]
    wheel = root / entry["file_name"]
    if not wheel.is_file():
        raise _unfit(str(root), f"no {wheel.name}")
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != entry["sha256"]:
        raise _unfit(str(root), f"{wheel.name} with another SHA-256 than in pyodide-lock.json")
    yield wheel
    for other in entry["depends"]:
        yield from _wheels(root, other)


def _unfit(folder: str, what: str) -> OptionError:
    return OptionError(
        f"--offline {folder}: found {what}; expected a folder with Pyodide and its NumPy: take pyodide-core-{VERSION}.tar.bz2 "
        f"and {list(SIZES)[-1]} from the release of Pyodide"
    )
