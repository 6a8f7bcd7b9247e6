"""Reference resolution: mentions are attached to mental representations of their referents, by rules or by fitted tables.

`referee.resolve` resolves a text; `resolution` does the same, and keeps who the entities are and who says what. Here are the
functions that make and show models, too.
The commands are `referee resolve fit`, `tune`, `ablate` and `show`.

Other packages import `candidates`, `experiment`, `files`, `heads`, `resolving`, `rules`, `syntax`, `tables`,
`text` and `tuning`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.resolver.ablation import ablate
    from referee.resolver.files import Model, load, save
    from referee.resolver.learning import fit
    from referee.resolver.resolving import Resolution, resolution
    from referee.resolver.showing import show
    from referee.resolver.tables import add_table
    from referee.resolver.tuning import Tuning, tune

_HOME = {
    "Model": "files", "Tuning": "tuning", "ablate": "ablation", "fit": "learning", "load": "files", "save": "files",
    "Resolution": "resolving", "resolution": "resolving", "show": "showing", "add_table": "tables", "tune": "tuning",
}  # fmt: skip

__all__ = ["Model", "Resolution", "Tuning", "ablate", "add_table", "fit", "load", "resolution", "save", "show", "tune"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a function when it is first used: to resolve a text, nothing that fits models is needed."""
        if name not in _HOME:
            raise AttributeError(f"module 'referee.resolver' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"referee.resolver.{_HOME[name]}"), name)
