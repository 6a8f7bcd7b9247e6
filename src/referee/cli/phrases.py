"""Score phrases, such as names and chunks in tags; recognize phrases with probabilities, and score these (Abney 1993).

Examples
--------
referee phrases score key.iob response.iob
referee phrases errors key.iob response.iob
referee phrases compare key.iob a.iob b.iob
referee phrases score key.conll model.jsonl --threshold 0.4 --plot types.svg
referee phrases score --help
"""

from __future__ import annotations

from argparse import ArgumentParser

from referee.cli.main import add_verb

VERBS = {
    "score": "recall, precision and F1 of each type, of tags and of spans with scores",
    "compare": "compare responses: intervals of F1, and tests of differences",
    "errors": "list the errors of a response: missed, spurious, wrong type, wrong span",
    "fit": "fit a model to corpora",
    "predict": "the probability of every candidate, or the most probable parse",
    "validate": "list the tags that are not legal in a scheme, with their lines",
    "formats": "list the formats of phrases, or explain one",
    "reproduce": "the table of Abney (1993) on a corpus: every model",
}
"""The sub-verbs: a module of `referee.cli.phrase_verbs` each."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the sub-verbs and their arguments."""
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for verb, summary in VERBS.items():
        add_verb(verbs, verb, summary, f"referee.cli.phrase_verbs.{verb}")
