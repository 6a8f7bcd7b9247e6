"""Source trees of two versions, which take turns: the one this file is in, and one of the past from git."""

from __future__ import annotations

import compileall
import subprocess
import sys
from pathlib import Path

from measure import Step

ROOT = Path(__file__).resolve().parents[1]


def sources(work: Path, revision: str | None = None) -> Path:
    """Return the folder of the packages of a revision, taken from git into WORK/trees; of None, those of this tree."""
    folder = ROOT / "src"
    if revision is not None:
        command = ("git", "-C", str(ROOT), "rev-parse", "--verify", f"{revision}^{{commit}}")
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        folder = (work / "trees" / commit / "src").resolve()
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit, "src"], capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", str(folder.parent)], input=archive, check=True)
    compileall.compile_dir(folder, quiet=2)
    return folder


def step(folder: Path, *arguments: str) -> Step:
    """Return the command `referee ARGUMENT ...` of a source tree."""
    return Step((sys.executable, "-m", "referee", *arguments), python_path=folder)
