"""The scripts of the page, linked into one.

A page that is opened as a file cannot import other files, so its modules are put one after the other, each in a function of its
own. The order follows from the imports. No script is parsed: the modules keep to the few forms that `Module.of` knows.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable  # Python 3.10 has it elsewhere

OMITTED = re.compile(r"/\*\*.*?\*/ ?|^\s*//[^\n]*|[ \t]+// [^\n\"'`]*$", re.MULTILINE | re.DOTALL)
"""Documentation of types, comments that have lines of their own, and those at the ends of lines, if they have no quotes."""

INDENTATION = re.compile(r"^\s+", re.MULTILINE)
IMPORT = re.compile(r'^import \{ (\w+(?:, \w+)*) \} from "(\.[\w./]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport(?:\(|\.meta).*", re.MULTILINE)


class Module(NamedTuple):
    """A script.

    Parameters
    ----------
    imports : mapping
        The names that it takes from each other module.
    exports : list of str
        The names that it gives.
    body : str
        The script without imports, the word `export`, comments and indentation. `eslint.config.js` forbids text that would look
        like these.
    """

    imports: Mapping[str, list[str]]
    exports: list[str]
    body: str

    @classmethod
    def from_text(cls, path: str, text: str) -> Module:
        """Take a script apart.

        Parameters
        ----------
        path : str
            Where it is, relative to the folder of all scripts: `text/pane.js`.
        text : str
            The script.

        Raises
        ------
        ValueError
            If it imports or exports in another way than `import { a, b } from "./c.js";` on one line, and `export` before a
            function, a class or a constant.
        """
        code = INDENTATION.sub("", OMITTED.sub("", text))
        imports: dict[str, list[str]] = {}
        for names, source in IMPORT.findall(code):
            imports.setdefault(posixpath.normpath(posixpath.join(posixpath.dirname(path), source)), []).extend(
                names.split(", ")
            )
        exports = EXPORT.findall(code)
        body = EXPORT.sub("", IMPORT.sub("", code))
        if other := OTHER.search(body):
            raise ValueError(f"{path}: cannot link {other[0]}")
        return cls(imports, exports, body)


def modules(folder: Traversable, start: str) -> dict[str, Module]:
    """Read a script and all that it needs.

    Parameters
    ----------
    folder : folder
        Of all scripts.
    start : str
        The path of the script, relative to the folder.

    Returns
    -------
    dict
        Path to module, in an order in which each one stands after those that it imports.

    Raises
    ------
    FileNotFoundError
        If an imported script is missing.
    graphlib.CycleError
        If scripts import one another in a circle.
    ValueError
        If a script imports a name that the other one does not export.
    """
    modules: dict[str, Module] = {}
    missing = [start]
    while missing:
        path = missing.pop()
        modules[path] = Module.from_text(path, folder.joinpath(path).read_text(encoding="utf-8"))
        missing += [other for other in modules[path].imports if other not in modules and other not in missing]
    for path, module in modules.items():
        for other, names in module.imports.items():
            if unknown := set(names) - set(modules[other].exports):
                raise ValueError(f"{path}: {other} does not export {', '.join(sorted(unknown))}")
    order = TopologicalSorter({path: module.imports for path, module in modules.items()}).static_order()
    return {path: modules[path] for path in order}


def bundle(ordered: Mapping[str, Module]) -> str:
    """Link modules into one script.

    Parameters
    ----------
    ordered : mapping
        Path to module, as from `modules`.
    """
    return "\n".join(_wrapped(path, module) for path, module in ordered.items())


def _wrapped(path: str, module: Module) -> str:
    """A module as a function that is called at once and returns what it exports."""
    imports = "".join(f"const {{ {', '.join(names)} }} = {_name(other)};\n" for other, names in module.imports.items())
    call = f"(() => {{\n{imports}{module.body}"
    if not module.exports:
        return f"{call}}})();"
    return f"const {_name(path)} = {call}return {{ {', '.join(module.exports)} }};\n}})();"


def _name(path: str) -> str:
    """The constant that holds what a module exports; no script has names with $."""
    return "$" + path.removesuffix(".js").replace("/", "$")
