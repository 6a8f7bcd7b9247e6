"""The shell of every page: the document around what the page shows, its icon, and what the browser allows it.

Style and script stand in the page. Its security policy names them by their digests and forbids all else: other scripts, all
requests, markup made of text. What all pages look like is in `shell.css`; each page has a style sheet of its own beside it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from referee.basics.exceptions import one_line

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable  # Python 3.10 has it elsewhere

ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3.5' fill='%23fbfaf6'/>"
    "<rect x='2' y='4' width='12' height='2.4' rx='1.2' fill='%232c5f8a'/>"
    "<rect x='2' y='9.6' width='7' height='2.4' rx='1.2' fill='%232c5f8a'/>"
    "<rect x='10.4' y='9.6' width='3.6' height='2.4' rx='1.2' fill='%23b4552d'/></svg>"
)

HEAD = """\
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:image/svg+xml,{icon}">
<title>{title}</title>
<style>{style}</style>"""

HEADER = """\
<header class="top"><span class="brand">Referee</span><span class="spring"></span>{buttons}</header>"""
"""The header of a page that makes none itself."""

OMITTED = re.compile(r"/\*.*?\*/\s*|^\s+", re.MULTILINE | re.DOTALL)
"""Comments and indentation of style sheets, none of which has text that looks like these."""


def page(
    title: str, body: str, *, style: str, script: str = "", about: str = "", allowed: Mapping[str, str] | None = None
) -> str:
    """Make a page.

    Parameters
    ----------
    title : str
        A text of anybody's.
    body : str
        Markup.
    style, script : str
        The style, as from `style_of`; the module that the page runs, empty for none.
    about : str
        What the page is for, as search engines show it; empty for pages of somebody's data.
    allowed : mapping or None
        Directives of the security policy, for a page that needs more.

    Returns
    -------
    str
        HTML.
    """
    head = HEAD.format(policy=_policy(style, script, allowed or {}), icon=escape(ICON), title=text(title), style=style)
    head += f'\n<meta name="description" content="{text(about)}">' if about else ""
    run = f'<script type="module">{script}</script>\n' if script else ""
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}\n{run}</body>\n</html>\n'


def style_of(*sheets: Traversable) -> str:
    """Return what all pages share, and these style sheets after it, where a later rule wins."""
    shared = files(__package__) / "shell.css"
    return "\n" + "".join(OMITTED.sub("", sheet.read_text(encoding="utf-8")) for sheet in (shared, *sheets))


def text(value: object) -> str:
    """Return a text of anybody's as markup that shows it, on one line."""
    return escape(one_line(value))


def digest(content: str) -> str:
    """Return the digest of a style or a script, as a security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _policy(style: str, script: str, allowed: Mapping[str, str]) -> str:
    """What the browser allows the page."""
    directives = {
        "default-src": "'none'",
        "script-src": digest(script) if script else "'none'",
        "style-src": digest(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
        **allowed,
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())
