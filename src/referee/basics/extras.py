"""Libraries of extras: each name here stands for a module, which is imported when something of it is used.

So a module that uses one can name it at its beginning, without the time that its import takes, and without having it. What
needs a library asks for it with `need`, which says what to install where it is missing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from referee.basics.exceptions import MissingExtraError

__all__ = [
    "EXTRAS", "Lazy", "arrow", "csv", "duckdb", "fs", "fsspec", "ipc", "matplotlib", "matplotlib_figure", "matplotlib_fonts",
    "matplotlib_legends", "matplotlib_lines", "matplotlib_patches", "need", "openpyxl", "pandas", "parquet", "pc",
    "spacy_scorer", "spacy_tokens", "spacy_training", "spacy_vocab", "spark", "spark_functions", "spark_sql", "srsly_msgpack",
]  # fmt: skip

EXTRAS = {
    "duckdb": "tables", "matplotlib": "plot", "openpyxl": "xlsx", "pandas": "pandas", "pyarrow": "parquet", "pyspark": "spark",
    "shtab": "completion", "spacy": "spacy", "srsly": "spacy",
}  # fmt: skip
"""Library -> the extra that installs it."""


class Lazy:
    """A module that is imported when an attribute of it is used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> object:
        """Return what the module has. MissingExtraError if its library is missing."""
        if name.startswith("__") and name != "__version__":  # who asks for these looks at all that a module has
            raise AttributeError(name)
        library = self._module.partition(".")[0]
        try:
            return getattr(import_module(self._module), name)
        except ModuleNotFoundError as error:
            if library not in EXTRAS or (error.name or "").partition(".")[0] != library:  # something else is missing
                raise
            raise MissingExtraError(library, EXTRAS[library]) from None

    def __reduce__(self) -> tuple[type[Lazy], tuple[str]]:
        return Lazy, (self._module,)


def need(what: str, *modules: str) -> None:
    """Import modules of one library. MissingExtraError, which says what needs it, if it is not installed."""
    try:
        for module in modules:
            import_module(module)
    except ImportError as error:
        raise MissingExtraError(what, EXTRAS[modules[0].partition(".")[0]]) from error


if TYPE_CHECKING:  # those of which modules name types
    import duckdb
    import pyarrow as arrow  # noqa: ICN001  # a word
    import pyspark as spark
    import spacy.tokens as spacy_tokens
    from pyarrow import fs, parquet
    from pyspark import sql as spark_sql
else:
    arrow, fs, parquet = Lazy("pyarrow"), Lazy("pyarrow.fs"), Lazy("pyarrow.parquet")
    duckdb, spark, spark_sql = Lazy("duckdb"), Lazy("pyspark"), Lazy("pyspark.sql")
    spacy_tokens = Lazy("spacy.tokens")

pc: Any = Lazy("pyarrow.compute")
csv: Any = Lazy("pyarrow.csv")
ipc: Any = Lazy("pyarrow.ipc")

fsspec: Any = Lazy("fsspec")
openpyxl: Any = Lazy("openpyxl")
matplotlib: Any = Lazy("matplotlib")
matplotlib_figure: Any = Lazy("matplotlib.figure")
matplotlib_fonts: Any = Lazy("matplotlib.font_manager")
matplotlib_legends: Any = Lazy("matplotlib.legend_handler")
matplotlib_lines: Any = Lazy("matplotlib.lines")
matplotlib_patches: Any = Lazy("matplotlib.patches")
pandas: Any = Lazy("pandas")

spacy_scorer: Any = Lazy("spacy.scorer")
spacy_training: Any = Lazy("spacy.training")
spacy_vocab: Any = Lazy("spacy.vocab")
srsly_msgpack: Any = Lazy("srsly.msgpack")

spark_functions: Any = Lazy("pyspark.sql.functions")
