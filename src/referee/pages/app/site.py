"""The site: a page, its scripts, a copy of this package, and Pyodide unless it comes from the network.

A worker runs the command of the package in Pyodide. The page may load its own files, Pyodide, and nothing else: its security
policy says so, which the worker inherits, as it is made of a text that the page has read. The script and the style of the
inspector are allowed by digest, because its pages are shown inside this one.
"""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from referee.basics.files import reported, written_whole
from referee.basics.version import VERSION
from referee.pages.app.pyodide import NETWORK, SIZES, files_of
from referee.pages.inspector.page import digests
from referee.pages.theme import HEADER, theme_script
from referee.reports.shell import digest, page, style_of, text

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable  # Python 3.10 has it elsewhere

PACKAGE = "referee.zip"
FOLDER = "pyodide"

ABOUT = "Scores coreference and entity resolution in your browser. Your files stay on {} machine."

BODY = f"""\
{HEADER}
<main>
<h1>{{title}} <small>{VERSION}</small></h1>
<p class="soft">{ABOUT.format("this")}</p>
<div id="app">
<p>This page is opening. If it does not open: it needs JavaScript and a web server, such as
<code>python -m http.server --directory FOLDER</code>; a browser cannot run it from a file.</p>
</div>
</main>
<script type="module" src="main.js"></script>"""


def write_site(folder: str, verbs: Mapping[str, object], offline: str | None = None, *, title: str = "") -> None:
    """Write the site.

    Parameters
    ----------
    folder : str
        Where; it is made if it is missing. Files of an earlier site in it are replaced, and others are left.
    verbs : mapping
        What the page offers: `Verbs` of `assets/types.d.ts`.
    offline : str or None
        A folder with Pyodide, which is copied; None: the page takes it from the network.
    title : str
        The headline; empty for that of every page.

    Raises
    ------
    OptionError
        If Pyodide is not in its folder, or a file cannot be written.
    """
    pyodide = files_of(offline) if offline is not None else []
    sizes = {path.name: path.stat().st_size for path in pyodide} or SIZES
    package = package_zip()
    settings = {
        "version": VERSION,
        "package": PACKAGE,
        "pyodide": f"{FOLDER}/" if pyodide else NETWORK,
        "sizes": {**sizes, PACKAGE: len(package)},
        "verbs": verbs,
    }
    root = Path(folder)
    with reported(str(root)):
        (root / FOLDER if pyodide else root).mkdir(parents=True, exist_ok=True)
    for path in pyodide:
        with written_whole(str(root / FOLDER / path.name)) as partial:
            shutil.copyfile(path, partial)
    content = {
        asset.name: asset.read_bytes() for asset in (files(__package__) / "assets").iterdir() if asset.name.endswith(".js")
    }
    content[PACKAGE] = package
    content["settings.json"] = (json.dumps(settings, ensure_ascii=False, indent=1) + "\n").encode()
    content["index.html"] = _index(title or "Scores in your browser", network=not pyodide).encode()
    for name, data in content.items():
        with written_whole(str(root / name)) as partial:
            Path(partial).write_bytes(data)


def package_zip() -> bytes:
    """Pack the files of this package, without those that make the site; equal packages give equal archives."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in _members(files("referee"), "referee"):
            archive.writestr(zipfile.ZipInfo(name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _members(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for member in sorted(folder.iterdir(), key=lambda member: member.name):
        path = f"{name}/{member.name}"
        if member.is_dir():
            if member.name != "__pycache__" and path != "referee/pages/app":
                yield from _members(member, path)
        elif not member.name.endswith((".pyc", ".d.ts")):
            yield path, member


def _index(title: str, *, network: bool) -> str:
    """The page, with its policy."""
    source = f" {NETWORK}" if network else ""
    script_inside, style_inside = digests()
    style = style_of(files(__package__) / "app.css")
    allowed = {
        "script-src": f"'self' 'wasm-unsafe-eval' {digest(theme_script())} {script_inside}{source}",
        "style-src": f"{digest(style)} {style_inside}",
        "connect-src": f"'self'{source}",
        "worker-src": "blob:",
        "frame-src": "blob:",
        "trusted-types": "referee",
    }
    body = BODY.format(title=text(title))
    return page("Referee", body, style=style, script=theme_script(), about=ABOUT.format("your"), allowed=allowed)
