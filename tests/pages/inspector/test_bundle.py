"""The scripts of the page: how they are linked, and that they fit together."""

from graphlib import CycleError
from importlib.resources import as_file, files

import pytest

from referee import inspect
from referee.pages.inspector.bundle import Module, bundle, modules
from referee.pages.inspector.page import MAIN

ASSETS = files("referee.pages.inspector") / "assets"


@pytest.fixture
def folder(tmp_path):
    """A script that needs two others, one of which needs the other."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "main.js").write_text('import { b } from "./parts/b.js";\nimport { a } from "./a.js";\n\nconsole.log(a, b);\n')
    (tmp_path / "parts/b.js").write_text('import { a } from "../a.js";\n\nexport const b = a + 1; // one more\n')
    (tmp_path / "a.js").write_text('// About a.\n\n/** @type {number} */\nexport const a = 1; // "why"\n')
    return tmp_path


def test_scripts_stand_after_those_that_they_import(folder):
    ordered = modules(folder, "main.js")
    assert list(ordered) == ["a.js", "parts/b.js", "main.js"]
    assert bundle(ordered).splitlines() == [
        "const $a = (() => {", 'const a = 1; // "why"', "return { a };", "})();", "const $parts$b = (() => {",
        "const { a } = $a;", "const b = a + 1;", "return { b };", "})();", "(() => {", "const { b } = $parts$b;",
        "const { a } = $a;", "console.log(a, b);", "})();",
    ]  # fmt: skip


def test_a_missing_script_is_named(folder):
    (folder / "a.js").unlink()
    with pytest.raises(FileNotFoundError, match=r"a\.js"):
        modules(folder, "main.js")


def test_scripts_may_not_import_one_another_in_a_circle(folder):
    (folder / "a.js").write_text('import { b } from "./parts/b.js";\nexport const a = () => b;\n')
    with pytest.raises(CycleError, match=r"parts/b\.js"):
        modules(folder, "main.js")


def test_an_imported_name_must_be_exported(folder):
    (folder / "a.js").write_text("const a = 1;\n")
    with pytest.raises(ValueError, match=r"a\.js does not export a$"):
        modules(folder, "main.js")


@pytest.mark.parametrize(
    "line",
    [
        'import a from "./a.js";', 'import * as a from "./a.js";', 'import { a as b } from "./a.js";', 'import "./a.js";',
        'import { a } from "a";', "export default 1;", "export let a = 1;", "export { a };", 'const a = import("./a.js");',
        "const here = import.meta.url;",
    ],
)  # fmt: skip
def test_what_cannot_be_linked_is_refused(line):
    with pytest.raises(ValueError, match=r"^main\.js: cannot link "):
        Module.from_text("main.js", f"{line}\n")


def test_every_script_is_part_of_the_page():
    with as_file(ASSETS) as folder:
        assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.js")} == {
            *modules(ASSETS, MAIN),
            *modules(ASSETS, "app/theme_button.js"),  # of other pages
        }


def test_every_export_is_imported():
    found = modules(ASSETS, MAIN)
    exported = {(path, name) for path, module in found.items() for name in module.exports}
    imported = {(path, name) for module in found.values() for path, names in module.imports.items() for name in names}
    assert exported == imported


def test_gradients_with_stops_name_their_colour_space():
    # Firefox 153 draws nearly nothing of one with hard stops whose colours are oklch, unless it is interpolated in sRGB.
    page = inspect([["a"]], [["a"]]).html()
    assert page.count("repeating-linear-gradient(") == page.count("repeating-linear-gradient(90deg in srgb, ") > 0
