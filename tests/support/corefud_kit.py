"""The CorefUD kit: real files, with the numbers that other programs give for them. It is no part of the repository."""

import json

import pytest

from tests.support.paths import SHARED

KIT = SHARED / "corefud"
needed = pytest.mark.skipif(not KIT.is_dir(), reason="needs the CorefUD kit, ../shared/corefud")

NAMES = {
    "muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf_e", "ceafm": "ceaf_m", "blanc": "blanc", "lea": "lea", "conll": "conll",
}  # fmt: skip
"""Name in the kit -> ours."""


def cases(folder, format):
    """Key, response and case for each comparison of files in this format."""
    path = KIT / folder / "expected.json"
    found = json.loads(path.read_text())["cases"] if path.is_file() else []
    return [
        pytest.param(
            _file(folder, c["key"]), _file(folder, c["response"]), c,
            id=" ".join(map(str, (c["response"], *c["options"].values()))),
        )
        for c in found
        if c.get("format", "corefud") == format
    ]  # fmt: skip


def differences(e, expected, names, tolerance):
    """Ours and theirs, where these are not the same."""
    different = {}
    for theirs, ours in names.items():
        if theirs in expected:
            score, want = e[ours], expected[theirs]
            for side, value in (("r", score.recall), ("p", score.precision), ("f1", score.value)):
                if value is not None and value != pytest.approx(want[side], abs=tolerance, rel=0):
                    different[theirs, side] = value, want[side]
    return different


def _file(folder, name):
    """A file of the kit, which may be compressed."""
    path = KIT / folder / name
    return path if path.exists() else path.with_name(path.name + ".gz")
