"""Recognize phrases with probabilities, and measure what the probabilities are worth (Abney 1993): one sub-verb a file.

examples:
  referee phrases score key.conll response.conll
  referee phrases score key.conll model.jsonl --by category --plot blame.svg
  referee phrases score --help
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module
from inspect import getdoc

VERBS = {
    "score": "bits, expected recall and precision, blame, calibration",
    "fit": "learn a model from corpora",
    "predict": "the probability of every candidate, or the most probable parse",
    "reproduce": "the table of Abney (1993) on a corpus: every model",
}


def add_arguments(parser: ArgumentParser) -> None:
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for verb, help_ in VERBS.items():
        module = import_module(f"referee.cli.phrases.{verb}")
        description, _, examples = (getdoc(module) or "").partition("\n\nexamples:")
        sub = verbs.add_parser(
            verb, help=help_, description=description, epilog="examples:" + examples if examples else None,
            formatter_class=RawDescriptionHelpFormatter,
        )  # fmt: skip
        module.add_arguments(sub)
        sub.set_defaults(run_phrases=module.run)


def run(args: Namespace) -> int:
    status: int = args.run_phrases(args)
    return status
