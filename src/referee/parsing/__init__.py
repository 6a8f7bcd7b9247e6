"""From plain text to trees: paragraphs, sentences and words, their tags, and trees of Universal Dependencies.

`referee.parse` parses a text. Here are the functions that write trees, and make models. The command is `referee parse`.

Other packages import `chunks`, `model`, `parse`, `texts`, `words` and `writing`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.parsing.fitting import fit
    from referee.parsing.model import ParserModel, load, save
    from referee.parsing.writing import conllu

_HOME = {"ParserModel": "model", "conllu": "writing", "fit": "fitting", "load": "model", "save": "model"}

__all__ = ["ParserModel", "conllu", "fit", "load", "save"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a function when it is first used."""
        if name not in _HOME:
            raise AttributeError(f"module 'referee.parsing' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"referee.parsing.{_HOME[name]}"), name)
