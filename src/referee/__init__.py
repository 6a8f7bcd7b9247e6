"""Referee evaluates reference resolution: how well mentions were found and grouped into entities.

What people do, a line each. Key and responses are paths, or values such as these lists of sets; `print` shows a result as a
table, and `report` gives it in other forms. `help` of each function has the rest.

>>> import referee
>>> key, response = [{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}]
>>> referee.score(key, response)["muc"].f1
0.5
>>> referee.compare(key, {"ours": response, "perfect": key}, metrics="muc")["ours", "muc"].score.recall
0.5
>>> referee.errors(key, response).counts["missed"]
1
>>> referee.inspect(key, response).save("page.html")  # doctest: +SKIP
>>> round(referee.agree(key, response, metrics="b_cubed").together["b_cubed"], 3)
0.603

Besides: `read`, `write`, `convert` and `validate` files; `thresholds` and `estimate` for records; `resolve` and `parse` texts;
`phrases.score`, `phrases.errors` and `phrases.compare` for tags of names and chunks; `METRICS`, `FORMATS`, `PROFILES`.
"""

from referee.basics.version import VERSION

TYPE_CHECKING = False  # `typing` takes long to import, and Ctrl-C is not caught until the command runs

if TYPE_CHECKING:
    from referee import metrics, parsing, phrases, resolver
    from referee.agreement.agreeing import agree
    from referee.agreement.result import Agreement
    from referee.basics.exceptions import (
        FormatError,
        MismatchError,
        MissingExtraError,
        MissingFileError,
        OptionError,
        RefereeError,
        RefereeWarning,
        UnknownNameError,
    )
    from referee.basics.options.options import Options
    from referee.comparison.comparing import compare
    from referee.comparison.result import Comparison
    from referee.compat.prompts import prompts
    from referee.corpus import Corpus, CorpusBuilder
    from referee.corrections.correct import Corrected, correct
    from referee.inputs.answers import Answer
    from referee.inputs.reading import detect, read
    from referee.inputs.registry import FORMATS
    from referee.inputs.writing import convert, write
    from referee.metrics.registry import METRICS
    from referee.pages.inspector.inspection import Inspection, inspect
    from referee.parsing.parse import parse
    from referee.resolver.resolving import resolve
    from referee.scoring.counts_file import read_counts, write_counts
    from referee.scoring.estimates import Estimates, estimate
    from referee.scoring.evaluation import Evaluation
    from referee.scoring.other_scorers.profiles import PROFILES
    from referee.scoring.score import errors, score
    from referee.scoring.signed_options import read_signature
    from referee.scoring.stored import StoredScores
    from referee.scoring.submissions import validate
    from referee.scoring.task_file import read_task
    from referee.scoring.thresholds import Thresholds, thresholds
    from referee.stats.counts import Score
    from referee.stats.settings import Resampling
    from referee.training.scorer import Scorer

__version__ = VERSION  # not importlib.metadata's, which takes longer than a small score

_HOME = {
    "metrics": "referee.metrics",
    "parsing": "referee.parsing",
    "phrases": "referee.phrases",
    "resolver": "referee.resolver",
    "Agreement": "referee.agreement.result",
    "Answer": "referee.inputs.answers",
    "Comparison": "referee.comparison.result",
    "Corrected": "referee.corrections.correct",
    "Corpus": "referee.corpus",
    "CorpusBuilder": "referee.corpus",
    "Estimates": "referee.scoring.estimates",
    "Evaluation": "referee.scoring.evaluation",
    "FORMATS": "referee.inputs.registry",
    "Inspection": "referee.pages.inspector.inspection",
    "METRICS": "referee.metrics.registry",
    "Options": "referee.basics.options.options",
    "PROFILES": "referee.scoring.other_scorers.profiles",
    "Resampling": "referee.stats.settings",
    "Score": "referee.stats.counts",
    "Scorer": "referee.training.scorer",
    "StoredScores": "referee.scoring.stored",
    "Thresholds": "referee.scoring.thresholds",
    "agree": "referee.agreement.agreeing",
    "compare": "referee.comparison.comparing",
    "convert": "referee.inputs.writing",
    "correct": "referee.corrections.correct",
    "detect": "referee.inputs.reading",
    "errors": "referee.scoring.score",
    "estimate": "referee.scoring.estimates",
    "inspect": "referee.pages.inspector.inspection",
    "parse": "referee.parsing.parse",
    "prompts": "referee.compat.prompts",
    "read": "referee.inputs.reading",
    "read_counts": "referee.scoring.counts_file",
    "read_signature": "referee.scoring.signed_options",
    "read_task": "referee.scoring.task_file",
    "resolve": "referee.resolver.resolving",
    "score": "referee.scoring.score",
    "thresholds": "referee.scoring.thresholds",
    "validate": "referee.scoring.submissions",
    "write": "referee.inputs.writing",
    "write_counts": "referee.scoring.counts_file",
}
"""Where the names are; those that are missing are exceptions."""

__all__ = [
    "FORMATS",
    "METRICS",
    "PROFILES",
    "Agreement",
    "Answer",
    "Comparison",
    "Corpus",
    "CorpusBuilder",
    "Corrected",
    "Estimates",
    "Evaluation",
    "FormatError",
    "Inspection",
    "MismatchError",
    "MissingExtraError",
    "MissingFileError",
    "OptionError",
    "Options",
    "RefereeError",
    "RefereeWarning",
    "Resampling",
    "Score",
    "Scorer",
    "StoredScores",
    "Thresholds",
    "UnknownNameError",
    "__version__",
    "agree",
    "compare",
    "convert",
    "correct",
    "detect",
    "errors",
    "estimate",
    "inspect",
    "metrics",
    "parse",
    "parsing",
    "phrases",
    "prompts",
    "read",
    "read_counts",
    "read_signature",
    "read_task",
    "resolve",
    "resolver",
    "score",
    "thresholds",
    "validate",
    "write",
    "write_counts",
]


if not TYPE_CHECKING:  # for a type checker a name that does not exist is a mistake

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used: the command imports this package before it knows what it needs."""
        if name not in __all__:
            raise _missing(name)
        from importlib import import_module

        home = import_module(_HOME.get(name, "referee.basics.exceptions"))
        return home if name in ("metrics", "parsing", "phrases", "resolver") else getattr(home, name)


def _missing(name: str) -> AttributeError:
    """The error about a name that there is not, with what was meant."""
    if name.startswith("_"):  # programs ask for such names, only to see whether there is one
        return AttributeError(f"module 'referee' has no attribute {name!r}")
    from referee.basics.names import HINTS, NoAttributeError
    from referee.metrics.registry import PLAIN_NAMES, plain_name

    metric = PLAIN_NAMES.get(plain_name(name))
    hint = f"referee.score(key, response)[{metric!r}] has its scores, referee.metrics.{metric}(key, response) them alone"
    return NoAttributeError("module 'referee'", name, __all__, hint if metric else HINTS.get(name, ""))


def __dir__() -> list[str]:
    return sorted(__all__)
