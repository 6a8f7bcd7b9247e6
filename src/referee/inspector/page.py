"""The page: markup, style, script and data in one file.

The script and the style are files of `assets`, one behind the other. Data stand in the page as gzip in base 64, so that no
annotation is ever part of the markup. The page may run this script and no other, and load nothing (its security policy says
so, by their digests).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from functools import cache
from importlib.resources import files
from typing import Any

from referee.inspector.payload import Payload

SCRIPTS = (
    "dom", "state", "model", "colours", "lists", "text", "entities", "card", "errors", "changes", "scores", "overview", "bars",
    "help", "app",
)  # fmt: skip
"""The parts of the script, in the order in which they need one another."""

STYLES = ("page", "text", "panel", "overview", "forced_colours")

ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3.5' fill='%23fbfaf6'/>"
    "<rect x='2' y='4' width='12' height='2.4' rx='1.2' fill='%232c5f8a'/>"
    "<rect x='2' y='9.6' width='7' height='2.4' rx='1.2' fill='%232c5f8a'/>"
    "<rect x='10.4' y='9.6' width='3.6' height='2.4' rx='1.2' fill='%23b4552d'/></svg>"
)


def page(payload: Payload) -> str:
    """The whole page, HTML."""
    script, style = _asset("js", SCRIPTS), _asset("css", STYLES)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_digest(script)}",
            f"style-src {_digest(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
    title = payload.title.encode("utf-8", "replace").decode()
    data = [_data("overview", payload.overview)]
    data += [_data(f"document-{number}", record) for number, record in enumerate(payload.documents)]
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="referrer" content="no-referrer">',
            f'<link rel="icon" href="data:image/svg+xml,{html.escape(ICON)}">',
            f"<title>{html.escape(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            '<div id="app"><p class="loading" role="status">Opening…</p></div>',
            "<noscript><p>This page draws itself with a script, which this browser does not run.</p></noscript>",
            *data,
            f'<script type="module">{script}</script>',
            "</body>",
            "</html>",
            "",
        )
    )


@cache
def _asset(kind: str, names: tuple[str, ...]) -> str:
    folder = files(__package__) / "assets"
    parts = ((folder / f"{name}.{kind}").read_text(encoding="utf-8") for name in names)
    return "\n" + "\n".join(parts)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(name: str, record: dict[str, Any]) -> str:
    packed = gzip.compress(json.dumps(record, separators=(",", ":"), allow_nan=False).encode(), compresslevel=6, mtime=0)
    return f'<script type="text/plain" id="{name}">{base64.b64encode(packed).decode()}</script>'
