"""Tests that passed once are left out of a later run: with the extras, `.ci/run` runs what their absence left out.

REFEREE_PASSED=FILE pytest         # the names of the tests that pass are added to FILE
REFEREE_LEAVE_OUT=FILE pytest      # the tests named in FILE are left out, but those marked `extras`
"""

import os
from pathlib import Path


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed and (file := os.environ.get("REFEREE_PASSED")):
        with Path(file).open("a") as out:
            out.write(f"{report.nodeid}\n")


def pytest_collection_modifyitems(config, items):
    if file := os.environ.get("REFEREE_LEAVE_OUT"):
        passed = set(Path(file).read_text().splitlines())
        stays = [item.nodeid not in passed or item.get_closest_marker("extras") is not None for item in items]
        config.hook.pytest_deselected(items=[item for item, stay in zip(items, stays, strict=True) if not stay])
        items[:] = [item for item, stay in zip(items, stays, strict=True) if stay]
