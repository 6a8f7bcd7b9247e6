"""The words that options take are the names in the registries; help and a mistake in a call need no NumPy."""

import subprocess
import sys
from itertools import chain

import pytest

from referee.agreement import distances
from referee.basics.options import choices
from referee.cli.verbs import VERBS
from referee.compat.papers import PAPERS
from referee.compat.programs import PROGRAMS
from referee.corpus.cross_document import GROUPINGS
from referee.error_analysis import errors, plots
from referee.matching.matchers import MATCHERS
from referee.matching.repeated_mentions import REPEATED_MENTIONS
from referee.phrases.chunking import iob
from referee.phrases.formats import registry as phrase_formats
from referee.phrases.metrics import METRICS
from referee.phrases.models import parses
from referee.resolver import strategies
from referee.scoring import estimates, paper_table
from referee.scoring.other_scorers import profiles
from referee.stats.correlation import COEFFICIENTS

REGISTRIES = {
    "PROFILES": profiles.PROFILES,
    "MATCHERS": MATCHERS,
    "REPEATED_MENTIONS": REPEATED_MENTIONS,
    "CROSS_DOCUMENT": GROUPINGS,
    "PAPER_TABLES": paper_table.TABLES,
    "COEFFICIENTS": COEFFICIENTS,
    "ESTIMATED": estimates.PARTS,
    "ERRORS_BY": errors.BY,
    "ERROR_PLOTS": plots.PLOTS,
    "DISTANCES": distances.DISTANCES,
    "PAPERS": PAPERS,
    "PROGRAMS": PROGRAMS,
    "STRATEGIES": strategies.STRATEGIES,
    "PHRASE_FORMATS": phrase_formats.FORMATS,
    "DECODERS": ("conlleval", "strict", *(rule for rule in iob.RULES if rule != "conlleval")),
    "PARSERS": parses.WEIGHTS,
    "PHRASE_METRICS": METRICS,
}


@pytest.mark.parametrize("name", REGISTRIES)
def test_the_words_are_those_of_the_registry(name):
    assert getattr(choices, name) == tuple(REGISTRIES[name])


CALLS = [
    ["--help"],
    ["--version"],
    ["scoer"],
    *chain.from_iterable(([verb, "--help"], [verb, "--no-such-option"]) for verb in VERBS),
    *([group, verb, "--help"] for group, verbs in {"phrases": ("score", "fit")}.items() for verb in verbs),
    ["score"],
    ["score", "key", "response", "--match", "exactly"],
]

WITHOUT = """
import sys
sys.modules["numpy"] = None
from referee.cli.main import main
for call in {calls}:
    try:
        status = main(call)
    except SystemExit as end:
        status = end.code
    assert status == (0 if {{"--help", "--version"}} & set(call) else 2), call
"""


def test_help_and_mistakes_in_a_call_need_no_numpy():
    subprocess.run([sys.executable, "-c", WITHOUT.format(calls=CALLS)], check=True, capture_output=True)
