"""Referee evaluates reference resolution: how well mentions were found and grouped into entities.

>>> import referee
>>> referee.score([{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}])["blanc"].recall
    0.5
"""

from typing import Any

from referee.version import VERSION

_HOME = {
    "Corpus": "referee.corpus.corpus",
    "CorpusBuilder": "referee.corpus.builder",
    "Evaluation": "referee.scoring.evaluation",
    "FORMATS": "referee.formats.registry",
    "Inspection": "referee.inspector.inspection",
    "METRICS": "referee.metrics.registry",
    "PROFILES": "referee.scoring.profiles",
    "RefereeError": "referee.exceptions",
    "RefereeWarning": "referee.exceptions",
    "agree": "referee.agreement",
    "compare": "referee.comparison",
    "inspect": "referee.inspector.inspection",
    "read": "referee.formats.reading",
    "score": "referee.scoring.score",
    "write": "referee.formats.writing",
}

__version__ = VERSION
__all__ = list(_HOME)  # names in strings, all of them


def __getattr__(name: str) -> Any:
    """Public names, imported when they are first used: the command imports this package before it knows what it needs."""
    if name not in _HOME:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
