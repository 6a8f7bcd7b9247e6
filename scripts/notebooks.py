#!/usr/bin/env python
"""Execute the notebooks of docs/notebooks again, and store what they show: `python scripts/notebooks.py`. Needs nbclient."""

from __future__ import annotations

from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"


def execute(path: Path) -> None:
    """Execute a notebook in its folder, and store it without what changes from run to run."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": FOLDER}}).execute()
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = {}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.ipynb")):
        execute(path)
