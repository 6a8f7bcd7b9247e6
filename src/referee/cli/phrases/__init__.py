"""Recognize phrases with probabilities, and score the probabilities (Abney 1993).

examples:
  referee phrases score key.conll response.conll
  referee phrases score key.conll model.jsonl --by category --plot breakdown.svg
  referee phrases score --help
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from inspect import getdoc

VERBS = {
    "score": "cross-entropy, expected recall and precision, error breakdown, calibration",
    "fit": "fit a model to corpora",
    "predict": "the probability of every candidate, or the most probable parse",
    "reproduce": "the table of Abney (1993) on a corpus: every model",
}
"""The sub-verbs: one file each."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the sub-verbs and their arguments."""
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for verb, summary in VERBS.items():
        module = import_module(f"referee.cli.phrases.{verb}")
        description, _, examples = (getdoc(module) or "").partition("\n\nexamples:")
        sub = verbs.add_parser(
            verb,
            help=summary,
            description=description,
            epilog="examples:" + examples if examples else None,
        )
        module.add_arguments(sub)
        sub.set_defaults(run_phrases=module.run)


def run(args: Namespace) -> int:
    """Run the sub-verb."""
    status: int = args.run_phrases(args)
    return status
