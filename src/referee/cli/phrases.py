"""Recognize phrases with probabilities, and score the probabilities (Abney 1993).

Examples
--------
referee phrases score key.conll response.conll
referee phrases score key.conll model.jsonl --by category --plot breakdown.svg
referee phrases score --help
"""

from __future__ import annotations

from argparse import ArgumentParser

from referee.cli.main import add_verb

VERBS = {
    "score": "cross-entropy, expected recall and precision, error breakdown, calibration",
    "fit": "fit a model to corpora",
    "predict": "the probability of every candidate, or the most probable parse",
    "formats": "list the formats of phrases, or explain one",
    "reproduce": "the table of Abney (1993) on a corpus: every model",
}
"""The sub-verbs: a module of `referee.cli.phrase_verbs` each."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the sub-verbs and their arguments."""
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for verb, summary in VERBS.items():
        add_verb(verbs, verb, summary, f"referee.cli.phrase_verbs.{verb}")
