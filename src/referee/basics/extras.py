"""Libraries of extras: each name here stands for a module, which is imported when something of it is used.

So a module that uses one can name it at its beginning, without the time that its import takes, and without having it. What
needs a library asks for it with `need`, which says what to install where it is missing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from referee.basics.exceptions import MissingExtraError

if TYPE_CHECKING:  # protocols take time to make
    from referee.basics import libraries as of

EXTRAS = {
    "duckdb": "tables", "matplotlib": "plot", "pandas": "pandas", "pyarrow": "parquet", "pyspark": "spark",
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


arrow = cast("of.Arrow", Lazy("pyarrow"))
pc = cast("of.ArrowCompute", Lazy("pyarrow.compute"))
csv = cast("of.ArrowCsv", Lazy("pyarrow.csv"))
fs = cast("of.ArrowFileSystems", Lazy("pyarrow.fs"))
ipc = cast("of.ArrowStreams", Lazy("pyarrow.ipc"))
parquet = cast("of.Parquet", Lazy("pyarrow.parquet"))

duckdb = cast("of.Duck", Lazy("duckdb"))
fsspec = cast("of.FileSystemsByScheme", Lazy("fsspec"))
matplotlib: Any = Lazy("matplotlib")
matplotlib_figure: Any = Lazy("matplotlib.figure")
matplotlib_fonts: Any = Lazy("matplotlib.font_manager")
matplotlib_legends: Any = Lazy("matplotlib.legend_handler")
matplotlib_lines: Any = Lazy("matplotlib.lines")
matplotlib_patches: Any = Lazy("matplotlib.patches")
pandas: Any = Lazy("pandas")

spacy_scorer: Any = Lazy("spacy.scorer")
spacy_training: Any = Lazy("spacy.training")
spacy_tokens = cast("of.SpacyTokens", Lazy("spacy.tokens"))
spacy_vocab = cast("of.SpacyVocab", Lazy("spacy.vocab"))
srsly_msgpack: Any = Lazy("srsly.msgpack")

spark = cast("of.Spark", Lazy("pyspark"))
spark_functions = cast("of.SparkFunctions", Lazy("pyspark.sql.functions"))
spark_sql = cast("of.SparkSql", Lazy("pyspark.sql"))
