"""The button for light or dark, for pages around the inspector: what a reader chooses on one page holds for all."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from referee.pages.inspector.bundle import bundle, modules
from referee.reports.shell import HEADER as SHARED

BUTTON = '<button type="button" class="quiet" id="theme" aria-label="Light or dark" title="Light or dark" hidden>◐</button>'
"""Its script shows it."""

HEADER = SHARED.format(buttons=BUTTON)


@cache
def theme_script() -> str:
    """Return the script of the button."""
    return "\n" + bundle(modules(files("referee.pages.inspector") / "assets", "app/theme_button.js")) + "\n"
