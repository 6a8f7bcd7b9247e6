"""Markable evaluates reference resolution: how well mentions were found and grouped into entities.

>>> import markable
>>> markable.score([{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}])["blanc"].recall
    0.5
"""

from typing import Any

from markable.version import VERSION

_HOME = {
    "Corpus": "markable.corpus",
    "CorpusBuilder": "markable.builder",
    "Evaluation": "markable.evaluation",
    "FORMATS": "markable.formats",
    "Inspection": "markable.inspector.inspection",
    "METRICS": "markable.metrics",
    "PROFILES": "markable.profiles",
    "MarkableError": "markable.errors",
    "MarkableWarning": "markable.errors",
    "agree": "markable.agreement",
    "compare": "markable.comparison",
    "inspect": "markable.inspector.inspection",
    "read": "markable.formats",
    "score": "markable.scoring",
    "write": "markable.formats",
}

__version__ = VERSION
__all__ = list(_HOME)  # names in strings, all of them


def __getattr__(name: str) -> Any:
    """Public names, imported when they are first used: the command imports this package before it knows what it needs."""
    if name not in _HOME:
        raise AttributeError(f"module 'markable' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
