"""Settings of the documentation site: Sphinx with Furo and MyST. `scripts/site` builds it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "site"), str(ROOT / "src")]

from referee import inspect  # noqa: E402
from referee.basics.version import VERSION  # noqa: E402
from referee.reports.colours import colours  # noqa: E402

SHELL = ROOT / "src" / "referee" / "reports" / "shell.css"
"""The style of all pages."""

project = "Referee"
author = copyright = "the Referee authors"
version = release = VERSION

extensions = ["myst_nb"]
templates_path: list[str] = []
html_theme = "furo"
html_title = f"Referee {VERSION}"
html_static_path = ["static"]
html_css_files = ["referee.css"]
html_search_scorer = str(ROOT / "site" / "search.js")
html_show_sourcelink = html_copy_source = False


def theme(scheme: str) -> dict[str, str]:
    """The colours and fonts of the pages of Referee, as the theme calls them."""
    of = colours(scheme)
    fonts = dict(re.findall(r"--(serif|sans|mono): (.*);", SHELL.read_text(encoding="utf-8")))
    return {
        "font-stack": fonts["sans"],
        "font-stack--headings": fonts["serif"],
        "font-stack--monospace": fonts["mono"],
        "color-background-primary": of["paper"],
        "color-background-secondary": of["sunk"],
        "color-background-hover": of["sunk"],
        "color-background-border": of["line"],
        "color-foreground-primary": of["ink"],
        "color-foreground-secondary": of["soft"],
        "color-foreground-muted": of["soft"],
        "color-foreground-border": of["soft"],
        "color-brand-primary": of["accent"],
        "color-brand-content": of["accent"],
        "color-brand-visited": of["accent"],
        "color-admonition-background": of["card"],
        "color-card-background": of["card"],
        "color-table-border": of["line"],
        "color-inline-code-background": of["sunk"],
        "color-problematic": of["bad"],
    }


html_theme_options = {
    "navigation_with_keys": False,
    "light_css_variables": theme("light"),
    "dark_css_variables": theme("dark"),
}
exclude_patterns = ["changes/README.md"]
suppress_warnings = ["myst.xref_missing_inventory"]

smartquotes = False  # options begin with --, and their help is copied
highlight_language = "default"  # Python where it is Python, as in examples with >>>
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = os.environ.get("REFEREE_NOTEBOOKS", "force")  # off: show the stored output
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_in_temp = False

EXAMPLE = "examples/inspect.html"
"""A page of `referee inspect`, made with the site: only pages of the site can link to it."""

OUTSIDE = {
    "README.md": "project/readme.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "RELEASING.md": "project/releasing.md",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "project/benchmarks.md",
}
"""Files outside of `docs` that pages link to, and where the site has them. Those of `docs/project` are empty there."""

LINK = re.compile(r"\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)([^)]*)\)")


def relink(app: Sphinx, name: str, content: list[str]) -> None:
    """Fill the pages of files outside of `docs`, and let links to such files lead to their pages."""
    files = {page.removesuffix(".md"): path for path, page in OUTSIDE.items()}
    file = files.get(name, f"docs/{name}")
    up = "../" * name.count("/")
    text = (ROOT / file).read_text(encoding="utf-8") if name in files else content[0]

    def link(found: re.Match[str]) -> str:
        words, path, place = found.groups()
        target = os.path.normpath(os.path.join(os.path.dirname(file), path))
        if target.startswith("docs/"):
            return f"[{words}]({up}{target.removeprefix('docs/')}{place})"
        page = OUTSIDE.get(target)
        return f"[{words}]({up}{page}{place})" if page else words

    content[0] = LINK.sub(link, text).replace(f"`{EXAMPLE}`", f'<a href="{up}{EXAMPLE}">{EXAMPLE}</a>')


REPAIRS = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'),
    ('<aside class="toc-drawer">', '<aside class="toc-drawer" aria-label="On this page">'),
    ("<pre>", '<pre tabindex="0">'),
    ('<table class="docutils', '<table tabindex="0" class="docutils'),
    ('<div role="list" class="citation-list">', '<div class="citation-list">'),
    (' role="doc-biblioentry"', ""),
    ('<div id="search-results"></div>', '<h1>Search</h1><div id="search-results"></div>'),
)
"""What readers of screens and keyboards need and the theme does not write."""


def repair(app: Sphinx, error: Exception | None) -> None:
    """Make the pages accessible, and put the example of a page beside them."""
    site = Path(app.outdir)
    for path in set(site.rglob("*.html")) - {site / EXAMPLE}:
        text = path.read_text(encoding="utf-8")
        for before, after in REPAIRS:
            text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")
    (site / EXAMPLE).parent.mkdir(exist_ok=True)
    inspect("examples/key.conll", "examples/response.conll", "examples/second.jsonlines").save(site / EXAMPLE)


def setup(app: Sphinx) -> None:
    """Fill pages before they are read, and repair them when they are written."""
    app.connect("build-finished", repair)
    app.connect("source-read", relink)
